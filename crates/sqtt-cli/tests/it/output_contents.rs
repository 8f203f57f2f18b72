//! Statements of files about their trace: what it lost, which functions were inlined, and nothing that a
//! spreadsheet runs.

use crate::common;
use std::fs;
use std::path::Path;

use crate::command::sqtt;
use crate::traces::Trace;
use serde_json::{Value, json};

/// A scope, a point with a word, a traced operation, and an exit of nothing.
fn lossy() -> Trace {
    let mut trace = Trace::of_one_wave(
        "U:1:outer\nP:2:item\nR:2:extra_payload_count=1\nP:3:addr_trace_lds_load\nR:3:extra_payload_count=34\n",
    );
    let block = [12, 0xFFFF_FFFF, 0].into_iter().chain((0..32).map(|lane| 4 * lane));
    let words: Vec<u32> = [6, 8, 77].into_iter().chain(block).chain([1, 1]).collect();
    trace.words(&words);
    trace.write();
    trace
}

const LOST: &str = "lost: 1 unmatched exits";

/// A scope and a point with a word.
fn sound() -> Trace {
    let mut trace = Trace::of_one_wave("U:1:outer\nP:2:item\nR:2:extra_payload_count=1\n");
    trace.words(&[6, 8, 77, 1]);
    trace.write();
    trace
}

fn written(trace: &Trace, args: &[&str]) -> String {
    let ran = sqtt(trace.root.path(), &[args, &["-o", "out.json", "."]].concat());
    assert_eq!(ran.code, 0, "{args:?}: {}", ran.err);
    fs::read_to_string(trace.root.path().join("out.json")).unwrap()
}

/// The forms that files of every command have.
const FORMS: [&[&str]; 21] = [
    &["where"],
    &["where", "--json"],
    &["print"],
    &["print", "--json"],
    &["stats"],
    &["stats", "--json"],
    &["stats", "--csv"],
    &["payloads"],
    &["payloads", "--json"],
    &["payloads", "--csv"],
    &["payloads", "--histogram"],
    &["payloads", "--histogram", "--json"],
    &["payloads", "--histogram", "--csv"],
    &["memory-trace"],
    &["memory-trace", "--summary"],
    &["memory-trace", "--summary", "--json"],
    &["memory-trace", "--heatmap"],
    &["flamegraph"],
    &["flamegraph", "--folded"],
    &["flamegraph", "--speedscope"],
    &["perfetto"],
];

#[test]
fn every_file_says_what_was_lost() {
    let (lossy, sound) = (lossy(), sound());
    for form in FORMS {
        let text = written(&lossy, form);
        assert!(text.contains(LOST) || text.contains("\"unmatched_exit\""), "{form:?}: {text}");
        let text = written(&sound, form);
        assert!(!text.contains("lost: ") && !text.contains("unmatched"), "{form:?}: {text}");
    }
}

#[test]
fn readers_of_every_form_still_read_it() {
    let trace = lossy();
    let json = |args: &[&str]| serde_json::from_str::<Value>(&written(&trace, args)).unwrap();
    let operations = json(&["memory-trace"]);
    let operations = operations.as_array().unwrap();
    assert_eq!((operations.len(), &operations[0]["kind"]), (2, &json!("lds_load")));
    assert_eq!((&operations[1]["kind"], &operations[1]["summary"]), (&json!("losses"), &json!(LOST)));
    assert_eq!(operations[1]["losses"]["unmatched_exit"]["count"], 1);
    let lines = written(&trace, &["print", "--json"]);
    let last: Value = serde_json::from_str(lines.lines().last().unwrap()).unwrap();
    assert_eq!((&last["event"], &last["summary"]), (&json!("losses"), &json!(LOST)));
    let scope = json(&["flamegraph", "--speedscope", "--title", "t"]);
    assert_eq!(scope["profiles"][0]["name"], format!("kernel ({LOST})"));
    assert_eq!(scope["name"], "t");
    let folded = written(&trace, &["flamegraph", "--folded"]);
    assert!(folded.ends_with(&format!("\n# {LOST}\n")), "{folded}");
    for form in [&["flamegraph"][..], &["flamegraph", "--icicle"], &["memory-trace", "--heatmap"]] {
        let svg = written(&trace, form);
        let options = roxmltree::ParsingOptions { allow_dtd: true, ..roxmltree::ParsingOptions::default() };
        let document = roxmltree::Document::parse_with_options(&svg, options).unwrap();
        let text = |node: roxmltree::Node<'_, '_>| {
            node.descendants()
                .filter(roxmltree::Node::is_text)
                .filter_map(|node| node.text())
                .collect::<Vec<_>>()
                .join("")
        };
        let all = |name: &str| {
            let named = document.descendants().filter(|node| node.tag_name().name() == name);
            named.map(text).collect::<Vec<_>>()
        };
        assert_eq!(all("metadata"), [LOST], "{form:?}");
        assert!(all("text").iter().any(|text| text.starts_with(LOST)), "{form:?}: {:?}", all("text"));
    }
    // A picture of nothing, too.
    let mut nothing = Trace::new();
    nothing.object(7, "K:kernel\n");
    nothing.launch(100, 1);
    nothing.words(&[1]);
    nothing.write();
    let svg = written(&nothing, &["flamegraph"]);
    assert!(svg.contains("no scope") && svg.contains(&format!("<metadata>{LOST}</metadata>")), "{svg}");
    assert!(roxmltree::Document::parse(&svg).is_ok());
}

