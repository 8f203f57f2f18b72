//! Waves: which records belong to which launch of which slot.
//!
//! A record belongs to the last launch of its slot at or before its time, also after that wave's end:
//! records are known to arrive late. Records keep the order in which they arrived, which is that of the
//! program; the wave of a record is never an earlier one than that of the record before it. A block that is
//! open where the next wave starts first takes the words that it lacks.

use std::sync::Arc;

use super::MarkerStream;
use super::machine::Reading;
use super::search::{Borders, Word, missing_words, next_word};
use crate::clock::Corrections;
use crate::names::{Kernel, MarkerMap, Resolution};
use crate::trace::{Beginning, Cursor, Dispatch, Engine, Launch, Record, SlotId, SlotTrace, Trace, WaveSlot};

/// One wave and its records.
#[derive(Clone, Copy, Debug)]
pub struct Wave<'f> {
    /// Slot in which it ran.
    pub slot: SlotId,
    /// Number of waves that the slot had before it. 0 also for records before the first one, which are
    /// told by [`Wave::launch`].
    pub generation: u32,
    /// Its launch. `None` for records before the slot's first wave.
    pub launch: Option<&'f Launch>,
    /// Its kernel. `None` where no launch says so.
    pub kernel: Option<&'f Kernel>,
    pub(super) resolution: &'f Resolution,
    pub(crate) records: Cursor<'f>,
    pub(super) borders: Borders<'f>,
    pub(super) corrections: Option<&'f Corrections>,
    /// Its first record may be none of a header.
    pub(super) is_resumed: bool,
    pub(super) reading: Reading,
    /// True if waves of the folder are read by different maps.
    pub(super) maps_differ: bool,
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

    /// Way its funcmap was found, or why it was not.
    #[must_use]
    pub fn resolution(&self) -> &'f Resolution {
        self.resolution
    }

    /// Its records, as they arrived.
    pub fn records(&self) -> impl Iterator<Item = Record> + use<'f> {
        self.records
    }

    /// Number of its records.
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
        self.launch.and_then(Launch::end)
    }

    /// True if it was running before the trace began, so that scopes may be open that were never seen
    /// to be entered.
    #[must_use]
    pub fn is_older_than_trace(&self) -> bool {
        self.launch.is_none_or(|launch| launch.beginning == Beginning::BeforeTrace)
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
    folder: &'f Trace,
    engine: &'f Engine,
    id: SlotId,
    trace: &'f SlotTrace,
    cursor: Cursor<'f>,
    /// Launches before this one have been given out; 0 is the time before the first.
    next: usize,
    /// The wave before was cut off inside of a block.
    is_cut: bool,
}

impl<'f> SlotWaves<'f> {
    fn new(folder: &'f Trace, se: u32, engine: &'f Engine, place: WaveSlot, trace: &'f SlotTrace) -> Self {
        let WaveSlot { cu, simd, slot } = place;
        let id = SlotId { se, cu, simd, slot };
        Self { folder, engine, id, trace, cursor: trace.records.cursor(), next: 0, is_cut: false }
    }

    pub(super) fn id(&self) -> SlotId {
        self.id
    }

    /// Gives a wave the records up to the start of launch `next`.
    fn take(&mut self, mut wave: Wave<'f>, next: usize) -> Wave<'f> {
        let was_cut = std::mem::take(&mut self.is_cut);
        wave.is_resumed |= was_cut;
        let start = self.cursor;
        let Some(launch) = self.trace.launches.get(next) else {
            self.cursor = start.first(0);
            wave.records = start;
            return wave;
        };
        let mut sure = start;
        while let Some(record) = self.cursor.peek().filter(|record| record.time < launch.time) {
            if record.is_immediate() && !record.is_privileged() {
                sure = self.cursor;
            }
            self.cursor.next();
        }
        let is_silent = start.left() == self.cursor.left();
        let map = wave.map().filter(|map| map.longest_payload() > 0);
        // Before the first launch there need not have been a wave.
        if let Some(map) = map.filter(|_| !(is_silent && wave.launch.is_none())) {
            let records = sure.first(sure.left() - self.cursor.left());
            let mut borders = wave.borders;
            let is_searching = was_cut || wave.is_resumed && !is_silent;
            let missing = missing_words(map, records, &mut borders, is_searching, launch.time);
            match missing.and_then(|missing| words(self.cursor, missing, borders)) {
                Some(behind) => self.cursor = behind,
                None => self.is_cut = true,
            }
        }
        wave.records = start.first(start.left() - self.cursor.left());
        wave
    }

    /// A wave that has no records yet.
    fn wave(&self, launch: Option<&'f Launch>, generation: usize) -> Wave<'f> {
        let kernel = launch.and_then(|launch| self.folder.kernels.get(&launch.kernel));
        let resolution = kernel.map_or(&self.folder.fallback, |kernel| &kernel.resolution);
        let is_unknown = matches!(resolution, Resolution::Unknown(_) | Resolution::Ambiguous(_));
        Wave {
            slot: self.id,
            generation: u32::try_from(generation).unwrap_or(u32::MAX),
            launch,
            kernel,
            resolution,
            records: self.cursor.first(0),
            borders: Borders::new(&self.engine.losses, launch.map_or(i64::MIN, |launch| launch.time)),
            corrections: self.folder.corrections.as_ref(),
            is_resumed: launch.is_some_and(|launch| launch.beginning != Beginning::Start),
            reading: match resolution.map() {
                Some(map) if map.lacks_payloads() => Reading::Immediates,
                None if is_unknown && self.folder.hidden_headers => Reading::Nothing,
                _ => Reading::Everything,
            },
            maps_differ: self.folder.maps_differ,
            engine: self.engine,
        }
    }
}

/// The place behind so many words of a block.
fn words<'f>(mut cursor: Cursor<'f>, count: usize, borders: Borders<'_>) -> Option<Cursor<'f>> {
    for _ in 0..count {
        let Word::Payload(_, next) = next_word(cursor, borders) else { return None };
        cursor = next;
    }
    Some(cursor)
}

impl<'f> Iterator for SlotWaves<'f> {
    type Item = Wave<'f>;

    fn next(&mut self) -> Option<Wave<'f>> {
        if self.next == 0 {
            self.next = 1;
            let wave = self.take(self.wave(None, 0), 0);
            if wave.records.left() > 0 {
                return Some(wave);
            }
        }
        let launch = self.trace.launches.get(self.next - 1)?;
        let wave = self.take(self.wave(Some(launch), self.next - 1), self.next);
        self.next += 1;
        Some(wave)
    }
}

impl Trace {
    /// The slots, in order.
    pub(super) fn slots(&self) -> impl Iterator<Item = SlotWaves<'_>> {
        self.engines.iter().flat_map(move |(&se, engine)| {
            let slots = engine.slots.iter();
            slots.map(move |(&place, trace)| SlotWaves::new(self, se, engine, place, trace))
        })
    }

    /// All waves, slot by slot, each slot's in order. Decoding them one by one leaves it to the caller
    /// to collect their losses; [`Trace::decode`] does that.
    pub fn waves(&self) -> impl Iterator<Item = Wave<'_>> {
        self.slots().flatten()
    }
}
