//! `sqtt print`, `sqtt stats` and `sqtt check` on trace folders.

use std::path::Path;

use crate::command::{sqtt, sqtt_into_broken_pipe};
use crate::traces::Trace;
use serde_json::{Value, json};
use sqtt_decoder::generate::{Plan, Writer, write};

/// Two scopes, a point, an unmatched exit.
fn small() -> Trace {
    let mut trace =
        Trace::of_one_wave("F:1:_Z5innerf@k.hip:12\nU:2:a;b \"c\"\nP:3:item\nR:3:extra_payload_count=1\n");
    trace.words(&[10, 6, 12, 0xCAFE, 1, 1, 1]);
    trace.write();
    trace
}

#[test]
fn print_as_text() {
    let trace = small();
    let ran = sqtt(trace.root.path(), &["print", "--demangle", "."]);
    let slot = "SE0/CU1/SIMD2/W3#0";
    assert_eq!(
        ran.out,
        format!(
            "./ui_output_agent_1_dispatch_1:
         200  {slot}  enter a;b \"c\"
         210  {slot}    enter inner(float)  @ k.hip:12
         220  {slot}      point item  [0xcafe]
         240  {slot}    exit  closes inner(float) after 30 cycles
         250  {slot}  exit  closes a;b \"c\" after 50 cycles
         260  {slot}  exit  closes nothing
"
        )
    );
    assert_eq!(ran.code, 0);
    assert!(ran.err.starts_with("sqtt: warning: lost: 1 unmatched exits\n"), "{}", ran.err);
}

#[test]
fn print_as_json_lines() {
    let trace = small();
    let ran = sqtt(trace.root.path(), &["print", "--json", "."]);
    let lines: Vec<Value> = ran.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 6);
    assert_eq!(lines[1]["name"], "_Z5innerf");
    assert_eq!(lines[1]["kernel"], "kernel");
    assert_eq!(lines[1]["code_object"], 7);
    assert_eq!(lines[2]["payload"], json!([0xCAFE]));
    assert_eq!(lines[3]["closed"]["exclusive"], 30);
    assert_eq!(lines[4]["closed"]["exclusive"], 20);
    assert_eq!(lines[5]["closed"], Value::Null);
}

#[test]
fn stats_in_three_forms() {
    let trace = small();
    let root = trace.root.path();
    let json = sqtt(root, &["stats", "--json", "--demangle", "."]);
    let value: Value = serde_json::from_str(&json.out).unwrap();
    assert_eq!(value["losses"]["unmatched_exit"]["count"], 1);
    let rows = value["rows"].as_array().unwrap();
    let names: Vec<_> = rows.iter().map(|row| row["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["(wave)", "inner(float)", "a;b \"c\"", "item"]);
    assert_eq!(
        rows[2]["inclusive"],
        json!({"count": 1, "min": 50, "median": 50, "p95": 50, "max": 50, "sum": 50})
    );
    assert_eq!(rows[2]["exclusive"]["sum"], 20);
    assert_eq!(rows[0]["inclusive"]["sum"], 9900);
    assert_eq!(rows[3]["inclusive"], Value::Null);

    let csv = sqtt(root, &["stats", "--csv", "."]).out;
    let lines: Vec<_> = csv.split("\r\n").collect();
    assert_eq!(lines.len(), 6);
    assert!(lines[0].starts_with("kernel,kind,name,source_loc,count,"));
    assert!(
        lines[3].starts_with("kernel,user,\"a;b \"\"c\"\"\",,1,0,0,50,50,50,50,50,20,20,"),
        "{}",
        lines[3]
    );
    let columns = lines[0].split(',').count();
    assert!([1, 2, 4].iter().all(|&line| lines[line].split(',').count() == columns));

    let text = sqtt(root, &["stats", "--demangle", "."]).out;
    assert!(text.starts_with("kernel kernel\n"), "{text}");
    assert!(text.lines().any(|line| line.ends_with("inner(float)  @ k.hip:12")), "{text}");
}

#[test]
fn the_ledger_goes_to_a_file_and_strict_fails() {
    let trace = small();
    let root = trace.root.path();
    let ran = sqtt(root, &["print", "--ledger", "losses.json", "-o", "out.txt", "."]);
    assert_eq!((ran.code, ran.out.as_str()), (0, ""));
    assert!(std::fs::read_to_string(root.join("out.txt")).unwrap().contains("enter"));
    let ledger: Value = serde_json::from_slice(&std::fs::read(root.join("losses.json")).unwrap()).unwrap();
    assert_eq!(ledger["unmatched_exit"]["loss"], true);
    let place = ledger["unmatched_exit"]["places"][0]["where"].as_str().unwrap();
    assert!(place.ends_with("ui_output_agent_1_dispatch_1: SE0/CU1/SIMD2/W3"), "{place}");
    let ran = sqtt(root, &["print", "--strict", "."]);
    assert_eq!(ran.code, 1);
    assert!(ran.out.contains("enter") && ran.err.contains("--strict"));
}

