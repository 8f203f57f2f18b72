//! Workgroups, or else kernels on a CU or WGP, that have living waves.

use std::collections::{HashMap, HashSet};

use sqtt_decoder::Filter;
use sqtt_decoder::stream::Wave;
use sqtt_decoder::trace::{SlotId, Trace};

/// The waves that wait for each other: those of a workgroup, or else of a kernel on a CU or WGP.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct WaitGroup {
    pub(super) se: u32,
    pub(super) cu: u16,
    /// Micro engine, pipe and workgroup.
    pub(super) workgroup: Option<(u32, u32, i64)>,
    /// Its number in the trace.
    kernel: Option<u64>,
}

impl WaitGroup {
    pub(super) fn of(wave: &Wave<'_>) -> Self {
        let SlotId { se, cu, .. } = wave.slot;
        let origin = wave.launch.and_then(|launch| launch.origin);
        let workgroup = origin.and_then(|origin| Some((origin.me, origin.pipe, origin.workgroup?)));
        Self { se, cu, workgroup, kernel: wave.launch.map(|launch| launch.kernel) }
    }
}

/// GPUs trace five bits of a workgroup's number.
const NUMBERS: i64 = 32;

/// The places of a folder's living waves.
#[derive(Default)]
pub(super) struct WaitGroups {
    /// Slots in which a wave started.
    launched: HashSet<SlotId>,
    /// When the first living wave of a place was launched.
    born: HashMap<WaitGroup, i64>,
    /// Groups between whose starts others started, where numbers of workgroups come again.
    mixed: HashSet<WaitGroup>,
    /// All numbers of workgroups have five bits.
    are_short: bool,
}

impl WaitGroups {
    pub(super) fn new(trace: &Trace, filter: &Filter) -> Self {
        let mut places = Self { are_short: true, ..Self::default() };
        for (&se, engine) in &trace.engines {
            let launched = engine.launches(se).filter(|(_, launches)| !launches.is_empty());
            places.launched.extend(launched.map(|(slot, _)| slot));
        }
        for wave in trace.waves() {
            let place = WaitGroup::of(&wave);
            places.are_short &= place.workgroup.is_none_or(|(_, _, number)| number < NUMBERS);
            if let (true, Some(launch)) = (places.is_alive(&wave) && filter.takes_wave(&wave), wave.launch) {
                let born = places.born.entry(place).or_insert(launch.time);
                *born = launch.time.min(*born);
            }
        }
        if places.are_short {
            places.mixed = places.mixed(trace);
        }
        places
    }

    /// Records before the first wave of a slot are of a wave that ended, since another one started there.
    pub(super) fn is_alive(&self, wave: &Wave<'_>) -> bool {
        match wave.launch {
            Some(launch) => launch.retired.is_none(),
            None => !self.launched.contains(&wave.slot),
        }
    }

    /// Says whether a wave is of a workgroup that has living waves, and of no earlier one of the same number.
    pub(super) fn has(&self, place: &WaitGroup, wave: &Wave<'_>) -> bool {
        let lived = |&born: &i64| wave.retired().is_none_or(|end| end >= born);
        place.workgroup.is_some() && wave.launch.is_some() && self.born.get(place).is_some_and(lived)
    }

    /// Says whether two workgroups of one number may be here: a pipe starts a workgroup's waves one after the other.
    pub(super) fn is_mixed(&self, place: &WaitGroup) -> bool {
        self.mixed.contains(place)
    }

    /// Says whether numbers of workgroups have five bits, as far as the trace shows.
    pub(super) fn are_short(&self) -> bool {
        self.are_short
    }

    fn mixed(&self, trace: &Trace) -> HashSet<WaitGroup> {
        let mut by_pipe: HashMap<(u32, u32, u32), Vec<i64>> = HashMap::new();
        let mut own: HashMap<WaitGroup, Vec<i64>> = HashMap::new();
        for wave in trace.waves() {
            let place = WaitGroup::of(&wave);
            let (Some(launch), Some((me, pipe, _))) = (wave.launch, place.workgroup) else { continue };
            by_pipe.entry((place.se, me, pipe)).or_default().push(launch.time);
            if self.has(&place, &wave) {
                own.entry(place).or_default().push(launch.time);
            }
        }
        by_pipe.values_mut().chain(own.values_mut()).for_each(|times| times.sort_unstable());
        let is_mixed = |place: &WaitGroup, own: &[i64]| {
            let (Some(&first), Some(&last)) = (own.first(), own.last()) else { return false };
            let between = |times: &[i64]| {
                times
                    .partition_point(|&time| time < last)
                    .saturating_sub(times.partition_point(|&time| time <= first))
            };
            let pipe = place.workgroup.and_then(|(me, pipe, _)| by_pipe.get(&(place.se, me, pipe)));
            pipe.is_some_and(|all| between(all) > between(own))
        };
        own.iter().filter(|(place, own)| is_mixed(place, own)).map(|(place, _)| *place).collect()
    }
}
