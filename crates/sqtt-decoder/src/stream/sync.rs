//! Where headers are, once records are missing.
//!
//! Nothing marks a header: after a lost record, payload words are taken for headers and headers for
//! payload. What tells them apart is what follows. A header is *plausible* when its funcmap has its id
//! and it has the bits that such a marker is written with; from a plausible header the next one is its
//! payload count away. A place is good when several plausible headers follow each other from there
//! (a *chain*).
//!
//! All searching is paid from a budget that grows with the records of the wave, so that no input takes
//! more than linear time.

use sqtt_format::{Action, BlockLayout, WaveSize};

use super::pattern::{Lanes, goes_on, pattern_length, sure_length};
use crate::names::{MarkerMap, Shape};
use crate::trace::{Cursor, Record};

/// Headers that must follow each other before a place, or the end of a block, is believed.
pub(super) const CHAIN: u32 = 6;
/// Headers that must follow each other before a block is called cut off because of them.
pub(super) const ALTERNATIVE_CHAIN: u32 = 8;
/// Headers that must follow each other behind words that are payload for sure.
const SHORTEST_CHAIN: u32 = 4;
/// A row of unknown words shorter than this is taken for markers that users numbered themselves.
pub(super) const SHORTEST_GAP: usize = 4;
/// Records that may be looked at, per record of the wave.
const BUDGET_PER_RECORD: usize = 64;

/// What is at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// A plausible header with all its payload, which was passed. `firm` where no payload word is ever
    /// likely to look like it: an immediate, or a bare exit.
    /// `broken` where an address block ends unlike it began.
    Header { firm: bool, broken: bool },
    /// The end of the wave.
    End,
    /// Something that is no header.
    Implausible,
    /// A header whose payload is cut off.
    Short,
}

/// The next record that is the program's own.
pub(super) fn own(cursor: &mut Cursor<'_>) -> Option<Record> {
    cursor.find(|record| !record.is_privileged())
}

/// The place behind `count` of the program's own records.
pub(super) fn skip_own(mut cursor: Cursor<'_>, count: usize) -> Option<Cursor<'_>> {
    for _ in 0..count {
        own(&mut cursor)?;
    }
    Some(cursor)
}

/// Whether the word at `cursor` is one of three that follow each other at one distance, as lanes of LDS addresses do, and
/// headers that end with their bits do not.
fn is_in_row(before: [Option<u32>; 2], mut cursor: Cursor<'_>) -> bool {
    let mut next = || own(&mut cursor).map(|record| record.value);
    let words = [before[0], before[1], next(), next(), next()];
    words.windows(3).any(|words| match *words {
        [Some(first), Some(second), Some(third)] => {
            let stride = second.wrapping_sub(first);
            stride != 0 && third.wrapping_sub(second) == stride && (first | second) % 4 == 0
        }
        _ => false,
    })
}

#[derive(Clone, Debug)]
pub(super) struct Sync<'w> {
    pub(super) map: &'w MarkerMap,
    /// Headers known to be plausible from the place of the stream on, and the place behind them.
    ahead: u32,
    pub(super) frontier: Cursor<'w>,
    budget: usize,
    /// Words that were doubtful are just before the place of the stream, and may go on there.
    pub(super) is_in_doubt: bool,
    /// Records that are left where words begin that were not yet looked at for being alike.
    pub(super) alike_until: usize,
    /// Payload of the block that was passed last.
    words: Vec<u32>,
}

impl<'w> Sync<'w> {
    pub(super) fn new(map: &'w MarkerMap, start: Cursor<'w>) -> Self {
        let budget = start.left().saturating_mul(BUDGET_PER_RECORD).saturating_add(1 << 12);
        Self {
            map,
            ahead: 0,
            frontier: start,
            budget,
            is_in_doubt: false,
            alike_until: usize::MAX,
            words: Vec::new(),
        }
    }

    pub(super) fn is_exhausted(&self) -> bool {
        self.budget == 0
    }

    pub(super) fn spend(&mut self, records: usize) {
        self.budget = self.budget.saturating_sub(records);
    }

    /// The stream took the header that it is at.
    pub(super) fn took_header(&mut self) {
        self.ahead = self.ahead.saturating_sub(1);
    }

    /// Whether the record at `cursor` is a plausible header by itself.
    pub(super) fn is_header(&self, mut cursor: Cursor<'_>) -> bool {
        let Some(record) = own(&mut cursor) else { return false };
        self.header(record, cursor).is_some()
    }

    /// What a plausible header announces, with what follows it in `rest`, and whether it is firm.
    fn header(&self, record: Record, mut rest: Cursor<'_>) -> Option<(Option<Shape>, bool)> {
        let marker = self.map.decode(record.value, record.is_immediate()).marker;
        let shape = self.map.shape(marker.id);
        let firm = record.is_immediate();
        let Some(shape) = shape else {
            // An immediate is a header whatever its id.
            let exit = marker.id == 0 && marker.action() == Action::Exit;
            return (exit || (firm && marker.id != 0)).then_some((None, true));
        };
        let fits = match marker.action() {
            Action::Point => shape.is_point,
            Action::Enter | Action::ExitEnter => !shape.is_point,
            Action::Exit | Action::Noop => false,
        };
        if !fits {
            return None;
        }
        if matches!(shape.block, Some((_, WaveSize::Wave32))) {
            let high_exec = own(&mut rest).and_then(|_| own(&mut rest));
            if high_exec.is_some_and(|record| record.value != 0) {
                return None;
            }
        }
        Some((Some(shape), firm))
    }

