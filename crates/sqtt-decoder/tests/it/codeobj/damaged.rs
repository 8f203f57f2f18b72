//! Broken files: truncated anywhere, forged, random. Every one is an error or a smaller result, never a
//! panic.

use crate::common::{MAP, code_object, host_library, host_object};
use proptest::prelude::*;
use sqtt_decoder::codeobj::Binary;

/// Does all that can be done with a file, and returns what it said was wrong.
fn read_all(bytes: Vec<u8>) -> Vec<String> {
    let size = bytes.len() as u64;
    let binary = Binary::from_bytes("hostile", bytes);
    let contents = binary.contents();
    // An error is at a byte that there is: a place behind the end is a wrong field somewhere before it.
    assert!(
        contents.errors.iter().all(|error| error.offset.is_none_or(|at| at <= size)),
        "{:?}",
        contents.errors
    );
    let mut said: Vec<String> = contents.errors.iter().map(ToString::to_string).collect();
    for code_object in &contents.code_objects {
        match code_object.funcmap() {
            Ok(named) => {
                assert!(named.entries().count() < size as usize);
                said.extend(named.warnings.iter().map(ToString::to_string));
            }
            Err(error) => said.push(error.to_string()),
        }
    }
    said
}

fn bytes_of(path: &std::path::Path) -> Vec<u8> {
    std::fs::read(path).unwrap()
}

fn sample_code_object() -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    bytes_of(&code_object(folder.path(), "k.co", "gfx1030", Some(MAP)))
}

fn sample_library() -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let flags = ["--offload-arch=gfx1030", "--offload-arch=gfx90a"];
    host_object(folder.path(), "a.o", &flags, Some(MAP));
    bytes_of(&host_library(folder.path(), "a.so", &["a.o"]))
}

#[test]
fn a_code_object_truncated_anywhere_is_an_error() {
    let whole = sample_code_object();
    assert!(read_all(whole.clone()).is_empty());
    for length in 0..whole.len() {
        assert!(!read_all(whole[..length].to_vec()).is_empty(), "{length} of {} bytes", whole.len());
    }
}

#[test]
fn a_library_truncated_anywhere_is_an_error() {
    let whole = sample_library();
    assert!(read_all(whole.clone()).is_empty());
    // Every length near the ends, and a prime step between.
    let lengths =
        (0..whole.len()).filter(|length| *length < 300 || whole.len() - length < 300 || length % 7 == 0);
    for length in lengths {
        assert!(!read_all(whole[..length].to_vec()).is_empty(), "{length} of {} bytes", whole.len());
    }
}

#[test]
fn a_bundle_truncated_anywhere_is_an_error() {
    let library = sample_library();
    let start = library.windows(24).position(|window| window == b"__CLANG_OFFLOAD_BUNDLE__").unwrap();
    let binary = Binary::from_bytes("library", library.clone());
    let contents = binary.contents();
    let last = contents.code_objects.last().unwrap();
    let end = usize::try_from(last.offset()).unwrap() + last.bytes().len();
    let whole = &library[start..end];
    assert!(read_all(whole.to_vec()).is_empty());
    for length in (0..whole.len()).step_by(3) {
        assert!(!read_all(whole[..length].to_vec()).is_empty(), "{length} of {} bytes", whole.len());
    }
}

#[test]
fn forged_header_fields_do_no_harm() {
    for whole in [sample_code_object(), sample_library()] {
        let table = usize::try_from(u64::from_le_bytes(whole[0x28..0x30].try_into().unwrap())).unwrap();
        let length = whole.len() as u64;
        for field in (0..64).step_by(2).chain((table..whole.len() - 8).step_by(4)) {
            for value in [0, 1, length - 1, length, length + 1, u64::from(u32::MAX), u64::MAX - 63, u64::MAX]
            {
                let mut bytes = whole.clone();
                bytes[field..field + 8].copy_from_slice(&value.to_le_bytes());
                read_all(bytes);
            }
        }
    }
}

