//! A 64-bit little-endian ELF file, section by section.
//!
//! The `object` crate checks every bound; this module adds the place to what it complains of.

use object::LittleEndian as LE;
use object::elf::{
    ELFCLASS64, ELFDATA2LSB, ELFMAG, FileHeader64, SHF_COMPRESSED, SHT_NOBITS, SHT_NULL, SectionHeader64,
};
use object::read::elf::{FileHeader as _, SectionHeader as _, SectionTable, SymbolTable};

use super::error::{Fault, Reason};

/// Size of the ELF header.
const HEADER_SIZE: u64 = 64;
/// Offset of the header's field with the place of the table of sections.
const TABLE_FIELD: u64 = 0x28;
/// Size of one entry of the section header table.
const SECTION_HEADER_SIZE: u64 = 64;

pub(super) struct Elf<'a> {
    data: &'a [u8],
    header: &'a FileHeader64<LE>,
    sections: SectionTable<'a, FileHeader64<LE>>,
}

/// A section's header, behind its name.
pub(super) type NamedSection<'a> = (&'a [u8], &'a SectionHeader64<LE>);

/// Something that takes bytes of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    Header,
    Table,
    Section(usize),
}

#[derive(Clone, Copy, Debug)]
struct Place {
    start: u64,
    end: u64,
    what: What,
}

/// The places of everything in a file, by their start.
#[derive(Default)]
struct Extents {
    places: Vec<Place>,
    /// The two places that end last among so many of the first ones.
    last: Vec<[Place; 2]>,
}

impl Extents {
    fn add(&mut self, start: u64, size: u64, what: What) {
        if size > 0 {
            self.places.push(Place { start, end: start.saturating_add(size), what });
        }
    }

    fn sort(&mut self) {
        self.places.sort_by_key(|place| place.start);
        let mut last = [Place { start: 0, end: 0, what: What::Header }; 2];
        for &place in &self.places {
            if place.end > last[0].end {
                last = [place, last[0]];
            } else if place.end > last[1].end {
                last[1] = place;
            }
            self.last.push(last);
        }
    }

    /// Something that lies over a place, which is one of these itself.
    fn over(&self, start: u64, size: u64) -> Option<What> {
        let end = start.saturating_add(size);
        let before = self.places.partition_point(|other| other.start < end);
        let [first, second] = self.last.get(before.checked_sub(1)?)?;
        // Of two that reach into it, one is another.
        let is_over = size > 0 && second.end > start;
        is_over.then(|| if (first.start, first.end) == (start, end) { second.what } else { first.what })
    }
}

pub(super) fn is_elf(data: &[u8]) -> bool {
    data.starts_with(&ELFMAG)
}

impl<'a> Elf<'a> {
    pub(super) fn parse(data: &'a [u8]) -> Result<Self, Fault> {
        let left = data.len() as u64;
        if left < HEADER_SIZE {
            return Err(Fault::new(0, Reason::Truncated { what: "the ELF header", need: HEADER_SIZE, left }));
        }
        if data[4] != ELFCLASS64 {
            return Err(Fault::new(4, Reason::Elf32));
        }
        if data[5] != ELFDATA2LSB {
            return Err(Fault::new(5, Reason::BigEndian));
        }
        let header = FileHeader64::<LE>::parse(data).map_err(|error| Fault::elf(0, error.to_string()))?;
        // A table behind the end is a wrong field of the header.
        let table = Some(header.e_shoff(LE)).filter(|&at| at <= left).unwrap_or(TABLE_FIELD);
        let sections = header.section_headers(LE, data).map_err(|error| {
            Fault::elf(table, format!("section header table: {error} (the file has {left} bytes)"))
        })?;
        let strings = header
            .section_strings(LE, data, sections)
            .map_err(|error| Fault::elf(table, error.to_string()))?;
        Ok(Self { data, header, sections: SectionTable::new(sections, strings) })
    }

    pub(super) fn flags(&self) -> u32 {
        self.header.e_flags(LE)
    }

    pub(super) fn abi_version(&self) -> u8 {
        self.header.e_ident.abi_version
    }

    /// True if there is a table of sections at all.
    pub(super) fn has_sections(&self) -> bool {
        self.sections.iter().len() > 0
    }

