//! Address blocks of which every lane is as far from the one before: which of their words are missing.
//!
//! Where lanes have one stride, the words that are there say how many are not: behind a gap of three lanes, lanes are
//! three strides further. All words together then end before the block does, by as many as are missing, and there
//! what came after the block begins.

use sqtt_format::{AddressKind, BlockLayout, WaveSize};

use super::pattern::exec_of;
use super::rows::{LEAST_LANES, Row, lanes_of, length_of_rows};

/// More gaps than this are no gaps, but lanes without a stride.
const MOST_GAPS: usize = 3;
/// Lanes that are no chance where there are few numbers, or their row is not whole.
const MANY_LANES: usize = 8;
/// Words in which offsets go on, if they do.
const LOOK_BEHIND: usize = 8;

/// Addresses of one stride.
struct Progression {
    base: u64,
    stride: u64,
    is_wide: bool,
}

impl Progression {
    /// That of the first lane, with the first stride that some lanes have, or the one that most have.
    fn of(layout: BlockLayout, lanes: &[u32]) -> Option<Self> {
        let is_wide = layout == BlockLayout::Wide;
        let step = if is_wide { 2 } else { 1 };
        let mut strides: Vec<u32> = lanes
            .windows(step + 1)
            .map(|words| words[step].wrapping_sub(words[0]))
            .filter(|&stride| stride != 0)
            .collect();
        strides.sort_unstable();
        let same =
            || strides.chunk_by(|one, other| one == other).filter(|same| same.len() + 1 >= LEAST_LANES);
        // What came after the block may have more lanes in it than the block itself.
        let first = lanes.get(step)?.wrapping_sub(lanes[0]);
        let most = same().find(|same| same[0] == first).or_else(|| same().max_by_key(|same| same.len()))?;
        let stride = most[0].cast_signed();
        let base = match lanes {
            [low, high, ..] if is_wide => u64::from(*low) | u64::from(*high) << 32,
            [first, ..] => u64::from(*first),
            [] => return None,
        };
        Some(Self { base, stride: i64::from(stride).cast_unsigned(), is_wide })
    }

    /// The word at that place behind the words that all lanes share.
    fn word(&self, place: usize) -> u32 {
        let lane = if self.is_wide { place / 2 } else { place };
        let address = self.base.wrapping_add(self.stride.wrapping_mul(lane as u64));
        if self.is_wide && place % 2 == 1 { (address >> 32) as u32 } else { address as u32 }
    }
}

/// How the words of a row are what it holds, but for gaps.
struct Fit {
    /// Words that are.
    taken: usize,
    /// Words that are missing before and between them.
    missing: usize,
    gaps: usize,
    /// Words before the first gap.
    before_gap: usize,
}

impl Fit {
    /// Where the words of a row with gaps end, and how many words behind the first gap say so.
    fn end(
        &self,
        words: &[u32],
        length: usize,
        expected: impl Fn(usize) -> Option<u32>,
    ) -> Option<(usize, usize)> {
        let goes_on = Some(*words.get(self.taken)?) == expected(length);
        // Words may be missing at the end, too.
        let is_whole = self.taken + self.missing == length;
        let witnesses = if is_whole { self.taken - self.before_gap } else { 0 };
        (self.gaps > 0 && !goes_on).then_some((self.taken, witnesses))
    }
}

/// Takes words while they are those of a row of `length` words, of which `missing` are before the first. `None` where there
/// are too many gaps for it to be one.
fn fit(
    words: &[u32],
    mut missing: usize,
    length: usize,
    expected: impl Fn(usize) -> Option<u32>,
) -> Option<Fit> {
    let mut gaps = usize::from(missing > 0);
    let mut before_gap = 0;
    let mut taken = 0;
    while taken + missing < length {
        let Some(&word) = words.get(taken) else { break };
        if Some(word) != expected(taken + missing) {
            // Many words of a row may be alike: the word behind decides which one it is.
            let fits = |missing: &usize| {
                let next = taken + missing + 1;
                Some(word) == expected(taken + missing)
                    && (next == length || words.get(taken + 1).copied() == expected(next))
            };
            let Some(more) = (missing + 1..length - taken).find(fits) else { break };
            missing = more;
            if gaps == 0 {
                before_gap = taken;
            }
            gaps += 1;
            if gaps > MOST_GAPS {
                return None;
            }
        }
        taken += 1;
    }
    Some(Fit { taken, missing, gaps, before_gap })
}

