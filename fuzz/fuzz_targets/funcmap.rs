//! Funcmaps: what is read can be written, and then reads the same; the maps of a section are its entries.
#![no_main]

use sqtt_format::{ConfigRecord, Funcmap};

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let read = Funcmap::parse(data);
    for warning in &read.warnings {
        assert!(warning.to_string().chars().all(|character| !character.is_control()));
    }
    if !read.maps.is_empty() {
        assert!(read.maps.len() > 1);
        let names =
            read.maps.iter().flat_map(Funcmap::entries).map(|entry| (entry.id(), entry.kind(), entry.name()));
        assert!(names.eq(read.map.entries().iter().map(|entry| (entry.id(), entry.kind(), entry.name()))));
    }
    for map in read.maps.iter().chain([&read.map]) {
        let Ok(written) = map.to_bytes() else { continue };
        let again = Funcmap::parse(&written);
        assert!(again.maps.is_empty());
        assert_eq!(again.map.sorted_entries(), map.sorted_entries());
        assert_eq!(again.map.to_bytes().as_ref(), Ok(&written));
    }
    for word in data.chunks_exact(4).take(64) {
        let word = u32::from_le_bytes([word[0], word[1], word[2], word[3]]);
        read.map.decode(word);
    }
    ConfigRecord::parse_all(data);
});