/// Also what is of no folder: a code object that cannot be read.
#[test]
fn what_was_lost_beside_the_folder_is_said_as_well() {
    let trace = sound();
    fs::write(trace.root.path().join("2_gfx1200_code_object_id_8.out"), "junk").unwrap();
    for form in FORMS {
        let text = written(&trace, form);
        assert!(
            text.contains("1 code objects skipped") || text.contains("skipped_code_object"),
            "{form:?}: {text}"
        );
    }
}

/// Rows of CSV, by RFC 4180.
fn rows(text: &str) -> Vec<Vec<String>> {
    let mut rows = vec![vec![String::new()]];
    let (mut quoted, mut characters) = (false, text.chars().peekable());
    while let Some(character) = characters.next() {
        let row = rows.last_mut().unwrap();
        match character {
            '"' if quoted && characters.peek() == Some(&'"') => {
                characters.next();
                row.last_mut().unwrap().push('"');
            }
            '"' => quoted = !quoted,
            ',' if !quoted => row.push(String::new()),
            '\r' if !quoted => {
                assert_eq!(characters.next(), Some('\n'));
                rows.push(vec![String::new()]);
            }
            _ => row.last_mut().unwrap().push(character),
        }
    }
    assert_eq!(rows.pop().unwrap(), [""]);
    rows
}

const CSV: [&[&str]; 3] =
    [&["stats", "--csv"], &["payloads", "--csv"], &["payloads", "--histogram", "--csv"]];

#[test]
fn every_line_of_csv_has_the_losses_in_its_last_column() {
    let (lossy, sound) = (lossy(), sound());
    for form in CSV {
        for (trace, lost) in [(&lossy, LOST), (&sound, "")] {
            let rows = rows(&written(trace, form));
            assert!(rows.len() > 1, "{form:?}");
            assert_eq!(rows[0].last().unwrap(), "losses");
            for row in &rows[1..] {
                assert_eq!((row.len(), row.last().unwrap().as_str()), (rows[0].len(), lost), "{form:?}");
            }
        }
    }
    // Where there is no line, one says it.
    let mut nothing = Trace::of_one_wave("U:1:outer\n");
    nothing.words(&[1]);
    nothing.write();
    for form in [CSV[1], CSV[2]] {
        let rows = rows(&written(&nothing, form));
        assert_eq!((rows.len(), rows[1].len()), (2, rows[0].len()), "{form:?}");
        assert_eq!((rows[1].concat().as_str(), rows[1].last().unwrap().as_str()), (LOST, LOST));
    }
    let ran = sqtt(nothing.root.path(), &["stats", "--csv", "--kernel", "other", "."]);
    assert_eq!(rows(&ran.out).len(), 1, "{}", ran.out);
}

