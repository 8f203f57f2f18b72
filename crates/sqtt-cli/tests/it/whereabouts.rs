//! `sqtt where` on kernels that hang or fault in the simulator: HIP, compiled with the plugin, run until they stop.

use std::path::Path;

use crate::command::{Ran, sqtt};
use commands::Llvm;
use serde_json::{Value, json};

/// Targets, and the work-items of four waves.
const TARGETS: [(&str, &str); 3] = [("gfx942", "256"), ("gfx1100", "128"), ("gfx1201", "128")];

/// A folder with `whereabouts.hip` compiled as `hangs.co`, every wave and every barrier recorded.
fn compiled(target: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let source = commands::root().join("crates/sqtt-cli/tests/it/whereabouts.hip");
    let mut clang = commands::device_compile(&source, target, &folder.path().join("hangs.co"));
    clang.env("SQTT_INSTRUMENT_BARRIERS", "1").env("SQTT_SCOPE_CU", "-1");
    commands::capture(clang.args(["-DSQTT_ENABLED=1", &Llvm::V22.load_plugin()])).unwrap();
    folder
}

/// Runs a kernel until it stops; its trace is in `traced`.
fn stop(folder: &Path, kernel: &str, block: &str, arg: &str) -> Ran {
    let sim = ["sim", "hangs.co", "--kernel", kernel, "--grid", "4", "--block", block, "--arg", arg];
    let ran = sqtt(folder, &[&sim[..], &["--max-steps", "20000", "--trace", "traced"]].concat());
    assert_eq!((ran.code, ran.out.as_str()), (1, ""), "{}", ran.err);
    assert!(ran.err.ends_with("; traced has the trace up to there, see sqtt where\n"), "{}", ran.err);
    ran
}

/// The answer for one trace, as text and as JSON.
fn answer(folder: &Path, traces: &[&str]) -> (String, Value) {
    let text = sqtt(folder, &[&["where"], traces].concat());
    let json = sqtt(folder, &[&["where", "--json"], traces].concat());
    assert_eq!((text.code, text.err.as_str(), json.code), (0, "", 0), "{}", json.err);
    let json: Value = serde_json::from_str(&json.out).unwrap();
    assert_eq!((&json["unit"], json["traces"].as_array().unwrap().len()), (&json!("cycles"), 1));
    (text.out, json["traces"][0].clone())
}

/// The common part of two readings of one trace.
fn without_places(mut answer: Value) -> Value {
    answer["folder"] = Value::Null;
    answer
}

const RAW: [&str; 2] = ["traced/sim_shader_engine_0_1.att", "traced/sim_shader_engine_1_1.att"];

/// Changes every row of `occupancy.json`.
fn change_rows(folder: &Path, change: impl Fn(&mut Vec<Value>)) {
    let path = folder.join("traced/ui_output_agent_1_dispatch_1/occupancy.json");
    let mut occupancy: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
    for se in ["0", "1"] {
        for row in occupancy[se].as_array_mut().unwrap() {
            change(row.as_array_mut().unwrap());
        }
    }
    std::fs::write(path, occupancy.to_string()).unwrap();
}

#[test]
fn a_wave_that_skipped_a_barrier_and_ended_is_counted_and_holds_nobody_up() {
    for (target, block) in TARGETS {
        let folder = compiled(target);
        let folder = folder.path();
        let ran = stop(folder, "skips", block, "buf:u32:256");
        assert!(ran.err.contains("workgroup 2,0,0, wave 0") && ran.err.contains("barrier never completes"));
        let hardware = ["--block", block, "--arg", "buf:u32:256", "--ended-waves-pass-barriers"];
        let as_hardware = ["sim", "hangs.co", "--kernel", "skips", "--grid", "4"];
        let ran = sqtt(folder, &[&as_hardware[..], &hardware].concat());
        assert_eq!((ran.code, ran.err.as_str()), (0, ""));
        let (text, json) = answer(folder, &["traced"]);
        let unit = if target == "gfx942" { "CU" } else { "WGP" };
        let line = format!(
            "  SE0 {unit}2, workgroup 2, skips: 3 waves at their 5th barrier in `outer`, none behind; ended: 1 after its 4th\n"
        );
        assert!(text.contains(&line), "{target}: {text}");
        assert_eq!((&json["alive"], &json["ended"]), (&json!(3), &json!(9)));
        let barrier = &json["barriers"][0];
        assert_eq!(barrier["verdict"], "level");
        assert_eq!(barrier["ended"], json!([{"barriers": 4, "waves": 1}]));
        assert_eq!(
            (&barrier["at"][0]["barriers"], &barrier["at"][0]["is_waiting"]),
            (&json!(5), &json!(true))
        );
        // Streams say workgroups on gfx12 alone.
        let (text, raw) = answer(folder, &RAW);
        if target == "gfx1201" {
            assert_eq!(without_places(raw), without_places(json));
        } else {
            assert_eq!(
                (&raw["barriers"][0]["workgroup"], &raw["barriers"][0]["ended"]),
                (&Value::Null, &json!([]))
            );
            assert_eq!(raw["groups"], json["groups"]);
            let line =
                format!("  SE0 {unit}2, skips: 3 waves at their 5th barrier in `outer`, none behind\n");
            assert!(text.contains(&line), "{target}: {text}");
        }
    }
}

