//! `sqtt flamegraph`, `sqtt perfetto` and `sqtt report`: their arguments, files and ends. What is in the files
//! is tested where it is made.

use std::io::Read as _;
use std::path::Path;

use crate::command::{sqtt, sqtt_into_broken_pipe};
use crate::traces::Trace;
use serde_json::Value;
use sqtt_decoder::generate::{Plan, write};

/// A scope in another, and an exit of nothing.
fn small() -> Trace {
    let mut trace = Trace::of_one_wave("F:1:_Z5innerf@k.hip:12\nU:2:a\n");
    trace.words(&[10, 6, 1, 1, 1]);
    trace.write();
    trace
}

/// The files of a folder, sorted.
fn files(folder: &Path) -> Vec<String> {
    let names =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}

#[test]
fn flamegraphs_in_three_forms() {
    let trace = small();
    let root = trace.root.path();
    let svg = sqtt(root, &["flamegraph", "--demangle", "--title", "what <b> took", "."]);
    assert_eq!(svg.code, 0);
    assert!(svg.out.starts_with("<?xml") && svg.out.contains("inner(float) (10 cycles"), "{}", svg.out);
    assert!(svg.out.contains("what &lt;b&gt; took"));
    assert!(svg.err.starts_with("sqtt: warning: lost: 1 unmatched exits\n"), "{}", svg.err);
    let folded = sqtt(root, &["flamegraph", "--folded", "."]);
    assert_eq!(folded.out, "kernel 9870\nkernel;a 20\nkernel;a;_Z5innerf 10\n# lost: 1 unmatched exits\n");
    let upwards = sqtt(root, &["flamegraph", "--folded", "--reverse", "--per", "simd", "."]).out;
    assert!(upwards.contains("SE0/CU1/SIMD2;_Z5innerf;a;kernel 10\n"), "{upwards}");
    let time = ["flamegraph", "--folded", "--weight", "time", "--clock-rate-ghz", "0.5", "."];
    assert!(sqtt(root, &time).out.contains("kernel;a 40\n"));
    let scope = sqtt(root, &["flamegraph", "--speedscope", "--title", "t", "-o", "a.json", "."]);
    assert_eq!((scope.code, scope.out.as_str()), (0, ""));
    let value: Value = serde_json::from_slice(&std::fs::read(root.join("a.json")).unwrap()).unwrap();
    assert_eq!((&value["name"], &value["profiles"][0]["endValue"]), (&"t".into(), &9900.into()));
    assert_eq!(sqtt(root, &["flamegraph", "--strict", "-o", "b.svg", "."]).code, 1);
    // No file that nobody asked for.
    assert_eq!(
        files(root),
        ["1_gfx1200_code_object_id_7.out", "a.json", "b.svg", "ui_output_agent_1_dispatch_1"]
    );
}

#[test]
fn flamegraphs_of_two_traces() {
    let (old, new) = (small(), small());
    let base = old.root.path().to_str().unwrap();
    let ran = sqtt(new.root.path(), &["flamegraph", "--folded", "--diff", base, "."]);
    assert_eq!(
        ran.out,
        "kernel 9870 9870\nkernel;a 20 20\nkernel;a;_Z5innerf 10 10\n# lost: 2 unmatched exits\n"
    );
    let moved = new.root.path().join("old.program");
    std::fs::rename(old.root.path().join("1_gfx1200_code_object_id_7.out"), moved).unwrap();
    let nameless = sqtt(new.root.path(), &["flamegraph", "--folded", "--diff", base, "."]).out;
    assert!(nameless.contains("kernel;event#2 20 0\n"), "{nameless}");
    let args = ["flamegraph", "--folded", "--diff", base, "--diff-code-objects", "old.program", "."];
    assert_eq!(sqtt(new.root.path(), &args).out, ran.out);
    let wrong = sqtt(new.root.path(), &["flamegraph", "--speedscope", "--diff", base, "."]);
    assert_eq!(wrong.code, 2);
    let gone = sqtt(new.root.path(), &["flamegraph", "--diff", "nowhere", "."]);
    assert!(gone.code == 1 && gone.err.contains("nowhere: No such file"), "{}", gone.err);
}

