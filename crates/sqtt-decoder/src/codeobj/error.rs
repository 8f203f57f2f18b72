//! Why a file, or a part of it, could not be read.

use std::io;
use std::path::{Path, PathBuf};

/// A fault, with its file and its place in it.
///
/// Printed as `app: at byte 0x1040: truncated: …`, in an archive as `lib.a(member.o): at byte …`, and in what
/// the compressed bundle at a byte unpacks to as `app: at byte 0x1000, unpacked byte 0x40: …`.
#[derive(Debug, thiserror::Error)]
#[error("{}{member}{}: {reason}", file.display(), place(*offset, *unpacked))]
#[non_exhaustive]
pub struct Error {
    /// The file, as it was named.
    pub file: PathBuf,
    /// The member of an archive, `(member.o)`, and those of archives in it; empty outside of archives.
    pub member: Box<str>,
    /// Byte of the file where the trouble is, if it is at one. In a compressed bundle: where that starts.
    pub offset: Option<u64>,
    /// In a compressed bundle, the byte of what it unpacks to.
    pub unpacked: Option<u64>,
    /// The reason.
    pub reason: Reason,
}

fn place(offset: Option<u64>, unpacked: Option<u64>) -> String {
    match (offset, unpacked) {
        (Some(offset), Some(unpacked)) => format!(": at byte {offset:#x}, unpacked byte {unpacked:#x}"),
        (Some(offset), None) => format!(": at byte {offset:#x}"),
        (None, _) => String::new(),
    }
}

impl Error {
    /// An error of a file as a whole.
    pub(super) fn of_file(file: &Path, reason: Reason) -> Self {
        Self { file: file.to_owned(), member: Box::default(), offset: None, unpacked: None, reason }
    }
}

/// Faults of a file or of a part of it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Reason {
    /// The system did not let us read.
    #[error("{0}")]
    Io(io::Error),
    /// Something that is not a file, and longer than we take of such things.
    #[error("longer than {limit} bytes and not a regular file: save it to a file first")]
    EndlessInput {
        /// Bytes read of a pipe or device.
        limit: u64,
    },
    /// Nothing to read.
    #[error("the file is empty")]
    EmptyFile,
    /// No format that is read here.
    #[error(
        "neither an ELF file nor a clang offload bundle, nor an archive, COFF, PE or Mach-O file: it starts with \"{start}\""
    )]
    UnknownFormat {
        /// The first bytes, escaped.
        start: String,
    },
    /// The file ends too early.
    #[error("truncated: {what} takes {need} bytes, {left} are left")]
    Truncated {
        /// The part that is cut off.
        what: &'static str,
        /// Its size.
        need: u64,
        /// Bytes left of it.
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
        "neither a code object nor a host program with HIP kernels: {what} without a .hip_fatbin or .llvm.offloading section"
    )]
    NoFatbin {
        /// The file's format.
        what: String,
    },
    /// A COFF, PE or Mach-O file, or an archive, that contradicts itself.
    #[error("malformed {format}: {what}")]
    Malformed {
        /// The format's name.
        format: &'static str,
        /// The fault.
        what: String,
    },
    /// An archive that only names its members.
    #[error("a thin archive, whose members are files of their own: name those instead, such as {member}")]
    ThinArchive {
        /// The first of them.
        member: String,
    },
    /// An offload bundle that cannot be what it says.
    #[error("malformed offload bundle: {0}")]
    Bundle(String),
    /// A binary of clang-offload-packager that cannot be what it says.
    #[error("malformed offload binary: {0}")]
    Packager(String),
    /// A compressed offload bundle that cannot be unpacked, or is not what it says.
    #[error("compressed offload bundle (CCOB version {version}): {what}")]
    CompressedBundle {
        /// The version of its header.
        version: u16,
        /// The fault.
        what: String,
    },
    /// Containers in containers without an end.
    #[error("more than {limit} containers inside of each other")]
    TooDeep {
        /// Containers opened at most.
        limit: usize,
    },
    /// A bundle entry that holds no code object.
    #[error("{entry} holds {what}, not an AMDGPU code object")]
    NotACodeObject {
        /// `bundle entry` and its id.
        entry: String,
        /// Its contents.
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

    /// Moves the fault into bytes that the ones at hand start at `base` of.
    pub(super) fn shifted(mut self, base: u64) -> Self {
        self.offset = self.offset.saturating_add(base);
        self
    }
}
