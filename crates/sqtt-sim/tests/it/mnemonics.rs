//! Names of instructions, as LLVM's assembler knows them: lists in tests are compared with it, so that a new
//! instruction is noticed.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

/// Names that begin with one of the prefixes, of any target: from the table in the assembler's program.
pub(crate) fn names(clang: &str, prefixes: &[&str]) -> BTreeSet<String> {
    let output = Command::new(clang).arg("-print-file-name=libLLVM.so").output().unwrap();
    let library = String::from_utf8(output.stdout).unwrap().trim().to_owned();
    // A clang that is linked statically has the table itself.
    let output = Command::new("which").arg(clang).output().unwrap();
    let own = String::from_utf8(output.stdout).unwrap().trim().to_owned();
    let file = if Path::new(&library).is_file() { library } else { own };
    let bytes = std::fs::read(&file).unwrap();
    let mut found = BTreeSet::new();
    for prefix in prefixes {
        let prefix = prefix.as_bytes();
        for at in memchr(&bytes, prefix) {
            let end = bytes[at..]
                .iter()
                .position(|b| !(b.is_ascii_lowercase() || b.is_ascii_digit() || *b == b'_'));
            found.insert(String::from_utf8(bytes[at..at + end.unwrap()].to_vec()).unwrap());
        }
    }
    assert!(!found.is_empty(), "no {prefixes:?} in {file}");
    found
}

/// Places of a text that is no part of a longer name.
fn memchr<'a>(bytes: &'a [u8], text: &'a [u8]) -> impl Iterator<Item = usize> + 'a {
    let first = text[0];
    (1..bytes.len() - text.len()).filter(move |&at| {
        bytes[at] == first
            && bytes[at..].starts_with(text)
            && !(bytes[at - 1].is_ascii_lowercase() || bytes[at - 1] == b'_')
    })
}

/// The lines that the assembler takes.
pub(crate) fn accepted(clang: &str, target: &str, more: &[&str], lines: &[String]) -> BTreeSet<usize> {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("k.s");
    std::fs::write(&source, lines.join("\n") + "\n").unwrap();
    let output = Command::new(clang)
        .args(["-target", "amdgcn-amd-amdhsa", "-x", "assembler", "-c", "-fno-caret-diagnostics"])
        .arg(format!("-mcpu={target}"))
        .args(more)
        .arg(&source)
        .arg("-o")
        .arg(folder.path().join("k.o"))
        .output()
        .unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    let mut rejected = BTreeMap::new();
    for line in stderr.lines().filter(|l| l.contains(": error: ")) {
        let number = line.split(':').nth(1).and_then(|n| n.parse::<usize>().ok());
        rejected.insert(number.unwrap_or_else(|| panic!("{line}")) - 1, line);
    }
    assert!(output.status.success() || !rejected.is_empty(), "{stderr}");
    (0..lines.len()).filter(|n| !rejected.contains_key(n)).collect()
}
