//! Instructions.

use super::{Block, Function, Location, MetadataValue, Value, changes, shim};
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::debuginfo::LLVMInstructionGetDebugLoc;
use inkwell::llvm_sys::prelude::LLVMValueRef;
use inkwell::llvm_sys::{LLVMAtomicOrdering, LLVMOpcode, LLVMTailCallKind};
use std::ffi::{CStr, c_char, c_void};

/// An instruction.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Inst(pub(super) LLVMValueRef);

/// The instruction that makes a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CallShape {
    /// `call`
    Call,
    /// `invoke`
    Invoke,
    /// `callbr`
    CallBr,
}

impl Inst {
    /// The instruction's result as a value.
    pub(crate) fn value(self) -> Value {
        Value(self.0)
    }

    /// The instruction before this one in the block.
    pub(crate) fn previous(self) -> Option<Inst> {
        // SAFETY: live instruction (module rule 1).
        let previous = unsafe { LLVMGetPreviousInstruction(self.0) };
        (!previous.is_null()).then_some(Inst(previous))
    }

    /// The kind of instruction.
    pub(crate) fn opcode(self) -> LLVMOpcode {
        // SAFETY: live instruction (module rule 1).
        unsafe { LLVMGetInstructionOpcode(self.0) }
    }

    /// The block around it.
    pub(crate) fn block(self) -> Block {
        // SAFETY: live instruction (module rule 1), in a block.
        unsafe { Block(LLVMGetInstructionParent(self.0)) }
    }

    /// The function around it.
    pub(crate) fn function(self) -> Function {
        self.block().function()
    }

    /// The next instruction of the block.
    pub(crate) fn next(self) -> Option<Inst> {
        // SAFETY: live instruction (module rule 1).
        let next = unsafe { LLVMGetNextInstruction(self.0) };
        (!next.is_null()).then_some(Inst(next))
    }

    /// Call, invoke or callbr.
    pub(crate) fn call_shape(self) -> Option<CallShape> {
        match self.opcode() {
            LLVMOpcode::LLVMCall => Some(CallShape::Call),
            LLVMOpcode::LLVMInvoke => Some(CallShape::Invoke),
            LLVMOpcode::LLVMCallBr => Some(CallShape::CallBr),
            _ => None,
        }
    }

    /// The function that a call names, when the call's type is the function's.
    pub(crate) fn called_function(self) -> Option<Function> {
        self.call_shape()?;
        // SAFETY: live call (module rule 1).
        unsafe {
            let function = Value(LLVMGetCalledValue(self.0)).as_function()?;
            (LLVMGetCalledFunctionType(self.0) == LLVMGlobalGetValueType(function.0)).then_some(function)
        }
    }

    /// The name of the intrinsic that a call names.
    pub(crate) fn called_intrinsic(self) -> Option<String> {
        self.called_function().filter(|callee| callee.is_intrinsic()).map(Function::name)
    }

    /// The arguments of a call.
    pub(crate) fn arguments(self) -> Vec<Value> {
        if self.call_shape().is_none() {
            return Vec::new();
        }
        // SAFETY: live call (module rule 1); arguments are its first operands.
        unsafe {
            (0..LLVMGetNumArgOperands(self.0)).map(|index| Value(LLVMGetOperand(self.0, index))).collect()
        }
    }

    /// True if a call must be the last thing its function does.
    pub(crate) fn is_musttail(self) -> bool {
        // SAFETY: live instruction (module rule 1), checked to be a call.
        unsafe {
            self.opcode() == LLVMOpcode::LLVMCall
                && LLVMGetTailCallKind(self.0) == LLVMTailCallKind::LLVMTailCallKindMustTail
        }
    }

    /// The pointer through which one of IR's own memory operations goes.
    pub(crate) fn accessed_pointer(self) -> Option<Value> {
        match self.opcode() {
            LLVMOpcode::LLVMLoad | LLVMOpcode::LLVMAtomicRMW | LLVMOpcode::LLVMAtomicCmpXchg => {
                self.value().operand(0)
            }
            LLVMOpcode::LLVMStore => self.value().operand(1),
            _ => None,
        }
    }

