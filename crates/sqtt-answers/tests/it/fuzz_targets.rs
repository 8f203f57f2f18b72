//! The fuzz targets' work on their input (`fuzz/`), on damaged real files: the targets stay true, and what they once
//! found stays mended.

#[path = "../../../sqtt-decoder/tests/it/common.rs"]
#[expect(dead_code, reason = "the tests of the decoder use the rest")]
mod common;
#[path = "../../../../fuzz/src/lib.rs"]
#[expect(unreachable_pub, reason = "there it is a library")]
mod harness;

use common::{MAP, code_object, host_object, llvm};

/// A file with some bytes changed, the same in every run.
fn damaged(bytes: &[u8], round: u64) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    let mut state = round.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    for _ in 0..=round % 4 {
        // Tables and headers are at the ends.
        let length = bytes.len() as u64;
        let at = if next() % 2 == 0 { next() % length } else { next() % length.min(128) };
        bytes[usize::try_from(at).unwrap()] =
            [0, 0xFF, 0x80, next() as u8][usize::try_from(next() % 4).unwrap()];
    }
    bytes
}

#[test]
fn damaged_files() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    code_object(folder, "k.co", "gfx1030", Some(MAP));
    host_object(folder, "a.o", &["--offload-arch=gfx1030", "--offload-compress"], Some(MAP));
    host_object(folder, "b.o", &["--offload-arch=gfx1030"], Some(MAP));
    llvm("llvm-ar", &["rcS", "all.a", "k.co", "a.o", "b.o"], folder);
    llvm(
        "llvm-offload-binary",
        &["-o", "k.pack", "--image=file=k.co,triple=amdgcn-amd-amdhsa,arch=gfx1030,kind=hip"],
        folder,
    );
    for name in ["k.co", "a.o", "b.o", "all.a", "k.pack"] {
        let bytes = std::fs::read(folder.join(name)).unwrap();
        harness::read_file(bytes.clone());
        for round in 0..200 {
            harness::read_file(damaged(&bytes, round));
        }
    }
    let bundle = std::fs::read(folder.join("k.pack")).unwrap();
    for round in 0..=255 {
        let input = [&[round][..], &bundle].concat();
        harness::read_file(harness::compressed_bundle(&input));
        harness::read_file(damaged(&harness::compressed_bundle(&input), u64::from(round)));
    }
}

#[test]
fn damaged_maps() {
    let map = [MAP, b"W:32\nK:b\nU:1:%:x%0A\n\0M:shader_clock_bits=3;shader_clock_shift=4\nF:1:z\n"].concat();
    for round in 0..2000 {
        harness::read_funcmap(&damaged(&map, round));
    }
}
