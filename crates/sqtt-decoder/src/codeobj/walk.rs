//! From container to container, down to the code objects.
//!
//! Contents of a container are told by their first bytes, whatever it is called. No part is read twice: parts
//! that lie over each other are errors, and nesting has an end. Unpacking is bounded by the size of the file.

use object::FileKind;
use object::elf::EM_AMDGPU;
use object::read::archive::ArchiveFile;
use object::read::macho::{FatArch, MachOFatFile32, MachOFatFile64};

use super::bundle::{self, BundleKind};
use super::code_object::CodeObject;
use super::elf::{self, Elf};
use super::error::{Error, Fault, Reason};
use super::host::{self, Holds, Parts};
use super::place::{Bytes, FilePlace};
use super::{ccob, packager};

/// Containers opened inside of each other at most.
const DEPTH_LIMIT: usize = 8;
/// Bytes unpacked of any file at most, and as a multiple of its size.
const UNPACKED_LEAST: u64 = 64 << 20;
const UNPACKED_RATIO: u64 = 256;
/// Bytes unpacked at once at most.
const UNPACKED_AT_ONCE: u64 = 4 << 30;

/// Place where some bytes were found, which says what is expected of them.
#[derive(Clone, Debug, PartialEq, Eq)]
enum FoundIn {
    /// The file itself.
    File,
    /// An entry of a bundle: a code object, or a container.
    Entry(String),
    /// A member of an archive: anything.
    Member,
}

/// Looks for code objects and gives each to `take`, and what could not be read.
pub(super) struct Walk<'a, 't> {
    take: &'t mut dyn FnMut(Result<CodeObject<'a>, Error>),
    /// Bytes that may still be unpacked.
    budget: u64,
    /// Bytes unpacked at this moment.
    held: u64,
}

