//! The words that the users' own trace calls write, as far as constants tell.
//!
//! At -O0 the header's numeric markers are small functions whose argument is a constant at the call: the constant is
//! followed through the argument, the local variable it is stored in, and the shift that makes the word.

use super::variables::{Stores, variable};
use super::{LiveFunctions, NumberAsm, TraceCall, number_asms};
use crate::llvm::{Inst, Module, Value, ValueKind};
use inkwell::llvm_sys::LLVMOpcode;
use sqtt_format::{Marker, NumericIds};

/// Deeper nests of wrappers are not followed.
const MAX_DEPTH: usize = 12;

/// The words that the users' own trace calls, and the header's numeric markers, write.
pub(crate) struct NumericWords {
    /// Every word that a constant chooses, with the place that chose it.
    pub(crate) constants: Vec<(u32, Inst)>,
    /// The places that choose one at run time.
    at_run_time: Vec<Inst>,
}

impl NumericWords {
    /// Looks at the numeric markers of a module and at those of the calls that are not the pass's own.
    pub(crate) fn of(module: Module, calls: &[TraceCall]) -> Self {
        let mut words = Self { constants: Vec::new(), at_run_time: Vec::new() };
        for NumberAsm { call, word } in number_asms(module) {
            if let Some(word) = word {
                words.add(word, call, false);
            }
        }
        for traced in calls.iter().filter(|traced| traced.tag.is_none()) {
            words.add(traced.word(), traced.call, traced.immediate);
        }
        words
    }

    fn add(&mut self, word: Value, call: Inst, immediate: bool) {
        each_value(word, call, 0, &mut |value, site| {
            // An `s_ttracedata` takes 32 bits; the rest is no part of the word.
            let Some(word) = value.map(|value| u32::try_from(value & 0xFFFF_FFFF).unwrap_or(0)) else {
                return self.at_run_time.push(site);
            };
            self.constants.push((word, site));
            // Of an immediate the hardware takes the low byte.
            if immediate && word > 0xFF {
                self.constants.push((word & 0xFF, site));
            }
        });
    }

    /// The ids that readers have to expect: those of words in functions that stay, and any where the users' own asm
    /// writes records. `is_first` says that no other run has written records into the module: they are asm as well.
    pub(crate) fn ids(&self, module: Module, is_first: bool) -> NumericIds {
        if is_first && module.has_asm_with("s_ttracedata") {
            return NumericIds::any();
        }
        if self.constants.is_empty() && self.at_run_time.is_empty() {
            return NumericIds::default();
        }
        let live = LiveFunctions::of(module);
        let stays = |site: &Inst| live.contains(site.function());
        if self.at_run_time.iter().any(stays) {
            return NumericIds::any();
        }
        let words = self.constants.iter().filter(|(_, site)| stays(site)).map(|(word, _)| *word);
        words.map(|word| Marker::from_word(word).id).filter(|id| *id != 0).collect()
    }
}

/// Calls `found` with every constant that `value` is seen to take, and with `None` where it may be anything.
fn each_value(value: Value, site: Inst, depth: usize, found: &mut dyn FnMut(Option<u64>, Inst)) {
    if let Some(constant) = value.as_int() {
        return found(Some(constant), site);
    }
    if depth > MAX_DEPTH {
        return found(None, site);
    }
    match value.kind() {
        ValueKind::Argument => {
            let owner = value.argument_owner();
            let Some(index) = value.argument_index() else { return found(None, site) };
            if owner.all_calls().is_none() {
                found(None, site);
            }
            for call in owner.direct_calls() {
                if let Some(argument) = call.arguments().get(index) {
                    each_value(*argument, call, depth + 1, found);
                }
            }
        }
        ValueKind::Inst(inst) => each_result(inst, site, depth, found),
        ValueKind::Constant(_) | ValueKind::Other => found(None, site),
    }
}

fn each_result(inst: Inst, site: Inst, depth: usize, found: &mut dyn FnMut(Option<u64>, Inst)) {
    let operands = inst.value().operands();
    match inst.opcode() {
        LLVMOpcode::LLVMLoad => {
            let Some(variable) = variable(operands[0]) else { return found(None, site) };
            let stores = Stores::into(variable);
            if !stores.are_all {
                found(None, site);
            }
            for stored in stores.values {
                each_value(stored, site, depth + 1, found);
            }
        }
        LLVMOpcode::LLVMZExt | LLVMOpcode::LLVMSExt | LLVMOpcode::LLVMTrunc | LLVMOpcode::LLVMFreeze => {
            each_value(operands[0], site, depth + 1, found);
        }
        LLVMOpcode::LLVMShl | LLVMOpcode::LLVMOr | LLVMOpcode::LLVMAnd | LLVMOpcode::LLVMAdd => {
            let opcode = inst.opcode();
            let right = operands[1].as_int();
            each_value(operands[0], site, depth + 1, &mut |left, site| {
                found(left.zip(right).map(|(left, right)| combine(opcode, left, right)), site);
            });
        }
        LLVMOpcode::LLVMSelect | LLVMOpcode::LLVMPHI => {
            let skip = usize::from(inst.opcode() == LLVMOpcode::LLVMSelect);
            for operand in &operands[skip..] {
                each_value(*operand, site, depth + 1, found);
            }
        }
        LLVMOpcode::LLVMCall if is_first_lane(inst) => each_value(operands[0], site, depth + 1, found),
        _ => found(None, site),
    }
}

/// True if an instruction reads the first active lane.
pub(crate) fn is_first_lane(inst: Inst) -> bool {
    inst.called_intrinsic().is_some_and(|name| name.starts_with("llvm.amdgcn.readfirstlane"))
}

fn combine(opcode: LLVMOpcode, left: u64, right: u64) -> u64 {
    match opcode {
        LLVMOpcode::LLVMShl => left.checked_shl(u32::try_from(right).unwrap_or(64)).unwrap_or(0),
        LLVMOpcode::LLVMOr => left | right,
        LLVMOpcode::LLVMAnd => left & right,
        _ => left.wrapping_add(right),
    }
}
