//! Merging on real files: what must match, what must be refused, what must stay as it was.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::support::{Folder, counters, execute, make_3_0_3, quiet, suffix};
use rocpd::counters::EventLayout;
use rocpd::merge::Outcome;
use rocpd::*;
use rocpd_samples::{Sample, consolidate};
use rusqlite::Connection;

fn again() -> MergeOptions {
    MergeOptions::default().replace(true)
}

/// The counters, from the sample's own description.
fn expected(samples: &[Sample]) -> Vec<(i64, i64, String, f64)> {
    let mut rows = Vec::new();
    for sample in samples {
        for dispatch in 1..=sample.dispatches {
            for counter in 0..sample.counters {
                let sum = (0..sample.instances).map(|i| sample.value(dispatch, counter, i)).sum();
                rows.push((sample.pid, dispatch.cast_signed(), format!("COUNTER_{counter}"), sum));
            }
        }
    }
    rows.sort_by(|a, b| (a.0, a.1, &a.2).cmp(&(b.0, b.1, &b.2)));
    rows
}

#[test]
fn values_reach_their_dispatches_in_both_layouts() {
    for layout in [EventLayout::PerDispatch, EventLayout::PerRecord] {
        let folder = Folder::new();
        let sample = Sample { layout, ..Sample::default() };
        let (sdk, native) = folder.pair(&sample);
        let report = merge(&sdk, &native, MergeOptions::default(), &mut quiet()).unwrap();
        assert_eq!(report.outcome, Outcome::Merged);
        assert_eq!((report.native_rows, report.merged_rows, report.unmatched.total()), (24, 24, 0));
        assert_eq!(report.pairs.len(), 1);
        assert_eq!((report.pairs[0].dispatches, report.pairs[0].hidden_dispatches), (4, 0));
        assert_eq!(counters(&sdk), expected(&[sample]), "{layout:?}");
    }
}

#[test]
fn merging_again_changes_nothing_and_replace_gives_the_same() {
    let folder = Folder::new();
    let sample = Sample::default();
    let (sdk, native) = folder.pair(&sample);
    merge(&sdk, &native, MergeOptions::default(), &mut quiet()).unwrap();
    let bytes = fs::read(&sdk).unwrap();
    let report = merge(&sdk, &native, MergeOptions::default(), &mut quiet()).unwrap();
    assert_eq!((report.outcome, report.merged_rows), (Outcome::AlreadyMerged, 24));
    assert_eq!(fs::read(&sdk).unwrap(), bytes);
    let report = merge(&sdk, &native, again(), &mut quiet()).unwrap();
    assert_eq!((report.outcome, report.merged_rows, report.removed_rows), (Outcome::Replaced, 24, 24));
    assert_eq!(counters(&sdk), expected(&[sample]));
}

#[test]
fn replace_removes_only_what_its_ledger_identifies() {
    let folder = Folder::new();
    let one = Sample::default();
    let two = Sample { pid: 4712, dispatches: 2, ..Sample::default() };
    let (a, b) = (folder.pair(&one), folder.pair(&two));
    let both = folder.path("both.db");
    consolidate(&[a.0, b.0], &both).unwrap();
    merge(&both, &a.1, MergeOptions::default(), &mut quiet()).unwrap();
    merge(&both, &b.1, MergeOptions::default(), &mut quiet()).unwrap();
    let report = merge(&both, &a.1, again(), &mut quiet()).unwrap();
    assert_eq!((report.removed_rows, report.merged_rows), (24, 24));
    assert_eq!(counters(&both), expected(&[one, two]));
    // A file of another run of the same process would double the values.
    let other = folder.path("other.db");
    Sample::default().write_native(&other, Guid::random()).unwrap();
    for options in [MergeOptions::default(), again()] {
        let error = merge(&both, &other, options, &mut quiet()).unwrap_err();
        assert!(matches!(error, Error::Ledger { .. }), "{error}");
    }
}

