//! The trace calls at which a function may have operations on LDS under way.
//!
//! Its own, that is: one that is called waits at its entry for what its caller began, and before it returns for what it
//! began itself.

use super::space::Spaces;
use crate::llvm::address_space::{FLAT, LDS};
use crate::llvm::{Block, Function, Inst};
use inkwell::llvm_sys::LLVMOpcode;
use std::collections::HashSet;

/// The trace calls before which control may have passed an instruction of the function that goes to LDS, or may. Asm is
/// what LLVM takes it for: none of them.
pub(crate) fn behind_lds(function: Function, is_trace_call: impl Fn(Inst) -> bool) -> HashSet<Inst> {
    let mut spaces = Spaces::default();
    let blocks = function.blocks();
    let goes_there = blocks.iter().filter(|block| block.walk().any(|inst| goes_to_lds(inst, &mut spaces)));
    let mut open: Vec<Block> = goes_there.flat_map(|block| block.successors()).collect();
    let mut reached = HashSet::new();
    while let Some(block) = open.pop() {
        if reached.insert(block) {
            open.extend(block.successors());
        }
    }
    let mut behind = HashSet::new();
    for block in blocks {
        let mut is_behind = reached.contains(&block);
        for inst in block.walk() {
            if is_behind && is_trace_call(inst) {
                behind.insert(inst);
            }
            is_behind |= goes_to_lds(inst, &mut spaces);
        }
    }
    behind
}

fn goes_to_lds(inst: Inst, spaces: &mut Spaces) -> bool {
    let leads_there = |pointer| matches!(spaces.of(pointer), Some(LDS | FLAT));
    if inst.opcode() == LLVMOpcode::LLVMCall {
        return inst.called_intrinsic().is_some_and(|name| {
            // The crossbar of LDS, without an address in it.
            name.starts_with("llvm.amdgcn.ds.")
                || !super::is_transparent(inst) && inst.arguments().into_iter().any(leads_there)
        });
    }
    inst.accessed_pointer().is_some_and(leads_there)
}
