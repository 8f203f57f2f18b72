//! The functions that get enter and exit markers, and the places of these.

use super::foreign::{is_device_library, is_foreign};
use crate::llvm::{Function, Inst, Module};
use inkwell::llvm_sys::LLVMOpcode;

/// The places for the markers of one function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct FunctionSite {
    pub(crate) function: Function,
    /// The first instruction after the allocas of the entry block.
    pub(crate) entry: Inst,
    /// The instructions before which control leaves.
    pub(crate) exits: Vec<Inst>,
}

/// The functions that may be marked, in module order.
///
/// Left out, each for its reason:
/// - what the hardware enters (kernels, shaders) and what it jumps to (chain functions): nothing returns from them;
/// - functions without a `ret`: an enter that nothing leaves would swallow what comes after;
/// - naked functions: they have no place for code that is not theirs;
/// - bodies that are only there for inlining;
/// - what is not the user's: markers, HIP's headers, the device library.
pub(crate) fn function_sites(module: Module) -> Vec<FunctionSite> {
    module.definitions().into_iter().filter_map(site).collect()
}

/// True if a function's operations are looked at. Naked functions have no place for code that is not theirs. Calls
/// into the device library that were not inlined are left out: at -O0 they would drown the rest.
pub(crate) fn is_open(function: Function) -> bool {
    !function.has_attribute("naked") && !is_device_library(&function.symbol())
}

fn site(function: Function) -> Option<FunctionSite> {
    let left_out = function.is_entry()
        || function.is_chain()
        || function.is_available_externally()
        || !is_open(function)
        || is_foreign(function);
    if left_out {
        return None;
    }
    let exits: Vec<Inst> =
        function.walk().filter(|inst| inst.opcode() == LLVMOpcode::LLVMRet).map(before_return).collect();
    if exits.is_empty() {
        return None;
    }
    let entry = function
        .blocks()
        .first()?
        .walk()
        .find(|inst| !matches!(inst.opcode(), LLVMOpcode::LLVMAlloca | LLVMOpcode::LLVMPHI))?;
    Some(FunctionSite { function, entry, exits })
}

/// A `musttail` call has to stand directly before its `ret`: the scope is left before the call, which takes the
/// frame over.
fn before_return(ret: Inst) -> Inst {
    ret.previous().filter(|call| call.is_musttail()).unwrap_or(ret)
}
