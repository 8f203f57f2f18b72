//! The profile of a run, as a database.

use std::collections::BTreeMap;
use std::fs;

use crate::support::{Program, texts};
use rocpd::ExportOptions;
use rusqlite::Connection;

/// The rows of a query, each as text joined by `|`.
fn rows(db: &Connection, sql: &str) -> Vec<String> {
    let mut statement = db.prepare(sql).unwrap();
    let columns = statement.column_count();
    let text = |value: rusqlite::types::Value| match value {
        rusqlite::types::Value::Integer(number) => number.to_string(),
        rusqlite::types::Value::Text(text) => text,
        other => format!("{other:?}"),
    };
    let row =
        |row: &rusqlite::Row<'_>| Ok((0..columns).map(|k| text(row.get(k).unwrap())).collect::<Vec<_>>());
    statement.query_map([], row).unwrap().map(|row| row.unwrap().join("|")).collect()
}

#[test]
fn a_run_leaves_a_database_with_all_that_happened_and_exact_counters() {
    let program = Program::build("profile.hip", "gfx90a");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.db");
    let mut command = program.command(&[]);
    command.env("SQTT_RUN_ROCPD", &path).env("SQTT_RUN_COUNTERS", "all");
    let output = command.output().unwrap();
    assert!(output.status.success() && texts(&output).1.is_empty(), "{output:?}");

    let db = Connection::open(&path).unwrap();
    assert_eq!(
        rows(&db, "SELECT name, workgroup_x, grid_x, lds_size, region FROM kernels ORDER BY start"),
        ["column(int*)|64|128|8192|hipLaunchKernel", "twice(int*)|128|128|0|hipLaunchKernel"]
    );
    assert_eq!(
        rows(
            &db,
            "SELECT name, size, src_agent_type, dst_agent_type, region_name FROM memory_copies ORDER BY start"
        ),
        [
            "MEMORY_COPY_HOST_TO_DEVICE|512|CPU|GPU|hipMemcpy",
            "MEMORY_COPY_DEVICE_TO_HOST|512|GPU|CPU|hipMemcpy"
        ]
    );
    assert_eq!(
        rows(&db, "SELECT type, size, agent_name FROM memory_allocations ORDER BY start"),
        ["ALLOC|512|gfx90a", "FREE|512|gfx90a"]
    );
    let calls = rows(&db, "SELECT name FROM regions ORDER BY start");
    assert_eq!(calls.iter().filter(|name| *name == "hipLaunchKernel").count(), 2);
    // What happened in a call lies in it.
    assert_eq!(
        rows(
            &db,
            "SELECT count(*) FROM kernels K JOIN regions R ON R.stack_id = K.stack_id \
             WHERE R.start <= K.start AND K.end <= R.end"
        ),
        ["2"]
    );
    assert_eq!(rows(&db, "SELECT count(DISTINCT stream_id) FROM rocpd_kernel_dispatch"), ["2"]);

    let values =
        rows(&db, "SELECT dispatch_id, counter_name, CAST(counter_value AS INTEGER) FROM pmc_events");
    let values: BTreeMap<(u32, &str), u64> = values
        .iter()
        .map(|row| {
            let parts: Vec<_> = row.split('|').collect();
            ((parts[0].parse().unwrap(), parts[1]), parts[2].parse().unwrap())
        })
        .collect();
    assert_eq!(values.len(), 2 * sqtt_hip::COUNTERS.len());
    let value = |name| values[&(1, name)];
    // A column is one bank: 31 cycles too many, in two phases, of a write and a read, in two waves.
    assert_eq!((value("SQ_WAVES"), value("SQ_INSTS_LDS"), value("SQ_LDS_BANK_CONFLICT")), (2, 4, 248));
    assert_eq!((value("SQ_INSTS_VMEM_RD"), value("SQ_INSTS_VMEM_WR")), (2, 2));
    assert_eq!((values[&(2, "SQ_WAVES")], values[&(2, "SQ_LDS_BANK_CONFLICT")]), (2, 0));
    for dispatch in [1, 2] {
        let kinds: u64 = ["VALU", "SALU", "SMEM", "LDS", "VMEM_RD", "VMEM_WR", "BRANCH", "SENDMSG"]
            .iter()
            .map(|kind| values[&(dispatch, &*format!("SQ_INSTS_{kind}"))])
            .sum();
        assert!(kinds > 10 && kinds < values[&(dispatch, "SQ_INSTS")], "waits are none of the kinds");
    }
    let mut csv = Vec::new();
    let passes = rocpd::find_passes(&path).unwrap();
    let report =
        rocpd::export_pmc_perf(&passes, ExportOptions::default(), &mut csv, &mut rocpd::silent).unwrap();
    assert_eq!(report.rows, values.len() as u64);
    let native = fs::read_dir(folder.path())
        .unwrap()
        .filter_map(|entry| entry.unwrap().file_name().into_string().ok());
    assert_eq!(native.filter(|name| name.ends_with("_native_counter_collection.db")).count(), 1);
}

#[test]
fn a_process_writes_its_own_file_and_says_what_it_cannot() {
    let program = Program::build("profile.hip", "gfx1030");
    let folder = tempfile::tempdir().unwrap();
    let run = |name: &str, counters: &str| {
        let mut command = program.command(&[]);
        command.env("SQTT_RUN_ROCPD", folder.path().join(name)).env("SQTT_RUN_COUNTERS", counters);
        let output = command.output().unwrap();
        assert!(output.status.success());
        texts(&output).1
    };
    assert_eq!(run("%p.db", "SQ_WAVES"), "");
    let count = || fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(count(), 2);
    assert!(run("none/x.db", "SQ_WAVES").contains("none/x.db"));
    assert!(run("%p.db", "GRBM_COUNT").contains("`GRBM_COUNT` is not simulated"));
    assert_eq!(count(), 3);
}
