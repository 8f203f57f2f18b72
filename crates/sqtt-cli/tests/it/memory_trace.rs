//! `sqtt memory-trace` on trace folders.

use std::path::Path;

use crate::command::{golden, sqtt, sqtt_into_broken_pipe};
use crate::traces::Trace;
use serde_json::{Value, json};
use sqtt_decoder::generate::{GFX1200, Plan, Writer, write};
use sqtt_format::{AddressKind, ConfigRecord, WaveSize};

/// ELF flags of other GPUs.
const GFX942: u32 = 0x4C;
const GFX1100: u32 = 0x41;
const GFX1250: u32 = 0x49;

fn operations(root: &Path, args: &[&str]) -> Vec<Value> {
    let ran = sqtt(root, &[&["memory-trace"], args].concat());
    assert_eq!(ran.code, 0, "{}", ran.err);
    serde_json::from_str(&ran.out).unwrap()
}

fn lines(root: &Path, args: &[&str]) -> Vec<Value> {
    let ran = sqtt(root, &[&["memory-trace", "--summary", "--json"], args].concat());
    assert_eq!(ran.code, 0, "{}", ran.err);
    let value: Value = serde_json::from_str(&ran.out).unwrap();
    value["lines"].as_array().unwrap().clone()
}

/// A wave of 32 or 64 lanes whose marker 6 is of that kind.
fn one_operation(kind: AddressKind, wave: WaveSize, e_flags: u32, gfxip: u32, bytes: Option<u32>) -> Trace {
    let mut trace = Trace::new();
    trace.gfxip = gfxip;
    let count = kind.payload_count(wave);
    let map = format!("K:kernel\nP:6:{}@k.hip:5\nR:6:extra_payload_count={count}\n", kind.name());
    let mut config = ConfigRecord::new("1", "22");
    config.set_access_bytes(6, bytes.unwrap_or_default());
    trace.object_for(e_flags, &map, bytes.map(|_| &config));
    trace.launch(100, 1);
    trace.retire(1_000_000);
    trace
}

#[test]
#[ignore = "it reads the shared test data"]
fn the_example() {
    let data = test_data::find("ui-example");
    let root = data.parent().unwrap();
    golden("memory-trace/example.json", &sqtt(root, &["memory-trace", "ui-example"]).out);
    golden(
        "memory-trace/example-summary.txt",
        &sqtt(root, &["memory-trace", "--summary", "--demangle", "ui-example"]).out,
    );
    let svg = sqtt(root, &["memory-trace", "--heatmap", "ui-example"]).out;
    assert_eq!(roxmltree::Document::parse(&svg).unwrap().root_element().tag_name().name(), "svg");
    golden("memory-trace/example.svg", &svg);
}

#[test]
fn a_generated_trace() {
    let root = tempfile::tempdir().unwrap();
    let plan = Plan { records: 4000, engines: 1, cus: 1, simds: 2, slots: 1, ..Plan::default() };
    write(&root.path().join("trace"), &plan).unwrap();
    let summary = ["memory-trace", "--summary", "--worst", "2"];
    golden(
        "memory-trace/generated-summary.txt",
        &sqtt(root.path(), &[&summary[..], &["trace"]].concat()).out,
    );
    golden(
        "memory-trace/generated-summary.json",
        &sqtt(root.path(), &[&summary[..], &["--json", "--demangle", "trace"]].concat()).out,
    );
    let svg = sqtt(root.path(), &["memory-trace", "--heatmap", "trace"]).out;
    roxmltree::Document::parse(&svg).unwrap();
    golden("memory-trace/generated.svg", &svg);

    // The summary says of all operations together what the list says of each.
    let list = operations(root.path(), &["trace"]);
    let lines = lines(root.path(), &["trace"]);
    for line in &lines {
        let own: Vec<&Value> = list.iter().filter(|operation| operation["kind"] == line["kind"]).collect();
        assert!(own.len() > 3);
        assert_eq!(line["operations"], own.len());
        let lanes: u64 = own.iter().map(|operation| operation["active_lanes"].as_u64().unwrap()).sum();
        assert_eq!(line["active_lanes"]["sum"], lanes);
        assert_eq!(line["requested_bytes"], lanes * 4);
        let addresses = own.iter().flat_map(|operation| operation["addresses"].as_array().unwrap());
        let first = addresses.map(|address| {
            u64::from_str_radix(address.as_str().unwrap().strip_prefix("0x").unwrap(), 16).unwrap()
        });
        assert_eq!(line["address_range"][0], format!("{:#x}", first.min().unwrap()));
    }
    for threads in ["1", "7"] {
        assert_eq!(self::lines(root.path(), &["-j", threads, "trace"]), lines);
    }
}

