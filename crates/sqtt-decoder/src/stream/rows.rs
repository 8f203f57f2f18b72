//! Rows of lanes: what one of them holds where the first ones are known.
//!
//! A block has one row, and that of a structured buffer two: offsets, and indices behind them.

use sqtt_format::{AddressKind, BlockLayout, WaveSize};

/// Lanes that are as a row has them by no chance.
pub(super) const LEAST_LANES: usize = 3;

/// One word per lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Row {
    /// Each is as far from the one before.
    Stride { first: u32, stride: u32 },
    /// Lanes ask for what the lane that many further has, and the last ones for the first ones'.
    Rotated { by: u32 },
    /// Lanes ask for what the lane has whose number differs in these bits.
    Swapped { bits: u32 },
    /// Lanes ask for what the lane that many further has, and the last ones for the last one's.
    FromBehind { by: u32 },
    /// Lanes ask for what the lane that many before has, and the first ones for their own.
    FromBefore { by: u32 },
}

impl Row {
    /// That of the first two lanes.
    pub(super) fn of_stride(lanes: &[u32]) -> Option<Self> {
        let [first, second, ..] = lanes else { return None };
        Some(Self::Stride { first: *first, stride: second.wrapping_sub(*first) })
    }

    /// The one that the first words of a permute are of, as many of them as can be.
    pub(super) fn of_permute(lanes: &[u32]) -> Option<Self> {
        Self::of_permutes(lanes).max_by_key(|row| row.length(lanes, lanes.len()))
    }

    /// Those that begin with the first word.
    pub(super) fn of_permutes(lanes: &[u32]) -> impl Iterator<Item = Self> {
        let by = lanes.first().map_or(0, |word| word / 4);
        let before = (0..).zip(lanes).find_map(|(lane, word)| (word / 4 < lane).then(|| lane - word / 4));
        let rows = [
            Self::of_stride(lanes),
            Some(Self::Rotated { by }),
            Some(Self::Swapped { bits: by }),
            Some(Self::FromBehind { by }),
            before.map(|by| Self::FromBefore { by }),
        ];
        rows.into_iter().flatten()
    }

    /// Those of which the first word is a later lane's, and how many lanes are before it. The other ones look the same then.
    pub(super) fn of_late_permutes(lanes: &[u32]) -> impl Iterator<Item = (Self, usize)> {
        let from = lanes.first().map_or(0, |word| word / 4);
        let swapped = (1..lanes.len()).map(move |lane| (Self::Swapped { bits: lane as u32 ^ from }, lane));
        swapped.filter(|(row, before)| {
            let mut words = lanes.iter().take(LEAST_LANES).enumerate();
            words.all(|(lane, &word)| row.word(before + lane, lanes.len()) == Some(word))
        })
    }

    /// What a lane of a row of so many holds. Behind the last one, what another would where a row could go on.
    pub(super) fn word(self, lane: usize, lanes: usize) -> Option<u32> {
        let last = lanes.checked_sub(1)? as u32;
        let lane = lane as u32;
        let from = match self {
            Self::Stride { first, stride } => return Some(first.wrapping_add(stride.wrapping_mul(lane))),
            _ if lane > last => return None,
            Self::Rotated { by } => lane.wrapping_add(by) & last,
            Self::Swapped { bits } => lane ^ bits,
            Self::FromBehind { by } => lane.saturating_add(by).min(last),
            Self::FromBefore { by } => lane.checked_sub(by).unwrap_or(lane),
        };
        Some(from.wrapping_mul(4))
    }

    /// How many of the first words are those of a row of so many lanes.
    pub(super) fn length(self, words: &[u32], lanes: usize) -> usize {
        let words = words.iter().take(lanes).enumerate();
        words.take_while(|&(lane, &word)| Some(word) == self.word(lane, lanes)).count()
    }
}

/// The words of lanes, and how many words are before them.
pub(super) fn lanes_of(kind: AddressKind, words: &[u32]) -> Option<(&[u32], usize)> {
    let first = (BlockLayout::EXEC_WORDS + kind.layout().fixed_words()) as usize;
    Some((words.get(first..)?, first))
}

/// Rows of one word per lane, as far as the first words say.
pub(super) fn narrow_rows((kind, wave): (AddressKind, WaveSize), lanes: &[u32]) -> [Option<Row>; 2] {
    match kind.layout() {
        BlockLayout::Wide => [None; 2],
        BlockLayout::Narrow if kind.is_permute() => [Row::of_permute(lanes), None],
        BlockLayout::Narrow | BlockLayout::Buffer => [Row::of_stride(lanes), None],
        BlockLayout::StructBuffer => {
            let indices = lanes.get(wave.lanes() as usize..).unwrap_or_default();
            [Row::of_stride(lanes), Row::of_stride(indices)]
        }
    }
}

/// How many of the first words of lanes are those of their rows.
pub(super) fn length_of_rows(block: (AddressKind, WaveSize), lanes: &[u32]) -> usize {
    let row = block.1.lanes() as usize;
    let [first, second] = narrow_rows(block, lanes);
    let length = first.map_or(lanes.len().min(1), |first| first.length(lanes, row));
    match (second, lanes.get(row..)) {
        (Some(second), Some(indices)) if length == row => row + second.length(indices, row),
        _ => length,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn permutes_are_told_by_their_first_words() {
        for lanes in [32, 64] {
            let rows = [
                Row::Rotated { by: 5 },
                Row::Swapped { bits: 9 },
                Row::FromBehind { by: 4 },
                Row::FromBefore { by: 2 },
                Row::Stride { first: 4 * (lanes as u32 - 1), stride: 4_u32.wrapping_neg() },
            ];
            for row in rows {
                let words: Vec<u32> = (0..lanes).filter_map(|lane| row.word(lane, lanes)).collect();
                assert!(words.iter().all(|&word| word < 4 * lanes as u32), "{row:?}");
                // Some of them are the same by two names.
                assert_eq!(Row::of_permute(&words).unwrap().length(&words, lanes), lanes, "{row:?}");
            }
        }
    }

    #[test]
    fn a_structured_buffer_has_two_rows() {
        let block = (AddressKind::StructBufferLoad, WaveSize::Wave32);
        let mut lanes: Vec<u32> = std::iter::repeat_n(8, 32).chain(96..128).collect();
        assert_eq!(length_of_rows(block, &lanes), 64);
        lanes[60] = 4;
        assert_eq!(length_of_rows(block, &lanes), 60);
        lanes[20] = 4;
        assert_eq!(length_of_rows(block, &lanes), 20);
    }
}
