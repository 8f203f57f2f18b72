//! The neighbours of a marker.

use super::is_transparent;
use crate::llvm::Inst;
use inkwell::llvm_sys::LLVMOpcode;

/// True if an instruction synchronizes the workgroup: a barrier, a half of one, or a fence.
pub(crate) fn is_sync(inst: Inst) -> bool {
    match inst.opcode() {
        LLVMOpcode::LLVMFence => true,
        LLVMOpcode::LLVMCall => inst.called_intrinsic().is_some_and(|name| {
            name.starts_with("llvm.amdgcn.s.barrier") || name == "llvm.amdgcn.s.cluster.barrier"
        }),
        _ => false,
    }
}

/// The far end of the syncs that begin at `first` and follow each other in the direction of `next`.
pub(crate) fn last_sync(first: Inst, next: fn(Inst) -> Option<Inst>) -> Inst {
    std::iter::successors(Some(first), |sync| next(*sync).filter(|inst| is_sync(*inst)))
        .last()
        .unwrap_or(first)
}

/// True if an instruction leaves nothing in the machine code: debug information, lifetimes, scheduling hints, and the
/// empty asm that holds a branch around a numeric marker.
pub(crate) fn is_hint(inst: Inst) -> bool {
    const HINTS: [&str; 4] = [
        "llvm.amdgcn.sched.barrier",
        "llvm.amdgcn.sched.group.barrier",
        "llvm.amdgcn.iglp.opt",
        "llvm.amdgcn.wave.barrier",
    ];
    if inst.opcode() != LLVMOpcode::LLVMCall {
        return false;
    }
    is_transparent(inst)
        || inst.is_empty_asm()
        || inst.called_function().is_some_and(|callee| HINTS.contains(&callee.name().as_str()))
}

/// True if LLVM could run a block up to `at` speculatively, and so fold a branch put there into the one before it.
pub(crate) fn is_speculatable_up_to(at: Inst) -> bool {
    std::iter::successors(at.previous(), |inst| inst.previous()).all(|inst| match inst.opcode() {
        LLVMOpcode::LLVMCall => is_transparent(inst),
        LLVMOpcode::LLVMStore
        | LLVMOpcode::LLVMFence
        | LLVMOpcode::LLVMAtomicRMW
        | LLVMOpcode::LLVMAtomicCmpXchg => false,
        _ => true,
    })
}

/// True if nothing but the way to one other block comes after `at`. A branch put there and the one that leads to
/// its block can have a destination in common, and only such are folded into one.
pub(crate) fn is_left_at_once(at: Inst) -> bool {
    next_code(at).is_some_and(|next| {
        // No opcode: from LLVM 23 on conditional and other branches have one each.
        next.next().is_none()
            && next.value().each_operand().nth(1).is_none()
            && next.block().successors().len() == 1
    })
}

/// The next instruction that leaves something.
pub(crate) fn next_code(inst: Inst) -> Option<Inst> {
    std::iter::successors(inst.next(), |inst| inst.next()).find(|inst| !is_hint(*inst))
}

/// The instruction before that leaves something.
pub(crate) fn previous_code(inst: Inst) -> Option<Inst> {
    std::iter::successors(inst.previous(), |inst| inst.previous()).find(|inst| !is_hint(*inst))
}

/// The calls of hints that stand beside a marker, with nothing else between.
pub(crate) fn hints_beside(marker: Inst) -> Vec<Inst> {
    let hints = |next: fn(Inst) -> Option<Inst>| {
        std::iter::successors(next(marker), move |inst| next(*inst)).take_while(|inst| is_hint(*inst))
    };
    hints(Inst::previous).chain(hints(Inst::next)).filter(|inst| !is_transparent(*inst)).collect()
}

/// The empty asms without operands among them.
pub(crate) fn empty_asms_beside(marker: Inst) -> Vec<Inst> {
    let is_bare = |inst: &Inst| inst.inline_asm().is_some_and(|asm| asm.iter().all(String::is_empty));
    hints_beside(marker).into_iter().filter(is_bare).collect()
}
