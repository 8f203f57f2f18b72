//! One trace, as it is read of any source.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use super::code_json::CodeJson;
use super::launches::{Dispatch, EngineEvent, Launch, NO_KERNEL, Occupancy};
use super::list::Records;
use super::realtime::RealTime;
use super::records::{Loss, SlotId, WaveSlot};
use super::shaderdata::{Gaps, ShaderData};
use crate::clock::Corrections;
use crate::ledger::{Ledger, RemarkKind};
use crate::names::{Catalog, Kernel, NumberedObject, Resolution, Resolver, Sources};

/// A trace folder: one time domain.
#[derive(Debug)]
pub struct Trace {
    /// Its path.
    pub path: PathBuf,
    /// Major version of the GPU, where the folder says it.
    pub gfxip: Option<u32>,
    /// Shader engines by number.
    pub engines: BTreeMap<u32, Engine>,
    /// Kernels by their number.
    pub kernels: BTreeMap<u64, Kernel>,
    /// The shader clock against real time.
    pub real_time: Option<RealTime>,
    /// The record files that were read.
    pub files: Vec<FileInfo>,
    /// Losses of reading it.
    pub ledger: Ledger,
    /// True if it is a raw trace: there are `.att` files beside [`Trace::path`], and nothing at it.
    pub is_raw: bool,
    /// Its version by `filenames.json`.
    pub version: Option<String>,
    /// The code objects with markers, by number.
    pub(crate) code_objects: Vec<NumberedObject>,
    /// Code objects whose markers no table by number can hold.
    pub(crate) joined_objects: Vec<String>,
    /// Funcmap of waves of no known kernel.
    pub(crate) fallback: Resolution,
    /// True if words of such waves might be no headers.
    pub(crate) hidden_headers: bool,
    /// True if waves are read by different maps.
    pub(crate) maps_differ: bool,
    /// True if the trace would say that packets were lost.
    pub(crate) reports_losses: bool,
    /// True if the starts of waves are known at all.
    pub(crate) has_occupancy: bool,
    /// Corrections of their times by the clocks in packed headers.
    pub(crate) corrections: Option<Corrections>,
}

/// Parts of a trace that a reader read.
pub(crate) struct TraceParts {
    pub(crate) path: PathBuf,
    pub(crate) gfxip: Option<u32>,
    pub(crate) is_raw: bool,
    /// Its version by `filenames.json`.
    pub(crate) version: Option<String>,
    /// Records by file, in the order in which they follow each other.
    pub(crate) records: Vec<(FileInfo, ShaderData, Ledger)>,
    pub(crate) occupancy: Option<Occupancy>,
    pub(crate) real_time: Option<RealTime>,
    pub(crate) code: CodeJson,
    pub(crate) ledger: Ledger,
}

/// Parts of a trace of one shader engine.
#[derive(Debug, Default)]
pub struct Engine {
    pub(crate) slots: BTreeMap<WaveSlot, SlotTrace>,
    /// Dispatches by time (version 3.1).
    pub dispatches: Vec<Dispatch>,
    /// Other events by time (version 3.1).
    pub events: Vec<EngineEvent>,
    /// Reported losses, in order.
    pub(crate) losses: Vec<Loss>,
}

impl Engine {
    /// The waves of its slots, each slot's in order; `se` is its number.
    pub fn launches(&self, se: u32) -> impl Iterator<Item = (SlotId, &[Launch])> {
        self.slots.iter().map(move |(&WaveSlot { cu, simd, slot }, trace)| {
            (SlotId { se, cu, simd, slot }, trace.launches.as_slice())
        })
    }

    /// The waves, mutable, to add what the source does not say.
    pub fn launches_mut(&mut self, se: u32) -> impl Iterator<Item = (SlotId, &mut [Launch])> {
        self.slots.iter_mut().map(move |(&WaveSlot { cu, simd, slot }, trace)| {
            (SlotId { se, cu, simd, slot }, trace.launches.as_mut_slice())
        })
    }
}

