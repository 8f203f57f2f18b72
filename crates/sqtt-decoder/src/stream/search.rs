//! Places of headers: borders, the search after them, and what a wave's last block lacks.

use std::collections::BTreeSet;

use crate::names::MarkerMap;
use crate::steps::step;
use crate::trace::{Cursor, Loss, Record};

/// The reported losses that records of a wave can still come behind.
#[derive(Clone, Copy, Debug)]
pub(super) struct Borders<'w> {
    losses: &'w [Loss],
    /// The record behind the last border. A loss at the very time of records is a border before each of them, as
    /// nothing says which of them it came before.
    last: usize,
}

impl<'w> Borders<'w> {
    /// The losses of an engine that reach into a wave that began at `start`.
    pub(super) fn new(losses: &'w [Loss], start: i64) -> Self {
        let over = losses.partition_point(|loss| loss.reach < start);
        Self { losses: &losses[over..], last: 0 }
    }

    /// True if a loss lies before the record at `cursor`, of that time.
    #[inline]
    pub(super) fn is_before(&self, cursor: Cursor<'_>, time: i64) -> bool {
        self.losses.first().is_some_and(|loss| loss.from <= time) && self.last != cursor.address()
    }

    /// Goes over the border before the record at `cursor`. Gives the time of the loss.
    pub(super) fn pass(&mut self, cursor: Cursor<'_>, time: i64) -> i64 {
        step();
        let first = self.losses.first().map_or(time, |loss| loss.from);
        let over = self.losses.partition_point(|loss| loss.from <= time && loss.until < time);
        self.losses = &self.losses[over..];
        self.last = cursor.address();
        first
    }

    /// The time of the next loss, if it is not after `time`.
    pub(super) fn until(&self, time: i64) -> Option<i64> {
        self.losses.first().map(|loss| loss.from).filter(|&from| from <= time)
    }
}

/// The next record that is the program's own, and not the trap handler's.
#[inline]
fn own(mut cursor: Cursor<'_>) -> Cursor<'_> {
    while cursor.peek().is_some_and(Record::is_privileged) {
        cursor.next();
    }
    cursor
}

/// End of a search.
pub(super) struct FoundHeader<'w> {
    /// The header, or the border or the end that comes first.
    pub(super) cursor: Cursor<'w>,
    /// True if it is a header.
    pub(super) is_header: bool,
    /// Words that were passed.
    pub(super) lost: u64,
    /// Records of the trap handler that were passed.
    pub(super) privileged: u64,
}

/// Looks for the next header that is sure: an immediate, or the first place where all readings meet that
/// begin within the longest payload.
///
/// One of these readings is the right one, since no more words than the longest payload can be the rest
/// of a block. It is not known which one until they agree.
pub(super) fn search<'w>(map: &MarkerMap, start: Cursor<'w>, borders: Borders<'_>) -> FoundHeader<'w> {
    let longest = map.longest_payload() as usize;
    // Headers of readings, from the next word on. Up to the longest payload every word is one's first header.
    let mut heads = BTreeSet::new();
    let mut found = FoundHeader { cursor: start, is_header: false, lost: 0, privileged: 0 };
    let mut at = 0;
    while let Some(record) = found.cursor.peek() {
        step();
        if record.is_privileged() {
            found.privileged += 1;
            found.cursor.next();
            continue;
        }
        if at > 0 && borders.is_before(found.cursor, record.time) {
            break;
        }
        let is_head = heads.remove(&at) || at <= longest;
        if record.is_immediate() || (is_head && at >= longest && heads.is_empty()) {
            found.is_header = true;
            break;
        }
        if is_head {
            let next = (at + 1).saturating_add(payload_of(map, record));
            if next > longest {
                heads.insert(next);
            }
        }
        at += 1;
        found.lost += 1;
        found.cursor.next();
    }
    found
}

/// Number of words that follow a header.
fn payload_of(map: &MarkerMap, header: Record) -> usize {
    let marker = map.decode(header.value, header.is_immediate()).marker;
    map.shape(marker.id).map_or(0, |shape| shape.payload as usize)
}

/// Number of words that the last block of a wave lacks at the time `end`, whose records are read from `cursor` on: from
/// its first one, or, since all readings agree there, from its last immediate. Passes the borders between them. `None`
/// where nothing tells: after a loss, and where the search does not end.
pub(super) fn missing_words(
    map: &MarkerMap,
    mut cursor: Cursor<'_>,
    borders: &mut Borders<'_>,
    mut is_searching: bool,
    end: i64,
) -> Option<usize> {
    if let Some(first) = cursor.peek().filter(|first| first.is_immediate()) {
        borders.pass(cursor, first.time);
        is_searching = false;
    }
    loop {
        cursor = own(cursor);
        let Some(record) = cursor.peek() else {
            return (!is_searching && borders.until(end).is_none()).then_some(0);
        };
        if borders.is_before(cursor, record.time) {
            borders.pass(cursor, record.time);
            is_searching = true;
        }
        if is_searching {
            let found = search(map, cursor, *borders);
            (cursor, is_searching) = (found.cursor, !found.is_header);
            continue;
        }
        cursor.next();
        let mut left = payload_of(map, record);
        while left > 0 {
            match next_word(cursor, *borders) {
                Word::Payload(_, next) => cursor = next,
                Word::End => return Some(left),
                Word::Header | Word::Border => break,
            }
            left -= 1;
        }
    }
}

/// The next word, as a block has it that is not whole yet.
pub(super) enum Word<'w> {
    /// Payload, and the place behind it.
    Payload(Record, Cursor<'w>),
    /// An immediate, which is never payload.
    Header,
    /// A reported loss.
    Border,
    /// No record is left.
    End,
}

/// Looks at the next word of a block.
#[inline]
pub(super) fn next_word<'w>(cursor: Cursor<'w>, borders: Borders<'_>) -> Word<'w> {
    step();
    let mut at = own(cursor);
    match at.peek() {
        None => Word::End,
        Some(record) if borders.is_before(at, record.time) => Word::Border,
        Some(record) if record.is_immediate() => Word::Header,
        Some(record) => {
            at.next();
            Word::Payload(record, at)
        }
    }
}
