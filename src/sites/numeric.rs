//! Which words do the users' own trace calls write, as far as constants tell?
//!
//! At -O0 the header's numeric markers are small functions whose argument is a constant at the call: the constant is
//! followed through the argument, the local variable it is stored in, and the shift that makes the word.

use super::TraceCall;
use crate::llvm::{Inst, Value, ValueKind};
use inkwell::llvm_sys::LLVMOpcode;

/// Deeper nests of wrappers are not followed.
const MAX_DEPTH: usize = 12;

/// Every constant word that the call may write, with the place that chose it.
pub(crate) fn constant_words(traced: &TraceCall) -> Vec<(u32, Inst)> {
    let mut words = Vec::new();
    let mut add = |value: u64, site: Inst| {
        // An `s_ttracedata` takes 32 bits; the rest is no part of the word.
        words.push((u32::try_from(value & 0xFFFF_FFFF).unwrap_or(0), site));
    };
    each_value(traced.word, traced.call, 0, &mut add);
    words
}

/// Calls `found` with every constant that `value` is seen to take.
fn each_value(value: Value, site: Inst, depth: usize, found: &mut dyn FnMut(u64, Inst)) {
    if depth > MAX_DEPTH {
        return;
    }
    if let Some(constant) = value.as_int() {
        return found(constant, site);
    }
    match value.kind() {
        ValueKind::Argument => {
            let Some(index) = value.argument_index() else { return };
            for call in value.argument_owner().direct_calls() {
                if let Some(argument) = call.arguments().get(index) {
                    each_value(*argument, call, depth + 1, found);
                }
            }
        }
        ValueKind::Inst(inst) => each_result(inst, site, depth, found),
        ValueKind::Constant(_) | ValueKind::Other => {}
    }
}

fn each_result(inst: Inst, site: Inst, depth: usize, found: &mut dyn FnMut(u64, Inst)) {
    let operands = inst.value().operands();
    match inst.opcode() {
        LLVMOpcode::LLVMLoad => {
            for stored in stores_into(operands[0]) {
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
                let Some(right) = right else { return };
                found(combine(opcode, left, right), site);
            });
        }
        LLVMOpcode::LLVMSelect | LLVMOpcode::LLVMPHI => {
            let skip = usize::from(inst.opcode() == LLVMOpcode::LLVMSelect);
            for operand in &operands[skip..] {
                each_value(*operand, site, depth + 1, found);
            }
        }
        LLVMOpcode::LLVMCall => {
            let lane = inst.called_function().is_some_and(|callee| {
                callee.is_intrinsic() && callee.name().starts_with("llvm.amdgcn.readfirstlane")
            });
            if lane {
                each_value(operands[0], site, depth + 1, found);
            }
        }
        _ => {}
    }
}

fn combine(opcode: LLVMOpcode, left: u64, right: u64) -> u64 {
    match opcode {
        LLVMOpcode::LLVMShl => left.checked_shl(u32::try_from(right).unwrap_or(64)).unwrap_or(0),
        LLVMOpcode::LLVMOr => left | right,
        LLVMOpcode::LLVMAnd => left & right,
        _ => left.wrapping_add(right),
    }
}

/// What is stored right into a local variable.
fn stores_into(pointer: Value) -> Vec<Value> {
    let alloca = match pointer.as_inst() {
        Some(inst) if inst.opcode() == LLVMOpcode::LLVMAddrSpaceCast => inst.value().operands()[0],
        Some(_) => pointer,
        None => return Vec::new(),
    };
    if alloca.as_inst().is_none_or(|inst| inst.opcode() != LLVMOpcode::LLVMAlloca) {
        return Vec::new();
    }
    let mut pointers = vec![alloca];
    pointers.extend(
        alloca
            .users()
            .into_iter()
            .filter(|user| user.as_inst().is_some_and(|inst| inst.opcode() == LLVMOpcode::LLVMAddrSpaceCast)),
    );
    pointers
        .iter()
        .flat_map(|pointer| pointer.users().into_iter().map(move |user| (*pointer, user)))
        .filter_map(|(pointer, user)| {
            let store = user.as_inst().filter(|inst| inst.opcode() == LLVMOpcode::LLVMStore)?;
            let operands = store.value().operands();
            (operands[1] == pointer).then_some(operands[0])
        })
        .collect()
}
