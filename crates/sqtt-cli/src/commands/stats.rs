//! `sqtt stats`: how often scopes ran and how long they took.

use sqtt_answers::Format;
use sqtt_answers::stats::write_stats;
use sqtt_decoder::stats::Stats;

use crate::trace_args::{EXIT_STATUS, TraceArgs, format};

/// Print how often every scope of every kernel ran and how many cycles it took.
///
/// Inclusive durations are from open to close, exclusive ones without the scopes inside. The last three
/// columns of the table are the most of any CU, SIMD or wave against the mean of all: 1 is even.
/// "cut" counts scopes whose end is not known; they have no part in the durations.
#[derive(Debug, clap::Args)]
#[command(after_help = format!("\
Examples:
  sqtt stats --demangle trace_output/                  a table per kernel
  sqtt stats --kernel gemm --csv trace_output/ -o gemm.csv
  sqtt stats --json trace_output/ | jq '.rows[] | select(.kind == \"user\") | [.name, .exclusive.p95]'

{EXIT_STATUS}"))]
pub(crate) struct Args {
    #[command(flatten)]
    trace: TraceArgs,
    /// Print one JSON object with rows and losses
    #[arg(long, conflicts_with = "csv")]
    json: bool,
    /// Print CSV; the column losses says in every line what the trace lost
    #[arg(long)]
    csv: bool,
}

impl Args {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let (filter, threads) = (self.trace.filter(), self.trace.threads());
        let mut stats = Stats::new();
        let outcome = self.trace.each_folder(|folder| Ok(stats.add_folder(folder, &filter, threads)))?;
        let rows = stats.into_rows();
        let mut out = self.trace.writer()?;
        let format = format(self.json, self.csv);
        write_stats(&mut out, &rows, &outcome.ledger, format, self.trace.names())?;
        if format == Format::Text {
            self.trace.end_text(&mut out, &outcome)?;
        }
        out.finish()?;
        self.trace.finish(&outcome)
    }
}
