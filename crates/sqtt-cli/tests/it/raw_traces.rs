//! `.att` files in the commands: what they give for the JSON of the same trace, and what they say of
//! files that are broken.

use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::command::sqtt;
use serde_json::Value;
use sqtt_decoder::generate::{Plan, code_object};
use sqtt_decoder::raw::{Encoder, Generation, LoadedObject};
use sqtt_decoder::trace::SlotId;
use sqtt_decoder::{Record, RecordFlags};

/// A stream: two waves of the kernel of code object 7 in one slot, one of them with open scopes.
fn stream(generation: Generation, se: u32) -> Vec<u8> {
    let mut encoder = Encoder::new(generation);
    encoder.loaded(0, &LoadedObject { id: 7, address: 0x7F00_0000_0000, size: 0x10000 }).unwrap();
    encoder.program(0, 0x7F00_0000_1000).unwrap();
    let slot = SlotId { se, cu: 1, simd: 2, slot: 3 };
    let data = |encoder: &mut Encoder, time: i64, value: u32| {
        encoder.data(slot, Record { time, value, flags: RecordFlags::NONE }).unwrap();
    };
    for start in [100, 1000] {
        encoder.start(start, slot).unwrap();
        let start = start as i64;
        data(&mut encoder, start + 100, 2 << 2 | 2);
        data(&mut encoder, start + 200, 5 << 2);
        data(&mut encoder, start + 200, 0xCAFE);
        // 32 LDS addresses, and EXEC before them.
        let block = [6 << 2, 0xFFFF_FFFF, 0].into_iter().chain((0..32).map(|lane| 0x400 + 4 * lane));
        block.for_each(|word| data(&mut encoder, start + 220, word));
        data(&mut encoder, start + 240, 1);
        data(&mut encoder, start + 260, 3 << 2 | 2);
        encoder.end(start as u64 + 400, slot).unwrap();
    }
    encoder.finish()
}

/// Raw files and a code object in a folder.
fn folder(generation: Generation) -> tempfile::TempDir {
    let root = tempfile::tempdir().unwrap();
    let object = root.path().join("1_gpu_code_object_id_7.out");
    std::fs::write(object, code_object(Plan::default().funcmap().as_bytes())).unwrap();
    for se in 0..2 {
        std::fs::write(root.path().join(format!("1_shader_engine_{se}_1.att")), stream(generation, se))
            .unwrap();
    }
    root
}

/// `gfx1200` is what the code object is for, so that only its traces have names.
const NAMED: Generation = Generation::Gfx12;

#[test]
fn commands_give_what_they_give_for_the_json() {
    let root = folder(NAMED);
    let here = root.path();
    let att = sqtt(here, &["att", ".", "-o", "ui"]);
    assert_eq!(att.code, 0, "{}", att.err);
    assert_eq!(att.out, "ui/ui_output_1_run_1\n");
    let json = here.join("ui/ui_output_1_run_1");
    for name in ["filenames.json", "occupancy.json", "code.json", "realtime.json", "shaderdata_1_0.json"] {
        assert!(json.join(name).exists(), "{name}");
    }
    let commands: [&[&str]; 13] = [
        &["stats", "--json"],
        &["stats", "--csv"],
        &["print", "--json"],
        &["print"],
        &["stats", "--se", "1", "--kernel", "0x1000"],
        &["check"],
        &["where", "--json"],
        &["payloads", "--csv"],
        &["memory-trace"],
        &["flamegraph", "--folded"],
        &["flamegraph", "--speedscope", "--title", "x"],
        &["perfetto", "-o", "-"],
        &["report", "--title", "x"],
    ];
    for command in commands {
        let of = |what: &[&str]| {
            let ran = sqtt(here, &[command, what, &["-c", "1_gpu_code_object_id_7.out"]].concat());
            // Only what a trace is called differs.
            let text = ran.out.replace("ui/ui_output_", "").replace("ui_output_", "");
            (text, ran.code)
        };
        let raw = of(&["1_shader_engine_0_1.att", "1_shader_engine_1_1.att"]);
        assert!(raw.0.len() > 60, "{command:?}: {raw:?}");
        let json = of(&["ui"]);
        let differs = raw.0.lines().zip(json.0.lines()).find(|(raw, json)| raw != json);
        assert!(raw == json, "{command:?}: {differs:?}");
    }
    let print = sqtt(here, &["print", "1_shader_engine_0_1.att"]);
    assert!(print.out.contains("SE0/CU1/SIMD2/W3#1  enter outer"), "{}", print.out);
    assert!(print.out.contains("point item  [0xcafe]"), "{}", print.out);
}

