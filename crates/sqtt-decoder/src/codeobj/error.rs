//! Why a file, or a part of it, could not be read.

use std::io;
use std::path::{Path, PathBuf};

/// What is wrong, in which file, and where in it.
///
/// Printed as `app: at byte 0x1040: truncated: …`.
#[derive(Debug, thiserror::Error)]
#[error("{}{}: {reason}", file.display(), offset.map(|at| format!(": at byte {at:#x}")).unwrap_or_default())]
pub struct Error {
    /// The file, as it was named.
    pub file: PathBuf,
    /// Byte of the file where the trouble is, if it is at one.
    pub offset: Option<u64>,
    /// What is wrong.
    pub reason: Reason,
}

/// What is wrong with a file or with a part of it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Reason {
    /// The system did not let us read.
    #[error("{0}")]
    Io(io::Error),
    /// Something that is not a file, and longer than we take of such things.
    #[error("longer than {limit} bytes and not a regular file: save it to a file first")]
    EndlessInput {
        /// How much is read of a pipe or device.
        limit: u64,
    },
    /// No format that is read here.
    #[error("neither an ELF file nor a clang offload bundle: it starts with \"{start}\"")]
    UnknownFormat {
        /// The first bytes, escaped.
        start: String,
    },
    /// The file ends too early.
    #[error("truncated: {what} takes {need} bytes, {left} are left")]
    Truncated {
        /// What is cut off.
        what: &'static str,
        /// Its size.
        need: u64,
        /// What there is of it.
        left: u64,
    },
    /// A 32-bit ELF file.
    #[error("a 32-bit ELF file: code objects and the programs that carry them are 64-bit")]
    Elf32,
    /// An ELF file of the other byte order.
    #[error("a big-endian ELF file: code objects and the programs that carry them are little-endian")]
    BigEndian,
    /// An ELF header or table that contradicts itself.
    #[error("malformed ELF file: {0}")]
    Elf(String),
    /// A section that needs unpacking first.
    #[error("section {section} is compressed (SHF_COMPRESSED): rewrite it with --decompress-debug-sections")]
    CompressedSection {
        /// Its name.
        section: String,
    },
    /// A host program without device code.
    #[error(
        "neither a code object nor a host program with HIP kernels: an ELF file for machine {machine} without a .hip_fatbin section"
    )]
    NoFatbin {
        /// Its `e_machine`.
        machine: u16,
    },
    /// An offload bundle that cannot be what it says.
    #[error("malformed offload bundle: {0}")]
    Bundle(String),
    /// A compressed offload bundle.
    #[error(
        "a compressed offload bundle (CCOB version {version}), which is not supported yet: build with --no-offload-compress"
    )]
    CompressedBundle {
        /// The version of its header.
        version: u16,
    },
    /// A bundle entry that holds no code object.
    #[error("bundle entry {entry} holds {what}, not an AMDGPU code object")]
    NotACodeObject {
        /// The entry's id.
        entry: String,
        /// What it holds.
        what: &'static str,
    },
    /// A container without any device code.
    #[error("no code object inside")]
    Empty,
}

/// A reason with its place in the bytes at hand: not yet in the file.
#[derive(Debug)]
pub(super) struct Fault {
    pub(super) offset: u64,
    pub(super) reason: Reason,
}

impl Fault {
    pub(super) fn new(offset: u64, reason: Reason) -> Self {
        Self { offset, reason }
    }

    pub(super) fn elf(offset: u64, what: String) -> Self {
        Self::new(offset, Reason::Elf(what))
    }

    /// The same fault in bytes that the ones at hand start at `base` of.
    pub(super) fn shifted(mut self, base: u64) -> Self {
        self.offset = self.offset.saturating_add(base);
        self
    }

    pub(super) fn in_file(self, file: &Path) -> Error {
        Error { file: file.to_owned(), offset: Some(self.offset), reason: self.reason }
    }
}