/// Parts of a trace of one slot.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct SlotTrace {
    /// Its records, as they arrived.
    pub records: Records,
    /// Its waves, by time.
    pub launches: Vec<Launch>,
}

/// A record file and what it says of itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct FileInfo {
    /// Its path.
    pub path: PathBuf,
    /// Its shader engine.
    pub se: u32,
    /// Records that were read.
    pub records: u64,
    /// Their number as it says.
    pub records_count: Option<u64>,
    /// Time of its first record.
    pub first_time: Option<i64>,
    /// Its `begin_time` and `end_time`.
    pub times: Option<(i64, i64)>,
    /// The times that `filenames.json` has for it.
    pub listed_times: Option<(i64, i64)>,
    /// True if it was read to its end.
    pub complete: bool,
}

impl Trace {
    /// Makes a trace of what a reader read, whatever it read it from.
    pub(crate) fn assemble(parts: TraceParts, catalog: &Catalog) -> Self {
        let mut folder = Self {
            path: parts.path,
            gfxip: parts.gfxip,
            engines: BTreeMap::new(),
            kernels: BTreeMap::new(),
            real_time: parts.real_time,
            files: Vec::new(),
            ledger: parts.ledger,
            is_raw: parts.is_raw,
            version: parts.version,
            code_objects: Vec::new(),
            joined_objects: Vec::new(),
            fallback: Resolution::Unknown("no wave of a known kernel was running".to_owned()),
            hidden_headers: false,
            maps_differ: false,
            reports_losses: parts.occupancy.as_ref().is_some_and(|occupancy| occupancy.has_events),
            has_occupancy: parts.occupancy.is_some(),
            corrections: None,
        };
        let mut gaps: BTreeMap<u32, Gaps> = BTreeMap::new();
        for (info, mut data, ledger) in parts.records {
            folder.ledger.merge(&ledger);
            let own = std::mem::take(&mut data.gaps);
            gaps.entry(info.se).or_default().append(own, data.first_time, info.complete || parts.is_raw);
            folder.take_records(info, data);
        }
        let occupancy = parts.occupancy.unwrap_or_default();
        folder.take_names(&occupancy, parts.code, catalog);
        folder.take_waves(occupancy);
        folder.take_losses(gaps);
        folder.note_what_is_missing();
        folder.correct_clocks();
        folder
    }

    /// Name of something in this folder for the ledger.
    pub(crate) fn place(&self, what: &dyn std::fmt::Display) -> String {
        format!("{}: {what}", self.path.display())
    }

    /// Records that were read.
    #[must_use]
    pub fn record_count(&self) -> u64 {
        self.files.iter().map(|file| file.records).sum()
    }

    /// Waves whose start is in the trace.
    #[must_use]
    pub fn launch_count(&self) -> usize {
        let slots = self.engines.values().flat_map(|engine| engine.slots.values());
        slots.map(|slot| slot.launches.len()).sum()
    }

    fn take_records(&mut self, info: FileInfo, data: ShaderData) {
        let engine = self.engines.entry(info.se).or_default();
        for (place, records) in data.slots {
            engine.slots.entry(place).or_default().records.append(records);
        }
        self.files.push(info);
    }

