//! Ids of translation units that are linked into one code object: a prefix tells the unit.

use std::ops::RangeInclusive;

/// Bits of an id.
const ID_BITS: u32 = 30;

/// The ids of one unit: a prefix, and as many low bits as its own markers need.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct UnitIds {
    /// The high bits of each id; never 0, where numeric markers are.
    pub prefix: u32,
    /// The number of low bits.
    pub own_bits: u32,
}

impl UnitIds {
    /// Ids for at least so many markers of the unit that a number stands for. Its highest bits make the prefix: 22 or
    /// more for up to 255 markers.
    #[must_use]
    pub fn new(unit: u64, count: usize) -> Self {
        let own_bits = (usize::BITS - count.leading_zeros()).clamp(1, ID_BITS - 1);
        let prefix = u32::try_from(unit >> (u64::BITS - (ID_BITS - own_bits))).unwrap_or(u32::MAX);
        Self { prefix: prefix.max(1), own_bits }
    }

    /// The number of bits of the prefix.
    #[must_use]
    pub fn prefix_bits(self) -> u32 {
        ID_BITS - self.own_bits
    }

    /// The ids, without the one whose low bits are 0.
    #[must_use]
    pub fn ids(self) -> RangeInclusive<u32> {
        let first = self.prefix << self.own_bits;
        first | 1..=first | ((1 << self.own_bits) - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefixes_take_the_bits_that_ids_leave() {
        let unit = 0xB5A1_7C3D_9E24_F680;
        for (count, prefix_bits) in [(0, 29), (1, 29), (2, 28), (3, 28), (255, 22), (256, 21), (1 << 20, 9)] {
            let ids = UnitIds::new(unit, count);
            assert_eq!(ids.prefix_bits(), prefix_bits);
            assert_eq!(u64::from(ids.prefix), unit >> (64 - prefix_bits));
            assert!(ids.ids().count() >= count);
            assert!(ids.ids().all(|id| id >> ids.own_bits == ids.prefix));
            assert!(*ids.ids().end() < 1 << 30);
        }
    }

    #[test]
    fn no_prefix_is_zero() {
        assert_eq!(UnitIds::new(0, 255).ids(), 0x101..=0x1FF);
    }
}
