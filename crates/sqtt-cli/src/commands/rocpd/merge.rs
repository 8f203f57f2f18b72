//! `sqtt rocpd merge`.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use clap::Args;
use rocpd::merge::Outcome;
use rocpd::{Columns, ExportReport, MergeOptions, MergeReport, Pass};

use super::pmc_perf::write_csv;
use super::report::ReportArgs;

/// Brings the counter values of a counter tool's database to the dispatches of the profiler's database.
///
/// The profiler's database is changed in one transaction; merging the same file again changes nothing. With
/// --read-only-out neither file is changed, and the counters go to a pmc_perf.csv.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    sqtt rocpd merge --sdk out/pmc_1/host/4711_results.db --native out/pmc_1/4711_native_counter_collection.db\n  \
    sqtt rocpd merge --sdk sdk.db --native native.db --replace --json\n  \
    sqtt rocpd merge --sdk sdk.db --native native.db --read-only-out pmc_perf.csv\n\n\
    Exit status: 0 when it was merged (the report says what found no dispatch), 1 when not, 2 for wrong arguments.")]
pub(super) struct Merge {
    /// The profiler's database: it has the dispatches, and receives the counters
    #[arg(long, value_name = "DB")]
    sdk: PathBuf,
    /// The counter tool's database
    #[arg(long, value_name = "DB")]
    native: PathBuf,
    /// Change neither file; write the merged counters as pmc_perf.csv ("-" is stdout)
    #[arg(long, value_name = "CSV", conflicts_with = "replace")]
    read_only_out: Option<PathBuf>,
    /// Remove what an earlier merge of this native database brought, and merge again
    #[arg(long)]
    replace: bool,
    #[command(flatten)]
    report: ReportArgs,
}

impl Merge {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let mut progress = self.report.progress();
        if let Some(csv) = &self.read_only_out {
            let passes = [Pass::of(&self.sdk, Some(&self.native))];
            return write_csv(&passes, Columns::default(), csv, self.report, merges_text);
        }
        let options = MergeOptions::default().replace(self.replace);
        let report = rocpd::merge(&self.sdk, &self.native, options, &mut progress)?;
        self.report.print(&report, merge_text)
    }
}

fn merges_text(report: &ExportReport, csv: &Path, out: &mut Vec<String>) {
    for merge in report.sources.iter().flat_map(|source| &source.merges) {
        merge_text(merge, out);
    }
    out.push(format!("{} rows in {}", report.rows, csv.display()));
}

fn merge_text(report: &MergeReport, out: &mut Vec<String>) {
    let MergeReport { native_rows, merged_rows, .. } = report;
    match report.outcome {
        Outcome::Merged => out.push(format!("merged {merged_rows} of {native_rows} counter values")),
        Outcome::AlreadyMerged => {
            out.push(format!("merged before: {merged_rows} counter values are there; nothing changed"));
        }
        Outcome::Replaced => out.push(format!(
            "removed {} counter values of an earlier merge, merged {merged_rows} of {native_rows}",
            report.removed_rows
        )),
        Outcome::ReadOnly => {
            out.push(format!("read {merged_rows} of {native_rows} counter values; no database changed"));
        }
    }
    for (reason, rows) in report.unmatched.reasons() {
        out.push(format!("  not merged: {rows} {reason}"));
    }
    if !report.unmatched_pids.is_empty() {
        out.push(format!("  process ids not in the target: {:?}", report.unmatched_pids));
    }
    if !report.unmatched_symbols.is_empty() {
        out.push(format!("  counters not in the target: {}", report.unmatched_symbols.join(", ")));
    }
    if report.sample_rows > 0 {
        out.push(format!("  left out: {} samples of streaming counters", report.sample_rows));
    }
    for (symbol, index) in &report.foreign_agents {
        out.push(format!("  counter {symbol} is of agent {index}, on which the target has no dispatch"));
    }
    for pair in &report.pairs {
        let mut line = format!("  {} <- {}: {} rows", pair.sdk_guid, pair.native_guid, pair.rows);
        if pair.dispatches > 0 {
            let _ = write!(line, " for {} dispatches", pair.dispatches);
        }
        if pair.hidden_dispatches > 0 {
            let _ =
                write!(line, "; {} of them are not in the view counters_collection", pair.hidden_dispatches);
        }
        out.push(line);
    }
}
