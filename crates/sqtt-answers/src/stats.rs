//! Statistics as a table, as JSON and as CSV.

use std::io::{self, Write};

use serde::Serialize;
use sqtt_format::Printable;

use crate::csv::{end_head, end_line, write_field, write_lost_alone};
use sqtt_decoder::names::shown;

use crate::names::INLINED;
use sqtt_decoder::Ledger;
use sqtt_decoder::stats::{Row, RowKind, Spread, Summary};

/// Writes a table for people: a block per kernel, a line per scope.
///
/// # Errors
///
/// Those of the writer.
pub fn write_stats_text(out: &mut dyn Write, rows: &[Row], demangle: bool) -> io::Result<()> {
    let mut kernel: Option<&[u8]> = None;
    for row in rows {
        if kernel != Some(&row.key.kernel) {
            let gap = if kernel.is_some() { "\n" } else { "" };
            kernel = Some(&row.key.kernel);
            let name = shown(&row.key.kernel, demangle);
            let name = if name.is_empty() { &b"(no known kernel)"[..] } else { &name };
            writeln!(out, "{gap}kernel {}", Printable(name))?;
            writeln!(
                out,
                "{:>8} {:>9} {:>6} | {:>10} {:>10} {:>10} {:>10} {:>13} | {:>10} {:>10} {:>10} {:>10} {:>13} | \
                 {:>7} {:>7} {:>7}  name",
                "kind",
                "count",
                "cut",
                "incl min",
                "median",
                "p95",
                "max",
                "sum",
                "excl min",
                "median",
                "p95",
                "max",
                "sum",
                "CU",
                "SIMD",
                "wave"
            )?;
        }
        write!(out, "{:>8} {:>9} {:>6} |", row.key.kind.name(), row.count, row.cut)?;
        write_summary(out, row.inclusive.as_ref())?;
        write!(out, " |")?;
        write_summary(out, row.exclusive.as_ref())?;
        write!(out, " |")?;
        for spread in [&row.per_cu, &row.per_simd, &row.per_wave] {
            match spread {
                Some(spread) => write!(out, " {:>7.2}", spread.imbalance())?,
                None => write!(out, " {:>7}", "-")?,
            }
        }
        write!(out, "  {}", Printable(&row.key.display_name(demangle)))?;
        if !row.key.source_loc.is_empty() {
            write!(out, "  @ {}", Printable(&row.key.source_loc))?;
        }
        writeln!(out, "{}", if row.key.inlined { format!("  {INLINED}") } else { String::new() })?;
    }
    Ok(())
}

fn write_summary(out: &mut dyn Write, summary: Option<&Summary>) -> io::Result<()> {
    match summary {
        Some(Summary { min, median, p95, max, sum, .. }) => {
            write!(out, " {min:>10} {median:>10} {p95:>10} {max:>10} {sum:>13}")
        }
        None => write!(out, " {:>10} {:>10} {:>10} {:>10} {:>13}", "-", "-", "-", "-", "-"),
    }
}

#[derive(Serialize)]
struct StatsJson<'a> {
    unit: &'static str,
    rows: Vec<RowJson<'a>>,
    losses: &'a Ledger,
}

#[derive(Serialize)]
struct RowJson<'a> {
    kernel: String,
    kind: &'static str,
    name: String,
    source_loc: Option<String>,
    inlined: bool,
    id: Option<u32>,
    count: u64,
    closed_by_wave_end: u64,
    cut: u64,
    inclusive: Option<&'a Summary>,
    exclusive: Option<&'a Summary>,
    per_cu: Option<&'a Spread>,
    per_simd: Option<&'a Spread>,
    per_wave: Option<&'a Spread>,
}

/// Writes one JSON object: `rows`, and the ledger as `losses`. What is not there is `null`.
///
/// # Errors
///
/// Those of the writer.
pub fn write_stats_json(
    out: &mut dyn Write,
    rows: &[Row],
    losses: &Ledger,
    demangle: bool,
) -> io::Result<()> {
    let rows = rows.iter().map(|row| RowJson {
        kernel: text(&shown(&row.key.kernel, demangle)),
        kind: row.key.kind.name(),
        name: text(&row.key.display_name(demangle)),
        source_loc: (!row.key.source_loc.is_empty()).then(|| text(&row.key.source_loc)),
        inlined: row.key.inlined,
        id: row.key.unknown_id,
        count: row.count,
        closed_by_wave_end: row.closed_by_wave_end,
        cut: row.cut,
        inclusive: row.inclusive.as_ref(),
        exclusive: row.exclusive.as_ref(),
        per_cu: row.per_cu.as_ref(),
        per_simd: row.per_simd.as_ref(),
        per_wave: row.per_wave.as_ref(),
    });
    let json = StatsJson { unit: "cycles", rows: rows.collect(), losses };
    serde_json::to_writer_pretty(&mut *out, &json)?;
    writeln!(out)
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The columns of [`write_stats_csv`].
const COLUMNS: &str = "kernel,kind,name,source_loc,count,closed_by_wave_end,cut,\
    inclusive_min,inclusive_median,inclusive_p95,inclusive_max,inclusive_sum,\
    exclusive_min,exclusive_median,exclusive_p95,exclusive_max,exclusive_sum,\
    cus,cu_min,cu_mean,cu_max,simds,simd_min,simd_mean,simd_max,waves,wave_min,wave_mean,wave_max,inlined";

/// Writes CSV (RFC 4180) with one line of headings. What is not there is an empty field. The last column,
/// `losses`, says in every line what the trace lost, and is empty where nothing was.
///
/// # Errors
///
/// Those of the writer.
pub fn write_stats_csv(out: &mut dyn Write, rows: &[Row], losses: &Ledger, demangle: bool) -> io::Result<()> {
    write!(out, "{COLUMNS}")?;
    end_head(out)?;
    if rows.is_empty() {
        return write_lost_alone(out, COLUMNS.split(',').count(), losses);
    }
    for row in rows {
        write_field(out, &shown(&row.key.kernel, demangle))?;
        write!(out, ",{},", row.key.kind.name())?;
        let name = if row.key.kind == RowKind::Kernel { Vec::new() } else { row.key.display_name(demangle) };
        write_field(out, &name)?;
        write!(out, ",")?;
        write_field(out, &row.key.source_loc)?;
        write!(out, ",{},{},{}", row.count, row.closed_by_wave_end, row.cut)?;
        for summary in [&row.inclusive, &row.exclusive] {
            match summary {
                Some(Summary { min, median, p95, max, sum, .. }) => {
                    write!(out, ",{min},{median},{p95},{max},{sum}")?;
                }
                None => write!(out, ",,,,,")?,
            }
        }
        for spread in [&row.per_cu, &row.per_simd, &row.per_wave] {
            match spread {
                Some(Spread { units, min, mean, max }) => write!(out, ",{units},{min},{mean},{max}")?,
                None => write!(out, ",,,,")?,
            }
        }
        write!(out, ",{}", row.key.inlined)?;
        end_line(out, losses)?;
    }
    Ok(())
}
