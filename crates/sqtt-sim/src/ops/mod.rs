//! The semantics, sorted by kind. Each table pairs mnemonics (every spelling of every generation) with one
//! small function; [`special`] covers the regular families (compares, memory) by their parts.

pub(crate) mod access;
pub(crate) mod atomic;
pub(crate) mod bounds;
mod buffer;
mod cmp;
mod cvt;
mod dot;
mod ds;
mod f16;
mod f32;
mod f64;
mod flat;
mod gfx950;
pub(crate) mod image;
pub(crate) mod indexed;
mod lane;
pub(crate) mod matrix;
mod media;
mod narrow;
mod packed;
mod salu;
mod salu64;
mod saluf;
mod smem;
pub(crate) mod sys;
mod texel;
mod valu;
mod valu16;
mod valu64;
mod words;
pub(crate) mod wrap;

use std::collections::HashMap;
use std::sync::OnceLock;

use crate::inst::{Exec, Inst};
use crate::target::Target;

/// Instruction classes: what they cost and which modifiers they take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Class {
    /// Scalar ALU and control.
    Salu,
    /// Does nothing here; its operands are not read.
    Nop,
    /// Integer vector ALU without modifiers.
    Valu,
    /// Integer vector ALU with a saturating `clamp`.
    Sat,
    /// Bit operations on floats: `neg` and `abs` only.
    Bits,
    /// Floating-point vector ALU.
    Float,
    /// Packed: `neg_lo`, `neg_hi`, `clamp`.
    Packed,
    /// Conversions of narrow floats: signs, and a byte of a register.
    Narrow,
    /// Transcendental.
    Trans,
    /// 64-bit floating point.
    Double,
    /// Matrices: `neg_lo`, `neg_hi`, `clamp`.
    Matrix,
    /// Scalar memory.
    Smem,
    /// LDS.
    Lds,
    /// Vector memory.
    Vmem,
    /// `s_ttracedata`, `s_ttracedata_imm`.
    Trace,
}

/// Modifiers that a class honours.
pub(crate) struct Modifiers {
    pub(crate) signs: bool,
    pub(crate) clamp: bool,
    pub(crate) omod: bool,
}

impl Class {
    /// Simulated cycles of one instruction. The numbers are a plausible fixed table, not measurements.
    pub(crate) fn cost(self, target: Target) -> u32 {
        let vector = if target.generation() == 9 { 4 } else { 1 };
        match self {
            Class::Salu | Class::Nop | Class::Trace => {
                if target.generation() == 9 {
                    4
                } else {
                    1
                }
            }
            Class::Valu | Class::Sat | Class::Bits | Class::Float | Class::Packed | Class::Narrow => vector,
            Class::Trans | Class::Double => 4 * vector,
            Class::Matrix => 8 * vector,
            Class::Smem => 40,
            Class::Lds => 32,
            Class::Vmem => 120,
        }
    }

    pub(crate) fn ignores_operands(self) -> bool {
        self == Class::Nop
    }

    pub(crate) fn modifiers(self) -> Modifiers {
        let (signs, clamp, omod) = match self {
            Class::Sat | Class::Packed | Class::Matrix => (self == Class::Packed, true, false),
            Class::Bits | Class::Narrow => (true, false, false),
            Class::Float | Class::Trans | Class::Double => (true, true, true),
            _ => (false, false, false),
        };
        Modifiers { signs, clamp, omod }
    }
}

/// Rearranges a decoded instruction; `None` refuses it.
pub(crate) type Fix = fn(&mut Inst, Target) -> Option<()>;

/// The meaning of a mnemonic.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Def {
    pub(crate) exec: Exec,
    pub(crate) class: Class,
    pub(crate) flags: u16,
    pub(crate) fix: Option<Fix>,
}

/// A table: space-separated spellings and their meaning.
pub(crate) type Table = &'static [(&'static str, Def)];

/// A [`Def`] without flags.
pub(crate) const fn def(class: Class, exec: Exec) -> Def {
    Def { exec, class, flags: 0, fix: None }
}

/// All tables.
const TABLES: [Table; 25] = [
    indexed::TABLE,
    salu::TABLE,
    salu64::TABLE,
    saluf::TABLE,
    sys::TABLE,
    sys::NOPS,
    smem::TABLE,
    valu::TABLE,
    valu::CARRY,
    valu16::TABLE,
    valu64::TABLE,
    f32::TABLE,
    f16::TABLE,
    f64::TABLE,
    cvt::TABLE,
    cvt::PACK,
    cmp::TABLE,
    lane::TABLE,
    media::TABLE,
    narrow::TABLE,
    packed::TABLE,
    packed::DOT,
    dot::TABLE,
    gfx950::TABLE,
    ds::TABLE,
];

/// Every mnemonic that has an entry of its own.
pub(crate) fn table() -> &'static HashMap<&'static str, Def> {
    static TABLE: OnceLock<HashMap<&'static str, Def>> = OnceLock::new();
    TABLE.get_or_init(|| {
        TABLES
            .iter()
            .flat_map(|t| t.iter())
            .flat_map(|(names, def)| names.split(' ').map(|n| (n, *def)))
            .collect()
    })
}

/// The regular families: compares by condition and type, memory by prefix and operation.
pub(crate) fn special(name: &str, inst: &mut Inst, target: Target) -> Option<Def> {
    cmp::family(name, inst)
        .or_else(|| matrix::family(name, inst, target))
        .or_else(|| ds::family(name, inst))
        .or_else(|| flat::family(name, inst, target))
        .or_else(|| buffer::family(name, inst))
        .or_else(|| image::family(name, inst, target))
        .or_else(|| smem::family(name, inst))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::path::{Path, PathBuf};

    use super::TABLES;
    use crate::decode::strip;

    /// The words of a test file, as mnemonics without their encodings.
    fn mnemonics(text: &str) -> impl Iterator<Item = String> {
        let words = text.replace("\\n", " ").replace("\\t", " ");
        let words: Vec<String> = words
            .split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
            .map(|w| strip(w).replace("v_dual_", "v_"))
            .collect();
        words.into_iter()
    }

    /// The test files below a folder.
    fn files(folder: &Path) -> Vec<PathBuf> {
        let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
    }

    /// An entry that no test names is one that nobody has looked at.
    #[test]
    fn every_entry_has_a_test() {
        let files = files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it"));
        let named: HashSet<String> = files
            .iter()
            .flat_map(|f| mnemonics(&std::fs::read_to_string(f).unwrap()).collect::<Vec<_>>())
            .collect();
        // The tests of narrow floats take their names from the assembler.
        let generated: HashSet<&str> = super::narrow::TABLE.iter().map(|(names, _)| *names).collect();
        let entries = TABLES.iter().flat_map(|t| t.iter()).map(|(names, _)| *names);
        let entries = entries.filter(|names| !generated.contains(names));
        let missing: Vec<&str> =
            entries.filter(|names| !names.split(' ').any(|n| named.contains(n))).collect();
        assert!(missing.is_empty(), "no test in tests/it names {missing:?}");
    }
}
