//! Blocks without their header: words that are payload whatever they look like.

use sqtt_format::{AddressKind, BlockLayout, WaveSize};

use super::doubt::Led;
use super::pattern::{follows_pattern, is_varied};
use super::progression::row_with_gaps;
use super::rows::LEAST_LANES;
use super::sync::{Sync, own, skip_own};
use crate::trace::Cursor;

/// Words in a row that have a pattern before they are payload, although no header stands before them.
const ROW: usize = 8;
/// The same where they cannot be markers one behind the other, whose words differ by more than their flags.
const INDICES: usize = 4;
/// The same of lanes of two words.
const WIDE_ROW: usize = 6;

impl<'w> Sync<'w> {
    /// How many words from `cursor` on are those of a block that lost its header, if they say so: all of it, or the rows
    /// that it ends with. `is_header` where a header is expected there.
    pub(super) fn without_header(&mut self, cursor: Cursor<'w>, is_header: bool) -> Option<usize> {
        if let Some(length) = self.whole_block(cursor) {
            return Some(length);
        }
        if let Some(length) = self.row_with_its_header(cursor) {
            return Some(length);
        }
        let rows = self.rows_at(cursor)?;
        // Markers may be in a row as well, but then each of the words is one.
        let breaks_off = cursor.left().saturating_sub(self.frontier.left());
        let is_misled = breaks_off < rows && !self.is_header(self.frontier);
        (!is_header || is_misled).then_some(rows)
    }

    /// The same where headers do follow: offsets that are all alike may lead to each other for long, and a lane may lead over
    /// all others of its row.
    pub(super) fn lanes_like_headers(&mut self, cursor: Cursor<'w>) -> Option<usize> {
        if let Some(length) = self.row_with_its_header(cursor) {
            return Some(length);
        }
        if cursor.left() > self.alike_until || !self.has_indices() {
            return None;
        }
        let [first, second] = self.words_at(cursor, 2)[..] else { return None };
        if first != second {
            return None;
        }
        let words = self.words_at(cursor, self.most_lanes()?);
        let alike = words.iter().take_while(|word| **word == first).count();
        // Of many markers that are alike, each is looked at once.
        self.alike_until = cursor.left() - alike;
        self.rows_at(cursor)
    }

    /// The length of the row that a block's header is in with its own EXEC and lanes: then it is none.
    fn row_with_its_header(&mut self, cursor: Cursor<'w>) -> Option<usize> {
        let shape = self.header_alone(own(&mut { cursor })?.value)??;
        shape.block?;
        stride_of(&self.words_at(cursor, INDICES)).filter(|stride| stride % 4 == 0)?;
        let words = self.words_at(cursor, self.most_lanes()?);
        Some(self.row_length(&words))
    }

    /// How many words are a row of lanes.
    fn row_length(&self, words: &[u32]) -> usize {
        let words = &words[..words.len().min(self.most_lanes().unwrap_or_default())];
        let [first, second, ..] = words else { return words.len() };
        let stride = second.wrapping_sub(*first);
        let length = 1 + words.windows(2).take_while(|pair| pair[1].wrapping_sub(pair[0]) == stride).count();
        if self.map.blocks().iter().any(|(kind, _)| kind.is_permute()) {
            length + wrapped(&words[..length], &words[length..])
        } else {
            length
        }
    }

    fn most_lanes(&self) -> Option<usize> {
        self.map.blocks().iter().map(|(_, wave)| wave.lanes() as usize).max()
    }

    fn has_indices(&self) -> bool {
        self.map.blocks().iter().any(|(kind, _)| kind.layout() == BlockLayout::StructBuffer)
    }

    /// The length of the block that all words from `cursor` on are, of any layout that the map has, with a header behind it,
    /// or another such block.
    fn whole_block(&mut self, cursor: Cursor<'w>) -> Option<usize> {
        let length = self.block_at(cursor)?;
        let behind = skip_own(cursor, length)?;
        let is_followed = behind.left() == 0 || self.is_header(behind) || self.block_at(behind).is_some();
        is_followed.then_some(length)
    }

    fn block_at(&mut self, cursor: Cursor<'w>) -> Option<usize> {
        const HEAD: usize = 5 + 2 * LEAST_LANES;
        let head = self.words_at(cursor, HEAD);
        let map = self.map;
        let mut longest = None;
        for &block in map.blocks() {
            if !is_block(block, &head) {
                continue;
            }
            let count = block.0.payload_count(block.1) as usize;
            let words = self.words_at(cursor, count);
            let is_whole = words.len() == count && is_block(block, &words) && is_varied(block, &words);
            if is_whole && !self.is_narrower(block, cursor) {
                longest = longest.max(Some(count));
            }
        }
        longest
    }

    /// Whether a buffer's block is likelier to be one of addresses, with markers before it.
    fn is_narrower(&mut self, (kind, wave): (AddressKind, WaveSize), cursor: Cursor<'w>) -> bool {
        let has_narrow =
            self.map.blocks().iter().any(|of| of.0.layout() == BlockLayout::Narrow && of.1 == wave);
        let more = kind.layout().fixed_words() as usize;
        kind.layout() == BlockLayout::Buffer
            && has_narrow
            && skip_own(cursor, more).is_some_and(|end| self.leads_from(cursor, end, Led::Exactly))
    }

