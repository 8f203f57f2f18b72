//! Costs of traced memory operations, marker by marker, as the report's table has them.

use serde::Serialize;
use sqtt_decoder::memory::{LanePair, LdsBanks, LdsOrder, MarkerRow, MemorySummary, Space, Touched};

use crate::names::NameStyle;

#[derive(Serialize)]
pub(super) struct MemoryJson {
    rows: Vec<RowJson>,
    left_out: usize,
}

#[derive(Serialize)]
struct RowJson {
    kernel: String,
    source: String,
    kind: &'static str,
    marker: u32,
    operations: u64,
    waves: u64,
    /// Lanes that took part, of 100.
    lanes: f64,
    access_bytes: Option<u32>,
    /// Bytes between neighbouring lanes, the commonest.
    stride: Option<i64>,
    lines: Option<Pair>,
    sectors: Option<Pair>,
    /// Bytes asked for against bytes moved.
    efficiency: Option<f64>,
    bank_cycles: Option<Pair>,
    /// Set if neighbouring lanes were counted, because the lanes that LDS serves together were not measured.
    neighbours: bool,
    without_address: u64,
    finding: String,
}

/// Number there was, and the least possible.
#[derive(Clone, Copy, Serialize)]
struct Pair {
    touched: u64,
    minimum: u64,
}

impl Pair {
    fn of(touched: &Touched) -> Self {
        Self { touched: touched.touched, minimum: touched.minimum }
    }

    fn ratio(self) -> f64 {
        if self.minimum == 0 { 1.0 } else { self.touched as f64 / self.minimum as f64 }
    }
}

impl MemoryJson {
    pub(super) fn of(summary: &MemorySummary, names: NameStyle, limit: usize) -> Self {
        let mut lines: Vec<&MarkerRow> = summary.lines.iter().collect();
        // The worst first, so that what is left out is the least.
        lines.sort_by_key(|line| std::cmp::Reverse(line.excess()));
        let rows = lines.into_iter().take(limit).map(|line| row(line, names));
        Self { rows: rows.collect(), left_out: summary.lines.len().saturating_sub(limit) }
    }
}

fn row(line: &MarkerRow, names: NameStyle) -> RowJson {
    let banks = line.lds_banks.as_ref().map(|banks| Pair { touched: banks.cycles, minimum: banks.minimum });
    let possible = line.active_lanes.possible;
    let mut row = RowJson {
        kernel: names.name(&line.kernel, true),
        source: names.name(line.source.as_deref().unwrap_or_default(), false),
        kind: line.kind,
        marker: line.marker_id,
        operations: line.operations,
        waves: line.waves,
        lanes: if possible == 0 { 0.0 } else { 100.0 * line.active_lanes.sum as f64 / possible as f64 },
        access_bytes: line.access_bytes,
        stride: line.strides.common.first().map(|(stride, _)| *stride),
        lines: line.lines.as_ref().map(Pair::of),
        sectors: line.sectors.as_ref().map(Pair::of),
        efficiency: line.efficiency,
        bank_cycles: banks,
        neighbours: line
            .lds_banks
            .as_ref()
            .is_some_and(|banks| banks.instructions.iter().any(|one| one.order == LdsOrder::Neighbours)),
        without_address: line.without_address,
        finding: String::new(),
    };
    row.finding = finding(&row, line);
    row
}

/// The row in words: what is worst about it.
fn finding(row: &RowJson, line: &MarkerRow) -> String {
    let mut findings = Vec::new();
    let conflicts = row.bank_cycles.filter(|banks| banks.ratio() > 1.05);
    if let Some((cycles, banks)) = conflicts.zip(line.lds_banks.as_ref()) {
        findings.push(conflict(cycles, banks));
    }
    if let Some(lines) = row.lines.filter(|lines| lines.ratio() > 1.05) {
        findings.push(format!("touches {:.1} times as many cache lines as it would have to", lines.ratio()));
    }
    if row.operations > 0 && row.lanes < 50.0 {
        findings.push(format!("only {:.0}% of the lanes take part", row.lanes));
    }
    if row.without_address > 0 {
        findings.push(format!("{} operations whose addresses are not known", row.without_address));
    }
    if row.access_bytes.is_none() && line.space != Space::Lanes {
        findings
            .push("the width of the access is not known: costs that depend on it are left out".to_owned());
    }
    findings.join("; ")
}

fn conflict(cycles: Pair, banks: &LdsBanks) -> String {
    let mut text =
        format!("LDS bank conflicts: {:.1} times the cycles of a conflict-free access", cycles.ratio());
    if let Some(LanePair { lanes: [low, high], bank, .. }) = banks.pairs.first() {
        text += &format!(", most often between lanes {low} and {high} (bank {bank})");
    }
    text
}
