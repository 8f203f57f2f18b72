//! Kernels of which no marker is left: what is loaded is byte for byte what it is without the plugin.
//!
//! The plugin's own sections, of the empty funcmap and its configuration, lie between the others and move them. So
//! addresses are left out, and the names of these sections' symbols: the sections of the dynamic linker, and of a kernel's
//! descriptor the distance to its code.

use crate::ast::Kernel;
use crate::check::{Judgement, Kind, Wrong, object};
use crate::toolchain::Build;
use object::read::elf::ElfFile64;
use object::{Object as _, ObjectSection as _, ObjectSymbol as _, SectionFlags, elf::SHF_ALLOC};
use std::path::Path;

/// A section that is loaded: its name and its bytes.
type Section = (String, Vec<u8>);

/// Sections that are addresses and names, or the plugin's.
const OTHER: [&str; 8] = [
    ".dynsym",
    ".dynstr",
    ".gnu.hash",
    ".hash",
    ".dynamic",
    ".relro_padding",
    ".sqtt_funcmap",
    ".sqtt_config",
];

/// The bytes of a descriptor that hold the distance to the code.
const ENTRY: std::ops::Range<usize> = 16..24;

/// Compiles a kernel without markers with the plugin and without, and compares what is loaded.
///
/// # Errors
/// A missing tool outside; a failing compile or the first section that differs inside.
pub fn check_silent(kernel: &Kernel, build: &Build, folder: &Path) -> Judgement<()> {
    let plain = Build { markers: false, plugin: None, ..build.clone() };
    let mut objects = Vec::new();
    for build in [&plain, build] {
        match object(kernel, build, folder)? {
            Ok(bytes) => objects.push(bytes),
            Err(wrong) => return Ok(Err(wrong)),
        }
    }
    Ok((|| {
        let (without, with) = (loaded(&objects[0])?, loaded(&objects[1])?);
        let names = |sections: &[Section]| sections.iter().map(|it| it.0.clone()).collect::<Vec<_>>();
        let wrong = |what: String| Err(Wrong { kind: Kind::Bytes, what });
        if names(&without) != names(&with) {
            return wrong(format!(
                "sections {:?} without the plugin, {:?} with it",
                names(&without),
                names(&with)
            ));
        }
        for (without, with) in without.iter().zip(&with) {
            if without != with {
                let at = without.1.iter().zip(&with.1).position(|(a, b)| a != b);
                return wrong(format!(
                    "{} differs: {} bytes without the plugin, {} with it, the first other one is {at:?}",
                    without.0,
                    without.1.len(),
                    with.1.len()
                ));
            }
        }
        Ok(())
    })())
}

fn loaded(bytes: &[u8]) -> Result<Vec<Section>, Wrong> {
    let wrong = |error: object::Error| Wrong { kind: Kind::Bytes, what: format!("the object: {error}") };
    let file: ElfFile64<'_> = ElfFile64::parse(bytes).map_err(wrong)?;
    let mut sections = Vec::new();
    for section in file.sections() {
        let is_loaded =
            matches!(section.flags(), SectionFlags::Elf { sh_flags } if sh_flags & u64::from(SHF_ALLOC) != 0);
        let name = section.name().map_err(wrong)?;
        if !is_loaded || OTHER.contains(&name) {
            continue;
        }
        let mut data = section.data().map_err(wrong)?.to_owned();
        let here =
            |symbol: &object::read::elf::ElfSymbol64<'_, '_>| symbol.section_index() == Some(section.index());
        for symbol in file.symbols().filter(here) {
            if symbol.name().is_ok_and(|name| name.ends_with(".kd")) {
                let at = (symbol.address() - section.address()) as usize;
                data.get_mut(at + ENTRY.start..at + ENTRY.end).into_iter().for_each(|bytes| bytes.fill(0));
            }
        }
        sections.push((name.to_owned(), data));
    }
    Ok(sections)
}