impl<'a, 't> Walk<'a, 't> {
    /// Looks into a whole file.
    pub(super) fn file(
        data: &'a [u8],
        place: &FilePlace<'_>,
        take: &'t mut dyn FnMut(Result<CodeObject<'a>, Error>),
    ) {
        let budget = (data.len() as u64).saturating_mul(UNPACKED_RATIO).max(UNPACKED_LEAST);
        Walk { take, budget, held: 0 }.look(&Bytes::Mapped(data), place, FoundIn::File);
    }

    fn fault(&mut self, place: &FilePlace<'_>, fault: Fault) {
        (self.take)(Err(place.error(fault)));
    }

    fn look(&mut self, bytes: &Bytes<'a>, place: &FilePlace<'_>, found: FoundIn) {
        if place.depth > DEPTH_LIMIT {
            return self.fault(place, Fault::new(0, Reason::TooDeep { limit: DEPTH_LIMIT }));
        }
        let data: &[u8] = bytes;
        if bundle::is_bundle(data) {
            self.bundles(bytes, place);
        } else if packager::starts(data) {
            self.binaries(bytes, place);
        } else if elf::is_elf(data) {
            self.elf(bytes, place, found);
        } else if let Some(format) = host_format(data) {
            match host::of_other(data, format) {
                Ok(parts) => self.parts(bytes, place, parts, found, || format.to_owned()),
                Err(fault) => self.fault(place, fault),
            }
        } else if data.starts_with(b"!<arch>\n") || data.starts_with(b"!<thin>\n") {
            self.archive(bytes, place);
        } else if let Some(size) = fat_header(data) {
            self.universal(bytes, place, size);
        } else {
            self.unknown(data, place, found);
        }
    }

    fn unknown(&mut self, data: &[u8], place: &FilePlace<'_>, found: FoundIn) {
        let reason = match found {
            FoundIn::File => {
                let start = data[..data.len().min(8)].escape_ascii().to_string();
                if start.is_empty() { Reason::EmptyFile } else { Reason::UnknownFormat { start } }
            }
            FoundIn::Entry(id) => {
                Reason::NotACodeObject { entry: format!("bundle entry {id}"), what: what(data) }
            }
            // An archive holds all kinds of files.
            FoundIn::Member => return,
        };
        self.fault(place, Fault::new(0, reason));
    }

    fn elf(&mut self, bytes: &Bytes<'a>, place: &FilePlace<'_>, found: FoundIn) {
        let data: &[u8] = bytes;
        let parsed = Elf::parse(data);
        // Also of a file that is cut off behind its header.
        let machine = data.get(0x12..0x14).map_or(0, |machine| u16::from_le_bytes([machine[0], machine[1]]));
        if machine == EM_AMDGPU {
            let entry = match found {
                FoundIn::Entry(id) => Some(id),
                FoundIn::File | FoundIn::Member => None,
            };
            return (self.take)(CodeObject::parse(bytes.clone(), place, entry));
        }
        let parts = match parsed.and_then(|elf| Ok((host::of_elf(&elf)?, elf.has_sections()))) {
            Ok((parts, true)) => parts,
            // Stripped of its section headers.
            Ok((_, false)) => {
                let before = bundle::BundleSearch::new(data).next(0);
                if before.is_some() {
                    return self.bundles(bytes, place);
                }
                Parts::default()
            }
            // The bundles may be whole all the same.
            Err(fault) => {
                self.fault(place, fault);
                return self.bundles(bytes, place);
            }
        };
        self.parts(bytes, place, parts, found, || format!("an ELF file for machine {machine}"));
    }

    /// The sections of a host program.
    fn parts(
        &mut self,
        bytes: &Bytes<'a>,
        place: &FilePlace<'_>,
        parts: Parts,
        found: FoundIn,
        what: impl Fn() -> String,
    ) {
        if parts.parts.is_empty() && parts.faults.is_empty() {
            let reason = match found {
                FoundIn::File => Reason::NoFatbin { what: what() },
                FoundIn::Entry(id) => {
                    let entry = format!("bundle entry {id}");
                    Reason::NotACodeObject { entry, what: "a file for another machine" }
                }
                FoundIn::Member => return,
            };
            return self.fault(place, Fault::new(0, reason));
        }
        for part in parts.parts {
            let (inside, start) = (bytes.part(part.range.clone()), part.range.start);
            match part.holds {
                Holds::Bundles => self.bundles(&inside, &place.inside(start)),
                Holds::Binaries => self.binaries(&inside, &place.inside(start)),
                Holds::Entry(id) if bundle::is_foreign(&id) => {}
                Holds::Entry(id) => self.look(&inside, &place.entry(start, &id), FoundIn::Entry(id.clone())),
            }
        }
        parts.faults.into_iter().for_each(|fault| self.fault(place, fault));
    }

    /// All bundles in these bytes. After one that is broken the search goes on behind what could be read of it.
    fn bundles(&mut self, bytes: &Bytes<'a>, place: &FilePlace<'_>) {
        let data: &[u8] = bytes;
        let mut search = bundle::BundleSearch::new(data);
        let mut at = 0;
        while let Some((start, kind)) = search.next(at) {
            at = match kind {
                BundleKind::Plain => self.bundle(bytes, place, start),
                BundleKind::Compressed => start + self.compressed(&data[start..], place, start),
            };
        }
    }

    fn bundle(&mut self, bytes: &Bytes<'a>, place: &FilePlace<'_>, start: usize) -> usize {
        let bundle = bundle::read(bytes, start);
        for entry in bundle.entries.into_iter().filter(|entry| !bundle::is_foreign(&entry.id)) {
            let place = place.entry(entry.range.start, &entry.id);
            self.look(&bytes.part(entry.range), &place, FoundIn::Entry(entry.id));
        }
        bundle.faults.into_iter().for_each(|fault| self.fault(place, fault));
        bundle.end
    }

    /// Returns how many bytes it takes.
    fn compressed(&mut self, data: &[u8], place: &FilePlace<'_>, start: usize) -> usize {
        let limit = self.budget.min(UNPACKED_AT_ONCE.saturating_sub(self.held));
        let unpacked = ccob::unpack(data, limit);
        self.budget = self.budget.saturating_sub(unpacked.work);
        for fault in unpacked.faults {
            self.fault(place, fault.shifted(start as u64));
        }
        if let Some(whole) = unpacked.data {
            let size = whole.len();
            self.held += size as u64;
            let inside = Bytes::Unpacked { whole: whole.into(), range: 0..size };
            let place = place.unpacked(start);
            if place.depth > DEPTH_LIMIT || bundle::is_bundle(&inside) {
                self.bundles_at(&inside, &place);
            } else {
                let reason =
                    Reason::NotACodeObject { entry: "a compressed bundle".to_owned(), what: what(&inside) };
                self.fault(&place, Fault::new(0, reason));
            }
            self.held -= size as u64;
        }
        unpacked.end
    }

    fn bundles_at(&mut self, bytes: &Bytes<'a>, place: &FilePlace<'_>) {
        if place.depth > DEPTH_LIMIT {
            return self.fault(place, Fault::new(0, Reason::TooDeep { limit: DEPTH_LIMIT }));
        }
        self.bundles(bytes, place);
    }

    /// All offload binaries in these bytes.
    fn binaries(&mut self, bytes: &Bytes<'a>, place: &FilePlace<'_>) {
        let mut at = 0;
        while let Some(start) = packager::find(bytes, at) {
            let (image, end) = packager::read(bytes, start);
            match image {
                Ok(image) if bundle::is_foreign(&image.id) || image.range.is_empty() => {}
                Ok(image) => {
                    let place = place.entry(image.range.start, &image.id);
                    self.look(&bytes.part(image.range), &place, FoundIn::Entry(image.id));
                }
                Err(fault) => self.fault(place, fault),
            }
            at = end;
        }
    }

    fn archive(&mut self, bytes: &Bytes<'a>, place: &FilePlace<'_>) {
        let data: &[u8] = bytes;
        let malformed = |error: &dyn std::fmt::Display| {
            Fault::new(0, Reason::Malformed { format: "archive", what: error.to_string() })
        };
        let archive = match ArchiveFile::parse(data) {
            Ok(archive) => archive,
            Err(error) => return self.fault(place, malformed(&error)),
        };
        for member in archive.members() {
            let member = match member {
                Ok(member) => member,
                Err(error) => return self.fault(place, malformed(&error)),
            };
            let name = String::from_utf8_lossy(member.name()).into_owned();
            if archive.is_thin() {
                return self.fault(place, Fault::new(0, Reason::ThinArchive { member: name }));
            }
            let (offset, size) = member.file_range();
            let end = offset.checked_add(size).filter(|&end| end <= data.len() as u64);
            let Some(end) = end else {
                let (what, left) = ("a member of an archive", (data.len() as u64).saturating_sub(offset));
                let at = offset.min(data.len() as u64);
                return self.fault(place, Fault::new(at, Reason::Truncated { what, need: size, left }));
            };
            let range = offset as usize..end as usize;
            let place = place.member(range.start, &name);
            self.look(&bytes.part(range), &place, FoundIn::Member);
        }
    }

    /// A universal binary: a Mach-O file per machine.
    fn universal(&mut self, bytes: &Bytes<'a>, place: &FilePlace<'_>, wide: FatHeader) {
        let data: &[u8] = bytes;
        let ranges = match wide {
            FatHeader::Narrow => MachOFatFile32::parse(data).map(|file| ranges(file.arches())),
            FatHeader::Wide => MachOFatFile64::parse(data).map(|file| ranges(file.arches())),
        };
        let format = "universal Mach-O file";
        let mut ranges = match ranges {
            Ok(ranges) => ranges,
            Err(error) => {
                let what = error.to_string();
                return self.fault(place, Fault::new(0, Reason::Malformed { format, what }));
            }
        };
        ranges.sort_by_key(|&(_, offset, _)| offset);
        let mut at = 0;
        for (name, offset, size) in ranges {
            let end = offset.checked_add(size).filter(|&end| end <= data.len() as u64 && offset >= at);
            let Some(end) = end else {
                let what = format!("{size} bytes at {offset:#x} for {name} overlap others or the end");
                self.fault(place, Fault::new(0, Reason::Malformed { format, what }));
                continue;
            };
            at = end;
            let range = offset as usize..end as usize;
            self.look(&bytes.part(range.clone()), &place.member(range.start, &name), FoundIn::Member);
        }
    }
}

