//! Compressed bundles: as compilers write them, and, where none does, built from their layout.

use super::packed::{ID, bundle, inside, library_of, one, read, sample};
use crate::common;
use crate::common::{MAP, host_object};
use md5::{Digest as _, Md5};
use sqtt_decoder::codeobj::{Binary, CodeObject};

#[test]
fn compressed_bundles_of_every_version_that_a_tool_writes() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    sample(folder);
    for (llvm, format, version) in [(19, None, 2), (22, Some("2"), 2), (22, Some("3"), 3), (22, None, 3)] {
        bundle(folder, "k.ccob", llvm, &["-compress"], format);
        bundle(folder, "k.hipfb", llvm, &[], None);
        let bytes = read(folder, "k.ccob");
        assert_eq!(bytes[..8], [b'C', b'C', b'O', b'B', version, 0, 1, 0]);
        assert_eq!(inside(bytes.clone()), one());
        let binary = Binary::from_bytes("f", bytes);
        let contents = binary.contents();
        let code_object = &contents.code_objects[0];
        assert_eq!(code_object.bytes(), read(folder, "k.co"));
        assert_eq!((code_object.name(), code_object.entry()), (format!("f#{ID}").as_str(), Some(ID)));
        assert_eq!(code_object.offset(), 0);
        let at = usize::try_from(code_object.unpacked_offset().unwrap()).unwrap();
        assert_eq!(read(folder, "k.hipfb")[at..at + 4], *b"\x7FELF");
    }
}

#[test]
fn a_library_of_64_bundles_plain_and_compressed() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    sample(folder);
    bundle(folder, "2.ccob", 22, &["-compress"], Some("2"));
    bundle(folder, "3.ccob", 22, &["-compress"], Some("3"));
    let files: Vec<&str> = ["2.ccob", "k.hipfb", "3.ccob", "3.ccob"].into_iter().cycle().take(64).collect();
    library_of(folder, "lib.so", &files);
    let binary = Binary::open(folder.join("lib.so")).unwrap();
    let contents = binary.contents();
    assert!(contents.errors.is_empty(), "{:?}", contents.errors);
    assert_eq!(contents.code_objects.len(), 64);
    let mut names: Vec<&str> = contents.code_objects.iter().map(CodeObject::name).collect();
    let compressed = contents.code_objects[0].offset();
    assert!(names[0].contains(&format!("#{ID}@{compressed:#x}+0x")), "{}", names[0]);
    assert_eq!(read(folder, "lib.so")[usize::try_from(compressed).unwrap()..][..4], *b"CCOB");
    assert!(contents.code_objects.iter().all(|code_object| code_object.bytes() == read(folder, "k.co")));
    // The same names where one bundle at a time is held.
    let funcmaps = binary.funcmaps();
    assert!(funcmaps.errors.is_empty() && funcmaps.maps.iter().all(|map| map.entries().count() == 5));
    assert!(funcmaps.maps.iter().map(|map| map.code_object.as_str()).eq(names.iter().copied()));
    names.dedup();
    assert_eq!(names.len(), 64);
}

#[test]
fn a_compile_with_compression() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let flags = ["--offload-arch=gfx1030", "--offload-arch=gfx90a", "--offload-compress"];
    for (name, map) in [("a.o", Some(MAP)), ("b.o", None), ("c.o", Some(MAP))] {
        host_object(folder, name, &flags, map);
    }
    common::host_library(folder, "abc.so", &["a.o", "b.o", "c.o"]);
    let (found, errors) = inside(read(folder, "abc.so"));
    let counts: Vec<usize> = found.iter().map(|(_, count)| *count).collect();
    assert_eq!((counts, errors), (vec![5, 5, 0, 0, 5, 5], vec![]));
}

