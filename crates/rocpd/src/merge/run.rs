//! The transaction.

use std::path::Path;

use super::MergeOptions;
use super::classify;
use super::ledger::{self, LedgerEntry};
use super::maps::{Extent, Loaded, Target};
use super::report::{MergeReport, MergedPair, Outcome};
use super::rules;
use crate::database::{Access, Database};
use crate::error::{Error, Result, SqliteContext as _};
use crate::progress::{ProgressFn, tell};

pub(crate) use super::maps::Matched;

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
    ledgers: Vec<Vec<LedgerEntry>>,
    /// Whether a guid's rows have been found to be all known.
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
        let extents: Vec<Extent> = (0..self.matched.guids.len())
            .map(|native| self.matched.extent(self.db, native))
            .collect::<Result<_>>()?;
        self.total = extents.iter().map(|extent| extent.counters).sum();
        self.report.native_rows = self.total;
        self.report.sample_rows = extents.iter().map(|extent| extent.samples).sum();
        let (mut merged, mut kept) = (false, false);
        for (native, extent) in extents.iter().enumerate() {
            if self.is_merged(native)? {
                kept = true;
            } else {
                merged = true;
                self.merge_guid(native, *extent, progress)?;
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
        tell(progress, "merge", self.total, Some(self.total))?;
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

    fn merge_guid(&mut self, native: usize, extent: Extent, progress: &mut ProgressFn<'_>) -> Result<()> {
        let loaded = self.matched.load(self.db, native)?;
        let mut rows = 0;
        for target in &loaded.targets {
            rules::check_target(self.db, &self.matched, native, target, &self.ledgers, &mut self.checked)?;
            rows += self.insert(native, target, &loaded, extent, progress)?;
        }
        self.report.merged_rows += rows;
        if rows < extent.counters {
            let rest = classify::unmatched(self.db, &self.matched, native, &loaded)?;
            // Every value is merged once or counted once; anything else would be a wrong result.
            if rows + rest.total() != extent.counters {
                let guid = &self.matched.guids[native].guid;
                let problem = format!(
                    "native guid {guid}: {rows} of {} values merged, {} unmatched: the rest is not accounted for",
                    extent.counters,
                    rest.total()
                );
                return Err(Error::Ledger { path: self.db.path().to_path_buf(), problem });
            }
            self.report.unmatched += rest;
        }
        rules::add_examples(&mut self.report, &loaded);
        Ok(())
    }

    fn insert(
        &mut self,
        native: usize,
        target: &Target,
        loaded: &Loaded,
        extent: Extent,
        progress: &mut ProgressFn<'_>,
    ) -> Result<u64> {
        let (path, tables) = (self.db.path(), &self.db.guids()[target.sdk]);
        let before = rules::last_id(self.db, tables)?;
        let sql = format!(
            "INSERT INTO {} (guid, event_id, pmc_id, value) SELECT {}, event_id, pmc_id, value FROM ({})",
            tables.table("main", "pmc_event"),
            crate::schema::literal(&tables.guid),
            self.matched.select(native, target.sdk, loaded.by_agent)
        );
        let mut statement = self.db.connection.prepare(&sql).at(path, "prepare the merge")?;
        let chunk = i64::try_from(self.options.chunk.max(1)).unwrap_or(i64::MAX);
        let mut rows = 0;
        let mut first = extent.first;
        while first <= extent.last {
            tell(progress, "merge", self.done.min(self.total), Some(self.total))?;
            let last = first.saturating_add(chunk - 1).min(extent.last);
            let added = statement.execute([first, last]).at(path, "merge")? as u64;
            rows += added;
            self.done += last.abs_diff(first) + 1;
            let Some(next) = last.checked_add(1) else { break };
            first = next;
        }
        drop(statement);
        let after = rules::last_id(self.db, tables)?;
        if after.wrapping_sub(before).cast_unsigned() != rows {
            let problem = format!("guid {}: the keys of the merged rows are not one range", tables.guid);
            return Err(Error::Ledger { path: path.to_path_buf(), problem });
        }
        let entry = LedgerEntry {
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
        Ok(rows)
    }
}
