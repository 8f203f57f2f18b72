//! The size of a function (specification, "Function threshold" and "Cost Model").
//!
//! Markers never count, the users' own neither: a function is as large as it would be without them.

use crate::config::Threshold;
use crate::llvm::address_space::{FLAT, GLOBAL, LDS};
use crate::llvm::{Function, Inst, Value};
use crate::notes::TAG;
use crate::sites::{
    NumberAsm, Sentinels, TraceIntrinsics, is_header, is_hint, is_transparent, next_code, previous_code,
};
use inkwell::llvm_sys::LLVMOpcode;

/// Weights of the cost model.
mod weight {
    pub(super) const MATRIX: u32 = 16;
    pub(super) const LDS: u32 = 4;
    pub(super) const MEMORY: u32 = 10;
    pub(super) const OTHER: u32 = 1;
}

impl Threshold {
    /// True if a function of this size gets markers.
    pub(crate) fn admits(self, size: u32) -> bool {
        match self {
            Self::Instructions(above) | Self::Cost(above) => size > above,
        }
    }

    /// The size of a function in this threshold's unit.
    pub(crate) fn measure(self, function: Function, sentinels: &Sentinels) -> u32 {
        let markers = Markers { sentinels, traces: TraceIntrinsics::find() };
        function
            .walk()
            .filter(|inst| !is_nothing(*inst) && !markers.has(*inst))
            .map(|inst| match self {
                Self::Instructions(_) => 1,
                Self::Cost(_) => cost(inst),
            })
            .fold(0, u32::saturating_add)
    }
}

/// PHIs, allocas, `unreachable`, debug information and lifetimes.
fn is_nothing(inst: Inst) -> bool {
    matches!(inst.opcode(), LLVMOpcode::LLVMPHI | LLVMOpcode::LLVMAlloca | LLVMOpcode::LLVMUnreachable)
        || is_transparent(inst)
}

/// Knows markers, and the parts of one.
struct Markers<'a> {
    sentinels: &'a Sentinels,
    traces: TraceIntrinsics,
}

impl Markers<'_> {
    fn has(&self, inst: Inst) -> bool {
        if inst.call_shape().is_none() {
            return false;
        }
        let by_header = inst.called_function().is_some_and(|callee| is_header(&callee.symbol()));
        // The header's numeric markers are asms until they are lowered, with a scheduling barrier and an empty asm on
        // either side.
        let is_number = |inst: Inst| self.traces.is_call(inst) || NumberAsm::of(inst).is_some();
        let is_beside = |neighbour: Option<Inst>| neighbour.is_some_and(is_number);
        self.sentinels.called_by(inst).is_some()
            || inst.call_string_attribute(TAG).is_some()
            || by_header
            || is_number(inst)
            || is_hint(inst) && (is_beside(previous_code(inst)) || is_beside(next_code(inst)))
    }
}

fn cost(inst: Inst) -> u32 {
    if inst.opcode() == LLVMOpcode::LLVMCall {
        let name = inst.called_intrinsic().unwrap_or_default();
        return if [".mfma.", ".smfmac.", ".wmma.", ".swmmac."].iter().any(|part| name.contains(part)) {
            weight::MATRIX
        } else if name.starts_with("llvm.amdgcn.ds.") {
            weight::LDS
        } else {
            weight::OTHER
        };
    }
    match inst.accessed_pointer().and_then(Value::address_space) {
        Some(FLAT | GLOBAL) => weight::MEMORY,
        Some(LDS) => weight::LDS,
        _ => weight::OTHER,
    }
}