#[test]
fn a_target_with_values_of_unknown_origin_is_refused_with_replace_too() {
    let folder = Folder::new();
    let (sdk, native) = folder.pair(&Sample::default());
    let table = format!("rocpd_pmc_event{}", suffix(&sdk));
    execute(&sdk, &format!("INSERT INTO {table} (event_id, pmc_id, value) VALUES (6, 65536, 1.0)"));
    let bytes = fs::read(&sdk).unwrap();
    for options in [MergeOptions::default(), again()] {
        let error = merge(&sdk, &native, options, &mut quiet()).unwrap_err();
        assert!(matches!(error, Error::UnknownOrigin { rows: 1, .. }), "{error}");
        assert_eq!(fs::read(&sdk).unwrap(), bytes);
    }
    // After a merge, a row that somebody adds is unknown again.
    execute(&sdk, &format!("DELETE FROM {table}"));
    merge(&sdk, &native, MergeOptions::default(), &mut quiet()).unwrap();
    execute(&sdk, &format!("INSERT INTO {table} (event_id, pmc_id, value) VALUES (6, 65536, 1.0)"));
    assert!(matches!(merge(&sdk, &native, again(), &mut quiet()), Err(Error::UnknownOrigin { rows: 1, .. })));
}

#[test]
fn a_compacted_target_is_noticed_and_replace_brings_the_values_back() {
    let folder = Folder::new();
    let sample = Sample::default();
    let (sdk, native) = folder.pair(&sample);
    merge(&sdk, &native, MergeOptions::default(), &mut quiet()).unwrap();
    execute(&sdk, &format!("DELETE FROM rocpd_pmc_event{}", suffix(&sdk)));
    let error = merge(&sdk, &native, MergeOptions::default(), &mut quiet()).unwrap_err().to_string();
    assert!(error.contains("24 counter values") && error.contains("0 are there"), "{error}");
    merge(&sdk, &native, again(), &mut quiet()).unwrap();
    assert_eq!(counters(&sdk), expected(&[sample]));
}

#[test]
fn consolidated_files_of_several_guids_with_equal_keys_stay_apart() {
    // Equal dispatch numbers, event ids and counter keys under every guid: only joins on the guid tell them apart.
    let folder = Folder::new();
    let samples: Vec<Sample> = (0..4).map(|i| Sample { pid: 100 + i, ..Sample::default() }).collect();
    let pairs: Vec<(PathBuf, PathBuf)> = samples.iter().map(|sample| folder.pair(sample)).collect();
    let (sdk, native) = (folder.path("sdk.db"), folder.path("native.db"));
    consolidate(&pairs.iter().map(|pair| pair.0.clone()).collect::<Vec<_>>(), &sdk).unwrap();
    consolidate(&pairs.iter().rev().map(|pair| pair.1.clone()).collect::<Vec<_>>(), &native).unwrap();
    let report = merge(&sdk, &native, MergeOptions::default(), &mut quiet()).unwrap();
    assert_eq!((report.merged_rows, report.pairs.len(), report.unmatched.total()), (96, 4, 0));
    assert_eq!(counters(&sdk), expected(&samples));
}

