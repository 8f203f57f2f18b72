//! The least ELF file that is a code object: its `.sqtt_funcmap` section, `.sqtt_config` where it is
//! given, and nothing to run.

use sqtt_format::ConfigRecord;

const HEADER: usize = 64;

/// `e_flags` of gfx1200: EF_AMDGPU_MACH_AMDGCN_GFX1200.
pub const GFX1200: u32 = 0x48;

/// A code object for gfx1200 with that funcmap.
#[must_use]
pub fn code_object(funcmap: &[u8]) -> Vec<u8> {
    code_object_for(GFX1200, funcmap, None)
}

/// A code object for the GPU of these `e_flags`, with that funcmap and that record of its configuration.
#[must_use]
pub fn code_object_for(e_flags: u32, funcmap: &[u8], config: Option<&ConfigRecord>) -> Vec<u8> {
    let names: &[u8] = b"\0.sqtt_funcmap\0.shstrtab\0.sqtt_config\0";
    let section = [funcmap, b"\0"].concat();
    let config = config.map(ConfigRecord::to_bytes).unwrap_or_default();
    let names_at = HEADER + section.len() + config.len();
    let table_at = (names_at + names.len()).next_multiple_of(8);
    // Name, type, flags, offset, size of each section.
    let mut sections = vec![
        (0_u32, 0_u32, 0_u64, 0, 0),
        (1, 1, 2, HEADER, section.len()),
        (15, 3, 0, names_at, names.len()),
    ];
    if !config.is_empty() {
        sections.push((25, 1, 0, HEADER + section.len(), config.len()));
    }
    let mut file = vec![0x7F, b'E', b'L', b'F', 2, 1, 1, 64, 4, 0, 0, 0, 0, 0, 0, 0];
    // e_type shared object, e_machine AMDGPU, e_version.
    file.extend_from_slice(&3_u16.to_le_bytes());
    file.extend_from_slice(&224_u16.to_le_bytes());
    file.extend_from_slice(&1_u32.to_le_bytes());
    // e_entry, e_phoff, e_shoff.
    file.extend_from_slice(&[0; 16]);
    file.extend_from_slice(&(table_at as u64).to_le_bytes());
    file.extend_from_slice(&e_flags.to_le_bytes());
    // Sizes and counts: header, program headers, section headers, and which section holds the names.
    for half in [HEADER as u16, 0, 0, 64, sections.len() as u16, 2] {
        file.extend_from_slice(&half.to_le_bytes());
    }
    file.extend_from_slice(&section);
    file.extend_from_slice(&config);
    file.extend_from_slice(names);
    file.resize(table_at, 0);
    for (name, kind, flags, offset, size) in sections {
        file.extend_from_slice(&name.to_le_bytes());
        file.extend_from_slice(&kind.to_le_bytes());
        for word in [flags, 0, offset as u64, size as u64, 0, 1, 0] {
            file.extend_from_slice(&word.to_le_bytes());
        }
    }
    file
}

#[cfg(test)]
mod tests {
    use sqtt_format::ConfigRecord;

    use crate::codeobj::Binary;

    #[test]
    fn what_is_made_is_read() {
        let mut config = ConfigRecord::new("1", "22");
        config.set_access_bytes(1, 8);
        for (file, target, width) in [
            (super::code_object(b"U:1:a"), "gfx1200", None),
            (super::code_object_for(0x4C, b"U:1:a", Some(&config)), "gfx942", Some(8)),
        ] {
            let binary = Binary::from_bytes("x.out", file);
            let contents = binary.contents();
            assert!(contents.errors.is_empty(), "{:?}", contents.errors);
            let named = contents.code_objects[0].funcmap().unwrap();
            assert_eq!(named.target.as_deref(), Some(target));
            assert!(named.warnings.is_empty(), "{:?}", named.warnings);
            assert_eq!(named.map.unwrap().find(1).unwrap().name(), b"a");
            assert_eq!(named.config.and_then(|config| config.access_bytes().get(&1).copied()), width);
        }
    }
}
