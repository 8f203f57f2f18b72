//! Bytes, lines and sectors that one operation touches.

/// Everything that the lanes of one operation touch together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Footprint {
    /// Different bytes.
    pub bytes: u64,
    /// Lines that these bytes are in.
    pub lines: u64,
    /// Sectors that these bytes are in.
    pub sectors: u64,
}

/// Footprint of accesses of `width` bytes at these addresses. Sorts the addresses. Bytes that several lanes
/// access count once.
///
/// ```
/// use sqtt_decoder::memory::footprint;
///
/// // 32 lanes of 4 bytes, 64 bytes apart: a line of 128 bytes holds two of them.
/// let mut apart: Vec<u64> = (0..32).map(|lane| lane * 64).collect();
/// let touched = footprint(&mut apart, 4, 128, 64);
/// assert_eq!((touched.bytes, touched.lines, touched.sectors), (128, 16, 32));
/// ```
#[must_use]
pub fn footprint(addresses: &mut [u64], width: u32, line_bytes: u32, sector_bytes: u32) -> Footprint {
    addresses.sort_unstable();
    let mut touched = Footprint::default();
    let (mut lines, mut sectors) = (Units::new(line_bytes), Units::new(sector_bytes));
    let mut end = 0;
    for &address in &*addresses {
        let last = address.saturating_add(u64::from(width));
        // Sorted, so only the end of what came before can reach into it.
        let first = address.max(end);
        if first < last {
            touched.bytes += last - first;
            lines.touch(first, last);
            sectors.touch(first, last);
        }
        end = end.max(last);
    }
    (touched.lines, touched.sectors) = (lines.count, sectors.count);
    touched
}

/// Counts units of some size that ascending runs of bytes are in.
struct Units {
    size: u64,
    count: u64,
    /// The first unit that was not touched yet.
    next: u64,
}

impl Units {
    fn new(size: u32) -> Self {
        Self { size: u64::from(size).max(1), count: 0, next: 0 }
    }

    fn touch(&mut self, first: u64, end: u64) {
        let first = (first / self.size).max(self.next);
        let last = (end - 1) / self.size;
        if first <= last {
            self.count += last - first + 1;
            self.next = last + 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use proptest::prelude::*;

    #[test]
    fn edges() {
        assert_eq!(footprint(&mut [], 4, 128, 64), Footprint::default());
        // All lanes the same word.
        assert_eq!(footprint(&mut [8; 32], 4, 128, 64), Footprint { bytes: 4, lines: 1, sectors: 1 });
        // Over the edge of a line.
        assert_eq!(footprint(&mut [126], 4, 128, 64), Footprint { bytes: 4, lines: 2, sectors: 2 });
        // At the end of the world.
        let end = footprint(&mut [u64::MAX - 1, u64::MAX], 4, 128, 64);
        assert_eq!((end.bytes, end.lines), (1, 1));
        assert_eq!(footprint(&mut [0], 4, 1, 1), Footprint { bytes: 4, lines: 4, sectors: 4 });
    }

    proptest! {
        #[test]
        fn it_counts_what_a_set_of_bytes_counts(
            mut addresses in prop::collection::vec(0_u64..600, 0..64),
            width in 1_u32..40,
            line in 1_u32..200,
            sector in 1_u32..70,
        ) {
            let bytes: BTreeSet<u64> =
                addresses.iter().flat_map(|&address| address..address + u64::from(width)).collect();
            let units = |size: u32| {
                bytes.iter().map(|byte| byte / u64::from(size)).collect::<BTreeSet<_>>().len() as u64
            };
            let expected = Footprint { bytes: bytes.len() as u64, lines: units(line), sectors: units(sector) };
            prop_assert_eq!(footprint(&mut addresses, width, line, sector), expected);
        }
    }
}
