//! `sqtt where`: where the waves are that a trace leaves alive.

use sqtt_answers::whereabouts::{of_folder, write_json, write_text};

use crate::trace_args::{EXIT_STATUS, TraceArgs};

/// Print where the waves are that a run left alive: one that hung, crashed, or whose trace was cut off.
///
/// A wave is alive where the trace has no end of it. Living waves are grouped by kernel and open scopes, with their
/// last marker and how many cycles before the last time of its shader engine that was.
///
/// Code compiled with SQTT_INSTRUMENT_BARRIERS=1 also tells who waits for whom at barriers: per workgroup if the trace
/// says which one a wave is of, else per CU (or WGP) and kernel. Waves that ended hold nobody up. "or a later one"
/// marks waves with missing words.
#[derive(Debug, clap::Args)]
#[command(after_help = format!("\
Examples:
  sqtt where trace_output/                             living waves, and who waits for whom
  sqtt where --demangle --kernel gemm trace_output/
  sqtt where --json trace_output/ | jq '.traces[].barriers[] | select(.verdict == \"waits\")'
  sqtt sim hangs.co --kernel hangs --grid 4 --block 256 --trace traced/ || sqtt where traced/

{EXIT_STATUS}"))]
pub(crate) struct Args {
    #[command(flatten)]
    trace: TraceArgs,
    /// Print one JSON object with an answer per trace and losses
    #[arg(long)]
    json: bool,
}

impl Args {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let (filter, threads) = (self.trace.filter(), self.trace.threads());
        let names = self.trace.names();
        let mut traces = Vec::new();
        let outcome = self.trace.each_folder(|folder| {
            let (whereabouts, ledger) = of_folder(folder, &filter, names, threads);
            traces.push(whereabouts);
            Ok(ledger)
        })?;
        let mut out = self.trace.writer()?;
        if self.json {
            write_json(&mut out, &traces, &outcome.ledger)?;
        } else {
            write_text(&mut out, &traces)?;
            self.trace.end_text(&mut out, &outcome)?;
        }
        out.finish()?;
        self.trace.finish(&outcome)
    }
}
