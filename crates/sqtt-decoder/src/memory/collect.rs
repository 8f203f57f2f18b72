//! Collects the operations of waves into a [`MemorySummary`].

use std::cmp::Reverse;
use std::collections::hash_map::Entry;
use std::collections::{BTreeSet, HashMap};
use std::path::Path;

use sqtt_format::{Name, WaveSize};

use super::pairs::Pairs;
use super::summary::{Instance, Lanes, LdsBanks, MarkerRow, MemorySummary, Strides, Touched};
use super::{
    BankCycles, Hardware, HardwareOptions, LdsAccess, LdsInstruction, LdsKind, Operation, Space, bank_cycles,
    footprint,
};
use crate::filter::Filter;
use crate::ledger::Ledger;
use crate::parallel::Threads;
use crate::stream::{MarkerStream, Wave};
use crate::trace::Trace;

/// Strides of a marker that are told apart; operations with more different ones are counted together.
const STRIDES_KEPT: usize = 1 << 14;

/// Choices of what is collected, and what is assumed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct MemoryOptions {
    /// Sizes that a user knows better.
    pub hardware: HardwareOptions,
    /// Number of the worst operations of each marker that are kept.
    pub worst: usize,
    /// The most pairs of lanes of each marker that are given: those that collide most often.
    pub pairs: usize,
}

impl Default for MemoryOptions {
    fn default() -> Self {
        Self { hardware: HardwareOptions::default(), worst: 3, pairs: 3 }
    }
}

impl MemoryOptions {
    /// Sets sizes that a user knows better.
    #[must_use]
    pub fn hardware(self, hardware: HardwareOptions) -> Self {
        Self { hardware, ..self }
    }

    /// Sets the number of the worst operations of each marker that are kept.
    #[must_use]
    pub fn worst(self, worst: usize) -> Self {
        Self { worst, ..self }
    }

