//! From waves to stacks.

use std::collections::HashMap;

use sqtt_decoder::stream::{EventKind, MarkerStream, Wave};
use sqtt_decoder::trace::Trace;
use sqtt_decoder::{Filter, Ledger, RemarkKind};
use sqtt_format::{Entry, Printable};

use super::tree::{ROOT, Tree};
use super::{FlameError, FlameOptions, FlameUnit, Flames, Weight};
use crate::rate::ClockRate;

/// The time of a wave in which packets were lost, outside of the scopes that are known.
const LOST: &str = "(unknown: packets were lost)";

pub(super) fn add(flames: &mut Flames, trace: &Trace, filter: &Filter) -> Result<Ledger, FlameError> {
    let rate = ClockRate::of(trace, flames.options.clock_ghz);
    let ghz = match flames.options.weight {
        Weight::Cycles => None,
        Weight::Time => {
            let none = || FlameError::NoClockRate { folder: trace.path.display().to_string() };
            Some(rate.ghz().ok_or_else(none)?)
        }
    };
    let label = label(trace, &flames.folders);
    let mut collector = StackCollector {
        options: flames.options,
        tree: &mut flames.tree,
        ghz,
        folder: &label,
        kernels: HashMap::new(),
        waves: 0,
    };
    let ledger = trace.decode(filter, |wave, stream| collector.wave(wave, stream));
    flames.waves += collector.waves;
    flames.losses.merge(&ledger);
    flames.folders.push(label);
    Ok(ledger)
}

/// The folder's name, made different from those before it.
fn label(trace: &Trace, known: &[String]) -> String {
    let name = trace.path.file_name().unwrap_or(trace.path.as_os_str()).to_string_lossy();
    let name = Printable(name.as_bytes()).to_string();
    let mut candidates = (2..).map(|number| format!("{name} ({number})"));
    let first = Some(name.clone()).filter(|name| !known.contains(name));
    first.or_else(|| candidates.find(|name| !known.contains(name))).unwrap_or(name)
}

struct StackCollector<'a> {
    options: FlameOptions,
    tree: &'a mut Tree,
    /// `None` where cycles are counted.
    ghz: Option<f64>,
    folder: &'a str,
    /// Frames of kernels by their number in this folder.
    kernels: HashMap<Option<u64>, u32>,
    waves: u64,
}

impl StackCollector<'_> {
    fn wave(&mut self, wave: &Wave<'_>, stream: &mut MarkerStream<'_>) {
        self.waves += 1;
        let kernel = self.kernel(wave);
        let mut frames: HashMap<u32, u32> = HashMap::new();
        let mut open: Vec<u32> = Vec::new();
        let mut in_scopes = 0_i64;
        while let Some(event) = stream.next() {
            if let Some(closed) = event.closed {
                let node = open.pop().unwrap_or(kernel);
                self.count(node, closed.exclusive());
                if open.is_empty() {
                    in_scopes = in_scopes.saturating_add(closed.inclusive());
                }
            }
            if matches!(event.kind, EventKind::Enter | EventKind::ExitEnter) {
                let id = event.marker.id;
                let frame = *frames.entry(id).or_insert_with(|| {
                    let place =
                        event.entry.and_then(Entry::source_loc).map(|place| Printable(place).to_string());
                    self.tree.frame(&self.options.names.marker(wave, event.entry, id), place)
                });
                open.push(self.tree.child(open.last().copied().unwrap_or(kernel), frame));
            }
        }
        let Some((launch, retired)) = wave.launch.zip(wave.retired()) else { return };
        if wave.is_older_than_trace() {
            return;
        }
        let outside = retired.saturating_sub(launch.time).saturating_sub(in_scopes);
        let is_cut = |kind| stream.losses().count(kind) > 0;
        let node = if is_cut(RemarkKind::ScopeCutByPacketLoss) || launch.end_is_lost {
            let frame = self.tree.frame(LOST, None);
            self.tree.child(kernel, frame)
        } else {
            kernel
        };
        self.count(node, outside);
    }

    /// The node of a wave's kernel.
    fn kernel(&mut self, wave: &Wave<'_>) -> u32 {
        let slot = wave.slot;
        let unit = match self.options.per {
            FlameUnit::Kernel => None,
            FlameUnit::Cu => Some(format!("SE{}/CU{}", slot.se, slot.cu)),
            FlameUnit::Simd => Some(format!("SE{}/CU{}/SIMD{}", slot.se, slot.cu, slot.simd)),
            FlameUnit::Wave => Some(match wave.launch {
                Some(_) => format!("{}/{slot}#{}", self.folder, wave.generation),
                None => format!("{}/{slot}, before its first wave", self.folder),
            }),
        };
        let above = match unit {
            Some(unit) => {
                let frame = self.tree.frame(&unit, None);
                self.tree.child(ROOT, frame)
            }
            None => ROOT,
        };
        let (tree, names) = (&mut *self.tree, self.options.names);
        let number = wave.kernel.map(|kernel| kernel.number);
        let frame =
            *self.kernels.entry(number).or_insert_with(|| tree.frame(&names.kernel(wave.kernel), None));
        self.tree.child(above, frame)
    }

    fn count(&mut self, node: u32, cycles: i64) {
        let cycles = u64::try_from(cycles).unwrap_or_default();
        let weight = match self.ghz {
            None => u128::from(cycles),
            // 10^15 femtoseconds a second: a million a nanosecond.
            Some(ghz) => (cycles as f64 * 1e6 / ghz).round() as u128,
        };
        self.tree.add(node, weight);
    }
}
