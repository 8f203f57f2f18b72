//! The extent of a code image of which C gives the begin alone.

use crate::raw::span;

/// Magic numbers: a bundle of clang-offload-bundler, a compressed one, an ELF file.
const BUNDLE: &[u8] = b"__CLANG_OFFLOAD_BUNDLE__";
const COMPRESSED: &[u8] = b"CCOB";
const ELF: &[u8] = b"\x7fELF";

/// Entries of a bundle and sections of a file are fewer.
const MAX_ENTRIES: u64 = 1 << 16;

/// The bytes of the image at an address: those that its own header says.
pub(crate) fn at(address: usize) -> Result<Vec<u8>, String> {
    let start = span::read(address, 4);
    let length = match &start[..] {
        COMPRESSED => compressed(address)?,
        ELF => elf(address)?,
        _ if span::read(address, BUNDLE.len()) == BUNDLE => bundle(address)?,
        other => {
            return Err(format!("neither an offload bundle nor an ELF file: it begins with {other:02x?}"));
        }
    };
    Ok(span::read(address, length))
}

fn number(address: usize, bytes: usize) -> u64 {
    span::read(address, bytes).iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte))
}

fn sane(length: u64) -> Result<usize, String> {
    usize::try_from(length)
        .ok()
        .filter(|&length| length < 1 << 40)
        .ok_or(format!("a length of {length} bytes"))
}

/// A bundle: a count, then per entry offset, size, length of the name, name.
fn bundle(address: usize) -> Result<usize, String> {
    let count = number(address + BUNDLE.len(), 8);
    if count > MAX_ENTRIES {
        return Err(format!("a bundle of {count} entries"));
    }
    let mut entry = BUNDLE.len() + 8;
    let mut end = 0;
    for _ in 0..count {
        let [offset, size, name] = [0, 8, 16].map(|at| number(address + entry + at, 8));
        end = end.max(offset.saturating_add(size));
        entry += 24 + sane(name)?;
    }
    Ok(sane(end)?.max(entry))
}

/// A compressed bundle: magic, version, method; the size of the file from version 2 on.
fn compressed(address: usize) -> Result<usize, String> {
    match number(address + 4, 2) {
        2 => sane(number(address + 8, 4)),
        3 => sane(number(address + 8, 8)),
        // Its end is not written down: the rest of the file's mapping is read, of which a reader takes its part.
        1 => {
            let all = crate::place::mappings();
            let own = all.iter().find(|mapping| mapping.range.contains(&address));
            own.map(|mapping| mapping.range.end - address).ok_or("compressed, without its size".to_owned())
        }
        other => Err(format!("a compressed bundle of version {other}; 1 to 3 are known")),
    }
}

/// An ELF file of 64 bits: the end of its section headers, of its sections, and of its segments.
fn elf(address: usize) -> Result<usize, String> {
    let (segments, sections) = (number(address + 32, 8), number(address + 40, 8));
    let [segment, segment_count, section, section_count] = [54, 56, 58, 60].map(|at| number(address + at, 2));
    let mut end = sections + section * section_count;
    for index in 0..section_count {
        let header = address + sane(sections + section * index)?;
        // SHT_NOBITS takes no room in the file.
        if number(header + 4, 4) != 8 {
            end = end.max(number(header + 24, 8).saturating_add(number(header + 32, 8)));
        }
    }
    for index in 0..segment_count {
        let header = address + sane(segments + segment * index)?;
        end = end.max(number(header + 8, 8).saturating_add(number(header + 32, 8)));
    }
    sane(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bundle_ends_with_its_last_entry() {
        let mut bytes = BUNDLE.to_vec();
        for number in [1u64, 64, 8, 3] {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend(b"abc");
        bytes.resize(100, 9);
        let found = at(bytes.as_ptr() as usize).unwrap();
        assert_eq!(found, bytes[..72]);
        assert!(at(b"nothing of the kind ........".as_ptr() as usize).is_err());
    }
}
