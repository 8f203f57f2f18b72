//! `sqtt memory-trace --summary` of LDS: phases by target, the lanes that collide, and a row per marker. The last
//! tests compile with the plugin and run in the simulator.

use std::path::Path;

use crate::command::sqtt;
use crate::traces::Trace;
use commands::Llvm;
use serde_json::{Value, json};
use sqtt_decoder::generate::GFX1200;
use sqtt_format::{AddressKind, ConfigRecord, WaveSize};

/// ELF flags of GPUs, and what their trace folders call them.
const GFX90A: (u32, u32) = (0x3F, 9);
const GFX942: (u32, u32) = (0x4C, 9);
const GFX950: (u32, u32) = (0x4F, 9);
const GFX1100: (u32, u32) = (0x41, 11);
const GFX1201: (u32, u32) = (0x4E, 12);

/// The rows of the summary, and the summary for people.
fn summary(root: &Path, args: &[&str]) -> (Vec<Value>, String) {
    let json = sqtt(root, &[&["memory-trace", "--summary", "--json"], args].concat());
    assert_eq!((json.code, json.err.as_str()), (0, ""));
    let value: Value = serde_json::from_str(&json.out).unwrap();
    let text = sqtt(root, &[&["memory-trace", "--summary"], args].concat()).out;
    (value["lines"].as_array().unwrap().clone(), text)
}

/// A wave of such lanes with LDS operations of one line: each has a marker id.
fn trace(wave: WaveSize, (e_flags, gfxip): (u32, u32), operations: &[(u32, AddressKind, u32)]) -> Trace {
    let mut trace = Trace::new();
    trace.gfxip = gfxip;
    let mut config = ConfigRecord::new("1", "22");
    let mut map = "K:kernel\n".to_owned();
    for &(id, kind, bytes) in operations {
        let (name, count) = (kind.name(), kind.payload_count(wave));
        map += &format!("P:{id}:{name}@k.hip:5\nR:{id}:extra_payload_count={count}\n");
        config.set_access_bytes(id, bytes);
    }
    trace.object_for(e_flags, &map, Some(&config));
    trace.launch(100, 1);
    trace.retire(1_000_000);
    trace
}

/// An LDS operation of all lanes: its row, and the text of the summary.
fn lds(
    kind: AddressKind,
    wave: WaveSize,
    target: (u32, u32),
    bytes: u32,
    address: impl Fn(u32) -> u32,
    args: &[&str],
) -> (Value, String) {
    let mut trace = trace(wave, target, &[(6, kind, bytes)]);
    let high = if wave == WaveSize::Wave64 { u32::MAX } else { 0 };
    let words = [24, u32::MAX, high].into_iter().chain((0..wave.lanes()).map(address));
    trace.words(&words.collect::<Vec<_>>());
    trace.write();
    let (mut rows, text) = summary(trace.root.path(), &[args, &["."]].concat());
    assert_eq!(rows.len(), 1);
    (rows.remove(0), text)
}

