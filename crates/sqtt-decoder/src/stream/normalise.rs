//! Records as they would be without a clock in them: what `att_tool` writes.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::wave::SlotWaves;
use super::{MarkerStream, Wave};
use crate::clock::Correction;
use crate::filter::Filter;
use crate::trace::{Cursor, Record, RecordFlags, SlotId, Trace};

/// The records of a wave, in the order in which they arrived. Packed headers are given as plain words at
/// their corrected time, everything else as it is. Where times are corrected, none is before the time of
/// a record that the wave wrote earlier: they are what [`MarkerStream`] says.
#[must_use]
pub fn normalised<'w>(wave: &Wave<'w>) -> Normalised<'w> {
    let mut stream = wave.markers();
    let header = next_header(&mut stream);
    let latest = Correction::of(wave).is_some().then_some(i64::MIN);
    Normalised { stream, header, records: wave.records, latest }
}

/// See [`normalised`].
#[derive(Clone, Debug)]
pub struct Normalised<'w> {
    stream: MarkerStream<'w>,
    header: Option<PackedHeader>,
    records: Cursor<'w>,
    /// The latest time so far, where times are corrected.
    latest: Option<i64>,
}

/// A packed header: where it is, its corrected time, and its plain word.
#[derive(Clone, Copy, Debug)]
struct PackedHeader {
    left: usize,
    time: i64,
    word: u32,
}

impl Iterator for Normalised<'_> {
    type Item = Record;

    fn next(&mut self) -> Option<Record> {
        let left = self.records.left();
        let mut record = self.records.next()?;
        if let Some(header) = self.header.filter(|header| header.left == left) {
            (record.time, record.value) = (header.time, header.word);
            self.header = next_header(&mut self.stream);
        }
        if let Some(latest) = &mut self.latest {
            *latest = record.time.max(*latest);
            record.time = *latest;
        }
        Some(record)
    }
}

fn next_header(stream: &mut MarkerStream<'_>) -> Option<PackedHeader> {
    loop {
        let step = stream.step()?;
        if let Some(word) = step.plain_word() {
            return Some(PackedHeader { left: step.left, time: step.corrected, word });
        }
    }
}

/// Records of one wave, as they are or without a clock in them.
enum RecordSource<'f> {
    Raw(Cursor<'f>),
    Normalised(Box<Normalised<'f>>),
}

/// A slot whose next record is known.
struct SlotRecords<'f> {
    waves: SlotWaves<'f>,
    source: Option<RecordSource<'f>>,
    next: Record,
    /// The latest time so far.
    latest: i64,
}

impl<'f> SlotRecords<'f> {
    fn advance(&mut self, filter: &Filter, normalise: bool) -> Option<()> {
        loop {
            let next = match &mut self.source {
                Some(RecordSource::Raw(records)) => records.next(),
                Some(RecordSource::Normalised(records)) => records.next(),
                None => None,
            };
            if let Some(next) = next {
                self.next = next;
                self.latest = self.latest.max(next.time);
                return Some(());
            }
            let wave = self.waves.find(|wave| filter.takes_wave(wave))?;
            self.source = Some(if normalise {
                RecordSource::Normalised(Box::new(normalised(&wave)))
            } else {
                RecordSource::Raw(wave.records)
            });
        }
    }
}

/// The two forms that records can be had in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Words {
    /// Words as they are traced, at the times at which they arrived.
    AsTraced,
    /// Words and times as [`normalised`] gives them.
    Normalised,
}

impl Trace {
    /// True if records of some wave would be others without a clock in them.
    #[must_use]
    pub fn has_packed_headers(&self) -> bool {
        let maps = self.kernels.values().map(|kernel| &kernel.resolution).chain([&self.fallback]);
        maps.filter_map(|resolution| resolution.map()).any(|map| map.encoding().has_shader_clock())
    }

    /// Calls `visit` for every record of a shader engine that belongs to a wave that `filter` lets
    /// through: by time, those of one slot in the order in which they arrived. Stops early where `visit` gives an error.
    ///
    /// # Errors
    ///
    /// Errors of `visit`.
    pub fn records_in_order<E>(
        &self,
        se: u32,
        filter: &Filter,
        words: Words,
        mut visit: impl FnMut(SlotId, Record) -> Result<(), E>,
    ) -> Result<(), E> {
        let slots = self.slots().filter(|slot| slot.id().se == se && filter.takes_slot(slot.id()));
        let nothing = Record { time: 0, value: 0, flags: RecordFlags::NONE };
        let runs = slots.map(|waves| SlotRecords { waves, source: None, next: nothing, latest: i64::MIN });
        let normalise = words == Words::Normalised;
        let mut runs: Vec<SlotRecords<'_>> =
            runs.filter_map(|mut run| run.advance(filter, normalise).map(|()| run)).collect();
        let heads = runs.iter().enumerate().map(|(index, run)| Reverse((run.latest, index)));
        let mut heads: BinaryHeap<_> = heads.collect();
        while let Some(mut head) = heads.peek_mut() {
            let Reverse((_, index)) = *head;
            let run = &mut runs[index];
            visit(run.waves.id(), run.next)?;
            match run.advance(filter, normalise) {
                Some(()) => *head = Reverse((run.latest, index)),
                None => {
                    std::collections::binary_heap::PeekMut::pop(head);
                }
            }
        }
        Ok(())
    }
}
