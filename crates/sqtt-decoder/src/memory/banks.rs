//! LDS bank conflicts of one operation.
//!
//! The model: word *n* is in bank *n* modulo the number of banks. Lanes are served in phases, which
//! [depend on target and width](super::LdsAccess). A phase takes as many cycles as the bank has words that
//! is asked for most of them. Lanes that ask for one word are served together, except by atomics, where each
//! waits for the other. A phase without an active lane takes none.

use super::lds::BANK_BYTES;
use super::{LanePair, LdsAccess, LdsInstruction, LdsKind};

/// The most lanes of a wave.
const LANES: usize = 64;

/// Cost of an operation by the model of this file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct BankCycles {
    /// Cycles that it takes.
    pub cycles: u64,
    /// Cycles that it would take without conflicts.
    pub minimum: u64,
}

/// The cycles of an LDS operation: lane number and address of each lane that took part. Calls `collide` for
/// each pair of lanes that one phase serves one after the other: once, for the lowest bank of the first
/// instruction in which they collide.
///
/// ```
/// use sqtt_decoder::memory::{LdsAccess, LdsKind, bank_cycles};
/// use sqtt_format::WaveSize;
///
/// let access = LdsAccess::of(Some("gfx1100"), WaveSize::Wave32, LdsKind::Read, 4, None);
/// let column: Vec<(u32, u64)> = (0..32).map(|lane| (lane, u64::from(lane) * 128)).collect();
/// let mut pairs = 0;
/// let cycles = bank_cycles(&column, &access, |_| pairs += 1);
/// assert_eq!((cycles.cycles, cycles.minimum, pairs), (32, 1, 32 * 31 / 2));
/// ```
pub fn bank_cycles(
    lanes: &[(u32, u64)],
    access: &LdsAccess,
    mut collide: impl FnMut(LanePair),
) -> BankCycles {
    let mut all = BankCycles::default();
    let mut known = [0_u64; LANES];
    let mut offset = 0;
    let mut asked = Vec::new();
    for instruction in &access.instructions {
        ask(lanes, offset, instruction, &mut asked);
        offset += u64::from(instruction.bytes);
        // A lane that asks for more words than there are banks cannot be served at once.
        let least = u64::from(instruction.bytes.div_ceil(BANK_BYTES).div_ceil(instruction.banks));
        for phase in asked.chunk_by(|a, b| a.phase == b.phase) {
            let banks = phase.chunk_by(|a, b| a.bank == b.bank);
            let cycles = banks.clone().map(|bank| turns(bank, access.kind)).max().unwrap_or_default();
            all.minimum += least;
            all.cycles += cycles;
            if cycles > least {
                banks.for_each(|bank| collisions(bank, access.kind, &mut known, &mut collide));
            }
        }
    }
    all
}

/// A word that a lane asks for.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Asked {
    phase: u32,
    bank: u32,
    word: u64,
    lane: u32,
    address: u64,
}

/// All words of an instruction, by phase and bank.
fn ask(lanes: &[(u32, u64)], offset: u64, instruction: &LdsInstruction, asked: &mut Vec<Asked>) {
    asked.clear();
    for &(lane, address) in lanes {
        let first = address.saturating_add(offset);
        let last = first.saturating_add(u64::from(instruction.bytes) - 1);
        let phase = instruction.phase(lane);
        let words = first / u64::from(BANK_BYTES)..=last / u64::from(BANK_BYTES);
        asked.extend(words.map(|word| {
            let bank = (word % u64::from(instruction.banks)) as u32;
            Asked { phase, bank, word, lane, address }
        }));
    }
    asked.sort_unstable();
}

/// The cycles that a bank takes.
fn turns(bank: &[Asked], kind: LdsKind) -> u64 {
    let turns = match kind {
        LdsKind::Atomic => bank.len(),
        LdsKind::Read | LdsKind::Write => bank.chunk_by(|a, b| a.word == b.word).count(),
    };
    turns as u64
}