#[test]
fn what_att_writes_says_the_same() {
    let root = tempfile::tempdir().unwrap();
    let plan = Plan { records: 4000, writer: Writer::AttTool, cus: 1, slots: 1, ..Plan::default() };
    write(&root.path().join("trace"), &plan).unwrap();
    assert_eq!(sqtt(root.path(), &["att", "trace", "-o", "out"]).code, 0);
    let strip = |mut lines: Vec<Value>| {
        for line in &mut lines {
            for worst in line["worst"].as_array_mut().unwrap() {
                worst["folder"] = Value::Null;
            }
        }
        lines
    };
    let before = strip(lines(root.path(), &["trace"]));
    assert_eq!(before[0]["access_bytes"], 4);
    assert_eq!(strip(lines(root.path(), &["out"])), before);
}

#[test]
#[ignore = "it reads the shared test data"]
fn public_vectors() {
    let path = test_data::find("vectors/address_blocks.json");
    let vectors: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    for case in vectors["cases"].as_array().unwrap() {
        let kind = AddressKind::from_name(case["name"].as_str().unwrap().as_bytes()).unwrap();
        let mut trace = one_operation(kind, WaveSize::Wave32, GFX1200, 12, None);
        let words = case["values"].as_array().unwrap().iter().map(|word| word.as_u64().unwrap() as u32);
        trace.words(&[24].into_iter().chain(words).collect::<Vec<_>>());
        trace.write();
        let operations = operations(trace.root.path(), &["."]);
        let digits = if case["name"] == "addr_trace_lds_load" { 10 } else { 18 };
        let addresses: Vec<String> = case["addresses"]
            .as_array()
            .unwrap()
            .iter()
            .map(|address| format!("{:#0digits$x}", address.as_u64().unwrap()))
            .collect();
        assert_eq!(operations[0]["addresses"], json!(addresses), "{}", case["name"]);
        assert_eq!(operations[0]["active_lanes"], 2);
    }
}

/// A structured buffer with all lanes: stride 48, soffset 8, vindex 3 · lane, voffset 4 · lane.
fn structured(e_flags: u32, gfxip: u32, high: u32) -> Value {
    let mut trace = one_operation(AddressKind::StructBufferLoad, WaveSize::Wave64, e_flags, gfxip, Some(4));
    let lanes = 0..64;
    let head = [24, 0b1001, 1 << 31, 0x1000, 0x8000 | 48 << 16 | high, 8];
    let words = head.into_iter().chain(lanes.clone().map(|lane| 4 * lane)).chain(lanes.map(|lane| 3 * lane));
    trace.words(&words.collect::<Vec<_>>());
    trace.write();
    let mut operations = operations(trace.root.path(), &["."]);
    assert_eq!(operations.len(), 1);
    let summary = &lines(trace.root.path(), &["."])[0];
    let has_address = operations[0]["no_address"].is_null();
    assert_eq!(summary["without_address"], u64::from(!has_address));
    assert_eq!(summary["lines"].is_null(), !has_address);
    assert_eq!(summary["active_lanes"]["sum"], 3);
    operations.remove(0)
}

#[test]
fn structured_buffers_by_target() {
    for (e_flags, gfxip) in [(GFX942, 9), (GFX1100, 11), (GFX1200, 12)] {
        let operation = structured(e_flags, gfxip, 0);
        assert_eq!(operation["lanes"], json!([0, 3, 63]));
        let address = |lane: u64| format!("{:#018x}", 0x8000_0000_1000 + 8 + 3 * lane * 48 + 4 * lane);
        assert_eq!(operation["addresses"], json!([address(0), address(3), address(63)]));
        assert_eq!(operation["exec_mask"], "0x8000000000000009");
        let buffer = &operation["buffer"];
        assert_eq!(buffer["vindex"], json!([0, 9, 189]));
        assert_eq!(buffer["voffset"], json!([0, 12, 252]));
        assert_eq!((&buffer["stride"], &buffer["soffset"]), (&json!(48), &json!(8)));
        assert_eq!(buffer["base"], "0x0000800000001000");
    }
    // Bit 30 swizzles the cache on gfx9, and addresses on gfx11 and gfx12.
    assert_eq!(structured(GFX942, 9, 1 << 30)["no_address"], Value::Null);
    for (e_flags, gfxip, high, why) in [
        (GFX942, 9, 1 << 31, "swizzled"),
        (GFX1100, 11, 1 << 30, "swizzled"),
        (GFX1200, 12, 1 << 31, "swizzled"),
        (GFX1250, 12, 0, "unknown_layout"),
    ] {
        let operation = structured(e_flags, gfxip, high);
        assert_eq!(operation["no_address"], why, "{e_flags:#x}");
        assert_eq!(operation["addresses"], Value::Null);
        assert_eq!(operation["lanes"], json!([0, 3, 63]));
        assert_eq!(operation["buffer"]["vindex"], json!([0, 9, 189]));
    }
}

