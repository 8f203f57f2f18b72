//! Places where a host program keeps its device code: the sections of ELF, COFF, PE and Mach-O files.

use std::ops::Range;

use object::LittleEndian as LE;
use object::read::elf::SectionHeader as _;
use object::{Object as _, ObjectSection as _};

use super::bundle::SECTION_PREFIX;
use super::elf::Elf;
use super::error::{Fault, Reason};

/// Contents of a section.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Holds {
    /// Offload bundles, compressed or not.
    Bundles,
    /// Offload binaries.
    Binaries,
    /// The entry with that id of a bundled object file.
    Entry(String),
}

/// A section with device code.
#[derive(Debug)]
pub(super) struct Part {
    pub(super) holds: Holds,
    /// In the file.
    pub(super) range: Range<usize>,
}

/// The sections with device code, in the order of the file, and what is wrong with some.
#[derive(Debug, Default)]
pub(super) struct Parts {
    pub(super) parts: Vec<Part>,
    pub(super) faults: Vec<Fault>,
}

/// By the section's name: on ELF `.hip_fatbin`, in a COFF file the same and in a PE file its first eight
/// letters, in a Mach-O file `__hip_fatbin`.
fn holds(name: &[u8]) -> Option<Holds> {
    match name {
        b".hip_fatbin" | b".hip_fat" | b"__hip_fatbin" => Some(Holds::Bundles),
        b".llvm.offloading" | b".llvm.of" | b"__offloading" => Some(Holds::Binaries),
        _ => {
            let id = name.strip_prefix(SECTION_PREFIX)?;
            Some(Holds::Entry(String::from_utf8_lossy(id).into_owned()))
        }
    }
}

impl Parts {
    /// Sections that lie over each other are forged, and would be searched again and again.
    fn without_overlaps(mut self) -> Self {
        self.parts.sort_by_key(|part| part.range.start);
        let mut end = 0;
        let faults = &mut self.faults;
        self.parts.retain(|part| {
            let fits = part.range.start >= end;
            if fits {
                end = part.range.end;
            } else {
                let what = "sections with device code overlap".to_owned();
                faults.push(Fault::elf(part.range.start as u64, what));
            }
            fits
        });
        self
    }
}

/// Parts of an ELF file.
pub(super) fn of_elf(elf: &Elf<'_>) -> Result<Parts, Fault> {
    let mut out = Parts::default();
    for (name, section) in elf.sections_where(".hip_fatbin", |name| holds(name).is_some())? {
        let Some(holds) = holds(name) else { continue };
        match elf.contents(&String::from_utf8_lossy(name), section) {
            Ok([]) => {}
            Ok(data) => {
                let start = section.sh_offset(LE) as usize;
                out.parts.push(Part { holds, range: start..start + data.len() });
            }
            Err(fault) => out.faults.push(fault),
        }
    }
    Ok(out.without_overlaps())
}

/// Parts of a COFF, PE or Mach-O file, which is called `format`.
pub(super) fn of_other(data: &[u8], format: &'static str) -> Result<Parts, Fault> {
    let malformed = |offset: u64, what: String| Fault::new(offset, Reason::Malformed { format, what });
    let file = object::File::parse(data).map_err(|error| malformed(0, error.to_string()))?;
    let mut out = Parts::default();
    for section in file.sections() {
        let Some(holds) = section.name_bytes().ok().and_then(holds) else { continue };
        let Some((offset, size)) = section.file_range() else { continue };
        let end = offset.checked_add(size).filter(|&end| end <= data.len() as u64);
        match end {
            Some(end) if size > 0 => {
                out.parts.push(Part { holds, range: offset as usize..end as usize });
            }
            Some(_) => {}
            None => {
                let what =
                    format!("its section takes {size} bytes at {offset:#x}, the file has {}", data.len());
                out.faults.push(malformed(0, what));
            }
        }
    }
    Ok(out.without_overlaps())
}
