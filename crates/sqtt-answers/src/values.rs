//! The values of data markers as a table, as CSV and as JSON, and their histograms.

use std::io::{self, Write};

use serde::Serialize;
use sqtt_format::{Entry, Printable};

use crate::csv::{end_head, end_line, write_field, write_lost_alone};
use sqtt_decoder::Ledger;
use sqtt_decoder::names::shown;
use sqtt_decoder::names::unknown_name;
use sqtt_decoder::stream::{Event, Wave};
use sqtt_decoder::values::{Histogram, Value, ValueSummary, ValueType};

/// How values are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ValueOptions {
    /// What words are read as.
    pub kind: ValueType,
    /// Kernels by their C++ names.
    pub demangle: bool,
}

fn name(event: &Event<'_>) -> Vec<u8> {
    let entry = event.entry.filter(|entry| !entry.name().is_empty());
    entry.map_or_else(|| unknown_name(event.marker.id).into_bytes(), |entry| entry.name().to_vec())
}

fn kernel(wave: &Wave<'_>, demangle: bool) -> Vec<u8> {
    wave.kernel.map(|kernel| shown(kernel.name.as_bytes(), demangle).into_owned()).unwrap_or_default()
}

/// Writes the values of a data marker as a line of text: time, wave, name, values, kernel.
///
/// # Errors
///
/// Those of the writer.
pub fn write_values_text(
    out: &mut dyn Write,
    wave: &Wave<'_>,
    event: &Event<'_>,
    values: &[u32],
    options: ValueOptions,
) -> io::Result<()> {
    write!(out, "{:>12}  {}#{}  {} =", event.time, wave.slot, wave.generation, Printable(&name(event)))?;
    for value in options.kind.values(values) {
        write!(out, " {value}")?;
    }
    let kernel = kernel(wave, options.demangle);
    if kernel.is_empty() { writeln!(out) } else { writeln!(out, "  in {}", Printable(&kernel)) }
}

/// The columns of [`write_values_csv`].
const COLUMNS: &str =
    "folder,time,se,cu,simd,slot,generation,kernel,code_object,id,name,source_loc,word,value";

/// The headings of [`write_values_csv`].
///
/// # Errors
///
/// Those of the writer.
pub fn write_values_csv_head(out: &mut dyn Write) -> io::Result<()> {
    write!(out, "{COLUMNS}")?;
    end_head(out)
}

/// The only line where there is no value, if something was lost.
///
/// # Errors
///
/// Those of the writer.
pub fn write_values_csv_tail(out: &mut dyn Write, losses: &Ledger) -> io::Result<()> {
    write_lost_alone(out, COLUMNS.split(',').count(), losses)
}

/// Writes the values of a data marker as lines of CSV (RFC 4180), one for each, with the word that it begins with. The
/// last column, `losses`, says in every line what was lost, and is empty where nothing was.
///
/// # Errors
///
/// Those of the writer.
pub fn write_values_csv(
    out: &mut dyn Write,
    folder: &str,
    wave: &Wave<'_>,
    event: &Event<'_>,
    values: &[u32],
    (options, losses): (ValueOptions, &Ledger),
) -> io::Result<()> {
    for value in options.kind.values(values) {
        write_field(out, folder.as_bytes())?;
        let slot = wave.slot;
        write!(
            out,
            ",{},{},{},{},{},{},",
            event.time, slot.se, slot.cu, slot.simd, slot.slot, wave.generation
        )?;
        write_field(out, &kernel(wave, options.demangle))?;
        write!(out, ",")?;
        if let Some(id) = wave.map().and_then(|map| map.object_id()) {
            write!(out, "{id}")?;
        }
        write!(out, ",{},", event.marker.id)?;
        write_field(out, &name(event))?;
        write!(out, ",")?;
        write_field(out, event.entry.and_then(Entry::source_loc).unwrap_or_default())?;
        write!(out, ",{},{value}", value.word)?;
        end_line(out, losses)?;
    }
    Ok(())
}

