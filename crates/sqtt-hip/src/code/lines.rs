//! The source line of an instruction, from the debug information of its code object.

use std::borrow::Cow;

use addr2line::gimli::{DwarfSections, EndianSlice, LittleEndian, SectionId};
use object::{Object as _, ObjectSection as _};

/// File and line of an address in a code object, where it was compiled with `-g`: the place of the code itself, and not
/// of the function that it was inlined into.
pub(crate) fn line(code_object: &[u8], address: u64) -> Option<String> {
    let file = object::File::parse(code_object).ok()?;
    let section = |id: SectionId| -> Result<Cow<'_, [u8]>, addr2line::gimli::Error> {
        let found = file.section_by_name(id.name());
        Ok(found.and_then(|section| section.uncompressed_data().ok()).unwrap_or_default())
    };
    let sections = DwarfSections::load(section).ok()?;
    let dwarf = sections.borrow(|section| EndianSlice::new(section, LittleEndian));
    let context = addr2line::Context::from_dwarf(dwarf).ok()?;
    let location = context.find_location(address).ok()??;
    Some(format!("{}:{}", location.file?, location.line?))
}
