//! Bodies of the fuzz targets, and how inputs are made that get past magic numbers and hashes.

use md5::{Digest as _, Md5};
use sqtt_answers::NameStyle;
use sqtt_answers::funcmap::{FuncmapJson, write_funcmap_text};
use sqtt_decoder::codeobj::{Binary, CodeObject};
use sqtt_decoder::sqtt_format::{ConfigRecord, EntryKind, Funcmap};

/// Reads a file in every way there is: no panic, no control character in what is printed, and nothing
/// found is nothing without an error.
pub fn read_file(bytes: Vec<u8>) {
    let size = bytes.len();
    let binary = Binary::from_bytes("input", bytes);
    let contents = binary.contents();
    assert!(!contents.errors.is_empty() || !contents.code_objects.is_empty());
    for error in &contents.errors {
        let text = error.to_string();
        assert!(text.starts_with("input"), "{text}");
        assert!(
            error.offset.is_none_or(|offset| offset <= size as u64 || error.unpacked.is_some()),
            "{text} of {size}"
        );
    }
    contents.code_objects.iter().for_each(|code_object| read_code_object(code_object, size));
    let funcmaps = binary.funcmaps();
    assert_eq!(
        funcmaps.errors.len() + funcmaps.maps.len(),
        contents.errors.len() + contents.code_objects.len()
    );
}

fn read_code_object(code_object: &CodeObject<'_>, size: usize) {
    assert!(code_object.offset() <= size as u64);
    let _ = code_object.target();
    let Ok(named) = code_object.funcmap() else { return };
    let _ = named.lookup_maps();
    for demangle in [false, true] {
        let names = NameStyle { demangle, short: false };
        let mut text = Vec::new();
        write_funcmap_text(&mut text, &named, names).expect("a vector takes everything");
        let text = String::from_utf8(text).expect("what is printed is text");
        assert!(text.chars().all(|character| character == '\n' || !character.is_control()));
        serde_json::to_string(&FuncmapJson::new(&named, names)).expect("every map is JSON");
    }
    named.warnings.iter().for_each(|warning| drop(warning.to_string()));
}

/// Reads a section: what was read can be written, and then reads the same; the maps of a section are its entries.
pub fn read_funcmap(data: &[u8]) {
    let read = Funcmap::parse(data);
    for warning in &read.warnings {
        assert!(warning.to_string().chars().all(|character| !character.is_control()));
    }
    if !read.maps.is_empty() {
        assert!(read.maps.len() > 1);
        let rows = |map: &Funcmap| -> Vec<(Option<u32>, EntryKind, Vec<u8>)> {
            map.entries().iter().map(|entry| (entry.id(), entry.kind(), entry.name().to_vec())).collect()
        };
        assert_eq!(read.maps.iter().flat_map(rows).collect::<Vec<_>>(), rows(&read.map));
    }
    for map in read.maps.iter().chain([&read.map]) {
        let Ok(written) = map.to_bytes() else { continue };
        let again = Funcmap::parse(&written);
        assert!(again.maps.is_empty());
        assert_eq!(again.map.sorted_entries(), map.sorted_entries());
        assert_eq!(again.map.to_bytes().as_ref(), Ok(&written));
    }
    for word in data.chunks_exact(4).take(64) {
        let _ = read.map.decode(u32::from_le_bytes([word[0], word[1], word[2], word[3]]));
    }
    let _ = ConfigRecord::parse_all(data);
}

/// A compressed bundle whose header fits what follows it: by the first byte of `data` the version, the method, and
/// which of its fields are left wrong. The rest is the stream, or, stored in an uncompressed block, its contents.
#[must_use]
pub fn compressed_bundle(data: &[u8]) -> Vec<u8> {
    let Some((&choice, rest)) = data.split_first() else { return Vec::new() };
    let version = u16::from(choice & 3);
    let method = u16::from(choice >> 2 & 1);
    let (stored, wrong_hash, wrong_total) = (choice & 8 == 0, choice & 16 != 0, choice & 32 != 0);
    let rest = &rest[..rest.len().min(0xFFFF)];
    let size = if stored { rest.len() as u64 } else { u64::from(choice >> 6) << 10 };
    let stream = match (stored, method) {
        (false, _) => rest.to_vec(),
        (true, 0) => zlib(rest),
        (true, _) => zstd(rest),
    };
    let mut hash = Md5::digest(rest)[..8].to_vec();
    if wrong_hash {
        hash[0] ^= 1;
    }
    let mut out = b"CCOB".to_vec();
    out.extend(version.to_le_bytes());
    out.extend(method.to_le_bytes());
    let header: u64 = [20, 20, 24, 32][usize::from(version)];
    let total = header + stream.len() as u64 + u64::from(wrong_total);
    match version {
        2 => out.extend((total as u32).to_le_bytes()),
        3 => out.extend(total.to_le_bytes()),
        _ => {}
    }
    match version {
        3 => out.extend(size.to_le_bytes()),
        _ => out.extend((size as u32).to_le_bytes()),
    }
    out.extend(hash);
    out.extend(stream);
    out
}

/// A zlib stream of one stored block.
fn zlib(contents: &[u8]) -> Vec<u8> {
    let size = contents.len() as u16;
    let mut out = vec![0x78, 0x01, 0x01];
    out.extend(size.to_le_bytes());
    out.extend((!size).to_le_bytes());
    out.extend(contents);
    let (mut a, mut b) = (1_u32, 0_u32);
    for &byte in contents {
        a = (a + u32::from(byte)) % 65521;
        b = (b + a) % 65521;
    }
    out.extend((b << 16 | a).to_be_bytes());
    out
}

/// A zstd stream of one raw block.
fn zstd(contents: &[u8]) -> Vec<u8> {
    let size = contents.len() as u32;
    // A single segment whose size stands in four bytes.
    let mut out = vec![0x28, 0xB5, 0x2F, 0xFD, 0xA0];
    out.extend(size.to_le_bytes());
    out.extend(&(size << 3 | 1).to_le_bytes()[..3]);
    out.extend(contents);
    out
}
