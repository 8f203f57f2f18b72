//! What the words of address blocks look like: nothing marks a header, but payload has a shape.

use sqtt_format::{AddressKind, BlockLayout, WaveSize};

use super::progression::is_even;
use super::rows::{lanes_of, length_of_rows, narrow_rows};

/// Lanes that must follow a pattern before their words are payload for sure.
const SURE_LANES: usize = 3;
/// Lanes that make a header one.
const LIKELY_LANES: usize = 8;
/// More LDS than any workgroup has, in bytes.
const LDS_BYTES: u32 = 1 << 18;

/// Whether an address block ends as it began: the high halves of all active lanes' addresses are, give
/// or take one, the same, 32-bit values have one stride, or all are what a permute of so many lanes can
/// ask for. Blocks of operations without such a pattern do not, and are no worse for it.
pub(super) fn goes_on((kind, wave): (AddressKind, WaveSize), words: &[u32], lanes_of: Lanes) -> bool {
    let layout = kind.layout();
    let first_lane = (BlockLayout::EXEC_WORDS + layout.fixed_words()) as usize;
    let Some(lanes) = words.get(first_lane..) else { return false };
    if layout == BlockLayout::Wide {
        let exec = match lanes_of {
            Lanes::Active => exec_of(words),
            Lanes::All => u64::MAX,
        };
        let highs = lanes.chunks_exact(2).map(|pair| pair[1]).enumerate();
        let mut active = highs.filter(|(lane, _)| exec >> lane & 1 != 0).map(|(_, high)| high);
        let Some(first) = active.next() else { return true };
        return active.all(|high| high.abs_diff(first) <= 1);
    }
    if pattern_length((kind, wave), words) == words.len() {
        return true;
    }
    let in_wave = |word: &u32| word.is_multiple_of(4) && *word < wave.lanes() * 4;
    kind.is_permute() && lanes.iter().all(in_wave)
}

/// Whether every word of an address block is what those before it say.
pub(super) fn follows_pattern(block: (AddressKind, WaveSize), words: &[u32]) -> bool {
    match block.0.layout() {
        BlockLayout::Wide => goes_on(block, words, Lanes::All) && is_even(block, words),
        _ => pattern_length(block, words) == words.len(),
    }
}

/// Which lanes must keep to a pattern: the words of those that are not active may be anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lanes {
    Active,
    All,
}

/// How many words at the start of an address block follow its pattern, and so are none of a header's.
pub(super) fn pattern_length(block: (AddressKind, WaveSize), words: &[u32]) -> usize {
    let layout = block.0.layout();
    let first_lane = (BlockLayout::EXEC_WORDS + layout.fixed_words()) as usize;
    let Some(lanes @ [_, second, ..]) = words.get(first_lane..) else {
        return words.len().min(first_lane);
    };
    let length = match layout {
        BlockLayout::Wide => 2 * lanes.chunks_exact(2).take_while(|pair| pair[1] == *second).count(),
        _ => length_of_rows(block, lanes),
    };
    first_lane + length
}

/// Whether a pattern of that many words goes through most lanes of the last row.
pub(super) fn has_most_lanes((kind, wave): (AddressKind, WaveSize), length: usize) -> bool {
    let words = kind.payload_count(wave) as usize;
    length + wave.lanes() as usize / 2 >= words
}

/// How many words at the start of an address block are its own for sure, because a row of lanes follows its pattern.
pub(super) fn sure_length((kind, wave): (AddressKind, WaveSize), words: &[u32]) -> usize {
    let per_lane = if kind.layout() == BlockLayout::Wide { 2 } else { 1 };
    let first_lane = (BlockLayout::EXEC_WORDS + kind.layout().fixed_words()) as usize;
    let length = pattern_length((kind, wave), words);
    // What permutes ask for are so few numbers that three of them are in a row by chance.
    let lanes = if kind.is_permute() { LIKELY_LANES } else { SURE_LANES };
    if length >= first_lane + lanes * per_lane { length } else { 0 }
}

/// Whether so many lanes of a block that was cut off are left that its header was one.
pub(super) fn is_likely((kind, wave): (AddressKind, WaveSize), words: &[u32]) -> bool {
    let per_lane = if kind.layout() == BlockLayout::Wide { 2 } else { 1 };
    let first_lane = (BlockLayout::EXEC_WORDS + kind.layout().fixed_words()) as usize;
    let has_lanes = pattern_length((kind, wave), words) >= first_lane + LIKELY_LANES * per_lane;
    let is_exec = wave == WaveSize::Wave64 || words.get(1) == Some(&0);
    has_lanes && is_exec && is_varied((kind, wave), words)
}

/// How many words at the start of a block that was cut off are not worth a look for headers: of one word each, even the
/// first two lanes may look like markers.
pub(super) fn own_length((kind, wave): (AddressKind, WaveSize), words: &[u32]) -> usize {
    match kind.layout() {
        BlockLayout::Wide => sure_length((kind, wave), words),
        _ => pattern_length((kind, wave), words),
    }
}

