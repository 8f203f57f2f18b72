//! One code object.

use std::path::{Path, PathBuf};

use object::elf::EM_AMDGPU;

use super::elf::{self, Elf};
use super::error::{Error, Fault, Reason};
use super::funcmap::{self, CodeObjectFuncmap};
use super::symbols::{KernelSymbol, Symbols};
use super::target;

/// An AMDGPU code object in the bytes of a [`Binary`](super::Binary).
pub struct CodeObject<'a> {
    pub(super) name: String,
    pub(super) entry: Option<String>,
    file: PathBuf,
    offset: u64,
    bytes: &'a [u8],
    elf: Elf<'a>,
}

impl<'a> CodeObject<'a> {
    /// `bytes` start at `offset` of `file`; `entry` is the id of the bundle entry that they are.
    pub(super) fn parse(
        file: &Path,
        offset: u64,
        entry: Option<String>,
        bytes: &'a [u8],
    ) -> Result<Self, Error> {
        let in_file = |fault: Fault| fault.shifted(offset).in_file(file);
        let not_one = |what| {
            let entry = entry.clone().unwrap_or_default();
            in_file(Fault::new(0, Reason::NotACodeObject { entry, what }))
        };
        if !elf::is_elf(bytes) {
            return Err(not_one(match bytes {
                [b'B', b'C', 0xC0, 0xDE, ..] => "LLVM bitcode (device code that is not linked yet)",
                [] => "nothing",
                _ => "no ELF file",
            }));
        }
        let elf = Elf::parse(bytes).map_err(in_file)?;
        if elf.machine() != EM_AMDGPU {
            return Err(not_one("an ELF file for another machine"));
        }
        let name = match &entry {
            Some(entry) => format!("{}#{entry}", file.display()),
            None => file.display().to_string(),
        };
        Ok(Self { name, entry, file: file.to_owned(), offset, bytes, elf })
    }

    /// A name that is unique among the code objects of the file: the file's name, and for a bundle
    /// entry `#` and its id. Where an id comes more than once, `@` and the entry's byte in the file
    /// follow: `libapp.so#hipv4-amdgcn-amd-amdhsa--gfx1030@0x3000`.
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

    /// Where in the file it starts.
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// The code object itself, an ELF file.
    #[must_use]
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// The GPU it is for, such as `gfx1201` or `gfx90a:sramecc+:xnack-`: the processor and the
    /// features that it fixes, from its ELF header, or from its metadata where the processor is newer
    /// than this crate. `None` where neither says.
    #[must_use]
    pub fn target(&self) -> Option<String> {
        target::of(&self.elf)
    }

    /// Its kernels, by address; none where its symbols cannot be read.
    #[must_use]
    pub fn kernels(&self) -> Vec<KernelSymbol> {
        Symbols::read(&self.elf).kernels()
    }

    /// Its funcmap, with the addresses of what it names.
    ///
    /// # Errors
    ///
    /// Where the ELF file is too broken to say what its section holds. No section is no error.
    pub fn funcmap(&self) -> Result<CodeObjectFuncmap, Error> {
        funcmap::read(&self.elf, self.name.clone(), self.target())
            .map_err(|fault| fault.shifted(self.offset).in_file(&self.file))
    }
}
