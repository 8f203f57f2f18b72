//! The address range that allocations lie in: reserved once, filled from the bottom.
//!
//! Every allocation starts on a page of its own and has a gap after it, so that an access beyond its end meets no
//! other allocation. Freed ranges are used again only when the whole range was used: an access to one is found.

use std::collections::VecDeque;

use memmap2::{MmapOptions, MmapRaw, UncheckedAdvice};

/// The granularity of allocations.
pub(crate) const PAGE: usize = 4096;

/// Sizes of the range that are tried: address space is limited in some containers.
const SIZES: [usize; 4] = [16 << 40, 1 << 40, 64 << 30, 4 << 30];

/// The range.
#[derive(Debug)]
pub(crate) struct Arena {
    memory: Option<MmapRaw>,
    used: usize,
    /// Freed ranges as offset and length, the oldest first.
    freed: VecDeque<(usize, usize)>,
}

impl Arena {
    /// Reserves the range. Memory is used where it is written alone.
    pub(crate) fn new() -> Arena {
        let reserve = |size| MmapOptions::new().len(size).no_reserve_swap().map_anon().ok();
        let memory = SIZES.into_iter().find_map(reserve).map(MmapRaw::from);
        Arena { memory, used: 0, freed: VecDeque::new() }
    }

    fn base(&self) -> usize {
        self.memory.as_ref().map_or(0, |memory| memory.as_mut_ptr() as usize)
    }

    /// The number of bytes that an allocation takes with its gap: more for larger ones, at least a page.
    fn taken(size: usize) -> Option<usize> {
        let gap = (size / 8).clamp(PAGE, 1 << 20);
        Some(size.max(1).checked_next_multiple_of(PAGE)?.checked_add(gap)?.next_multiple_of(PAGE))
    }

    /// The address of zeroed memory of that size, or none.
    pub(crate) fn take(&mut self, size: usize) -> Option<usize> {
        let taken = Arena::taken(size)?;
        let room = self.memory.as_ref()?.len();
        if room - self.used >= taken {
            let offset = self.used;
            self.used += taken;
            return Some(self.base() + offset);
        }
        let index = self.freed.iter().position(|&(_, length)| length >= taken)?;
        let (offset, length) = self.freed.remove(index)?;
        if length > taken {
            self.freed.push_front((offset + taken, length - taken));
        }
        Some(self.base() + offset)
    }

    /// Takes an allocation back; its memory returns to the system.
    pub(crate) fn give_back(&mut self, address: usize, size: usize) {
        let (Some(memory), Some(taken)) = (&self.memory, Arena::taken(size)) else { return };
        let offset = address - self.base();
        // SAFETY: the range lies in the mapping, is anonymous, and belongs to an allocation that has ended: no
        // reference to it exists. Where the advice is refused, the memory stays with the process.
        let _ = unsafe { memory.unchecked_advise_range(UncheckedAdvice::DontNeed, offset, taken) };
        self.freed.push_back((offset, taken));
    }

    /// True of addresses in the part of the range that was ever used.
    pub(crate) fn contains(&self, address: usize) -> bool {
        address.checked_sub(self.base()).is_some_and(|offset| offset < self.used)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn allocations_are_zero_apart_and_not_used_again_soon() {
        let mut arena = Arena::new();
        let (a, b) = (arena.take(100).unwrap(), arena.take(PAGE).unwrap());
        assert!(b - a >= 2 * PAGE, "{a:#x} {b:#x}");
        super::super::span::fill(a, &[7], 100);
        arena.give_back(a, 100);
        assert_ne!(arena.take(100).unwrap(), a);
        assert_eq!(super::super::span::read(a, 100), [0; 100]);
        assert!(arena.contains(a) && !arena.contains(0));
        assert_eq!(arena.take(usize::MAX), None);
    }
}
