//! One code object.

use std::path::{Path, PathBuf};

use super::elf::Elf;
use super::error::{Error, Fault};
use super::funcmap::{self, CodeObjectFuncmap};
use super::place::{Bytes, FilePlace};
use super::target;

/// An AMDGPU code object in the bytes of a [`Binary`](super::Binary).
#[derive(Clone, Debug)]
pub struct CodeObject<'a> {
    name: String,
    entry: Option<String>,
    file: PathBuf,
    member: String,
    offset: u64,
    unpacked: Option<u64>,
    bytes: Bytes<'a>,
}

impl<'a> CodeObject<'a> {
    /// `bytes` are at that place and are a code object as far as its header says.
    pub(super) fn parse(
        bytes: Bytes<'a>,
        place: &FilePlace<'_>,
        entry: Option<String>,
    ) -> Result<Self, Error> {
        Elf::parse(&bytes).map_err(|fault| place.error(fault))?;
        Ok(Self {
            name: format!("{}{}", place.file.display(), place.trail),
            entry,
            file: place.file.to_owned(),
            member: place.member.clone(),
            offset: place.offset,
            unpacked: place.unpacked,
            bytes,
        })
    }

    /// A name that is unique among the code objects of [`contents`](super::Binary::contents): the file's
    /// name, for the member of an archive `(member.o)`, and for a bundle entry `#` and its id. Where a name
    /// comes more than once, `@` and the entry's byte in the file follow:
    /// `libapp.so#hipv4-amdgcn-amd-amdhsa--gfx1030@0x3000`; in a compressed bundle the bundle's byte, `+`
    /// and the byte in what it unpacks to.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The id of the bundle entry that the code object is, such as
    /// `hipv4-amdgcn-amd-amdhsa--gfx1030`; `None` for a bare one.
    #[must_use]
    pub fn entry(&self) -> Option<&str> {
        self.entry.as_deref()
    }

    /// The file that it is in, as it was named.
    #[must_use]
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// Start in the file; if it was compressed, the start of the outermost compressed bundle.
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// If it was compressed, where it starts in what the compressed bundle unpacks to.
    #[must_use]
    pub fn unpacked_offset(&self) -> Option<u64> {
        self.unpacked
    }

    /// The code object itself, an ELF file.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The GPU it is for, such as `gfx1201` or `gfx90a:sramecc+:xnack-`: the processor and the
    /// features that it fixes, from its ELF header, or from its metadata where the processor is newer
    /// than this crate. `None` where neither says.
    #[must_use]
    pub fn target(&self) -> Option<String> {
        Elf::parse(&self.bytes).ok().and_then(|elf| target::of(&elf))
    }

    /// Its funcmap, with the addresses of what it names.
    ///
    /// # Errors
    ///
    /// Fails where the ELF file is too broken to say what its section holds. No section is no error.
    pub fn funcmap(&self) -> Result<CodeObjectFuncmap, Error> {
        let read = |elf: Elf<'_>| funcmap::read(&elf, self.name.clone(), target::of(&elf));
        Elf::parse(&self.bytes).and_then(read).map_err(|fault| self.error(fault))
    }

    fn error(&self, fault: Fault) -> Error {
        let place = FilePlace {
            file: &self.file,
            offset: self.offset,
            unpacked: self.unpacked,
            member: self.member.clone(),
            trail: String::new(),
            depth: 0,
        };
        place.error(fault)
    }

    /// Tells it apart from others of its name.
    pub(super) fn suffix(&self) -> String {
        match self.unpacked {
            Some(unpacked) => format!("@{:#x}+{unpacked:#x}", self.offset),
            None => format!("@{:#x}", self.offset),
        }
    }

    pub(super) fn set_name(&mut self, name: String) {
        self.name = name;
    }
}