    /// True if this is a load that is neither volatile nor atomic.
    pub(crate) fn is_plain_load(self) -> bool {
        // SAFETY: live instruction (module rule 1), checked to be a load.
        unsafe {
            self.opcode() == LLVMOpcode::LLVMLoad
                && LLVMGetVolatile(self.0) == 0
                && LLVMGetOrdering(self.0) == LLVMAtomicOrdering::LLVMAtomicOrderingNotAtomic
        }
    }

    /// The incoming values of a phi, with their blocks.
    pub(crate) fn incoming(self) -> Vec<(Value, Block)> {
        if self.opcode() != LLVMOpcode::LLVMPHI {
            return Vec::new();
        }
        // SAFETY: live phi (module rule 1); indices are below the count.
        unsafe {
            (0..LLVMCountIncoming(self.0))
                .map(|index| {
                    (Value(LLVMGetIncomingValue(self.0, index)), Block(LLVMGetIncomingBlock(self.0, index)))
                })
                .collect()
        }
    }

    /// The source position, when the instruction has one.
    pub(crate) fn location(self) -> Option<Location> {
        // SAFETY: live instruction (module rule 1).
        let location = unsafe { LLVMInstructionGetDebugLoc(self.0) };
        (!location.is_null()).then_some(Location(MetadataValue(location)))
    }

    /// The value that an earlier instruction of the block left in memory for this load.
    pub(crate) fn available_value(self) -> Option<Value> {
        if self.opcode() != LLVMOpcode::LLVMLoad {
            return None;
        }
        // SAFETY: live load (module rule 1).
        let value = unsafe { shim::sqtt_shim_available_value(self.0) };
        (!value.is_null()).then_some(Value(value))
    }

    /// Removes the instruction. Its result must be unused.
    pub(crate) fn erase(self) {
        changes::note();
        // SAFETY: live instruction (module rule 1) that no caller uses again (rule 2).
        unsafe { LLVMInstructionEraseFromParent(self.0) }
    }

    /// Removes the instruction and whatever it computes: where that is used, nothing certain is left.
    pub(crate) fn erase_with_result(self) {
        // SAFETY: live instruction (module rule 1) that no caller uses again (rule 2); void has no uses.
        unsafe {
            if !LLVMGetFirstUse(self.0).is_null() {
                LLVMReplaceAllUsesWith(self.0, LLVMGetPoison(LLVMTypeOf(self.0)));
            }
        }
        self.erase();
    }

    /// Puts another value in the place of an operand.
    pub(crate) fn set_operand(self, index: u32, value: Value) {
        changes::note();
        // SAFETY: live handles (module rule 1) of one type, which every caller's construction gives.
        unsafe { LLVMSetOperand(self.0, index, value.0) }
    }

    /// Inlines the direct call; false when LLVM declines.
    pub(crate) fn inline(self) -> bool {
        // SAFETY: live call of a defined function (module rule 1); the handle is dead afterwards (rule 2).
        let is_inlined = unsafe { shim::sqtt_shim_inline_call(self.0) };
        if is_inlined {
            changes::note();
        }
        is_inlined
    }

    /// Makes a direct call one of another function of the same type.
    pub(crate) fn redirect(self, callee: Function) {
        changes::note();
        // SAFETY: live call (module rule 1), of which the callee is the last operand.
        unsafe {
            if let Ok(operands) = u32::try_from(LLVMGetNumOperands(self.0)) {
                LLVMSetOperand(self.0, operands - 1, callee.0);
            }
        }
    }

    /// Turns an invoke into a call.
    pub(crate) fn invoke_to_call(self) -> Inst {
        changes::note();
        // SAFETY: live invoke (module rule 1); the old handle is dead afterwards (rule 2).
        unsafe { Inst(shim::sqtt_shim_invoke_to_call(self.0)) }
    }
}

