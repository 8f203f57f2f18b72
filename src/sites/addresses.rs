//! The memory operations that record their addresses, and the operands of these (specification, "Address Tracing").
//!
//! | operation | kind | setting |
//! |---|---|---|
//! | load, store, `atomicrmw`, `cmpxchg`, the target's own atomics and watched loads, through a flat or global pointer | `load`, `store`, `atomic` | `memory` |
//! | the same through a pointer to LDS | `lds_load`, `lds_store`, `lds_atomic` | `lds` |
//! | `raw.buffer.*`, `struct.buffer.*` and their `ptr` forms | `buffer_*`, `struct_buffer_*` | `memory` |
//! | `ds.permute`, `ds.bpermute`, `ds.bpermute.fi` | `ds_permute`, `ds_bpermute` | `lds` |
//!
//! Everything else is left out: constant (4, 6) and private memory (5), GDS (2), buffer fat pointers (7, 9), typed
//! buffers, `s.buffer`, whatever loads to LDS (`*.load.lds`), transposing loads, and `memcpy` and its like, which are
//! no single operation. A flat pointer counts as what it is made of ([`super::space`]).

use super::space::Spaces;
use super::{LiveFunctions, is_open};
use crate::config::Addresses;
use crate::llvm::address_space::{FLAT, GLOBAL, LDS};
use crate::llvm::{Analyses, CallShape, Function, Inst, Module, Value};
use crate::target::wave_size;
use inkwell::llvm_sys::LLVMOpcode;
use sqtt_format::{AddressKind, WaveSize};

/// An operation whose addresses are recorded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct AddressSite {
    pub(crate) operation: Inst,
    pub(crate) kind: AddressKind,
    pub(crate) operands: Operands,
    /// Number of bytes that a lane accesses, where the code says it.
    pub(crate) bytes: Option<u32>,
    pub(crate) wave: WaveSize,
}

/// The operands that an address is made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Operands {
    /// A pointer.
    Pointer(Value),
    /// The index of a permute.
    Index(Value),
    /// The components of a buffer's address.
    Buffer(Buffer),
}

/// The components of a buffer's address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Buffer {
    pub(crate) resource: Value,
    /// Set for structured buffers only.
    pub(crate) vindex: Option<Value>,
    pub(crate) voffset: Value,
    pub(crate) soffset: Value,
    /// True if lanes may disagree about resource or scalar offset: the hardware then issues the operation once for
    /// each.
    pub(crate) divergent: bool,
}

/// The access of an operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Access {
    Load,
    Store,
    Atomic,
}

/// The operations of functions that stay and are not decided about yet, in module order.
pub(crate) fn address_sites(
    module: Module,
    wanted: Addresses,
    analyses: Analyses,
    decided: impl Fn(Function) -> bool,
) -> Vec<AddressSite> {
    let live = LiveFunctions::of(module);
    let mut sites = Vec::new();
    let mut spaces = Spaces::default();
    for function in module.definitions() {
        if decided(function) || !live.contains(function) || !is_open(function) {
            continue;
        }
        let Some(wave) = wave_size(function) else { continue };
        let first = sites.len();
        sites.extend(function.walk().filter_map(|inst| site(inst, wave, wanted, module, &mut spaces)));
        find_divergent(&mut sites[first..], function, analyses);
    }
    sites
}

/// Asks LLVM which resources and scalar offsets may differ between lanes.
fn find_divergent(sites: &mut [AddressSite], function: Function, analyses: Analyses) {
    let mut fresh = true;
    for site in sites {
        if let Operands::Buffer(buffer) = &mut site.operands {
            for value in [buffer.resource, buffer.soffset] {
                buffer.divergent |= value.is_divergent(function, analyses, fresh);
                fresh = false;
            }
        }
    }
}

fn site(
    operation: Inst,
    wave: WaveSize,
    wanted: Addresses,
    module: Module,
    spaces: &mut Spaces,
) -> Option<AddressSite> {
    let (kind, operands, width) = match operation.opcode() {
        LLVMOpcode::LLVMCall => intrinsic(operation, spaces)?,
        _ => plain(operation, spaces)?,
    };
    let asked = match kind {
        AddressKind::LdsLoad
        | AddressKind::LdsStore
        | AddressKind::LdsAtomic
        | AddressKind::DsPermute
        | AddressKind::DsBpermute => wanted.lds,
        _ => wanted.memory,
    };
    let bytes = width.and_then(|value| value.store_size(module));
    asked.then_some(AddressSite { operation, kind, operands, bytes, wave })
}

