//! Memory effects that LLVM assumes for functions with markers.
//!
//! To LLVM a trace call may write all memory, and so may each function that has one. Loads after a call of it would
//! become vector loads: a scalar load needs memory that was not written. But a marker in its final form writes nothing
//! of the program's. So LLVM looks anew at the functions that it took for writers because of their markers. A hint on both
//! sides of each of their calls keeps loads and stores from crossing the call, as it did itself.

use crate::config::Boundary;
use crate::llvm::write::Writer;
use crate::llvm::{Function, Inst};
use crate::run::Run;
use crate::sites::{TraceCall, hints_beside, is_transparent};
use crate::target::Target;
use inkwell::llvm_sys::LLVMOpcode;
use std::collections::HashSet;

/// Narrows them, before trace calls take their final form. Under a boundary that may write all memory they stay.
pub(crate) fn narrow(run: Run, calls: &[TraceCall]) {
    if run.config.boundary == Boundary::Asm {
        return;
    }
    let called = callees_first(calls);
    let traced_functions: HashSet<Function> =
        called.iter().copied().filter(|function| Target::of(*function).is_some()).collect();
    let writer = Writer::new(run.module);
    let mut hints: HashSet<Inst> = HashSet::new();
    for traced in calls.iter().filter(|traced| traced_functions.contains(&traced.function)) {
        writer.touches_no_memory(traced.call);
        hints.extend(hints_beside(traced.call));
    }
    hints.iter().for_each(|hint| writer.touches_no_memory(*hint));
    let narrowed: Vec<Function> = called.into_iter().filter(|it| it.narrow_memory(run.analyses)).collect();
    // They hold loads and stores where they stand.
    hints.iter().for_each(|hint| writer.may_touch_memory(*hint));
    for call in narrowed.into_iter().flat_map(Function::direct_calls) {
        writer.before(call);
        writer.wave_barrier();
        if let Some(next) = call.next().filter(|next| !leaves(*next)) {
            writer.before(next);
            writer.wave_barrier();
        }
    }
}

/// True if nothing but the function's return comes from here on: a hint would keep LLVM from a jump in place of the call
/// before it.
fn leaves(inst: Inst) -> bool {
    std::iter::successors(Some(inst), |inst| inst.next())
        .find(|inst| !is_transparent(*inst))
        .is_some_and(|inst| inst.opcode() == LLVMOpcode::LLVMRet)
}

/// The called functions that have trace calls or lead to one, each after those that it calls (but for recursion).
fn callees_first(calls: &[TraceCall]) -> Vec<Function> {
    let mut seen = HashSet::new();
    let mut order = Vec::new();
    // A function is met twice: when its callers are due, and when all of them are in the list.
    let mut open: Vec<(Function, bool)> = calls.iter().map(|traced| (traced.function, false)).collect();
    while let Some((function, is_done)) = open.pop() {
        if is_done {
            order.push(function);
        } else if seen.insert(function) {
            open.push((function, true));
            open.extend(function.direct_calls().into_iter().map(|call| (call.function(), false)));
        }
    }
    order.reverse();
    order.retain(|function| !function.direct_calls().is_empty());
    order
}
