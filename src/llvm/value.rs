//! Values of any kind, and what a constant says.

use super::{Analyses, Function, Inst, Module, changes, list, shim};
use inkwell::llvm_sys::LLVMLinkage;
use inkwell::llvm_sys::LLVMOpcode;
use inkwell::llvm_sys::LLVMTypeKind;
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::LLVMValueRef;
use inkwell::llvm_sys::target::{LLVMABISizeOfType, LLVMGetModuleDataLayout, LLVMStoreSizeOfType};
use std::ffi::CStr;

/// Any value of the module.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Value(pub(super) LLVMValueRef);

/// A number of bytes: a sum of integers, each times a constant, and a constant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Offset {
    pub(crate) terms: Vec<(Value, i64)>,
    pub(crate) constant: i64,
}

/// The classes of values that the pass tells apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ValueKind {
    /// An argument of the function that uses it.
    Argument,
    /// A constant of any sort, functions and globals included.
    Constant(Constant),
    /// The result of an instruction.
    Inst(Inst),
    /// Metadata, a block, inline asm.
    Other,
}

/// The classes of constants that the pass tells apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Constant {
    /// An integer of at most 64 bits, zero-extended.
    Int(u64),
    /// `undef` or `poison`.
    Undefined,
    /// A null pointer.
    Null,
    /// A global variable, function or alias.
    Global,
    /// A constant expression.
    Expression,
    /// Everything else.
    Other,
}

impl Value {
    /// Classifies the value.
    pub(crate) fn kind(self) -> ValueKind {
        // SAFETY: live handle (rule 1); these calls only classify it.
        unsafe {
            if !LLVMIsAArgument(self.0).is_null() {
                ValueKind::Argument
            } else if !LLVMIsAInstruction(self.0).is_null() {
                ValueKind::Inst(Inst(self.0))
            } else if !LLVMIsAConstant(self.0).is_null() {
                ValueKind::Constant(self.constant())
            } else {
                ValueKind::Other
            }
        }
    }

    fn constant(self) -> Constant {
        // SAFETY: live handle (rule 1), known to be a constant; the width is checked before the value is read.
        unsafe {
            if !LLVMIsAConstantInt(self.0).is_null() {
                if LLVMGetIntTypeWidth(LLVMTypeOf(self.0)) <= 64 {
                    Constant::Int(LLVMConstIntGetZExtValue(self.0))
                } else {
                    Constant::Other
                }
            } else if LLVMIsUndef(self.0) != 0 {
                Constant::Undefined
            } else if LLVMIsNull(self.0) != 0 {
                Constant::Null
            } else if !LLVMIsAGlobalValue(self.0).is_null() {
                Constant::Global
            } else if !LLVMIsAConstantExpr(self.0).is_null() {
                Constant::Expression
            } else {
                Constant::Other
            }
        }
    }

    /// True if the value is a constant other than data of its own: a symbol, an expression, or made of others. Most
    /// operands are not, and this asks LLVM once.
    pub(crate) fn is_nested_constant(self) -> bool {
        use inkwell::llvm_sys::LLVMValueKind as Kind;
        // SAFETY: live handle (rule 1).
        !matches!(
            unsafe { LLVMGetValueKind(self.0) },
            Kind::LLVMArgumentValueKind
                | Kind::LLVMInstructionValueKind
                | Kind::LLVMBasicBlockValueKind
                | Kind::LLVMConstantIntValueKind
                | Kind::LLVMConstantFPValueKind
                | Kind::LLVMConstantPointerNullValueKind
                | Kind::LLVMMetadataAsValueValueKind
        )
    }

    /// The value as an instruction.
    pub(crate) fn as_inst(self) -> Option<Inst> {
        match self.kind() {
            ValueKind::Inst(inst) => Some(inst),
            _ => None,
        }
    }

    /// The value as a constant integer, zero-extended.
    pub(crate) fn as_int(self) -> Option<u64> {
        match self.kind() {
            ValueKind::Constant(Constant::Int(value)) => Some(value),
            _ => None,
        }
    }

    /// The value as a function of the module.
    pub(crate) fn as_function(self) -> Option<Function> {
        // SAFETY: live handle (rule 1).
        unsafe { (!LLVMIsAFunction(self.0).is_null()).then_some(Function(self.0)) }
    }

    /// The function that an argument belongs to.
    pub(crate) fn argument_owner(self) -> Function {
        // SAFETY: live handle (rule 1); callers pass arguments.
        unsafe { Function(LLVMGetParamParent(self.0)) }
    }

