//! Address blocks of which every lane is as far from the one before: which of their words are missing.
//!
//! Where lanes have one stride, the words that are there say how many are not: behind a gap of three lanes, lanes are
//! three strides further. All words together then end before the block does, by as many as are missing, and there
//! what came after the block begins.

use sqtt_format::{AddressKind, BlockLayout, WaveSize};

/// More gaps than this are no gaps, but lanes without a stride.
const MOST_GAPS: usize = 3;
/// Lanes with one stride that are no chance.
const LEAST_LANES: usize = 3;

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

/// The words of lanes, and how many words are before them.
pub(super) fn lanes_of(kind: AddressKind, words: &[u32]) -> Option<(&[u32], usize)> {
    let layout = kind.layout();
    let first = (BlockLayout::EXEC_WORDS + layout.fixed_words()) as usize;
    Some((words.get(first..)?, first))
}

/// Where the words of a block end that has gaps, if every word before is that of a lane: the place of the first word that
/// is none of its own, and how many words behind the first gap say so.
pub(super) fn end_of_own((kind, _): (AddressKind, WaveSize), words: &[u32]) -> Option<(usize, usize)> {
    let layout = kind.layout();
    if layout == BlockLayout::StructBuffer {
        return None;
    }
    let (lanes, first) = lanes_of(kind, words)?;
    let progression = Progression::of(layout, lanes)?;
    let (mut missing, mut gaps, mut first_gap) = (0, 0, 0);
    for (place, &word) in lanes.iter().enumerate() {
        if place + missing == lanes.len() {
            let goes_on = word == progression.word(lanes.len());
            return (gaps > 0 && !goes_on).then_some((first + place, place - first_gap));
        }
        if word == progression.word(place + missing) {
            continue;
        }
        // All high halves are alike: the word behind decides which one it is.
        let fits = |missing: &usize| {
            let next = place + missing + 1;
            word == progression.word(place + missing)
                && (next == lanes.len() || lanes.get(place + 1) == Some(&progression.word(next)))
        };
        missing = (missing + 1..lanes.len() - place).find(fits)?;
        if gaps == 0 {
            first_gap = place;
        }
        gaps += 1;
        if gaps > MOST_GAPS {
            return None;
        }
    }
    None
}

/// Whether every lane is one stride further than the one before.
pub(super) fn is_even((kind, _): (AddressKind, WaveSize), words: &[u32]) -> bool {
    let Some((lanes, _)) = lanes_of(kind, words) else { return false };
    let step = if kind.layout() == BlockLayout::Wide { 2 } else { 1 };
    let mut strides = lanes.windows(step + 1).step_by(step).map(|words| words[step].wrapping_sub(words[0]));
    strides.next().is_none_or(|first| strides.all(|stride| stride == first))
}

/// Which words are lanes in a row with the stride that most lanes have, and so no headers.
pub(super) fn in_rows((kind, _): (AddressKind, WaveSize), words: &[u32]) -> Vec<bool> {
    let mut is_lane = vec![false; words.len()];
    let layout = kind.layout();
    let Some((lanes, first)) = lanes_of(kind, words) else { return is_lane };
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