    /// Sets the most pairs of lanes of each marker that are given.
    #[must_use]
    pub fn pairs(self, pairs: usize) -> Self {
        Self { pairs, ..self }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct OperationKey {
    kernel: Name,
    code_object: Option<u64>,
    source: Name,
    marker: u32,
    space: Space,
    kind: &'static str,
    access_bytes: Option<u32>,
    wave: WaveSize,
    hardware: Hardware,
}

/// Collects operations, folder by folder. What it holds grows with the markers of the trace, not with its
/// operations.
#[derive(Debug, Default)]
pub struct Collector {
    options: MemoryOptions,
    index: HashMap<OperationKey, usize>,
    rows: Vec<MarkerSums>,
    /// Room for the addresses of one operation.
    addresses: Vec<u64>,
    lanes: Vec<(u32, u64)>,
}

#[derive(Debug, Default)]
struct MarkerSums {
    line_bytes: u32,
    sector_bytes: u32,
    /// Sums for LDS, where the width is known.
    lds: Option<LdsAccess>,
    operations: u64,
    waves: u64,
    idle: u64,
    without_address: u64,
    active: Lanes,
    range: Option<(u64, u64)>,
    strides: HashMap<i64, u64>,
    other_strides: u64,
    irregular: u64,
    single: u64,
    requested: u64,
    distinct: u64,
    touched_lines: Touched,
    touched_sectors: Touched,
    banks: BankCycles,
    conflicted_operations: u64,
    pairs: Pairs,
    /// The worst first.
    worst: Vec<Instance>,
}

impl Collector {
    /// Nothing yet.
    #[must_use]
    pub fn new(options: MemoryOptions) -> Self {
        Self { options, ..Self::default() }
    }

    /// Takes the waves of a folder that `filter` lets through. The ledger is that of the folder and of
    /// these waves.
    pub fn add_folder(&mut self, trace: &Trace, filter: &Filter, threads: Threads) -> Ledger {
        let options = self.options;
        let (parts, ledger) = trace.decode_parallel(
            threads,
            filter,
            || Self::new(options),
            |part, wave, stream| part.add_wave(trace, wave, stream),
        );
        parts.into_iter().for_each(|part| self.merge(part));
        ledger
    }

    fn merge(&mut self, other: Collector) {
        let mut rows: Vec<Option<MarkerSums>> = other.rows.into_iter().map(Some).collect();
        for (key, index) in other.index {
            let Some(row) = rows.get_mut(index).and_then(Option::take) else { continue };
            match self.index.entry(key) {
                Entry::Occupied(own) => self.rows[*own.get()].merge(row, self.options.worst),
                Entry::Vacant(new) => {
                    new.insert(self.rows.len());
                    self.rows.push(row);
                }
            }
        }
    }

    fn add_wave(&mut self, trace: &Trace, wave: &Wave<'_>, stream: &mut MarkerStream<'_>) {
        // The rows that this wave has, by marker.
        let mut known: HashMap<u32, usize> = HashMap::new();
        let mut seen: BTreeSet<usize> = BTreeSet::new();
        while let Some(event) = stream.next() {
            let Some(operation) = Operation::of(wave, &event, trace.gfxip) else { continue };
            let index = *known.entry(operation.marker_id).or_insert_with(|| self.row(wave, &operation));
            let place = OperationPlace { folder: &trace.path, time: event.time, wave };
            let row = &mut self.rows[index];
            row.waves += u64::from(seen.insert(index));
            self.lanes.clear();
            let lanes = operation.lanes();
            self.lanes.extend(lanes.filter_map(|lane| Some((lane.lane, lane.address?))));
            row.add(&operation, &self.lanes, &mut self.addresses, self.options.worst, &place);
        }
    }

    /// The row of an operation's marker.
    fn row(&mut self, wave: &Wave<'_>, operation: &Operation<'_>) -> usize {
        let target = wave.map().and_then(|map| map.target());
        let key = OperationKey {
            kernel: wave.kernel.map(|kernel| kernel.name.as_bytes().into()).unwrap_or_default(),
            code_object: wave.map().and_then(|map| map.object_id()),
            source: operation.entry.source_loc().unwrap_or_default().into(),
            marker: operation.marker_id,
            space: operation.space(),
            kind: operation.kind_name(),
            access_bytes: operation.access_bytes,
            wave: operation.block.wave_size,
            hardware: Hardware::assumed(target, self.options.hardware),
        };
        match self.index.entry(key) {
            Entry::Occupied(index) => *index.get(),
            Entry::Vacant(new) => {
                let index = self.rows.len();
                self.rows.push(MarkerSums::new(new.key(), operation.lds_kind()));
                *new.insert(index)
            }
        }
    }

    /// The summary of everything collected.
    #[must_use]
    pub fn into_summary(self) -> MemorySummary {
        let mut rows: Vec<Option<MarkerSums>> = self.rows.into_iter().map(Some).collect();
        let mut keys: Vec<(OperationKey, usize)> = self.index.into_iter().collect();
        keys.sort_unstable();
        let mut lines: Vec<MarkerRow> = keys
            .into_iter()
            .filter_map(|(key, index)| Some(rows.get_mut(index)?.take()?.finish(key, self.options.pairs)))
            .collect();
        // Stable: what wastes alike stays by source and marker.
        lines.sort_by(|a, b| a.kernel.cmp(&b.kernel).then(b.excess().cmp(&a.excess())));
        MemorySummary { lines }
    }
}

/// Place of an operation.
struct OperationPlace<'a> {
    folder: &'a Path,
    time: i64,
    wave: &'a Wave<'a>,
}

/// Order of the operations of folders: those that waste most first, then by time and place.
fn rank(instance: &Instance) -> impl Ord {
    let Instance { excess, cost, time, slot, generation, .. } = instance;
    (Reverse(*excess), Reverse(*cost), *time, *slot, *generation)
}

impl MarkerSums {
    fn new(key: &OperationKey, lds: Option<LdsKind>) -> Self {
        let Hardware { ref target, line_bytes, sector_bytes, lds_banks } = key.hardware;
        let lds = lds
            .zip(key.access_bytes)
            .map(|(kind, bytes)| LdsAccess::of(target.as_deref(), key.wave, kind, bytes, lds_banks));
        Self { line_bytes, sector_bytes, lds, ..Self::default() }
    }

