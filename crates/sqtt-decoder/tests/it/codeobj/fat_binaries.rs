//! Host programs, libraries and bundles with device code for several targets.

use std::path::Path;

use crate::common::{self, MAP, code_object, host_library, host_object, host_program, llvm};
use sqtt_decoder::codeobj::{Binary, Reason};
use sqtt_format::Funcmap;

const TWO: [&str; 2] = ["--offload-arch=gfx1030", "--offload-arch=gfx90a:xnack-"];

/// Contents of the file: names after the file's, targets, and the number of named entries.
fn contents(path: &Path) -> Vec<(String, String, usize)> {
    let binary = Binary::open(path).unwrap();
    let contents = binary.contents();
    assert!(contents.errors.is_empty(), "{:?}", contents.errors);
    let file = path.display().to_string();
    let code_objects = contents.code_objects.iter().map(|code_object| {
        // What is in the file at that place is the code object.
        let from = usize::try_from(code_object.offset()).unwrap();
        let bytes = std::fs::read(path).unwrap();
        assert_eq!(&bytes[from..from + code_object.bytes().len()], code_object.bytes());
        let named = code_object.funcmap().unwrap();
        let name = code_object.name().strip_prefix(&file).unwrap().to_owned();
        (name, code_object.target().unwrap(), named.entries().count())
    });
    code_objects.collect()
}

#[test]
fn an_object_a_library_and_a_program() {
    let folder = tempfile::tempdir().unwrap();
    let object = host_object(folder.path(), "a.o", &TWO, Some(MAP));
    let expected = [
        ("#hipv4-amdgcn-amd-amdhsa--gfx1030".to_owned(), "gfx1030".to_owned(), 5),
        ("#hipv4-amdgcn-amd-amdhsa--gfx90a:xnack-".to_owned(), "gfx90a:xnack-".to_owned(), 5),
    ];
    assert_eq!(contents(&object), expected);
    assert_eq!(contents(&host_library(folder.path(), "a.so", &["a.o"])), expected);
    let program = host_program(folder.path(), "app", &["a.o"]);
    assert_eq!(contents(&program), expected);
    common::run(&program, &[], folder.path());
}

#[test]
fn the_bundles_of_several_objects_lie_behind_each_other() {
    let folder = tempfile::tempdir().unwrap();
    host_object(folder.path(), "a.o", &TWO, Some(MAP));
    host_object(folder.path(), "b.o", &TWO[..1], Some(b"K:other\n\0"));
    host_object(folder.path(), "c.o", &["--offload-arch=gfx1201"], None);
    let library = host_library(folder.path(), "abc.so", &["a.o", "b.o", "c.o"]);
    let found = contents(&library);
    let counts: Vec<_> = found.iter().map(|(_, target, count)| (target.as_str(), *count)).collect();
    assert_eq!(counts, [("gfx1030", 5), ("gfx90a:xnack-", 5), ("gfx1030", 1), ("gfx1201", 0)]);
    // Two entries of one id are told apart by their place; the others need no more than their id.
    let binary = Binary::open(&library).unwrap();
    let offset = |index: usize| binary.contents().code_objects[index].offset();
    assert_eq!(found[0].0, format!("#hipv4-amdgcn-amd-amdhsa--gfx1030@{:#x}", offset(0)));
    assert_eq!(found[2].0, format!("#hipv4-amdgcn-amd-amdhsa--gfx1030@{:#x}", offset(2)));
    assert_eq!(found[3].0, "#hipv4-amdgcn-amd-amdhsa--gfx1201");
    assert_eq!(binary.contents().code_objects[3].entry(), Some("hipv4-amdgcn-amd-amdhsa--gfx1201"));
}

#[test]
fn a_bundle_file() {
    let folder = tempfile::tempdir().unwrap();
    code_object(folder.path(), "a.co", "gfx1030", Some(MAP));
    code_object(folder.path(), "b.co", "gfx1201", Some(MAP));
    std::fs::write(folder.path().join("host"), "").unwrap();
    bundle(folder.path(), "two.hipfb", &["host", "a.co", "b.co"]);
    let targets: Vec<_> =
        contents(&folder.path().join("two.hipfb")).into_iter().map(|found| found.1).collect();
    assert_eq!(targets, ["gfx1030", "gfx1201"]);
}

/// Bundles a host part and device parts for gfx1030, gfx1201 and so on.
fn bundle(folder: &Path, name: &str, inputs: &[&str]) {
    let ids = [
        "host-x86_64-unknown-linux-gnu-",
        "hipv4-amdgcn-amd-amdhsa--gfx1030",
        "hipv4-amdgcn-amd-amdhsa--gfx1201",
    ];
    let targets = format!("-targets={}", ids[..inputs.len()].join(","));
    let output = format!("-output={name}");
    let inputs: Vec<String> = inputs.iter().map(|input| format!("-input={input}")).collect();
    let mut args = vec!["-type=o", &targets, &output];
    args.extend(inputs.iter().map(String::as_str));
    llvm("clang-offload-bundler", &args, folder);
}

#[test]
fn a_program_without_device_code_is_an_error_that_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let program = host_program(folder.path(), "plain", &[]);
    let binary = Binary::open(&program).unwrap();
    let errors = binary.contents().errors;
    let [error] = &errors[..] else { panic!("{errors:?}") };
    assert!(matches!(error.reason, Reason::NoFatbin { .. }), "{error}");
    assert!(error.to_string().contains("an ELF file for machine 62 without a .hip_fatbin"), "{error}");
}

