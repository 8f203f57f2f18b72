//! Code objects of several units, each with a map of its own: names by kernel, and ids of several meanings a loss.

use crate::common::llvm;
use std::path::Path;
use std::process::Command;

const PRELUDE: &str = "
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define word __builtin_amdgcn_s_ttracedata
";

/// Two units with a kernel each. The first one's calls a function of the second one, whose ids are its own.
const UNITS: [(&str, &str, &str); 2] = [
    (
        "a",
        "K:_Z5firstPi\nU:1:outer_a\nP:2:before_a\n",
        "__device__ int work(int n);
         __global__ void first(int *p) { word(1 << 2 | 2); word(2 << 2); p[0] = work(p[1]); word(1); }",
    ),
    (
        "b",
        "K:_Z6secondPi\nU:1:outer_b\nP:2:inside_b\nP:3:only_b\nR:3:extra_payload_count=1\n",
        "__device__ __attribute__((noinline)) int work(int n) { word(2 << 2); word(3 << 2); word(n); return n * n; }
         __global__ void second(int *p) { word(1 << 2 | 2); p[0] = work(p[1]); word(1); }",
    ),
];

/// The units compiled apart, as objects or bitcode, with ids as they are or with these bits in front.
fn compiled(folder: &Path, bitcode: bool, prefixes: [u32; 2]) -> [String; 2] {
    let mut index = 0;
    UNITS.map(|(name, map, code)| {
        let prefix = prefixes[index];
        index += 1;
        let mut map = map.to_owned();
        for id in 1..=3 {
            map = map.replace(&format!(":{id}:"), &format!(":{}:", prefix | id));
        }
        let bytes: Vec<String> = map.bytes().chain([0]).map(|byte| byte.to_string()).collect();
        let section = format!(
            "__device__ __attribute__((section(\".sqtt_funcmap\"), used)) static const char map_{name}[] = {{{}}};",
            bytes.join(", ")
        );
        let code = code.replace(" << 2", &format!(" + {prefix}u << 2"));
        std::fs::write(folder.join(format!("{name}.hip")), format!("{PRELUDE}{section}\n{code}\n")).unwrap();
        let (source, out) = (format!("{name}.hip"), format!("{name}.bc"));
        let target = ["-x", "hip", "--cuda-device-only", "--no-gpu-bundle-output", "--offload-arch=gfx1100"];
        let rest = ["-nogpuinc", "-nogpulib", "-O2", "-fgpu-rdc", "-c", &source, "-o", &out];
        llvm("clang-22", &[&target[..], &rest].concat(), folder);
        if bitcode {
            return out;
        }
        let object = format!("{name}.o");
        llvm("llc", &["-mcpu=gfx1100", "-filetype=obj", "-O2", &out, "-o", &object], folder);
        object
    })
}

fn link(folder: &Path, flags: &[&str], units: &[String; 2]) {
    let inputs = [units[0].as_str(), units[1].as_str(), "-o", "linked.co"];
    llvm("ld.lld", &[&["-shared"], flags, &inputs].concat(), folder);
}

fn sqtt(folder: &Path, args: &[&str]) -> (Option<i32>, String, String) {
    let ran = Command::new(env!("CARGO_BIN_EXE_sqtt")).args(args).current_dir(folder).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (ran.status.code(), text(ran.stdout), text(ran.stderr))
}

/// Runs a kernel; with a trace where a folder is named.
fn simulated(folder: &Path, kernel: &str, trace: Option<&str>) -> (String, String) {
    let mut args = vec!["sim", "linked.co", "--kernel", kernel, "--grid", "1", "--block", "32"];
    args.extend(["--arg", "buf:u32:iota:4"]);
    args.extend(trace.into_iter().flat_map(|trace| ["--trace", trace]));
    let (code, out, err) = sqtt(folder, &args);
    assert_eq!(code, Some(0), "{err}");
    (out, err)
}

/// The markers of the only wave, as the summary says them.
fn markers(summary: &str) -> Vec<String> {
    let of_record = |line: &str| {
        let mut words = line.split_whitespace();
        words.next()?.parse::<u64>().ok()?;
        words.next()?.strip_prefix("0x")?;
        Some(words.collect::<Vec<_>>().join(" "))
    };
    summary.lines().filter_map(of_record).collect()
}

/// Links that leave one metadata note, and several.
const LINKS: [(bool, &[&str]); 3] = [
    (false, &[]),
    (true, &["-plugin-opt=mcpu=gfx1100"]),
    (true, &["-plugin-opt=mcpu=gfx1100", "--lto-partitions=8"]),
];