    /// How many words from `cursor` on are rows of lanes, some of which look like no marker: addresses, or offsets that
    /// are all alike and indices.
    pub(super) fn rows_at(&mut self, cursor: Cursor<'w>) -> Option<usize> {
        let lanes = self.most_lanes()?;
        let head = self.words_at(cursor, INDICES + 1);
        let [first, second, ..] = head[..] else { return None };
        let (alike, words) = if stride_of(&head[..INDICES.min(head.len())]).is_some() {
            (0, self.words_at(cursor, lanes))
        } else if self.has_indices() && (first == second || stride_of(&head[1..]).is_some()) {
            let words = self.words_at(cursor, 2 * lanes);
            (words.iter().take(lanes).take_while(|word| **word == first).count(), words)
        } else {
            return None;
        };
        // One word may be any marker, unless a lane is its payload.
        if alike == 1 {
            self.header_alone(first).flatten()?;
        }
        let row = words.get(alike..)?;
        let Some(stride) = stride_of(row.get(..INDICES)?) else {
            // Behind so many that are alike, indices may have gaps.
            let length = row_with_gaps(&row[..row.len().min(lanes)]);
            return (alike >= ROW && length >= ROW).then_some(alike + length);
        };
        let least = if stride % 4 == 0 { ROW } else { INDICES };
        let length = self.row_length(row);
        let is_lane = row[..length].iter().any(|&word| self.header_alone(word).is_none());
        (length >= least && is_lane).then_some(alike + length)
    }

    /// So many of the program's own words, or those that are left.
    fn words_at(&mut self, mut cursor: Cursor<'w>, count: usize) -> Vec<u32> {
        let records = std::iter::from_fn(|| own(&mut cursor));
        let words: Vec<u32> = records.take(count).map(|record| record.value).collect();
        self.spend(words.len());
        words
    }

    /// Whether the words at `cursor`, which is no header, have the pattern of many lanes: then they are payload, also where
    /// nothing follows them.
    pub(super) fn is_body(&mut self, mut cursor: Cursor<'_>) -> bool {
        const LOOKS: usize = BlockLayout::EXEC_WORDS as usize + 2 * ROW;
        if self.map.longest_payload() < BlockLayout::EXEC_WORDS + WaveSize::Wave32.lanes() {
            return false;
        }
        let start = cursor;
        let mut words = [0; LOOKS];
        let records = std::iter::from_fn(|| own(&mut cursor));
        let count = records.zip(&mut words).map(|(record, word)| *word = record.value).count();
        self.spend(count);
        let words = &words[..count];
        // Nobody numbers a marker 0: it is the high half of the EXEC of 32 lanes, with lanes behind it.
        let is_lane = |lane| skip_own(start, lane).is_some_and(|lane| !self.is_header(lane));
        if matches!(words, [exec, 0, _, _, ..] if *exec != 0) && (2..4).all(is_lane) {
            return true;
        }
        let narrow = words.windows(ROW).any(|row| {
            let stride = row[1].wrapping_sub(row[0]);
            stride != 0
                && stride % 4 == 0
                && row.windows(2).all(|pair| pair[1].wrapping_sub(pair[0]) == stride)
        });
        // Pairs of one high half, and low halves of which no two that follow each other are the same.
        let wide = words.windows(WIDE_ROW).any(|row| {
            row[1] != 0
                && row.chunks_exact(2).all(|pair| pair[1] == row[1])
                && row.windows(3).step_by(2).all(|pair| pair[0] != pair[2])
        });
        narrow || wide
    }
}

/// Whether the first words of a block, or all, are EXEC and lanes that follow a pattern.
fn is_block(block: (AddressKind, WaveSize), words: &[u32]) -> bool {
    let [low, high, ..] = words else { return false };
    let is_exec = low | high != 0 && (block.1 == WaveSize::Wave64 || *high == 0);
    is_exec && follows_pattern(block, words)
}

/// How many words go on behind a row as permutes do behind the last lane: with the first one's, or with the last one's again.
fn wrapped(row: &[u32], words: &[u32]) -> usize {
    let is_last = |word: u32| WaveSize::ALL.iter().any(|wave| word == 4 * (wave.lanes() - 1));
    let Some(&last) = row.last().filter(|word| is_last(**word)) else { return 0 };
    let again = words.iter().take_while(|word| **word == last).count();
    let first = words.iter().zip(0..).take_while(|&(&word, lane): &(&u32, u32)| word == 4 * lane).count();
    again.max(first)
}

/// The stride of words, if they have one, and it is not 0.
fn stride_of(words: &[u32]) -> Option<u32> {
    let [first, second, ..] = words else { return None };
    let stride = second.wrapping_sub(*first);
    let has_stride = words.windows(2).all(|pair| pair[1].wrapping_sub(pair[0]) == stride);
    (stride != 0 && has_stride).then_some(stride)
}