#[test]
fn time_without_a_rate_is_an_error_and_leaves_nothing() {
    let trace = small();
    let root = trace.root.path();
    let ran = sqtt(root, &["flamegraph", "--weight", "time", "-o", "x.svg", "."]);
    assert!(ran.code == 1 && ran.err.contains("--clock-rate-ghz"), "{}", ran.err);
    assert!(!root.join("x.svg").exists());
    for rate in ["0", "-1", "nan", "inf", "fast"] {
        for command in ["flamegraph", "perfetto", "report"] {
            let ran = sqtt(root, &[command, &format!("--clock-rate-ghz={rate}"), "."]);
            assert!(ran.code == 2 && ran.err.contains("no rate in GHz such as 2.1"), "{}", ran.err);
        }
    }
}

#[test]
fn timelines_go_beside_their_folders_or_where_they_are_told() {
    let trace = small();
    let root = trace.root.path();
    let ran = sqtt(root, &["perfetto", "."]);
    let name = "ui_output_agent_1_dispatch_1.perfetto.json";
    assert_eq!(ran.code, 0);
    assert!(ran.out.ends_with(&format!("{name}\n")) && ran.out.lines().count() == 1, "{}", ran.out);
    let text = std::fs::read_to_string(root.join(name)).unwrap();
    let value: Value = serde_json::from_str(&text).unwrap();
    assert!(value["traceEvents"].as_array().unwrap().len() > 10);
    // The file is no private one.
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let fresh = root.join("fresh");
        std::fs::write(&fresh, "").unwrap();
        let mode = |path: &Path| path.metadata().unwrap().permissions().mode();
        assert_eq!(mode(&root.join(name)), mode(&fresh));
        std::fs::remove_file(fresh).unwrap();
    }
    assert_eq!(sqtt(root, &["perfetto", "-o", "-", "."]).out, text);
    assert_eq!(sqtt(root, &["perfetto", "-o", "one.json", "."]).out, "one.json\n");
    assert_eq!(std::fs::read_to_string(root.join("one.json")).unwrap(), text);
    for args in [&["perfetto", "-o", "one.json.gz", "."][..], &["perfetto", "-z", "-o", "all", "."]] {
        assert_eq!(sqtt(root, args).code, 0);
    }
    for file in ["one.json.gz", &format!("all/{name}.gz")] {
        let bytes = std::fs::read(root.join(file)).unwrap();
        let mut unpacked = String::new();
        flate2::read::GzDecoder::new(&bytes[..]).read_to_string(&mut unpacked).unwrap();
        assert_eq!(unpacked, text);
    }
}

