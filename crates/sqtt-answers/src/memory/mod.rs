//! Traced memory operations as JSON, and what they come to as a table and as JSON.

mod heatmap;

use std::io::{self, Write};

use serde::{Serialize, Serializer};
use sqtt_format::{Entry, Printable};

use sqtt_decoder::Ledger;
use sqtt_decoder::memory::{
    Hardware, Instance, LanePair, Lanes, LdsBanks, LdsInstruction, LdsOrder, MarkerRow, MemorySummary,
    NoAddress, Operation, Space, Strides, Touched,
};
use sqtt_decoder::names::shown;
use sqtt_decoder::stream::{Event, Wave};

pub use heatmap::write_heatmap_svg;

/// A number as `0x` and so many digits.
struct Hex(u64, usize);

impl Serialize for Hex {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("{:#0width$x}", self.0, width = self.1 + 2))
    }
}

#[derive(Serialize)]
struct OperationJson<'a> {
    folder: &'a str,
    kind: &'static str,
    marker_id: u32,
    time: i64,
    shader_engine: u32,
    cu: u16,
    simd: u8,
    wave: u8,
    generation: u32,
    kernel: Option<String>,
    code_object: Option<u64>,
    source: Option<String>,
    exec_mask: Hex,
    active_lanes: u32,
    access_bytes: Option<u32>,
    lanes: Vec<u32>,
    addresses: Option<Vec<Hex>>,
    no_address: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    buffer: Option<BufferJson>,
}

#[derive(Serialize)]
struct BufferJson {
    descriptor: [Hex; 2],
    base: Hex,
    stride: Option<u32>,
    soffset: u32,
    voffset: Vec<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    vindex: Option<Vec<u32>>,
}

/// Writes an operation as one JSON object without a newline: the keys that the address-tracing tools have,
/// with lane numbers, and what buffer addresses are made of. What is not known is `null`.
///
/// # Errors
///
/// Those of the writer.
pub fn write_operation_json(
    out: &mut dyn Write,
    folder: &str,
    wave: &Wave<'_>,
    event: &Event<'_>,
    operation: &Operation<'_>,
    demangle: bool,
) -> io::Result<()> {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let block = &operation.block;
    let digits = if operation.space() == Space::Memory { 16 } else { 8 };
    let has_address = operation.no_address().is_none();
    let buffer = block.buffer.map(|buffer| {
        let vindex: Option<Vec<u32>> = block.active_offsets().map(|(_, _, vindex)| vindex).collect();
        BufferJson {
            descriptor: buffer.descriptor.map(|word| Hex(word.into(), 8)),
            base: Hex(buffer.base(), 16),
            stride: operation.stride(),
            soffset: buffer.soffset,
            voffset: block.active_offsets().map(|(_, voffset, _)| voffset).collect(),
            vindex: vindex.filter(|_| operation.is_structured()),
        }
    });
    let addresses = operation.lanes().filter_map(|lane| lane.address).map(|address| Hex(address, digits));
    let json = OperationJson {
        folder,
        kind: operation.kind_name(),
        marker_id: operation.marker_id,
        time: event.time,
        shader_engine: wave.slot.se,
        cu: wave.slot.cu,
        simd: wave.slot.simd,
        wave: wave.slot.slot,
        generation: wave.generation,
        kernel: wave.kernel.map(|kernel| text(&shown(kernel.name.as_bytes(), demangle))),
        code_object: wave.map().and_then(|map| map.object_id()),
        source: Entry::source_loc(operation.entry).map(text),
        exec_mask: Hex(block.exec, 16),
        active_lanes: block.active_lane_count(),
        access_bytes: operation.access_bytes,
        lanes: operation.lanes().map(|lane| lane.lane).collect(),
        addresses: has_address.then(|| addresses.collect()),
        no_address: operation.no_address().map(NoAddress::name),
        buffer,
    };
    serde_json::to_writer(&mut *out, &json)?;
    Ok(())
}

#[derive(Serialize)]
struct SummaryJson<'a> {
    lines: &'a [MarkerRow],
    losses: &'a Ledger,
}

/// Writes one JSON object: `lines`, each a [`MarkerRow`], and the ledger as `losses`.
///
/// # Errors
///
/// Those of the writer.
pub fn write_memory_summary_json(
    out: &mut dyn Write,
    summary: &MemorySummary,
    losses: &Ledger,
    demangle: bool,
) -> io::Result<()> {
    let mut lines = summary.lines.clone();
    for line in &mut lines {
        line.kernel = String::from_utf8_lossy(&shown(line.kernel.as_bytes(), demangle)).into_owned();
    }
    serde_json::to_writer_pretty(&mut *out, &SummaryJson { lines: &lines, losses })?;
    writeln!(out)
}

/// Writes a block per kernel, some lines per marker: what was accessed, what it cost, and the worst
/// operations.
///
/// # Errors
///
/// Those of the writer.
pub fn write_memory_summary_text(
    out: &mut dyn Write,
    summary: &MemorySummary,
    demangle: bool,
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
    let mut kernel: Option<&str> = None;
    for line in &summary.lines {
        if kernel != Some(&line.kernel) {
            kernel = Some(&line.kernel);
            let name = shown(line.kernel.as_bytes(), demangle);
            let name = if name.is_empty() { &b"(no known kernel)"[..] } else { &name };
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
    let source = line.source.as_deref().unwrap_or("(no source line)");
    let (kind, id) = (line.kind, line.marker_id);
    writeln!(out, "  {}  {kind}, {width}, marker {id}", Printable(source.as_bytes()))?;
    let Lanes { min, max, sum, possible } = line.active_lanes;
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
        let Some(Touched { touched, minimum }) = touched else { continue };
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
    let LdsBanks { cycles, minimum, conflicted_operations, instructions, pairs, pairs_left_out } = banks;
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
    for LanePair { lanes: [low, high], operations, bank, addresses: [first, second] } in pairs {
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