    /// True if this is a `ptrtoint` constant expression giving an `i32`.
    pub(crate) fn is_pointer_as_int(self) -> bool {
        // SAFETY: live handle (rule 1); the opcode is asked only of a constant expression.
        unsafe {
            !LLVMIsAConstantExpr(self.0).is_null()
                && LLVMGetConstOpcode(self.0) == LLVMOpcode::LLVMPtrToInt
                && LLVMGetIntTypeWidth(LLVMTypeOf(self.0)) == 32
        }
    }

    /// The operation of a constant expression.
    pub(crate) fn constant_opcode(self) -> Option<LLVMOpcode> {
        // SAFETY: live handle (rule 1); the opcode is asked only of a constant expression.
        unsafe { (!LLVMIsAConstantExpr(self.0).is_null()).then(|| LLVMGetConstOpcode(self.0)) }
    }

    /// Bytes that a value of this type takes in memory, of a structure its first member; `None` where it has no size.
    pub(crate) fn store_size(self, module: Module) -> Option<u32> {
        // SAFETY: live handles (rule 1); the size is asked only of types that have one.
        unsafe {
            let mut kind = LLVMTypeOf(self.0);
            if LLVMGetTypeKind(kind) == LLVMTypeKind::LLVMStructTypeKind
                && LLVMCountStructElementTypes(kind) > 0
            {
                kind = LLVMStructGetTypeAtIndex(kind, 0);
            }
            if LLVMTypeIsSized(kind) == 0 {
                return None;
            }
            u32::try_from(LLVMStoreSizeOfType(LLVMGetModuleDataLayout(module.raw()), kind)).ok()
        }
    }

    /// True if lanes of a wave may have different values of it in `function`. `fresh` says that the function was
    /// changed since the last question.
    pub(crate) fn is_divergent(self, function: Function, analyses: Analyses, fresh: bool) -> bool {
        // SAFETY: live handles (rule 1); `analyses` is the running pass's own manager.
        unsafe { shim::sqtt_shim_divergent(function.0, self.0, analyses.0, fresh) }
    }

    /// The index of this argument in its function.
    pub(crate) fn argument_index(self) -> Option<usize> {
        let owner = self.argument_owner();
        // SAFETY: live function (rule 1); indices are below the count.
        unsafe {
            (0..LLVMCountParams(owner.0))
                .find(|index| LLVMGetParam(owner.0, *index) == self.0)
                .and_then(|index| usize::try_from(index).ok())
        }
    }

    /// The section of a global, when it has one of its own.
    pub(crate) fn section(self) -> Option<String> {
        // SAFETY: live global (rule 1); LLVM returns null or a NUL-terminated text that is copied.
        unsafe {
            let text = LLVMGetSection(self.0);
            (!text.is_null()).then(|| CStr::from_ptr(text).to_string_lossy().into_owned())
        }
    }

    /// True if a global is defined here.
    pub(crate) fn has_initializer(self) -> bool {
        // SAFETY: live global (rule 1).
        unsafe { !LLVMGetInitializer(self.0).is_null() }
    }

    /// True if no other module of a link may define a global of that name.
    pub(crate) fn is_strong_external(self) -> bool {
        // SAFETY: live global (rule 1).
        unsafe { LLVMGetLinkage(self.0) == LLVMLinkage::LLVMExternalLinkage }
    }

    /// The bytes of a global's initializer, when it is an array of bytes.
    pub(crate) fn initializer_bytes(self) -> Option<Vec<u8>> {
        // SAFETY: live global (rule 1); the text is read only of a constant string and copied.
        unsafe {
            let initializer = LLVMGetInitializer(self.0);
            if initializer.is_null() || LLVMIsConstantString(initializer) == 0 {
                return None;
            }
            let mut length = 0;
            let text = LLVMGetAsString(initializer, &raw mut length);
            Some(std::slice::from_raw_parts(text.cast::<u8>(), length).to_vec())
        }
    }

    /// True if the type is a pointer.
    pub(crate) fn is_pointer(self) -> bool {
        // SAFETY: live handle (rule 1).
        unsafe { LLVMGetTypeKind(LLVMTypeOf(self.0)) == LLVMTypeKind::LLVMPointerTypeKind }
    }

    /// The address space of a pointer.
    pub(crate) fn address_space(self) -> Option<u32> {
        // SAFETY: live pointer (rule 1), checked.
        self.is_pointer().then(|| unsafe { LLVMGetPointerAddressSpace(LLVMTypeOf(self.0)) })
    }

    /// True if both values have one type.
    pub(crate) fn same_type(self, other: Value) -> bool {
        // SAFETY: live handles of one context (rule 1).
        unsafe { LLVMTypeOf(self.0) == LLVMTypeOf(other.0) }
    }