#[test]
fn lds_phases_are_those_of_the_target_and_it_says_which_are_counted() {
    use AddressKind::{LdsAtomic, LdsLoad, LdsStore};
    use WaveSize::{Wave32, Wave64};
    // Swizzled so that gfx942's phases have no conflict, and neighbours do.
    let swizzled = |lane: u32| (lane * 8 + lane % 4 + 4 * (lane >> 4 & 1)) * 16;
    for (kind, wave, target, bytes, expected) in [
        (LdsLoad, Wave64, GFX942, 16, json!([8, 8, "measured", 32, 8])),
        (LdsStore, Wave64, GFX942, 16, json!([16, 8, "measured", 32, 8])),
        (LdsAtomic, Wave64, GFX942, 16, json!([16, 8, "neighbours", 32, 8])),
        (LdsLoad, Wave64, GFX90A, 16, json!([16, 8, "neighbours", 32, 8])),
        (LdsLoad, Wave64, GFX950, 12, json!([8, 8, "measured", 32, 8])),
        (LdsStore, Wave64, GFX950, 16, json!([16, 8, "neighbours", 32, 8])),
        (LdsLoad, Wave32, GFX1100, 16, json!([4, 4, "measured", 32, 8])),
        (LdsLoad, Wave64, GFX1100, 16, json!([16, 8, "neighbours", 32, 8])),
        (LdsStore, Wave32, GFX1100, 16, json!([8, 4, "neighbours", 32, 8])),
        (LdsLoad, Wave32, GFX1201, 16, json!([8, 4, "measured", 32, 8])),
        (LdsLoad, Wave32, (GFX1200, 12), 16, json!([8, 4, "neighbours", 32, 8])),
    ] {
        let what = format!("{kind:?} {wave:?} {target:?}");
        let (row, text) = lds(kind, wave, target, bytes, swizzled, &[]);
        let banks = &row["lds_banks"];
        let one = &banks["instructions"][0];
        let got = json!([banks["cycles"], banks["minimum"], one["order"], one["banks"], one["lanes"]]);
        assert_eq!(got, expected, "{what}");
        let is_measured = one["order"] == "measured";
        assert_eq!(one["source"].is_string(), is_measured, "{what}");
        assert_eq!(
            text.contains("8 lanes at a time, 32 banks, as measured ("),
            is_measured,
            "{what}: {text}"
        );
        assert_eq!(
            text.contains("8 lanes at a time, 32 banks, neighbours\n"),
            !is_measured,
            "{what}: {text}"
        );
        assert_eq!(text.contains("nobody published"), !is_measured, "{what}: {text}");
        assert_eq!(text.contains("collide"), banks["cycles"] != banks["minimum"], "{what}: {text}");
    }
    let (row, text) = lds(LdsLoad, Wave64, GFX950, 4, |lane| lane * 4, &[]);
    assert_eq!((&row["lds_banks"]["cycles"], &row["lds_banks"]["minimum"]), (&json!(1), &json!(1)));
    assert_eq!(row["lds_banks"]["instructions"][0]["order"], "disputed");
    assert!(text.contains("64 lanes at a time, 64 banks, as measured (nod-ai/amd-shark-ai"), "{text}");
    assert!(text.contains("others say otherwise") && !text.contains("nobody published"), "{text}");
    // Split first, and each part by its own phases.
    let (row, text) = lds(LdsLoad, Wave64, GFX942, 36, |lane| lane * 64, &[]);
    let widths: Vec<&Value> =
        row["lds_banks"]["instructions"].as_array().unwrap().iter().map(|one| &one["bytes"]).collect();
    assert_eq!(widths, [16, 4], "{text}");
    // Rows of 16 words: four lanes of each eight ask for the same banks, and 16 of 32.
    assert_eq!(
        (&row["lds_banks"]["cycles"], &row["lds_banks"]["minimum"]),
        (&json!(2 * 8 * 4 + 2 * 16), &json!(2 * 8 + 2))
    );
}

#[test]
fn pairs_of_lanes_that_collide() {
    let wave = WaveSize::Wave32;
    // Lanes 0 to 3 and lanes 28 to 31 in a column each; the others have a bank of their own.
    let address = |lane: u32| match lane {
        0..4 => lane * 128,
        28..32 => (lane - 28) * 128 + 28 * 4,
        _ => lane * 4,
    };
    let load = |args: &[&str]| lds(AddressKind::LdsLoad, wave, GFX1100, 4, address, args);
    let (row, text) = load(&[]);
    let pair = |lanes: [u32; 2]| {
        let addresses = lanes.map(|lane| format!("{:#x}", address(lane)));
        json!({"lanes": lanes, "operations": 1, "bank": lanes[0] / 28 * 28, "addresses": addresses})
    };
    let all = |row: &Value| (row["lds_banks"]["pairs"].clone(), row["lds_banks"]["pairs_left_out"].clone());
    assert_eq!(all(&row), (json!([pair([0, 1]), pair([0, 2]), pair([0, 3])]), json!(9)));
    assert!(
        text.contains("    collide      lanes 0 and 3 in 1 operation: bank 0, 0x0 and 0x180\n"),
        "{text}"
    );
    assert!(text.contains("    collide      9 more pairs (see --pairs)\n"), "{text}");
    let (row, text) = load(&["--pairs", "1"]);
    assert_eq!(all(&row), (json!([pair([0, 1])]), json!(11)));
    assert!(text.contains("11 more pairs"), "{text}");
    let (row, text) = load(&["--pairs", "100"]);
    assert_eq!((row["lds_banks"]["pairs"].as_array().unwrap().len(), &all(&row).1), (12, &json!(0)));
    assert_eq!(row["lds_banks"]["pairs"][11], pair([30, 31]));
    assert!(!text.contains("more pairs"), "{text}");
}

