//! The state machine: what each record of a wave does.

use sqtt_format::{Action, Decoded, Entry, Marker};

use super::search::{Borders, Word, next_word, search};
use super::{CloseReason, Closed, Event, EventKind, StreamLosses, Wave};
use crate::clock::Correction;
use crate::ledger::RemarkKind;
use crate::names::{MarkerMap, Resolution, Shape};
use crate::trace::{Beginning, Cursor, Record};

/// The markers of one wave, in order. See the [module](super).
///
/// An event borrows the stream, so the stream is no iterator: `while let Some(event) = stream.next()`.
#[derive(Clone, Debug)]
pub struct MarkerStream<'w> {
    map: Option<&'w MarkerMap>,
    cursor: Cursor<'w>,
    borders: Borders<'w>,
    correction: Correction<'w>,
    /// The next header is not where the last one ended.
    is_searching: bool,
    stack: Vec<Scope>,
    payload: Vec<u32>,
    /// Time of the last event.
    now: i64,
    retired: Option<i64>,
    /// Exits without an enter are to be expected.
    enters_missing: bool,
    reading: Reading,
    /// A loss is behind which another wave may have run.
    maps_differ: bool,
    end_is_lost: bool,
    /// The code object is known and has no map: words are what its program traced.
    is_uninstrumented: bool,
    /// All scopes are being closed.
    closing: Option<(CloseReason, i64)>,
    counts: StreamLosses,
}

/// Words of a wave that can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reading {
    /// All of them.
    Everything,
    /// Immediates: the others may be payload.
    Immediates,
    /// None.
    Nothing,
}

impl Reading {
    #[inline]
    fn reads(self, record: Record) -> bool {
        match self {
            Reading::Everything => true,
            Reading::Immediates => record.is_immediate(),
            Reading::Nothing => false,
        }
    }
}

#[derive(Clone, Copy, Debug)]
struct Scope {
    id: u32,
    shape: Option<Shape>,
    begin: i64,
    inner: i64,
}

/// An event that borrows nothing.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub(super) time: i64,
    /// The time before it was kept from going back.
    pub(super) corrected: i64,
    kind: EventKind,
    decoded: Decoded,
    shape: Option<Shape>,
    record: Option<Record>,
    /// Records of the wave that were left when the record was taken, itself included.
    pub(super) left: usize,
    truncated: bool,
    closed: Option<(Scope, i64, CloseReason)>,
}

impl Step {
    /// The word of a packed header without its clock.
    pub(super) fn plain_word(&self) -> Option<u32> {
        self.decoded.shader_clock.and_then(|_| self.decoded.marker.to_word())
    }
}

impl<'w> MarkerStream<'w> {
    pub(super) fn new(wave: &Wave<'w>) -> Self {
        Self {
            map: wave.map().map(|map| &**map),
            cursor: wave.records,
            borders: wave.borders,
            correction: Correction::of(wave),
            is_searching: wave.is_resumed,
            stack: Vec::new(),
            payload: Vec::new(),
            // A late record of the launch's own time may be lost, and the one behind it be of an earlier one.
            now: wave.launch.map_or(i64::MIN, |launch| launch.time),
            retired: wave.retired(),
            enters_missing: wave.launch.is_none_or(|launch| launch.beginning != Beginning::Start),
            reading: wave.reading,
            maps_differ: wave.maps_differ,
            end_is_lost: wave.launch.is_some_and(|launch| launch.end_is_lost),
            is_uninstrumented: matches!(wave.resolution, Resolution::NotInstrumented),
            closing: None,
            counts: StreamLosses::default(),
        }
    }

