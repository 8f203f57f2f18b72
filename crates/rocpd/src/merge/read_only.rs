//! The merge that changes no file: values are handed on as they are matched.

use std::path::Path;

use super::classify;
use super::ledger::LedgerEntry;
use super::maps::Matched;
use super::report::{MergeReport, MergedPair, Outcome};
use super::rules;
use crate::database::Database;
use crate::error::Result;

/// A native database beside a target that is open for reading.
#[derive(Debug)]
pub(crate) struct ReadOnly {
    matched: Matched,
    ledgers: Vec<Vec<LedgerEntry>>,
    report: MergeReport,
}

impl ReadOnly {
    /// Attaches the native database as `schema` and pairs processes. The connection must be in a transaction
    /// already, or the two files could change between the steps.
    pub(crate) fn attach(db: &Database, native: &Path, schema: &str) -> Result<Self> {
        rules::check_different(db.path(), native)?;
        let mut matched = Matched::attach(db, native, schema)?;
        matched.pair(db)?;
        let ledgers = rules::read_ledgers(db)?;
        let mut report = rules::new_report(db.path(), &matched, Outcome::ReadOnly);
        let mut merged_guids = 0;
        for native in 0..matched.guids.len() {
            let extent = matched.extent(db, native)?;
            report.native_rows += extent.counters;
            report.sample_rows += extent.samples;
            let guid = &matched.guids[native].guid;
            let entries = ledgers.iter().zip(db.guids()).flat_map(|(entries, tables)| {
                entries.iter().filter(|entry| entry.native_guid == *guid).map(move |entry| (tables, entry))
            });
            let mut merged = false;
            for (tables, entry) in entries {
                rules::check_rows(db, tables, entry)?;
                merged = true;
                report.merged_rows += entry.rows;
                report.pairs.push(MergedPair {
                    sdk_guid: tables.guid.clone(),
                    native_guid: guid.clone(),
                    processes: Vec::new(),
                    dispatches: 0,
                    hidden_dispatches: 0,
                    rows: entry.rows,
                });
            }
            merged_guids += usize::from(merged);
        }
        if merged_guids == matched.guids.len() {
            report.outcome = Outcome::AlreadyMerged;
        }
        Ok(Self { matched, ledgers, report })
    }

    fn is_merged(&self, native: usize) -> bool {
        let guid = &self.matched.guids[native].guid;
        self.ledgers.iter().flatten().any(|entry| entry.native_guid == *guid)
    }

    /// Hands on all values for one guid of the target, as `event_id, pmc_id, value` there. Values that an
    /// earlier merge put into the target are not handed on again.
    pub(crate) fn for_each(
        &mut self,
        db: &Database,
        sdk: usize,
        mut row: impl FnMut(i64, i64, Option<f64>) -> Result<()>,
    ) -> Result<()> {
        for native in 0..self.matched.guids.len() {
            if self.is_merged(native) || !self.matched.targets_of(native).contains(&sdk) {
                continue;
            }
            let loaded = self.matched.load(db, native)?;
            let Some(target) = loaded.targets.iter().find(|target| target.sdk == sdk) else { continue };
            let mut checked = vec![false; self.ledgers.len()];
            rules::check_target(db, &self.matched, native, target, &self.ledgers, &mut checked)?;
            let mut rows = 0;
            self.matched.for_each(db, (native, sdk), &loaded, |event, counter, value| {
                rows += 1;
                row(event, counter, value)
            })?;
            self.report.merged_rows += rows;
            self.report.pairs.push(rules::pair_report(db, &self.matched, native, target, rows));
            rules::add_examples(&mut self.report, &loaded);
        }
        Ok(())
    }

    /// The report, when all guids of the target have had their values.
    pub(crate) fn finish(mut self, db: &Database) -> Result<MergeReport> {
        if self.report.merged_rows < self.report.native_rows && self.report.outcome == Outcome::ReadOnly {
            for native in 0..self.matched.guids.len() {
                if !self.is_merged(native) {
                    let loaded = self.matched.load(db, native)?;
                    self.report.unmatched += classify::unmatched(db, &self.matched, native, &loaded)?;
                    rules::add_examples(&mut self.report, &loaded);
                }
            }
        }
        if self.report.merged_rows == 0 && self.report.native_rows > 0 {
            return Err(rules::nothing_matched(&self.report));
        }
        Ok(self.report)
    }
}