#[test]
fn a_row_per_marker_and_the_pair_that_collides_most() {
    let load = AddressKind::LdsLoad;
    let mut trace = trace(WaveSize::Wave32, GFX1100, &[(6, load, 4), (7, load, 4)]);
    let block = |header: u32, exec: u32, row: u32| {
        [header, exec, 0].into_iter().chain((0..32).map(move |lane| lane * row))
    };
    // Marker 7 has no conflict. Of marker 6 all lanes are in a column once, lanes 8 and 9 thrice.
    let blocks = block(28, u32::MAX, 4)
        .chain(block(24, u32::MAX, 256))
        .chain(block(24, 0x300, 128))
        .chain(block(28, u32::MAX, 132))
        .chain(block(24, 0x300, 128));
    trace.words(&blocks.collect::<Vec<_>>());
    trace.write();
    let (rows, text) = summary(trace.root.path(), &["."]);
    let row = |index: usize| {
        let row: &Value = &rows[index];
        json!([row["marker_id"], row["source"], row["operations"], row["lds_banks"]["cycles"]])
    };
    assert_eq!(rows.len(), 2, "{rows:#?}");
    assert_eq!((row(0), row(1)), (json!([6, "k.hip:5", 3, 36]), json!([7, "k.hip:5", 2, 2])));
    let pairs = &rows[0]["lds_banks"]["pairs"];
    let most = json!({"lanes": [8, 9], "operations": 3, "bank": 0, "addresses": ["0x400", "0x480"]});
    assert_eq!((&pairs[0], &pairs[1]["lanes"]), (&most, &json!([0, 1])));
    for id in [6, 7] {
        assert!(text.contains(&format!("  k.hip:5  lds_load, 4 bytes a lane, marker {id}\n")), "{text}");
    }
}

/// A tile of 32 rows is written row by row and read column by column.
const TRANSPOSE: &str = r#"
#include "kernel.hpp"
template <int ROW> __device__ void transpose(const float *in, float *out) {
  __shared__ float tile[32][ROW];
  const unsigned x = threadIdx.x, y = threadIdx.y;
  tile[y][x] = in[y * 32 + x]; // write
  __syncthreads();
  out[y * 32 + x] = tile[x][y]; // read
}
extern "C" __global__ void unpadded(const float *in, float *out) { transpose<32>(in, out); }
extern "C" __global__ void padded(const float *in, float *out) { transpose<33>(in, out); }
"#;

const GATHER: &str = r#"
#include "kernel.hpp"
extern "C" __global__ void gather(const unsigned *ix, const unsigned *a, unsigned *o) {
  const unsigned t = threadIdx.x;
  o[t] = a[16 * ix[t]]; // gather
}
"#;

/// Compiles, runs and reads: all pairs of the rows, and the text as it is without options.
fn compiled(source: &str, target: &str, launch: &[&str]) -> (Vec<Value>, String) {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    std::fs::write(root.join("kernel.hip"), source).unwrap();
    let mut clang = commands::device_compile("kernel.hip".as_ref(), target, "kernel.co".as_ref());
    clang.env("SQTT_TRACE_ADDRESSES", "memory,lds").env("SQTT_SCOPE_CU", "-1").current_dir(root);
    commands::capture(clang.args(["-g", &Llvm::V22.load_plugin()])).unwrap();
    let sim = [&["sim", "kernel.co", "--trace", "traced"], launch].concat();
    let ran = sqtt(root, &sim);
    assert_eq!(ran.code, 0, "{}", ran.err);
    (summary(root, &["--pairs", "2016", "traced"]).0, summary(root, &["traced"]).1)
}

/// `kernel.hip:8`: the line of the source that ends in this comment.
fn line(source: &str, comment: &str) -> String {
    let ends = |line: &str| line.ends_with(&format!("// {comment}"));
    format!("kernel.hip:{}", source.lines().position(ends).unwrap() + 1)
}

