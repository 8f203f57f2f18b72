//! `sqtt extract` against LLVM's own unbundler.

use std::path::Path;

use crate::command::{Ran, sqtt};
use crate::common::{MAP, host_library, host_object, llvm};

fn extract(folder: &Path, args: &[&str]) -> Ran {
    sqtt(folder, &[&["extract"], args].concat())
}

fn files(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// A library with a plain and a compressed bundle, each for two targets.
fn library(folder: &Path) {
    let flags = ["--offload-arch=gfx1030", "--offload-arch=gfx90a:xnack-"];
    host_object(folder, "a.o", &flags, Some(MAP));
    host_object(folder, "b.o", &[&flags[..], &["--offload-compress"]].concat(), None);
    host_library(folder, "lib.so", &["a.o", "b.o"]);
}

#[test]
fn what_is_written_is_what_llvm_unbundles() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    library(folder);
    let before = std::fs::read(folder.join("lib.so")).unwrap();
    let ran = extract(folder, &["lib.so", "-o", "out/deep"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    assert_eq!(ran.out.lines().count(), 4, "{}", ran.out);
    assert_eq!(before, std::fs::read(folder.join("lib.so")).unwrap());
    let written = files(&folder.join("out/deep"));
    assert_eq!(written.len(), 4);
    // What the unbundler makes of each object's own section.
    for (object, suffix) in [("a.o", ""), ("b.o", "+0x")] {
        llvm("llvm-objcopy", &["--dump-section", ".hip_fatbin=fat", object, "same.o"], folder);
        for target in ["gfx1030", "gfx90a:xnack-"] {
            let targets = format!("--targets=hipv4-amdgcn-amd-amdhsa--{target}");
            let args = ["--unbundle", "--type=o", "--input=fat", "--output=k.co", &targets];
            llvm("clang-offload-bundler", &args, folder);
            let end = format!("-{}.co", target.replace(':', "."));
            let is_packed = |name: &&String| name.contains('+') != suffix.is_empty();
            let name = written.iter().filter(is_packed).find(|name| name.ends_with(&end)).unwrap();
            let bytes = std::fs::read(folder.join("out/deep").join(name)).unwrap();
            assert_eq!(bytes, std::fs::read(folder.join("k.co")).unwrap(), "{name}");
            // Each line says file, target, size and where it comes from.
            let says = format!("out/deep/{name}: {target}, {} bytes, of lib.so#hipv4-amdgcn", bytes.len());
            assert!(ran.out.contains(&says), "{says}\n{}", ran.out);
        }
    }
}

#[test]
fn one_target_of_several() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    library(folder);
    for (target, count) in [("gfx1030", 2), ("gfx90a", 2), ("gfx90a:xnack-", 2)] {
        let out = format!("out-{}", target.replace(':', "."));
        let ran = extract(folder, &["lib.so", "--target", target, "-o", &out]);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""));
        assert_eq!(files(&folder.join(out)).len(), count, "{target}");
    }
    let ran = extract(folder, &["lib.so", "--target", "gfx942", "-o", "none"]);
    assert_eq!((ran.code, ran.out.as_str()), (1, ""));
    assert_eq!(ran.err, "sqtt: error: lib.so: no code object for gfx942, only for gfx1030, gfx90a:xnack-\n");
    assert!(!folder.join("none").exists());
}

#[test]
fn a_list_writes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    library(folder);
    let there = files(folder);
    let ran = extract(folder, &["--list", "lib.so"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    assert_eq!(ran.out.lines().filter(|line| line.contains(": gfx1030, ")).count(), 2, "{}", ran.out);
    let ran = extract(folder, &["--list", "--json", "lib.so"]);
    let rows: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    let bytes = std::fs::read(folder.join("lib.so")).unwrap();
    for row in rows.as_array().unwrap() {
        let at = usize::try_from(row["offset"].as_u64().unwrap()).unwrap();
        let magic = if row["unpacked_offset"].is_null() { b"\x7FELF" } else { b"CCOB" };
        assert_eq!(&bytes[at..at + 4], magic, "{row}");
        assert!(row["file"].is_null() && row["size"].as_u64().unwrap() > 1000, "{row}");
    }
    assert_eq!(rows.as_array().unwrap().len(), 4);
    assert_eq!(files(folder), there);
}

#[test]
fn files_that_are_there_stay_without_force() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    library(folder);
    assert_eq!(extract(folder, &["lib.so", "--target", "gfx1030", "-o", "out"]).code, 0);
    let name = files(&folder.join("out")).remove(0);
    std::fs::write(folder.join("out").join(&name), "mine").unwrap();
    let ran = extract(folder, &["lib.so", "-o", "out"]);
    assert_eq!(ran.code, 1);
    let says =
        format!("sqtt: error: cannot write out/{name}: it is there already, and --force was not given");
    assert!(ran.err.contains(&says), "{}", ran.err);
    // The others are written, and nothing else is left behind.
    assert_eq!(files(&folder.join("out")).len(), 4);
    assert_eq!(std::fs::read(folder.join("out").join(&name)).unwrap(), b"mine");
    assert_eq!(extract(folder, &["lib.so", "-o", "out", "--force"]).code, 0);
    assert!(std::fs::read(folder.join("out").join(&name)).unwrap().starts_with(b"\x7FELF"));
}

#[test]
fn bad_input() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    library(folder);
    std::fs::write(folder.join("notes"), "text").unwrap();
    std::fs::write(folder.join("file"), "").unwrap();
    let ran = extract(folder, &["notes", "missing", "lib.so", "-o", "out"]);
    assert_eq!((ran.code, files(&folder.join("out")).len()), (1, 4));
    assert!(
        ran.err.contains("notes: at byte 0x0: neither an ELF file")
            && ran.err.contains("missing: No such file")
    );
    let ran = extract(folder, &["lib.so", "-o", "file"]);
    assert!(ran.code == 1 && ran.err.contains("cannot write file/lib.so-0x"), "{}", ran.err);
    assert_eq!(extract(folder, &["lib.so"]).code, 2);
    assert_eq!(extract(folder, &["lib.so", "--list", "-o", "x"]).code, 2);
}