    /// The next event; `None` at the end of the wave, when all its scopes are closed.
    #[expect(clippy::should_implement_trait, reason = "an event borrows the stream")]
    pub fn next(&mut self) -> Option<Event<'_>> {
        let step = self.step()?;
        Some(self.event(&step))
    }

    /// Losses up to now.
    #[must_use]
    pub fn losses(&self) -> &StreamLosses {
        &self.counts
    }

    /// Decodes what is left, for its losses.
    pub fn finish(&mut self) -> &StreamLosses {
        while self.step().is_some() {}
        &self.counts
    }

    /// The event of a step that was just taken.
    pub(super) fn event(&self, step: &Step) -> Event<'_> {
        let entry = |shape: Option<Shape>| self.entry(shape);
        Event {
            time: step.time,
            kind: step.kind,
            marker: step.decoded.marker,
            entry: if step.decoded.marker == Marker::EXIT { None } else { entry(step.shape) },
            raw: step.record.map(|record| record.value),
            arrival: step.record.map_or(step.time, |record| record.time),
            shader_clock: step.decoded.shader_clock,
            payload: &self.payload,
            truncated: step.truncated,
            closed: step.closed.map(|(scope, end, reason)| Closed {
                id: scope.id,
                entry: entry(scope.shape),
                begin: scope.begin,
                end,
                inner: scope.inner,
                reason,
            }),
            depth: self.stack.len(),
        }
    }

    fn entry(&self, shape: Option<Shape>) -> Option<&'w Entry> {
        self.map.zip(shape).and_then(|(map, shape)| map.entry(shape))
    }

    pub(super) fn step(&mut self) -> Option<Step> {
        self.payload.clear();
        loop {
            if let Some((reason, time)) = self.closing {
                match self.close_for(reason, time) {
                    Some(step) => return Some(step),
                    None => self.closing = None,
                }
            }
            self.skip_privileged();
            let Some(record) = self.cursor.peek() else {
                self.end()?;
                continue;
            };
            if self.borders.is_before(self.cursor, record.time) {
                self.pass_loss(record.time);
                continue;
            }
            if !self.reading.reads(record) {
                return Some(self.undecoded(record));
            }
            if self.is_searching {
                self.find_header();
                continue;
            }
            return Some(self.header(record));
        }
    }

    fn skip_privileged(&mut self) {
        while self.cursor.peek().is_some_and(Record::is_privileged) {
            self.cursor.next();
            self.counts.add(RemarkKind::TrapHandlerRecord, 1);
        }
    }

    /// After the last record: `None` when nothing is open any more.
    fn end(&mut self) -> Option<()> {
        if self.stack.is_empty() {
            return None;
        }
        let end = self.retired.map_or(self.now, |retired| retired.max(self.now));
        self.closing = Some(match self.borders.until(end) {
            Some(loss) => (CloseReason::PacketLoss, loss),
            None if self.end_is_lost => (CloseReason::PacketLoss, self.now),
            None if self.retired.is_some() => (CloseReason::WaveEnd, end),
            None => (CloseReason::TraceEnd, end),
        });
        Some(())
    }

    /// Something was lost before a record of that time. What is open is not known, nor where the next header
    /// is, nor whether the wave still runs.
    fn pass_loss(&mut self, time: i64) {
        let loss = self.borders.pass(self.cursor, time);
        self.enters_missing = true;
        self.is_searching = true;
        if self.counts.count(RemarkKind::WaveAcrossLoss) == 0 {
            self.counts.add(RemarkKind::WaveAcrossLoss, 1);
        }
        if self.maps_differ {
            self.reading = Reading::Nothing;
        }
        if !self.stack.is_empty() {
            self.closing = Some((CloseReason::PacketLoss, loss));
        }
    }

    /// Goes on at the next header that is sure.
    fn find_header(&mut self) {
        self.is_searching = false;
        let Some(map) = self.map else { return };
        let found = search(map, self.cursor, self.borders);
        self.counts.add(RemarkKind::LostWord, found.lost);
        self.counts.add(RemarkKind::TrapHandlerRecord, found.privileged);
        self.cursor = found.cursor;
        self.is_searching = !found.is_header;
    }

    fn undecoded(&mut self, record: Record) -> Step {
        self.counts.add(RemarkKind::UndecodedRecord, 1);
        let decoded = Decoded { marker: Marker::from_word(record.value), shader_clock: None };
        let left = self.cursor.left();
        self.cursor.next();
        self.at(record.time, EventKind::Undecoded, decoded, None, Some(record), left)
    }

    /// Takes a header.
    fn header(&mut self, record: Record) -> Step {
        let left = self.cursor.left();
        self.cursor.next();
        let decoded = match self.map {
            Some(map) => map.decode(record.value, record.is_immediate()),
            None => Decoded { marker: Marker::from_word(record.value), shader_clock: None },
        };
        let marker = decoded.marker;
        let shape = self.map.and_then(|map| map.shape(marker.id));
        let is_point = shape.is_some_and(|shape| shape.is_point);
        let action = if is_point && marker.id != 0 { Action::Point } else { marker.action() };
        if is_point && marker.flags() != 0 {
            self.counts.add(RemarkKind::PointWithFlags, 1);
        }
        let has_id = !matches!(action, Action::Exit | Action::Noop);
        if has_id && self.map.is_some_and(|map| map.is_shared(marker.id)) {
            self.counts.add(RemarkKind::SharedId, 1);
        } else if has_id && shape.is_none() {
            let is_numeric = self.map.map_or(self.is_uninstrumented, |map| map.is_numeric(marker.id));
            self.counts.add(if is_numeric { RemarkKind::NumericMarker } else { RemarkKind::UnknownId }, 1);
        }
        let kind = match action {
            Action::Enter => EventKind::Enter,
            Action::Exit => EventKind::Exit,
            Action::ExitEnter => EventKind::ExitEnter,
            Action::Point => EventKind::Point,
            Action::Noop => {
                self.counts.add(RemarkKind::ReservedWord, 1);
                EventKind::Reserved
            }
        };
        let time = self.correction.time(record.time, decoded.shader_clock);
        let mut step = self.at(time, kind, decoded, shape, Some(record), left);
        if matches!(action, Action::Exit | Action::ExitEnter) {
            step.closed = self.pop(step.time);
            if step.closed.is_none() {
                let kind = if self.enters_missing {
                    RemarkKind::ExitWithoutEnter
                } else {
                    RemarkKind::UnmatchedExit
                };
                self.counts.add(kind, 1);
            }
        }
        if matches!(action, Action::Enter | Action::ExitEnter) {
            self.stack.push(Scope { id: marker.id, shape, begin: step.time, inner: 0 });
        }
        if let Some(shape) = shape.filter(|shape| shape.payload > 0) {
            step.truncated = !self.take_payload(shape.payload);
            if step.truncated {
                self.payload.clear();
                self.counts.add(RemarkKind::TruncatedBlock, 1);
            }
        }
        step
    }

    /// Takes the words behind a header. False where they are cut off: an immediate, a loss or the end of the
    /// wave's records comes first.
    fn take_payload(&mut self, count: u32) -> bool {
        for _ in 0..count {
            let Word::Payload(word, next) = next_word(self.cursor, self.borders) else { return false };
            let privileged = self.cursor.left() - next.left() - 1;
            self.counts.add(RemarkKind::TrapHandlerRecord, privileged as u64);
            self.payload.push(word.value);
            self.cursor = next;
        }
        true
    }

    fn pop(&mut self, time: i64) -> Option<(Scope, i64, CloseReason)> {
        self.close(time, CloseReason::Marker)
    }

    fn close(&mut self, time: i64, reason: CloseReason) -> Option<(Scope, i64, CloseReason)> {
        let scope = self.stack.pop()?;
        if let Some(outer) = self.stack.last_mut() {
            outer.inner = outer.inner.saturating_add(time.saturating_sub(scope.begin));
        }
        Some((scope, time, reason))
    }

    /// Closes the top scope without a record.
    fn close_for(&mut self, reason: CloseReason, time: i64) -> Option<Step> {
        let time = time.max(self.now);
        let closed = self.close(time, reason)?;
        self.counts.add(
            match reason {
                CloseReason::PacketLoss => RemarkKind::ScopeCutByPacketLoss,
                CloseReason::TraceEnd => RemarkKind::ScopeOpenAtTraceEnd,
                CloseReason::WaveEnd | CloseReason::Marker => RemarkKind::ScopeOpenAtWaveEnd,
            },
            1,
        );
        let decoded = Decoded { marker: Marker::EXIT, shader_clock: None };
        let mut step = self.at(time, EventKind::Exit, decoded, None, None, 0);
        step.closed = Some(closed);
        Some(step)
    }

    fn at(
        &mut self,
        time: i64,
        kind: EventKind,
        decoded: Decoded,
        shape: Option<Shape>,
        record: Option<Record>,
        left: usize,
    ) -> Step {
        // A wave does nothing after its end: what arrives then is late.
        let time = self.retired.map_or(time, |retired| time.min(retired));
        if time < self.now {
            self.counts.add(RemarkKind::TimeWentBack, 1);
        }
        self.now = self.now.max(time);
        Step {
            time: self.now,
            corrected: time,
            kind,
            decoded,
            shape,
            record,
            left,
            truncated: false,
            closed: None,
        }
    }
}
