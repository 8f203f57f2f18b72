//! A trace of any source as a folder: what markers and occupancy need.

use std::path::Path;

use super::{
    Description, EngineDescription, HardwareEvent, KernelAddress, RecordFiles, RewriteOptions, Style,
    WaveEdge, WriteError,
};
use crate::trace::{self, Launch, SlotId, Trace};

/// Writes a trace that was no folder, such as a raw one, into the empty folder at `target`: records,
/// waves, kernels, the clocks, and the markers of its code objects. There is nothing in it of instructions.
///
/// # Errors
///
/// Errors of the file system.
pub fn write_folder(
    trace: &Trace,
    target: &Path,
    style: Style,
    options: &RewriteOptions,
) -> Result<(), WriteError> {
    let words = options.words(trace);
    let mut description = Description {
        gfxip: trace.gfxip.unwrap_or_default(),
        kernels: trace
            .kernels
            .iter()
            .map(|(&number, kernel)| (number, kernel.name.as_bytes().into()))
            .collect(),
        code_objects: trace.code_objects.clone(),
        kernel_symbols: kernel_symbols(trace),
        real_time: trace.real_time.clone().unwrap_or_default(),
        ..Description::default()
    };
    for (&se, engine) in &trace.engines {
        let mut files = RecordFiles::new(target, se, style);
        trace.records_in_order(se, &options.filter, words, |slot, record| files.push(slot, record))?;
        let events = engine.events.iter().map(|&event| HardwareEvent::from(event));
        let described = EngineDescription {
            files: files.finish()?,
            waves: edges(se, engine),
            dispatches: Vec::new(),
            events: events.collect(),
        };
        description.engines.insert(se, described);
    }
    description.write(target, style)
}

/// Starts and ends by time; in a slot, an end before the start that follows it at the same time.
fn edges(se: u32, engine: &trace::Engine) -> Vec<WaveEdge> {
    let mut edges: Vec<WaveEdge> = Vec::new();
    for (id, launches) in engine.launches(se) {
        let SlotId { cu, simd, slot, .. } = id;
        for &Launch { time, retired, kernel, origin, .. } in launches {
            let origin = origin.unwrap_or_default();
            let start = WaveEdge { time, cu, simd, slot, start: true, kernel, origin };
            edges.push(start);
            edges.extend(retired.map(|time| WaveEdge { time, start: false, ..start }));
        }
    }
    // Stable: what happened in one slot keeps its order.
    edges.sort_by_key(|edge| edge.time);
    edges
}

fn kernel_symbols(trace: &Trace) -> Vec<KernelAddress> {
    let objects = trace.code_objects.iter().flat_map(|object| {
        let entries = object.funcmap.entries().iter().zip(&object.addresses);
        entries.filter_map(|(entry, address)| {
            let is_kernel = entry.kind() == sqtt_format::EntryKind::Kernel;
            let name = entry.name().into();
            address.filter(|_| is_kernel).map(|address| KernelAddress {
                code_object: object.id,
                address,
                name,
            })
        })
    });
    objects.collect()
}