/// Where the words of a block end that has gaps, if every word before is that of a lane: the place of the first word that
/// is none of its own, and how many words behind the first gap say so.
pub(super) fn end_of_own(block: (AddressKind, WaveSize), words: &[u32]) -> Option<(usize, usize)> {
    let layout = block.0.layout();
    let (lanes, first) = lanes_of(block.0, words)?;
    let (end, witnesses) = match layout {
        BlockLayout::StructBuffer => end_of_two_rows(exec_of(words), lanes)?,
        _ if block.0.is_permute() => end_of_permute(lanes)?,
        _ => {
            let progression = Progression::of(layout, lanes)?;
            end_of_row(lanes, lanes.len(), |place| Some(progression.word(place)))?
        }
    };
    Some((first + end, witnesses))
}

/// The same of a row that has gaps.
fn end_of_row(
    words: &[u32],
    length: usize,
    expected: impl Fn(usize) -> Option<u32>,
) -> Option<(usize, usize)> {
    fit(words, 0, length, &expected)?.end(words, length, expected)
}

/// The same of the row of a permute: that of which most words are left.
fn end_of_permute(lanes: &[u32]) -> Option<(usize, usize)> {
    let rows = Row::of_permutes(lanes).map(|row| (row, 0)).chain(Row::of_late_permutes(lanes));
    let word_of = |row: Row| move |place| row.word(place, lanes.len());
    let fits = rows.filter_map(|(row, before)| Some((fit(lanes, before, lanes.len(), word_of(row))?, row)));
    let (fit, row) = fits.max_by_key(|(fit, _)| (fit.taken, std::cmp::Reverse(fit.gaps)))?;
    let (end, witnesses) = fit.end(lanes, lanes.len(), word_of(row))?;
    // They are so few numbers that some of them follow each other by chance.
    Some((end, if witnesses < MANY_LANES { 0 } else { witnesses }))
}

/// The same of offsets and indices. Offsets mostly are all the same, so that a gap in them shows by the indices that
/// begin before their row does.
fn end_of_two_rows(exec: u64, lanes: &[u32]) -> Option<(usize, usize)> {
    let length = lanes.len() / 2;
    let row = Row::of_stride(lanes)?;
    let offsets = fit(lanes, 0, length, |place| row.word(place, length))?;
    let is_short = offsets.taken < length;
    let rest = &lanes[offsets.taken..];
    let row = Progression::of(BlockLayout::Narrow, rest.get(..length).unwrap_or(rest));
    let expected = |place| row.as_ref().map(|row| row.word(place));
    let indices = fit(rest, 0, length, expected)?;
    // Where a lane is not active, something else may stand in a sound row.
    let exec = exec.checked_shr((offsets.taken + offsets.missing) as u32).unwrap_or(0);
    let is_cut_off = is_short && exec & 1 != 0;
    if indices.taken < LEAST_LANES {
        // Nothing is left of one of the rows.
        let goes_on = rest.iter().take(LOOK_BEHIND).any(|word| *word == lanes[0]);
        let is_end = is_cut_off && offsets.taken >= LEAST_LANES && !goes_on;
        return is_end.then_some((offsets.taken, 0));
    }
    let end = indices.taken + indices.missing;
    let goes_on = rest.get(indices.taken).copied() == expected(end);
    let witnesses = match (is_short, indices.gaps > 0) {
        (false, false) => return None,
        // Words may be missing at the other end, too.
        _ if end < length => {
            if is_cut_off && indices.taken >= MANY_LANES {
                indices.taken
            } else {
                0
            }
        }
        (true, _) => indices.taken,
        (false, true) => indices.taken - indices.before_gap,
    };
    (!goes_on).then_some((offsets.taken + indices.taken, witnesses))
}