#[test]
fn folders_of_one_name_do_not_share_a_file() {
    let root = tempfile::tempdir().unwrap();
    for part in ["a", "b"] {
        let parent = root.path().join(part);
        std::fs::create_dir(&parent).unwrap();
        write(&parent, &Plan { records: 500, ..Plan::default() }).unwrap();
    }
    let ran = sqtt(root.path(), &["perfetto", "-o", "out", "."]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let name = "ui_output_agent_1_dispatch_1.perfetto.json";
    assert_eq!(files(&root.path().join("out")), [format!("b__{name}"), name.to_owned()]);
    for target in ["one.json", "-"] {
        let ran = sqtt(root.path(), &["perfetto", "-o", target, "."]);
        assert!(ran.code == 1 && ran.err.contains("there are 2 trace folders"), "{}", ran.err);
        assert_eq!(ran.out, "");
    }
    assert!(!root.path().join("one.json").exists());
}

#[test]
fn a_place_that_cannot_be_written_to_is_an_error() {
    let trace = small();
    let root = trace.root.path();
    for (command, target) in
        [("flamegraph", "nowhere/x.svg"), ("perfetto", "nowhere/x.json"), ("report", "nowhere/x.html")]
    {
        let ran = sqtt(root, &[command, "-o", target, "."]);
        assert!(ran.code == 1 && ran.err.contains(&format!("cannot write {target}")), "{}", ran.err);
    }
}

#[test]
fn reports_are_one_file() {
    let trace = small();
    let root = trace.root.path();
    let ran = sqtt(root, &["report", "--demangle", "-o", "report.html", "."]);
    assert_eq!((ran.code, ran.out.as_str()), (0, ""));
    let text = std::fs::read_to_string(root.join("report.html")).unwrap();
    assert!(text.starts_with("<!DOCTYPE html>") && text.ends_with("</html>\n"));
    assert!(text.contains("<title>SQTT report: ui_output_agent_1_dispatch_1</title>"));
    assert!(text.contains("inner(float)"));
    let own = sqtt(root, &["report", "--title", "a <b>", "."]).out;
    assert!(own.contains("<title>a &lt;b&gt;</title>"));
}

#[test]
fn filters_and_ledger_are_those_of_all_commands() {
    let root = tempfile::tempdir().unwrap();
    write(root.path(), &Plan { records: 2000, ..Plan::default() }).unwrap();
    let some = ["--se", "1", "--cu", "0", "--simd", "0,2", "--wave", "1"];
    let stats = sqtt(root.path(), &[&["stats", "--json"], &some[..], &["."]].concat()).out;
    let stats: Value = serde_json::from_str(&stats).unwrap();
    let waves = stats["rows"][0]["count"].as_u64().unwrap() as usize;
    assert!(waves > 0);
    let folded =
        sqtt(root.path(), &[&["flamegraph", "--folded", "--per", "wave"], &some[..], &["."]].concat()).out;
    let mut units: Vec<_> = folded.lines().map(|line| line.split(';').next().unwrap()).collect();
    units.dedup();
    assert_eq!(units.len(), waves);
    let timeline = sqtt(root.path(), &[&["perfetto", "-o", "-"], &some[..], &["."]].concat()).out;
    assert_eq!(timeline.matches("\"name\":\"wave\",\"cat\"").count(), waves);
    let report = sqtt(root.path(), &[&["report", "--ledger", "losses.json"], &some[..], &["."]].concat()).out;
    assert!(report.contains(&format!("\"waves\":{waves},")));
    assert!(root.path().join("losses.json").exists());
}

#[test]
fn nothing_to_read_is_an_error() {
    let trace = Trace::new();
    trace.write();
    for args in [&["flamegraph"][..], &["flamegraph", "--folded"], &["perfetto", "-o", "-"], &["report"]] {
        let ran = sqtt(trace.root.path(), &[args, &["."]].concat());
        assert!(ran.code == 1 && ran.err.contains("no wave data"), "{args:?} {}", ran.err);
        let ran = sqtt(trace.root.path(), &[args, &["gone"]].concat());
        assert!(ran.code == 1 && ran.err.contains("gone: No such file"), "{args:?} {}", ran.err);
    }
}

#[test]
fn a_reader_that_has_seen_enough_ends_it_quietly() {
    let root = tempfile::tempdir().unwrap();
    write(root.path(), &Plan { records: 60_000, ..Plan::default() }).unwrap();
    for args in [
        &["flamegraph", "--folded", "--per", "wave", "."][..],
        &["flamegraph", "--per", "wave", "."],
        &["flamegraph", "--speedscope", "--per", "wave", "."],
        &["perfetto", "-o", "-", "."],
        &["perfetto", "-z", "-o", "-", "."],
        &["report", "."],
    ] {
        assert_eq!(sqtt_into_broken_pipe(root.path(), args), (0, String::new()), "{args:?}");
    }
}

#[test]
fn help_has_examples() {
    for command in ["flamegraph", "perfetto", "report", "print", "stats", "check"] {
        let ran = sqtt(Path::new("."), &[command, "--help"]);
        assert!(ran.out.contains("Examples:\n  sqtt ") && ran.out.contains("Exit status: 0"), "{}", ran.out);
        for option in ["--se", "--cu", "--simd", "--wave", "--kernel", "--demangle", "--code-objects", "-o"] {
            assert!(ran.out.contains(option), "{option}");
        }
    }
}
