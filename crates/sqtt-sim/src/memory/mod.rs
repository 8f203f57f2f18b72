//! The simulated global memory: regions far apart, everything between them an error.
//!
//! A workgroup sees memory through a [`View`]: directly, when workgroups run one after another, or through
//! an overlay that holds its writes and remembers its reads (see [`overlay`]).

pub(crate) mod op;
pub(crate) mod overlay;

use overlay::Overlay;

use crate::load::image::{IMAGE_BASE, REGIONS_BASE};

/// Regions lie in slots of this many address bits (16 GiB). The first one holds the code object.
const SLOT_BITS: u32 = 34;

/// A contiguous piece of memory.
#[derive(Debug, Clone)]
pub(crate) struct Region {
    pub(crate) base: u64,
    pub(crate) bytes: Vec<u8>,
    pub(crate) writable: bool,
    pub(crate) name: String,
}

/// All regions of one dispatch.
#[derive(Debug, Clone, Default)]
pub(crate) struct Memory {
    regions: Vec<Region>,
}

/// A place in memory: region and byte offset.
pub(crate) type MemoryPlace = (usize, usize);

impl Memory {
    pub(crate) fn new(image: Vec<u8>) -> Memory {
        let region =
            Region { base: IMAGE_BASE, bytes: image, writable: true, name: "the code object".to_owned() };
        Memory { regions: vec![region] }
    }

    /// Adds a region and returns its address. It starts a little below a 4 GiB boundary, so that 64-bit
    /// address arithmetic carries.
    pub(crate) fn add(&mut self, name: String, bytes: Vec<u8>, writable: bool) -> u64 {
        let slot = self.regions.len() as u64;
        let base = REGIONS_BASE + (slot << SLOT_BITS) + (1 << 32) - 0x100 * (1 + slot % 5);
        self.regions.push(Region { base, bytes, writable, name });
        base
    }

    pub(crate) fn region_at(&self, base: u64) -> Option<&Region> {
        self.regions.iter().find(|r| r.base == base)
    }

    /// Finds `len` bytes at `address`.
    #[inline]
    pub(crate) fn find(&self, address: u64, len: usize) -> Option<MemoryPlace> {
        let index = (address.checked_sub(REGIONS_BASE)? >> SLOT_BITS) as usize;
        let region = self.regions.get(index)?;
        let offset = address.checked_sub(region.base)? as usize;
        (offset.checked_add(len)? <= region.bytes.len()).then_some((index, offset))
    }

    /// Says what is near an address that is in no region.
    pub(crate) fn describe(&self, address: u64) -> String {
        let near = self.regions.iter().min_by_key(|r| {
            let end = r.base + r.bytes.len() as u64;
            if address < r.base { r.base - address } else { address.saturating_sub(end) }
        });
        match near {
            Some(r) if address < r.base && r.base - address < 1 << 32 => {
                format!("outside every buffer, {} bytes before {}", r.base - address, r.name)
            }
            Some(r) if address >= r.base && address - r.base < 1 << 32 => format!(
                "outside every buffer, at offset {} of {} ({} bytes)",
                address - r.base,
                r.name,
                r.bytes.len()
            ),
            _ => "outside every buffer".to_owned(),
        }
    }
}

/// The way of a workgroup to memory.
pub(crate) enum View<'a> {
    /// Alone: reads and writes go straight through.
    Direct(&'a mut Memory),
    /// Beside others: writes stay in the overlay until they are committed.
    Overlay(&'a Memory, Overlay),
}

/// A refused access: the reason.
pub(crate) type Refused = String;

impl View<'_> {
    pub(crate) fn memory(&self) -> &Memory {
        match self {
            View::Direct(m) => m,
            View::Overlay(m, _) => m,
        }
    }

    fn place(&self, address: u64, len: usize) -> Result<MemoryPlace, Refused> {
        let memory = self.memory();
        memory.find(address, len).ok_or_else(|| memory.describe(address))
    }

    fn writable(&self, place: MemoryPlace) -> Result<(), Refused> {
        let region = &self.memory().regions[place.0];
        if region.writable { Ok(()) } else { Err(format!("{} is read-only", region.name)) }
    }

    /// Reads `out.len()` bytes.
    #[inline]
    pub(crate) fn read(&mut self, address: u64, out: &mut [u8]) -> Result<(), Refused> {
        let place @ (region, offset) = self.place(address, out.len())?;
        match self {
            View::Direct(m) => out.copy_from_slice(&m.regions[region].bytes[offset..offset + out.len()]),
            View::Overlay(m, overlay) => overlay.read(m, place, out),
        }
        Ok(())
    }

    /// Writes bytes.
    #[inline]
    pub(crate) fn write(&mut self, address: u64, bytes: &[u8]) -> Result<(), Refused> {
        let place @ (region, offset) = self.place(address, bytes.len())?;
        self.writable(place)?;
        match self {
            View::Direct(m) => m.regions[region].bytes[offset..offset + bytes.len()].copy_from_slice(bytes),
            View::Overlay(_, overlay) => overlay.write(place, bytes),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_accesses_inside_a_region_are_found() {
        let mut memory = Memory::new(vec![0; 64]);
        let base = memory.add("buffer 0".to_owned(), vec![0; 16], true);
        assert_eq!(memory.find(base, 16), Some((1, 0)));
        assert_eq!(memory.find(base + 12, 4), Some((1, 12)));
        for (address, len) in [(base - 1, 1), (base + 13, 4), (base + 16, 1), (0, 4), (u64::MAX, 4)] {
            assert_eq!(memory.find(address, len), None);
        }
        assert!(memory.describe(base + 20).contains("offset 20 of buffer 0 (16 bytes)"));
    }
}
