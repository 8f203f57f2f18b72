//! `sqtt sim`: output forms and errors.

use crate::common;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

fn sqtt(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_sqtt")).args(args).current_dir(folder).output().unwrap()
}

const GOOD: &[&str] = &[
    "sim",
    "k000.gfx1100.co",
    "--kernel",
    "kern",
    "--grid",
    "2",
    "--block",
    "128",
    "--arg",
    "buf:u32:iota:256",
    "--arg",
    "buf:u32:256",
    "--arg",
    "u32:5",
];

#[test]
#[ignore = "it reads the shared test data"]
fn json_has_the_documented_fields() {
    let folder = test_data::unpack("sim-corpus.tgz");
    let folder = folder.path().join("sim-corpus");
    let out = sqtt(&folder, &[GOOD, &["--json", "--accesses"]].concat());
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    let json: Value = serde_json::from_slice(&out.stdout).unwrap();
    let keys = |v: &Value| v.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!(keys(&json), ["buffers", "instructions", "waves"]);
    assert!(json["instructions"].as_u64().unwrap() > 100);
    assert_eq!(json["buffers"][1]["arg"], 1);
    assert_eq!(json["buffers"][1]["words"].as_array().unwrap().len(), 256);
    let waves = json["waves"].as_array().unwrap();
    assert_eq!(waves.len(), 8);
    let wave = &waves[5];
    let expected =
        ["accesses", "cu", "markers", "se", "simd", "slot", "times", "wave", "workgroup", "workgroup_slot"];
    assert_eq!(keys(wave), expected);
    assert_eq!((&wave["workgroup"], &wave["wave"]), (&serde_json::json!([1, 0, 0]), &serde_json::json!(1)));
    let (markers, times) = (wave["markers"].as_array().unwrap(), wave["times"].as_array().unwrap());
    assert!(!markers.is_empty() && markers.len() == times.len());
    assert!(times.windows(2).all(|t| t[0].as_u64() <= t[1].as_u64()));
    // [pc, kind, width, [[lane, address], …]]
    let load = wave["accesses"].as_array().unwrap().iter().find(|a| a[1] == "global load").unwrap();
    assert_eq!((load[2].as_u64(), load[3].as_array().unwrap().len()), (Some(4), 32));
    let step = load[3][1][1].as_u64().unwrap() - load[3][0][1].as_u64().unwrap();
    assert_eq!(step, 4);
    let plain = sqtt(&folder, &[GOOD, &["--json", "--threads", "1"]].concat());
    let plain: Value = serde_json::from_slice(&plain.stdout).unwrap();
    assert!(plain["waves"][0].get("accesses").is_none());
    assert_eq!(plain["waves"][0]["markers"], json["waves"][0]["markers"]);
}

#[test]
#[ignore = "it reads the shared test data"]
fn the_summary_says_that_time_is_simulated() {
    let folder = test_data::unpack("sim-corpus.tgz");
    let folder = folder.path().join("sim-corpus");
    let out = sqtt(&folder, GOOD);
    let text = String::from_utf8(out.stdout).unwrap();
    assert!(out.status.success());
    assert!(text.starts_with("kern on gfx1100, simulated: 8 waves, "), "{text}");
    assert!(
        text.contains("workgroup 1,0,0 wave 3: SE 0 CU 1 ") && text.contains("simulated cycles"),
        "{text}"
    );
    assert!(
        text.contains("enter id 61") && text.contains("exit\n") && text.contains("argument 1, 256 words"),
        "{text}"
    );
}