    fn add(
        &mut self,
        operation: &Operation<'_>,
        lanes: &[(u32, u64)],
        addresses: &mut Vec<u64>,
        worst: usize,
        place: &OperationPlace<'_>,
    ) {
        let active = operation.block.active_lane_count();
        self.active.min = if self.operations == 0 { active } else { self.active.min.min(active) };
        self.active.max = self.active.max.max(active);
        self.active.sum += u64::from(active);
        self.active.possible += u64::from(operation.block.wave_size.lanes());
        self.operations += 1;
        self.idle += u64::from(active == 0);
        if operation.no_address().is_some() {
            self.without_address += 1;
            return;
        }
        self.add_stride(lanes);
        addresses.clear();
        addresses.extend(lanes.iter().map(|(_, address)| *address));
        let (Some(&least), Some(&most)) = (addresses.iter().min(), addresses.iter().max()) else { return };
        let (low, high) = self.range.unwrap_or((least, most));
        self.range = Some((low.min(least), high.max(most)));
        let Some(width) = operation.access_bytes else { return };
        let Self { line_bytes, sector_bytes, .. } = *self;
        let touched = footprint(addresses, width, line_bytes, sector_bytes);
        self.requested += u64::from(width) * u64::from(active);
        self.distinct += touched.bytes;
        let (cost, minimum) = match operation.space() {
            Space::Memory => {
                let least = |unit: u32| touched.bytes.div_ceil(unit.into());
                self.touched_lines.touched += touched.lines;
                self.touched_lines.minimum += least(line_bytes);
                self.touched_sectors.touched += touched.sectors;
                self.touched_sectors.minimum += least(sector_bytes);
                (touched.lines, least(line_bytes))
            }
            Space::Lds => {
                let Some(access) = &self.lds else { return };
                let banks = bank_cycles(lanes, access, |pair| self.pairs.add(pair));
                self.banks.cycles += banks.cycles;
                self.banks.minimum += banks.minimum;
                self.conflicted_operations += u64::from(banks.cycles > banks.minimum);
                (banks.cycles, banks.minimum)
            }
            Space::Lanes => return,
        };
        let excess = cost.saturating_sub(minimum);
        if excess == 0 {
            return;
        }
        // Names are only written down for what is kept.
        let mut instance = Instance {
            excess,
            cost,
            minimum,
            active_lanes: active,
            first_address: least,
            folder: String::new(),
            time: place.time,
            slot: place.wave.slot.into(),
            generation: place.wave.generation,
        };
        let is_full = self.worst.len() >= worst;
        if is_full && self.worst.last().is_none_or(|last| rank(last) <= rank(&instance)) {
            return;
        }
        instance.folder = place.folder.display().to_string();
        self.keep(instance, worst);
    }

    fn keep(&mut self, instance: Instance, worst: usize) {
        let is_before = |other: &Instance| {
            rank(other).cmp(&rank(&instance)).then_with(|| other.folder.cmp(&instance.folder)).is_le()
        };
        let at = self.worst.partition_point(is_before);
        self.worst.insert(at, instance);
        self.worst.truncate(worst);
    }

    fn add_stride(&mut self, lanes: &[(u32, u64)]) {
        let mut stride = None;
        for pair in lanes.windows(2) {
            let [(lane, address), (next_lane, next)] = *pair else { continue };
            if next_lane != lane + 1 {
                continue;
            }
            let step = next.wrapping_sub(address).cast_signed();
            if *stride.get_or_insert(step) != step {
                self.irregular += 1;
                return;
            }
        }
        match stride {
            None => self.single += 1,
            Some(stride) if self.strides.len() < STRIDES_KEPT || self.strides.contains_key(&stride) => {
                *self.strides.entry(stride).or_default() += 1;
            }
            Some(_) => self.other_strides += 1,
        }
    }