/// Says whether a row is of an operation of that line.
fn is_at(row: &Value, line: &str, kind: &str) -> bool {
    let source = row["source"].as_str().unwrap().split(" -> ").next().unwrap();
    row["kind"] == kind && Path::new(source).file_name().unwrap() == line
}

#[test]
fn a_transpose_names_the_lanes_that_collide_and_its_line() {
    for (target, lanes) in [("gfx1100", 32), ("gfx942", 64)] {
        let launch = |kernel| {
            let launch = ["--kernel", kernel, "--grid", "1", "--block", "32,32"];
            [&launch[..], &["--arg", "buf:f32:iota:1024", "--arg", "buf:f32:1024"]].concat()
        };
        let waves = 1024 / lanes;
        let (rows, text) = compiled(TRANSPOSE, target, &launch("unpadded"));
        let lds: Vec<&Value> = rows.iter().filter(|row| row["space"] == "lds").collect();
        assert_eq!(lds.len(), 2, "{rows:#?}");
        let [read, write] = lds[..] else { panic!("{lds:?}") };
        // What wastes most comes first.
        assert!(is_at(read, &line(TRANSPOSE, "read"), "lds_load"), "{target}: {read:#}");
        assert!(is_at(write, &line(TRANSPOSE, "write"), "lds_store"), "{target}: {write:#}");
        let of = |row: &Value, key: &str| row["lds_banks"][key].clone();
        // Every phase has one column of 32 rows: all of its lanes in one bank.
        let phases = lanes / 32 * waves;
        assert_eq!(
            (of(read, "cycles"), of(read, "minimum")),
            (json!(32 * phases), json!(phases)),
            "{target}"
        );
        let pairs = of(read, "pairs");
        let pairs = pairs.as_array().unwrap();
        assert_eq!(pairs.len(), lanes / 32 * (32 * 31 / 2), "{target}");
        let first = json!({"lanes": [0, 1], "operations": waves, "bank": 0, "addresses": ["0x0", "0x80"]});
        assert_eq!(pairs[0], first, "{target}");
        assert!(pairs.iter().all(|pair| pair["operations"] == waves), "{target}");
        assert_eq!(of(read, "instructions")[0]["order"], "measured", "{target}");
        let says = format!("collide      lanes 0 and 1 in {waves} operations: bank 0, 0x0 and 0x80\n");
        assert!(text.contains(&says), "{target}: {text}");
        let more = pairs.len() - 3;
        assert!(
            text.contains(&format!("collide      {more} more pairs (see --pairs)\n")),
            "{target}: {text}"
        );
        assert_eq!((of(write, "cycles"), of(write, "pairs")), (json!(phases), json!([])), "{target}");
        assert_eq!(of(write, "instructions")[0]["order"], "neighbours", "{target}");

        let (rows, text) = compiled(TRANSPOSE, target, &launch("padded"));
        let lds: Vec<&Value> = rows.iter().filter(|row| row["space"] == "lds").collect();
        assert_eq!(lds.len(), 2, "{rows:#?}");
        for row in lds {
            assert_eq!(of(row, "cycles"), of(row, "minimum"), "{target}: {row:#}");
            assert_eq!(of(row, "pairs"), json!([]), "{target}: {row:#}");
        }
        assert!(!text.contains("collide"), "{target}: {text}");
    }
}

#[test]
fn markers_that_share_a_line_have_a_row_each() {
    let launch = ["--kernel", "gather", "--grid", "1", "--block", "64"];
    let buffers = ["--arg", "buf:u32:iota:64", "--arg", "buf:u32:1024", "--arg", "buf:u32:64"];
    let (rows, text) = compiled(GATHER, "gfx1100", &[launch, buffers].concat());
    let line = line(GATHER, "gather");
    let loads: Vec<&Value> = rows.iter().filter(|row| is_at(row, &line, "load")).collect();
    assert_eq!(loads.len(), 2, "{rows:#?}");
    assert_ne!(loads[0]["marker_id"], loads[1]["marker_id"]);
    // Sectors of 64 bytes: a word of each, and all of each.
    assert_eq!((&loads[0]["efficiency"], &loads[1]["efficiency"]), (&json!(0.0625), &json!(1.0)));
    for load in loads {
        assert_eq!(load["operations"], 2);
        assert!(text.contains(&format!("load, 4 bytes a lane, marker {}\n", load["marker_id"])), "{text}");
    }
}
