//! Counts the pairs of lanes that collide at LDS banks.

use std::cmp::Reverse;

use serde::Serialize;

use super::summary::hex_pair;

/// Two lanes that one phase asked for different words of one bank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct LanePair {
    /// Their numbers, the lower one first.
    pub lanes: [u32; 2],
    /// Operations in which they collided.
    pub operations: u64,
    /// The bank of one of these operations: that with the least addresses.
    pub bank: u32,
    /// The first byte of each lane in that operation.
    #[serde(serialize_with = "hex_pair")]
    pub addresses: [u64; 2],
}

/// All pairs of a marker. Waves have 64 lanes at most, so there are 2,016 at most, of 48 bytes.
#[derive(Debug, Default)]
pub(super) struct Pairs {
    /// By the higher lane, then by the lower one, as far as they collided.
    seen: Vec<Option<LanePair>>,
}

const _: () = assert!(size_of::<Option<LanePair>>() == 48, "docs/memory-trace.md says so");

impl Pairs {
    pub(super) fn add(&mut self, pair: LanePair) {
        let [low, high] = pair.lanes.map(|lane| lane as usize);
        let index = high * high.saturating_sub(1) / 2 + low;
        if self.seen.len() <= index {
            self.seen.resize(index + 1, None);
        }
        match &mut self.seen[index] {
            Some(seen) => {
                let operations = seen.operations + pair.operations;
                // Not the first one: threads see operations in any order.
                if (pair.addresses, pair.bank) < (seen.addresses, seen.bank) {
                    *seen = pair;
                }
                seen.operations = operations;
            }
            unseen => *unseen = Some(pair),
        }
    }

    pub(super) fn merge(&mut self, other: Self) {
        other.seen.into_iter().flatten().for_each(|pair| self.add(pair));
    }

    /// Pairs that collided most often, and how many others there are.
    pub(super) fn worst(self, limit: usize) -> (Vec<LanePair>, usize) {
        let mut pairs: Vec<LanePair> = self.seen.into_iter().flatten().collect();
        pairs.sort_unstable_by_key(|pair| (Reverse(pair.operations), pair.lanes));
        let left_out = pairs.len().saturating_sub(limit);
        pairs.truncate(limit);
        (pairs, left_out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_of_operations_does_not_matter() {
        let pair = |lanes, bank, addresses| LanePair { lanes, operations: 1, bank, addresses };
        let all = [
            pair([0, 1], 3, [12, 140]),
            pair([0, 1], 2, [8, 136]),
            pair([62, 63], 0, [0, 128]),
            pair([0, 2], 1, [4, 132]),
            pair([0, 1], 2, [8, 136]),
            pair([62, 63], 1, [4, 132]),
        ];
        let (mut forwards, mut half, mut rest) = (Pairs::default(), Pairs::default(), Pairs::default());
        all.into_iter().for_each(|pair| forwards.add(pair));
        all[3..].iter().rev().for_each(|pair| half.add(*pair));
        all[..3].iter().for_each(|pair| rest.add(*pair));
        half.merge(rest);
        let expected = [
            LanePair { operations: 3, ..pair([0, 1], 2, [8, 136]) },
            LanePair { operations: 2, ..pair([62, 63], 0, [0, 128]) },
        ];
        assert_eq!(forwards.seen.len(), 2016);
        assert_eq!(forwards.worst(2), (expected.to_vec(), 1));
        assert_eq!(half.worst(2), (expected.to_vec(), 1));
        assert_eq!(Pairs::default().worst(2), (vec![], 0));
    }
}
