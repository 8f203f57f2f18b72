//! Places of the functions of a code object.
//!
//! A kernel has two symbols: `name`, the function with its instructions, and `name.kd`, the 64 bytes
//! of its descriptor, which are data. Only functions are looked up, by their exact names, so a
//! descriptor is never taken for the kernel.

use std::collections::{HashMap, HashSet};

use object::LittleEndian as LE;
use object::elf::{SHF_EXECINSTR, SHT_DYNSYM, SHT_SYMTAB, STT_FUNC, STT_LOOS, STT_NOTYPE, STT_OBJECT};
use object::read::elf::{SectionHeader as _, Sym as _};
use sqtt_format::Name;

use super::elf::Elf;
use super::error::Fault;

/// Type of kernel symbols in code objects of version 2 (`STT_AMDGPU_HSA_KERNEL`).
const STT_AMDGPU_KERNEL: u8 = STT_LOOS;

/// Start of the symbol of a map whose ids have a unit's prefix, as the plugin names it.
const MAP_OF_UNIT: &[u8] = b".sqtt_func_id_map.ids-";

/// Likeness of a symbol to a function: what is declared one goes before a bare label.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Function,
    Label,
}

/// A kernel and where its code begins.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct KernelSymbol {
    /// Offset in the loaded code object.
    pub address: u64,
    /// Its name, mangled.
    pub name: Name,
}

/// Addresses of functions by name. Several symbols of one name count as the lowest function.
pub(super) struct Symbols<'a> {
    by_name: HashMap<&'a [u8], (Rank, u64)>,
    /// Names that several functions have.
    repeated: HashSet<&'a [u8]>,
    /// Names with a number that a link gave to functions which another unit has, without the number.
    renamed: HashSet<&'a [u8]>,
    /// Names of what is declared a kernel, or has a descriptor.
    kernels: HashSet<&'a [u8]>,
    /// True if ids of the object have the prefix of a unit, which others were linked with.
    pub(super) is_of_units: bool,
    /// True if functions that are not exported are among them: not where the file was stripped.
    pub(super) has_all: bool,
    /// Symbol tables that could not be read, and symbols without a readable name.
    pub(super) faults: Vec<Fault>,
}

impl<'a> Symbols<'a> {
    pub(super) fn read(elf: &Elf<'a>) -> Self {
        let mut symbols = Self {
            by_name: HashMap::new(),
            repeated: HashSet::new(),
            renamed: HashSet::new(),
            kernels: HashSet::new(),
            is_of_units: false,
            has_all: false,
            faults: Vec::new(),
        };
        for sh_type in [SHT_SYMTAB, SHT_DYNSYM] {
            symbols.add_table(elf, sh_type).unwrap_or_else(|fault| symbols.faults.push(fault));
        }
        symbols
    }

    fn add_table(&mut self, elf: &Elf<'a>, sh_type: u32) -> Result<(), Fault> {
        let table = elf.symbol_table(sh_type)?;
        self.has_all |= sh_type == SHT_SYMTAB && !table.is_empty();
        let mut nameless = 0;
        for (index, symbol) in table.enumerate() {
            let rank = match symbol.st_type() {
                STT_FUNC | STT_AMDGPU_KERNEL => Rank::Function,
                STT_NOTYPE => Rank::Label,
                STT_OBJECT => {
                    let name = table.symbol_name(LE, symbol).unwrap_or_default();
                    self.kernels.extend(name.strip_suffix(b".kd"));
                    self.is_of_units |= name.starts_with(MAP_OF_UNIT);
                    continue;
                }
                _ => continue,
            };
            // Neither undefined nor absolute: a function is in a section.
            let Ok(Some(section)) = table.symbol_section(LE, symbol, index) else { continue };
            let holds_code = || {
                elf.section(section).is_some_and(|header| header.sh_flags(LE) & u64::from(SHF_EXECINSTR) != 0)
            };
            if rank == Rank::Label && !holds_code() {
                continue;
            }
            let Ok(name) = table.symbol_name(LE, symbol) else {
                nameless += 1;
                continue;
            };
            if symbol.st_type() == STT_AMDGPU_KERNEL {
                self.kernels.insert(name);
            }
            let candidate = (rank, symbol.st_value(LE));
            let known = self.by_name.entry(name).or_insert(candidate);
            if known.0 == candidate.0 && known.1 != candidate.1 {
                self.repeated.insert(name);
            }
            *known = (*known).min(candidate);
            self.renamed.extend(without_number(name));
        }
        if nameless > 0 {
            self.faults.push(Fault::elf(0, format!("{nameless} symbols without a readable name")));
        }
        Ok(())
    }

    /// Address of the function or kernel with exactly that name.
    pub(super) fn address(&self, name: &[u8]) -> Option<u64> {
        self.by_name.get(name).map(|&(_, address)| address)
    }

    /// True if the function of that name may be another than the one that is meant: units keep such to themselves, of
    /// several units one may have inlined its own.
    pub(super) fn is_doubtful(&self, name: &[u8], is_of_several: bool) -> bool {
        let is_seen = self.repeated.contains(name) || self.renamed.contains(name);
        match is_local(name) {
            Some(is_local) => is_local && (is_of_several || is_seen),
            None => is_seen,
        }
    }

    /// The kernels, by address.
    pub(super) fn kernels(&self) -> Vec<KernelSymbol> {
        let kernels = self.by_name.iter().filter(|(name, _)| self.kernels.contains(*name));
        let mut kernels: Vec<_> =
            kernels.map(|(name, &(_, address))| KernelSymbol { address, name: Name::from(*name) }).collect();
        kernels.sort();
        kernels
    }
}

/// The name before `.5`, by which a link tells functions of one name apart.
fn without_number(name: &[u8]) -> Option<&[u8]> {
    let digits = name.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    name[..name.len() - digits].strip_suffix(b".").filter(|_| digits > 0)
}

/// True for names in C++ of functions that only their unit sees, false for those of others. Names of C do not say.
fn is_local(name: &[u8]) -> Option<bool> {
    const UNNAMED: &[u8] = b"_GLOBAL__N_1";
    let is_in_unnamed = || name.windows(UNNAMED.len()).any(|part| part == UNNAMED);
    name.starts_with(b"_Z").then(|| name.starts_with(b"_ZL") || is_in_unnamed())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_a_link() {
        assert_eq!(without_number(b"_ZL5locali.5"), Some(&b"_ZL5locali"[..]));
        assert_eq!(without_number(b"f.12"), Some(&b"f"[..]));
        for name in [&b"f"[..], b"f12", b"f.", b"f.llvm.", b"f.cold", b""] {
            assert_eq!(without_number(name), None);
        }
    }

    #[test]
    fn names_of_several_functions() {
        for (name, is) in [
            ("_Z1fi", Some(false)),
            ("_ZN1a1fEv", Some(false)),
            ("_ZL1fi", Some(true)),
            ("_ZN12_GLOBAL__N_11fEv", Some(true)),
            ("f", None),
        ] {
            assert_eq!(is_local(name.as_bytes()), is, "{name}");
        }
    }
}
