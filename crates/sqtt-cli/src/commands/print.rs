//! `sqtt print`: records with their names, by time.

use std::io::Write;

use sqtt_answers::events::{EventRow, table};
use sqtt_format::Printable;

use crate::trace_args::{EXIT_STATUS, TraceArgs, format};

/// Print what every wave did, marker by marker, in the order of time.
///
/// Every trace folder is a time domain of its own: folders are printed one after the other. Times are
/// cycles of the shader clock, corrected where the code object packs a clock into its markers. Scopes
/// that were open when their wave ended are closed there, and marked.
#[derive(Debug, clap::Args)]
#[command(after_help = format!("\
Examples:
  sqtt print trace_output/                             all records of all ui_* folders
  sqtt print --se 0 --cu 1 --wave 3 trace_output/      one wave slot on every SIMD of a CU
  sqtt print --json trace_output/ | jq 'select(.name == \"load\")'
  sqtt print -c build/my_app trace_output/             names from the program itself

{EXIT_STATUS}"))]
pub(crate) struct Args {
    #[command(flatten)]
    trace: TraceArgs,
    /// Print one JSON object per line; in a file (-o) the last one says what was lost: its event is "losses"
    #[arg(long)]
    json: bool,
}

impl Args {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let mut out = self.trace.writer()?;
        let filter = self.trace.filter();
        let mut table = table(format(self.json, false), self.trace.names());
        table.begin(&mut out)?;
        let outcome = self.trace.each_folder(|folder| {
            let name = folder.path.display().to_string();
            table.section(&mut out, &format!("{}:", Printable(name.as_bytes())))?;
            let ledger = folder.decode_in_order(&filter, |wave, event| {
                table.row(&mut out, &EventRow { folder: &name, wave, event, value: None })
            })?;
            out.flush()?;
            Ok(ledger)
        })?;
        if self.trace.output.is_some() {
            table.end(&mut out, &outcome.ledger)?;
        }
        out.finish()?;
        self.trace.finish(&outcome)
    }
}