#[test]
fn equal_pids_are_told_apart_by_node_and_start_or_refused() {
    let folder = Folder::new();
    let a = Sample { host: "a".into(), ..Sample::default() };
    let b = Sample { host: "b".into(), dispatches: 2, ..Sample::default() };
    let (pa, pb) = (folder.pair(&a), folder.pair(&b));
    let (sdk, native) = (folder.path("sdk.db"), folder.path("native.db"));
    consolidate(&[pa.0, pb.0], &sdk).unwrap();
    consolidate(&[pb.1, pa.1], &native).unwrap();
    let report = merge(&sdk, &native, MergeOptions::default(), &mut quiet()).unwrap();
    assert_eq!((report.merged_rows, report.unmatched.total()), (36, 0));
    assert_eq!(counters(&sdk).len(), 18);

    let early = Sample::default();
    let late = Sample { start: 5_000_000_000, dispatches: 1, ..Sample::default() };
    let (pe, pl) = (folder.pair(&early), folder.pair(&late));
    let sdk = folder.path("reused.db");
    consolidate(&[pe.0.clone(), pl.0.clone()], &sdk).unwrap();
    let report = merge(&sdk, &pl.1, MergeOptions::default(), &mut quiet()).unwrap();
    assert_eq!((report.merged_rows, report.unmatched.total()), (6, 0));

    let sdk = folder.path("ambiguous.db");
    let twin = folder.pair(&early);
    consolidate(&[pe.0, twin.0], &sdk).unwrap();
    let bytes = fs::read(&sdk).unwrap();
    let error = merge(&sdk, &pe.1, MergeOptions::default(), &mut quiet()).unwrap_err();
    assert!(matches!(error, Error::Ambiguous { .. }), "{error}");
    assert_eq!(fs::read(&sdk).unwrap(), bytes);
}

#[test]
fn process_keys_need_not_be_process_ids() {
    // profiler-hub numbers processes from 0; the operating system's id is in the column `pid`.
    let folder = Folder::new();
    let sample = Sample::default();
    let (sdk, native) = folder.pair(&sample);
    let s = suffix(&native);
    execute(&native, &format!("UPDATE rocpd_info_process{s} SET id = 0"));
    for table in ["info_pmc", "info_agent"] {
        execute(&native, &format!("UPDATE rocpd_{table}{s} SET pid = 0"));
    }
    merge(&sdk, &native, MergeOptions::default(), &mut quiet()).unwrap();
    assert_eq!(counters(&sdk), expected(&[sample]));
}

#[test]
fn counters_of_the_dispatchs_agent_are_preferred_and_never_multiplied() {
    // Two GPUs of different kinds: one symbol, two rows. Dispatches alternate between agents 1 and 2.
    let folder = Folder::new();
    let sample = Sample { agents: 2, ..Sample::default() };
    let (sdk, native) = folder.pair(&sample);
    let s = suffix(&sdk);
    // Homogeneous: one row whose agent is the first GPU serves dispatches on both.
    let homogeneous = folder.path("homogeneous.db");
    fs::copy(&sdk, &homogeneous).unwrap();
    merge(&homogeneous, &native, MergeOptions::default(), &mut quiet()).unwrap();
    assert_eq!(counters(&homogeneous), expected(std::slice::from_ref(&sample)));
    execute(
        &sdk,
        &format!(
            "INSERT INTO rocpd_info_pmc{s} (id, nid, pid, agent_id, target_arch, name, symbol) \
             SELECT id + 1000, nid, pid, 2, target_arch, name, symbol FROM rocpd_info_pmc{s}"
        ),
    );
    let report = merge(&sdk, &native, MergeOptions::default(), &mut quiet()).unwrap();
    assert_eq!((report.merged_rows, report.unmatched.total()), (24, 0));
    assert_eq!(counters(&sdk), expected(&[sample]));
    let db = Connection::open(&sdk).unwrap();
    let wrong: i64 = db
        .query_row(
            "SELECT count(*) FROM rocpd_pmc_event V JOIN rocpd_info_pmc I ON I.id = V.pmc_id \
             JOIN rocpd_kernel_dispatch K ON K.event_id = V.event_id WHERE I.agent_id <> K.agent_id",
            [],
            |row| row.get(0),
        )
        .unwrap();
    assert_eq!(wrong, 0);
}

