//! When waves started and ended, and what else was said beside the records, whatever it is read from.

use std::collections::{BTreeMap, HashMap};

use super::records::{Loss, WaveSlot};
use crate::names::KernelName;

/// A wave: from its launch on until its slot's next one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Launch {
    /// When it started. 0 also for a wave that is older than the trace.
    pub time: i64,
    /// When it ended. `None` where that is not in the trace.
    pub retired: Option<i64>,
    /// Kernel that it ran: a key of the folder's kernels, no dispatch. 0 is none.
    pub kernel: u64,
    /// Origin, in files of version 3.1.
    pub origin: Option<Origin>,
    /// Its beginning.
    pub beginning: Beginning,
    /// True if its end was lost, and `retired` is only when its slot was known to be used again.
    pub end_is_lost: bool,
}

/// Beginning of the life of a wave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beginning {
    /// By its start.
    Start,
    /// Before the trace did.
    BeforeTrace,
    /// In the middle, as far as records tell: a context switch restored it, or the end of the wave before it in
    /// its slot was lost.
    Resumed,
}

impl Launch {
    /// A wave that starts.
    pub(crate) fn new(time: i64, kernel: u64, origin: Option<Origin>) -> Self {
        Self { time, retired: None, kernel, origin, beginning: Beginning::Start, end_is_lost: false }
    }

    /// A wave of which only the end is in the trace.
    #[cfg(feature = "raw")]
    pub(crate) fn older(retired: i64) -> Self {
        let beginning = Beginning::BeforeTrace;
        Self { retired: Some(retired), beginning, ..Self::new(0, NO_KERNEL, None) }
    }

    /// When it ended, where the trace says so: gfx9's writer ends a wave that is older than the trace where it
    /// lets it start, at 0.
    #[must_use]
    pub fn end(&self) -> Option<i64> {
        self.retired.filter(|&end| self.beginning != Beginning::BeforeTrace || end > self.time)
    }
}

/// The kernel of waves that the trace says nothing of.
pub(crate) const NO_KERNEL: u64 = 0;

/// Origin of a wave.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Origin {
    /// Micro engine.
    pub me: u32,
    /// Pipe of the micro engine.
    pub pipe: u32,
    /// Workgroup, as the trace numbers them: on a GPU in five bits, so that numbers come again. `None` where the
    /// hardware wrote the short form of the start, which does not say it.
    pub workgroup: Option<i64>,
    /// Cluster of workgroups; `None` where the workgroup is.
    pub cluster: Option<i64>,
}

/// A dispatch (version 3.1).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dispatch {
    /// When it was seen.
    pub time: i64,
    /// Kernel that it launched.
    pub kernel: u64,
    /// Micro engine.
    pub me: u32,
    /// Pipe.
    pub pipe: u32,
    /// Work items of a workgroup.
    pub workgroup_size: [u64; 3],
    /// Vector registers.
    pub vgprs: u64,
    /// Scalar registers.
    pub sgprs: u64,
    /// LDS bytes.
    pub lds_size: u64,
}

/// Something else that the hardware said (version 3.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EngineEvent {
    /// When.
    pub time: i64,
    /// Kind of event.
    pub kind: EngineEventKind,
}

/// Meaning of an [`EngineEvent`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EngineEventKind {
    /// Packets were lost.
    PacketLoss,
    /// A code object was loaded: its id, where that is known.
    CodeObjectLoad(Option<u64>),
    /// A code object was unloaded.
    CodeObjectUnload(Option<u64>),
    /// Something that has a number, and no name here.
    Other {
        /// The number.
        number: u64,
        /// The code object that it names.
        code_object: Option<u64>,
    },
}

/// Contents of the file on one shader engine.
#[derive(Default)]
pub(crate) struct EngineOccupancy {
    pub(crate) launches: HashMap<WaveSlot, Vec<Launch>>,
    pub(crate) dispatches: Vec<Dispatch>,
    pub(crate) events: Vec<EngineEvent>,
    /// Losses besides those that events say.
    pub(crate) losses: Vec<Loss>,
    /// Ends in a slot where no wave was known.
    pub(crate) ends_without_start: u64,
    /// Starts in a slot where a wave ran.
    pub(crate) starts_in_busy_slots: u64,
}

#[derive(Default)]
pub(crate) struct Occupancy {
    pub(crate) engines: BTreeMap<u32, EngineOccupancy>,
    /// Kernel number to name.
    pub(crate) names: BTreeMap<u64, KernelName>,
    /// Kernel number to code object, where a dispatch says so.
    pub(crate) code_objects: BTreeMap<u64, u64>,
    pub(crate) version: Option<Vec<u8>>,
    /// True if losses of packets would be told.
    pub(crate) has_events: bool,
}

impl Occupancy {
    /// True if any wave started.
    pub(crate) fn has_waves(&self) -> bool {
        self.engines.values().any(|engine| !engine.launches.is_empty())
    }
}

/// Start or end of a wave.
#[derive(Clone, Copy)]
pub(crate) struct Change {
    pub(crate) time: i64,
    pub(crate) start: bool,
    /// The kernel of the wave; `None` where only starts say it.
    pub(crate) kernel: Option<u64>,
    pub(crate) origin: Option<Origin>,
    /// Beginning of a wave that starts.
    pub(crate) beginning: Beginning,
}

/// State that a change did not go with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mismatch {
    /// An end where no wave ran.
    End,
    /// A start where a wave ran. It ended that wave.
    Start,
}

impl Change {
    /// Pairs starts and ends of one slot. A start where a wave runs ends that wave, whose own end was lost. So was
    /// one that names no kernel: it stands for the end that was lost. An end where none runs is left out.
    #[inline]
    pub(crate) fn apply(self, launches: &mut Vec<Launch>) -> Result<(), Mismatch> {
        let last = launches.last_mut();
        let end_was_lost = last.as_ref().is_some_and(|launch| launch.end_is_lost);
        let running = last.filter(|launch| launch.retired.is_none());
        match (self.start, running) {
            (true, running) => {
                let busy = running.is_some();
                if let Some(running) = running {
                    running.retired = Some(self.time);
                    running.end_is_lost = true;
                }
                let Change { time, kernel, origin, .. } = self;
                let is_resumed = busy || end_was_lost;
                let beginning = if is_resumed { Beginning::Resumed } else { self.beginning };
                let launch = Launch::new(time, kernel.unwrap_or(NO_KERNEL), origin);
                launches.push(Launch { beginning, ..launch });
                if busy { Err(Mismatch::Start) } else { Ok(()) }
            }
            (false, Some(running)) => {
                running.retired = Some(self.time);
                running.end_is_lost = running.kernel != NO_KERNEL && self.kernel == Some(NO_KERNEL);
                Ok(())
            }
            (false, None) => Err(Mismatch::End),
        }
    }
}

impl EngineOccupancy {
    /// Pairs starts and ends, slot by slot.
    pub(super) fn launch(&mut self, mut rows: Vec<(WaveSlot, Change)>) {
        // Stable: at equal times the order of the file holds.
        rows.sort_by_key(|(_, change)| change.time);
        for (place, change) in rows {
            match change.apply(self.launches.entry(place).or_default()) {
                Ok(()) => {}
                Err(Mismatch::End) => self.ends_without_start += 1,
                Err(Mismatch::Start) => self.starts_in_busy_slots += 1,
            }
        }
        self.launches.retain(|_, launches| !launches.is_empty());
    }
}

impl EngineEvent {
    /// True if packets were lost.
    #[must_use]
    pub fn is_packet_loss(self) -> bool {
        self.kind == EngineEventKind::PacketLoss
    }
}
