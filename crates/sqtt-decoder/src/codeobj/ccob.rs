//! Compressed offload bundles.
//!
//! ```text
//!                     version 1   version 2   version 3
//! "CCOB"                  4 bytes, then little-endian numbers
//! version                 u16         u16         u16
//! method (0 zlib, 1 zstd) u16         u16         u16
//! size of all             –           u32         u64
//! size unpacked           u32         u32         u64
//! hash                    u64         u64         u64     the first 8 bytes of the MD5 of what is unpacked
//! ```
//!
//! The rest is one zlib stream, or one or more zstd frames, between which frames may be that are to be skipped
//! (RFC 8878, 3.1.2); unpacked it is an offload bundle. Version 1 ends where its stream ends.

use super::error::{Fault, Reason};
use super::inflate::{decompress, hash};

pub(super) const MAGIC: &[u8] = b"CCOB";
/// Magic, version and method.
const FIXED: usize = 8;

/// Result of unpacking a compressed bundle.
pub(super) struct UnpackedBundle {
    /// Unpacked bytes, where that could be found out.
    pub(super) data: Option<Vec<u8>>,
    /// Everything wrong, also where something was unpacked; offsets from the magic.
    pub(super) faults: Vec<Fault>,
    /// Place to look for the next bundle, from the magic.
    pub(super) end: usize,
    /// Bytes read and written.
    pub(super) work: u64,
}

#[derive(Debug)]
struct CcobHeader {
    version: u16,
    method: u16,
    /// Size of this header.
    size: usize,
    /// Size of the whole bundle.
    total: Option<u64>,
    unpacked: u64,
    hash: [u8; 8],
}

/// True if a compressed bundle starts here: four letters alone may be anything, so version and method have to
/// look like such.
pub(super) fn starts(data: &[u8]) -> bool {
    matches!(data.strip_prefix(MAGIC), Some(&[1..=15, 0, 0..=15, 0, ..]))
}

/// True if something begins with a compressed bundle, of whose header one number may be damaged.
pub(super) fn starts_damaged(data: &[u8]) -> bool {
    matches!(data.strip_prefix(MAGIC), Some(&([1..=15, 0, _, _, ..] | [_, _, 0..=15, 0, ..])))
}

/// Unpacks the bundle at the start of `data`, which may go on behind it; at most `limit` bytes.
pub(super) fn unpack(data: &[u8], limit: u64) -> UnpackedBundle {
    let mut out = UnpackedBundle { data: None, faults: Vec::new(), end: MAGIC.len(), work: 0 };
    let header = match header(data) {
        Ok(header) => header,
        Err(fault) => {
            out.faults.push(fault);
            return out;
        }
    };
    let version = header.version;
    let mut fault = |offset: usize, what: String| {
        out.faults.push(Fault::new(offset as u64, Reason::CompressedBundle { version, what }));
    };
    let mut end = data.len();
    if let Some(total) = header.total {
        match usize::try_from(total).ok().filter(|&total| total >= header.size && total <= data.len()) {
            Some(total) => {
                end = total;
                out.end = total;
            }
            None => {
                let there = data.len();
                fault(FIXED, format!("it says that it takes {total} bytes, of {there} that there are"));
            }
        }
    }
    if header.unpacked > limit {
        let unpacked = header.unpacked;
        fault(
            FIXED,
            format!(
                "it says that it unpacks to {unpacked} bytes; of a file of this size at most {limit} are unpacked"
            ),
        );
        return out;
    }
    let stream = &data[header.size..end];
    let mut unpacked = Vec::new();
    let (result, consumed) = decompress(header.method, header.unpacked, stream, &mut unpacked);
    out.work = (consumed + unpacked.len()) as u64;
    if let Err(error) = result {
        let method = if header.method == 0 { "zlib" } else { "zstd" };
        fault(header.size, format!("its {method} stream cannot be unpacked: {error}"));
        return out;
    }
    if unpacked.len() as u64 != header.unpacked {
        // One byte more than announced is enough to know.
        let (says, more) = (header.unpacked, unpacked.len() as u64 > header.unpacked);
        let gives = if more { "more".to_owned() } else { format!("{} bytes", unpacked.len()) };
        fault(FIXED, format!("it says that it unpacks to {says} bytes, and its stream gives {gives}"));
        return out;
    }
    if header.total.is_none() || out.end == MAGIC.len() {
        out.end = header.size + consumed;
    } else if stream[consumed..].iter().any(|&byte| byte != 0) {
        let (says, needs) = (end, header.size + consumed);
        fault(FIXED, format!("it says that it takes {says} bytes, and its stream ends after {needs}"));
        out.end = needs;
    }
    let hash = hash(&unpacked);
    if hash != header.hash {
        let (found, says) = (hex(&hash), hex(&header.hash));
        let what =
            format!("what it unpacks to has the hash {found}, and it says {says}; it is read all the same");
        fault(header.size - 8, what);
    }
    out.data = Some(unpacked);
    out
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn header(data: &[u8]) -> Result<CcobHeader, Fault> {
    let number = |from: usize, size: usize| -> Option<u64> {
        let bytes = data.get(from..from + size)?;
        Some(bytes.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte)))
    };
    let cut = |need: usize| {
        let (what, left) = ("the header of a compressed offload bundle", data.len() as u64);
        Fault::new(0, Reason::Truncated { what, need: need as u64, left })
    };
    let version = number(4, 2).ok_or_else(|| cut(FIXED))? as u16;
    let method = number(6, 2).ok_or_else(|| cut(FIXED))? as u16;
    let unknown = |offset, what: String| Fault::new(offset, Reason::CompressedBundle { version, what });
    let width = match version {
        1 => 0,
        2 => 4,
        3 => 8,
        _ => return Err(unknown(4, "this version is not known; versions 1, 2 and 3 are".to_owned())),
    };
    if method > 1 {
        return Err(unknown(6, format!("compression method {method} is neither zlib (0) nor zstd (1)")));
    }
    let unpacked_width = width.max(4);
    let size = FIXED + width + unpacked_width + 8;
    let total = if width == 0 { None } else { Some(number(FIXED, width).ok_or_else(|| cut(size))?) };
    let unpacked = number(FIXED + width, unpacked_width).ok_or_else(|| cut(size))?;
    let hash = data.get(size - 8..size).and_then(|hash| hash.try_into().ok()).ok_or_else(|| cut(size))?;
    Ok(CcobHeader { version, method, size, total, unpacked, hash })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_damaged_header_is_one_where_a_bundle_belongs() {
        assert!(starts_damaged(b"CCOB\x03\0\x01\0") && starts_damaged(b"CCOB\0\0\x01\0"));
        assert!(starts_damaged(b"CCOB\xFF\xFF\x01\0") && starts_damaged(b"CCOB\x03\0\xFF\xFF"));
        assert!(!starts_damaged(b"CCOBALTS and so on") && !starts_damaged(b"CCOB"));
    }

    #[test]
    fn four_letters_are_no_bundle() {
        assert!(!starts(b"CCOB"));
        assert!(!starts(b"CCOBALTS and so on"));
        assert!(!starts(b"CCOB\0\0\0\0"));
        assert!(starts(b"CCOB\x03\0\x01\0"));
        assert!(starts(b"CCOB\x04\0\x01\0"));
    }
}
