//! The values of data markers: a row per marker, in CSV per value, and their histograms.
//!
//! Histograms are a table in CSV alone: in JSON and for people each has a summary and its bins.

use std::borrow::Cow;
use std::io::{self, Write};

use serde::Serialize;
use sqtt_decoder::Ledger;
use sqtt_decoder::payload::data_values;
use sqtt_decoder::values::{Bin, Histogram, ValueSummary, ValueType};
use sqtt_format::{Name, Printable};

use crate::events::{Column, EventRow, Events, source_loc, time_and_place, time_and_wave};
use crate::names::NameStyle;
use crate::table::{self, Format, JsonLayout, Rows, Table, Type};

/// Choices for writing values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ValueOptions {
    /// Type that words are read as.
    pub kind: ValueType,
    /// Style of kernel names.
    pub names: NameStyle,
}

/// The table of values: in text time, wave, name, values and kernel. Its rows are those of [`rows`].
#[must_use]
pub fn table(format: Format, options: ValueOptions) -> Table<Events> {
    let ValueOptions { kind, names } = options;
    let mut columns = time_and_place(names);
    columns.extend([
        Column::new("id", Type::Unsigned, |row| row.event.marker.id.into()),
        Column::new("name", Type::Text, |row| name(row).into()),
        Column::new("source_loc", Type::Text, |row| source_loc(row.event).into()),
    ]);
    match format {
        Format::Text => {
            let line = Column::new("values", Type::Text, move |row| line(row, options).into());
            Table::text(time_and_wave(line), 2, false)
        }
        Format::Json => {
            let (words, values) = (Type::List(&Type::Unsigned), Type::List(&Type::Value));
            columns.extend([
                Column::new("words", words, |row| row.event.payload.iter().copied().collect()),
                Column::new("values", values, move |row| kind.values(row.event.payload).collect()),
            ]);
            Table::json(columns, JsonLayout::Object { list: "values" })
        }
        Format::Csv => {
            columns.extend([
                Column::new("word", Type::Unsigned, |row| row.value.map(|value| value.word).into()),
                Column::new("value", Type::Value, |row| row.value.into()),
            ]);
            Table::csv(columns)
        }
    }
}

/// The rows of an event: none without values, else one, or in CSV one for each value.
#[must_use]
pub fn rows(event: EventRow<'_>, format: Format, kind: ValueType) -> Vec<EventRow<'_>> {
    match (data_values(event.event), format) {
        (None, _) => Vec::new(),
        (Some(words), Format::Csv) => {
            kind.values(words).map(|value| EventRow { value: Some(value), ..event }).collect()
        }
        (Some(_), Format::Text | Format::Json) => vec![event],
    }
}

fn name<'a>(row: &EventRow<'a>) -> Cow<'a, [u8]> {
    NameStyle::default().marker_bytes(row.event.entry, row.event.marker.id)
}

fn line(row: &EventRow<'_>, options: ValueOptions) -> String {
    let mut line = format!("{} =", Printable(&name(row)));
    for value in options.kind.values(row.event.payload) {
        line += &format!(" {value}");
    }
    let kernel = options.names.kernel_bytes(row.wave).unwrap_or_default();
    if kernel.is_empty() { line } else { format!("{line}  in {}", Printable(&kernel)) }
}

/// The longest bar of a histogram.
const BAR: u64 = 50;

/// Writes histograms for people: a line of numbers, and a bar for each bin.
///
/// # Errors
///
/// Errors of the writer.
pub fn write_histograms_text(out: &mut dyn Write, all: &[Histogram], names: NameStyle) -> io::Result<()> {
    if all.is_empty() {
        return writeln!(out, "no data markers");
    }
    for (index, histogram) in all.iter().enumerate() {
        let gap = if index > 0 { "\n" } else { "" };
        let kernel = names.symbol(&histogram.kernel);
        let kernel = if kernel.is_empty() { &b"no known kernel"[..] } else { &kernel };
        write!(out, "{gap}{}", Printable(&histogram.name))?;
        if histogram.word > 0 {
            write!(out, " word {}", histogram.word)?;
        }
        write!(
            out,
            " in {}: {} values, {} different",
            Printable(kernel),
            histogram.count,
            histogram.distinct
        )?;
        if let Some(ValueSummary { min, median, p95, max, mean, .. }) = histogram.summary {
            write!(out, "; min {min}, median {median}, p95 {p95}, max {max}, mean {mean:.6}")?;
        }
        if histogram.not_finite > 0 {
            write!(out, "; {} no finite numbers", histogram.not_finite)?;
        }
        writeln!(out)?;
        let widest = histogram.bins.iter().map(|bin| bin.label.len()).max().unwrap_or_default();
        let most = histogram.bins.iter().map(|bin| bin.count).max().unwrap_or_default().max(1);
        for bin in &histogram.bins {
            let bar = "#".repeat((bin.count.saturating_mul(BAR)).div_ceil(most) as usize);
            writeln!(out, "  {:>widest$}  {:>9}  {bar}", bin.label, bin.count)?;
        }
    }
    Ok(())
}

struct Bins;

impl Rows for Bins {
    type Row<'a> = (&'a Histogram, &'a Bin);
}

/// Writes histograms as CSV, a row for each bin.
///
/// # Errors
///
/// Errors of the writer.
pub fn write_histograms_csv(
    out: &mut dyn Write,
    all: &[Histogram],
    losses: &Ledger,
    names: NameStyle,
) -> io::Result<()> {
    type Column = table::Column<Bins>;
    let mut table = Table::csv(vec![
        Column::new("kernel", Type::Text, move |(histogram, _)| names.symbol(&histogram.kernel).into()),
        Column::new("name", Type::Text, |(histogram, _)| Cow::Borrowed(&*histogram.name).into()),
        Column::new("word", Type::Unsigned, |(histogram, _)| histogram.word.into()),
        Column::new("low", Type::Real, |(_, bin)| bin.low.into()),
        Column::new("high", Type::Real, |(_, bin)| bin.high.into()),
        Column::new("count", Type::Unsigned, |(_, bin)| bin.count.into()),
    ]);
    table.set_losses(losses);
    table.begin(out)?;
    for histogram in all {
        histogram.bins.iter().try_for_each(|bin| table.row(out, &(histogram, bin)))?;
    }
    table.end(out, losses)
}

#[derive(Serialize)]
struct HistogramsJson<'a> {
    #[serde(rename = "as")]
    kind: ValueType,
    histograms: &'a [Histogram],
    losses: &'a Ledger,
}

/// Writes one JSON object: `histograms`, and the ledger as `losses`.
///
/// # Errors
///
/// Errors of the writer.
pub fn write_histograms_json(
    out: &mut dyn Write,
    all: &[Histogram],
    losses: &Ledger,
    options: ValueOptions,
) -> io::Result<()> {
    let mut histograms = all.to_vec();
    for histogram in &mut histograms {
        histogram.kernel = Name::from(options.names.symbol(&histogram.kernel));
    }
    let json = HistogramsJson { kind: options.kind, histograms: &histograms, losses };
    serde_json::to_writer_pretty(&mut *out, &json)?;
    writeln!(out)
}