/// How many words are a row of one stride that may have gaps.
pub(super) fn row_with_gaps(words: &[u32]) -> usize {
    let row = Progression::of(BlockLayout::Narrow, words);
    let fit = row.and_then(|row| fit(words, 0, words.len(), |place| Some(row.word(place))));
    fit.map_or(0, |fit| fit.taken)
}

/// Whether every lane is one stride further than the one before.
pub(super) fn is_even((kind, _): (AddressKind, WaveSize), words: &[u32]) -> bool {
    let Some((lanes, _)) = lanes_of(kind, words) else { return false };
    let step = if kind.layout() == BlockLayout::Wide { 2 } else { 1 };
    let mut strides = lanes.windows(step + 1).step_by(step).map(|words| words[step].wrapping_sub(words[0]));
    strides.next().is_none_or(|first| strides.all(|stride| stride == first))
}

/// Which words are lanes in a row with the stride that most lanes have, and so no headers.
pub(super) fn in_rows(block: (AddressKind, WaveSize), words: &[u32]) -> Vec<bool> {
    let mut is_lane = vec![false; words.len()];
    let layout = block.0.layout();
    let Some((lanes, first)) = lanes_of(block.0, words) else { return is_lane };
    if layout == BlockLayout::StructBuffer || block.0.is_permute() {
        let length = length_of_rows(block, lanes);
        is_lane[..first + length].fill(length >= LEAST_LANES);
    }
    let Some(progression) = Progression::of(layout, lanes) else { return is_lane };
    let step = if progression.is_wide { 2 } else { 1 };
    let stride = progression.stride as u32;
    for start in 0..lanes.len() {
        // Markers may be one stride apart, too, but not from the first lane.
        let from_first = i64::from(lanes[start].wrapping_sub(progression.base as u32).cast_signed());
        let row = from_first % progression.stride.cast_signed() == 0
            && (1..LEAST_LANES).all(|lane| {
                let place = start + lane * step;
                place < lanes.len() && lanes[place].wrapping_sub(lanes[place - step]) == stride
            });
        if row {
            (0..LEAST_LANES).for_each(|lane| is_lane[first + start + lane * step] = true);
        }
    }
    is_lane
}

#[cfg(test)]
mod tests {
    use super::*;

    const LDS: (AddressKind, WaveSize) = (AddressKind::LdsLoad, WaveSize::Wave32);
    const GLOBAL: (AddressKind, WaveSize) = (AddressKind::Load, WaveSize::Wave32);

    /// Two words of EXEC, the lanes without those of `lost`, and as many words of something else.
    fn without(lanes: &[u32], lost: &[usize]) -> Vec<u32> {
        let left = lanes.iter().enumerate().filter(|(place, _)| !lost.contains(place)).map(|(_, word)| *word);
        [u32::MAX, 0].into_iter().chain(left).chain(std::iter::repeat_n(1, lost.len())).collect()
    }

    #[test]
    fn what_is_missing_is_told_by_what_is_there() {
        let narrow: Vec<u32> = (0..32).map(|lane| 0x40 + lane * 4).collect();
        let wide: Vec<u32> = (0..32)
            .flat_map(|lane| [0xFFFF_FFC0_u32.wrapping_add(lane * 8), 0x7F12 + u32::from(lane >= 8)])
            .collect();
        for (block, lanes) in [(LDS, &narrow), (GLOBAL, &wide)] {
            let end = 2 + lanes.len();
            assert_eq!(end_of_own(block, &without(lanes, &[])), None);
            let first = if block == LDS { 1 } else { 2 };
            for lost in [first..4, 5..6, 5..7, 9..20, first..lanes.len() - 8] {
                let lost: Vec<usize> = lost.collect();
                let found = end_of_own(block, &without(lanes, &lost)).map(|(place, _)| place);
                assert_eq!(found, Some(end - lost.len()), "{lost:?}");
            }
            assert_eq!(end_of_own(block, &without(lanes, &[7, 25])), Some((end - 2, lanes.len() - 2 - 7)));
            // Words that are missing at the end leave no gap.
            assert_eq!(end_of_own(block, &without(lanes, &[lanes.len() - 2, lanes.len() - 1])), None);
        }
    }

