//! Files that are none, that may not be read, and folders that are not there: a word, and never a hang.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use crate::command::{ends, sqtt, sqtt_that_ends};
use crate::traces::Trace;
use serde_json::json;
use sqtt_decoder::generate::{Plan, code_object, write};

/// Error about a pipe.
const NO_FILE: &str = "no regular file";

fn fifo(path: &Path) {
    let _ = fs::remove_file(path);
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

/// A scope of a known name.
fn small() -> Trace {
    let mut trace = Trace::of_one_wave("U:1:outer\n");
    trace.words(&[6, 1]);
    trace.write();
    trace
}

#[test]
fn pipes_in_the_place_of_files_are_left_alone_with_a_word() {
    let commands: [&[&str]; 9] = [
        &["check"],
        &["print"],
        &["stats"],
        &["flamegraph"],
        &["perfetto", "-o", "-"],
        &["report"],
        &["payloads"],
        &["memory-trace"],
        &["att", "-o", "new"],
    ];
    for name in [
        "shaderdata_0_0.json",
        "occupancy.json",
        "code.json",
        "filenames.json",
        "realtime.json",
        "../1_gfx1200_code_object_id_7.out",
        "shaderdata_0_0.json.gz",
    ] {
        let trace = small();
        let path = trace.ui().join(name);
        if name.ends_with(".gz") {
            fs::remove_file(trace.ui().join("shaderdata_0_0.json")).unwrap();
        }
        fifo(&path);
        for command in commands {
            let _ = fs::remove_dir_all(trace.root.path().join("new"));
            let ran = sqtt_that_ends(trace.root.path(), &[command, &["."]].concat());
            let said = format!("{}: {NO_FILE}", name.trim_start_matches("../"));
            assert!(ran.err.contains(&said), "{name} {command:?}: {}{}", ran.out, ran.err);
        }
    }
}

#[test]
fn raw_files_and_code_objects_that_are_pipes() {
    let trace = small();
    let root = trace.root.path();
    let raw = root.join("raw");
    fs::create_dir(&raw).unwrap();
    fifo(&raw.join("1_shader_engine_0_1.att"));
    fifo(&raw.join("k0.co"));
    for trace in ["raw", "raw/1_shader_engine_0_1.att"] {
        let ran = sqtt_that_ends(root, &["stats", trace]);
        let said = format!("raw/1_shader_engine_0_1.att: {NO_FILE}");
        assert!(ran.code == 1 && ran.err.contains(&said), "{trace}: {}", ran.err);
    }
    // Beside one that is a file.
    fs::write(raw.join("1_shader_engine_1_1.att"), b"not a trace").unwrap();
    let ran = sqtt_that_ends(root, &["stats", "raw"]);
    assert!(ran.err.contains(&format!("1_shader_engine_0_1.att: {NO_FILE}")), "{}", ran.err);
    for chosen in ["raw/k0.co", "raw"] {
        let ran = sqtt_that_ends(root, &["print", "-c", chosen, "ui_output_agent_1_dispatch_1"]);
        assert!(ran.code == 0 && ran.out.contains("enter event#1"), "{}{}", ran.out, ran.err);
        assert!(ran.err.contains(&format!("raw/k0.co: {NO_FILE}")), "{}", ran.err);
    }
}

/// Whoever runs the tests may read everything: the command runs as somebody else, where that is possible.
#[test]
fn a_folder_that_may_not_be_read_is_named() {
    let trace = small();
    let root = trace.root.path();
    let mode = |path: &Path, mode| fs::set_permissions(path, PermissionsExt::from_mode(mode)).unwrap();
    let own = Command::new("id").arg("-u").output().unwrap().stdout == b"0\n";
    let program = root.join("sqtt");
    fs::copy(env!("CARGO_BIN_EXE_sqtt"), &program).unwrap();
    mode(root, 0o755);
    mode(&program, 0o755);
    let run = |args: &[&str]| {
        let mut command = Command::new(if own { Path::new("setpriv") } else { &program });
        if own {
            command.args(["--reuid", "65534", "--regid", "65534", "--clear-groups"]).arg(&program);
        }
        ends(command.args(args).current_dir(root))
    };
    let ui = trace.ui();
    for bits in [0o000, 0o300] {
        mode(&ui, bits);
        for args in [["stats", "."], ["stats", "ui_output_agent_1_dispatch_1"]] {
            let ran = run(&args);
            let said = "ui_output_agent_1_dispatch_1: Permission denied";
            assert!(ran.code == 1 && ran.err.contains(said), "{bits:o} {args:?}: {}", ran.err);
            assert!(!ran.err.contains("no trace"), "{}", ran.err);
        }
    }
    // It can be listed, and no file in it opened.
    mode(&ui, 0o644);
    let ran = run(&["stats", "."]);
    let said = "ui_output_agent_1_dispatch_1/occupancy.json: Permission denied";
    assert!(ran.code == 1 && ran.err.contains(said), "{}", ran.err);
    // One of several.
    mode(&ui, 0o000);
    let other = root.join("ui_other");
    fs::create_dir(&other).unwrap();
    let rows = json!({"records": [[200, 6, 1, 2, 3, 0]]});
    fs::write(other.join("shaderdata_0_0.json"), rows.to_string()).unwrap();
    let ran = run(&["stats", "."]);
    assert_eq!(ran.code, 0);
    assert!(ran.err.contains("ui_output_agent_1_dispatch_1: Permission denied"), "{}", ran.err);
    let ran = run(&["stats", "-c", "ui_output_agent_1_dispatch_1", "ui_other"]);
    assert!(ran.err.contains("ui_output_agent_1_dispatch_1: Permission denied"), "{}", ran.err);
    mode(&ui, 0o755);
}

#[test]
fn a_folder_that_is_missing_is_named() {
    let trace = small();
    let root = trace.root.path();
    fs::write(root.join("file"), "").unwrap();
    let here = "ui_output_agent_1_dispatch_1";
    for (args, output) in [
        (&["print"][..], "missing/dir/x.json"),
        (&["stats"], "missing/x.csv"),
        (&["check"], "missing/x.txt"),
        (&["flamegraph"], "missing/dir/x.svg"),
        (&["perfetto"], "missing/dir/x.json"),
        (&["report"], "missing/dir/x.html"),
        (&["payloads"], "missing/x"),
        (&["memory-trace", "--heatmap"], "missing/x"),
        (&["att"], "missing/dir/new"),
    ] {
        let ran = sqtt(root, &[args, &["-o", output, here]].concat());
        let folder = Path::new(output).parent().unwrap().display();
        let said = format!("cannot write {output}: there is no folder {folder}\n");
        assert!(ran.code == 1 && ran.err.ends_with(&said), "{args:?}: {}", ran.err);
    }
    let ran = sqtt(root, &["stats", "--ledger", "missing/l.json", here]);
    assert!(ran.code == 1 && ran.err.contains("there is no folder missing"), "{}", ran.err);
    let ran = sqtt(root, &["stats", "-o", "file/x", here]);
    assert!(ran.code == 1 && ran.err.contains("cannot write file/x: file is no folder"), "{}", ran.err);
    fs::write(root.join("7_native_counter_collection.csv"), "").unwrap();
    let import = ["rocpd", "import-csv", "7_native_counter_collection.csv", "-o", "missing/x.db"];
    let ran = sqtt(root, &import);
    assert!(ran.code == 1 && ran.err.contains("there is no folder missing"), "{}", ran.err);
    assert!(!root.join("missing").exists());
}

/// A folder is searched as a trace folder is, and in it every file that may hold a code object.
#[test]
fn a_folder_of_code_objects_is_searched() {
    let trace = small();
    let root = trace.root.path();
    let beside = root.join("1_gfx1200_code_object_id_7.out");
    let named = code_object(b"K:kernel\nU:1:chosen\n");
    fs::remove_file(beside).unwrap();
    let objects = root.join("objects");
    fs::create_dir_all(objects.join("deep/er")).unwrap();
    fs::write(objects.join("notes.txt"), "nothing of interest").unwrap();
    fs::copy("/bin/true", objects.join("other-program")).unwrap();
    let print = |args: &[&str]| {
        let ran = sqtt(root, &[&["print"], args, &["ui_output_agent_1_dispatch_1"]].concat());
        assert_eq!(ran.code, 0, "{}", ran.err);
        ran
    };
    // Nothing is in it, and that is said; so it is of a file.
    let ran = print(&["-c", "objects"]);
    assert!(ran.out.contains("enter event#1"), "{}", ran.out);
    assert!(ran.err.contains("skipped_code_object: 1: objects: no code object in it"), "{}", ran.err);
    let ran = print(&["-c", "objects/notes.txt"]);
    assert!(ran.err.contains("skipped_code_object: 1: objects/notes.txt: "), "{}", ran.err);
    assert_eq!(sqtt(root, &["print", "--strict", "-c", "objects", "ui_output_agent_1_dispatch_1"]).code, 1);
    for name in ["k0.co", "k.out", "k.hsaco", "program", "deep/er/k0.co", "9_code_object_id_9.out"] {
        let file = objects.join(name);
        fs::write(&file, &named).unwrap();
        for chosen in [&["-c", "objects"][..], &["-c", "objects", "-c", &format!("objects/{name}")]] {
            let ran = print(chosen);
            assert!(ran.out.contains("enter chosen"), "{name}: {}{}", ran.out, ran.err);
            assert_eq!(ran.err, "", "{name}");
        }
        fs::remove_file(file).unwrap();
    }
    // A code object that cannot be read is no program without one.
    fs::write(objects.join("k1.co"), &named[..100]).unwrap();
    fs::write(objects.join("k0.co"), &named).unwrap();
    let ran = print(&["-c", "objects"]);
    assert!(ran.out.contains("enter chosen") && ran.err.contains("objects/k1.co: "), "{}", ran.err);
}

#[test]
fn code_objects_that_fit_nothing_are_named() {
    let trace = small();
    let root = trace.root.path();
    let folder = root.join("objects");
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("k0.co"), code_object(b"K:another\nU:1:wrong\n")).unwrap();
    fs::write(root.join("right"), code_object(b"K:kernel\nU:1:right\n")).unwrap();
    let here = "ui_output_agent_1_dispatch_1";
    let said = |what: &str| {
        format!(
            "sqtt: warning: no kernel of the trace was found in {what}, which was given as code object: the trace has \"kernel\"\n"
        )
    };
    for command in
        [&["stats"][..], &["print"], &["check"], &["flamegraph", "--folded"], &["perfetto", "-o", "-"]]
    {
        for chosen in ["objects", "objects/k0.co"] {
            let ran = sqtt(root, &[command, &["-c", chosen, here]].concat());
            assert!(ran.err.contains(&said(chosen)), "{command:?} {chosen}: {}", ran.err);
        }
        let ran = sqtt(root, &[command, &["-c", "right", "-c", "objects", here]].concat());
        assert!(ran.err.contains(&said("objects")) && !ran.out.contains("wrong"), "{}", ran.err);
        let ran = sqtt(root, &[command, &["-c", "right", here]].concat());
        assert_eq!(ran.err, "", "{command:?}");
    }
    let diff =
        ["flamegraph", "--folded", "-c", "right", "--diff", here, "--diff-code-objects", "objects", here];
    assert!(sqtt(root, &diff).err.contains(&said("objects")));
}

