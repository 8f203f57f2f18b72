//! The transaction.

use std::path::Path;

use super::MergeOptions;
use super::insert::Inserter;
use super::ledger::{self, MergeLedgerEntry};
use super::maps::{Matched, Target};
use super::report::{MergeReport, MergedPair, Outcome};
use super::rules;
use super::walk::walk;
use crate::database::{Access, Database};
use crate::error::{Error, Result, SqliteContext as _};
use crate::progress::{ProgressFn, tell};

pub(super) fn merge(
    sdk: &Path,
    native: &Path,
    options: MergeOptions,
    progress: &mut ProgressFn<'_>,
) -> Result<MergeReport> {
    rules::check_different(sdk, native)?;
    let mut db = Database::open_waiting(sdk, Access::Write, options.wait)?;
    let matched = Matched::attach(&db, native, "native")?;
    db.connection.execute_batch("BEGIN IMMEDIATE").at(sdk, "begin the merge")?;
    let result =
        Merge::new(&mut db, matched, options).and_then(|merge| merge.run(progress)).and_then(|report| {
            db.connection.execute_batch("COMMIT").at(sdk, "commit the merge")?;
            Ok(report)
        });
    if result.is_err() && !db.connection.is_autocommit() {
        // Closing would roll back as well; a failure here changes nothing about the first error.
        let _ = db.connection.execute_batch("ROLLBACK");
    }
    result
}

struct Merge<'a> {
    db: &'a Database,
    matched: Matched,
    options: MergeOptions,
    /// The ledger of each of the target's guids.
    ledgers: Vec<Vec<MergeLedgerEntry>>,
    /// True for each guid whose rows have been found to be all known.
    checked: Vec<bool>,
    report: MergeReport,
    done: u64,
    total: u64,
}

impl<'a> Merge<'a> {
    fn new(db: &'a mut Database, mut matched: Matched, options: MergeOptions) -> Result<Self> {
        db.refresh()?;
        matched.pair(db)?;
        let ledgers = rules::read_ledgers(db)?;
        let checked = vec![false; ledgers.len()];
        let report = rules::new_report(db.path(), &matched, Outcome::Merged);
        Ok(Self { db, matched, options, ledgers, checked, report, done: 0, total: 0 })
    }

    fn run(mut self, progress: &mut ProgressFn<'_>) -> Result<MergeReport> {
        for native in 0..self.matched.guids.len() {
            self.total = self.total.saturating_add(self.matched.about(self.db, native)?);
            self.report.sample_rows += self.matched.samples(self.db, native)?;
        }
        let (mut merged, mut kept) = (false, false);
        for native in 0..self.matched.guids.len() {
            if self.is_merged(native)? {
                kept = true;
            } else {
                merged = true;
                self.merge_guid(native, progress)?;
            }
        }
        if self.report.removed_rows > 0 {
            self.report.outcome = Outcome::Replaced;
        } else if kept && !merged {
            self.report.outcome = Outcome::AlreadyMerged;
        }
        if self.report.merged_rows == 0 && self.report.native_rows > 0 {
            return Err(rules::nothing_matched(&self.report));
        }
        tell(progress, "merge", self.done, Some(self.done))?;
        Ok(self.report)
    }