/// A compressed bundle of some version and method: the sizes and the hash may be made wrong.
fn ccob(version: u16, method: u16, contents: &[u8], wrong: &str) -> Vec<u8> {
    let stream = if method == 0 {
        let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
        std::io::Write::write_all(&mut encoder, contents).unwrap();
        encoder.finish().unwrap()
    } else {
        ruzstd::encoding::compress_to_vec(contents, ruzstd::encoding::CompressionLevel::Fastest)
    };
    let header = [0, 20, 24, 32][usize::from(version)];
    let (mut total, mut size) = ((header + stream.len()) as u64, contents.len() as u64);
    let mut hash = Md5::digest(contents)[..8].to_vec();
    match wrong {
        "" => {}
        "hash" => hash[7] ^= 1,
        "short" => size -= 1,
        "long" => size += 1,
        "total+" => total += 1,
        "total-" => total -= 1,
        "total huge" => total = u64::MAX,
        "bomb" => size = u64::from(u32::MAX),
        other => panic!("{other}"),
    }
    let mut out = [b"CCOB", &version.to_le_bytes()[..], &method.to_le_bytes()].concat();
    match version {
        1 => out.extend((size as u32).to_le_bytes()),
        2 => out.extend([(total as u32).to_le_bytes(), (size as u32).to_le_bytes()].concat()),
        _ => out.extend([total.to_le_bytes(), size.to_le_bytes()].concat()),
    }
    [out, hash, stream].concat()
}

#[test]
fn every_version_and_method() {
    let folder = tempfile::tempdir().unwrap();
    sample(folder.path());
    let plain = read(folder.path(), "k.hipfb");
    let gap = vec![0; 4000];
    for version in [1, 2, 3] {
        for method in [0, 1] {
            let whole = ccob(version, method, &plain, "");
            assert_eq!(inside(whole.clone()), one(), "{version} {method}");
            // Two, with the gap that a linker leaves; version 1 ends where its stream does.
            let (found, errors) = inside([&whole[..], &gap, &whole].concat());
            assert_eq!((found.len(), errors), (2, vec![]), "{version} {method}");
            // Compressed twice.
            assert_eq!(inside(ccob(version, method, &whole, "")), one());
        }
    }
}

#[test]
fn wrong_hashes_and_sizes() {
    let folder = tempfile::tempdir().unwrap();
    sample(folder.path());
    let plain = read(folder.path(), "k.hipfb");
    for (version, method, wrong, says, is_read) in [
        (3, 1, "hash", "has the hash ", true),
        (1, 0, "hash", "it is read all the same", true),
        (2, 1, "short", "and its stream gives more", false),
        (3, 0, "long", "and its stream gives ", false),
        (2, 1, "total-", "stream cannot be unpacked", false),
        (3, 1, "total huge", "it says that it takes 18446744073709551615 bytes, of ", true),
        (1, 1, "bomb", "it says that it unpacks to 4294967295 bytes; of a file of this size at most", false),
        (3, 0, "bomb", "at most 67108864 are unpacked", false),
    ] {
        let (found, errors) = inside(ccob(version, method, &plain, wrong));
        assert_eq!((found.len(), errors.len()), (usize::from(is_read), 1), "{wrong}: {errors:?}");
        assert!(errors[0].starts_with("f: at byte 0x") && errors[0].contains(says), "{wrong}: {errors:?}");
        assert!(errors[0].contains(&format!("(CCOB version {version})")), "{errors:?}");
        // What follows is read.
        let whole = ccob(3, 1, &plain, "");
        let (found, _) = inside([ccob(version, method, &plain, wrong), vec![0; 96], whole].concat());
        assert_eq!(found.len(), 1 + usize::from(is_read), "{wrong}");
    }
    // A size that is too large by what follows: the stream ends earlier, and what follows is a bundle.
    let whole = ccob(3, 1, &plain, "");
    let mut first = whole.clone();
    first[8..16].copy_from_slice(&(2 * whole.len() as u64).to_le_bytes());
    let (found, errors) = inside([first, whole.clone()].concat());
    assert_eq!((found.len(), errors.len()), (2, 1), "{errors:?}");
    assert!(errors[0].contains(&format!("its stream ends after {}", whole.len())), "{errors:?}");
    // Versions and methods that nobody knows.
    let mut unknown = whole.clone();
    unknown[4] = 4;
    assert!(inside(unknown).1[0].contains("(CCOB version 4): this version is not known"));
    let mut unknown = whole.clone();
    unknown[6] = 2;
    assert!(inside(unknown).1[0].contains("compression method 2 is neither zlib (0) nor zstd (1)"));
    // Cut off anywhere.
    for length in (0..whole.len()).step_by(7) {
        let (found, errors) = inside(whole[..length].to_vec());
        assert!(found.is_empty() && !errors.is_empty(), "{length}");
    }
}

