//! Waves: which records belong to which launch of which slot.
//!
//! A record belongs to the last launch of its slot at or before its time, also after that wave's end:
//! records are known to arrive late. Records keep the order in which they arrived, which is that of the
//! program; the wave of a record is never an earlier one than that of the record before it.

use std::sync::Arc;

use super::MarkerStream;
use crate::clock::Corrections;
use crate::names::{Kernel, MarkerMap, Resolution};
use crate::trace::{Cursor, Dispatch, Engine, Folder, Launch, Place, Record, SlotId, SlotTrace};

/// One wave and its records.
#[derive(Clone, Copy, Debug)]
pub struct Wave<'f> {
    /// Where it ran.
    pub slot: SlotId,
    /// How many waves the slot had before it. 0 also for records before the first one, which are
    /// told by [`Wave::launch`].
    pub generation: u32,
    /// Its launch. `None` for records before the slot's first wave.
    pub launch: Option<&'f Launch>,
    /// Its kernel. `None` where no launch says so.
    pub kernel: Option<&'f Kernel>,
    pub(super) resolution: &'f Resolution,
    pub(crate) records: Cursor<'f>,
    /// Packet losses of its shader engine from its launch on.
    pub(super) losses: &'f [i64],
    pub(super) corrections: Option<&'f Corrections>,
    /// Without a map, whether words may be something else than headers.
    pub(super) is_undecodable: bool,
    engine: &'f Engine,
}

impl<'f> Wave<'f> {
    /// Its markers.
    #[must_use]
    pub fn markers(&self) -> MarkerStream<'f> {
        MarkerStream::new(self)
    }

    /// Its funcmap.
    #[must_use]
    pub fn map(&self) -> Option<&'f Arc<MarkerMap>> {
        self.resolution.map()
    }

    /// How its funcmap was found, or why it was not.
    #[must_use]
    pub fn resolution(&self) -> &'f Resolution {
        self.resolution
    }

    /// Its records, as they arrived.
    pub fn records(&self) -> impl Iterator<Item = Record> + use<'f> {
        self.records
    }

    /// How many records it has.
    #[must_use]
    pub fn record_count(&self) -> usize {
        self.records.left()
    }

    pub(crate) fn corrections(&self) -> Option<&'f Corrections> {
        self.corrections
    }

    /// When it ended, where the trace says so.
    #[must_use]
    pub fn retired(&self) -> Option<i64> {
        self.launch.and_then(|launch| launch.retired)
    }

    /// Whether it was running before the trace began, so that scopes may be open that were never seen
    /// to be entered.
    #[must_use]
    pub fn is_older_than_trace(&self) -> bool {
        self.launch.is_none_or(|launch| launch.time == 0 && launch.kernel == 0)
    }

    /// The dispatch that launched it: the last one before it of its kernel on its pipe. Only files of
    /// version 3.1 say so.
    #[must_use]
    pub fn dispatch(&self) -> Option<&'f Dispatch> {
        let launch = self.launch?;
        let before = self.engine.dispatches.partition_point(|dispatch| dispatch.time <= launch.time);
        let candidates = self.engine.dispatches[..before].iter().rev();
        let on_pipe = |dispatch: &&Dispatch| {
            launch.origin.is_none_or(|origin| (origin.me, origin.pipe) == (dispatch.me, dispatch.pipe))
        };
        candidates.filter(on_pipe).find(|dispatch| dispatch.kernel == launch.kernel)
    }
}

/// The waves of one slot, in order.
#[derive(Clone)]
pub(super) struct SlotWaves<'f> {
    folder: &'f Folder,
    engine: &'f Engine,
    id: SlotId,
    trace: &'f SlotTrace,
    cursor: Cursor<'f>,
    /// Launches before this one have been given out; 0 is the time before the first.
    next: usize,
}

impl<'f> SlotWaves<'f> {
    fn new(folder: &'f Folder, se: u32, engine: &'f Engine, place: Place, trace: &'f SlotTrace) -> Self {
        let Place { cu, simd, slot } = place;
        let id = SlotId { se, cu, simd, slot };
        Self { folder, engine, id, trace, cursor: trace.records.cursor(), next: 0 }
    }

    pub(super) fn id(&self) -> SlotId {
        self.id
    }

    /// Takes the records up to the start of launch `next`.
    fn take(&mut self, next: usize) -> Cursor<'f> {
        let start = self.cursor;
        match self.trace.launches.get(next) {
            None => {
                self.cursor = start.first(0);
                start
            }
            Some(launch) => {
                let mut count = 0;
                while self.cursor.peek().is_some_and(|record| record.time < launch.time) {
                    self.cursor.next();
                    count += 1;
                }
                start.first(count)
            }
        }
    }

    fn wave(&self, launch: Option<&'f Launch>, generation: usize, records: Cursor<'f>) -> Wave<'f> {
        let kernel = launch.and_then(|launch| self.folder.kernels.get(&launch.kernel));
        let resolution = kernel.map_or(&self.folder.fallback, |kernel| &kernel.resolution);
        let losses = &self.engine.losses;
        let seen = launch.map_or(0, |launch| losses.partition_point(|&loss| loss < launch.time));
        let is_unknown = matches!(resolution, Resolution::Unknown(_) | Resolution::Ambiguous(_));
        Wave {
            slot: self.id,
            generation: u32::try_from(generation).unwrap_or(u32::MAX),
            launch,
            kernel,
            resolution,
            records,
            losses: &losses[seen..],
            corrections: self.folder.corrections.as_ref(),
            is_undecodable: is_unknown && self.folder.hidden_headers,
            engine: self.engine,
        }
    }
}

impl<'f> Iterator for SlotWaves<'f> {
    type Item = Wave<'f>;

    fn next(&mut self) -> Option<Wave<'f>> {
        if self.next == 0 {
            self.next = 1;
            let records = self.take(0);
            if records.left() > 0 {
                return Some(self.wave(None, 0, records));
            }
        }
        let launch = self.trace.launches.get(self.next - 1)?;
        let records = self.take(self.next);
        self.next += 1;
        Some(self.wave(Some(launch), self.next - 2, records))
    }
}

impl Folder {
    /// The slots, in order.
    pub(super) fn slots(&self) -> impl Iterator<Item = SlotWaves<'_>> {
        self.engines.iter().flat_map(move |(&se, engine)| {
            let slots = engine.slots.iter();
            slots.map(move |(&place, trace)| SlotWaves::new(self, se, engine, place, trace))
        })
    }

    /// All waves, slot by slot, each slot's in order. Decoding them one by one leaves it to the caller
    /// to collect their losses; [`Folder::decode`] does that.
    pub fn waves(&self) -> impl Iterator<Item = Wave<'_>> {
        self.slots().flatten()
    }
}
