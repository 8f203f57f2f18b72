//! The bytes of a file: mapped where it is a regular file, read where it is a pipe or device.
//!
//! This is the only module with `unsafe` code: mapping a file is unsafe because another process may
//! change it meanwhile. See the SAFETY comment.
#![cfg_attr(
    feature = "mmap",
    expect(unsafe_code, reason = "memory-mapping has no safe interface; fat binaries reach gigabytes")
)]

use std::fs::File;
use std::io::{self, Read};
use std::ops::Deref;
use std::path::Path;

use super::error::Reason;

/// Bytes read of something that is not a regular file.
const STREAM_LIMIT: u64 = 1 << 30;

/// The bytes of a file that was opened for reading.
#[derive(Debug)]
pub(super) enum Input {
    #[cfg(feature = "mmap")]
    Mapped(memmap2::Mmap),
    Read(Vec<u8>),
}

impl Input {
    pub(super) fn open(path: &Path) -> Result<Self, Reason> {
        let file = File::open(path).map_err(Reason::Io)?;
        let metadata = file.metadata().map_err(Reason::Io)?;
        if metadata.is_dir() {
            return Err(Reason::Io(io::ErrorKind::IsADirectory.into()));
        }
        #[cfg(feature = "mmap")]
        if metadata.is_file() && metadata.len() > 0 {
            // SAFETY: The mapping is private to this value, read-only, and never lent out as anything
            // but `&[u8]`, every value of which is valid. A file that another process truncates while
            // it is mapped raises SIGBUS, and one that it rewrites changes under the parser; no parser
            // here keeps a length or offset checked against one read of a byte and used after another
            // without bounds checks, so the worst outcome is an error, a wrong name, or SIGBUS.
            let mapping = unsafe { memmap2::Mmap::map(&file) };
            return mapping.map(Input::Mapped).map_err(Reason::Io);
        }
        let limit = if metadata.is_file() { metadata.len().max(STREAM_LIMIT) } else { STREAM_LIMIT };
        let mut bytes = Vec::new();
        file.take(limit + 1).read_to_end(&mut bytes).map_err(Reason::Io)?;
        if bytes.len() as u64 > limit {
            return Err(Reason::EndlessInput { limit });
        }
        Ok(Input::Read(bytes))
    }
}

impl Deref for Input {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            #[cfg(feature = "mmap")]
            Input::Mapped(mapping) => mapping,
            Input::Read(bytes) => bytes,
        }
    }
}