#[test]
fn waves_wait_for_one_that_is_alive_and_came_to_fewer_barriers() {
    for (target, block) in TARGETS {
        let folder = compiled(target);
        let folder = folder.path();
        let ran = stop(folder, "spins", block, "buf:u32:4");
        assert!(
            ran.err.contains("workgroup 2,0,0, wave 3") && ran.err.contains("more than 20000 instructions")
        );
        let (text, json) = answer(folder, &["traced"]);
        let unit = if target == "gfx942" { "CU" } else { "WGP" };
        let counts = "spins: 3 waves at their 2nd barrier in `outer > work`, 1 at its 1st\n";
        assert!(
            text.contains(&format!("\nat barriers, per workgroup\n  SE0 {unit}2, workgroup 2, {counts}")),
            "{text}"
        );
        assert_eq!((&json["alive"], &json["ended"]), (&json!(4), &json!(8)));
        let barrier = &json["barriers"][0];
        assert_eq!((&barrier["verdict"], &barrier["workgroup"]), (&json!("waits"), &json!(2)));
        assert_eq!(json["barriers"].as_array().unwrap().len(), 1);
        let behind = &barrier["at"][1];
        assert_eq!(
            (&behind["barriers"], &behind["waves"], &behind["stack"]),
            (&json!(1), &json!(1), &json!(["outer", "spin"]))
        );
        assert_eq!(behind["marker"], json!({"event": "enter", "name": "spin", "source_loc": null}));
        // The loop went on, which gfx9's streams do not say.
        if target != "gfx942" {
            assert!(behind["ago"]["least"].as_i64().unwrap() > 50_000, "{behind}");
        }
        let (_, raw) = answer(folder, &RAW);
        let expected = if target == "gfx1201" { json!(2) } else { Value::Null };
        assert_eq!(raw["barriers"][0]["workgroup"], expected);
        // JSON without a valid workgroup: six columns, or is_ext 0.
        let per_unit = format!(
            "\nat barriers, per {unit} and kernel: the trace does not say workgroups\n  SE0 {unit}2, {counts}"
        );
        for columns in [11, 6] {
            change_rows(folder, |row| {
                row.truncate(columns);
                row.iter_mut().skip(8).take(1).for_each(|is_ext| *is_ext = json!(0));
            });
            let (text, json) = answer(folder, &["traced"]);
            assert!(text.contains(&per_unit), "{columns}: {text}");
            assert!(
                text.contains("\nnote: the trace does not say which workgroup every wave is of"),
                "{text}"
            );
            let barrier = &json["barriers"][0];
            assert_eq!((&barrier["verdict"], &barrier["workgroup"]), (&json!("may_wait"), &Value::Null));
            if target != "gfx1201" {
                assert_eq!(without_places(json), without_places(raw.clone()));
            }
        }
    }
}

#[test]
fn a_fault_leaves_waves_where_they_were() {
    for (target, block) in TARGETS {
        let folder = compiled(target);
        let folder = folder.path();
        let ran = stop(folder, "faults", block, "null");
        assert!(
            ran.err.contains("workgroup 0,0,0") && ran.err.contains("outside every buffer"),
            "{}",
            ran.err
        );
        let (text, json) = answer(folder, &["traced"]);
        assert!(
            text.contains(
                "4 waves are alive at the end of the trace, 0 ended\n\nkernel faults\n     4  outer > write\n"
            ),
            "{text}"
        );
        let group = &json["groups"][0];
        assert_eq!((&group["stack"], &group["waves"]), (&json!(["outer", "write"]), &json!(4)));
        assert_eq!(group["last"][0]["marker"]["name"], "write");
        assert_eq!((&json["barriers"], json["notes"].as_array().unwrap().len()), (&json!([]), 1));
        assert!(
            text.contains(
                "note: no living wave recorded a barrier; compiled with SQTT_INSTRUMENT_BARRIERS=1"
            )
        );
        let none = sqtt(folder, &["where", "--kernel", "spins", "traced"]);
        assert!(
            none.code == 0 && none.out.contains(": 0 waves are alive at the end of the trace, 0 ended\n")
        );
        assert!(none.err.contains("no wave is what the filter asks for"), "{}", none.err);
        assert_eq!(without_places(answer(folder, &RAW).1), without_places(json));
    }
}

#[test]
fn a_kernel_that_comes_to_its_end_leaves_nothing_alive() {
    let folder = compiled("gfx1100");
    let sim = ["sim", "hangs.co", "--kernel", "spins", "--grid", "2", "--block", "128", "--arg", "buf:u32:4"];
    assert_eq!(sqtt(folder.path(), &[&sim[..], &["--trace", "traced"]].concat()).code, 0);
    let (text, json) = answer(folder.path(), &["traced"]);
    assert_eq!(
        text,
        "traced/ui_output_agent_1_dispatch_1: 0 waves are alive at the end of the trace, 8 ended\n"
    );
    assert_eq!((&json["groups"], &json["barriers"], &json["notes"]), (&json!([]), &json!([]), &json!([])));
}
