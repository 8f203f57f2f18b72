//! Summaries of traced memory operations, for people and as JSON: a document, whose rows hold others.

use std::io::{self, Write};

use serde::Serialize;
use sqtt_decoder::Ledger;
use sqtt_decoder::memory::{
    Hardware, Instance, LanePair, Lanes, LdsBanks, LdsInstruction, LdsOrder, MarkerRow, MemorySummary, Space,
    Strides, Touched,
};
use sqtt_format::{Name, Printable};

use crate::names::{NO_KERNEL, NameStyle};

#[derive(Serialize)]
struct SummaryJson<'a> {
    lines: &'a [MarkerRow],
    losses: &'a Ledger,
}

/// Writes one JSON object: `lines`, each a [`MarkerRow`], and the ledger as `losses`.
///
/// # Errors
///
/// Errors of the writer.
pub fn write_memory_summary_json(
    out: &mut dyn Write,
    summary: &MemorySummary,
    losses: &Ledger,
    names: NameStyle,
) -> io::Result<()> {
    let mut lines = summary.lines.clone();
    for line in &mut lines {
        line.kernel = Name::from(names.symbol(&line.kernel));
    }
    serde_json::to_writer_pretty(&mut *out, &SummaryJson { lines: &lines, losses })?;
    writeln!(out)
}

/// Writes a block per kernel, some lines per marker: what was accessed, what it cost, and the worst
/// operations.
///
/// # Errors
///
/// Errors of the writer.
pub fn write_memory_summary_text(
    out: &mut dyn Write,
    summary: &MemorySummary,
    names: NameStyle,
) -> io::Result<()> {
    if summary.lines.is_empty() {
        return writeln!(out, "no traced memory operations");
    }
    let mut hardware: Vec<&Hardware> = summary.lines.iter().map(|line| &line.hardware).collect();
    hardware.sort_unstable();
    hardware.dedup();
    for Hardware { target, line_bytes, sector_bytes, .. } in hardware {
        let target = target.as_deref().unwrap_or("an unknown GPU");
        writeln!(
            out,
            "assumed of {}: cache lines of {line_bytes} bytes, sectors of {sector_bytes} (see --line-bytes, \
             --sector-bytes)",
            Printable(target.as_bytes())
        )?;
    }
    let mut kernel: Option<&[u8]> = None;
    for line in &summary.lines {
        if kernel != Some(&line.kernel) {
            kernel = Some(&line.kernel);
            let name = names.symbol(&line.kernel);
            let name = if name.is_empty() { NO_KERNEL.as_bytes() } else { &name };
            writeln!(out, "\nkernel {}", Printable(name))?;
        }
        write_line(out, line)?;
    }
    if summary.lines.iter().any(|line| line.access_bytes.is_none() && line.space != Space::Lanes) {
        writeln!(
            out,
            "\nwidth not known: the .sqtt_config of the code object does not say how many bytes a lane accesses \
             there; the plugin of this version writes it, and --code-objects names the file"
        )?;
    }
    let instructions = summary.lines.iter().filter_map(|line| line.lds_banks.as_ref());
    if instructions.flat_map(|banks| &banks.instructions).any(|one| one.order == LdsOrder::Neighbours) {
        writeln!(
            out,
            "\nneighbours: nobody published which lanes LDS serves together there, so lanes are counted by their \
             numbers, as many at a time as the banks can serve; the hardware's count may be another"
        )?;
    }
    Ok(())
}

