//! Allocations: those that live, and those that were freed.

use std::collections::BTreeMap;

use crate::place::Place;
use crate::raw::arena::Arena;

/// The kinds of memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Memory of one device.
    Device,
    /// Memory of host and devices.
    Managed,
    /// Pinned host memory.
    Pinned,
    /// The program's own memory, made visible to devices.
    Registered,
}

/// A piece of memory that kernels can use.
#[derive(Debug, Clone)]
pub(crate) struct Allocation {
    pub(crate) base: usize,
    pub(crate) size: usize,
    pub(crate) kind: Kind,
    pub(crate) device: usize,
    pub(crate) flags: u32,
    /// The pool that it is from, or 0.
    pub(crate) pool: usize,
    /// The function that made it: `hipMalloc`.
    pub(crate) made_by: &'static str,
    pub(crate) place: Place,
}

impl Allocation {
    /// Bytes that it takes of its device.
    fn of_device(&self) -> usize {
        if matches!(self.kind, Kind::Device | Kind::Managed) { self.size } else { 0 }
    }
}

/// An allocation that has ended.
#[derive(Debug, Clone)]
struct Freed {
    was: Allocation,
    freed_by: &'static str,
    place: Place,
}

/// Freed allocations that are remembered.
const MAX_FREED: usize = 1 << 16;

/// All allocations of the process.
#[derive(Debug)]
pub(crate) struct Allocations {
    pub(crate) arena: Arena,
    live: BTreeMap<usize, Allocation>,
    freed: BTreeMap<usize, Freed>,
    /// Bytes in use, by device.
    used: BTreeMap<usize, usize>,
}

impl Allocations {
    pub(crate) fn new() -> Allocations {
        Allocations {
            arena: Arena::new(),
            live: BTreeMap::new(),
            freed: BTreeMap::new(),
            used: BTreeMap::new(),
        }
    }

    /// Adds an allocation whose memory is there.
    pub(crate) fn add(&mut self, allocation: Allocation) {
        self.freed.remove(&allocation.base);
        *self.used.entry(allocation.device).or_default() += allocation.of_device();
        self.live.insert(allocation.base, allocation);
    }

    /// The live allocation that an address lies in, its end not included.
    pub(crate) fn at(&self, address: usize) -> Option<&Allocation> {
        let (_, found) = self.live.range(..=address).next_back()?;
        (address - found.base < found.size.max(1)).then_some(found)
    }

    /// Removes the allocation that starts at an address.
    pub(crate) fn remove(&mut self, base: usize, freed_by: &'static str, place: Place) -> Option<Allocation> {
        let was = self.live.remove(&base)?;
        if let Some(used) = self.used.get_mut(&was.device) {
            *used -= was.of_device();
        }
        if self.freed.len() < MAX_FREED {
            self.freed.insert(base, Freed { was: was.clone(), freed_by, place });
        }
        Some(was)
    }

    /// Bytes of a device's memory in use.
    pub(crate) fn used(&self, device: usize) -> usize {
        self.used.get(&device).copied().unwrap_or(0)
    }

    pub(crate) fn live(&self) -> impl Iterator<Item = &Allocation> {
        self.live.values()
    }

    /// Says what an address belongs to, or belonged to.
    pub(crate) fn describe(&self, address: usize) -> String {
        if let Some(a) = self.at(address) {
            return format!("byte {} of {}", address - a.base, name(a));
        }
        let before = self.freed.range(..=address).next_back();
        if let Some((_, f)) = before.filter(|(base, f)| address - **base < f.was.size.max(1)) {
            return format!(
                "byte {} of {}, which {} freed at {}",
                address - f.was.base,
                name(&f.was),
                f.freed_by,
                f.place
            );
        }
        let end = |a: &Allocation| a.base + a.size;
        match (self.live.range(..=address).next_back(), self.live.range(address..).next()) {
            (Some((_, a)), _) if address - end(a) < 1 << 20 => {
                format!("{} bytes after the end of {}", address - end(a), name(a))
            }
            (_, Some((_, a))) if a.base - address < 1 << 20 => {
                format!("{} bytes before {}", a.base - address, name(a))
            }
            _ if address < 4096 => "a null pointer".to_owned(),
            _ => "no memory that devices can see".to_owned(),
        }
    }
}

/// An allocation with its size and the place in the program.
pub(crate) fn name(allocation: &Allocation) -> String {
    let Allocation { size, made_by, place, .. } = allocation;
    format!("the {size} bytes that {made_by} gave at {place}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allocation(base: usize, size: usize) -> Allocation {
        Allocation {
            base,
            size,
            kind: Kind::Device,
            device: 0,
            flags: 0,
            pool: 0,
            made_by: "hipMalloc",
            place: Place::default(),
        }
    }

    #[test]
    fn an_address_is_in_near_or_was_in_an_allocation() {
        let mut all = Allocations::new();
        all.add(allocation(0x10000, 16));
        all.add(allocation(0x20000, 16));
        assert_eq!(all.at(0x1000f).map(|a| a.base), Some(0x10000));
        assert!(all.at(0x10010).is_none() && all.at(0xffff).is_none());
        assert!(all.describe(0x10010).starts_with("0 bytes after the end of the 16 bytes that hipMalloc"));
        assert!(all.describe(0xfff0).starts_with("16 bytes before"));
        assert!(all.remove(0x10001, "hipFree", Place::default()).is_none());
        assert!(all.remove(0x10000, "hipFree", Place::default()).is_some());
        assert!(all.describe(0x10004).contains("which hipFree freed at"), "{}", all.describe(0x10004));
        assert_eq!(all.used(0), 16);
    }
}
