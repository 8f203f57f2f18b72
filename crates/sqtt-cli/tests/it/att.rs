//! `sqtt att`: what is written and read again gives the same answers.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::command::sqtt;
use crate::traces::Trace;
use serde_json::Value;
use sqtt_decoder::generate::{Plan, Writer, write};

/// Every file below a folder, with its bytes.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let (name, path) = (PathBuf::from(entry.file_name()), entry.path());
        if path.is_dir() {
            files.extend(self::files(&path).into_iter().map(|(inner, bytes)| (name.join(inner), bytes)));
        } else {
            files.insert(name, std::fs::read(&path).unwrap());
        }
    }
    files
}

/// Answers from a folder, without what only the words as they were traced can say.
fn answers(root: &Path, trace: &str) -> Vec<Value> {
    let ran = sqtt(root, &["print", "--json", trace]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let lines = ran.out.lines().map(|line| serde_json::from_str(line).unwrap());
    let strip = |mut line: Value| {
        for field in ["folder", "raw", "arrival", "shader_clock"] {
            line.as_object_mut().unwrap().remove(field);
        }
        line
    };
    lines.map(strip).collect()
}

/// The example, copied.
fn example(root: &Path) -> PathBuf {
    let data = test_data::find("ui-example");
    let trace = root.join("trace");
    copy(&data, &trace);
    trace
}

fn copy(from: &Path, to: &Path) {
    for (name, bytes) in files(from) {
        let path = to.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }
}

const UI: &str = "ui_output_agent_1_dispatch_1";

#[test]
fn generated_traces_give_the_same_answers_with_and_without_their_code_objects() {
    for (packed, writer) in [(true, Writer::Rocprofv3), (true, Writer::AttTool), (false, Writer::Rocprofv3)] {
        let root = tempfile::tempdir().unwrap();
        let trace = root.path().join("trace");
        let plan = Plan {
            packed,
            writer,
            records: 4000,
            records_per_file: 300,
            cus: 1,
            slots: 1,
            ..Plan::default()
        };
        write(&trace, &plan).unwrap();
        std::fs::write(trace.join(UI).join("se0_sm0_sl0_wv0.json"), "any\0thing").unwrap();
        let before = answers(root.path(), "trace");
        assert!(before.len() > 500);

        let ran = sqtt(root.path(), &["att", "trace", "-o", "out"]);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""));
        assert_eq!(ran.out, format!("out/{UI}\n"));
        // No code objects are near the output: code.json has the names.
        assert_eq!(answers(root.path(), "out"), before);
        let objects = trace.join("1234_gfx1200_code_object_id_7.out");
        let args = ["print", "--json", "-c", objects.to_str().unwrap(), "out"];
        assert_eq!(sqtt(root.path(), &args).out.lines().count(), before.len());

        let (old, new) = (files(&trace.join(UI)), files(&root.path().join("out").join(UI)));
        for name in ["occupancy.json", "realtime.json", "se0_sm0_sl0_wv0.json"] {
            assert_eq!(old[Path::new(name)], new[Path::new(name)], "{name}");
        }
        let records = |files: &BTreeMap<PathBuf, Vec<u8>>| -> Vec<(i64, u64)> {
            let text = |bytes: &Vec<u8>| serde_json::from_slice::<Value>(bytes).unwrap();
            let shader = files.iter().filter(|(name, _)| name.to_string_lossy().starts_with("shaderdata_0"));
            let rows = shader.flat_map(|(_, bytes)| text(bytes)["records"].as_array().unwrap().clone());
            rows.map(|row| (row[0].as_i64().unwrap(), row[1].as_u64().unwrap())).collect()
        };
        if packed {
            let records = records(&new);
            assert!(records.is_sorted_by_key(|(time, _)| *time));
            assert!(records.iter().all(|(_, value)| *value < 32), "plain words of ids below 8");
        } else {
            assert_eq!(records(&new), records(&old));
        }

        let again = sqtt(root.path(), &["att", "out", "-o", "twice"]);
        assert_eq!((again.code, again.err.as_str()), (0, ""));
        assert!(files(&root.path().join("twice").join(UI)) == new, "the second time changes nothing");
    }
}

#[test]
fn no_decode_markers_adds_the_tables_and_nothing_else() {
    let root = tempfile::tempdir().unwrap();
    let trace = root.path().join("trace");
    write(&trace, &Plan { packed: true, records: 2000, cus: 1, slots: 1, ..Plan::default() }).unwrap();
    assert_eq!(sqtt(root.path(), &["att", "--no-decode-markers", "trace", "-o", "out"]).code, 0);
    let (mut old, mut new) = (files(&trace.join(UI)), files(&root.path().join("out").join(UI)));
    let (old_code, new_code) =
        (old.remove(Path::new("code.json")).unwrap(), new.remove(Path::new("code.json")).unwrap());
    assert!(old == new);
    let code: Value = serde_json::from_slice(&new_code).unwrap();
    assert_eq!(code["sqtt_funcmap_layout"].to_string(), "[[7,12,4]]");
    assert_eq!(code["sqtt_funcmap"].as_array().unwrap().len(), 5);
    assert!(new_code.starts_with(&old_code[..old_code.len() - 1]));
    assert_eq!(answers(root.path(), "out"), answers(root.path(), "trace"));
}

