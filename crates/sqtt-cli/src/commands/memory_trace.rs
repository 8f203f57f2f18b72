//! `sqtt memory-trace`: what traced memory operations accessed.

use sqtt_answers::memory::{
    OperationRow, operations, write_heatmap_svg, write_memory_summary_json, write_memory_summary_text,
};
use sqtt_decoder::memory::{Collector, HardwareOptions, Heatmap, MemoryOptions, Operation};

use crate::trace_args::{EXIT_STATUS, Outcome, TraceArgs};

/// Print what traced memory operations accessed: the address of every lane (SQTT_TRACE_ADDRESSES).
///
/// Without another option, a JSON array of all operations by time, one per line; trace folders follow
/// each other. Where something was lost, the last element says what: its kind is "losses". Structured buffers are base + soffset + vindex * stride + voffset. Swizzled buffers, and
/// those of a GPU whose descriptors are not known, come as their parts, without addresses.
///
/// Bytes, lines and conflicts take the width of an access, which the plugin writes into the code object;
/// without it only what needs none is given.
///
/// LDS cycles follow the phases that were measured on gfx942, gfx950, gfx1100 and gfx1201. Other GPUs, and
/// accesses that were not measured, count neighbouring lanes, and the summary says so.
#[derive(Debug, clap::Args)]
#[command(after_help = format!("\
Examples:
  sqtt memory-trace trace_output/ -o operations.json
  sqtt memory-trace --summary --demangle trace_output/          cache lines, strides, bank conflicts
  sqtt memory-trace --summary --json trace_output/ | jq '.lines[] | select(.efficiency < 0.5) | .source'
  sqtt memory-trace --summary --pairs 20 trace_output/          which lanes collide at LDS banks
  sqtt memory-trace --summary --line-bytes 64 trace_output/     seen by the L1 of gfx90a
  sqtt memory-trace --heatmap --kernel gemm trace_output/ -o gemm.svg

{EXIT_STATUS}"))]
pub(crate) struct Args {
    #[command(flatten)]
    trace: TraceArgs,
    /// Print what the operations of each marker come to
    #[arg(long)]
    summary: bool,
    /// With --summary, print one JSON object with lines and losses
    #[arg(long, requires = "summary")]
    json: bool,
    /// Write an SVG image of which addresses were accessed when
    #[arg(long, conflicts_with = "summary")]
    heatmap: bool,
    /// Bytes of a cache line, in the place of what is assumed of the GPU (64 or 128)
    #[arg(long, value_name = "N", value_parser = power_of_two)]
    line_bytes: Option<u32>,
    /// Bytes of a sector, the least part of a line that is fetched by itself, in the place of 64
    #[arg(long, value_name = "N", value_parser = power_of_two)]
    sector_bytes: Option<u32>,
    /// Banks of LDS, in the place of what was measured of the GPU; neighbouring lanes are counted then
    #[arg(long, value_name = "N", value_parser = power_of_two)]
    lds_banks: Option<u32>,
    /// With --summary, how many of the worst operations of each marker are shown
    #[arg(long, value_name = "N", default_value_t = MemoryOptions::default().worst)]
    worst: usize,
    /// With --summary, how many pairs of lanes that collide at LDS banks are shown of each marker
    #[arg(long, value_name = "N", default_value_t = MemoryOptions::default().pairs)]
    pairs: usize,
}

fn power_of_two(text: &str) -> Result<u32, String> {
    match text.parse::<u32>() {
        Ok(number) if number.is_power_of_two() && number <= 1 << 16 => Ok(number),
        _ => Err("no power of two up to 65536".to_owned()),
    }
}

impl Args {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let outcome = if self.summary {
            self.summarise()?
        } else if self.heatmap {
            self.draw()?
        } else {
            self.list()?
        };
        self.trace.finish(&outcome)
    }

    fn list(&self) -> anyhow::Result<Outcome> {
        let filter = self.trace.filter();
        let mut out = self.trace.writer()?;
        let mut table = operations(self.trace.names());
        table.begin(&mut out)?;
        let outcome = self.trace.each_folder(|folder| {
            let name = folder.path.display().to_string();
            let ledger = folder.decode_in_order(&filter, |wave, event| {
                let Some(operation) = Operation::of(wave, event, folder.gfxip) else { return Ok(()) };
                table.row(&mut out, &OperationRow { folder: &name, wave, event, operation: &operation })
            })?;
            Ok(ledger)
        })?;
        table.end(&mut out, &outcome.ledger)?;
        out.finish()?;
        Ok(outcome)
    }

    fn summarise(&self) -> anyhow::Result<Outcome> {
        let (filter, threads, names) = (self.trace.filter(), self.trace.threads(), self.trace.names());
        let Self { line_bytes, sector_bytes, lds_banks, worst, pairs, .. } = *self;
        let hardware =
            HardwareOptions::default().line_bytes(line_bytes).sector_bytes(sector_bytes).lds_banks(lds_banks);
        let mut collector =
            Collector::new(MemoryOptions::default().hardware(hardware).worst(worst).pairs(pairs));
        let outcome = self.trace.each_folder(|folder| Ok(collector.add_folder(folder, &filter, threads)))?;
        let summary = collector.into_summary();
        let mut out = self.trace.writer()?;
        if self.json {
            write_memory_summary_json(&mut out, &summary, &outcome.ledger, names)?;
        } else {
            write_memory_summary_text(&mut out, &summary, names)?;
            self.trace.end_text(&mut out, &outcome)?;
        }
        out.finish()?;
        Ok(outcome)
    }

    fn draw(&self) -> anyhow::Result<Outcome> {
        let filter = self.trace.filter();
        let mut map = Heatmap::new();
        let outcome = self.trace.each_folder(|folder| {
            let name = folder.path.display().to_string();
            folder.decode_in_order(&filter, |wave, event| {
                if let Some(operation) = Operation::of(wave, event, folder.gfxip) {
                    map.add(&name, event.time, &operation);
                }
                Ok(())
            })
        })?;
        let mut out = self.trace.writer()?;
        write_heatmap_svg(&mut out, &map, &outcome.ledger)?;
        out.finish()?;
        Ok(outcome)
    }
}
