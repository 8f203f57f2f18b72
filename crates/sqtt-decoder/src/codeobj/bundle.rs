//! Clang offload bundles: several code objects in one piece.
//!
//! ```text
//! "__CLANG_OFFLOAD_BUNDLE__"   24 bytes
//! count                        u64, little-endian, as all numbers here
//! count times:
//!   offset, size               u64 each, from the start of the bundle
//!   id length, id              u64, text: "hipv4-amdgcn-amd-amdhsa--gfx1030"
//! ```
//!
//! A linker joins the bundles of all objects into one `.hip_fatbin`, each aligned, with zeroes
//! between; compressed ones (`ccob`) may stand among them.

use std::iter::Peekable;
use std::ops::Range;

use memchr::memmem;

use super::ccob;
use super::error::{Fault, Reason};
use crate::steps::step;

const MAGIC: &[u8] = b"__CLANG_OFFLOAD_BUNDLE__";

/// Names of the sections of a bundled object file, in front of the entry's id.
pub(super) const SECTION_PREFIX: &[u8] = MAGIC;

/// One entry of a bundle with something in it.
#[derive(Debug)]
pub(super) struct BundleEntry {
    pub(super) id: String,
    /// From the start of the searched bytes.
    pub(super) range: Range<usize>,
}

/// Entries of one bundle, and what could not be read of it.
#[derive(Debug, Default)]
pub(super) struct Bundle {
    pub(super) entries: Vec<BundleEntry>,
    /// Offsets from the start of the searched bytes.
    pub(super) faults: Vec<Fault>,
    /// Behind the last entry, or what could be read of the table.
    pub(super) end: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BundleKind {
    Plain,
    Compressed,
}

/// True if an entry is for something else than an AMD GPU: the host, or another vendor's GPU.
pub(super) fn is_foreign(id: &str) -> bool {
    id.starts_with("host") || id.contains("-nvptx")
}

pub(super) fn is_bundle(data: &[u8]) -> bool {
    data.starts_with(MAGIC) || ccob::starts_damaged(data)
}

/// The starts of bundles in some bytes, whatever lies between. At the first byte a bundle is expected, so that one
/// with a damaged header counts as well.
pub(super) struct BundleSearch<'d> {
    plain: Peekable<memmem::FindIter<'d, 'static>>,
    compressed: Peekable<Box<dyn Iterator<Item = usize> + 'd>>,
}

impl<'d> BundleSearch<'d> {
    pub(super) fn new(data: &'d [u8]) -> Self {
        let is_start =
            |&start: &usize| ccob::starts(&data[start..]) || start == 0 && ccob::starts_damaged(data);
        let compressed = memmem::find_iter(data, ccob::MAGIC).filter(is_start);
        let compressed: Box<dyn Iterator<Item = usize> + 'd> = Box::new(compressed);
        Self { plain: memmem::find_iter(data, MAGIC).peekable(), compressed: compressed.peekable() }
    }

    /// The first bundle at `at` or behind it. `at` never goes back.
    pub(super) fn next(&mut self, at: usize) -> Option<(usize, BundleKind)> {
        step();
        while self.plain.next_if(|&start| start < at).is_some() {
            step();
        }
        while self.compressed.next_if(|&start| start < at).is_some() {
            step();
        }
        let plain = self.plain.peek().map(|&start| (start, BundleKind::Plain));
        let compressed = self.compressed.peek().map(|&start| (start, BundleKind::Compressed));
        plain.into_iter().chain(compressed).min_by_key(|&(start, _)| start)
    }
}

/// A little-endian number of at most eight bytes.
fn number(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte))
}

/// Reads the bundle at `start`.
pub(super) fn read(data: &[u8], start: usize) -> Bundle {
    let mut out = Bundle::default();
    let bundle = &data[start..];
    let mut reader = Reader { bundle, at: MAGIC.len() };
    let mut entries = Vec::new();
    if let Err(fault) = reader.table(&mut entries) {
        out.faults.push(fault.shifted(start as u64));
    }
    // Entries that lie over each other are forged, and would be read again and again.
    let mut by_offset: Vec<&RawEntry> = entries.iter().filter(|entry| entry.size > 0).collect();
    by_offset.sort_by_key(|entry| entry.offset);
    let mut taken = vec![None; entries.len()];
    let mut end = reader.at as u64;
    for entry in by_offset {
        let entry_end = entry.offset.checked_add(entry.size).filter(|&end| end <= bundle.len() as u64);
        match entry_end {
            Some(entry_end) if entry.offset >= end => {
                taken[entry.index] = Some(start + entry.offset as usize..start + entry_end as usize);
                end = entry_end;
            }
            Some(_) => out.faults.push(entry.fault(start, "overlap what is before them")),
            None => out.faults.push(entry.fault(start, "end behind the end of the data")),
        }
    }
    let taken = entries.into_iter().zip(taken);
    out.entries =
        taken.filter_map(|(entry, range)| Some(BundleEntry { id: entry.id, range: range? })).collect();
    out.end = start + end as usize;
    out
}

/// An entry as the table has it, with nothing checked.
struct RawEntry {
    index: usize,
    id: String,
    offset: u64,
    size: u64,
}

impl RawEntry {
    fn fault(&self, bundle_start: usize, what: &str) -> Fault {
        let Self { id, offset, size, .. } = self;
        let id = sqtt_format::Printable(id.as_bytes());
        let what = format!("entry {id}: {size} bytes at {offset:#x} of the bundle {what}");
        Fault::new(bundle_start as u64, Reason::Bundle(what))
    }
}

/// Reads the table of a bundle from front to back.
struct Reader<'a> {
    bundle: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    fn take(&mut self, what: &'static str, size: u64) -> Result<&'a [u8], Fault> {
        let left = &self.bundle[self.at..];
        let Some(taken) = usize::try_from(size).ok().and_then(|size| left.get(..size)) else {
            let reason = Reason::Truncated { what, need: size, left: left.len() as u64 };
            return Err(Fault::new(self.at as u64, reason));
        };
        self.at += taken.len();
        Ok(taken)
    }

    fn number(&mut self, what: &'static str) -> Result<u64, Fault> {
        self.take(what, 8).map(number)
    }

    /// All entries up to the first that is cut off.
    fn table(&mut self, entries: &mut Vec<RawEntry>) -> Result<(), Fault> {
        let count = self.number("the number of bundle entries")?;
        for index in 0..count {
            step();
            let offset = self.number("the offset of a bundle entry")?;
            let size = self.number("the size of a bundle entry")?;
            let id_size = self.number("the length of a bundle entry's id")?;
            let id = self.take("the id of a bundle entry", id_size)?;
            let id = String::from_utf8_lossy(id).into_owned();
            entries.push(RawEntry { index: index as usize, id, offset, size });
        }
        Ok(())
    }
}
