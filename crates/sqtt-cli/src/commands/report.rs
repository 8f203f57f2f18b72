//! `sqtt report`: all answers in one HTML file.

use std::io::{self, IsTerminal};

use anyhow::bail;
use sqtt_answers::NameStyle;
use sqtt_answers::report::{Report, ReportOptions};

use crate::trace_args::{EXIT_STATUS, TraceArgs, clock_rate};

/// Write all answers of a trace into one HTML file: timeline, flame graph, statistics, memory findings and
/// losses.
///
/// The file needs neither network nor server: it opens in any browser, also from a mail. It stays of a size
/// that browsers open: what a large trace has more of is left out of the timeline, and the report says how
/// much. Without -o it is written to stdout.
#[derive(Debug, clap::Args)]
#[command(after_help = format!("\
Examples:
  sqtt report --demangle trace_output/ -o report.html
  sqtt report --kernel gemm --se 0 trace_output/ -o gemm.html --title \"gemm, first try\"
  sqtt report --spans 500000 trace_output/ -o large.html    more of the timeline, in a larger file

{EXIT_STATUS}"))]
pub(crate) struct Args {
    #[command(flatten)]
    trace: TraceArgs,
    /// Title of the page
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,
    /// The rate of the shader clock; what realtime.json says where nothing is given
    #[arg(long, value_name = "GHZ", value_parser = clock_rate)]
    clock_rate_ghz: Option<f64>,
    /// Write template arguments of functions and kernels as <…> (with --demangle)
    #[arg(long, requires = "demangle")]
    short_names: bool,
    /// The most scopes and waves that the timeline shows; the longest are
    #[arg(long, value_name = "N", default_value_t = ReportOptions::default().spans)]
    spans: usize,
}

impl Args {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        if self.trace.output.is_none() && io::stdout().is_terminal() {
            bail!("an HTML file is nothing for a terminal: give -o FILE.html");
        }
        let found = self.trace.found()?;
        let title = self.title.clone().unwrap_or_else(|| {
            let first = found.traces().next();
            let name =
                first.and_then(|source| source.path().file_name()).unwrap_or_default().to_string_lossy();
            match found.traces().count() {
                1 => format!("SQTT report: {name}"),
                count => format!("SQTT report: {name} and {} more", count - 1),
            }
        });
        let mut report = Report::new(ReportOptions {
            title,
            clock_ghz: self.clock_rate_ghz,
            names: NameStyle { demangle: self.trace.demangle, short: self.short_names },
            threads: self.trace.threads(),
            spans: self.spans,
            ..ReportOptions::default()
        });
        let filter = self.trace.filter();
        let outcome =
            self.trace.each_of(&found, true, |folder, _| Ok(report.add_folder(folder, &filter)?))?;
        let mut out = self.trace.writer()?;
        report.write(&mut out, &outcome.ledger)?;
        out.finish()?;
        self.trace.finish(&outcome)
    }
}