impl Inst {
    /// Splits the block here: when `condition` holds, control passes through a new block first. Returns that block's
    /// terminator.
    pub(crate) fn split_if(self, condition: Value, then_name: &CStr, tail_name: &CStr) -> Inst {
        changes::note();
        // SAFETY: live instruction and condition that dominates it (module rule 1); the names end in NUL.
        unsafe { Inst(shim::sqtt_shim_split_if(condition.0, self.0, then_name.as_ptr(), tail_name.as_ptr())) }
    }

    /// A fence for LDS among the threads of `scope`, before this instruction.
    pub(crate) fn local_fence_before(self, scope: &CStr) {
        changes::note();
        // SAFETY: live instruction (module rule 1); the name ends in NUL.
        unsafe { shim::sqtt_shim_local_fence(self.0, scope.as_ptr()) }
    }

    /// True if this hands control to another function: a call that is neither of an intrinsic nor an inline asm.
    pub(crate) fn is_real_call(self) -> bool {
        if self.call_shape().is_none() {
            return false;
        }
        // SAFETY: live call (module rule 1).
        let is_asm = unsafe { !LLVMIsAInlineAsm(LLVMGetCalledValue(self.0)).is_null() };
        !is_asm && self.called_function().is_none_or(|callee| !callee.is_intrinsic())
    }

    /// Text and constraints of an inline asm.
    pub(crate) fn inline_asm(self) -> Option<[String; 2]> {
        self.call_shape()?;
        // SAFETY: live call (module rule 1); LLVM gives text and length together, and the text is copied.
        unsafe {
            let callee = LLVMGetCalledValue(self.0);
            if LLVMIsAInlineAsm(callee).is_null() {
                return None;
            }
            let copy = |text: *const c_char, length: usize| {
                String::from_utf8_lossy(std::slice::from_raw_parts(text.cast::<u8>(), length)).into_owned()
            };
            let mut length = 0;
            let text = LLVMGetInlineAsmAsmString(callee, &raw mut length);
            let text = copy(text, length);
            let constraints = LLVMGetInlineAsmConstraintString(callee, &raw mut length);
            Some([text, copy(constraints, length)])
        }
    }

    /// True if this is an inline asm of no text.
    pub(crate) fn is_empty_asm(self) -> bool {
        self.inline_asm().is_some_and(|[text, _]| text.is_empty())
    }
}

impl Function {
    /// A copy that nothing uses yet, and that no other module can see. `None` where jumps into it may come from data.
    pub(crate) fn copy(self) -> Option<Function> {
        changes::note();
        // SAFETY: live function with a body (module rule 1).
        let copy = unsafe { shim::sqtt_shim_copy_function(self.0) };
        (!copy.is_null()).then_some(Function(copy))
    }

    /// Gathers the allocas of constant size at the head of the entry block, so that splitting it cannot make them
    /// dynamic. Returns the first instruction after them.
    pub(crate) fn hoist_static_allocas(self) -> Inst {
        changes::note();
        // SAFETY: live function with a body (module rule 1).
        unsafe { Inst(shim::sqtt_shim_hoist_static_allocas(self.0)) }
    }

    /// Narrows what LLVM takes the function to do to memory to what its body does. Returns true if LLVM took it for more.
    pub(crate) fn narrow_memory(self, analyses: Analyses) -> bool {
        changes::note();
        // SAFETY: live function with a body (module rule 1); `analyses` is the running pass's own manager.
        unsafe { shim::sqtt_shim_narrow_memory(self.0, analyses.0) }
    }

    /// Splits aggregates and promotes allocas of this function.
    pub(crate) fn promote_allocas(self, analyses: Analyses) {
        changes::note();
        // SAFETY: live function (module rule 1); `analyses` is the running pass's own manager.
        unsafe { shim::sqtt_shim_promote_allocas(self.0, analyses.0) }
    }
}

/// The host's analysis manager, passed through.
#[derive(Clone, Copy)]
pub(crate) struct Analyses(pub(crate) *mut c_void);