#[test]
fn folders_are_read_from_their_json_where_there_is_some() {
    let root = folder(NAMED);
    let here = root.path();
    let count = |args: &[&str]| {
        let ran = sqtt(here, &[&["check", "--json"], args].concat());
        let json: Value = serde_json::from_str(&ran.out).unwrap();
        (json["folders"].as_u64().unwrap(), json["waves"].as_u64().unwrap())
    };
    assert_eq!(count(&["."]), (1, 4));
    // Both runs of one folder are traces of their own.
    std::fs::write(here.join("1_shader_engine_0_2.att"), stream(NAMED, 0)).unwrap();
    assert_eq!(count(&["."]), (2, 6));
    assert_eq!(count(&["1_shader_engine_0_2.att"]), (1, 2));
    // A stream in two files.
    let whole = stream(NAMED, 0);
    std::fs::write(here.join("1_shader_engine_0_2.att"), &whole[..101]).unwrap();
    std::fs::write(here.join("1_shader_engine_0_3.att"), &whole[101..]).unwrap();
    assert_eq!(count(&["."]), (2, 6));
    let att = sqtt(here, &["att", "1_shader_engine_0_1.att", "-o", "new"]);
    assert_eq!(att.code, 0, "{}", att.err);
    std::fs::rename(here.join("new/ui_output_1_run_1"), here.join("ui_x")).unwrap();
    std::fs::remove_dir(here.join("new")).unwrap();
    // What the .att files became is beside them now.
    assert_eq!(count(&["."]), (1, 2));
    assert_eq!(count(&["1_shader_engine_0_2.att", "1_shader_engine_0_3.att"]), (1, 2));
}

#[test]
fn what_is_wrong_with_a_file_is_said() {
    let root = folder(NAMED);
    let here = root.path();
    let check = |name: &str, bytes: &[u8]| {
        std::fs::write(here.join(name), bytes).unwrap();
        let ran = sqtt(here, &["check", name]);
        (ran.code, format!("{}{}", ran.out, ran.err))
    };
    let whole = stream(Generation::Gfx11, 0);
    let cases: [(&str, &[u8], &str); 7] = [
        ("2_shader_engine_0_1.att", b"", "no wave data"),
        ("2_shader_engine_0_1.att", b"abc", "too short for a thread trace"),
        (
            "2_shader_engine_0_1.att",
            b"This is some text.",
            "neither gfx9's 8-byte header nor a HEADER token of gfx10 to gfx12",
        ),
        (
            "2_shader_engine_0_1.att",
            &(7_u64 << 13).to_le_bytes(),
            "GPU version 7; known are 4 (MI200), 5 (MI300) and 6 (MI350)",
        ),
        (
            "2_shader_engine_0_1.att",
            &(0x11_u64 | 9 << 7).to_le_bytes(),
            "version 9; known are 1 and 2 (gfx10), 3 (gfx11), 4 (gfx12) and 5 (gfx1250)",
        ),
        (
            "2_shader_engine_0_1.att",
            &whole[..200],
            "2_shader_engine_0_1.att: at byte 0xc7: the file ends inside of a token",
        ),
        ("2.att", &whole, "no shader engine's number in its name, expected …_shader_engine_<se>_<run>.att"),
    ];
    for (name, bytes, expected) in cases {
        let (code, said) = check(name, bytes);
        assert!(said.contains(expected), "{expected}: {said}");
        assert_eq!(code, 1, "{said}");
    }
    let caveat = check("3_shader_engine_0_1.att", &stream(Generation::Gfx1250, 0)).1;
    assert_eq!(
        caveat.matches("gfx1250: what INST, LDS_CONFIG and MEDIUM_TIME tokens add").count(),
        2,
        "{caveat}"
    );
    let ran = sqtt(here, &["stats", "1_gpu_code_object_id_7.out"]);
    assert!(ran.code == 1 && ran.err.contains("not a folder, and no .att file"), "{}", ran.err);
    std::fs::create_dir(here.join("empty")).unwrap();
    let ran = sqtt(here, &["stats", "empty"]);
    assert!(ran.code == 1 && ran.err.contains("or *.att"), "{}", ran.err);
}