    /// Looks a native guid up in the ledgers; with `replace`, removes what it brought.
    fn is_merged(&mut self, native: usize) -> Result<bool> {
        let guid = self.matched.guids[native].guid.clone();
        let mut found = Vec::new();
        for (sdk, ledger) in self.ledgers.iter().enumerate() {
            found.extend(ledger.iter().filter(|e| e.native_guid == guid).map(|entry| (sdk, entry.clone())));
        }
        if found.is_empty() {
            return Ok(false);
        }
        if self.options.replace {
            for (sdk, entry) in &found {
                let tables = &self.db.guids()[*sdk];
                self.report.removed_rows +=
                    ledger::remove(&self.db.connection, tables, entry, self.db.path())?;
                self.ledgers[*sdk].retain(|e| e.native_guid != guid);
            }
            return Ok(false);
        }
        for (sdk, entry) in &found {
            let tables = &self.db.guids()[*sdk];
            rules::check_rows(self.db, tables, entry)?;
            self.report.merged_rows += entry.rows;
            self.report.native_rows += entry.rows;
            self.report.pairs.push(MergedPair {
                sdk_guid: tables.guid.clone(),
                native_guid: guid.clone(),
                processes: Vec::new(),
                dispatches: 0,
                hidden_dispatches: 0,
                rows: entry.rows,
            });
        }
        for sdk in self.matched.targets_of(native) {
            if !found.iter().any(|(known, _)| *known == sdk) {
                let problem = format!(
                    "native guid {guid} was merged before guid {} came into this file; merge again with replace",
                    self.db.guids()[sdk].guid
                );
                return Err(Error::Ledger { path: self.db.path().to_path_buf(), problem });
            }
        }
        Ok(true)
    }

    fn merge_guid(&mut self, native: usize, progress: &mut ProgressFn<'_>) -> Result<()> {
        let db = self.db;
        let maps = self.matched.maps(db, native)?;
        let mut inserters = Vec::new();
        let mut before = Vec::new();
        for target in &maps.targets {
            rules::check_target(db, &self.matched, native, target, &self.ledgers, &mut self.checked)?;
            let tables = &db.guids()[target.sdk];
            before.push(rules::last_id(db, tables)?);
            inserters.push(Inserter::new(&db.connection, tables, db.path()));
        }
        let (mut placed, total, done) = (0_u64, self.total, self.done);
        tell(progress, "merge", done, Some(total))?;
        let rest = walk(db, &self.matched, native, &maps, |row| {
            placed += 1;
            if placed.is_multiple_of(self.options.progress_rows.max(1)) {
                tell(progress, "merge", (done + placed).min(total), Some(total))?;
            }
            inserters[row.target].add(row.event, row.counter, row.value)
        })?;
        let mut rows = 0;
        for ((target, inserter), before) in maps.targets.iter().zip(inserters).zip(before) {
            let added = inserter.finish()?;
            rows += added;
            self.close(native, target, before, added)?;
        }
        if rows != placed {
            let guid = &self.matched.guids[native].guid;
            let problem = format!("native guid {guid}: {placed} values have a place, {rows} were added");
            return Err(Error::Ledger { path: db.path().to_path_buf(), problem });
        }
        self.done += placed + rest.total();
        self.report.native_rows += placed + rest.total();
        self.report.merged_rows += rows;
        self.report.unmatched += rest;
        rules::add_examples(&mut self.report, &maps);
        Ok(())
    }

    /// Writes the ledger row of one target.
    fn close(&mut self, native: usize, target: &Target, before: i64, rows: u64) -> Result<()> {
        let (path, tables) = (self.db.path(), &self.db.guids()[target.sdk]);
        let after = rules::last_id(self.db, tables)?;
        if after.wrapping_sub(before).cast_unsigned() != rows {
            let problem = format!("guid {}: the keys of the merged rows are not one range", tables.guid);
            return Err(Error::Ledger { path: path.to_path_buf(), problem });
        }
        let entry = MergeLedgerEntry {
            native_guid: self.matched.guids[native].guid.clone(),
            rows,
            first_id: if rows == 0 { 0 } else { before + 1 },
            last_id: if rows == 0 { -1 } else { after },
            processes: target.processes.iter().map(|process| process.sdk_id).collect(),
            tool: concat!("rocpd ", env!("CARGO_PKG_VERSION")).to_owned(),
        };
        ledger::write(&self.db.connection, tables, &entry, path)?;
        self.ledgers[target.sdk].push(entry);
        self.report.pairs.push(rules::pair_report(self.db, &self.matched, native, target, rows));
        Ok(())
    }
}