/// A frame that decoders skip, whatever is in it.
fn skipped(content: &[u8]) -> Vec<u8> {
    [&[0x5A, 0x2A, 0x4D, 0x18][..], &(content.len() as u32).to_le_bytes(), content].concat()
}

/// A bundle whose zstd stream is this one.
fn of_stream(version: u16, stream: &[u8], contents: &[u8]) -> Vec<u8> {
    let (total, size) =
        (([0, 20, 24, 32][usize::from(version)] + stream.len()) as u64, contents.len() as u64);
    let sizes = match version {
        1 => (size as u32).to_le_bytes().to_vec(),
        2 => [(total as u32).to_le_bytes(), (size as u32).to_le_bytes()].concat(),
        _ => [total.to_le_bytes(), size.to_le_bytes()].concat(),
    };
    let hash = &Md5::digest(contents)[..8];
    [b"CCOB", &version.to_le_bytes()[..], &[1, 0], &sizes, hash, stream].concat()
}

#[test]
fn several_frames_are_one_and_some_are_skipped() {
    let folder = tempfile::tempdir().unwrap();
    sample(folder.path());
    let plain = read(folder.path(), "k.hipfb");
    let frame =
        |bytes: &[u8]| ruzstd::encoding::compress_to_vec(bytes, ruzstd::encoding::CompressionLevel::Fastest);
    let (one, other) = plain.split_at(plain.len() / 3);
    let whole = frame(&plain);
    for version in [1, 2, 3] {
        for stream in [
            [skipped(b"who made it"), whole.clone()].concat(),
            [skipped(b""), skipped(b"CCOB"), frame(one), skipped(&[0; 300]), frame(other), skipped(b"x")]
                .concat(),
            [frame(one), frame(b""), frame(other)].concat(),
        ] {
            let bundle = of_stream(version, &stream, &plain);
            assert_eq!(inside(bundle.clone()), self::one(), "{version}");
            let (found, errors) = inside([&bundle[..], &[0; 96], &bundle].concat());
            assert_eq!((found.len(), errors), (2, vec![]), "{version}");
        }
        // One that is cut off is an error, as it is in zstd.
        let cut = [whole.clone(), skipped(&[7; 50])].concat();
        let (found, errors) = inside(of_stream(version, &cut[..cut.len() - 1], &plain));
        assert!(found.is_empty() && errors.len() == 1, "{version}: {errors:?}");
        assert!(errors[0].contains("a frame to be skipped ends behind the end of the data"), "{errors:?}");
    }
    // Nothing but frames to skip is no bundle.
    let (found, errors) = inside(of_stream(3, &skipped(b"all"), &plain));
    assert!(found.is_empty() && errors.len() == 1, "{errors:?}");
}