/// The rejections of the public parser tests, each made of a real code object.
#[test]
#[ignore = "it reads the shared test data"]
fn public_elf_rejections() {
    let path = test_data::find("vectors/funcmap_parser.json");
    let vectors: serde_json::Value = serde_json::from_slice(&bytes_of(&path)).unwrap();
    let whole = sample_code_object();
    let forge = |at: usize, value: &[u8]| {
        let mut bytes = whole.clone();
        bytes[at..at + value.len()].copy_from_slice(value);
        bytes
    };
    let rejections = vectors["elf_rejections"].as_array().unwrap();
    assert_eq!(rejections.len(), 7);
    for rejection in rejections {
        let rejection = rejection.as_str().unwrap();
        let (bytes, says) = match rejection {
            "buffer smaller than 64 bytes" => {
                (whole[..63].to_vec(), "truncated: the ELF header takes 64 bytes, 63 are left")
            }
            "null buffer" => (Vec::new(), "the file is empty"),
            "EI_CLASS not 2" => (forge(4, &[1]), "a 32-bit ELF file"),
            "e_shentsize != 64" => {
                (forge(0x3A, &[40, 0]), "section header table: Invalid ELF section header entry size")
            }
            "e_shoff past the end" => (
                forge(0x28, &(whole.len() as u64).to_le_bytes()),
                "section header table: Invalid ELF section header offset",
            ),
            "e_shstrndx == 0" => (forge(0x3E, &[0, 0]), "Missing ELF e_shstrndx"),
            "sh_size near 2^64 (wrap)" => {
                let header = funcmap_header(&whole);
                (
                    forge(header + 0x20, &(u64::MAX - 8).to_le_bytes()),
                    ".sqtt_funcmap takes 18446744073709551607 bytes",
                )
            }
            other => panic!("a rejection that this test does not know: {other}"),
        };
        let said = read_all(bytes);
        assert!(said.len() == 1 && said[0].contains(says), "{rejection}: {said:?}");
        assert!(said[0].starts_with("hostile: at byte 0x"), "{said:?}");
    }
    // Other kinds that are told apart.
    let big_endian = read_all(forge(5, &[2]));
    assert!(big_endian[0].contains("a big-endian ELF file"), "{big_endian:?}");
    let header = funcmap_header(&whole);
    let compressed = read_all(forge(header + 8, &0x802u64.to_le_bytes()));
    assert!(compressed[0].contains("section .sqtt_funcmap is compressed"), "{compressed:?}");
}

#[test]
fn a_section_whose_name_cannot_be_read_may_be_the_one_that_is_looked_for() {
    let whole = sample_code_object();
    let named_nowhere = |header: usize| {
        let mut bytes = whole.clone();
        bytes[header..header + 4].fill(0xFF);
        read_all(bytes)
    };
    let header = funcmap_header(&whole);
    let said = named_nowhere(header);
    assert!(said.len() == 1 && said[0].contains(".sqtt_funcmap may be missed"), "{said:?}");
    // Another section's name does not matter where the map was found.
    assert!(named_nowhere(header + 64).is_empty());
}

#[test]
fn fatbin_sections_over_each_other_are_read_once() {
    let mut bytes = sample_library();
    let fatbin = bytes.windows(24).position(|window| window == b"__CLANG_OFFLOAD_BUNDLE__").unwrap();
    let table = usize::try_from(u64::from_le_bytes(bytes[0x28..0x30].try_into().unwrap())).unwrap();
    let offset = (fatbin as u64).to_le_bytes();
    let header = (table..bytes.len()).step_by(64).find(|&at| bytes[at + 0x18..at + 0x20] == offset).unwrap();
    // Its header also in the place of the first section's, which nobody needs here.
    bytes.copy_within(header..header + 64, table + 64);
    let said = read_all(bytes);
    assert!(said.len() == 1 && said[0].contains("sections with device code overlap"), "{said:?}");
}

/// Place of the section header of the funcmap.
fn funcmap_header(bytes: &[u8]) -> usize {
    let number =
        |at: usize| usize::try_from(u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap())).unwrap();
    let content = bytes.windows(MAP.len()).position(|window| window == MAP).unwrap();
    let table = number(0x28);
    (table..bytes.len()).step_by(64).find(|header| number(header + 0x18) == content).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(ProptestConfig::default().cases.max(300)))]

    #[test]
    fn random_bytes(head in prop::sample::select(vec![&b""[..], b"\x7fELF\x02\x01\x01", b"__CLANG_OFFLOAD_BUNDLE__", b"CCOB\x03\0\0\0"]), tail: Vec<u8>) {
        prop_assert!(!read_all([head, &tail].concat()).is_empty());
    }

    #[test]
    fn flipped_bytes(flips in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..20)) {
        static SAMPLES: std::sync::LazyLock<[Vec<u8>; 2]> =
            std::sync::LazyLock::new(|| [sample_code_object(), sample_library()]);
        for whole in SAMPLES.iter() {
            let mut bytes = whole.clone();
            for (at, value) in &flips {
                bytes[at.index(whole.len())] = *value;
            }
            read_all(bytes);
        }
    }
}