#[derive(Serialize)]
struct ValuesJson<'a> {
    folder: &'a str,
    time: i64,
    se: u32,
    cu: u16,
    simd: u8,
    slot: u8,
    generation: u32,
    kernel: Option<String>,
    code_object: Option<u64>,
    id: u32,
    name: String,
    source_loc: Option<String>,
    words: &'a [u32],
    values: Vec<serde_json::Value>,
}

/// Writes the values of a data marker as one JSON object without a newline: `words` as they were traced,
/// `values` as what they are read as. What is not known is `null`, and so is what is no finite number.
///
/// # Errors
///
/// Those of the writer.
pub fn write_values_json(
    out: &mut dyn Write,
    folder: &str,
    wave: &Wave<'_>,
    event: &Event<'_>,
    values: &[u32],
    options: ValueOptions,
) -> io::Result<()> {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let json = ValuesJson {
        folder,
        time: event.time,
        se: wave.slot.se,
        cu: wave.slot.cu,
        simd: wave.slot.simd,
        slot: wave.slot.slot,
        generation: wave.generation,
        kernel: wave.kernel.map(|_| text(&kernel(wave, options.demangle))),
        code_object: wave.map().and_then(|map| map.object_id()),
        id: event.marker.id,
        name: text(&name(event)),
        source_loc: event.entry.and_then(Entry::source_loc).map(text),
        words: values,
        values: options.kind.values(values).map(Value::json).collect(),
    };
    serde_json::to_writer(&mut *out, &json)?;
    Ok(())
}

/// The longest bar of a histogram.
const BAR: u64 = 50;

/// Writes histograms for people: a line of numbers, and a bar for each bin.
///
/// # Errors
///
/// Those of the writer.
pub fn write_histograms_text(out: &mut dyn Write, all: &[Histogram], demangle: bool) -> io::Result<()> {
    if all.is_empty() {
        return writeln!(out, "no data markers");
    }
    for (index, histogram) in all.iter().enumerate() {
        let gap = if index > 0 { "\n" } else { "" };
        let kernel = shown(histogram.kernel.as_bytes(), demangle);
        let kernel = if kernel.is_empty() { &b"no known kernel"[..] } else { &kernel };
        write!(out, "{gap}{}", Printable(histogram.name.as_bytes()))?;
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
        if let Some(ValueSummary { min, median, p95, max, mean }) = histogram.summary {
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

/// Writes histograms as CSV, a line for each bin. The last column, `losses`, says in every line what was lost,
/// and is empty where nothing was.
///
/// # Errors
///
/// Those of the writer.
pub fn write_histograms_csv(
    out: &mut dyn Write,
    all: &[Histogram],
    losses: &Ledger,
    demangle: bool,
) -> io::Result<()> {
    const COLUMNS: &str = "kernel,name,word,low,high,count";
    write!(out, "{COLUMNS}")?;
    end_head(out)?;
    if all.iter().all(|histogram| histogram.bins.is_empty()) {
        return write_lost_alone(out, COLUMNS.split(',').count(), losses);
    }
    for histogram in all {
        for bin in &histogram.bins {
            write_field(out, &shown(histogram.kernel.as_bytes(), demangle))?;
            write!(out, ",")?;
            write_field(out, histogram.name.as_bytes())?;
            write!(out, ",{},{},{},{}", histogram.word, bin.low, bin.high, bin.count)?;
            end_line(out, losses)?;
        }
    }
    Ok(())
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
/// Those of the writer.
pub fn write_histograms_json(
    out: &mut dyn Write,
    all: &[Histogram],
    losses: &Ledger,
    options: ValueOptions,
) -> io::Result<()> {
    let mut histograms = all.to_vec();
    for histogram in &mut histograms {
        let kernel = shown(histogram.kernel.as_bytes(), options.demangle);
        histogram.kernel = String::from_utf8_lossy(&kernel).into_owned();
    }
    let json = HistogramsJson { kind: options.kind, histograms: &histograms, losses };
    serde_json::to_writer_pretty(&mut *out, &json)?;
    writeln!(out)
}
