//! The least ELF file that is a code object: a `.sqtt_funcmap` section, and nothing to run.

const HEADER: usize = 64;

/// A code object for gfx1200 with that section.
#[must_use]
pub fn code_object(funcmap: &[u8]) -> Vec<u8> {
    let names: &[u8] = b"\0.sqtt_funcmap\0.shstrtab\0";
    let section = [funcmap, b"\0"].concat();
    let names_at = HEADER + section.len();
    let table_at = (names_at + names.len()).next_multiple_of(8);
    let mut file = vec![0x7F, b'E', b'L', b'F', 2, 1, 1, 64, 4, 0, 0, 0, 0, 0, 0, 0];
    // e_type shared object, e_machine AMDGPU, e_version.
    file.extend_from_slice(&3_u16.to_le_bytes());
    file.extend_from_slice(&224_u16.to_le_bytes());
    file.extend_from_slice(&1_u32.to_le_bytes());
    // e_entry, e_phoff, e_shoff.
    file.extend_from_slice(&[0; 16]);
    file.extend_from_slice(&(table_at as u64).to_le_bytes());
    // e_flags: EF_AMDGPU_MACH_AMDGCN_GFX1200.
    file.extend_from_slice(&0x48_u32.to_le_bytes());
    // Sizes and counts: header, program headers, section headers, and which section holds the names.
    for half in [HEADER as u16, 0, 0, 64, 3, 2] {
        file.extend_from_slice(&half.to_le_bytes());
    }
    file.extend_from_slice(&section);
    file.extend_from_slice(names);
    file.resize(table_at, 0);
    // Name, type, flags, offset, size of each section.
    let sections =
        [(0_u32, 0_u32, 0_u64, 0, 0), (1, 1, 2, HEADER, section.len()), (15, 3, 0, names_at, names.len())];
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
    use crate::codeobj::Binary;

    #[test]
    fn what_is_made_is_read() {
        let binary = Binary::from_bytes("x.out", super::code_object(b"U:1:a"));
        let contents = binary.contents();
        assert!(contents.errors.is_empty(), "{:?}", contents.errors);
        let named = contents.code_objects[0].funcmap().unwrap();
        assert_eq!(named.target.as_deref(), Some("gfx1200"));
        assert_eq!(named.map.unwrap().find(1).unwrap().name(), b"a");
    }
}