#[test]
fn spreadsheets_run_nothing() {
    let names = ["=cmd|' /C calc'!A0", "+1+1", "-2+3", "@SUM(1,2)", "a=b", "\u{FF1D}1"];
    let mut map = sqtt_format::Funcmap::new();
    map.push(sqtt_format::Entry::kernel("=kernel"));
    for (id, name) in (1..).zip(names) {
        map.push(sqtt_format::Entry::point(id, name).at("=file:1").with_payload(1));
    }
    let mut trace = Trace::of_one_wave("");
    let file = trace.object(7, "");
    fs::write(file, sqtt_decoder::generate::code_object(&map.to_bytes().unwrap())).unwrap();
    trace.names = json!({"1": "=kernel"});
    let words: Vec<u32> = (1..=names.len() as u32).flat_map(|id| [id << 2, 0xFFFF_FFFE]).collect();
    trace.words(&words);
    trace.write();
    for form in
        [CSV[0], &["payloads", "--csv", "--as", "i32"], &["payloads", "--histogram", "--csv", "--as", "i32"]]
    {
        let rows = rows(&written(&trace, form));
        let cells: Vec<&str> = rows.iter().flatten().map(String::as_str).collect();
        for name in ["'=kernel", "'=cmd|' /C calc'!A0", "'+1+1", "'-2+3", "'@SUM(1,2)", "a=b"] {
            assert!(cells.contains(&name), "{form:?} {name}: {cells:?}");
        }
        for cell in cells {
            let is_number = cell.parse::<f64>().is_ok();
            assert!(
                is_number || !cell.starts_with(['=', '+', '-', '@', '\t', '\r', '\u{FF1D}']),
                "{form:?}: {cell}"
            );
        }
        // A value is a number as before.
        assert!(form[0] == "stats" || rows.iter().flatten().any(|cell| cell == "-2"));
    }
}

/// A real code object: of one function there is code, of the other none is left.
#[test]
fn inlined_functions_are_marked_wherever_they_are_named() {
    let mut trace = Trace::new();
    trace.names = json!({"1": "_Z4workPi"});
    trace.gfxip = 10;
    let object = common::code_object(trace.root.path(), "k.co", "gfx1030", Some(common::MAP));
    let number = trace.root.path().join("1_gfx1030_code_object_id_7.out");
    fs::rename(&object, &number).unwrap();
    trace.launch(100, 1);
    trace.retire(900);
    // helper, with inlined and load in it.
    trace.words(&[6, 10, 14, 1, 1, 1]);
    trace.write();
    let root = trace.root.path();
    let table = sqtt(root, &["funcmap", "--demangle", "1_gfx1030_code_object_id_7.out"]).out;
    let marked: Vec<&str> = table.lines().filter(|line| line.ends_with("(inlined)")).collect();
    assert!(marked.len() == 1 && marked[0].contains("inlined(int*)"), "{table}");
    let run = |args: &[&str]| {
        let ran = sqtt(root, &[args, &["--demangle", "."]].concat());
        assert!(ran.code == 0 && ran.err.is_empty(), "{args:?}: {}", ran.err);
        ran.out
    };
    let check = |root: &Path| {
        let run = |args: &[&str]| sqtt(root, &[args, &["--demangle", "."]].concat()).out;
        let folded = run(&["flamegraph", "--folded"]);
        let stack = "work(int*);helper(int*);inlined(int*) (inlined);load 10\n";
        assert!(folded.contains(stack), "{folded}");
        assert!(!folded.contains("helper(int*) (inlined)") && !folded.contains("load (inlined)"), "{folded}");
        for form in
            [&["flamegraph"][..], &["flamegraph", "--speedscope"], &["perfetto", "-o", "-"], &["report"]]
        {
            let text = run(form);
            assert!(text.contains("inlined(int*) (inlined)"), "{form:?}");
            assert!(!text.contains("helper(int*) (inlined)") && !text.contains("load (inlined)"), "{form:?}");
        }
        let print = run(&["print"]);
        assert!(print.contains("enter inlined(int*)  @ k.hip:8  (inlined)\n"), "{print}");
        assert!(print.contains("closes inlined(int*) (inlined) after"), "{print}");
        assert_eq!(print.matches("(inlined)").count(), 2, "{print}");
        let stats = run(&["stats"]);
        assert!(stats.contains("inlined(int*)  @ k.hip:8  (inlined)\n"), "{stats}");
        assert_eq!(stats.matches("(inlined)").count(), 1, "{stats}");
        let json: Value = serde_json::from_str(&run(&["stats", "--json"])).unwrap();
        for row in json["rows"].as_array().unwrap() {
            assert_eq!(row["inlined"], row["name"] == "inlined(int*)", "{row}");
        }
        let rows = rows(&run(&["stats", "--csv"]));
        let column = rows[0].iter().position(|head| head == "inlined").unwrap();
        for row in &rows[1..] {
            assert_eq!(row[column], (row[2] == "inlined(int*)").to_string(), "{row:?}");
        }
        for line in run(&["print", "--json"]).lines() {
            let line: Value = serde_json::from_str(line).unwrap();
            assert_eq!(line["inlined"], line["name"] == "inlined(int*)", "{line}");
        }
    };
    check(root);
    // What is written anew knows it from its tables.
    assert_eq!(sqtt(root, &["att", ".", "-o", "anew"]).code, 0);
    check(&root.join("anew"));
    // A stripped file does not say which functions there are.
    common::llvm("llvm-strip", &["1_gfx1030_code_object_id_7.out"], root);
    fs::remove_dir_all(root.join("anew")).unwrap();
    let table = sqtt(root, &["funcmap", "1_gfx1030_code_object_id_7.out"]).out;
    assert!(!table.contains("(inlined)") && !run(&["print"]).contains("(inlined)"), "{table}");
    assert_eq!(sqtt(root, &["att", ".", "-o", "anew"]).code, 0);
    let print = sqtt(&root.join("anew"), &["print", "."]).out;
    assert!(print.contains("enter _Z7inlinedPi") && !print.contains("(inlined)"), "{print}");
}

