//! A merge that is killed, at many points: the target is as it was, or merged, and nothing between.

use std::fs;
use std::io::{Read as _, Write as _};
use std::ops::ControlFlow;
use std::path::Path;
use std::process::{Command, Stdio};

use rocpd::{Guid, MergeOptions, merge};
use rocpd_samples::Sample;
use rusqlite::Connection;

use crate::support::{Folder, counters};

const SDK: &str = "ROCPD_TEST_KILL_SDK";
const NATIVE: &str = "ROCPD_TEST_KILL_NATIVE";
const AT: &str = "ROCPD_TEST_KILL_AT";

/// One call before the first row, one per 500 rows, one when all rows are in but not committed.
const CALLS: usize = 66;

/// Not a test of its own: what the tests below run as a child, and kill. Without their variables it does
/// nothing.
#[test]
fn child_that_merges() {
    let (Ok(sdk), Ok(native)) = (std::env::var(SDK), std::env::var(NATIVE)) else { return };
    let abort_at: u64 = std::env::var(AT).ok().and_then(|text| text.parse().ok()).unwrap_or(u64::MAX);
    let mut calls = 0;
    let options = MergeOptions::default().progress_rows(500);
    let report = merge(Path::new(&sdk), Path::new(&native), options, &mut |_| {
        calls += 1;
        std::io::stderr().write_all(b".").unwrap();
        if calls > abort_at {
            // As hard as a kill: no destructor runs.
            std::process::abort();
        }
        ControlFlow::Continue(())
    });
    assert!(report.is_ok(), "{report:?}");
}

fn child(sdk: &Path, native: &Path, at: Option<u64>) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command
        .args(["--exact", "merge_kill::child_that_merges"])
        .env(SDK, sdk)
        .env(NATIVE, native)
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    if let Some(at) = at {
        command.env(AT, at.to_string());
    }
    command
}

struct Fixture {
    folder: Folder,
    sample: Sample,
}

impl Fixture {
    fn new() -> Self {
        let folder = Folder::new();
        let sample = Sample { dispatches: 400, counters: 40, instances: 2, ..Sample::default() };
        sample.write_sdk(&folder.path("original.db"), Guid::random()).unwrap();
        sample.write_native(&folder.path("native.db"), Guid::random()).unwrap();
        Self { folder, sample }
    }

    fn fresh(&self) -> std::path::PathBuf {
        let path = self.folder.fresh("target");
        fs::copy(self.folder.path("original.db"), &path).unwrap();
        path
    }

    /// Looks at a target after its merge was killed; says whether it is merged.
    fn is_merged(&self, path: &Path) -> bool {
        let db = Connection::open(path).unwrap();
        let one = |sql: &str| -> i64 { db.query_row(sql, [], |row| row.get(0)).unwrap() };
        let rows = one("SELECT count(*) FROM rocpd_pmc_event");
        let ledger = one("SELECT count(*) FROM rocpd_metadata WHERE tag LIKE 'native_merge:%'");
        let check: String = db.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
        assert_eq!(check, "ok");
        match (rows, ledger) {
            (0, 0) => false,
            (32_000, 1) => true,
            other => panic!("neither old nor merged: {other:?}"),
        }
    }

    /// Whatever happened, merging again gives the right values.
    fn recover(&self, path: &Path) {
        let native = self.folder.path("native.db");
        merge(path, &native, MergeOptions::default(), &mut rocpd::silent).unwrap();
        let rows = counters(path);
        assert_eq!(rows.len(), 16_000);
        let total: f64 = rows.iter().map(|row| row.3).sum();
        let mut expected = 0.0;
        for (dispatch, counter) in (1..=400).flat_map(|d| (0..40).map(move |c| (d, c))) {
            expected += (0..2).map(|i| self.sample.value(dispatch, counter, i)).sum::<f64>();
        }
        assert_eq!(total, expected);
    }
}

#[test]
fn aborted_between_rows() {
    let fixture = Fixture::new();
    let native = fixture.folder.path("native.db");
    for at in (0..66).step_by(5).chain([63, 64, 65]) {
        let target = fixture.fresh();
        let status = child(&target, &native, Some(at)).status().unwrap();
        let merged = fixture.is_merged(&target);
        assert_eq!(status.success(), merged, "call {at}");
        assert_eq!(merged, at > 65, "call {at}");
        if at % 20 == 0 {
            fixture.recover(&target);
        }
    }
}

#[test]
fn aborted_in_a_target_in_wal_mode() {
    // Other tools leave consolidated files in this mode; a merge keeps it.
    let fixture = Fixture::new();
    let native = fixture.folder.path("native.db");
    for at in [0, 30, 65, 66] {
        let target = fixture.fresh();
        let mode = || -> String {
            let db = Connection::open(&target).unwrap();
            db.query_row("PRAGMA journal_mode", [], |row| row.get(0)).unwrap()
        };
        Connection::open(&target).unwrap().execute_batch("PRAGMA journal_mode = WAL").unwrap();
        let status = child(&target, &native, Some(at)).status().unwrap();
        assert_eq!(status.success(), fixture.is_merged(&target), "call {at}");
        assert_eq!(mode(), "wal");
        fixture.recover(&target);
        assert_eq!(mode(), "wal");
    }
}

/// The kill comes while the merge goes on behind a call: in the next rows; and in the commit, which writes the rows to
/// the file, at once or when that has grown.
#[test]
fn killed_at_any_time() {
    let fixture = Fixture::new();
    let native = fixture.folder.path("native.db");
    let size = |path: &Path| fs::metadata(path).unwrap().len();
    let mut merged = 0;
    // As often at the last call as at all before it.
    for (step, at) in (1..66).step_by(3).chain([CALLS; 20]).enumerate() {
        let target = fixture.fresh();
        let before = size(&target);
        let mut process = child(&target, &native, None).stderr(Stdio::piped()).spawn().unwrap();
        process.stderr.as_mut().unwrap().read_exact(&mut vec![0; at]).unwrap();
        let is_old = || size(&target) == before;
        while at == CALLS && step % 2 == 0 && is_old() && process.try_wait().unwrap().is_none() {}
        let _ = process.kill();
        process.wait().unwrap();
        merged += u32::from(fixture.is_merged(&target));
        if step % 13 == 0 {
            fixture.recover(&target);
        }
    }
    eprintln!("{merged} were merged already");
}