/// Whether words stand in an address block that cannot be its own: a high half of EXEC that 32 lanes do not have, the
/// high half of the addresses where a low half belongs, or, for an active lane, what is no LDS address, behind what
/// `has_payload` takes for the header of another marker with payload.
pub(super) fn is_intruded(
    (kind, wave): (AddressKind, WaveSize),
    words: &[u32],
    has_payload: impl Fn(u32) -> bool,
) -> bool {
    let layout = kind.layout();
    let first_lane = (BlockLayout::EXEC_WORDS + layout.fixed_words()) as usize;
    let (Some(exec_high), Some(lanes)) = (words.get(1), words.get(first_lane..)) else { return false };
    if wave == WaveSize::Wave32 && *exec_high != 0 {
        return true;
    }
    // Lanes that are not active hold what was in the register before.
    let is_active = |lane: usize| exec_of(words) >> lane & 1 != 0;
    match kind {
        AddressKind::LdsLoad | AddressKind::LdsStore | AddressKind::LdsAtomic => {
            let none =
                lanes.iter().enumerate().position(|(lane, &word)| is_active(lane) && word >= LDS_BYTES);
            // Lanes that follow the pattern are no header's.
            let own = sure_length((kind, wave), words).max(first_lane);
            none.and_then(|lane| words.get(own..first_lane + lane))
                .is_some_and(|words| words.iter().any(|&word| has_payload(word)))
        }
        _ if layout == BlockLayout::Wide => {
            let mut active = lanes.chunks_exact(2).enumerate().filter(|(lane, _)| is_active(*lane));
            let Some((_, first)) = active.next() else { return false };
            first[1] != 0 && active.any(|(_, pair)| pair[0] == first[1] && pair[1] != first[1])
        }
        _ => false,
    }
}

/// Whether the pattern of a block is none that registers without a value have.
pub(super) fn is_varied((kind, wave): (AddressKind, WaveSize), words: &[u32]) -> bool {
    let Some((lanes @ [first, second, ..], _)) = lanes_of(kind, words) else { return false };
    match kind.layout() {
        BlockLayout::Wide => *second != 0 && first != second,
        BlockLayout::Narrow | BlockLayout::Buffer => first != second,
        BlockLayout::StructBuffer => {
            let indices = lanes.get(wave.lanes() as usize..).unwrap_or_default();
            first != second || matches!(indices, [first, second, ..] if first != second)
        }
    }
}

/// Whether an active lane, from the word at `place` on, does not follow the pattern of the first lanes.
pub(super) fn is_active_odd(block: (AddressKind, WaveSize), words: &[u32], place: usize) -> bool {
    let (kind, wave) = block;
    let Some((lanes @ [_, second, ..], first_lane)) = lanes_of(kind, words) else { return false };
    let exec = exec_of(words);
    let is_active = |lane: usize| exec.checked_shr(lane as u32).is_some_and(|exec| exec & 1 != 0);
    let from = place.saturating_sub(first_lane);
    if kind.layout() == BlockLayout::Wide {
        let highs = lanes.chunks_exact(2).map(|pair| pair[1]).enumerate().skip(from / 2);
        return highs.filter(|(lane, _)| is_active(*lane)).any(|(_, high)| high.abs_diff(*second) > 1);
    }
    let row = wave.lanes() as usize;
    let rows = narrow_rows(block, lanes);
    (from..lanes.len()).any(|place| {
        let expected = rows.get(place / row).copied().flatten().and_then(|of| of.word(place % row, row));
        is_active(place % row) && Some(lanes[place]) != expected
    })
}

/// Which lanes are active.
pub(super) fn exec_of(words: &[u32]) -> u64 {
    match words {
        [low, high, ..] => u64::from(*low) | u64::from(*high) << 32,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LDS: (AddressKind, WaveSize) = (AddressKind::LdsLoad, WaveSize::Wave32);
    const GLOBAL: (AddressKind, WaveSize) = (AddressKind::Load, WaveSize::Wave32);

    /// 0x14 is the header of a data marker.
    fn intruded(block: (AddressKind, WaveSize), words: &[u32]) -> bool {
        is_intruded(block, words, |word| word == 0x14)
    }

    #[test]
    fn words_that_cannot_be_lds_addresses_are_seen_behind_a_header() {
        let mut words = vec![u32::MAX, 0];
        words.extend((0..32).map(|lane| lane * 4));
        assert!(goes_on(LDS, &words, Lanes::All) && !intruded(LDS, &words));
        assert_eq!(sure_length(LDS, &words), words.len());
        words[20..22].copy_from_slice(&[0x14, 0x537F_83A8]);
        assert!(!goes_on(LDS, &words, Lanes::All) && intruded(LDS, &words));
        assert_eq!(sure_length(LDS, &words), 20);
        // A program may access LDS where there is none; and what is no active lane's may be anything.
        words[20] = 0x24;
        assert!(!intruded(LDS, &words));
        words[20] = 0x14;
        words[0] = !(1 << 19);
        assert!(!intruded(LDS, &words));
    }

    #[test]
    fn a_low_half_that_is_missing_moves_the_high_halves() {
        let mut words = vec![u32::MAX, 0];
        words.extend((0..32).flat_map(|lane| [0x1000 + lane * 4, 0x7F12]));
        assert!(goes_on(GLOBAL, &words, Lanes::Active) && !intruded(GLOBAL, &words));
        let whole = words.clone();
        words.remove(20);
        words.push(0x10);
        assert!(!goes_on(GLOBAL, &words, Lanes::Active) && intruded(GLOBAL, &words));
        // Registers of lanes that are not active are left from before.
        words[0] = 0x1FF;
        assert!(goes_on(GLOBAL, &words, Lanes::Active) && !intruded(GLOBAL, &words));
        // Addresses all over memory are no fault.
        let mut scattered = whole;
        scattered[25] = 0x7E00;
        assert!(!goes_on(GLOBAL, &scattered, Lanes::Active) && !intruded(GLOBAL, &scattered));
    }

    #[test]
    fn thirty_two_lanes_have_no_high_half_of_exec() {
        let words: Vec<u32> = [u32::MAX, 1].into_iter().chain((0..32).map(|lane| lane * 4)).collect();
        assert!(intruded(LDS, &words));
        assert!(!intruded((AddressKind::LdsLoad, WaveSize::Wave64), &words));
    }
}
