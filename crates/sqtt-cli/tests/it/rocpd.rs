//! `sqtt rocpd` from the outside: arguments, output, exit codes.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use rocpd::Guid;
use rocpd::counters::{CountersTarget, CountersWriter, CsvCountersWriter};
use rocpd::{NodeId, NodeInfo, ProcessInfo};
use rocpd_samples::Sample;

fn sqtt(args: &[&str], folder: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_sqtt")).arg("rocpd").args(args).current_dir(folder).output().unwrap()
}

fn good(args: &[&str], folder: &Path) -> String {
    let output = sqtt(args, folder);
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn bad(args: &[&str], folder: &Path) -> String {
    let output = sqtt(args, folder);
    assert_eq!(output.status.code(), Some(1), "{args:?}");
    String::from_utf8(output.stderr).unwrap()
}

fn json(args: &[&str], folder: &Path) -> serde_json::Value {
    serde_json::from_str(&good(args, folder)).unwrap()
}

fn run() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_path_buf();
    let sample = Sample::default();
    sample.write_sdk(&path.join("sdk.db"), Guid::random()).unwrap();
    sample.write_native(&path.join("native.db"), Guid::random()).unwrap();
    (folder, path)
}

#[test]
fn merge_reports_repeats_and_replaces() {
    let (_keep, folder) = run();
    let merge = ["merge", "--sdk", "sdk.db", "--native", "native.db"];
    let before = std::fs::read(folder.join("sdk.db")).unwrap();
    let text = good(&[&merge[..], &["--read-only-out", "c.csv"]].concat(), &folder);
    assert!(text.contains("read 24 of 24 counter values") && text.contains("12 rows in c.csv"), "{text}");
    assert_eq!(std::fs::read(folder.join("sdk.db")).unwrap(), before);
    assert!(good(&merge, &folder).starts_with("merged 24 of 24 counter values\n"));
    assert!(good(&merge, &folder).starts_with("merged before: 24 counter values are there; nothing changed"));
    let report = json(&[&merge[..], &["--replace", "--json"]].concat(), &folder);
    assert_eq!((&report["outcome"], &report["removed_rows"]), (&"replaced".into(), &24.into()));
    assert_eq!(
        good(&["pmc-perf", "sdk.db", "-o", "-"], &folder),
        std::fs::read_to_string(folder.join("c.csv")).unwrap()
    );
    let error = bad(&["merge", "--sdk", "sdk.db", "--native", "missing.db"], &folder);
    assert!(error.contains("missing.db: open: No such file"), "{error}");
    assert!(!folder.join("missing.db").exists());
}

#[test]
fn pmc_perf_has_both_forms_progress_and_closed_pipes() {
    let (_keep, folder) = run();
    good(&["merge", "--sdk", "sdk.db", "--native", "native.db"], &folder);
    let report = json(&["pmc-perf", "sdk.db", "sdk.db", "-o", "p.csv", "--columns", "17", "--json"], &folder);
    assert_eq!(report["rows"], 24);
    let csv = std::fs::read_to_string(folder.join("p.csv")).unwrap();
    assert!(csv.starts_with("GPU_ID,GUID,Correlation_Id,Dispatch_ID,") && csv.lines().count() == 25, "{csv}");
    let output = sqtt(&["pmc-perf", "sdk.db", "-o", "p.csv", "--progress", "always"], &folder);
    assert!(String::from_utf8(output.stderr).unwrap().contains("export: 12 of 12 (100 %)"));
    assert!(bad(&["pmc-perf", "sdk.db", "-o", "-", "--json"], &folder).contains("stdout is taken"));
    assert!(bad(&["pmc-perf", ".", "-o", "nowhere/p.csv"], &folder).contains("nowhere"));
    // A failing export leaves neither half a file nor a changed one.
    std::fs::write(folder.join("broken.db"), "no").unwrap();
    assert!(
        bad(&["pmc-perf", "sdk.db", "broken.db", "-o", "p.csv"], &folder).contains("not an SQLite database")
    );
    assert_eq!(std::fs::read_to_string(folder.join("p.csv")).unwrap().lines().count(), 13);
    let mut child = Command::new(env!("CARGO_BIN_EXE_sqtt"))
        .args(["rocpd", "pmc-perf", "-o", "-"])
        .args(vec!["sdk.db"; 400])
        .current_dir(&folder)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
}

