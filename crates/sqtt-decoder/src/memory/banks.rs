//! LDS bank conflicts of one operation.
//!
//! The model: LDS has so many banks of 4 bytes, and word *n* is in bank *n* modulo their number. Lanes
//! are served in the order of their numbers, in groups that together ask for at most one word of every
//! bank. A group takes as many cycles as the bank has words that is asked for most of them. Lanes that
//! ask for one word are served together, except by atomics, where each waits for the other. Lanes of
//! more than 16 bytes are served in several operations. Hardware may serve lanes in another order.

use std::collections::HashMap;

/// Bytes of a bank.
const BANK_BYTES: u64 = 4;
/// The most bytes of a lane that one instruction accesses.
const INSTRUCTION_BYTES: u32 = 16;

/// What an operation costs by the [model](self).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BankCycles {
    /// Cycles that it takes.
    pub cycles: u64,
    /// Cycles that it would take without conflicts.
    pub minimum: u64,
}

/// The cycles of an LDS operation of `width` bytes a lane: lane number and address of each lane that
/// took part, by number.
///
/// ```
/// use sqtt_decoder::memory::{BankCycles, bank_cycles};
///
/// let column: Vec<(u32, u64)> = (0..32).map(|lane| (lane, u64::from(lane) * 128)).collect();
/// assert_eq!(bank_cycles(&column, 4, 32, false), BankCycles { cycles: 32, minimum: 1 });
/// ```
#[must_use]
pub fn bank_cycles(lanes: &[(u32, u64)], width: u32, banks: u32, is_atomic: bool) -> BankCycles {
    let mut all = BankCycles::default();
    let mut part = 0;
    while part < width {
        let bytes = (width - part).min(INSTRUCTION_BYTES);
        let one = instruction(lanes, u64::from(part), bytes, banks.max(1), is_atomic);
        all.cycles += one.cycles;
        all.minimum += one.minimum;
        part += bytes;
    }
    all
}

fn instruction(lanes: &[(u32, u64)], offset: u64, bytes: u32, banks: u32, is_atomic: bool) -> BankCycles {
    let words = u64::from(bytes).div_ceil(BANK_BYTES);
    let group_lanes = (u64::from(banks) / words).max(1);
    let mut cycles = BankCycles::default();
    for group in lanes.chunk_by(|a, b| u64::from(a.0) / group_lanes == u64::from(b.0) / group_lanes) {
        let mut asked: Vec<u64> = Vec::with_capacity(group.len() * words as usize);
        for &(_, address) in group {
            let first = address.saturating_add(offset);
            let last = first.saturating_add(u64::from(bytes) - 1);
            asked.extend(first / BANK_BYTES..=last / BANK_BYTES);
        }
        if !is_atomic {
            asked.sort_unstable();
            asked.dedup();
        }
        let mut per_bank: HashMap<u64, u64> = HashMap::new();
        for word in asked {
            *per_bank.entry(word % u64::from(banks)).or_default() += 1;
        }
        // A lane that asks for more words than there are banks cannot be served at once.
        cycles.minimum += words.div_ceil(banks.into());
        cycles.cycles += per_bank.into_values().max().unwrap_or_default();
    }
    cycles
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cycles(width: u32, is_atomic: bool, address: impl Fn(u64) -> u64) -> (u64, u64) {
        let lanes: Vec<_> = (0..32).map(|lane| (lane, address(lane.into()))).collect();
        let BankCycles { cycles, minimum } = bank_cycles(&lanes, width, 32, is_atomic);
        (cycles, minimum)
    }

    #[test]
    fn patterns_with_known_answers() {
        assert_eq!(cycles(4, false, |lane| lane * 4), (1, 1));
        // A stride of two words: every bank twice. Of 33: none twice.
        assert_eq!(cycles(4, false, |lane| lane * 8), (2, 1));
        assert_eq!(cycles(4, false, |lane| lane * 33 * 4), (1, 1));
        assert_eq!(cycles(4, false, |lane| lane * 128), (32, 1));
        // One word for all.
        assert_eq!(cycles(4, false, |_| 40), (1, 1));
        assert_eq!(cycles(4, true, |_| 40), (32, 1));
        // Bytes of a word are one word; a word over an edge is two.
        assert_eq!(cycles(1, false, |lane| lane), (1, 1));
        assert_eq!(cycles(4, false, |lane| lane * 4 + 2), (2, 1));
        // Two groups of 16 lanes, four of 8.
        assert_eq!(cycles(8, false, |lane| lane * 8), (2, 2));
        assert_eq!(cycles(16, false, |lane| lane * 16), (4, 4));
        assert_eq!(cycles(16, false, |lane| lane * 128), (32, 4));
        // 32 bytes are two accesses of 16.
        assert_eq!(cycles(32, false, |lane| lane * 32), (16, 8));
        assert_eq!(cycles(4, false, |_| u64::MAX), (1, 1));
        assert_eq!(bank_cycles(&[], 4, 32, false), BankCycles::default());
        assert_eq!(bank_cycles(&[(0, 0)], 16, 1, false), BankCycles { cycles: 4, minimum: 4 });
    }

    #[test]
    fn lanes_that_took_no_part_leave_gaps() {
        let lanes: Vec<_> = (0..64).step_by(2).map(|lane| (lane, u64::from(lane) * 8)).collect();
        // 16 active lanes of each 32, at a stride of four words: each of eight banks twice.
        assert_eq!(bank_cycles(&lanes, 4, 32, false), BankCycles { cycles: 4, minimum: 2 });
    }
}