#[test]
fn filters_take_lists_and_refuse_nonsense() {
    let root = tempfile::tempdir().unwrap();
    write(root.path(), &Plan { records: 2000, ..Plan::default() }).unwrap();
    let all = sqtt(root.path(), &["print", "."]).out;
    let some =
        sqtt(root.path(), &["print", "--se", "1", "--cu", "0-3", "--simd", "0,2", "--wave", "1", "."]).out;
    let expected = all.lines().filter(|line| {
        line.ends_with(':')
            || (line.contains("SE1/")
                && line.contains("/W1#")
                && (line.contains("SIMD0") || line.contains("SIMD2")))
    });
    assert!(some.lines().count() > 10);
    assert!(some.lines().eq(expected));
    let none = sqtt(root.path(), &["print", "--kernel", "nothing", "."]);
    assert_eq!(none.out.lines().count(), 1);
    let bad = sqtt(root.path(), &["print", "--cu", "a", "."]);
    assert_eq!(bad.code, 2);
    assert!(bad.err.contains("no list of numbers such as 3 or 0,2,4-7"), "{}", bad.err);
}

#[test]
fn check_says_sound_or_what_is_wrong() {
    for writer in [Writer::Rocprofv3, Writer::AttTool] {
        let root = tempfile::tempdir().unwrap();
        let truth = write(root.path(), &Plan { writer, records: 2000, ..Plan::default() }).unwrap();
        let good = sqtt(root.path(), &["check", "."]);
        assert_eq!((good.code, good.err.as_str()), (0, ""), "{}", good.out);
        assert!(good.out.ends_with("sound\n") && !good.out.contains("not sound"), "{}", good.out);

        let file = &truth.files[0];
        let bytes = std::fs::read(file).unwrap();
        std::fs::write(file, &bytes[..bytes.len() / 2]).unwrap();
        let bad = sqtt(root.path(), &["check", "."]);
        assert_eq!(bad.code, 1);
        assert!(bad.out.contains("loss: truncated_file (1)\n"), "{}", bad.out);
        assert!(bad.out.contains("advice: capture again"), "{}", bad.out);
        assert!(bad.out.ends_with("not sound\n"), "{}", bad.out);
        let json = sqtt(root.path(), &["check", "--json", "."]);
        let value: Value = serde_json::from_str(&json.out).unwrap();
        assert_eq!((json.code, &value["sound"]), (1, &json!(false)));
        assert_eq!(value["losses"]["truncated_file"]["count"], 1);
    }
}

#[test]
fn check_compares_what_files_say_of_themselves() {
    let root = tempfile::tempdir().unwrap();
    let truth = write(root.path(), &Plan { records: 1000, engines: 1, ..Plan::default() }).unwrap();
    let file = &truth.files[0];
    let text = std::fs::read_to_string(file).unwrap();
    std::fs::write(file, text.replace("\"records_count\":", "\"records_count\":9")).unwrap();
    let ran = sqtt(root.path(), &["check", "."]);
    assert_eq!(ran.code, 1);
    assert!(ran.out.contains("loss: records_count (1)\n"), "{}", ran.out);
}

#[test]
fn findings_hold_what_is_outside_of_folders() {
    let trace = small();
    let root = trace.root.path();
    std::fs::write(root.join("2_gfx1200_code_object_id_8.out"), "junk").unwrap();
    let json = sqtt(root, &["check", "--json", "."]);
    let value: Value = serde_json::from_str(&json.out).unwrap();
    let findings = value["findings"].as_array().unwrap();
    let found = findings.iter().find(|finding| finding["kind"] == "skipped_code_object").unwrap();
    assert_eq!((&found["severity"], &found["count"]), (&json!("loss"), &json!(1)), "{found}");
    let text = sqtt(root, &["check", "."]);
    assert_eq!(text.out.matches("loss: skipped_code_object (1)").count(), 1, "{}", text.out);
}

#[test]
#[cfg(unix)]
fn output_to_a_link_goes_where_it_leads() {
    let trace = small();
    let root = trace.root.path();
    std::fs::write(root.join("file"), "before").unwrap();
    for (link, target) in [("to_file", "file"), ("to_nothing", "new")] {
        let path = root.join(link);
        std::os::unix::fs::symlink(target, &path).unwrap();
        assert_eq!(sqtt(root, &["stats", "--csv", "-o", link, "."]).code, 0);
        assert!(path.is_symlink());
        assert!(std::fs::read_to_string(root.join(target)).unwrap().starts_with("kernel,kind,"));
    }
}