#[test]
fn unmatched_values_are_counted_by_reason() {
    let folder = Folder::new();
    let sample = Sample { dispatches: 6, counters: 4, instances: 1, ..Sample::default() };
    let (sdk, native) = folder.pair(&sample);
    let (s, n) = (suffix(&sdk), suffix(&native));
    execute(&sdk, &format!("DELETE FROM rocpd_kernel_dispatch{s} WHERE dispatch_id = 1"));
    execute(&sdk, &format!("UPDATE rocpd_kernel_dispatch{s} SET event_id = NULL WHERE dispatch_id = 2"));
    execute(&sdk, &format!("UPDATE rocpd_kernel_dispatch{s} SET tid = NULL WHERE dispatch_id = 6"));
    execute(&sdk, &format!("DELETE FROM rocpd_info_pmc{s} WHERE symbol = 'COUNTER_3'"));
    execute(&native, &format!("UPDATE rocpd_event{n} SET correlation_id = NULL WHERE correlation_id = 3"));
    execute(&native, &format!("UPDATE rocpd_pmc_event{n} SET event_id = NULL WHERE id = 13"));
    execute(&native, &format!("UPDATE rocpd_pmc_event{n} SET pmc_id = 77 WHERE id = 14"));
    let report = merge(&sdk, &native, MergeOptions::default(), &mut quiet()).unwrap();
    let u = report.unmatched;
    assert_eq!((u.unknown_dispatch, u.dispatch_without_event, u.without_dispatch_id), (4, 4, 4));
    assert_eq!((u.without_event, u.without_counter_row, u.unknown_counter, u.unknown_process), (1, 1, 3, 0));
    assert_eq!(report.merged_rows + u.total(), report.native_rows);
    assert_eq!(report.unmatched_symbols, ["COUNTER_3"]);
    assert_eq!(report.pairs[0].hidden_dispatches, 2, "dispatches 2 and 6 are not in the view");
    assert_eq!(counters(&sdk).len(), 4);
}

#[test]
fn files_of_different_runs_are_refused() {
    let folder = Folder::new();
    let (sdk, _) = folder.pair(&Sample::default());
    let (_, native) = folder.pair(&Sample { pid: 9, ..Sample::default() });
    let bytes = fs::read(&sdk).unwrap();
    let error = merge(&sdk, &native, MergeOptions::default(), &mut quiet()).unwrap_err().to_string();
    assert!(error.contains("none of 24 counter values") && error.contains("[9]"), "{error}");
    assert_eq!(fs::read(&sdk).unwrap(), bytes);
    assert!(matches!(merge(&sdk, &sdk, MergeOptions::default(), &mut quiet()), Err(Error::Ambiguous { .. })));
}

#[test]
fn target_architecture_null_matches_null_only() {
    let folder = Folder::new();
    let (sdk, native) = folder.pair(&Sample::default());
    execute(&sdk, &format!("UPDATE rocpd_info_pmc{} SET target_arch = NULL", suffix(&sdk)));
    assert!(matches!(merge(&sdk, &native, again(), &mut quiet()), Err(Error::NothingMatched { .. })));
    execute(&native, &format!("UPDATE rocpd_info_pmc{} SET target_arch = NULL", suffix(&native)));
    assert_eq!(merge(&sdk, &native, again(), &mut quiet()).unwrap().merged_rows, 24);
}