#[test]
fn a_folder_that_only_says_12_is_not_enough_for_structures() {
    for (gfxip, known) in [(9, true), (10, true), (11, true), (12, false), (13, false)] {
        let mut trace = Trace::new();
        trace.gfxip = gfxip;
        trace.code = json!({
            "code": null,
            "sqtt_funcmap": [[7, 0, "K", "kernel", "", 0], [7, 6, "P", "addr_trace_struct_buffer_load", "", 0]],
            "sqtt_funcmap_payloads": [[7, 6, 69]],
        });
        trace.launch(100, 1);
        trace.retire(10_000);
        let words = [24, 1, 0, 0x1000, 16 << 16, 0].into_iter().chain(0..32).chain(0..32);
        trace.words(&words.collect::<Vec<_>>());
        trace.write();
        let operation = &operations(trace.root.path(), &["."])[0];
        assert_eq!(operation["no_address"].is_null(), known, "{gfxip}");
        assert_eq!(operation["buffer"]["stride"].is_null(), !known, "{gfxip}");
    }
}

#[test]
fn patterns_with_known_costs() {
    let summary = |kind, bytes, address: &dyn Fn(u64) -> u64, args: &[&str]| {
        let mut trace = one_operation(kind, WaveSize::Wave32, GFX1200, 12, Some(bytes));
        let wide = !kind.name().contains("lds");
        let lanes = (0..32).map(address).flat_map(|address| {
            let halves = [address as u32, (address >> 32) as u32];
            halves.into_iter().take(if wide { 2 } else { 1 })
        });
        trace.words(&[24, u32::MAX, 0].into_iter().chain(lanes).collect::<Vec<_>>());
        trace.write();
        lines(trace.root.path(), &[args, &["."]].concat()).remove(0)
    };
    let base = 0x7F00_0000_0000;
    let unit = summary(AddressKind::Load, 4, &|lane| base + lane * 4, &[]);
    assert_eq!(unit["lines"], json!({"touched": 1, "minimum": 1}));
    assert_eq!(unit["sectors"], json!({"touched": 2, "minimum": 2}));
    assert_eq!(unit["efficiency"], 1.0);
    assert_eq!(unit["strides"]["common"], json!([[4, 1]]));
    assert_eq!(unit["worst"], json!([]));
    let column = summary(AddressKind::Store, 8, &|lane| base + lane * 4096, &[]);
    assert_eq!(column["lines"], json!({"touched": 32, "minimum": 2}));
    assert_eq!(column["efficiency"], 0.125);
    assert_eq!(column["worst"][0]["excess"], 30);
    assert_eq!(column["worst"][0]["first_address"], format!("{base:#x}"));
    let same = summary(AddressKind::Load, 4, &|_| base, &[]);
    assert_eq!((&same["requested_bytes"], &same["distinct_bytes"]), (&json!(128), &json!(4)));
    assert_eq!(same["efficiency"], 0.0625);
    let short = summary(
        AddressKind::Load,
        4,
        &|lane| base + lane * 4,
        &["--line-bytes", "32", "--sector-bytes", "16"],
    );
    assert_eq!(short["lines"]["touched"], 4);
    assert_eq!(short["hardware"]["sector_bytes"], 16);
    let banks = summary(AddressKind::LdsLoad, 4, &|lane| lane * 128, &[]);
    let cycles = |row: &Value| {
        let banks = &row["lds_banks"];
        (banks["cycles"].clone(), banks["minimum"].clone(), banks["conflicted_operations"].clone())
    };
    assert_eq!(cycles(&banks), (json!(32), json!(1), json!(1)));
    assert_eq!((&banks["lines"], &banks["efficiency"]), (&Value::Null, &Value::Null));
    let fewer = summary(AddressKind::LdsStore, 4, &|lane| lane * 4, &["--lds-banks", "16"]);
    assert_eq!(cycles(&fewer), (json!(2), json!(2), json!(0)));
    assert_eq!((&fewer["hardware"]["lds_banks"], &unit["hardware"]["lds_banks"]), (&json!(16), &Value::Null));
}

