//! `sqtt payloads`: the values of data markers.

use std::io::Write;

use sqtt_answers::values::{
    ValueOptions, write_histograms_csv, write_histograms_json, write_histograms_text, write_values_csv,
    write_values_csv_head, write_values_csv_tail, write_values_json, write_values_text,
};
use sqtt_decoder::Ledger;
use sqtt_decoder::payload::data_values;
use sqtt_decoder::trace::Folder;
use sqtt_decoder::values::{ValueType, Values};
use sqtt_format::Printable;

use crate::trace_args::{EXIT_STATUS, TraceArgs};

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
    /// What words are read as: u32, i32, f32 or hex; or two words, the low one first, as u64, i64 or f64
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
        ValueOptions { kind: self.kind, demangle: self.trace.demangle }
    }

    fn list(&self) -> anyhow::Result<()> {
        let mut out = self.trace.writer()?;
        if self.json {
            write!(out, "{{\"values\": [")?;
        } else if self.csv {
            write_values_csv_head(&mut out)?;
        }
        let (mut separator, mut any) = ("\n", false);
        let found = self.trace.found()?;
        let outcome = self.trace.each_of(&found, self.trace.shows_progress(), |folder, outside| {
            self.list_folder(folder, outside, &mut out, (&mut separator, &mut any))
        })?;
        if self.json {
            write!(out, "\n],\n\"losses\": ")?;
            serde_json::to_writer(&mut out, &outcome.ledger)?;
            writeln!(out, "}}")?;
        } else if !self.csv {
            self.trace.end_text(&mut out, &outcome)?;
        } else if !any {
            write_values_csv_tail(&mut out, &outcome.ledger)?;
        }
        out.finish()?;
        self.trace.finish(&outcome)
    }

    fn list_folder(
        &self,
        folder: &Folder,
        outside: &Ledger,
        out: &mut dyn Write,
        (separator, any): (&mut &str, &mut bool),
    ) -> anyhow::Result<Ledger> {
        let (filter, options) = (self.trace.filter(), self.options());
        // Every line of CSV says what was lost, which is known only when all was decoded.
        let mut losses = outside.clone();
        if self.csv {
            losses.merge(&folder.decode(&filter, |_, _| {}));
        }
        let name = folder.path.display().to_string();
        if !self.json && !self.csv {
            writeln!(out, "{}:", Printable(name.as_bytes()))?;
        }
        let ledger = folder.decode_in_order(&filter, |wave, event| {
            let Some(values) = data_values(event) else { return Ok(()) };
            *any = true;
            if self.json {
                out.write_all(separator.as_bytes())?;
                *separator = ",\n";
                return write_values_json(out, &name, wave, event, values, options);
            }
            if self.csv {
                write_values_csv(out, &name, wave, event, values, (options, &losses))
            } else {
                write_values_text(out, wave, event, values, options)
            }
        })?;
        Ok(ledger)
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
            write_histograms_csv(&mut out, &histograms, &outcome.ledger, options.demangle)?;
        } else {
            write_histograms_text(&mut out, &histograms, options.demangle)?;
            self.trace.end_text(&mut out, &outcome)?;
        }
        out.finish()?;
        self.trace.finish(&outcome)
    }
}
