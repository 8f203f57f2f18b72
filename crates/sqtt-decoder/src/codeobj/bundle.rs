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
//! between. Compressed bundles start with `CCOB`; they are recognised, and skipped where they say how
//! long they are.

use memchr::memmem;

use super::error::{Fault, Reason};

const MAGIC: &[u8] = b"__CLANG_OFFLOAD_BUNDLE__";
const COMPRESSED_MAGIC: &[u8] = b"CCOB";

/// One device entry of a bundle. Entries for the host, and empty ones, are left out.
#[derive(Debug)]
pub(super) struct BundleEntry<'a> {
    pub(super) id: String,
    /// From the start of the searched bytes.
    pub(super) offset: u64,
    pub(super) data: &'a [u8],
}

/// What a search found, and what it could not read.
#[derive(Debug, Default)]
pub(super) struct Found<'a> {
    pub(super) entries: Vec<BundleEntry<'a>>,
    pub(super) faults: Vec<Fault>,
}

pub(super) fn is_bundle(data: &[u8]) -> bool {
    data.starts_with(MAGIC) || compressed_version(data).is_some()
}

/// All entries of all bundles in `data`. After a bundle that is broken the search goes on behind what
/// could be read of it.
pub(super) fn search(data: &[u8]) -> Found<'_> {
    let mut found = Found::default();
    let mut plain = memmem::find_iter(data, MAGIC).map(|start| (start, Kind::Plain)).peekable();
    let mut compressed = memmem::find_iter(data, COMPRESSED_MAGIC)
        .filter_map(|start| Some((start, Kind::Compressed { version: compressed_version(&data[start..])? })))
        .peekable();
    let mut at = 0;
    loop {
        while plain.next_if(|&(start, _)| start < at).is_some() {}
        while compressed.next_if(|&(start, _)| start < at).is_some() {}
        let candidates = [plain.peek().copied(), compressed.peek().copied()];
        let Some((start, kind)) = candidates.into_iter().flatten().min_by_key(|&(start, _)| start) else {
            return found;
        };
        at = match kind {
            Kind::Plain => read_bundle(data, start, &mut found),
            Kind::Compressed { version } => {
                found.faults.push(Fault::new(start as u64, Reason::CompressedBundle { version }));
                compressed_end(data, start, version)
            }
        };
    }
}

#[derive(Clone, Copy)]
enum Kind {
    Plain,
    Compressed { version: u16 },
}

/// Version of a compressed bundle's header, where it is one: the method behind the version is 0
/// (zlib) or 1 (zstd). Four letters alone may be anything.
fn compressed_version(data: &[u8]) -> Option<u16> {
    let &[low, high, method, 0, ..] = data.strip_prefix(COMPRESSED_MAGIC)? else { return None };
    let version = u16::from_le_bytes([low, high]);
    ((1..=3).contains(&version) && method <= 1).then_some(version)
}

/// Where a compressed bundle ends: behind magic, version and method, versions 2 and 3 give the size of
/// the whole.
fn compressed_end(data: &[u8], start: usize, version: u16) -> usize {
    let size = match version {
        2 => data[start..].get(8..12),
        3 => data[start..].get(8..16),
        _ => None,
    };
    let size = size.and_then(|bytes| usize::try_from(number(bytes)).ok()).unwrap_or(0);
    start.saturating_add(size.max(COMPRESSED_MAGIC.len())).min(data.len())
}

/// A little-endian number of at most eight bytes.
fn number(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte))
}

/// Reads the bundle at `start` and returns the end of what belongs to it.
fn read_bundle<'a>(data: &'a [u8], start: usize, found: &mut Found<'a>) -> usize {
    let bundle = &data[start..];
    let mut reader = Reader { bundle, at: MAGIC.len() };
    let mut entries = Vec::new();
    if let Err(fault) = reader.table(&mut entries) {
        found.faults.push(fault.shifted(start as u64));
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
                taken[entry.index] = Some(entry.offset as usize..entry_end as usize);
                end = entry_end;
            }
            Some(_) => found.faults.push(entry.fault(start, "overlap what is before them")),
            None => found.faults.push(entry.fault(start, "end behind the end of the data")),
        }
    }
    for (entry, range) in entries.into_iter().zip(taken) {
        let Some(range) = range.filter(|_| !entry.id.starts_with("host")) else { continue };
        let offset = (start + range.start) as u64;
        found.entries.push(BundleEntry { id: entry.id, offset, data: &bundle[range] });
    }
    start + end as usize
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