/// 4 MB of the tokens that cost the reader the most memory, in an address space of 40 times as much and what any
/// program takes.
#[cfg(target_os = "linux")]
#[test]
fn memory_is_bounded_by_the_size_of_the_input() {
    let root = tempfile::tempdir().unwrap();
    let path = root.path().join("1_shader_engine_0_1.att");
    const SIZE: usize = 4 << 20;
    let limit = (40 * SIZE + (64 << 20)) / 1024;
    let slot = |index: u64| SlotId {
        se: 0,
        cu: (index % 8) as u16,
        simd: (index / 8 % 4) as u8,
        slot: (index / 32 % 8) as u8,
    };
    let fill = |generation: Generation, token: &dyn Fn(&mut Encoder, u64)| {
        let mut encoder = Encoder::new(generation);
        let mut index = 0;
        while encoder.bytes().len() < SIZE {
            token(&mut encoder, index);
            index += 1;
        }
        encoder.finish()
    };
    let floods = [
        fill(Generation::Gfx9, &|encoder, index| encoder.start(index * 4, slot(index)).unwrap()),
        fill(Generation::Gfx11, &|encoder, index| encoder.start(index, slot(index)).unwrap()),
        fill(Generation::Gfx9, &|encoder, _| encoder.packet_loss(0).unwrap()),
        fill(Generation::Gfx12, &|encoder, index| encoder.program(index, index << 8).unwrap()),
        fill(Generation::Gfx11, &|encoder, index| {
            let flags = RecordFlags::IMMEDIATE;
            encoder.data(slot(index), Record { time: index as i64, value: 6, flags }).unwrap();
        }),
    ];
    for (index, bytes) in floods.iter().enumerate() {
        std::fs::write(&path, bytes).unwrap();
        let ran = limited(root.path(), "stats -j 1 . >/dev/null", limit);
        // Out of memory it would abort.
        assert!(ran.contains("status 0") || ran.contains("status 1"), "{index}: {ran}");
    }
}

/// 300 MB with nothing in them between two stretches of a stream, in an address space of 64 MB: zeros are no tokens
/// that take time, so what is said of the waves is the same as without them.
#[cfg(target_os = "linux")]
#[test]
fn empty_buffers_take_no_memory() {
    const HOLE: u64 = 300 << 20;
    for generation in [Generation::Gfx9, Generation::Gfx11, Generation::Gfx12] {
        let root = folder(generation);
        let here = root.path();
        let path = here.join("1_shader_engine_0_1.att");
        let (first, second) = (stream(generation, 0), stream(generation, 0));
        // gfx9's header is none of the GPU's own.
        let header = if generation == Generation::Gfx9 { 8 } else { 0 };
        let prints = [64, HOLE].map(|hole| {
            let mut file = std::fs::File::create(&path).unwrap();
            file.write_all(&first).unwrap();
            file.seek(SeekFrom::Current(hole as i64)).unwrap();
            file.write_all(&second[header..]).unwrap();
            let length = file.stream_position().unwrap();
            file.set_len(length + hole).unwrap();
            limited(here, "print -j 1 1_shader_engine_0_1.att 2>&1", 64 << 10)
        });
        assert!(prints[0].ends_with("status 0\n"), "{generation}: {}", prints[0]);
        let last = "2800  SE0/CU1/SIMD2/W3#3  exit  closes";
        assert!(prints[0].contains(last), "{generation}: {}", prints[0]);
        assert!(prints[0] == prints[1], "{generation}: {} {}", prints[0], prints[1]);
        // Nothing but zeros.
        std::fs::File::create(&path).unwrap().set_len(HOLE).unwrap();
        let check = limited(here, "check -j 1 1_shader_engine_0_1.att 2>&1", 64 << 10);
        assert!(check.contains("no wave data") && check.ends_with("status 1\n"), "{generation}: {check}");
    }
}

/// Files that are none, and those behind a part of a stream that is missing.
#[cfg(unix)]
#[test]
fn files_that_cannot_be_read_are_left_out() {
    let root = folder(NAMED);
    let here = root.path();
    let whole = stream(NAMED, 0);
    std::fs::write(here.join("1_shader_engine_0_1.att"), &whole[..100]).unwrap();
    std::os::unix::fs::symlink("/dev/zero", here.join("1_shader_engine_0_2.att")).unwrap();
    std::fs::write(here.join("1_shader_engine_0_3.att"), &whole[100..]).unwrap();
    let ran = sqtt(here, &["check", "."]);
    let said = format!("{}{}", ran.out, ran.err);
    assert_eq!(ran.code, 1, "{said}");
    assert!(said.contains("1_shader_engine_0_2.att: no regular file"), "{said}");
    let behind = "1_shader_engine_0_3.att: it goes on where ./1_shader_engine_0_2.att could not be read";
    assert!(said.contains(behind), "{said}");
    // A stream of its own is read, whatever was before it.
    std::fs::write(here.join("1_shader_engine_0_3.att"), &whole).unwrap();
    let print = sqtt(here, &["print", "1_shader_engine_0_3.att"]);
    assert_eq!(print.out.matches("enter outer").count(), 2, "{}", print.out);
}

/// Runs `sqtt` in so many kilobytes of address space: what it says, and how it ends.
#[cfg(target_os = "linux")]
fn limited(folder: &Path, args: &str, kilobytes: usize) -> String {
    let program: PathBuf = env!("CARGO_BIN_EXE_sqtt").into();
    let line = format!("ulimit -v {kilobytes}; {} {args}; echo status $?", program.display());
    let output = std::process::Command::new("sh").args(["-c", &line]).current_dir(folder).output().unwrap();
    String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned()
}