#[test]
fn a_broken_code_object_does_not_hide_the_others() {
    let folder = tempfile::tempdir().unwrap();
    host_object(folder.path(), "a.o", &TWO, Some(MAP));
    let library = host_library(folder.path(), "a.so", &["a.o"]);
    let binary = Binary::open(&library).unwrap();
    let first = binary.contents().code_objects[0].offset();
    let mut bytes = std::fs::read(&library).unwrap();
    let at = usize::try_from(first).unwrap();
    bytes[at + 0x28..at + 0x30].fill(0xFF);
    let binary = Binary::from_bytes("forged.so", bytes.clone());
    let contents = binary.contents();
    assert_eq!(contents.code_objects.len(), 1);
    assert_eq!(contents.code_objects[0].funcmap().unwrap().map, Some(Funcmap::parse(MAP).map));
    let [error] = &contents.errors[..] else { panic!("{:?}", contents.errors) };
    assert!(error.to_string().starts_with("forged.so: at byte 0x"), "{error}");
    assert!(error.to_string().contains("malformed ELF file: section header table"), "{error}");

    // Bitcode, as -fgpu-rdc leaves it, is no code object.
    bytes[at..at + 4].copy_from_slice(b"BC\xC0\xDE");
    let binary = Binary::from_bytes("rdc.so", bytes);
    let contents = binary.contents();
    assert_eq!((contents.code_objects.len(), contents.errors.len()), (1, 1));
    assert_eq!(contents.errors[0].offset, Some(first));
    assert!(contents.errors[0].to_string().contains("holds LLVM bitcode"), "{}", contents.errors[0]);
}

/// A bundle of chosen entries: offset and size as they stand in its table, and the bytes behind it.
fn forged_bundle(entries: &[(u64, u64, &str)], data: &[u8]) -> Vec<u8> {
    let mut bytes = b"__CLANG_OFFLOAD_BUNDLE__".to_vec();
    bytes.extend((entries.len() as u64).to_le_bytes());
    for (offset, size, id) in entries {
        bytes.extend(offset.to_le_bytes());
        bytes.extend(size.to_le_bytes());
        bytes.extend((id.len() as u64).to_le_bytes());
        bytes.extend(id.as_bytes());
    }
    bytes.extend(data);
    bytes
}

#[test]
fn forged_bundles() {
    let said = |bytes: Vec<u8>| -> Vec<String> {
        let binary = Binary::from_bytes("f", bytes);
        let contents = binary.contents();
        assert!(contents.code_objects.is_empty());
        contents.errors.iter().map(ToString::to_string).collect()
    };
    let past = said(forged_bundle(&[(0x100, u64::MAX, "hip-a"), (u64::MAX, 8, "hip-b")], &[0; 512]));
    assert_eq!(past.len(), 2, "{past:?}");
    assert!(past.iter().all(|error| error.contains("behind the end of the data")), "{past:?}");

    let overlapping =
        said(forged_bundle(&[(0x100, 64, "hip-a"), (0x120, 64, "hip-b"), (0, 64, "hip-c")], &[0; 512]));
    assert_eq!(overlapping.iter().filter(|error| error.contains("overlap")).count(), 2, "{overlapping:?}");
    assert_eq!(
        overlapping.iter().filter(|error| error.contains("no ELF file")).count(),
        1,
        "{overlapping:?}"
    );

    let mut endless = forged_bundle(&[], &[]);
    endless[24..32].fill(0xFF);
    assert!(said(endless)[0].contains("truncated: the offset of a bundle entry takes 8 bytes, 0 are left"));
    let mut long_id = forged_bundle(&[(0, 0, "hip")], &[]);
    long_id[48..56].fill(0xFF);
    assert!(
        said(long_id)[0].contains("truncated: the id of a bundle entry takes 18446744073709551615 bytes")
    );
    assert_eq!(said(forged_bundle(&[(0, 0, "host-x")], &[])), ["f: no code object inside"]);
    let escape = said(forged_bundle(&[(u64::MAX, 8, "hip\x1b[31m")], &[]));
    assert!(escape[0].contains("entry hip\\u{1b}[31m"), "{escape:?}");
}

#[test]
fn many_bundles_in_a_row_take_linear_time() {
    let one = forged_bundle(&[(0, 0, "hip")], &[]);
    let said = crate::work::assert_linear("bundles", 100_000, |count| {
        let errors = Binary::from_bytes("f", one.repeat(count as usize)).contents().errors;
        errors.iter().map(ToString::to_string).collect::<Vec<_>>()
    });
    assert_eq!(said, ["f: no code object inside"]);
}

#[test]
fn what_is_inside_of_a_compressed_bundle_is_no_bundle() {
    let inside = forged_bundle(&[(0x40, u64::MAX, "hip-a")], b"CCOB\x02\0\0\0");
    let compressed = |version: u16, size: &[u8]| {
        [b"CCOB", &version.to_le_bytes()[..], &1u16.to_le_bytes(), size, &inside].concat()
    };
    let version_2 = compressed(2, &u32::try_from(12 + inside.len()).unwrap().to_le_bytes());
    let version_3 = compressed(3, &(16 + inside.len() as u64).to_le_bytes());
    let second = version_2.len() as u64;
    let binary = Binary::from_bytes("f", [version_2, version_3].concat());
    let errors = binary.contents().errors;
    let found: Vec<_> = errors
        .iter()
        .map(|error| match error.reason {
            Reason::CompressedBundle { version, .. } => (version, error.offset),
            _ => panic!("{error}"),
        })
        .collect();
    assert_eq!(found, [(2, Some(8)), (3, Some(second + 8))]);
}