type Found = (AddressKind, Operands, Option<Value>);

/// IR's own operations: the pointer, and the value whose size is the access's.
fn plain(inst: Inst, spaces: &mut Spaces) -> Option<Found> {
    let pointer = inst.accessed_pointer()?;
    let (access, value) = match inst.opcode() {
        LLVMOpcode::LLVMLoad => (Access::Load, inst.value()),
        LLVMOpcode::LLVMStore => (Access::Store, inst.value().operand(0)?),
        _ => (Access::Atomic, inst.value().operand(1)?),
    };
    Some((pointer_kind(access, pointer, spaces)?, Operands::Pointer(pointer), Some(value)))
}

fn pointer_kind(access: Access, pointer: Value, spaces: &mut Spaces) -> Option<AddressKind> {
    Some(match (spaces.of(pointer)?, access) {
        (FLAT | GLOBAL, Access::Load) => AddressKind::Load,
        (FLAT | GLOBAL, Access::Store) => AddressKind::Store,
        (FLAT | GLOBAL, Access::Atomic) => AddressKind::Atomic,
        (LDS, Access::Load) => AddressKind::LdsLoad,
        (LDS, Access::Store) => AddressKind::LdsStore,
        (LDS, Access::Atomic) => AddressKind::LdsAtomic,
        _ => return None,
    })
}

fn intrinsic(call: Inst, spaces: &mut Spaces) -> Option<Found> {
    let name = call.called_intrinsic()?;
    let name = name.strip_prefix("llvm.amdgcn.")?;
    if call.call_shape() != Some(CallShape::Call) {
        return None;
    }
    let arguments = call.arguments();
    if let Some(operation) = name.strip_prefix("raw.") {
        return buffer(operation, false, call, &arguments);
    }
    if let Some(operation) = name.strip_prefix("struct.") {
        return buffer(operation, true, call, &arguments);
    }
    if let Some(direction) = name.strip_prefix("ds.") {
        let kind = match direction {
            "permute" => AddressKind::DsPermute,
            "bpermute" => AddressKind::DsBpermute,
            _ if direction.starts_with("bpermute.fi.") => AddressKind::DsBpermute,
            _ => return None,
        };
        return Some((kind, Operands::Index(*arguments.first()?), Some(call.value())));
    }
    let operation = name.strip_prefix("global.").or_else(|| name.strip_prefix("flat."))?;
    let access = if operation.starts_with("atomic.") {
        Access::Atomic
    } else if operation.starts_with("load.monitor.") {
        Access::Load
    } else {
        return None;
    };
    let pointer = *arguments.first()?;
    Some((pointer_kind(access, pointer, spaces)?, Operands::Pointer(pointer), Some(call.value())))
}

/// `[data, [compared,]] resource, [vindex,] voffset, soffset, …`
fn buffer(operation: &str, structured: bool, call: Inst, arguments: &[Value]) -> Option<Found> {
    let operation = operation.strip_prefix("ptr.").unwrap_or(operation);
    if operation.split('.').any(|part| part == "lds") {
        return None;
    }
    let (access, data) =
        if operation.starts_with("buffer.load") || operation.starts_with("atomic.buffer.load") {
            (Access::Load, 0)
        } else if operation.starts_with("buffer.store") {
            (Access::Store, 1)
        } else if operation.starts_with("buffer.atomic.cmpswap") {
            (Access::Atomic, 2)
        } else if operation.starts_with("buffer.atomic.") {
            (Access::Atomic, 1)
        } else {
            return None;
        };
    let kind = match (structured, access) {
        (false, Access::Load) => AddressKind::BufferLoad,
        (false, Access::Store) => AddressKind::BufferStore,
        (false, Access::Atomic) => AddressKind::BufferAtomic,
        (true, Access::Load) => AddressKind::StructBufferLoad,
        (true, Access::Store) => AddressKind::StructBufferStore,
        (true, Access::Atomic) => AddressKind::StructBufferAtomic,
    };
    let mut rest = arguments.get(data..)?.iter().copied();
    let mut next = || rest.next();
    let components = Buffer {
        resource: next()?,
        vindex: if structured { Some(next()?) } else { None },
        voffset: next()?,
        soffset: next()?,
        divergent: false,
    };
    let value = if data == 0 { call.value() } else { *arguments.first()? };
    // A format in the descriptor says how wide the memory is; the code does not.
    let width = if operation.split('.').any(|part| part == "format") { None } else { Some(value) };
    Some((kind, Operands::Buffer(components), width))
}