#[test]
fn folders_csv_import_info_and_check() {
    let folder = tempfile::tempdir().unwrap();
    let pass = folder.path().join("out/pmc_1");
    std::fs::create_dir_all(pass.join("host")).unwrap();
    Sample::default().write_sdk(&pass.join("host/4711_results.db"), Guid::random()).unwrap();
    let (node, process) = (NodeInfo::default(), ProcessInfo::new(NodeId(0), 4711));
    let target = CountersTarget::new(pass.clone(), node, process);
    let mut writer: Box<dyn CountersWriter> = Box::new(CsvCountersWriter::create(&target).unwrap());
    Sample::default().record(writer.as_mut()).unwrap();
    writer.finish().unwrap();

    good(&["pmc-perf", "."], folder.path());
    let from_csv = std::fs::read_to_string(folder.path().join("pmc_perf.csv")).unwrap();
    let text = good(&["import-csv", "4711_native_counter_collection.csv"], &pass);
    assert_eq!(text, "24 counter values of process 4711 in 4711_native_counter_collection.db\n");
    assert!(bad(&["import-csv", "4711_native_counter_collection.csv"], &pass).contains("the file exists"));
    good(&["pmc-perf", "out", "-o", "again.csv"], folder.path());
    assert_eq!(std::fs::read_to_string(folder.path().join("again.csv")).unwrap(), from_csv);

    let sdk = "host/4711_results.db";
    good(&["merge", "--sdk", sdk, "--native", "4711_native_counter_collection.db"], &pass);
    let text = good(&["info", sdk], &pass);
    assert!(text.contains("process 4711 on host: ./vcopy") && text.contains("merged: 24 rows"), "{text}");
    assert_eq!(json(&["info", sdk, "--json"], &pass)["guids"][0]["rows"]["pmc_event"], 24);
    assert_eq!(good(&["check", sdk], &pass), format!("{sdk}: good\n"));
    let db = rusqlite::Connection::open(pass.join(sdk)).unwrap();
    db.execute_batch("DROP VIEW counters_collection").unwrap();
    drop(db);
    assert!(bad(&["check", sdk], &pass).contains("1 errors"));
    assert!(good(&["--help"], &pass).contains("pmc-perf"));
    assert!(good(&["merge", "--help"], &pass).contains("Examples:"));
}

#[test]
fn no_database_is_overwritten_by_a_table() {
    let (_keep, folder) = run();
    std::fs::hard_link(folder.join("native.db"), folder.join("same.db")).unwrap();
    std::fs::copy(folder.join("native.db"), folder.join("other.db")).unwrap();
    let merge = ["merge", "--sdk", "sdk.db", "--native", "native.db", "--read-only-out"];
    let before = |name: &str| std::fs::read(folder.join(name)).unwrap();
    for (args, output, why) in [
        (&["pmc-perf", "sdk.db", "-o"][..], "sdk.db", "it is the input"),
        (&merge, "sdk.db", "it is the input"),
        (&merge, "native.db", "it is the input"),
        (&merge, "same.db", "it is the input"),
        (&merge, "other.db", "it is an SQLite database"),
    ] {
        let bytes = before(output);
        let error = bad(&[args, &[output]].concat(), &folder);
        assert!(error.contains(output) && error.contains(why), "{error}");
        assert!(before(output) == bytes, "{args:?} {output}");
    }
}

#[test]
fn names_of_a_database_control_no_terminal() {
    let (_keep, folder) = run();
    let db = rusqlite::Connection::open(folder.join("sdk.db")).unwrap();
    let tables = "SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'rocpd_info_process%'";
    let table: String = db.query_row(tables, [], |row| row.get(0)).unwrap();
    db.execute(&format!("UPDATE {table} SET command = ?1"), ["./a\x1b[31m\nguid forged"]).unwrap();
    drop(db);
    let text = good(&["info", "sdk.db"], &folder);
    assert!(text.contains(r"./a\u{1b}[31m\nguid forged") && !text.contains('\x1b'), "{text}");
    // A warning and an error name files.
    let name = "b\x1b[2Jd.db";
    std::fs::rename(folder.join("sdk.db"), folder.join(name)).unwrap();
    let output = sqtt(&["pmc-perf", name, "-o", "p.csv"], &folder);
    let text = [output.stdout, output.stderr].concat();
    assert!(!text.contains(&0x1b) && !text.is_empty(), "{}", String::from_utf8_lossy(&text));
}

#[test]
fn an_error_says_its_cause_once() {
    let (_keep, folder) = run();
    for args in [&["info", "missing.db"][..], &["pmc-perf", "sdk.db", "-o", "missing/p.csv"]] {
        let error = bad(args, &folder);
        let causes = error.matches("No such file").count() + error.matches("there is no folder").count();
        assert_eq!(causes, 1, "{error}");
    }
}
