//! Containers of one code object, and what is read of them.

use std::path::Path;
use std::process::Command;

use sqtt_decoder::codeobj::Binary;

use crate::common::{MAP, code_object, llvm};

/// The id of `k.co`'s entry in bundles.
pub(crate) const ID: &str = "hipv4-amdgcn-amd-amdhsa--gfx1030";

/// Targets and entry counts of what is inside, and the errors.
pub(crate) fn inside(bytes: Vec<u8>) -> (Vec<(String, usize)>, Vec<String>) {
    let binary = Binary::from_bytes("f", bytes);
    let contents = binary.contents();
    let found = contents.code_objects.iter().map(|code_object| {
        (
            code_object.target().unwrap_or_default(),
            code_object.funcmap().map_or(0, |named| named.entries().count()),
        )
    });
    (found.collect(), contents.errors.iter().map(ToString::to_string).collect())
}

pub(crate) fn read(folder: &Path, name: &str) -> Vec<u8> {
    std::fs::read(folder.join(name)).unwrap()
}

/// One code object with [`MAP`], and nothing wrong.
pub(crate) fn one() -> (Vec<(String, usize)>, Vec<String>) {
    (vec![("gfx1030".to_owned(), 5)], Vec::new())
}

/// First files of a folder: `k.co`, and `k.hipfb`, a plain bundle of it.
pub(crate) fn sample(folder: &Path) {
    code_object(folder, "k.co", "gfx1030", Some(MAP));
    std::fs::write(folder.join("host"), "").unwrap();
    bundle(folder, "k.hipfb", 22, &[], None);
}

/// Bundles `k.co` with the bundler of an LLVM.
pub(crate) fn bundle(folder: &Path, name: &str, llvm: u32, more: &[&str], format: Option<&str>) {
    let mut command = Command::new(format!("/usr/lib/llvm-{llvm}/bin/clang-offload-bundler"));
    command.args([
        "-type=o",
        &format!("-targets=host-x86_64-unknown-linux-gnu-,{ID}"),
        "-input=host",
        "-input=k.co",
    ]);
    command.arg(format!("-output={name}")).args(more).current_dir(folder);
    if let Some(format) = format {
        command.env("COMPRESSED_BUNDLE_FORMAT_VERSION", format);
    }
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// A host library with all these files in `.hip_fatbin`, each at a page of its own.
pub(crate) fn library_of(folder: &Path, name: &str, files: &[&str]) {
    let parts: String = files.iter().map(|file| format!(".p2align 12\n.incbin \"{file}\"\n")).collect();
    std::fs::write(folder.join("fat.s"), format!(".section .hip_fatbin,\"a\",@progbits\n{parts}")).unwrap();
    llvm("clang-22", &["-shared", "-nostdlib", "-o", name, "fat.s"], folder);
}