/// One end among many that no trace reaches: a finding with its place, and the rest as it is.
#[test]
fn a_time_far_out_hides_nothing_else() {
    let folder = |far: bool| {
        let mut trace = Trace::new();
        trace.object(7, "K:kernel\nU:1:outer\n");
        for slot in 0..1500 {
            let (cu, simd, slot) = (slot / 60, slot / 15 % 4, slot % 15);
            let end = if far && (cu, simd, slot) == (7, 2, 9) { 1_i64 << 62 } else { 900 };
            trace.wave(0, json!([100, cu, simd, slot, 1, 1]));
            trace.wave(0, json!([end, cu, simd, slot, 0, 1]));
            trace.row(0, json!([200, 6, cu, simd, slot, 0]));
            trace.row(0, json!([300, 1, cu, simd, slot, 0]));
        }
        trace.write();
        trace
    };
    let (far, sound) = (folder(true), folder(false));
    let root = far.root.path();
    let checked = sqtt(root, &["check", "."]);
    let place = "occupancy.json: at byte 0x";
    assert!(checked.code == 1 && checked.out.contains("loss: malformed_row (1)\n"), "{}", checked.out);
    assert!(
        checked.out.contains(place) && checked.out.contains("no trace reaches (2^53 cycles)"),
        "{}",
        checked.out
    );
    let folded = sqtt(root, &["flamegraph", "--folded", "."]).out;
    // Its scope counts, and its life, which has no end, does not.
    let expected = format!("kernel {}\nkernel;outer 150000\n", 700 * 1499);
    assert!(folded.starts_with(&expected), "{folded}");
    for form in FORMS {
        let ran = sqtt(root, &[form, &["-o", "x.json", "."]].concat());
        assert!(ran.code == 0 && !ran.err.contains("cannot be right"), "{form:?}: {}", ran.err);
    }
    let stats = |trace: &Trace| {
        let ran = sqtt(trace.root.path(), &["stats", "--json", "."]);
        serde_json::from_str::<Value>(&ran.out).unwrap()["rows"].clone()
    };
    let (of_far, of_sound) = (stats(&far), stats(&sound));
    assert_eq!(of_far[1], of_sound[1]);
    assert_eq!((&of_far[0]["count"], &of_far[0]["cut"]), (&json!(1500), &json!(1)));
    assert_eq!(of_far[0]["inclusive"]["max"], 800);
    let report = sqtt(root, &["report", "."]);
    assert!(report.code == 0 && report.out.contains("no trace reaches"), "{}", report.err);
}