#[test]
#[ignore = "it reads the shared test data"]
fn a_run_is_written_as_a_trace_folder() {
    let folder = test_data::unpack("sim-corpus.tgz");
    let folder = folder.path().join("sim-corpus");
    let traced = [GOOD, &["--trace", "traced"]].concat();
    let out = sqtt(&folder, &traced);
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    // Nothing is printed that is not without it.
    assert_eq!(out.stdout, sqtt(&folder, GOOD).stdout);
    let mut names: Vec<_> = std::fs::read_dir(folder.join("traced"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(
        names,
        [
            "sim_gfx1100_code_object_id_1.out",
            "sim_shader_engine_0_1.att",
            "sim_shader_engine_1_1.att",
            "ui_output_agent_1_dispatch_1"
        ]
    );
    let object = std::fs::read(folder.join("traced/sim_gfx1100_code_object_id_1.out")).unwrap();
    assert_eq!(object, std::fs::read(folder.join("k000.gfx1100.co")).unwrap());
    let stats = |what: &[&str]| {
        let out = sqtt(&folder, &[&["stats", "--csv"], what].concat());
        assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
        String::from_utf8(out.stdout).unwrap()
    };
    let json = stats(&["traced"]);
    assert!(json.lines().count() > 2 && json.contains("kern"), "{json}");
    assert_eq!(json, stats(&["traced/sim_shader_engine_0_1.att", "traced/sim_shader_engine_1_1.att"]));
    // Nothing is overwritten, and nothing runs for it.
    let again = sqtt(&folder, &traced);
    assert_eq!(again.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&again.stderr).contains("traced: is there already"));
}

#[test]
#[ignore = "it reads the shared test data"]
fn errors_name_what_is_wrong() {
    let folder = test_data::unpack("sim-corpus.tgz");
    let folder = folder.path().join("sim-corpus");
    let with = |from: &str, to: &str| {
        GOOD.iter().map(|a| if *a == from { to.to_owned() } else { (*a).to_owned() }).collect::<Vec<_>>()
    };
    let cases = [
        (with("kern", "nope"), "no kernel `nope`; this code object has kern", 1),
        (with("u32:5", "u32:x"), "argument `u32:x`", 1),
        (with("u32:5", "u64:5"), "argument 2 is by_value of 4 bytes, 8 bytes given", 1),
        (with("buf:u32:256", "buf:u32:200"), "outside every buffer, at offset 800 of buffer argument 1", 1),
        (with("2", "0"), "`0` is not a positive number", 2),
        (with("2", "1,2,3,4"), "at most three numbers", 2),
        (with("k000.gfx1100.co", "expected.json"), "expected.json", 1),
        (
            [GOOD, &["--max-steps", "100"]].concat().iter().map(|a| (*a).to_owned()).collect(),
            "more than 100 instructions",
            1,
        ),
        (
            [GOOD, &["--json", "--accesses", "--max-records", "9"]]
                .concat()
                .iter()
                .map(|a| (*a).to_owned())
                .collect(),
            "recorded more than --max-records 9",
            1,
        ),
        (
            [GOOD, &["--target", "gfx90a"]].concat().iter().map(|a| (*a).to_owned()).collect(),
            "no code object for gfx90a, only for gfx1100",
            1,
        ),
    ];
    for (args, text, status) in cases {
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let out = sqtt(&folder, &args);
        let error = String::from_utf8_lossy(&out.stderr);
        assert_eq!(out.status.code(), Some(status), "{args:?}: {error}");
        assert!(error.contains(text), "{args:?}: {error}");
    }
    let missing = Command::new(env!("CARGO_BIN_EXE_sqtt"))
        .args(GOOD)
        .current_dir(&folder)
        .env("LLVM_OBJDUMP", "/nonexistent/objdump")
        .output()
        .unwrap();
    let error = String::from_utf8_lossy(&missing.stderr);
    assert_eq!(missing.status.code(), Some(1));
    assert!(
        error.contains("no usable llvm-objdump: /nonexistent/objdump") && error.contains("LLVM_OBJDUMP"),
        "{error}"
    );
}

/// A linked program and a library whose `.hip_fatbin` clang made: `--target` picks the code object.
#[test]
fn host_programs_and_libraries_run() {
    let folder = tempfile::tempdir().unwrap();
    let targets = ["--offload-arch=gfx90a", "--offload-arch=gfx1100"];
    common::host_object(folder.path(), "one", &targets, None);
    common::host_object(folder.path(), "two", &targets, None);
    common::host_program(folder.path(), "program", &["one", "two"]);
    common::host_library(folder.path(), "library.so", &["one"]);
    for (file, kernel) in
        [("program", "work_one(int*)"), ("program", "_Z8work_twoPi"), ("library.so", "work_one")]
    {
        for target in ["gfx90a", "gfx1100"] {
            let args = ["sim", file, "--target", target, "--kernel", kernel, "--grid", "1", "--block", "64"];
            let out = sqtt(folder.path(), &[&args[..], &["--arg", "buf:u32:4", "--json"]].concat());
            assert!(out.status.success(), "{args:?}: {}", String::from_utf8_lossy(&out.stderr));
            let json: Value = serde_json::from_slice(&out.stdout).unwrap();
            assert_eq!(json["buffers"][0]["words"], serde_json::json!([1, 0, 0, 0]), "{args:?}");
            assert_eq!(json["waves"].as_array().unwrap().len(), if target == "gfx90a" { 1 } else { 2 });
        }
    }
}

#[test]
#[ignore = "it reads the shared test data"]
fn coverage_needs_no_launch() {
    let folder = test_data::unpack("sim-corpus.tgz");
    let folder = folder.path().join("sim-corpus");
    let out = sqtt(&folder, &["sim", "k000.gfx1100.co", "--coverage"]);
    let text = String::from_utf8_lossy(&out.stdout);
    assert!(out.status.success() && text.contains(" instructions for gfx1100\n"), "{out:?}");
    assert!(text.lines().any(|line| line.ends_with("  kern")), "{text}");
    let out = sqtt(&folder, &["sim", "k000.gfx1100.co", "--coverage", "--kernel", "kern", "--json"]);
    let json: Value = serde_json::from_slice(&out.stdout).unwrap();
    assert_eq!(json["functions"].as_array().unwrap().len(), 1);
    assert_eq!(json["functions"][0]["refused"], 0);
    assert!(json["functions"][0]["exact"].as_u64().unwrap() > 50);
    let out = sqtt(&folder, &["sim", "k000.gfx1100.co", "--coverage", "--grid", "1"]);
    assert_eq!(out.status.code(), Some(2));
    let out = sqtt(&folder, &["sim", "k000.gfx1100.co", "--kernel", "kern"]);
    assert_eq!(out.status.code(), Some(2));
}
