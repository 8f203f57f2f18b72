//! Offload binaries: what clang-offload-packager (llvm-offload-binary) writes, and what is in
//! `.llvm.offloading` sections.
//!
//! ```text
//! header   10 FF 10 AD, version u32 (1), size u64, offset and size of the entry u64
//! entry    kind of image u16, kind of offloading u16, flags u32, offset and number of strings u64,
//!          offset and size of the image u64
//! string   offsets of a key and of its value u64; both end with a NUL
//! ```
//!
//! All offsets are from the header. Each image has a header of its own; several binaries lie behind each
//! other.

use std::ops::Range;

use memchr::{memchr, memmem};

use super::error::{Fault, Reason};

pub(super) const MAGIC: &[u8] = b"\x10\xFF\x10\xAD";
const HEADER: usize = 32;
const ENTRY: usize = 40;
/// More strings, and longer ones, no tool writes.
const STRING_LIMIT: u64 = 64;
const STRING_SIZE_LIMIT: usize = 4096;

/// One image.
#[derive(Debug)]
pub(super) struct Image {
    /// `hip-amdgcn-amd-amdhsa--gfx1030`, as bundle entries are called.
    pub(super) id: String,
    /// From the start of the searched bytes.
    pub(super) range: Range<usize>,
}

pub(super) fn starts(data: &[u8]) -> bool {
    data.starts_with(MAGIC)
}

/// Finds the start of the next binary, at `at` or after it.
pub(super) fn find(data: &[u8], at: usize) -> Option<usize> {
    memmem::find(data.get(at..)?, MAGIC).map(|found| at + found)
}

/// Reads the binary at `start`; besides, where it ends, or where to look for the next.
pub(super) fn read(data: &[u8], start: usize) -> (Result<Image, Fault>, usize) {
    let binary = &data[start..];
    let mut end = start + MAGIC.len();
    let result = image(binary, start, &mut end).map_err(|fault| fault.shifted(start as u64));
    (result, end)
}

fn image(binary: &[u8], start: usize, end: &mut usize) -> Result<Image, Fault> {
    let whole = binary.len();
    let number = |what: &'static str, at: usize, size: usize| match binary.get(at..at.saturating_add(size)) {
        Some(bytes) => Ok(bytes.iter().rev().fold(0, |number: u64, &byte| number << 8 | u64::from(byte))),
        None => {
            let left = whole.saturating_sub(at) as u64;
            Err(Fault::new(at as u64, Reason::Truncated { what, need: size as u64, left }))
        }
    };
    let wrong = |at: usize, what: String| Fault::new(at as u64, Reason::Packager(what));
    // A part of the binary: nothing in it reaches behind its own size.
    let part = |what: &str, at: usize, offset: u64, size: u64, limit: usize| -> Result<Range<usize>, Fault> {
        let end = offset.checked_add(size).filter(|&end| end <= limit as u64);
        match end {
            Some(end) => Ok(offset as usize..end as usize),
            None => Err(wrong(at, format!("{what}: {size} bytes at {offset:#x} of {limit}"))),
        }
    };
    let header = "the header of an offload binary";
    let version = number(header, 4, 4)?;
    if version != 1 {
        return Err(wrong(4, format!("version {version} is not known; version 1 is")));
    }
    let size = number(header, 8, 8)?;
    let size = part("the binary", 8, 0, size, whole)?.end;
    if size < HEADER {
        return Err(wrong(8, format!("it says that it takes {size} bytes, its header alone takes {HEADER}")));
    }
    *end = start + size;
    let entry = part("the entry", 16, number(header, 16, 8)?, ENTRY as u64, size)?.start;
    let in_entry = "the entry of an offload binary";
    let kind = number(in_entry, entry + 2, 2)?;
    let (strings, count) = (number(in_entry, entry + 8, 8)?, number(in_entry, entry + 16, 8)?);
    let image = (number(in_entry, entry + 24, 8)?, number(in_entry, entry + 32, 8)?);
    let range = part("the image", entry + 24, image.0, image.1, size)?;
    if count > STRING_LIMIT {
        return Err(wrong(entry + 16, format!("it has {count} strings, more than {STRING_LIMIT}")));
    }
    let strings = part("the strings", entry + 8, strings, count * 16, size)?;
    let text = |offset: u64| -> Option<String> {
        let rest = binary[..size].get(usize::try_from(offset).ok()?..)?;
        let rest = &rest[..rest.len().min(STRING_SIZE_LIMIT)];
        Some(String::from_utf8_lossy(&rest[..memchr(0, rest)?]).into_owned())
    };
    let (mut triple, mut arch) = (String::new(), String::new());
    for at in strings.step_by(16) {
        let (key, value) = (number(in_entry, at, 8)?, number(in_entry, at + 8, 8)?);
        let (Some(key), Some(value)) = (text(key), text(value)) else {
            return Err(wrong(at, "a string does not end in it".to_owned()));
        };
        match key.as_str() {
            "triple" => triple = value,
            "arch" => arch = value,
            _ => {}
        }
    }
    let kind = match kind {
        1 => "openmp",
        2 => "cuda",
        // 3 up to LLVM 19.
        3 | 4 => "hip",
        _ => "offload",
    };
    Ok(Image { id: format!("{kind}-{triple}--{arch}"), range: start + range.start..start + range.end })
}
