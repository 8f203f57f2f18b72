//! Signals while files are written: nothing that is half-written stays.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use sqtt_decoder::generate::{Plan, write};

const HANGUP: i32 = 1;
const INTERRUPT: i32 = 2;
const TERMINATE: i32 = 15;

/// All below a folder.
fn all(folder: &Path) -> BTreeSet<PathBuf> {
    let mut found = BTreeSet::new();
    let Ok(entries) = fs::read_dir(folder) else { return found };
    for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
        found.extend(all(&path));
        found.insert(path);
    }
    found
}

fn start(folder: &Path, args: &[&str]) -> Child {
    // A test run in the background may have been started with signals ignored, which children inherit.
    let mut command = Command::new("env");
    command.arg("--default-signal=INT,TERM,HUP").arg(env!("CARGO_BIN_EXE_sqtt"));
    command.args(args).current_dir(folder).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
}

fn kill(child: &Child, signal: i32) {
    let id = child.id().to_string();
    assert!(Command::new("kill").args([&format!("-{signal}"), &id]).status().unwrap().success());
}

/// Waits until there is something new in the folder. False where the command ended before.
fn wait_for_something(child: &mut Child, folder: &Path, before: &BTreeSet<PathBuf>) -> bool {
    let start = Instant::now();
    while all(folder) == *before {
        if child.try_wait().unwrap().is_some() {
            return false;
        }
        assert!(start.elapsed() < Duration::from_secs(120), "nothing is written");
        std::thread::sleep(Duration::from_millis(1));
    }
    true
}

/// The signal comes when something half-written is there; after it, nothing is but what was before.
fn nothing_stays(folder: &Path, args: &[&str], signal: i32) {
    let before = all(folder);
    let mut child = start(folder, args);
    assert!(wait_for_something(&mut child, folder, &before), "{args:?}: it ended without a temporary file");
    kill(&child, signal);
    let output = child.wait_with_output().unwrap();
    let err = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.signal(), Some(signal), "{args:?}: {:?} {err}", output.status);
    assert!(!err.contains("error"), "{args:?}: {err}");
    let left: Vec<_> = all(folder).difference(&before).cloned().collect();
    assert!(left.is_empty(), "{args:?}: {left:?}");
}

#[test]
fn no_command_leaves_a_file_behind() {
    let root = tempfile::tempdir().unwrap();
    let root = root.path();
    write(&root.join("trace"), &Plan { records: 300_000, ..Plan::default() }).unwrap();
    for (index, args) in [
        &["print", "-o", "x.txt"][..],
        &["print", "--json", "-o", "x.jsonl"],
        &["payloads", "--csv", "-o", "x.csv"],
        &["check", "-o", "x"],
        &["memory-trace", "-o", "x.json"],
        &["perfetto", "-o", "x.json"],
        &["perfetto", "-z", "-o", "x.json.gz"],
        &["att", "-o", "new"],
        &["att", "--no-decode-markers", "-o", "new"],
    ]
    .into_iter()
    .enumerate()
    {
        let signal = [INTERRUPT, TERMINATE, HANGUP][index % 3];
        nothing_stays(root, &[args, &["trace"]].concat(), signal);
    }
}

/// A file that is there already stays as it is.
#[test]
fn the_file_that_would_be_replaced_stays() {
    let root = tempfile::tempdir().unwrap();
    let root = root.path();
    write(&root.join("trace"), &Plan { records: 200_000, ..Plan::default() }).unwrap();
    fs::write(root.join("x.txt"), "before").unwrap();
    nothing_stays(root, &["print", "-o", "x.txt", "trace"], TERMINATE);
    assert_eq!(fs::read_to_string(root.join("x.txt")).unwrap(), "before");
}

#[test]
#[ignore = "it reads the shared test data"]
fn a_folder_that_a_run_would_fill_is_gone() {
    let corpus = test_data::unpack("sim-corpus.tgz");
    let corpus = corpus.path().join("sim-corpus");
    let args = [
        "sim",
        "k000.gfx1100.co",
        "--kernel",
        "kern",
        "--grid",
        "20000",
        "--block",
        "128",
        "--arg",
        "buf:u32:iota:2560000",
        "--arg",
        "buf:u32:2560000",
        "--arg",
        "u32:5",
        "--trace",
        "traced",
    ];
    nothing_stays(&corpus, &args, INTERRUPT);
}

/// A signal that was ignored when the command was started, as nohup does it, stays ignored.
#[test]
fn ignored_signals_stay_ignored() {
    let root = tempfile::tempdir().unwrap();
    let root = root.path();
    write(&root.join("trace"), &Plan { records: 100_000, ..Plan::default() }).unwrap();
    let before = all(root);
    let line = format!("trap '' HUP; exec {} print -o x.txt trace", env!("CARGO_BIN_EXE_sqtt"));
    let mut command = Command::new("sh");
    let mut child = command.args(["-c", &line]).current_dir(root).process_group(0).spawn().unwrap();
    assert!(wait_for_something(&mut child, root, &before));
    kill(&child, HANGUP);
    assert!(child.wait().unwrap().success());
    assert!(root.join("x.txt").exists());
}

/// A merge gives the database back as it was, without SQLite's journal; an import leaves no part of one.
#[test]
fn databases_are_given_back() {
    use rocpd::Guid;
    use rocpd_samples::Sample;

    let root = tempfile::tempdir().unwrap();
    let root = root.path();
    let sample = Sample { dispatches: 40_000, counters: 25, ..Sample::default() };
    sample.write_sdk(&root.join("sdk.db"), Guid::random()).unwrap();
    sample.write_native(&root.join("native.db"), Guid::random()).unwrap();
    let bytes = fs::read(root.join("sdk.db")).unwrap();
    nothing_stays(root, &["rocpd", "merge", "--sdk", "sdk.db", "--native", "native.db"], INTERRUPT);
    assert!(fs::read(root.join("sdk.db")).unwrap() == bytes);
    let csv: String = (0..600_000).map(|row| format!("{},1,1,0,7,SQ_WAVES,{}\n", row + 1, row)).collect();
    let head = "dispatch_id,gpu_id,kernel_id,lds_per_workgroup,counter_id,counter_name,counter_value\n";
    fs::write(root.join("4711_native_counter_collection.csv"), format!("{head}{csv}")).unwrap();
    let import = ["rocpd", "import-csv", "4711_native_counter_collection.csv", "-o", "x.db"];
    nothing_stays(root, &import, TERMINATE);
    let export = ["rocpd", "merge", "--sdk", "sdk.db", "--native", "native.db", "--read-only-out", "x.csv"];
    nothing_stays(root, &export, HANGUP);
}