/// The pairs of lanes that wait for each other at a bank, but for those that are known.
fn collisions(bank: &[Asked], kind: LdsKind, known: &mut [u64; LANES], collide: &mut impl FnMut(LanePair)) {
    for (at, one) in bank.iter().enumerate() {
        for other in &bank[at + 1..] {
            if one.word == other.word && kind != LdsKind::Atomic {
                continue;
            }
            let (low, high) = if one.lane < other.lane { (one, other) } else { (other, one) };
            let Some(partners) = known.get_mut(low.lane as usize) else { continue };
            let partner = 1_u64.checked_shl(high.lane).unwrap_or_default();
            // A lane that asks for two words of a bank is no pair.
            if low.lane < high.lane && partner & !*partners != 0 {
                *partners |= partner;
                let (lanes, addresses) = ([low.lane, high.lane], [low.address, high.address]);
                collide(LanePair { lanes, operations: 1, bank: one.bank, addresses });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sqtt_format::WaveSize::{Wave32, Wave64};

    fn cycles(width: u32, kind: LdsKind, address: impl Fn(u64) -> u64) -> (u64, u64) {
        let lanes: Vec<_> = (0..32).map(|lane| (lane, address(lane.into()))).collect();
        let access = LdsAccess::of(None, Wave32, kind, width, None);
        let BankCycles { cycles, minimum } = bank_cycles(&lanes, &access, |_| ());
        (cycles, minimum)
    }

    fn reads(width: u32, address: impl Fn(u64) -> u64) -> (u64, u64) {
        cycles(width, LdsKind::Read, address)
    }

    #[test]
    fn patterns_with_known_answers() {
        assert_eq!(reads(4, |lane| lane * 4), (1, 1));
        // A stride of two words: every bank twice. Of 33: none twice.
        assert_eq!(reads(4, |lane| lane * 8), (2, 1));
        assert_eq!(reads(4, |lane| lane * 33 * 4), (1, 1));
        assert_eq!(reads(4, |lane| lane * 128), (32, 1));
        // One word for all.
        assert_eq!(reads(4, |_| 40), (1, 1));
        assert_eq!(cycles(4, LdsKind::Atomic, |_| 40), (32, 1));
        // Bytes of a word are one word; a word over an edge is two.
        assert_eq!(reads(1, |lane| lane), (1, 1));
        assert_eq!(reads(4, |lane| lane * 4 + 2), (2, 1));
        // Two groups of 16 lanes, four of 8.
        assert_eq!(reads(8, |lane| lane * 8), (2, 2));
        assert_eq!(reads(16, |lane| lane * 16), (4, 4));
        assert_eq!(reads(16, |lane| lane * 128), (32, 4));
        // 32 bytes are two accesses of 16.
        assert_eq!(reads(32, |lane| lane * 32), (16, 8));
        assert_eq!(reads(4, |_| u64::MAX), (1, 1));
        let none = LdsAccess::of(None, Wave32, LdsKind::Read, 4, None);
        assert_eq!(bank_cycles(&[], &none, |_| ()), BankCycles::default());
        let narrow = LdsAccess::of(None, Wave32, LdsKind::Read, 16, Some(1));
        assert_eq!(bank_cycles(&[(0, 0)], &narrow, |_| ()), BankCycles { cycles: 4, minimum: 4 });
    }

    #[test]
    fn lanes_that_took_no_part_leave_gaps() {
        let lanes: Vec<_> = (0..64).step_by(2).map(|lane| (lane, u64::from(lane) * 8)).collect();
        // 16 active lanes of each 32, at a stride of four words: each of eight banks twice.
        let access = LdsAccess::of(Some("gfx90a"), Wave64, LdsKind::Read, 4, None);
        assert_eq!(bank_cycles(&lanes, &access, |_| ()), BankCycles { cycles: 4, minimum: 2 });
    }

    /// Reads of 16-byte elements by 64 lanes: by the target's phases, and by neighbours with as many banks.
    #[test]
    fn phases_decide() {
        let both = |target: &str, banks: u32, element: &dyn Fn(u64) -> u64| {
            let lanes: Vec<_> = (0..64).map(|lane| (lane, element(lane.into()) * 16)).collect();
            [None, Some(banks)].map(|banks| {
                let access = LdsAccess::of(Some(target), Wave64, LdsKind::Read, 16, banks);
                bank_cycles(&lanes, &access, |_| ()).cycles
            })
        };
        let column = |l: u64| if l >> 4 & 1 == 0 { l % 8 } else { (l + 4) % 8 };
        assert_eq!(both("gfx942", 32, &|l| l * 8 + column(l)), [16, 8]);
        assert_eq!(both("gfx942", 32, &|l| l * 8 + l % 4 + 4 * (l >> 4 & 1)), [8, 16]);
        assert_eq!(both("gfx950", 64, &|l| l * 16 + l % 4 + 4 * (l >> 3 & 3)), [4, 8]);
        assert_eq!(both("gfx950", 64, &|l| l * 16 + l % 4 + 4 * ((l >> 2 & 3) ^ (l >> 4 & 1))), [8, 4]);
    }

    #[test]
    fn pairs_are_those_of_one_phase_and_bank_with_different_words() {
        let pairs = |access: &LdsAccess, lanes: &[(u32, u64)]| {
            let mut pairs = Vec::new();
            bank_cycles(lanes, access, |pair| pairs.push((pair.lanes, pair.bank, pair.addresses)));
            pairs
        };
        let read = |bytes| LdsAccess::of(Some("gfx942"), Wave64, LdsKind::Read, bytes, None);
        // Lanes 0 and 1 share a word, which lane 2 is in the way of; lane 33 is in another phase.
        let lanes = [(0, 8), (1, 8), (2, 136), (3, 12), (33, 264)];
        assert_eq!(pairs(&read(4), &lanes), [([0, 2], 2, [8, 136]), ([1, 2], 2, [8, 136])]);
        // Of atomics they wait for each other, too.
        let atomic = LdsAccess::of(Some("gfx942"), Wave64, LdsKind::Atomic, 4, None);
        assert_eq!(pairs(&atomic, &lanes).len(), 3);
        // The phase has lanes 0 to 3 and 20 to 23; four banks and two instructions are one collision.
        let wide = [(0, 0), (4, 128), (20, 256)];
        assert_eq!(pairs(&read(32), &wide), [([0, 20], 0, [0, 256])]);
        // The lower lane comes first, though it has the higher word.
        assert_eq!(pairs(&read(4), &[(0, 256), (5, 0)]), [([0, 5], 0, [256, 0])]);
        assert_eq!(pairs(&read(4), &[(70, 256), (80, 0)]), []);
    }
}
