//! Whether an address block whose end is where a header may be is one block, or was cut off and holds what came after
//! it.
//!
//! A block that lost as many words as the markers behind it have looks whole. There are two kinds of evidence against
//! it. Where words cannot be the block's own, or those that are its own show how many are missing, decoding goes on
//! in the middle of it. Where a block is only likelier to hold headers than lanes, its words are dropped, and decoding
//! goes on behind it, which is right either way.

use sqtt_format::{Action, BlockLayout, WaveSize};

use super::pattern::{Lanes, goes_on, is_active_odd, is_intruded, is_varied, pattern_length, sure_length};
use super::progression::{end_of_own, in_rows, is_even};
use super::sync::{ALTERNATIVE_CHAIN, Step, Sync, own, skip_own};
use crate::names::Shape;
use crate::trace::Cursor;

/// Lanes behind a gap that are no chance.
const MANY_WITNESSES: usize = 3;

/// What a block is.
pub(super) enum Verdict<'w> {
    Whole,
    /// It may hold headers.
    Doubtful,
    /// It was cut off, and a header is there.
    Cut(Cursor<'w>),
}

impl<'w> Sync<'w> {
    /// `body` is behind the header, `end` behind the block; `followed` whether headers are known to follow.
    pub(super) fn judge(
        &mut self,
        shape: Shape,
        words: &[u32],
        body: Cursor<'w>,
        end: Cursor<'w>,
        followed: bool,
    ) -> Verdict<'w> {
        let Some(block) = shape.block else {
            let is_misled = !followed && !self.is_header(end);
            return if is_misled { self.header_in_data(body, end) } else { Verdict::Whole };
        };
        let goes_on_all = goes_on(block, words, Lanes::All);
        if goes_on_all && (block.0.layout() != BlockLayout::Wide || is_even(block, words)) {
            return Verdict::Whole;
        }
        self.spend(4 * words.len());
        let rows = in_rows(block, words);
        let mut doubtful = false;
        if let Some((place, witnesses)) = end_of_own(block, words)
            && !rows[place]
            && let Some(next) = skip_own(body, place)
        {
            doubtful = self.leads_somehow(&words[place..]);
            if (doubtful && witnesses >= MANY_WITNESSES) || self.leads_from(next, end, true) {
                return Verdict::Cut(next);
            }
        }
        if goes_on_all {
            return if doubtful { Verdict::Doubtful } else { Verdict::Whole };
        }
        if self.is_intruded(shape, words) {
            let next = self.find_in_block(shape, words, body);
            let next = next.or_else(|| skip_own(body, self.frame(words, &rows)?));
            return next.map_or(Verdict::Doubtful, Verdict::Cut);
        }
        // Behind the row of offsets are indices: small numbers in an order of their own, which look like headers where
        // nothing was lost.
        if block.0.layout() == BlockLayout::StructBuffer {
            return Verdict::Whole;
        }
        let is_sure = sure_length(block, words) > 0;
        let length = pattern_length(block, words);
        // Active lanes all over memory are rare; that the first odd one looks like a header is rarer.
        if block.0.layout() == BlockLayout::Wide && !goes_on(block, words, Lanes::Active) {
            let mut odd = skip_own(body, length);
            for _ in 0..2 {
                let Some(place) = odd.as_mut().filter(|place| place.left() > end.left()) else { break };
                if self.is_header(*place) {
                    return Verdict::Cut(*place);
                }
                own(place);
            }
        }
        if let Some(place) = self.first_that_leads(words.len(), length, &rows, body, end, followed) {
            let is_cut = followed && is_sure && is_active_odd(block, words, place);
            if let Some(next) = skip_own(body, place).filter(|_| is_cut) {
                return Verdict::Cut(next);
            }
            return Verdict::Doubtful;
        }
        if doubtful
            || self.frame(words, &rows).is_some()
            || (is_sure && self.leads_somehow(&words[length..]))
            || (!is_sure && self.begins_with_many(words.get(length.saturating_sub(2)..).unwrap_or_default()))
        {
            return Verdict::Doubtful;
        }
        Verdict::Whole
    }

    /// Of a data marker that no header follows: cut off where one in it leads to another.
    fn header_in_data(&mut self, body: Cursor<'w>, end: Cursor<'w>) -> Verdict<'w> {
        let mut from = body;
        while from.left() > end.left() && !self.is_exhausted() {
            let mut cursor = from;
            let is_passed = matches!(self.step(&mut cursor), Step::Header { .. });
            if is_passed && cursor.left() < end.left() && self.is_header(cursor) {
                return Verdict::Cut(from);
            }
            own(&mut from);
        }
        Verdict::Whole
    }

    /// Whether headers follow each other from `from` exactly to `end`, or so many that it does not matter.
    fn leads_from(&mut self, from: Cursor<'w>, end: Cursor<'w>, followed: bool) -> bool {
        let mut cursor = from;
        let mut passed = 0;
        let mut is_cut = false;
        while cursor.left() > end.left() && !is_cut {
            match self.step(&mut cursor) {
                Step::Header { .. } => passed += 1,
                Step::Short => is_cut = true,
                Step::End | Step::Implausible => return false,
            }
        }
        // The block of the last header may reach over the end: of many it does not matter, and where the wave ends
        // before six headers follow, such a block is the likelier one.
        let leads_over = cursor.left() < end.left()
            && (passed >= ALTERNATIVE_CHAIN || (is_cut && passed > 0 && !followed));
        passed > 0 && (cursor.left() == end.left() || leads_over)
    }

    /// The first word of a block from which headers lead to its end.
    fn first_that_leads(
        &mut self,
        length: usize,
        own_words: usize,
        rows: &[bool],
        body: Cursor<'w>,
        end: Cursor<'w>,
        followed: bool,
    ) -> Option<usize> {
        let mut from = skip_own(body, own_words)?;
        for place in own_words..length {
            if self.is_exhausted() {
                return None;
            }
            if !rows.get(place).is_some_and(|&is_lane| is_lane) && self.leads_from(from, end, followed) {
                return Some(place);
            }
            own(&mut from)?;
        }
        None
    }

    /// Whether words can be markers, the last of them an address block that is cut off, too.
    fn leads_somehow(&mut self, words: &[u32]) -> bool {
        self.spend(words.len());
        let mut rest = words.iter();
        while let Some(&word) = rest.next() {
            match self.header_alone(word) {
                None => return false,
                Some(None) => {}
                Some(Some(shape)) if shape.block.is_some() => return true,
                Some(Some(shape)) => {
                    rest = rest.as_slice().get(shape.payload as usize..).unwrap_or_default().iter();
                }
            }
        }
        true
    }

    /// Whether so many words, one behind the other, can be markers that they are no lanes.
    fn begins_with_many(&mut self, words: &[u32]) -> bool {
        let mut rest = words.iter();
        for _ in 0..ALTERNATIVE_CHAIN {
            self.spend(1);
            match rest.next().and_then(|&word| self.header_alone(word)) {
                None => return false,
                Some(None) => {}
                Some(Some(shape)) => {
                    rest = rest.as_slice().get(shape.payload as usize..).unwrap_or_default().iter();
                }
            }
        }
        true
    }

    /// Where a block begins among words: a header, EXEC, and lanes that have a pattern, where the words before have
    /// none.
    fn frame(&mut self, words: &[u32], rows: &[bool]) -> Option<usize> {
        self.spend(words.len());
        (0..words.len()).find(|&place| {
            let Some(Some(Some(shape))) = words.get(place).map(|&word| self.header_alone(word)) else {
                return false;
            };
            let Some(block) = shape.block else { return false };
            if rows[place..].iter().take(3).any(|is_lane| *is_lane) {
                return false;
            }
            let inner = &words[place + 1..];
            // A header in a row of lanes of any stride, as the indices of structured buffers are, is a lane.
            if let [first, second, third, ..] = words[place..]
                && second.wrapping_sub(first) == third.wrapping_sub(second)
            {
                return false;
            }
            let is_exec = inner.first().is_some_and(|&low| low != 0)
                && (block.1 != WaveSize::Wave32 || inner.get(1) == Some(&0));
            self.spend(inner.len());
            is_exec && sure_length(block, inner) > 0 && is_varied(block, inner)
        })
    }

    /// Whether something stands in a block that cannot be its own.
    pub(super) fn is_intruded(&self, shape: Shape, words: &[u32]) -> bool {
        let has_payload = |word: u32| self.header_alone(word).is_some_and(|shape| shape.is_some());
        shape.block.is_some_and(|block| is_intruded(block, words, has_payload))
    }

    /// The shape of the marker with payload that a word is the header of; `Some(None)` for one without payload.
    fn header_alone(&self, word: u32) -> Option<Option<Shape>> {
        let marker = self.map.decode(word, false).marker;
        let Some(shape) = self.map.shape(marker.id) else {
            return (marker.id == 0 && marker.action() == Action::Exit).then_some(None);
        };
        let fits = match marker.action() {
            Action::Point => shape.is_point,
            Action::Enter | Action::ExitEnter => !shape.is_point,
            Action::Exit | Action::Noop => false,
        };
        fits.then_some((shape.payload > 0).then_some(shape))
    }
}
