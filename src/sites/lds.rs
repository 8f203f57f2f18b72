//! Whether a function may have operations on LDS under way.
//!
//! Its own, that is: one that is called waits at its entry for what its caller began, and before it returns for what it
//! began itself.

use super::space::{FLAT, LDS, Spaces};
use crate::llvm::{Function, Inst};
use inkwell::llvm_sys::LLVMOpcode;

/// Whether an instruction of the function goes to LDS, or may. Asm is what LLVM takes it for: none of them.
pub(crate) fn uses_lds(function: Function) -> bool {
    let mut spaces = Spaces::default();
    function.walk().any(|inst| goes_to_lds(inst, &mut spaces))
}

fn goes_to_lds(inst: Inst, spaces: &mut Spaces) -> bool {
    let leads_there = |pointer| matches!(spaces.of(pointer), Some(LDS | FLAT));
    match inst.opcode() {
        LLVMOpcode::LLVMLoad => inst.value().operand(0).is_some_and(leads_there),
        LLVMOpcode::LLVMStore => inst.value().operand(1).is_some_and(leads_there),
        LLVMOpcode::LLVMAtomicRMW | LLVMOpcode::LLVMAtomicCmpXchg => {
            inst.value().operand(0).is_some_and(leads_there)
        }
        LLVMOpcode::LLVMCall => {
            let intrinsic = inst.called_function().filter(|callee| callee.is_intrinsic());
            intrinsic.is_some_and(|callee| {
                // The crossbar of LDS, without an address in it.
                callee.name().starts_with("llvm.amdgcn.ds.")
                    || !super::is_transparent(inst) && inst.arguments().into_iter().any(leads_there)
            })
        }
        _ => false,
    }
}
