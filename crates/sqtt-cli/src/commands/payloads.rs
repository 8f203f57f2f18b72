//! `sqtt payloads`: the values of data markers.

use sqtt_answers::Format;
use sqtt_answers::events::EventRow;
use sqtt_answers::values::{
    ValueOptions, rows, table, write_histograms_csv, write_histograms_json, write_histograms_text,
};
use sqtt_decoder::values::{ValueType, Values};
use sqtt_format::Printable;

use crate::trace_args::{EXIT_STATUS, TraceArgs, format};

/// Print the values that data markers traced (sqtt_marker_data), with time and place.
///
/// Every marker with payload counts, but for traced memory operations: sqtt memory-trace has those. Values
/// come by time, trace folders one after the other. A double, a pointer or a 64-bit integer is two words.
#[derive(Debug, clap::Args)]
#[command(after_help = format!("\
Examples:
  sqtt payloads trace_output/                                one line per marker
  sqtt payloads --csv trace_output/ -o values.csv            one line per value
  sqtt payloads --json trace_output/ | jq '.values[] | select(.name == \"tile\") | .values[0]'
  sqtt payloads --histogram --as f32 --kernel gemm trace_output/

{EXIT_STATUS}"))]
pub(crate) struct Args {
    #[command(flatten)]
    trace: TraceArgs,
    /// Type of words: u32, i32, f32 or hex; or two words, the low one first, as u64, i64 or f64
    #[arg(long = "as", value_name = "TYPE", default_value = "u32")]
    kind: ValueType,
    /// Print how the values of each marker are distributed
    #[arg(long)]
    histogram: bool,
    /// Print one JSON object with values, or histograms, and losses
    #[arg(long, conflicts_with = "csv")]
    json: bool,
    /// Print CSV; the column losses says in every line what its trace lost
    #[arg(long)]
    csv: bool,
}

impl Args {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        if self.histogram { self.distribute() } else { self.list() }
    }

    fn options(&self) -> ValueOptions {
        ValueOptions { kind: self.kind, names: self.trace.names() }
    }

    fn list(&self) -> anyhow::Result<()> {
        let mut out = self.trace.writer()?;
        let (filter, format) = (self.trace.filter(), format(self.json, self.csv));
        let mut table = table(format, self.options());
        table.begin(&mut out)?;
        let found = self.trace.found()?;
        let outcome = self.trace.each_of(&found, self.trace.shows_progress(), |folder, outside| {
            // Every line of CSV says what was lost, which is known only when all was decoded.
            if format == Format::Csv {
                let mut losses = outside.clone();
                losses.merge(&folder.decode(&filter, |_, _| {}));
                table.set_losses(&losses);
            }
            let name = folder.path.display().to_string();
            table.section(&mut out, &format!("{}:", Printable(name.as_bytes())))?;
            let ledger = folder.decode_in_order(&filter, |wave, event| {
                let event = EventRow { folder: &name, wave, event, value: None };
                rows(event, format, self.kind).iter().try_for_each(|row| table.row(&mut out, row))
            })?;
            Ok(ledger)
        })?;
        if format == Format::Text {
            self.trace.end_text(&mut out, &outcome)?;
        } else {
            table.end(&mut out, &outcome.ledger)?;
        }
        out.finish()?;
        self.trace.finish(&outcome)
    }

    fn distribute(&self) -> anyhow::Result<()> {
        let (filter, threads, options) = (self.trace.filter(), self.trace.threads(), self.options());
        let mut values = Values::new();
        let outcome = self.trace.each_folder(|folder| Ok(values.add_folder(folder, &filter, threads)))?;
        let histograms = values.into_histograms(options.kind);
        let mut out = self.trace.writer()?;
        if self.json {
            write_histograms_json(&mut out, &histograms, &outcome.ledger, options)?;
        } else if self.csv {
            write_histograms_csv(&mut out, &histograms, &outcome.ledger, options.names)?;
        } else {
            write_histograms_text(&mut out, &histograms, options.names)?;
            self.trace.end_text(&mut out, &outcome)?;
        }
        out.finish()?;
        self.trace.finish(&outcome)
    }
}