/// Machine, offset and size of each.
fn ranges<Arch: FatArch>(arches: &[Arch]) -> Vec<(String, u64, u64)> {
    let range = |arch: &Arch| {
        let (offset, size) = arch.file_range();
        (format!("{:?}", arch.architecture()).to_lowercase(), offset, size)
    };
    arches.iter().map(range).collect()
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FatHeader {
    Narrow,
    Wide,
}

fn fat_header(data: &[u8]) -> Option<FatHeader> {
    match FileKind::parse(data).ok()? {
        FileKind::MachOFat32 => Some(FatHeader::Narrow),
        FileKind::MachOFat64 => Some(FatHeader::Wide),
        _ => None,
    }
}

/// The name of the format of a host program that is no ELF file.
fn host_format(data: &[u8]) -> Option<&'static str> {
    match FileKind::parse(data).ok()? {
        FileKind::Coff | FileKind::CoffBig => Some("COFF file"),
        FileKind::Pe32 | FileKind::Pe64 => Some("PE file"),
        FileKind::MachO32 | FileKind::MachO64 => Some("Mach-O file"),
        _ => None,
    }
}

/// Names bytes that are no code object.
fn what(data: &[u8]) -> &'static str {
    match data {
        [] => "nothing",
        [b'B', b'C', 0xC0, 0xDE, ..] => "LLVM bitcode (device code that is not linked yet)",
        [0x03, 0x02, 0x23, 0x07, ..] => "SPIR-V (device code that is compiled when it is loaded)",
        _ => "no ELF file",
    }
}