#[test]
fn ambiguous_targets_are_refused_and_unchanged() {
    let cases: [(&str, &str); 3] = [
        (
            "INSERT INTO rocpd_kernel_dispatch{s} SELECT 99, guid, nid, pid, tid, agent_id, kernel_id, dispatch_id, \
             queue_id, stream_id, start, end, private_segment_size, group_segment_size, workgroup_size_x, \
             workgroup_size_y, workgroup_size_z, grid_size_x, grid_size_y, grid_size_z, region_name_id, 1, extdata \
             FROM rocpd_kernel_dispatch{s} WHERE dispatch_id = 1",
            "more than once",
        ),
        ("UPDATE rocpd_kernel_dispatch{s} SET event_id = 6", "belongs to 4 dispatches"),
        (
            "INSERT INTO rocpd_info_pmc{s} (nid, pid, agent_id, target_arch, name, symbol) SELECT nid, pid, agent_id, \
             target_arch, 'OTHER', symbol FROM rocpd_info_pmc{s} WHERE symbol = 'COUNTER_1'",
            "counter symbol \"COUNTER_1\" is",
        ),
    ];
    for (sql, message) in cases {
        let folder = Folder::new();
        let (sdk, native) = folder.pair(&Sample::default());
        execute(&sdk, &sql.replace("{s}", &suffix(&sdk)));
        let bytes = fs::read(&sdk).unwrap();
        let error = merge(&sdk, &native, MergeOptions::default(), &mut quiet()).unwrap_err();
        assert!(matches!(error, Error::Ambiguous { .. }) && error.to_string().contains(message), "{error}");
        assert_eq!(fs::read(&sdk).unwrap(), bytes);
    }
}

fn refused(sdk: &Path, native: &Path) -> Error {
    let before = fs::read(sdk).ok();
    let options = MergeOptions::default().wait(Duration::from_millis(20));
    let error = merge(sdk, native, options, &mut quiet()).unwrap_err();
    assert_eq!(fs::read(sdk).ok(), before, "{error}");
    error
}

#[test]
fn unusable_files_are_refused_with_the_reason_and_the_target_is_unchanged() {
    let folder = Folder::new();
    let (sdk, native) = folder.pair(&Sample::default());
    let (s, n) = (suffix(&sdk), suffix(&native));
    let copy = |from: &Path, change: &dyn Fn(&Path)| {
        let path = folder.fresh("broken");
        fs::copy(from, &path).unwrap();
        change(&path);
        path
    };
    // Each file is broken as target and as source.
    let both = |change: &dyn Fn(&Path, &str), is: fn(&Error) -> bool, text: &str| {
        let broken = copy(&sdk, &|path| change(path, &s));
        let error = refused(&broken, &native);
        assert!(is(&error) && error.to_string().contains(text), "{error}");
        let broken = copy(&native, &|path| change(path, &n));
        let error = refused(&sdk, &broken);
        assert!(is(&error) && error.to_string().contains(text), "{error}");
    };
    both(&|path, _| fs::write(path, "").unwrap(), |e| matches!(e, Error::Empty { .. }), "the file is empty");
    both(
        &|path, _| fs::write(path, "dispatch_id,gpu_id\n1,2\n").unwrap(),
        |e| matches!(e, Error::NotSqlite { .. }),
        "not an SQLite database",
    );
    both(
        &|path, _| {
            fs::remove_file(path).unwrap();
        },
        |e| matches!(e, Error::Io { source, .. } if source.kind() == std::io::ErrorKind::NotFound),
        ".db: open",
    );
    for version in ["4.0.0", "4.1.0", "2", "", "{{schema_version}}"] {
        both(
            &|path, s| {
                let sql =
                    format!("UPDATE rocpd_metadata{s} SET value = '{version}' WHERE tag = 'schema_version'");
                execute(path, &sql);
            },
            |e| matches!(e, Error::SchemaVersion { .. }),
            "only schema 3",
        );
    }
    both(
        &|path, s| execute(path, &format!("DELETE FROM rocpd_metadata{s}")),
        |e| matches!(e, Error::Unfinished { .. }),
        "did not finish",
    );
    both(
        &|path, s| execute(path, &format!("DROP TABLE rocpd_event{s}")),
        |e| matches!(e, Error::Schema { .. }),
        "rocpd_event_",
    );
    both(
        &|path, s| execute(path, &format!("DROP VIEW rocpd_pmc_event; DROP TABLE rocpd_pmc_event{s}")),
        |e| matches!(e, Error::Schema { .. }),
        "is missing",
    );
    both(
        &|path, s| execute(path, &format!("UPDATE rocpd_metadata{s} SET value = 'abc' WHERE tag = 'uuid'")),
        |e| matches!(e, Error::Schema { .. }),
        "tag uuid is",
    );
    both(
        &|path, _| {
            let db = Connection::open(path).unwrap();
            db.execute_batch("PRAGMA writable_schema = ON; DELETE FROM sqlite_master").unwrap();
        },
        |e| matches!(e, Error::Schema { .. }),
        "no table whose name starts with rocpd_",
    );
    // Page 1 is the schema's; garbage behind its header is corruption.
    both(
        &|path, _| {
            let mut bytes = fs::read(path).unwrap();
            bytes[100..4096].fill(0xff);
            fs::write(path, bytes).unwrap();
        },
        |e| matches!(e, Error::Corrupt { .. }),
        "corrupt",
    );
    // Somebody else is writing.
    let lock = Connection::open(&sdk).unwrap();
    lock.execute_batch("BEGIN IMMEDIATE").unwrap();
    let error = refused(&sdk, &native);
    assert!(matches!(error, Error::Locked { .. }), "{error}");
    drop(lock);
    let lock = Connection::open(&native).unwrap();
    lock.execute_batch("BEGIN EXCLUSIVE").unwrap();
    let error = refused(&sdk, &native);
    assert!(matches!(error, Error::Locked { .. }), "{error}");
    drop(lock);
    // And the good pair merges.
    merge(&sdk, &native, MergeOptions::default(), &mut quiet()).unwrap();
}