#[test]
fn without_a_width_only_what_needs_none() {
    let mut trace = one_operation(AddressKind::Load, WaveSize::Wave32, GFX1200, 12, None);
    let lanes = (0..32).flat_map(|lane| [lane * 256, 1]);
    trace.words(&[24, 0xFFFF, 0].into_iter().chain(lanes).collect::<Vec<_>>());
    trace.write();
    let line = &lines(trace.root.path(), &["."])[0];
    for unknown in ["access_bytes", "requested_bytes", "distinct_bytes", "lines", "sectors", "efficiency"] {
        assert_eq!(line[unknown], Value::Null, "{unknown}");
    }
    assert_eq!(line["active_lanes"], json!({"min": 16, "max": 16, "sum": 16, "possible": 32}));
    assert_eq!(line["strides"]["common"], json!([[256, 1]]));
    let text = sqtt(trace.root.path(), &["memory-trace", "--summary", "."]).out;
    assert!(text.contains("width not known") && text.contains(".sqtt_config"), "{text}");
    // A width that no instruction has is none.
    let mut trace = one_operation(AddressKind::LdsLoad, WaveSize::Wave32, GFX1200, 12, Some(u32::MAX));
    trace.words(&[24, 0xFFFF, 0].into_iter().chain(0..32).collect::<Vec<_>>());
    trace.write();
    assert_eq!(lines(trace.root.path(), &["."])[0]["access_bytes"], Value::Null);
}

#[test]
fn nothing_traced_and_nothing_there() {
    let mut trace = Trace::of_one_wave("U:1:a\n");
    trace.words(&[6, 1]);
    trace.write();
    let root = trace.root.path();
    assert_eq!(sqtt(root, &["memory-trace", "."]).out, "[\n]\n");
    assert_eq!(sqtt(root, &["memory-trace", "--summary", "."]).out, "no traced memory operations\n");
    assert_eq!(lines(root, &["."]).len(), 0);
    let svg = sqtt(root, &["memory-trace", "--heatmap", "."]).out;
    assert!(svg.contains("no traced memory operations"));
    roxmltree::Document::parse(&svg).unwrap();
    let ran = sqtt(root, &["memory-trace", "--line-bytes", "100", "."]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("no power of two"), "{}", ran.err);
    for form in
        [&["memory-trace"][..], &["memory-trace", "--summary"], &["memory-trace", "--heatmap"], &["payloads"]]
    {
        assert_eq!(sqtt(root, &[form, &["nowhere", "-o", "file"]].concat()).code, 1);
        assert!(!root.join("file").exists());
    }
}

#[test]
fn hostile_names_and_no_active_lanes() {
    let mut trace = one_operation(AddressKind::LdsStore, WaveSize::Wave32, GFX1200, 12, Some(4));
    let kernel = "k\"<&>\u{1b}[31m]]>";
    trace.names = json!({"1": kernel});
    let map = format!("K:{kernel}\nP:6:addr_trace_lds_store@<a>&\"b\".hip:1\nR:6:extra_payload_count=34\n");
    trace.object_for(GFX1200, &map, None);
    trace.words(&[24, 0, 0].into_iter().chain(0..32).collect::<Vec<_>>());
    trace.words(&[24, 1, 0].into_iter().chain(0..32).collect::<Vec<_>>());
    trace.write();
    let odd = trace.root.path().join("a<b>&'\"");
    std::fs::create_dir(&odd).unwrap();
    for entry in ["ui_output_agent_1_dispatch_1", "1_gfx_code_object_id_7.out"] {
        std::fs::rename(trace.root.path().join(entry), odd.join(entry)).unwrap();
    }
    let operations = operations(trace.root.path(), &["."]);
    assert_eq!(operations[0]["addresses"], json!([]));
    assert_eq!(operations[0]["kernel"], kernel);
    assert_eq!(operations[1]["source"], "<a>&\"b\".hip:1");
    let text = sqtt(trace.root.path(), &["memory-trace", "--summary", "."]).out;
    assert!(text.contains("k\"<&>\\u{1b}[31m]]>") && !text.contains('\u{1b}'), "{text}");
    let svg = sqtt(trace.root.path(), &["memory-trace", "--heatmap", "."]).out;
    assert!(roxmltree::Document::parse(&svg).is_ok_and(|svg| svg.descendants().count() > 5), "{svg}");
}

#[test]
fn a_closed_pipe_is_no_error() {
    let root = tempfile::tempdir().unwrap();
    write(&root.path().join("trace"), &Plan { records: 40_000, ..Plan::default() }).unwrap();
    assert_eq!(sqtt_into_broken_pipe(root.path(), &["memory-trace", "trace"]), (0, String::new()));
    assert_eq!(
        sqtt_into_broken_pipe(root.path(), &["memory-trace", "--heatmap", "trace"]),
        (0, String::new())
    );
}