    fn merge(&mut self, other: MarkerSums, worst: usize) {
        self.active.min = self.active.min.min(other.active.min);
        self.active.max = self.active.max.max(other.active.max);
        self.active.sum += other.active.sum;
        self.active.possible += other.active.possible;
        self.operations += other.operations;
        self.waves += other.waves;
        self.idle += other.idle;
        self.without_address += other.without_address;
        self.range = match (self.range, other.range) {
            (Some(own), Some(other)) => Some((own.0.min(other.0), own.1.max(other.1))),
            (own, other) => own.or(other),
        };
        for (stride, count) in other.strides {
            *self.strides.entry(stride).or_default() += count;
        }
        self.other_strides += other.other_strides;
        self.irregular += other.irregular;
        self.single += other.single;
        self.requested += other.requested;
        self.distinct += other.distinct;
        for (own, other) in [
            (&mut self.touched_lines, other.touched_lines),
            (&mut self.touched_sectors, other.touched_sectors),
        ] {
            own.touched += other.touched;
            own.minimum += other.minimum;
        }
        self.banks.cycles += other.banks.cycles;
        self.banks.minimum += other.banks.minimum;
        self.conflicted_operations += other.conflicted_operations;
        self.pairs.merge(other.pairs);
        other.worst.into_iter().for_each(|instance| self.keep(instance, worst));
    }

    fn finish(self, key: OperationKey, pairs: usize) -> MarkerRow {
        let mut strides: Vec<(i64, u64)> = self.strides.into_iter().collect();
        strides.sort_unstable_by_key(|&(stride, count)| (Reverse(count), stride.unsigned_abs(), stride));
        let rest = strides.split_off(strides.len().min(Strides::SHOWN));
        let other = self.other_strides + rest.iter().map(|(_, count)| count).sum::<u64>();
        // Of nothing but idle or unknown lanes no bytes are known.
        let has_width = key.access_bytes.is_some() && self.range.is_some();
        let is = |space| has_width && key.space == space;
        let sector_bytes = self.touched_sectors.touched.saturating_mul(key.hardware.sector_bytes.into());
        let lds_banks = self.lds.filter(|_| has_width).map(|access| {
            let BankCycles { cycles, minimum } = self.banks;
            let (pairs, pairs_left_out) = self.pairs.worst(pairs);
            let mut instructions: Vec<LdsInstruction> = Vec::new();
            for instruction in access.instructions {
                if !instructions.contains(&instruction) {
                    instructions.push(instruction);
                }
            }
            let conflicted_operations = self.conflicted_operations;
            LdsBanks { cycles, minimum, conflicted_operations, instructions, pairs, pairs_left_out }
        });
        MarkerRow {
            kernel: key.kernel,
            code_object: key.code_object,
            source: (!key.source.is_empty()).then_some(key.source),
            kind: key.kind,
            space: key.space,
            marker_id: key.marker,
            access_bytes: key.access_bytes,
            operations: self.operations,
            waves: self.waves,
            idle_operations: self.idle,
            without_address: self.without_address,
            active_lanes: self.active,
            address_range: self.range,
            strides: Strides { common: strides, other, irregular: self.irregular, single: self.single },
            requested_bytes: has_width.then_some(self.requested),
            distinct_bytes: has_width.then_some(self.distinct),
            lines: is(Space::Memory).then_some(self.touched_lines),
            sectors: is(Space::Memory).then_some(self.touched_sectors),
            efficiency: (is(Space::Memory) && sector_bytes > 0)
                .then(|| self.distinct as f64 / sector_bytes as f64),
            lds_banks,
            worst: self.worst,
            hardware: key.hardware,
        }
    }
}