#[test]
fn older_and_newer_3_0_files_are_merged() {
    for version in ["3", "3.0.0", "3.0.1", "3.0.2", "3.0.5"] {
        let folder = Folder::new();
        let sample = Sample::default();
        let (sdk, native) = folder.pair(&sample);
        for path in [&sdk, &native] {
            let s = suffix(path);
            execute(
                path,
                &format!("UPDATE rocpd_metadata{s} SET value = '{version}' WHERE tag = 'schema_version'"),
            );
            execute(path, &format!("CREATE TABLE rocpd_something_new{s} (id INTEGER, blob BLOB)"));
            if version == "3.0.5" {
                make_3_0_3(path);
                // A sample of a streaming counter is not a value of the dispatch.
                execute(
                    path,
                    &format!(
                        "INSERT INTO rocpd_pmc_event{s} (event_id, pmc_id, value, sample_id, xcc) \
                         VALUES (1, 65536, 5.0, 1, 0)"
                    ),
                );
            }
        }
        let report = merge(&sdk, &native, MergeOptions::default(), &mut quiet()).unwrap();
        assert_eq!(
            (report.merged_rows, report.sample_rows),
            (24, u64::from(version == "3.0.5")),
            "{version}"
        );
        if version != "3.0.5" {
            assert_eq!(counters(&sdk), expected(&[sample]), "{version}");
        }
    }
}

#[test]
fn stopping_changes_nothing_and_statistics_change_nothing() {
    let folder = Folder::new();
    let sample = Sample { dispatches: 50, counters: 20, ..Sample::default() };
    let (sdk, native) = folder.pair(&sample);
    execute(&sdk, "ANALYZE");
    execute(&native, "ANALYZE");
    let bytes = fs::read(&sdk).unwrap();
    let options = MergeOptions::default().progress_rows(100);
    let mut calls = 0;
    let mut stop = |progress: Progress<'_>| {
        calls += 1;
        assert_eq!(progress.total, Some(2000));
        if calls == 5 { std::ops::ControlFlow::Break(()) } else { std::ops::ControlFlow::Continue(()) }
    };
    assert!(matches!(merge(&sdk, &native, options, &mut stop), Err(Error::Stopped)));
    assert_eq!(calls, 5);
    assert_eq!(fs::read(&sdk).unwrap(), bytes);
    merge(&sdk, &native, options, &mut quiet()).unwrap();
    assert_eq!(counters(&sdk), expected(&[sample]));
}