    /// The sections of that name, in the order of the file's table. Where none is found and a name
    /// could not be read, the section may be there all the same: an error.
    pub(super) fn sections(&self, name: &str) -> Result<Vec<&'a SectionHeader64<LE>>, Fault> {
        let found = self.sections_where(name, |bytes| bytes == name.as_bytes())?;
        Ok(found.into_iter().map(|(_, section)| section).collect())
    }

    /// Sections with one of several names, found likewise; errors call them `what`.
    pub(super) fn sections_where(
        &self,
        what: &str,
        wanted: impl Fn(&[u8]) -> bool,
    ) -> Result<Vec<NamedSection<'a>>, Fault> {
        let mut found = Vec::new();
        let mut unreadable = None;
        for (index, section) in self.sections.enumerate() {
            match self.sections.section_name(LE, section) {
                Ok(name) if wanted(name) => found.push((name, section)),
                Ok(_) => {}
                Err(error) => unreadable = unreadable.or(Some((index, error))),
            }
        }
        match unreadable {
            Some((index, error)) if found.is_empty() => Err(Fault::elf(
                self.header.e_shoff(LE),
                format!("name of section {}: {error}, so {what} may be missed", index.0),
            )),
            _ => Ok(found),
        }
    }

    /// The places of everything in the file.
    fn extents(&self) -> Extents {
        let table = self.sections.iter().len() as u64 * SECTION_HEADER_SIZE;
        let mut extents = Extents::default();
        extents.add(0, HEADER_SIZE, What::Header);
        extents.add(self.header.e_shoff(LE), table, What::Table);
        for (index, section) in self.sections.enumerate() {
            if !matches!(section.sh_type(LE), SHT_NULL | SHT_NOBITS) {
                extents.add(section.sh_offset(LE), section.sh_size(LE), What::Section(index.0));
            }
        }
        extents.sort();
        extents
    }

    fn name_of(&self, what: What) -> String {
        match what {
            What::Header => "the ELF header".to_owned(),
            What::Table => "the section header table".to_owned(),
            What::Section(index) => {
                let section = self.sections.section(object::SectionIndex(index));
                let name = section.and_then(|section| self.sections.section_name(LE, section));
                format!("section {}", String::from_utf8_lossy(name.unwrap_or_default()))
            }
        }
    }

    /// Contents of all sections of that name, in the order of the file's table. One that lies over something else, or
    /// cannot be read, is a fault in its place: each would be read again, and a small file could cost unbounded time.
    pub(super) fn all_contents(&self, name: &str) -> Result<Vec<Result<&'a [u8], Fault>>, Fault> {
        let sections = self.sections(name)?;
        if sections.is_empty() {
            return Ok(Vec::new());
        }
        let extents = self.extents();
        let read = |header: &'a SectionHeader64<LE>| {
            let section = self.contents(name, header)?;
            let (start, size) = (header.sh_offset(LE), header.sh_size(LE));
            match extents.over(start, size) {
                None => Ok(section),
                Some(what) => {
                    let other = self.name_of(what);
                    Err(Fault::elf(start, format!("{name} ({size} bytes) and {other} overlap")))
                }
            }
        };
        Ok(sections.into_iter().map(read).collect())
    }

    /// Contents of a section.
    pub(super) fn contents(&self, name: &str, section: &SectionHeader64<LE>) -> Result<&'a [u8], Fault> {
        // What is said to be behind the end is a wrong field of its header.
        let offset = section.sh_offset(LE);
        let place = if offset <= self.data.len() as u64 { offset } else { self.header.e_shoff(LE) };
        if section.sh_flags(LE) & u64::from(SHF_COMPRESSED) != 0 {
            return Err(Fault::new(place, Reason::CompressedSection { section: name.to_owned() }));
        }
        section.data(LE, self.data).map_err(|_| {
            let (size, file) = (section.sh_size(LE), self.data.len());
            Fault::elf(place, format!("{name} takes {size} bytes at {offset:#x}, the file has {file}"))
        })
    }

    /// The first symbol table of that type (`SHT_SYMTAB` or `SHT_DYNSYM`), empty where there is none.
    pub(super) fn symbol_table(&self, sh_type: u32) -> Result<SymbolTable<'a, FileHeader64<LE>>, Fault> {
        self.sections
            .symbols(LE, self.data, sh_type)
            .map_err(|error| Fault::elf(self.header.e_shoff(LE), format!("symbol table: {error}")))
    }

    /// The section that a symbol is in, where there is such a section.
    pub(super) fn section(&self, index: object::SectionIndex) -> Option<&'a SectionHeader64<LE>> {
        self.sections.section(index).ok()
    }

    /// The descriptor of the first note of that owner and type, wherever it is.
    pub(super) fn note(&self, owner: &[u8], n_type: u32) -> Option<&'a [u8]> {
        for section in self.sections.iter() {
            let Ok(Some(mut notes)) = section.notes(LE, self.data) else { continue };
            while let Ok(Some(note)) = notes.next() {
                if note.name() == owner && note.n_type(LE) == n_type {
                    return Some(note.desc());
                }
            }
        }
        None
    }
}
