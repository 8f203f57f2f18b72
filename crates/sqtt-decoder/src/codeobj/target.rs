//! The GPU that a code object is for (LLVM's "User Guide for AMDGPU Backend": ELF header flags, target
//! ids, code object metadata).

use super::elf::Elf;

/// `e_flags` bits that hold the processor.
const MACH: u32 = 0xFF;
/// ABI version of code objects from which on features have three states and not two.
const ABI_V4: u8 = 2;
/// `NT_AMDGPU_METADATA`, whose descriptor is MessagePack.
const METADATA_NOTE: u32 = 32;
/// Metadata of more bytes than this is not searched for a target: it grows manyfold when parsed.
const METADATA_LIMIT: usize = 4 << 20;
const METADATA_DEPTH: usize = 64;

/// `gfx1030`, `gfx90a:sramecc+:xnack-` and so on: the processor and those features that the code
/// object fixes. A feature that it leaves open is not named.
pub(super) fn of(elf: &Elf<'_>) -> Option<String> {
    from_flags(elf.flags(), elf.abi_version()).or_else(|| from_metadata(elf))
}

fn from_flags(flags: u32, abi_version: u8) -> Option<String> {
    let processor = processor(flags & MACH)?;
    let (xnack, sramecc) = if abi_version >= ABI_V4 {
        (three_states(flags >> 8), three_states(flags >> 10))
    } else {
        (two_states(flags >> 8), two_states(flags >> 9))
    };
    let feature = |name: &str, state: &str| match state {
        "" => String::new(),
        state => format!(":{name}{state}"),
    };
    Some(format!("{processor}{}{}", feature("sramecc", sramecc), feature("xnack", xnack)))
}

fn three_states(bits: u32) -> &'static str {
    match bits & 3 {
        2 => "-",
        3 => "+",
        // Not supported, or any.
        _ => "",
    }
}

fn two_states(bit: u32) -> &'static str {
    if bit & 1 == 1 { "+" } else { "" }
}

/// `amdhsa.target` of the metadata note, for processors that the table does not know.
fn from_metadata(elf: &Elf<'_>) -> Option<String> {
    let mut metadata = elf.note(b"AMDGPU", METADATA_NOTE).filter(|note| note.len() <= METADATA_LIMIT)?;
    let root = rmpv::decode::read_value_ref_with_max_depth(&mut metadata, METADATA_DEPTH).ok()?;
    let rmpv::ValueRef::Map(pairs) = root else { return None };
    pairs.iter().find_map(|(key, value)| match (key, value) {
        (rmpv::ValueRef::String(key), rmpv::ValueRef::String(value))
            if key.as_str() == Some("amdhsa.target") =>
        {
            processor_of_triple(value.as_str()?).map(str::to_owned)
        }
        _ => None,
    })
}

/// `gfx90a:xnack-` of `amdgcn-amd-amdhsa--gfx90a:xnack-`.
fn processor_of_triple(target: &str) -> Option<&str> {
    target.splitn(5, '-').nth(4).filter(|processor| !processor.is_empty())
}

/// Processor names by `EF_AMDGPU_MACH`.
fn processor(mach: u32) -> Option<&'static str> {
    Some(match mach {
        0x20 => "gfx600",
        0x21 => "gfx601",
        0x22 => "gfx700",
        0x23 => "gfx701",
        0x24 => "gfx702",
        0x25 => "gfx703",
        0x26 => "gfx704",
        0x28 => "gfx801",
        0x29 => "gfx802",
        0x2A => "gfx803",
        0x2B => "gfx810",
        0x2C => "gfx900",
        0x2D => "gfx902",
        0x2E => "gfx904",
        0x2F => "gfx906",
        0x30 => "gfx908",
        0x31 => "gfx909",
        0x32 => "gfx90c",
        0x33 => "gfx1010",
        0x34 => "gfx1011",
        0x35 => "gfx1012",
        0x36 => "gfx1030",
        0x37 => "gfx1031",
        0x38 => "gfx1032",
        0x39 => "gfx1033",
        0x3A => "gfx602",
        0x3B => "gfx705",
        0x3C => "gfx805",
        0x3D => "gfx1035",
        0x3E => "gfx1034",
        0x3F => "gfx90a",
        0x41 => "gfx1100",
        0x42 => "gfx1013",
        0x43 => "gfx1150",
        0x44 => "gfx1103",
        0x45 => "gfx1036",
        0x46 => "gfx1101",
        0x47 => "gfx1102",
        0x48 => "gfx1200",
        0x49 => "gfx1250",
        0x4A => "gfx1151",
        0x4C => "gfx942",
        0x4E => "gfx1201",
        0x4F => "gfx950",
        0x51 => "gfx9-generic",
        0x52 => "gfx10-1-generic",
        0x53 => "gfx10-3-generic",
        0x54 => "gfx11-generic",
        0x55 => "gfx1152",
        0x58 => "gfx1153",
        0x59 => "gfx12-generic",
        0x5A => "gfx1251",
        0x5F => "gfx9-4-generic",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_are_named_where_they_are_fixed() {
        for (flags, abi, target) in [
            (0x53F, 4, "gfx90a"),
            (0x63F, 4, "gfx90a:xnack-"),
            (0xE3F, 3, "gfx90a:sramecc+:xnack-"),
            (0xB3F, 2, "gfx90a:sramecc-:xnack+"),
            (0x33F, 1, "gfx90a:sramecc+:xnack+"),
            (0x036, 4, "gfx1030"),
            (0x100_0053, 4, "gfx10-3-generic"),
        ] {
            assert_eq!(from_flags(flags, abi).as_deref(), Some(target), "{flags:#x}");
        }
        assert_eq!(from_flags(0xFF, 4), None);
    }

    #[test]
    fn triples() {
        assert_eq!(processor_of_triple("amdgcn-amd-amdhsa--gfx90a:xnack-"), Some("gfx90a:xnack-"));
        assert_eq!(processor_of_triple("amdgcn-amd-amdhsa-unknown-gfx10-3-generic"), Some("gfx10-3-generic"));
        assert_eq!(processor_of_triple("amdgcn-amd-amdhsa"), None);
        assert_eq!(processor_of_triple("amdgcn-amd-amdhsa--"), None);
    }
}