fn write_line(out: &mut dyn Write, line: &MarkerRow) -> io::Result<()> {
    let width = match line.access_bytes {
        Some(bytes) => format!("{bytes} bytes a lane"),
        None => "width not known".to_owned(),
    };
    let source = line.source.as_deref().unwrap_or(b"(no source line)");
    let (kind, id) = (line.kind, line.marker_id);
    writeln!(out, "  {}  {kind}, {width}, marker {id}", Printable(source))?;
    let Lanes { min, max, sum, possible, .. } = line.active_lanes;
    writeln!(
        out,
        "    operations   {} in {} waves; active lanes {:.1} of {:.1} (min {min}, max {max})",
        line.operations,
        line.waves,
        line.active_lanes.mean(line.operations),
        possible as f64 / line.operations.max(1) as f64,
    )?;
    if sum == 0 {
        return writeln!(out, "    no lane took part");
    }
    if line.without_address > 0 {
        writeln!(
            out,
            "    addresses    not known of {} operations (swizzled buffers, or an unknown descriptor layout)",
            line.without_address
        )?;
    }
    if let Some((low, high)) = line.address_range {
        writeln!(out, "    addresses    {low:#x} to {high:#x}")?;
        write_strides(out, &line.strides, line.operations)?;
    }
    if let Some((requested, distinct)) = line.requested_bytes.zip(line.distinct_bytes) {
        writeln!(out, "    bytes        {requested} asked for, {distinct} different ones")?;
    } else if line.access_bytes.is_none() && line.space != Space::Lanes {
        writeln!(out, "    bytes        not known, nor what follows from them")?;
    }
    for (name, touched, bytes) in [
        ("cache lines ", line.lines, line.hardware.line_bytes),
        ("sectors     ", line.sectors, line.hardware.sector_bytes),
    ] {
        let Some(Touched { touched, minimum, .. }) = touched else { continue };
        let ratio = touched as f64 / minimum.max(1) as f64;
        writeln!(out, "    {name} {touched} of {bytes} bytes, {minimum} would do ({ratio:.2} times)")?;
    }
    if let Some(efficiency) = line.efficiency {
        writeln!(out, "    efficiency   {:.1}% of the sectors' bytes were asked for", efficiency * 100.0)?;
    }
    if let Some(banks) = &line.lds_banks {
        write_banks(out, banks)?;
    }
    let unit = if line.space == Space::Lds { "cycles" } else { "lines" };
    for Instance { cost, minimum, active_lanes, first_address, time, slot, generation, .. } in &line.worst {
        writeln!(
            out,
            "    worst        {cost} {unit} for {minimum}: time {time}, {}#{generation}, {active_lanes} lanes from \
             {first_address:#x}",
            sqtt_decoder::trace::SlotId::from(*slot)
        )?;
    }
    Ok(())
}

fn write_banks(out: &mut dyn Write, banks: &LdsBanks) -> io::Result<()> {
    let LdsBanks { cycles, minimum, conflicted_operations, instructions, pairs, pairs_left_out, .. } = banks;
    writeln!(
        out,
        "    LDS cycles   {cycles}, {minimum} without conflicts; {conflicted_operations} operations with conflicts"
    )?;
    for LdsInstruction { bytes, lanes, banks, order, source, .. } in instructions {
        let source = source.unwrap_or_default();
        let order = match order {
            LdsOrder::Measured => format!("as measured ({source})"),
            LdsOrder::Disputed => format!("as measured ({source}); others say otherwise"),
            LdsOrder::Neighbours => "neighbours".to_owned(),
        };
        writeln!(out, "    LDS order    {bytes} bytes: {lanes} lanes at a time, {banks} banks, {order}")?;
    }
    for LanePair { lanes: [low, high], operations, bank, addresses: [first, second], .. } in pairs {
        let plural = if *operations == 1 { "" } else { "s" };
        writeln!(
            out,
            "    collide      lanes {low} and {high} in {operations} operation{plural}: bank {bank}, {first:#x} and \
             {second:#x}"
        )?;
    }
    if *pairs_left_out > 0 {
        writeln!(out, "    collide      {pairs_left_out} more pairs (see --pairs)")?;
    }
    Ok(())
}

fn write_strides(out: &mut dyn Write, strides: &Strides, operations: u64) -> io::Result<()> {
    let percent = |count: u64| count as f64 * 100.0 / operations.max(1) as f64;
    let mut parts: Vec<String> =
        strides.common.iter().map(|&(stride, count)| format!("{stride} ({:.0}%)", percent(count))).collect();
    for (count, what) in
        [(strides.other, "others"), (strides.irregular, "irregular"), (strides.single, "single lanes")]
    {
        if count > 0 {
            parts.push(format!("{what} ({:.0}%)", percent(count)));
        }
    }
    if parts.is_empty() { Ok(()) } else { writeln!(out, "    stride       {}", parts.join(", ")) }
}
