//! A 64-bit little-endian ELF file, section by section.
//!
//! The `object` crate checks every bound; this module adds the place to what it complains of.

use object::LittleEndian as LE;
use object::elf::{ELFCLASS64, ELFDATA2LSB, ELFMAG, FileHeader64, SHF_COMPRESSED, SectionHeader64};
use object::read::elf::{FileHeader as _, SectionHeader as _, SectionTable, SymbolTable};

use super::error::{Fault, Reason};

/// Size of the ELF header.
const HEADER_SIZE: u64 = 64;

pub(super) struct Elf<'a> {
    data: &'a [u8],
    header: &'a FileHeader64<LE>,
    sections: SectionTable<'a, FileHeader64<LE>>,
}

/// The contents of one section and where they start in the file.
pub(super) struct Section<'a> {
    pub(super) offset: u64,
    pub(super) data: &'a [u8],
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
        let table = header.e_shoff(LE);
        let sections = header.section_headers(LE, data).map_err(|error| {
            Fault::elf(table, format!("section header table: {error} (the file has {left} bytes)"))
        })?;
        let strings = header
            .section_strings(LE, data, sections)
            .map_err(|error| Fault::elf(table, error.to_string()))?;
        Ok(Self { data, header, sections: SectionTable::new(sections, strings) })
    }

    pub(super) fn machine(&self) -> u16 {
        self.header.e_machine(LE)
    }

    pub(super) fn flags(&self) -> u32 {
        self.header.e_flags(LE)
    }

    pub(super) fn abi_version(&self) -> u8 {
        self.header.e_ident.abi_version
    }

    /// The sections of that name, in the order of the file's table. Where none is found and a name
    /// could not be read, the section may be there all the same: an error.
    pub(super) fn sections(&self, name: &str) -> Result<Vec<&'a SectionHeader64<LE>>, Fault> {
        let mut found = Vec::new();
        let mut unreadable = None;
        for (index, section) in self.sections.enumerate() {
            match self.sections.section_name(LE, section) {
                Ok(bytes) if bytes == name.as_bytes() => found.push(section),
                Ok(_) => {}
                Err(error) => unreadable = unreadable.or(Some((index, error))),
            }
        }
        match unreadable {
            Some((index, error)) if found.is_empty() => Err(Fault::elf(
                self.header.e_shoff(LE),
                format!("name of section {}: {error}, so {name} may be missed", index.0),
            )),
            _ => Ok(found),
        }
    }

    /// What is in a section.
    pub(super) fn contents(&self, name: &str, section: &SectionHeader64<LE>) -> Result<Section<'a>, Fault> {
        let offset = section.sh_offset(LE);
        if section.sh_flags(LE) & u64::from(SHF_COMPRESSED) != 0 {
            return Err(Fault::new(offset, Reason::CompressedSection { section: name.to_owned() }));
        }
        let data = section.data(LE, self.data).map_err(|_| {
            let (size, file) = (section.sh_size(LE), self.data.len());
            Fault::elf(offset, format!("{name} takes {size} bytes, the file has {file}"))
        })?;
        Ok(Section { offset, data })
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
