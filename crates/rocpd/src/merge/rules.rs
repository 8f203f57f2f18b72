//! Conditions on which values of one database count as values of another; shared by both ways to merge.

use std::path::Path;

use super::ledger::{self, MergeLedgerEntry};
use super::maps::{Maps, Matched, Target, note};
use super::report::{MergeReport, MergedPair, Outcome, Unmatched};
use crate::database::{Database, GuidTables};
use crate::error::{Error, Result, SqliteContext as _};

/// Refuses to merge a file into itself.
pub(crate) fn check_different(sdk: &Path, native: &Path) -> Result<()> {
    let real = |path: &Path| std::fs::canonicalize(path).map_err(Error::io(path, "open"));
    if real(sdk)? == real(native)? {
        return Err(Error::ambiguous(sdk, "the two databases are one file"));
    }
    Ok(())
}

/// The ledgers of all guids of the target.
pub(super) fn read_ledgers(db: &Database) -> Result<Vec<Vec<MergeLedgerEntry>>> {
    db.guids().iter().map(|tables| ledger::read(tables, db.path())).collect()
}

/// Checks that the rows a ledger entry speaks of are there.
pub(super) fn check_rows(db: &Database, tables: &GuidTables, entry: &MergeLedgerEntry) -> Result<()> {
    let found = ledger::rows_in_range(&db.connection, tables, entry, db.path())?;
    if found == entry.rows {
        return Ok(());
    }
    let problem = format!(
        "guid {}: the ledger says that {} counter values of native guid {} were merged, {found} are there (was \
         the file compacted?); merge again with replace",
        tables.guid, entry.rows, entry.native_guid
    );
    Err(Error::Ledger { path: db.path().to_path_buf(), problem })
}

/// Refuses to bring values to a process that has some: readers would add them up.
pub(super) fn check_target(
    db: &Database,
    matched: &Matched,
    native: usize,
    target: &Target,
    ledgers: &[Vec<MergeLedgerEntry>],
    checked: &mut [bool],
) -> Result<()> {
    let (tables, entries) = (&db.guids()[target.sdk], &ledgers[target.sdk]);
    if !checked[target.sdk] {
        ledger::check_origin(&db.connection, tables, entries, db.path())?;
        checked[target.sdk] = true;
    }
    for process in &target.processes {
        if let Some(entry) = entries.iter().find(|entry| entry.processes.contains(&process.sdk_id)) {
            let problem = format!(
                "process {} has counter values of native guid {} already; those of native guid {} would be added \
                 to them",
                process.pid, entry.native_guid, matched.guids[native].guid
            );
            return Err(Error::Ledger { path: db.path().to_path_buf(), problem });
        }
    }
    Ok(())
}

/// A report without rows.
pub(super) fn new_report(sdk: &Path, matched: &Matched, outcome: Outcome) -> MergeReport {
    MergeReport {
        sdk: sdk.to_path_buf(),
        native: matched.path.clone(),
        outcome,
        native_rows: 0,
        merged_rows: 0,
        removed_rows: 0,
        sample_rows: 0,
        pairs: Vec::new(),
        unmatched: Unmatched::default(),
        unmatched_pids: matched.unmatched_pids(),
        unmatched_symbols: Vec::new(),
        foreign_agents: Vec::new(),
    }
}

/// Adds the examples of one native guid.
pub(super) fn add_examples(report: &mut MergeReport, maps: &Maps) {
    for symbol in &maps.unmatched_symbols {
        note(&mut report.unmatched_symbols, symbol.clone());
    }
    for agent in &maps.foreign_agents {
        note(&mut report.foreign_agents, agent.clone());
    }
}

/// Reports one guid of each side.
pub(super) fn pair_report(
    db: &Database,
    matched: &Matched,
    native: usize,
    target: &Target,
    rows: u64,
) -> MergedPair {
    MergedPair {
        sdk_guid: db.guids()[target.sdk].guid.clone(),
        native_guid: matched.guids[native].guid.clone(),
        processes: target.processes.clone(),
        dispatches: target.dispatches.count,
        hidden_dispatches: target.dispatches.hidden,
        rows,
    }
}

/// The error of a merge without any row: almost always files of two runs.
pub(super) fn nothing_matched(report: &MergeReport) -> Error {
    let reasons: Vec<String> =
        report.unmatched.reasons().map(|(reason, rows)| format!("{rows} {reason}")).collect();
    let mut hint = reasons.join(", ");
    if !report.unmatched_pids.is_empty() {
        hint.push_str(&format!("; process ids not in the target: {:?}", report.unmatched_pids));
    }
    if !report.unmatched_symbols.is_empty() {
        hint.push_str(&format!("; counters not in the target: {}", report.unmatched_symbols.join(", ")));
    }
    hint.push_str("; are the two files of one pass?");
    Error::NothingMatched {
        sdk: report.sdk.clone(),
        native: report.native.clone(),
        rows: report.native_rows,
        hint,
    }
}

/// The last key that the target's counter values ever had.
pub(super) fn last_id(db: &Database, tables: &GuidTables) -> Result<i64> {
    let doing = "find the last counter value";
    let sql = format!("SELECT coalesce(max(id), 0) FROM {}", tables.table("main", "pmc_event"));
    let used: i64 = db.connection.query_row(&sql, [], |row| row.get(0)).at(db.path(), doing)?;
    let exists = "SELECT count(*) FROM main.sqlite_master WHERE name = 'sqlite_sequence'";
    let sequences: i64 = db.connection.query_row(exists, [], |row| row.get(0)).at(db.path(), doing)?;
    if sequences == 0 {
        return Ok(used);
    }
    let ever: i64 = db
        .connection
        .query_row(
            "SELECT coalesce(max(seq), 0) FROM main.sqlite_sequence WHERE name = ?1",
            [format!("rocpd_pmc_event{}", tables.suffix)],
            |row| row.get(0),
        )
        .at(db.path(), doing)?;
    Ok(used.max(ever))
}