    fn take_names(&mut self, occupancy: &Occupancy, code: CodeJson, catalog: &Catalog) {
        let resolver = Resolver::new(Sources {
            catalog,
            folder: &self.path,
            gfxip: self.gfxip,
            tables: code.objects,
            kernels: code.kernels,
        });
        self.hidden_headers = resolver.any_hides_headers();
        (self.code_objects, self.joined_objects) = resolver.numbered();
        for (id, labels) in resolver.ambiguous_ids() {
            let place = self.place(&format_args!("code object {id}: {}", labels.join(", ")));
            self.ledger.add(RemarkKind::AmbiguousCodeObject, 1, place);
        }
        let launches = occupancy.engines.values().flat_map(|engine| engine.launches.values().flatten());
        let mut numbers: Vec<u64> = launches.map(|launch| launch.kernel).collect();
        numbers.sort_unstable();
        numbers.dedup();
        let mut maps = resolver.maps();
        for number in numbers {
            let name = occupancy.names.get(&number).cloned().unwrap_or_default();
            let mut resolution = resolver.resolve(&name, occupancy.code_objects.get(&number).copied());
            if let (NO_KERNEL, Resolution::Unknown(_), [map]) = (number, &resolution, &maps[..]) {
                let what = format!("kernel {number}, of waves that the trace does not name: {}", map.label());
                self.ledger.add(RemarkKind::AssumedCodeObject, 1, self.place(&what));
                resolution = Resolution::Assumed(Arc::clone(map));
            }
            let what = String::from_utf8_lossy(name.as_bytes());
            match &resolution {
                Resolution::Ambiguous(labels) => {
                    let place = self.place(&format_args!("kernel {number} ({what}): {}", labels.join(", ")));
                    self.ledger.add(RemarkKind::AmbiguousKernel, 1, place);
                }
                Resolution::Unknown(why) => {
                    let place = self.place(&format_args!("kernel {number} ({what}): {why}"));
                    self.ledger.add(RemarkKind::UnresolvedKernel, 1, place);
                }
                _ => {}
            }
            self.kernels.insert(number, Kernel { number, name, resolution });
        }
        let mut used = self.kernels.values().filter_map(|kernel| kernel.resolution.map());
        let first = used.next();
        self.maps_differ = used.any(|map| first.is_some_and(|first| first.funcmap() != map.funcmap()));
        // Only where no wave is known at all: a trace that says which waves ran is taken at its word.
        if self.has_occupancy {
            return;
        }
        if maps.len() > 1 {
            let labels: Vec<&str> = maps.iter().map(|map| map.label()).collect();
            let place = self.place(&format_args!("no occupancy.json says which ran: {}", labels.join(", ")));
            self.ledger.add(RemarkKind::AmbiguousKernel, 1, place);
        } else if let Some(map) = maps.pop() {
            let place = self.place(&map.label());
            self.ledger.add(RemarkKind::AssumedCodeObject, 1, place);
            self.fallback = Resolution::Assumed(map);
        }
    }

    fn take_waves(&mut self, occupancy: Occupancy) {
        for (se, read) in occupancy.engines {
            let engine = self.engines.entry(se).or_default();
            for (place, launches) in read.launches {
                engine.slots.entry(place).or_default().launches = launches;
            }
            let losses = read.events.iter().filter(|event| event.is_packet_loss());
            engine.losses = losses.map(|event| Loss::at(event.time)).collect();
            let place = format!("{}: SE{se}", self.path.display());
            self.ledger.add(RemarkKind::PacketLoss, engine.losses.len() as u64, place.as_str());
            engine.losses.extend(read.losses);
            engine.dispatches = read.dispatches;
            engine.events = read.events;
            self.ledger.add(RemarkKind::EndWithoutStart, read.ends_without_start, place.as_str());
            self.ledger.add(RemarkKind::StartInBusySlot, read.starts_in_busy_slots, place);
        }
    }

    /// Takes what record files lack as lost, too.
    fn take_losses(&mut self, gaps: BTreeMap<u32, Gaps>) {
        for (se, gaps) in gaps {
            self.engines.entry(se).or_default().losses.extend(gaps.finish());
        }
        for engine in self.engines.values_mut() {
            engine.losses = Loss::sorted(std::mem::take(&mut engine.losses));
        }
    }

    fn note_what_is_missing(&mut self) {
        let is_said = self.ledger.count(RemarkKind::NoWaveData) > 0;
        if self.record_count() == 0 && self.launch_count() == 0 && !is_said {
            let why = "no wave and no record: the traced shader engines ran no wave of the kernel, \
                       or the capture buffer holds nothing";
            let place = self.place(&why);
            self.ledger.add(RemarkKind::NoWaveData, 1, place);
        }
    }
}