#[test]
fn sim_names_words_by_the_map_of_the_kernel_and_finds_the_kernels_of_all_units() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let mut notes = Vec::new();
    for (bitcode, flags) in LINKS {
        link(folder, flags, &compiled(folder, bitcode, [0, 0]));
        let text = String::from_utf8(llvm("llvm-readelf", &["-n", "linked.co"], folder)).unwrap();
        notes.push(text.matches("NT_AMDGPU_METADATA").count());
        let (out, err) = simulated(folder, "first", None);
        // The payload of 3, which the second map alone has, is none of a marker.
        let (inside, after) = (["point before_a", "point only_b", "data 0x1", "exit"], markers(&out));
        assert_eq!(after, [&["enter outer_a", "point before_a"][..], &inside].concat(), "{out}");
        assert!(err.contains("the code object holds 2 maps, and 2 ids mean different things"), "{err}");
        assert!(err.contains("SQTT_ID_SPACE=unit"), "{err}");
        let (out, _) = simulated(folder, "second", None);
        assert_eq!(
            markers(&out),
            ["enter outer_b", "point inside_b", "point only_b", "data 0x1", "exit"],
            "{out}"
        );
    }
    assert!(notes[0] > 1 && notes.contains(&1), "{notes:?}");
}

#[test]
fn all_commands_on_traces_say_that_ids_have_several_meanings() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    link(folder, &[], &compiled(folder, false, [0, 0]));
    simulated(folder, "first", Some("traced"));
    let (code, out, err) = sqtt(folder, &["check", "traced"]);
    assert_eq!((code, out.contains("not sound")), (Some(1), true), "{out} {err}");
    assert!(
        out.contains("shared_id (3)") && out.contains("SQTT_ID_SPACE=unit, the default with -fgpu-rdc"),
        "{out}"
    );
    let commands: [&[&str]; 7] = [
        &["print"],
        &["stats"],
        &["payloads"],
        &["where"],
        &["flamegraph", "-o", "flame.svg"],
        &["perfetto", "-o", "trace.json"],
        &["report", "-o", "report.html"],
    ];
    for command in commands {
        let (code, out, err) = sqtt(folder, &[command, &["traced"]].concat());
        assert_eq!(code, Some(0), "{command:?}: {err}");
        assert!(err.contains("3 markers whose id has several meanings"), "{command:?}: {out}\n{err}");
        assert!(err.contains("SQTT_ID_SPACE=unit"), "{command:?}: {err}");
    }
    // Tables cannot say it, so that a trace written anew is left without them; the code object still says it.
    let (_, _, err) = sqtt(folder, &["att", "traced", "-o", "again"]);
    assert!(err.contains("the maps of its units differ, and code.json can hold only one"), "{err}");
    let (code, _, err) = sqtt(folder, &["print", "--strict", "again", "-c", "linked.co"]);
    assert_eq!((code, err.contains("shared_id")), (Some(1), true), "{err}");
}

/// Ids of all 30 bits, each unit with its own high ones: nothing is doubtful, and nothing grows with an id.
#[test]
fn ids_with_high_bits_are_named_everywhere() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    link(folder, &[], &compiled(folder, false, [0x3FFF_FFF0, 0x2ABC_0000]));
    let (out, err) = simulated(folder, "first", Some("traced"));
    assert_eq!(err, "");
    let expected = ["enter outer_a", "point before_a", "point inside_b", "point only_b", "data 0x1", "exit"];
    assert_eq!(markers(&out), expected, "{out}");
    let (code, out, err) = sqtt(folder, &["check", "traced"]);
    assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
    let (_, table, _) = sqtt(folder, &["funcmap", "linked.co"]);
    // Columns are as wide as the ids of their map.
    let ids: Vec<&str> = table.lines().filter(|line| line.contains("outer_")).collect();
    assert_eq!(
        ids,
        ["  user  1073741809                   -  outer_a", "  user  716963841                   -  outer_b"],
        "{table}"
    );
    for command in ["print", "stats"] {
        let (_, out, err) = sqtt(folder, &[command, "traced"]);
        assert!(out.contains("outer_a") && out.contains("only_b"), "{out}");
        assert_eq!(err, "");
    }
    // The tables of code.json hold them, and are all that a reader without the code object needs.
    std::fs::remove_file(folder.join("traced/sim_gfx1100_code_object_id_1.out")).unwrap();
    let ui = folder.join("traced/ui_output_agent_1_dispatch_1");
    let json: serde_json::Value =
        serde_json::from_slice(&std::fs::read(ui.join("code.json")).unwrap()).unwrap();
    assert!(json["sqtt_funcmap"].to_string().contains("1073741809"), "{json}");
    let (_, out, err) = sqtt(folder, &["print", ui.to_str().unwrap()]);
    assert!(out.contains("outer_a") && out.contains("only_b") && err.is_empty(), "{out} {err}");
    let (_, _, err) = sqtt(folder, &["perfetto", "traced", "-o", "trace.json"]);
    assert_eq!(err, "");
    let trace = std::fs::read_to_string(folder.join("trace.json")).unwrap();
    assert!(trace.contains("outer_a") && trace.contains("1073741809"), "{trace}");
}
