//! Process of a wave: its dispatch, or its kernel where no dispatch is known.

use std::collections::{BTreeMap, BTreeSet};

use sqtt_decoder::Filter;
use sqtt_decoder::stream::Wave;
use sqtt_decoder::trace::{Dispatch, Trace};

/// Meaning of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum TrackGroup {
    /// The waves of a dispatch: the shader engine that saw it, where the engines do not agree, and its
    /// number among those seen.
    Dispatch(Option<u32>, u32),
    /// The waves of a kernel whose dispatch is not known.
    Kernel(u64),
    /// Records before the first wave of their slot, and waves without a kernel.
    Unknown,
}

/// The groups of a folder.
pub(super) struct Groups {
    /// True if all engines saw the same dispatches.
    agree: bool,
    /// Process numbers.
    pids: BTreeMap<TrackGroup, u32>,
}

/// The process of the trace itself.
pub(super) const TRACE_PID: u32 = 1;

impl Groups {
    pub(super) fn of(trace: &Trace, filter: &Filter) -> Self {
        let seen = |dispatches: &[Dispatch]| {
            let key = |dispatch: &Dispatch| (dispatch.kernel, dispatch.me, dispatch.pipe);
            dispatches.iter().map(key).collect::<Vec<_>>()
        };
        let mut lists =
            trace.engines.values().map(|engine| seen(&engine.dispatches)).filter(|list| !list.is_empty());
        let first = lists.next();
        let agree = lists.all(|list| Some(list) == first);
        let mut groups = Self { agree, pids: BTreeMap::new() };
        let waves = trace.waves().filter(|wave| filter.takes_wave(wave));
        let used: BTreeSet<TrackGroup> = waves.map(|wave| groups.group(trace, &wave)).collect();
        groups.pids = used.into_iter().zip(TRACE_PID + 1..).collect();
        groups
    }

    pub(super) fn group(&self, trace: &Trace, wave: &Wave<'_>) -> TrackGroup {
        match wave.dispatch() {
            Some(dispatch) => {
                let se = wave.slot.se;
                let list =
                    trace.engines.get(&se).map(|engine| engine.dispatches.as_slice()).unwrap_or_default();
                let number = list.iter().position(|other| std::ptr::eq(other, dispatch)).unwrap_or_default();
                TrackGroup::Dispatch((!self.agree).then_some(se), u32::try_from(number).unwrap_or(u32::MAX))
            }
            None => match wave.launch.filter(|launch| launch.kernel != 0) {
                Some(launch) => TrackGroup::Kernel(launch.kernel),
                None => TrackGroup::Unknown,
            },
        }
    }

    /// All groups with the numbers of their processes.
    pub(super) fn pids(&self) -> impl Iterator<Item = (TrackGroup, u32)> {
        self.pids.iter().map(|(&group, &pid)| (group, pid))
    }

    pub(super) fn pid(&self, group: TrackGroup) -> u32 {
        self.pids.get(&group).copied().unwrap_or(TRACE_PID)
    }

    /// The dispatch of a group, as the first engine that has it saw it.
    pub(super) fn dispatch(trace: &Trace, group: TrackGroup) -> Option<&Dispatch> {
        let TrackGroup::Dispatch(se, number) = group else { return None };
        let mut engines = trace.engines.iter().filter(|(own, _)| se.is_none_or(|se| **own == se));
        engines.find_map(|(_, engine)| engine.dispatches.get(number as usize))
    }
}
