//! The merge that changes no file: values are handed on as they are matched.

use std::path::Path;

use super::ledger::MergeLedgerEntry;
use super::maps::Matched;
use super::report::{MergeReport, MergedPair, Outcome};
use super::rules;
use super::walk::walk;
use crate::database::Database;
use crate::error::Result;

/// A native database beside a target that is open for reading.
#[derive(Debug)]
pub(crate) struct ReadOnly {
    matched: Matched,
    ledgers: Vec<Vec<MergeLedgerEntry>>,
    report: MergeReport,
    /// Native guids whose values have been counted.
    walked: Vec<bool>,
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
            report.sample_rows += matched.samples(db, native)?;
            let guid = &matched.guids[native].guid;
            let entries = ledgers.iter().zip(db.guids()).flat_map(|(entries, tables)| {
                entries.iter().filter(|entry| entry.native_guid == *guid).map(move |entry| (tables, entry))
            });
            let mut merged = false;
            for (tables, entry) in entries {
                rules::check_rows(db, tables, entry)?;
                merged = true;
                report.merged_rows += entry.rows;
                report.native_rows += entry.rows;
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
        let walked = vec![false; matched.guids.len()];
        Ok(Self { matched, ledgers, report, walked })
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
            let maps = self.matched.maps(db, native)?;
            let mut checked = vec![false; self.ledgers.len()];
            let mut rows = 0;
            for target in maps.targets.iter().filter(|target| target.sdk == sdk) {
                rules::check_target(db, &self.matched, native, target, &self.ledgers, &mut checked)?;
            }
            let unmatched = walk(db, &self.matched, native, &maps, |placed| {
                if maps.targets[placed.target].sdk != sdk {
                    return Ok(());
                }
                rows += 1;
                row(placed.event, placed.counter, placed.value)
            })?;
            // A native guid of several targets is walked once for each; what has no place is the same each time.
            if !std::mem::replace(&mut self.walked[native], true) {
                self.report.unmatched += unmatched;
                rules::add_examples(&mut self.report, &maps);
            }
            self.report.merged_rows += rows;
            for target in maps.targets.iter().filter(|target| target.sdk == sdk) {
                self.report.pairs.push(rules::pair_report(db, &self.matched, native, target, rows));
            }
        }
        Ok(())
    }

    /// The report, when all guids of the target have had their values.
    pub(crate) fn finish(mut self, db: &Database) -> Result<MergeReport> {
        for native in 0..self.matched.guids.len() {
            // Guids without any counterpart have not been walked: all their values are unmatched.
            if !self.walked[native] && !self.is_merged(native) {
                let maps = self.matched.maps(db, native)?;
                self.report.unmatched += walk(db, &self.matched, native, &maps, |_| Ok(()))?;
            }
        }
        if self.report.outcome == Outcome::ReadOnly {
            self.report.native_rows = self.report.merged_rows + self.report.unmatched.total();
        }
        if self.report.merged_rows == 0 && self.report.native_rows > 0 {
            return Err(rules::nothing_matched(&self.report));
        }
        Ok(self.report)
    }
}