#[test]
fn a_damaged_header_at_the_start_is_one_fault_and_what_follows_is_read() {
    let folder = tempfile::tempdir().unwrap();
    sample(folder.path());
    let plain = read(folder.path(), "k.hipfb");
    let whole = ccob(3, 1, &plain, "");
    for (at, bytes, says) in [
        (4, [0, 0], "at byte 0x4: compressed offload bundle (CCOB version 0): this version is not known"),
        (
            4,
            [0xFF, 0xFF],
            "at byte 0x4: compressed offload bundle (CCOB version 65535): this version is not known",
        ),
        (
            6,
            [0xFF, 0xFF],
            "at byte 0x6: compressed offload bundle (CCOB version 3): compression method 65535 is",
        ),
    ] {
        let mut damaged = whole.clone();
        damaged[at..at + 2].copy_from_slice(&bytes);
        for sound in [&whole, &plain] {
            let (found, errors) = inside([&damaged[..], &[0; 4000], sound].concat());
            assert_eq!((found.len(), errors.len()), (1, 1), "{errors:?}");
            assert!(errors[0].contains(says), "{errors:?}");
        }
        let (found, errors) = inside(damaged);
        assert!(found.is_empty() && errors.len() == 1 && errors[0].contains(says), "{errors:?}");
    }
    // Text is none.
    assert!(inside(b"CCOBALTS and so on".to_vec()).1[0].contains("neither an ELF file"));
}

/// Peak of this process's memory.
#[cfg(target_os = "linux")]
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() << 10
}

#[test]
fn bombs_stay_small() {
    // A gigabyte of zeroes in a few bytes: 8,192 blocks of 128 KiB that repeat one byte.
    let mut stream = vec![0x28, 0xB5, 0x2F, 0xFD, 0x00, 0x58];
    for block in 0..8192_u32 {
        let last = u32::from(block == 8191);
        stream.extend(&((128 << 10) << 3 | 1 << 1 | last).to_le_bytes()[..3]);
        stream.push(0);
    }
    for (size, says) in [(1_u64 << 30, "at most 67108864 are unpacked"), (32 << 20, "its stream gives more")]
    {
        let mut bomb = b"CCOB\x03\0\x01\0".to_vec();
        bomb.extend((32 + stream.len() as u64).to_le_bytes());
        bomb.extend(size.to_le_bytes());
        bomb.extend([0; 8]);
        bomb.extend(&stream);
        let (found, errors) = inside(bomb.clone());
        assert!(found.is_empty() && errors[0].contains(says), "{errors:?}");
        // Any number of them has one budget.
        let (_, errors) = inside(bomb.repeat(30));
        assert_eq!(errors.len(), 30);
    }
    #[cfg(target_os = "linux")]
    assert!(peak() < 1 << 30, "{} bytes", peak());
}

#[test]
fn nesting_has_an_end() {
    let folder = tempfile::tempdir().unwrap();
    sample(folder.path());
    let mut nested = read(folder.path(), "k.hipfb");
    for _ in 0..3 {
        nested = ccob(3, 1, &nested, "");
    }
    assert_eq!(inside(nested.clone()), one());
    for _ in 0..8 {
        nested = ccob(3, 1, &nested, "");
    }
    let (found, errors) = inside(nested);
    assert!(found.is_empty());
    assert!(errors[0].ends_with("more than 8 containers inside of each other"), "{errors:?}");
    assert!(errors[0].starts_with("f: at byte 0x0, unpacked byte 0x0: "), "{errors:?}");
}

#[test]
fn programs_of_hipcc() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    std::fs::write(
        folder.join("h.hip"),
        "#include <hip/hip_runtime.h>\n__global__ void work(int *p) { *p = 1; }\nint main() { return 0; }\n",
    )
    .unwrap();
    for (name, flags, magic) in [
        ("plain", &[][..], &b"__CLANG_OFFLOAD_BUNDLE__"[..]),
        ("compressed", &["--offload-compress"], b"CCOB"),
    ] {
        common::hipcc(folder, &[&["h.hip", "-o", name][..], flags].concat());
        let bytes = read(folder, name);
        assert!(bytes.windows(magic.len()).any(|window| window == magic), "{name}");
        assert_eq!(inside(bytes), (vec![("gfx1030".to_owned(), 0)], vec![]), "{name}");
    }
}