#[test]
#[ignore = "it reads the shared test data"]
fn the_example_is_normalised_and_its_waves_are_the_same() {
    let root = tempfile::tempdir().unwrap();
    let trace = example(root.path());
    let ran = sqtt(root.path(), &["att", "trace", "-o", "out"]);
    assert_eq!(ran.code, 0);
    // The example's own tables are what its code objects say.
    let code = |folder: &Path| -> Value {
        serde_json::from_slice(&std::fs::read(folder.join(UI).join("code.json")).unwrap()).unwrap()
    };
    let (old, new) = (code(&trace), code(&root.path().join("out")));
    assert_eq!(old["code"], new["code"]);
    for table in ["sqtt_funcmap_layout", "sqtt_funcmap_payloads"] {
        assert_eq!(old[table], new[table], "{table}");
    }
    let rows = |code: &Value| -> std::collections::BTreeSet<String> {
        code["sqtt_funcmap"].as_array().unwrap().iter().map(ToString::to_string).collect()
    };
    assert_eq!(rows(&old).len(), rows(&new).len());
    assert_eq!(answers(root.path(), "out"), answers(root.path(), "trace"));
}

#[test]
fn filters_choose_records() {
    let root = tempfile::tempdir().unwrap();
    write(
        &root.path().join("trace"),
        &Plan { packed: true, records: 2000, simds: 1, slots: 1, ..Plan::default() },
    )
    .unwrap();
    let ran = sqtt(root.path(), &["att", "--se", "1", "--cu", "0", "trace", "-o", "out"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let wanted = answers(root.path(), "trace")
        .into_iter()
        .filter(|line| line["se"] == 1 && line["cu"] == 0)
        .collect::<Vec<_>>();
    let got: Vec<Value> = answers(root.path(), "out");
    assert!(wanted.len() > 100);
    assert_eq!(got, wanted);
    assert!(!root.path().join("out").join(UI).join("shaderdata_0_0.json").exists());
}

#[test]
fn several_folders_keep_their_places() {
    let root = tempfile::tempdir().unwrap();
    for (host, seed) in [("a/x", 1), ("b", 2)] {
        let folder = root.path().join("trace").join(host);
        std::fs::create_dir_all(&folder).unwrap();
        write(&folder, &Plan { seed, records: 500, cus: 1, slots: 1, ..Plan::default() }).unwrap();
    }
    let ran = sqtt(root.path(), &["att", "trace/a", "trace/b", "-o", "out"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert_eq!(ran.out, format!("out/a/x/{UI}\nout/b/{UI}\n"));
    assert_eq!(answers(root.path(), "out").len(), answers(root.path(), "trace").len());
}

#[test]
fn what_is_wrong_is_said_and_nothing_is_left() {
    let root = tempfile::tempdir().unwrap();
    let trace = root.path().join("trace");
    write(&trace, &Plan { records: 500, ..Plan::default() }).unwrap();
    let before = files(root.path());
    let ran = sqtt(root.path(), &["att", "trace"]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("give the folder to write with -o"), "{}", ran.err);
    let ran = sqtt(root.path(), &["att", "trace", "-o", "trace"]);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("trace: is there already"), "{}", ran.err);
    let inside = format!("trace/{UI}/out");
    let ran = sqtt(root.path(), &["att", "trace", "-o", &inside]);
    assert!(ran.code == 1 && ran.err.contains("is inside of the trace folder"), "{}", ran.err);
    let ran = sqtt(root.path(), &["att", "nowhere", "-o", "out"]);
    assert!(ran.code == 1 && ran.err.contains("nowhere"), "{}", ran.err);
    assert!(files(root.path()) == before);
    let ran = sqtt(root.path(), &["att", "trace", "-o", "no/such/parent"]);
    assert_eq!(ran.code, 1);
    assert_eq!(std::fs::read_dir(root.path()).unwrap().count(), 1);
}

#[test]
fn an_empty_trace_is_an_error_and_broken_files_are_losses() {
    let root = tempfile::tempdir().unwrap();
    let ui = root.path().join("trace").join(UI);
    std::fs::create_dir_all(&ui).unwrap();
    std::fs::write(ui.join("occupancy.json"), "{}").unwrap();
    let ran = sqtt(root.path(), &["att", "trace", "-o", "out"]);
    assert!(ran.code == 1 && ran.err.contains("no wave data"), "{}", ran.err);
    assert!(!root.path().join("out").exists());

    let mut trace = Trace::of_one_wave("M:shader_clock_bits=12;shader_clock_shift=4\nU:1:a\"b\\;\n");
    trace.words(&[0x0010_0006, 0x0050_0001]);
    trace.write();
    std::fs::write(trace.ui().join("code.json"), "{\"code\": [1, 2").unwrap();
    std::fs::write(trace.ui().join("filenames.json"), "nonsense").unwrap();
    let ran = sqtt(trace.root.path(), &["att", ".", "-o", "../out_of_broken"]);
    let out = trace.root.path().parent().unwrap().join("out_of_broken");
    let again = sqtt(trace.root.path(), &["print", out.to_str().unwrap()]);
    std::fs::remove_dir_all(&out).unwrap();
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.err.contains("1 files cut off"), "{}", ran.err);
    assert!(again.out.contains("enter a\"b\\;"), "{}", again.out);
    assert_eq!(again.err, "");
}
