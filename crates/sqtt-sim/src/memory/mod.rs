//! The simulated global memory: regions, everything between them an error.
//!
//! A workgroup sees memory through a [`View`]: directly, when workgroups run one after another, or through
//! an overlay that holds its writes and remembers its reads (see [`overlay`]).

pub(crate) mod host;
pub(crate) mod op;
pub(crate) mod overlay;
pub(crate) mod view;
mod written;

use std::sync::Arc;

use crate::load::image::{IMAGE_BASE, REGIONS_BASE};
use crate::program::Program;
use host::Bytes;
pub(crate) use view::View;
use written::Written;

/// Regions that get an address here lie in slots of this many address bits (16 GiB).
const SLOT_BITS: u32 = 34;

/// A contiguous piece of memory.
#[derive(Debug)]
struct Region {
    base: u64,
    bytes: Bytes,
    writable: bool,
    name: String,
    /// The bytes that have been written, where reads of others are errors.
    written: Option<Written>,
}

impl Region {
    /// The offset of `len` bytes at `address`, where they are inside.
    #[inline]
    fn offset(&self, address: u64, len: usize) -> Option<usize> {
        let offset = usize::try_from(address.checked_sub(self.base)?).ok()?;
        (offset.checked_add(len)? <= self.bytes.len()).then_some(offset)
    }

    fn end(&self) -> u64 {
        self.base + self.bytes.len() as u64
    }
}

/// The addresses that regions get.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Addresses {
    /// Slots far apart, the same in every run.
    Simulated,
    /// Addresses of this process: pointers of the program are pointers of its kernels.
    Process,
}

/// The memory that kernels see. It lives on between launches.
///
/// An address outside every region is an error of the kernel that uses it.
#[derive(Debug)]
pub struct Memory {
    /// Sorted by address.
    regions: Vec<Region>,
    addresses: Addresses,
    slots: u64,
}

/// A region's number in [`Memory`], and the offset there.
type MemoryPlace = (usize, usize);

impl Memory {
    /// Memory with addresses of its own, the same in every run.
    pub(crate) fn simulated() -> Memory {
        Memory { regions: Vec::new(), addresses: Addresses::Simulated, slots: 0 }
    }

    /// Memory whose addresses are those of this process, empty at first.
    pub fn of_process() -> Memory {
        Memory { regions: Vec::new(), addresses: Addresses::Process, slots: 0 }
    }

    /// Takes the region that starts at `base` away. False where there is none.
    pub fn unmap(&mut self, base: u64) -> bool {
        match self.regions.binary_search_by_key(&base, |r| r.base) {
            Ok(at) => {
                self.regions.remove(at);
                true
            }
            Err(_) => false,
        }
    }

    /// Says that somebody else than a kernel wrote `len` bytes at `address`.
    pub fn mark_written(&self, address: u64, len: usize) {
        if let Some((region, offset)) = self.find(address, len)
            && let Some(written) = &self.regions[region].written
        {
            written.mark(offset, len);
        }
    }

    /// Loads a program's image: its code and its variables, relocated to where they are.
    pub fn load(&mut self, program: &Arc<Program>) -> Module {
        Module { program: Arc::clone(program), base: self.load_image(program) }
    }

    /// Loads a program's image and returns its address.
    pub(crate) fn load_image(&mut self, program: &Program) -> u64 {
        let bytes = Bytes::own(&program.image.bytes);
        let base = match self.addresses {
            Addresses::Simulated => IMAGE_BASE,
            Addresses::Process => bytes.address(),
        };
        program.image.relocate(&bytes, base);
        let name = "the code object".to_owned();
        self.insert(Region { base, bytes, writable: true, name, written: None });
        base
    }

    fn insert(&mut self, region: Region) {
        let at = self.regions.partition_point(|r| r.base < region.base);
        self.regions.insert(at, region);
    }

    /// Adds a region and returns its address. A simulated one starts a little below a 4 GiB boundary, so that
    /// 64-bit address arithmetic carries.
    pub(crate) fn add(&mut self, name: String, bytes: &[u8], writable: bool) -> u64 {
        let bytes = Bytes::own(bytes);
        let base = match self.addresses {
            Addresses::Process => bytes.address(),
            Addresses::Simulated => {
                // The first slot is the code object's.
                self.slots += 1;
                REGIONS_BASE + (self.slots << SLOT_BITS) + (1 << 32) - 0x100 * (1 + self.slots % 5)
            }
        };
        self.insert(Region { base, bytes, writable, name, written: None });
        base
    }

    /// The bytes of the region that starts at `base`.
    pub(crate) fn region_bytes(&self, base: u64) -> Vec<u8> {
        let at = self.regions.binary_search_by_key(&base, |r| r.base);
        at.map_or_else(|_| Vec::new(), |at| self.regions[at].bytes.to_vec())
    }

    /// Finds `len` bytes at `address`.
    #[inline]
    fn find(&self, address: u64, len: usize) -> Option<MemoryPlace> {
        let index = self.regions.partition_point(|r| r.base <= address).checked_sub(1)?;
        Some((index, self.regions[index].offset(address, len)?))
    }

    /// Says what is near an address that is in no region.
    fn describe(&self, address: u64) -> String {
        let next = self.regions.partition_point(|r| r.base <= address);
        let below = next.checked_sub(1).map(|k| &self.regions[k]).filter(|r| address - r.base < 1 << 32);
        let above = self.regions.get(next).filter(|r| r.base - address < 1 << 32);
        let past = |r: &Region| address.saturating_sub(r.end());
        match (below, above) {
            (Some(r), above) if above.is_none_or(|a| past(r) <= a.base - address) => format!(
                "outside every buffer, at offset {} of {} ({} bytes)",
                address - r.base,
                r.name,
                r.bytes.len()
            ),
            (_, Some(r)) => {
                format!("outside every buffer, {} bytes before {}", r.base - address, r.name)
            }
            _ => "outside every buffer".to_owned(),
        }
    }
}

/// A program's image in a [`Memory`].
#[derive(Debug, Clone)]
pub struct Module {
    pub(crate) program: Arc<Program>,
    pub(crate) base: u64,
}

impl Module {
    /// The program.
    pub fn program(&self) -> &Arc<Program> {
        &self.program
    }

    /// The address of the image. [`Memory::unmap`] takes it away again.
    pub fn base(&self) -> u64 {
        self.base
    }

    /// The size of the image in bytes.
    pub fn size(&self) -> usize {
        self.program.image.bytes.len()
    }

    /// The address and the size of a variable, a function or a kernel's descriptor.
    pub fn symbol(&self, name: &str) -> Option<(u64, u64)> {
        let symbol = self.program.image.symbols.iter().find(|s| s.name == name)?;
        Some((self.base + symbol.address, symbol.size))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_accesses_inside_a_region_are_found() {
        let mut memory = Memory::simulated();
        let base = memory.add("buffer 0".to_owned(), &[0; 16], true);
        assert_eq!(memory.find(base, 16), Some((0, 0)));
        assert_eq!(memory.find(base + 12, 4), Some((0, 12)));
        for (address, len) in [(base - 1, 1), (base + 13, 4), (base + 16, 1), (0, 4), (u64::MAX, 4)] {
            assert_eq!(memory.find(address, len), None);
        }
        assert!(memory.describe(base + 20).contains("offset 20 of buffer 0 (16 bytes)"));
        assert!(memory.describe(base - 20).contains("20 bytes before buffer 0"));
        assert_eq!(memory.describe(0), "outside every buffer");
    }
}