    pub(super) fn step(&mut self, cursor: &mut Cursor<'_>) -> Step {
        self.spend(1);
        let Some(record) = own(cursor) else { return Step::End };
        let Some((shape, firm)) = self.header(record, *cursor) else { return Step::Implausible };
        let Some(shape) = shape.filter(|shape| shape.payload > 0) else {
            return Step::Header { firm, broken: false };
        };
        let before = cursor.left();
        self.words.clear();
        for _ in 0..shape.payload {
            match own(cursor) {
                Some(word) if !word.is_immediate() && self.budget > 0 => self.words.push(word.value),
                _ => {
                    self.spend(before - cursor.left());
                    return Step::Short;
                }
            }
        }
        self.spend(before - cursor.left());
        Step::Header { firm, broken: self.is_broken(shape, &self.words) }
    }

    /// Whether a block that ends at `end` is followed by a chain of headers, or by the end of the wave.
    pub(super) fn is_followed(&mut self, end: Cursor<'w>) -> bool {
        if self.ahead == 0 {
            self.frontier = end;
        }
        while self.ahead < CHAIN {
            let mut frontier = self.frontier;
            match self.step(&mut frontier) {
                Step::Header { .. } => {
                    self.ahead += 1;
                    self.frontier = frontier;
                }
                Step::End => return true,
                Step::Implausible | Step::Short => return false,
            }
        }
        true
    }

    /// Whether `length` headers, or fewer and the end of the wave, follow each other from `cursor`; if
    /// `strict`, without a block that looks broken.
    fn is_chain(&mut self, mut cursor: Cursor<'_>, length: u32, strict: bool) -> bool {
        let mut any_firm = false;
        for passed in 0..length {
            match self.step(&mut cursor) {
                Step::Header { broken: true, .. } if strict => return false,
                Step::Header { firm, .. } => any_firm |= firm,
                // One header and the end is as good as chance, unless it looks like nothing else.
                Step::End => return passed > 1 || (passed == 1 && any_firm),
                // A block that the wave's end cuts off is damaged, and the headers before it are none the worse for it.
                Step::Short => return passed >= SHORTEST_CHAIN && cursor.left() == 0,
                Step::Implausible => return false,
            }
            if self.budget == 0 {
                return false;
            }
        }
        true
    }

    /// The first header behind a block that was cut off. Words that follow its pattern are none, however
    /// much they look like it; where too few do to be sure, they are looked at last.
    pub(super) fn find_in_block(
        &mut self,
        shape: Shape,
        words: &[u32],
        body: Cursor<'w>,
    ) -> Option<Cursor<'w>> {
        let passed = shape.block.map_or(0, |block| pattern_length(block, words));
        let behind = skip_own(body, passed)?;
        let left = words.len() - passed;
        let mut found = self.find(behind, left, ALTERNATIVE_CHAIN);
        found = found.or_else(|| self.find(behind, left, CHAIN));
        if shape.block.is_some_and(|block| sure_length(block, words) > 0) {
            found = found.or_else(|| self.find(behind, left, SHORTEST_CHAIN));
        } else if shape.block.is_none_or(|(kind, _)| kind.layout() == BlockLayout::Wide) {
            // Where a lane is one word, nothing tells it from a header that needs no payload.
            found = found.or_else(|| self.find(body, passed, ALTERNATIVE_CHAIN));
        }
        found.map(|(cursor, _)| cursor)
    }

    /// Whether a block that no header follows ends unlike it began.
    pub(super) fn is_broken(&self, shape: Shape, words: &[u32]) -> bool {
        shape.block.is_some_and(|block| !goes_on(block, words, Lanes::Active))
            || self.is_intruded(shape, words)
    }

    /// The first place among the next `limit` records, `from` itself being the first of them, where a
    /// chain begins, and how many of the program's records are before it. One without broken blocks
    /// goes before any other: operations that access memory without a pattern look broken, too.
    pub(super) fn find(
        &mut self,
        from: Cursor<'w>,
        limit: usize,
        length: u32,
    ) -> Option<(Cursor<'w>, usize)> {
        self.find_chain(from, limit, length, true).or_else(|| self.find_chain(from, limit, length, false))
    }

    fn find_chain(
        &mut self,
        from: Cursor<'w>,
        limit: usize,
        length: u32,
        strict: bool,
    ) -> Option<(Cursor<'w>, usize)> {
        let mut cursor = from;
        // Words before the place, for rows of lanes.
        let mut before = [None; 2];
        let mut passed = 0;
        while passed < limit {
            if cursor.left() == 0 || self.budget == 0 {
                return None;
            }
            if self.is_header(cursor) && !is_in_row(before, cursor) && self.is_chain(cursor, length, strict) {
                let Some(rows) = self.rows_at(cursor) else { return Some((cursor, passed)) };
                cursor = skip_own(cursor, rows)?;
                passed += rows;
                before = [None; 2];
                continue;
            }
            self.spend(1);
            before = [before[1], Some(own(&mut cursor)?.value)];
            passed += 1;
        }
        None
    }

    /// The stream goes on at another place than the next header.
    pub(super) fn jumped(&mut self) {
        self.ahead = 0;
    }
}
