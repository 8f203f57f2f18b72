//! Statistics: how often scopes ran, and how long they took.

use std::io::{self, Write};

use sqtt_decoder::Ledger;
use sqtt_decoder::stats::{RowKind, ScopeRow, Spread, Summary};
use sqtt_format::Printable;

use crate::names::{NO_KERNEL, NameStyle, located};
use crate::table::{self, Format, JsonLayout, Rows, Table, Type, Unit};

struct Scopes;

impl Rows for Scopes {
    type Row<'a> = &'a ScopeRow;
}

type Column = table::Column<Scopes>;

/// Writes one row per scope; in text a block per kernel, without what was lost.
///
/// # Errors
///
/// Errors of the writer.
pub fn write_stats(
    out: &mut dyn Write,
    rows: &[ScopeRow],
    losses: &Ledger,
    format: Format,
    names: NameStyle,
) -> io::Result<()> {
    let mut table = match format {
        Format::Text => Table::text(text(names), 1, true),
        Format::Json => Table::json(json(names), JsonLayout::Indented { list: "rows", unit: "cycles" }),
        Format::Csv => Table::csv(csv(names)),
    };
    table.set_losses(losses);
    table.begin(out)?;
    let mut kernel: Option<&[u8]> = None;
    for row in rows {
        if kernel != Some(&row.key.kernel) {
            let gap = if kernel.is_some() { "\n" } else { "" };
            kernel = Some(&row.key.kernel);
            let name = names.symbol(&row.key.kernel);
            let name = if name.is_empty() { NO_KERNEL.as_bytes() } else { &name };
            table.section(out, &format!("{gap}kernel {}", Printable(name)))?;
        }
        table.row(out, &row)?;
    }
    if format == Format::Text { Ok(()) } else { table.end(out, losses) }
}

fn text(names: NameStyle) -> Vec<Column> {
    let bar = || Column::new("|", Type::Text, |_| "|".into()).width(1);
    let mut columns = vec![kind().width(8), count().width(9), cut().width(6)];
    for (short, of) in [("incl", inclusive as Of<Summary>), ("excl", exclusive)] {
        columns.push(bar());
        for (name, value) in &SUMMARY[1..] {
            let width = if *name == "sum" { 13 } else { 10 };
            let name = if *name == "min" { format!("{short} min") } else { (*name).to_owned() };
            columns.push(number(name, of, *value).width(width));
        }
    }
    columns.push(bar());
    for (_, name, of) in SPREADS {
        let imbalance = Column::new(name, Type::Real, move |row| of(row).map(Spread::imbalance).into());
        columns.push(imbalance.width(7));
    }
    columns.push(Column::new("name", Type::Text, move |row| {
        located(&names.scope(&row.key), source(row), row.key.inlined).into()
    }));
    columns
}

fn json(names: NameStyle) -> Vec<Column> {
    let mut columns = vec![
        kernel(names),
        kind(),
        Column::new("name", Type::Text, move |row| names.scope(&row.key).into()),
        source_loc(),
        inlined(),
        Column::new("id", Type::Unsigned, |row| row.key.unknown_id.into()),
    ];
    columns.extend(counts());
    for (group, of) in [("inclusive", inclusive as Of<Summary>), ("exclusive", exclusive)] {
        columns.extend(SUMMARY.map(|(name, value)| number(format!("{group}.{name}"), of, value)));
    }
    for (unit, _, of) in SPREADS {
        let names = ["units", "min", "mean", "max"];
        columns.extend(spread(names.map(|name| format!("per_{unit}.{name}")), of));
    }
    columns
}

fn csv(names: NameStyle) -> Vec<Column> {
    let name = Column::new("name", Type::Text, move |row| {
        let has_name = row.key.kind != RowKind::Kernel;
        has_name.then(|| names.scope(&row.key)).into()
    });
    let mut columns = vec![kernel(names), kind(), name, source_loc()];
    columns.extend(counts());
    for (group, of) in [("inclusive", inclusive as Of<Summary>), ("exclusive", exclusive)] {
        columns
            .extend(SUMMARY[1..].iter().map(|(name, value)| number(format!("{group}_{name}"), of, *value)));
    }
    for (unit, _, of) in SPREADS {
        columns.extend(spread(["s", "_min", "_mean", "_max"].map(|name| format!("{unit}{name}")), of));
    }
    columns.push(inlined());
    columns
}

/// A part of a row.
type Of<T> = fn(&ScopeRow) -> Option<&T>;

/// A member of a summary.
type SummaryMember = fn(&Summary) -> u64;

/// Members of summaries; the first is left out of text and CSV, which have it as `count` less `cut`.
const SUMMARY: [(&str, SummaryMember); 6] = [
    ("count", |summary| summary.count),
    ("min", |summary| summary.min),
    ("median", |summary| summary.median),
    ("p95", |summary| summary.p95),
    ("max", |summary| summary.max),
    ("sum", |summary| summary.sum),
];

/// Spreads by their names in JSON and CSV, and in text.
const SPREADS: [(&str, &str, Of<Spread>); 3] = [
    ("cu", "CU", |row| row.per_cu.as_ref()),
    ("simd", "SIMD", |row| row.per_simd.as_ref()),
    ("wave", "wave", |row| row.per_wave.as_ref()),
];

const fn inclusive(row: &ScopeRow) -> Option<&Summary> {
    row.inclusive.as_ref()
}

const fn exclusive(row: &ScopeRow) -> Option<&Summary> {
    row.exclusive.as_ref()
}

fn number(name: String, of: Of<Summary>, value: SummaryMember) -> Column {
    Column::new(name, Type::Unsigned, move |row| of(row).map(value).into()).unit(Unit::Cycles)
}

fn spread([units, min, mean, max]: [String; 4], of: Of<Spread>) -> [Column; 4] {
    [
        Column::new(units, Type::Unsigned, move |row| of(row).map(|spread| spread.units).into()),
        Column::new(min, Type::Unsigned, move |row| of(row).map(|spread| spread.min).into())
            .unit(Unit::Cycles),
        Column::new(mean, Type::Real, move |row| of(row).map(|spread| spread.mean).into()).unit(Unit::Cycles),
        Column::new(max, Type::Unsigned, move |row| of(row).map(|spread| spread.max).into())
            .unit(Unit::Cycles),
    ]
}

fn kernel(names: NameStyle) -> Column {
    Column::new("kernel", Type::Text, move |row| names.symbol(&row.key.kernel).into())
}

fn kind() -> Column {
    Column::new("kind", Type::Text, |row| row.key.kind.name().into())
}

fn source_loc() -> Column {
    Column::new("source_loc", Type::Text, |row| source(row).into())
}

fn source(row: &ScopeRow) -> Option<&[u8]> {
    Some(&row.key.source_loc[..]).filter(|text| !text.is_empty())
}

fn inlined() -> Column {
    Column::new("inlined", Type::Flag, |row| row.key.inlined.into())
}

fn count() -> Column {
    Column::new("count", Type::Unsigned, |row| row.count.into())
}

fn cut() -> Column {
    Column::new("cut", Type::Unsigned, |row| row.cut.into())
}

fn counts() -> [Column; 3] {
    let closed = Column::new("closed_by_wave_end", Type::Unsigned, |row| row.closed_by_wave_end.into());
    [count(), closed, cut()]
}
