//! Which memory a pointer leads to.
//!
//! A flat pointer says by its origins what its type does not: at -O0 every variable is reached through one. When all
//! origins that can be seen are of one address space, the pointer counts as a pointer of that space; when they are of
//! several, or one cannot be seen (an argument, a pointer that was loaded), it is what its type says: flat.

use crate::llvm::{Value, ValueKind};
use inkwell::llvm_sys::LLVMOpcode;
use std::collections::HashSet;

/// LLVM's numbers of the address spaces that matter here.
pub(crate) const FLAT: u32 = 0;
pub(crate) const GLOBAL: u32 = 1;
pub(crate) const LDS: u32 = 3;

/// More origins than these are not looked at.
const MAX_STEPS: usize = 64;

/// The address space that a pointer counts as; `None` for what is no pointer.
pub(crate) fn memory_space(pointer: Value) -> Option<u32> {
    let stated = pointer.address_space()?;
    if stated != FLAT {
        return Some(stated);
    }
    let mut seen = HashSet::new();
    let mut open = vec![pointer];
    let mut found = None;
    while let Some(value) = open.pop() {
        if !seen.insert(value) {
            continue;
        }
        if seen.len() > MAX_STEPS {
            return Some(FLAT);
        }
        match value.address_space() {
            Some(FLAT) => match origins(value) {
                Some(origins) => open.extend(origins),
                None => return Some(FLAT),
            },
            Some(space) if found.is_none_or(|found| found == space) => found = Some(space),
            _ => return Some(FLAT),
        }
    }
    Some(found.unwrap_or(FLAT))
}

/// The pointers that a flat pointer is made of; `None` when that cannot be seen.
fn origins(value: Value) -> Option<Vec<Value>> {
    let opcode = match value.kind() {
        ValueKind::Inst(inst) => inst.opcode(),
        ValueKind::Constant(_) => value.constant_opcode()?,
        ValueKind::Argument | ValueKind::Other => return None,
    };
    let operands = value.operands();
    match opcode {
        LLVMOpcode::LLVMAddrSpaceCast
        | LLVMOpcode::LLVMBitCast
        | LLVMOpcode::LLVMGetElementPtr
        | LLVMOpcode::LLVMFreeze => Some(operands.into_iter().take(1).collect()),
        LLVMOpcode::LLVMSelect => Some(operands.into_iter().skip(1).collect()),
        LLVMOpcode::LLVMPHI => Some(operands),
        _ => None,
    }
}