#[test]
fn nothing_to_read_is_an_error() {
    let root = tempfile::tempdir().unwrap();
    let ui = root.path().join("ui_output_agent_1_dispatch_1");
    std::fs::create_dir(&ui).unwrap();
    for command in ["print", "stats", "check"] {
        let ran = sqtt(root.path(), &[command, "nowhere"]);
        assert_eq!(ran.code, 1);
        assert!(ran.err.contains("nowhere: No such file or directory"), "{}", ran.err);
        let ran = sqtt(root.path(), &[command, "."]);
        assert_eq!(ran.code, 1);
        assert!(ran.err.contains(".: no trace: neither it nor a folder in it has"), "{}", ran.err);
    }
    std::fs::write(ui.join("code.json"), r#"{"code":null}"#).unwrap();
    std::fs::write(ui.join("occupancy.json"), r#"{"dispatches":{"0":"0 / 0x0"},"version":"3.0.0"}"#).unwrap();
    for command in ["print", "stats", "check"] {
        let ran = sqtt(root.path(), &[command, "."]);
        assert_eq!(ran.code, 1, "{command}");
        assert!(ran.err.contains("no wave data: the files are there"), "{}", ran.err);
    }
}

#[test]
fn several_folders_are_several_time_domains() {
    let (first, second) = (small(), small());
    let (one, two) = (first.root.path().to_str().unwrap(), second.root.path().to_str().unwrap());
    let ran = sqtt(Path::new("."), &["print", one, two]);
    assert_eq!(ran.out.lines().filter(|line| line.ends_with(':')).count(), 2);
    let stats = sqtt(Path::new("."), &["stats", "--json", one, two]);
    let value: Value = serde_json::from_str(&stats.out).unwrap();
    assert_eq!(value["rows"][1]["count"], 2);
    assert_eq!(value["rows"][1]["per_simd"]["units"], 2);
}

#[test]
fn code_objects_can_be_named() {
    let trace = small();
    let root = trace.root.path();
    let aside = root.join("aside");
    std::fs::create_dir(&aside).unwrap();
    std::fs::rename(root.join("1_gfx1200_code_object_id_7.out"), aside.join("program")).unwrap();
    let without = sqtt(root, &["print", "."]);
    assert!(without.out.contains("enter event#2"), "{}", without.out);
    let with = sqtt(root, &["print", "-c", "aside/program", "."]);
    assert!(with.out.contains("enter a;b"), "{}", with.out);
    assert_eq!(sqtt(root, &["print", "-c", "gone", "."]).code, 1);
}

#[test]
fn code_objects_beside_a_trace_are_known_however_it_is_named() {
    let trace = small();
    let root = trace.root.path();
    let far = root.join("elsewhere");
    std::fs::create_dir(&far).unwrap();
    let other = sqtt_decoder::generate::code_object(b"K:kernel\nU:2:another\n");
    std::fs::write(far.join("2_gfx1200_code_object_id_8.out"), other).unwrap();
    let ui = trace.ui();
    for (folder, args) in [
        (root, ["ui_output_agent_1_dispatch_1", "."]),
        (&ui, [".", ".."]),
        (&far, ["../ui_output_agent_1_dispatch_1", ".."]),
    ] {
        let ran = sqtt(folder, &["print", args[0], args[1]]);
        assert!(ran.out.contains("enter a;b"), "{args:?}: {}{}", ran.out, ran.err);
    }
}

#[test]
fn a_reader_that_has_seen_enough_ends_it_quietly() {
    let root = tempfile::tempdir().unwrap();
    write(root.path(), &Plan { records: 100_000, ..Plan::default() }).unwrap();
    for args in [&["print", "."][..], &["print", "--json", "."]] {
        assert_eq!(sqtt_into_broken_pipe(root.path(), args), (0, String::new()), "{args:?}");
    }
}

#[test]
fn a_filter_that_lets_nothing_through_says_what_there_is() {
    let trace = small();
    for filter in [["--kernel", "nope"], ["--se", "3"], ["--wave", "0-2,4"]] {
        let ran = sqtt(trace.root.path(), &["stats", filter[0], filter[1], "."]);
        assert_eq!(ran.code, 0);
        let what = "sqtt: warning: no wave is what the filter asks for: the trace has \
                    SE 0; CU 1; SIMD 2; wave slot 3; kernels \"kernel\"\n";
        assert!(ran.err.contains(what), "{}", ran.err);
    }
    let ran = sqtt(trace.root.path(), &["stats", "--kernel", "kern", "--se", "0", "."]);
    assert!(!ran.err.contains("filter"), "{}", ran.err);
}