    /// Everything that uses the value, in the order of LLVM's use list.
    pub(crate) fn users(self) -> Vec<Value> {
        // SAFETY: live handle (rule 1); the list is not changed while it is walked.
        unsafe {
            list(LLVMGetFirstUse(self.0), LLVMGetNextUse).map(|user| Value(LLVMGetUser(user))).collect()
        }
    }

    /// The operands of an instruction or constant expression.
    pub(crate) fn operands(self) -> Vec<Value> {
        self.each_operand().collect()
    }

    /// The operands, one after the other.
    pub(crate) fn each_operand(self) -> impl Iterator<Item = Value> {
        // SAFETY: live handle (rule 1), checked to be a user.
        let count = unsafe {
            if LLVMIsAUser(self.0).is_null() {
                0
            } else {
                u32::try_from(LLVMGetNumOperands(self.0)).unwrap_or(0)
            }
        };
        // SAFETY: as above, below the number of operands; those that are absent come back null.
        (0..count)
            .map(move |index| unsafe { LLVMGetOperand(self.0, index) })
            .filter(|operand| !operand.is_null())
            .map(Value)
    }

    /// One operand, counted from 0.
    pub(crate) fn operand(self, index: usize) -> Option<Value> {
        self.each_operand().nth(index)
    }

    /// Puts `other` wherever this value is used.
    pub(crate) fn replace_all_uses(self, other: Value) {
        changes::note();
        // SAFETY: live handles (rule 1) of one type, which every caller's construction gives.
        unsafe { LLVMReplaceAllUsesWith(self.0, other.0) }
    }

    /// The value's name; empty when it has none.
    pub(crate) fn name(self) -> Vec<u8> {
        let mut length = 0;
        // SAFETY: live handle (rule 1); the name is copied before anything can change it.
        unsafe {
            let text = LLVMGetValueName2(self.0, &raw mut length);
            std::slice::from_raw_parts(text.cast(), length).to_vec()
        }
    }

    /// The bytes of the constant C string this pointer shows to, up to its NUL.
    pub(crate) fn constant_string(self) -> Option<Vec<u8>> {
        if !self.is_pointer() {
            return None;
        }
        let mut length = 0;
        // SAFETY: live pointer value (rule 1); the bytes belong to a constant of the module and are copied.
        unsafe {
            let text = shim::sqtt_shim_constant_string(self.0, &raw mut length);
            (!text.is_null()).then(|| std::slice::from_raw_parts(text.cast(), length).to_vec())
        }
    }

    /// The pointer without constant offsets and casts, and the bytes taken off.
    pub(crate) fn strip_offset(self, module: Module) -> (Value, i64) {
        let mut offset = 0;
        // SAFETY: live handles (rule 1); callers pass pointers.
        let base = unsafe { shim::sqtt_shim_strip_offset(self.0, module.raw(), &raw mut offset) };
        (Value(base), offset)
    }

    /// The target of a pointer with indices chosen at run time: a global variable and the way into it.
    pub(crate) fn variable_offset(self, module: Module) -> Option<(Value, Offset)> {
        const MOST: usize = 4;
        let (mut values, mut scales) = ([std::ptr::null_mut(); MOST], [0_i64; MOST]);
        let (mut count, mut constant) = (MOST, 0);
        // SAFETY: live handles (rule 1); callers pass pointers, and the arrays are as long as `count` says.
        let base = unsafe {
            shim::sqtt_shim_variable_offset(
                self.0,
                module.raw(),
                values.as_mut_ptr(),
                scales.as_mut_ptr(),
                &raw mut count,
                &raw mut constant,
            )
        };
        if base.is_null() {
            return None;
        }
        let terms = values.into_iter().map(Value).zip(scales).take(count).collect();
        Some((Value(base), Offset { terms, constant }))
    }

    /// Bytes of a constant global variable whose content is known.
    pub(crate) fn constant_size(self, module: Module) -> Option<u64> {
        // SAFETY: live handles (rule 1); the size is asked only of a variable's own type.
        unsafe {
            let is_known = !LLVMIsAGlobalVariable(self.0).is_null()
                && LLVMIsGlobalConstant(self.0) != 0
                && !LLVMGetInitializer(self.0).is_null();
            let kind = is_known.then(|| LLVMGlobalGetValueType(self.0))?;
            Some(LLVMABISizeOfType(LLVMGetModuleDataLayout(module.raw()), kind))
        }
    }

    /// The constant that a load of the type of `like` reads `offset` bytes after this constant pointer.
    pub(crate) fn load_constant(self, offset: i64, like: Value, module: Module) -> Option<Value> {
        // SAFETY: live handles (rule 1); the shim checks that this is a constant.
        let value =
            unsafe { shim::sqtt_shim_load_constant(self.0, offset, LLVMTypeOf(like.0), module.raw()) };
        (!value.is_null()).then_some(Value(value))
    }
}
