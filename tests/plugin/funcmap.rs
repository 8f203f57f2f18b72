//! Reads the map out of a code object.

use object::{Object, ObjectSection};
use std::path::Path;

/// The rows of every map in a code object, in order; none where there is no section.
pub(crate) fn rows(path: &Path) -> Vec<String> {
    let bytes = std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    // LLVM 22's new offload driver packs the code object that it made.
    let start = bytes
        .windows(4)
        .position(|four| four == b"\x7fELF")
        .unwrap_or_else(|| panic!("{}: no ELF", path.display()));
    let bytes = bytes[start..].to_vec();
    let file = object::File::parse(&*bytes).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let Some(section) = file.section_by_name(".sqtt_funcmap") else { return Vec::new() };
    let text = section.data().expect("the section's bytes");
    String::from_utf8_lossy(text)
        .split(['\n', '\0'])
        .filter(|row| !row.is_empty())
        .map(str::to_owned)
        .collect()
}
