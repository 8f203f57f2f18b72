//! The code object's memory image: loadable segments at a base address, dynamic relocations applied.

use object::read::elf::{FileHeader, ProgramHeader};
use object::{Endianness, Object, ObjectSymbol, RelocationFlags, RelocationTarget, elf};

use crate::error::SimError;
use crate::memory::host::Bytes;
use crate::target::Target;

/// The begin of regions of memory: high, as Linux has them.
pub(crate) const REGIONS_BASE: u64 = 0x7F00_0000_0000;
/// The address of the image in the simulated address space. The first 8 KiB end at a 4 GiB boundary, so that
/// 64-bit address arithmetic carries.
pub(crate) const IMAGE_BASE: u64 = REGIONS_BASE + (1 << 32) - 0x2000;
/// Larger images are refused: the address space gives each region 8 GiB, and no real code object comes near.
const MAX_IMAGE: u64 = 1 << 30;

/// A loaded code object.
#[derive(Debug, Clone)]
pub(crate) struct Image {
    pub(crate) target: Target,
    /// Memory from virtual address 0 on, as the file has it.
    pub(crate) bytes: Vec<u8>,
    pub(crate) symbols: Vec<Symbol>,
    /// The msgpack bytes of the metadata notes: an object that was linked from several units has several.
    pub(crate) metadata: Vec<Vec<u8>>,
    relocations: Vec<Relocation>,
}

/// A defined symbol.
#[derive(Debug, Clone)]
pub(crate) struct Symbol {
    pub(crate) name: String,
    /// Its virtual address.
    pub(crate) address: u64,
    pub(crate) size: u64,
}

/// A place of the image that depends on where the image is.
#[derive(Debug, Clone, Copy)]
struct Relocation {
    offset: usize,
    /// The address, counted from the begin of the image.
    value: u64,
    part: Part,
}

/// The part of an address that is written.
#[derive(Debug, Clone, Copy)]
enum Part {
    Low,
    High,
    Whole,
}

impl Part {
    fn of(self, address: u64) -> ([u8; 8], usize) {
        match self {
            Part::Low => (address.to_le_bytes(), 4),
            Part::High => ((address >> 32).to_le_bytes(), 4),
            Part::Whole => (address.to_le_bytes(), 8),
        }
    }
}

fn bad(what: impl Into<String>) -> SimError {
    SimError::CodeObject(what.into())
}

impl Image {
    /// Reads a bare AMDGPU ELF.
    pub(crate) fn load(data: &[u8]) -> Result<Image, SimError> {
        let header = elf::FileHeader64::<Endianness>::parse(data).map_err(|e| bad(e.to_string()))?;
        let endian = header.endian().map_err(|e| bad(e.to_string()))?;
        if header.e_machine(endian) != elf::EM_AMDGPU {
            return Err(bad(format!(
                "ELF machine {} where EM_AMDGPU ({}) is needed",
                header.e_machine(endian),
                elf::EM_AMDGPU
            )));
        }
        let flags = header.e_flags(endian);
        let target = Target::from_mach(flags).ok_or_else(|| {
            let names: Vec<_> = Target::ALL.iter().map(|t| t.name()).collect();
            SimError::Target(format!(
                "the code object's processor (EF_AMDGPU_MACH {:#x}) is not simulated; simulated are {}",
                flags & 0xff,
                names.join(", ")
            ))
        })?;
        let mut bytes = Vec::new();
        let mut metadata = Vec::new();
        let segments = header.program_headers(endian, data).map_err(|e| bad(e.to_string()))?;
        for segment in segments {
            if segment.p_type(endian) == elf::PT_LOAD {
                let start = segment.p_vaddr(endian);
                let end =
                    start.checked_add(segment.p_memsz(endian)).filter(|&end| end <= MAX_IMAGE).ok_or_else(
                        || bad(format!("segment at {start:#x} is larger than {MAX_IMAGE:#x} bytes")),
                    )?;
                let content = segment
                    .data(endian, data)
                    .map_err(|()| bad(format!("segment at {start:#x} lies outside the file")))?;
                if bytes.len() < end as usize {
                    bytes.resize(end as usize, 0);
                }
                let room = bytes
                    .get_mut(start as usize..start as usize + content.len())
                    .ok_or_else(|| bad(format!("segment at {start:#x} has more file bytes than memory")))?;
                room.copy_from_slice(content);
            } else if let Ok(Some(mut notes)) = segment.notes(endian, data) {
                while let Ok(Some(note)) = notes.next() {
                    if note.name() == b"AMDGPU" && note.n_type(endian) == 32 {
                        metadata.push(note.desc().to_vec());
                    }
                }
            }
        }
        let file = object::File::parse(data).map_err(|e| bad(e.to_string()))?;
        let mut symbols = Vec::new();
        for symbol in file.symbols().chain(file.dynamic_symbols()) {
            if let (Ok(name), false) = (symbol.name(), symbol.is_undefined()) {
                let (name, address, size) = (name.to_owned(), symbol.address(), symbol.size());
                symbols.push(Symbol { name, address, size });
            }
        }
        let mut image = Image { target, bytes, symbols, metadata, relocations: Vec::new() };
        image.find_relocations(&file)?;
        Ok(image)
    }

    fn find_relocations(&mut self, file: &object::File<'_>) -> Result<(), SimError> {
        let Some(relocations) = file.dynamic_relocations() else { return Ok(()) };
        for (offset, relocation) in relocations {
            let RelocationFlags::Elf { r_type } = relocation.flags() else { continue };
            let symbol = match relocation.target() {
                RelocationTarget::Symbol(index) => {
                    let dynamic =
                        file.dynamic_symbol_table().ok_or_else(|| bad("relocation without .dynsym"))?;
                    let symbol = object::ObjectSymbolTable::symbol_by_index(&dynamic, index)
                        .map_err(|e| bad(format!("relocation at {offset:#x}: {e}")))?;
                    if symbol.is_undefined() {
                        let name = symbol.name().unwrap_or("?");
                        return Err(bad(format!(
                            "relocation at {offset:#x} needs undefined symbol `{name}`"
                        )));
                    }
                    symbol.address()
                }
                _ => 0,
            };
            let value = symbol.wrapping_add(relocation.addend().cast_unsigned());
            // Numbers from LLVM's AMDGPU relocation table: ABS32_LO 1, ABS32_HI 2, ABS64 3, RELATIVE64 13.
            let part = match r_type {
                1 => Part::Low,
                2 => Part::High,
                3 | 13 => Part::Whole,
                other => return Err(bad(format!("relocation type {other} at {offset:#x} is not supported"))),
            };
            let offset = offset as usize;
            if offset.saturating_add(part.of(0).1) > self.bytes.len() {
                return Err(bad(format!("relocation at {offset:#x} lies outside the image")));
            }
            self.relocations.push(Relocation { offset, value, part });
        }
        Ok(())
    }

    /// Writes into a copy of the image the addresses that things have when it is at `base`.
    pub(crate) fn relocate(&self, copy: &Bytes, base: u64) {
        for relocation in &self.relocations {
            let (written, len) = relocation.part.of(base.wrapping_add(relocation.value));
            copy.copy_in(relocation.offset, &written[..len]);
        }
    }

    /// The virtual address of a symbol.
    pub(crate) fn symbol(&self, name: &str) -> Option<u64> {
        self.symbols.iter().find(|s| s.name == name).map(|s| s.address)
    }
}
