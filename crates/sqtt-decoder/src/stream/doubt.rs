//! Whether an address block whose end is where a header may be is one block, or was cut off and holds what came after
//! it.
//!
//! A block that lost as many words as the markers behind it have looks whole. There are two kinds of evidence against
//! it. Where words cannot be the block's own, or those that are its own show how many are missing, decoding goes on
//! in the middle of it. Where a block is only likelier to hold headers than lanes, its words are dropped, and decoding
//! goes on behind it, which is right either way.

use sqtt_format::{Action, AddressKind, BlockLayout, WaveSize};

use super::pattern::{
    Lanes, follows_pattern, goes_on, has_most_lanes, is_active_odd, is_intruded, is_varied, pattern_length,
    sure_length,
};
use super::progression::{end_of_own, in_rows};
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
    /// Lanes are missing between its own ones, and behind those a header is there.
    Gap(Cursor<'w>),
    /// It was cut off, and a header is there.
    Cut(Cursor<'w>),
}

/// How headers lead to the end of a block.
#[derive(Clone, Copy)]
pub(super) enum Led {
    /// The last of them ends there, or they are many.
    Exactly,
    /// Or the last of them is cut off.
    OrCutOff,
    /// They are many.
    ByMany,
}

/// The words behind a header, as many as its marker has.
pub(super) struct Body<'b, 'w> {
    pub(super) shape: Shape,
    pub(super) words: &'b [u32],
    /// Where they begin.
    pub(super) start: Cursor<'w>,
    /// What is behind them.
    pub(super) end: Cursor<'w>,
    /// Whether headers are known to follow.
    pub(super) followed: bool,
}

impl<'w> Sync<'w> {
    pub(super) fn judge(&mut self, body: &Body<'_, 'w>) -> Verdict<'w> {
        let Some(block) = body.shape.block else {
            let is_misled = !body.followed && !self.is_header(body.end);
            return if is_misled { self.header_in_data(body) } else { Verdict::Whole };
        };
        let words = body.words;
        if follows_pattern(block, words) {
            return Verdict::Whole;
        }
        self.spend(4 * words.len());
        let rows = in_rows(block, words);
        let mut doubtful = false;
        if let Some((place, witnesses)) = end_of_own(block, words)
            && !rows[place]
            && let Some(next) = skip_own(body.start, place)
        {
            doubtful = self.leads_somehow(&words[place..]);
            let has_witnesses = witnesses >= MANY_WITNESSES;
            let is_likely = if has_witnesses { doubtful } else { self.begins_with_many(&words[place..]) };
            if is_likely || self.leads_from(next, body.end, Led::Exactly) {
                return Verdict::Gap(next);
            }
        }
        let has_pattern = has_most_lanes(block, pattern_length(block, words));
        if goes_on(block, words, Lanes::All) && !(block.0.is_permute() && has_pattern) {
            // All that permutes without a pattern have in common is that their words are small.
            let is_unsure = block.0.is_permute() && !body.followed && !self.is_header(body.end);
            return if doubtful || is_unsure { Verdict::Doubtful } else { Verdict::Whole };
        }
        if self.is_intruded(body.shape, words) {
            let next = self.find_in_block(body.shape, words, body.start);
            let next = next.or_else(|| skip_own(body.start, self.frame(words, &rows)?));
            return next.map_or(Verdict::Doubtful, Verdict::Cut);
        }
        // Behind the row of offsets are indices: small numbers that look like headers where nothing was lost, too, unless
        // most of them follow a pattern.
        if block.0.layout() == BlockLayout::StructBuffer && !has_pattern {
            let is_led = self.first_that_leads(block, body, &rows, Led::ByMany).is_some();
            return if is_led { Verdict::Doubtful } else { Verdict::Whole };
        }
        self.judge_end(block, body, &rows, doubtful)
    }

    /// The same of a block that may have other words behind those that follow its pattern.
    fn judge_end(
        &mut self,
        block: (AddressKind, WaveSize),
        body: &Body<'_, 'w>,
        rows: &[bool],
        doubtful: bool,
    ) -> Verdict<'w> {
        let words = body.words;
        let is_sure = sure_length(block, words) > 0;
        if block.0.layout() == BlockLayout::Wide
            && let Some(odd) = self.odd_header(block, body)
        {
            return Verdict::Cut(odd);
        }
        let led = if body.followed { Led::Exactly } else { Led::OrCutOff };
        if let Some(place) = self.first_that_leads(block, body, rows, led) {
            let is_cut = body.followed && is_sure && is_active_odd(block, words, place);
            let next = skip_own(body.start, place).filter(|_| is_cut);
            return next.map_or(Verdict::Doubtful, Verdict::Cut);
        }
        let length = pattern_length(block, words);
        let begins_as_markers = |sync: &mut Self| {
            if is_sure {
                sync.leads_somehow(&words[length..])
            } else {
                sync.begins_with_many(words.get(length.saturating_sub(2)..).unwrap_or_default())
            }
        };
        if doubtful || self.frame(words, rows).is_some() || begins_as_markers(self) {
            return Verdict::Doubtful;
        }
        Verdict::Whole
    }

    /// Active lanes all over memory are rare; that the first odd one, or the one behind it, looks like a header is
    /// rarer.
    fn odd_header(&self, block: (AddressKind, WaveSize), body: &Body<'_, 'w>) -> Option<Cursor<'w>> {
        if goes_on(block, body.words, Lanes::Active) {
            return None;
        }
        let mut odd = skip_own(body.start, pattern_length(block, body.words))?;
        for _ in 0..2 {
            if odd.left() <= body.end.left() {
                return None;
            }
            if self.is_header(odd) {
                return Some(odd);
            }
            own(&mut odd)?;
        }
        None
    }

    /// Of a data marker that no header follows: cut off where one in it leads to another.
    fn header_in_data(&mut self, body: &Body<'_, 'w>) -> Verdict<'w> {
        let mut from = body.start;
        while from.left() > body.end.left() && !self.is_exhausted() {
            let mut cursor = from;
            let is_passed = matches!(self.step(&mut cursor), Step::Header { .. });
            if is_passed && cursor.left() < body.end.left() && self.is_header(cursor) {
                return Verdict::Cut(from);
            }
            own(&mut from);
        }
        Verdict::Whole
    }

    /// Whether headers follow each other from `from` to `end`.
    pub(super) fn leads_from(&mut self, from: Cursor<'w>, end: Cursor<'w>, led: Led) -> bool {
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
        let is_many = passed >= ALTERNATIVE_CHAIN;
        let is_exact = passed > 0 && cursor.left() == end.left();
        let reaches_over = cursor.left() < end.left();
        match led {
            Led::ByMany => is_many,
            Led::Exactly => is_exact || (reaches_over && is_many),
            Led::OrCutOff => is_exact || (reaches_over && (is_many || (is_cut && passed > 0))),
        }
    }

    /// The first word of a block, behind those that follow its pattern, from which headers lead to its end.
    fn first_that_leads(
        &mut self,
        block: (AddressKind, WaveSize),
        body: &Body<'_, 'w>,
        rows: &[bool],
        led: Led,
    ) -> Option<usize> {
        let own_words = pattern_length(block, body.words);
        let mut from = skip_own(body.start, own_words)?;
        for place in own_words..body.words.len() {
            if self.is_exhausted() {
                return None;
            }
            if !rows.get(place).is_some_and(|&is_lane| is_lane) && self.leads_from(from, body.end, led) {
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
    pub(super) fn header_alone(&self, word: u32) -> Option<Option<Shape>> {
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