#[test]
fn a_folder_of_pc_samples_says_what_it_is() {
    let trace = Trace::new();
    trace.write();
    let names = r#"{"gfxip":9,"pc_sampling":true,"thread_trace":false,"version":"3.0.0"}"#;
    fs::write(trace.ui().join("filenames.json"), names).unwrap();
    for command in [&["stats"][..], &["check"], &["flamegraph"], &["perfetto", "-o", "-"], &["report"]] {
        let ran = sqtt(trace.root.path(), &[command, &["."]].concat());
        let last = ran.err.lines().last().unwrap();
        assert!(ran.code == 1 && last.contains("dispatch_1: PC samples, and no thread trace"), "{}", ran.err);
    }
    let root = tempfile::tempdir().unwrap();
    fs::write(root.path().join("77_pc_sampling_stochastic.csv"), "").unwrap();
    let ran = sqtt(root.path(), &["stats", "."]);
    let said = "./77_pc_sampling_stochastic.csv: PC samples, and no thread trace beside them";
    assert!(ran.code == 1 && ran.err.contains(said), "{}", ran.err);
}

#[test]
fn an_output_that_is_part_of_a_trace_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("t")).unwrap();
    write(&folder.path().join("t"), &Plan { records: 100, ..Plan::default() }).unwrap();
    fs::write(folder.path().join("t/0.att"), "raw").unwrap();
    fs::write(folder.path().join("t/k.out"), code_object(b"K:k\0")).unwrap();
    let ui = "t/ui_output_agent_1_dispatch_1";
    for output in ["t/ui_output_agent_1_dispatch_1/occupancy.json", "t/0.att", "t/k.out"] {
        let before = fs::read(folder.path().join(output)).unwrap();
        for option in ["-o", "--ledger"] {
            let ran = sqtt(folder.path(), &["stats", ui, option, output]);
            assert!(ran.code == 1 && ran.err.contains("it is part of a trace"), "{output}: {}", ran.err);
            assert!(fs::read(folder.path().join(output)).unwrap() == before, "{output}");
        }
    }
    for _ in 0..2 {
        let ran = sqtt(folder.path(), &["stats", ui, "-o", "t/stats.txt"]);
        assert_eq!(ran.code, 0, "{}", ran.err);
    }
}

#[test]
fn an_output_that_is_an_input_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let object = folder.path().join("k.co");
    fs::write(&object, code_object(b"K:k\0U:1:outer\n")).unwrap();
    let before = fs::read(&object).unwrap();
    let trace = small();
    let root = trace.root.path().to_str().unwrap();
    for command in ["stats", "print", "report"] {
        let ran = sqtt(folder.path(), &[command, "-c", "k.co", root, "-o", "k.co"]);
        assert!(ran.code == 1 && ran.err.contains("it is the input k.co"), "{}", ran.err);
        assert!(fs::read(&object).unwrap() == before, "{command}");
    }
}