    /// The words of a block without those of `lost`, and as many headers behind them.
    fn damaged(words: &[u32], lost: std::ops::Range<usize>) -> Vec<u32> {
        let mut left = words.to_vec();
        let missing = left.drain(lost).len();
        left.extend(std::iter::repeat_n(1, missing));
        left
    }

    #[test]
    fn indices_that_begin_too_early_tell_of_a_gap_before_them() {
        const STRUCT: (AddressKind, WaveSize) = (AddressKind::StructBufferLoad, WaveSize::Wave32);
        let head = [u32::MAX, 0, 0x1000, 0x0010_7F12, 0];
        for offset in [0, 0x14] {
            let whole: Vec<u32> =
                head.into_iter().chain(std::iter::repeat_n(offset, 32)).chain(96..128).collect();
            assert_eq!(end_of_own(STRUCT, &whole), None);
            for lost in [5..6, 10..20, 30..40, 36..38, 40..60, 2..6] {
                let end = whole.len() - lost.len();
                let found = end_of_own(STRUCT, &damaged(&whole, lost.clone()));
                assert_eq!(found.map(|(place, _)| place), Some(end), "{offset:#x}, {lost:?}");
            }
            // Of which only one row is left.
            let found = end_of_own(STRUCT, &damaged(&whole, 10..69));
            assert_eq!(found, Some((10, 0)));
        }
        // Indices all over, and a lane that is not active and holds something else.
        let mut gathered: Vec<u32> = head.into_iter().chain([8; 32]).collect();
        gathered.extend((0..32).map(|lane: u32| lane.wrapping_mul(0x9E37_79B9) >> 20));
        assert_eq!(end_of_own(STRUCT, &gathered), None);
        gathered[0] = !(1 << 7);
        gathered[5 + 7] = 77;
        assert_eq!(end_of_own(STRUCT, &gathered), None);
    }

    #[test]
    fn permutes_with_a_gap_end_before_their_block() {
        const PERMUTE: (AddressKind, WaveSize) = (AddressKind::DsBpermute, WaveSize::Wave32);
        let rows = [
            Row::Rotated { by: 2 },
            Row::Swapped { bits: 8 },
            Row::Swapped { bits: 1 },
            Row::FromBehind { by: 3 },
            Row::FromBefore { by: 4 },
        ];
        for row in rows {
            let lanes = (0..32).filter_map(|lane| row.word(lane, 32));
            let whole: Vec<u32> = [u32::MAX, 0].into_iter().chain(lanes).collect();
            assert_eq!(end_of_own(PERMUTE, &whole), None);
            for lost in [12..15, 8..24, 20..21] {
                let end = whole.len() - lost.len();
                let found = end_of_own(PERMUTE, &damaged(&whole, lost.clone()));
                assert_eq!(found.map(|(place, _)| place), Some(end), "{row:?}, {lost:?}");
            }
        }
    }

    #[test]
    fn rows_of_a_tile_are_no_gaps() {
        for (width, pitch) in [(16, 0x60), (8, 0x40), (4, 0x20), (16, 0x80)] {
            let tile: Vec<u32> = (0..32).map(|lane| lane / width * pitch + lane % width * 4).collect();
            assert_eq!(end_of_own(LDS, &without(&tile, &[])), None, "{width} {pitch:#x}");
        }
    }

    #[test]
    fn rows_are_lanes() {
        let mut words = vec![u32::MAX, 0, 0x10, 0x14, 0x18, 0x1C, 1, 1, 1, 0x40, 0x44];
        assert_eq!(
            in_rows(LDS, &words),
            [2, 3, 4, 5].iter().fold(vec![false; 11], |mut rows, &at: &usize| {
                rows[at] = true;
                rows
            })
        );
        words.push(0x48);
        assert_eq!(in_rows(LDS, &words).iter().filter(|is_lane| **is_lane).count(), 7);
    }
}
