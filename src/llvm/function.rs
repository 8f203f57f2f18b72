//! Functions and their blocks.

use super::module::text_of_triple;
use super::{Inst, MetadataField, MetadataValue, Value, changes, internalizes_symbols, list, metadata, shim};
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::debuginfo::LLVMGetSubprogram;
use inkwell::llvm_sys::prelude::{LLVMBasicBlockRef, LLVMValueRef};
use inkwell::llvm_sys::{LLVMLinkage, LLVMTypeKind};

/// `amdgpu_kernel`, as LLVM numbers calling conventions.
const KERNEL_CALLING_CONVENTION: u32 = 91;

/// Everything the hardware can enter: kernels (also SPIR's) and the shader stages VS, GS, PS, CS, HS, LS, ES.
const ENTRY_CALLING_CONVENTIONS: [u32; 9] = [76, 87, 88, 89, 90, 91, 93, 95, 96];

/// `amdgpu_cs_chain` and `amdgpu_cs_chain_preserve`.
const CHAIN_CALLING_CONVENTIONS: [u32; 2] = [104, 105];

/// A function of the module, defined or declared.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Function(pub(super) LLVMValueRef);

/// The type of a parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Parameter {
    /// A pointer into one of these address spaces.
    Pointer(&'static [u32]),
    /// An integer of so many bits.
    Integer(u32),
    /// `half`
    Half,
    /// `bfloat`
    BFloat,
    /// `float`
    Float,
    /// `double`
    Double,
}

impl Parameter {
    /// Number of bits; pointers of address spaces 3 and 5 have 32.
    pub(crate) fn bits(self) -> u32 {
        match self {
            Self::Integer(bits) => bits,
            Self::Half | Self::BFloat => 16,
            Self::Pointer([3] | [5]) | Self::Float => 32,
            Self::Pointer(_) | Self::Double => 64,
        }
    }
}

/// A basic block.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Block(pub(super) LLVMBasicBlockRef);

impl Function {
    /// The function as a value.
    pub(crate) fn value(self) -> Value {
        Value(self.0)
    }

    /// The symbol, without the byte that tells LLVM not to mangle it.
    pub(crate) fn symbol(self) -> Vec<u8> {
        let name = self.value().name();
        name.strip_prefix(&[1]).map(<[u8]>::to_vec).unwrap_or(name)
    }

    /// The symbol as text, for messages and to compare with names that are text.
    pub(crate) fn name(self) -> String {
        String::from_utf8_lossy(&self.symbol()).into_owned()
    }

    /// The name as the source has it, for messages.
    pub(crate) fn demangled(self) -> String {
        super::demangled(&self.name())
    }

    /// The triple of its module.
    pub(crate) fn triple(self) -> String {
        // SAFETY: live handle (module rule 1), whose module is the phase's.
        unsafe { text_of_triple(LLVMGetGlobalParent(self.0)) }
    }

    /// True if the body is elsewhere.
    pub(crate) fn is_declaration(self) -> bool {
        // SAFETY: live handle (module rule 1).
        unsafe { LLVMIsDeclaration(self.0) != 0 }
    }

    /// True if the host launches it.
    pub(crate) fn is_kernel(self) -> bool {
        // SAFETY: live handle (module rule 1).
        unsafe { LLVMGetFunctionCallConv(self.0) == KERNEL_CALLING_CONVENTION }
    }

    /// True if the hardware can enter it.
    pub(crate) fn is_entry(self) -> bool {
        // SAFETY: live handle (module rule 1).
        ENTRY_CALLING_CONVENTIONS.contains(&unsafe { LLVMGetFunctionCallConv(self.0) })
    }

    /// True if control arrives by a jump that never returns.
    pub(crate) fn is_chain(self) -> bool {
        // SAFETY: live handle (module rule 1).
        CHAIN_CALLING_CONVENTIONS.contains(&unsafe { LLVMGetFunctionCallConv(self.0) })
    }

    /// True if the body only serves inlining: the code itself comes from elsewhere.
    pub(crate) fn is_available_externally(self) -> bool {
        // SAFETY: live handle (module rule 1).
        unsafe { LLVMGetLinkage(self.0) == LLVMLinkage::LLVMAvailableExternallyLinkage }
    }

    /// Tags the function with a number.
    pub(crate) fn set_number(self, key: &str, number: u32) {
        // SAFETY: live handle (module rule 1); the number is made in the function's own context.
        unsafe {
            let word = LLVMInt32TypeInContext(LLVMGetTypeContext(LLVMTypeOf(self.0)));
            metadata::attach(self.0, key, LLVMConstInt(word, u64::from(number), 0));
        }
    }

    /// The number that the function was tagged with. Clones carry it too.
    pub(crate) fn number(self, key: &str) -> Option<u32> {
        // SAFETY: live handle (module rule 1), of which the node is.
        let row = unsafe {
            let node = metadata::attached(self.0, key)?;
            metadata::read_row(LLVMMetadataAsValue(LLVMGetTypeContext(LLVMTypeOf(self.0)), node))
        };
        match row.first() {
            Some(MetadataField::Number(number)) => Some(*number),
            _ => None,
        }
    }

    /// Takes the tag off.
    pub(crate) fn clear_number(self, key: &str) {
        changes::note();
        // SAFETY: live handle (module rule 1).
        unsafe {
            LLVMGlobalEraseMetadata(self.0, metadata::kind(LLVMGetTypeContext(LLVMTypeOf(self.0)), key));
        }
    }

    /// True if it returns nothing and takes these.
    pub(crate) fn takes(self, parameters: &[Parameter]) -> bool {
        // SAFETY: live handle (module rule 1); the buffer holds as many types as LLVM said it would write.
        unsafe {
            let kind = LLVMGlobalGetValueType(self.0);
            if LLVMIsFunctionVarArg(kind) != 0
                || LLVMGetTypeKind(LLVMGetReturnType(kind)) != LLVMTypeKind::LLVMVoidTypeKind
                || LLVMCountParamTypes(kind) as usize != parameters.len()
            {
                return false;
            }
            let mut types = vec![std::ptr::null_mut(); parameters.len()];
            LLVMGetParamTypes(kind, types.as_mut_ptr());
            types.into_iter().zip(parameters).all(|(kind, parameter)| match parameter {
                Parameter::Pointer(spaces) => {
                    LLVMGetTypeKind(kind) == LLVMTypeKind::LLVMPointerTypeKind
                        && spaces.contains(&LLVMGetPointerAddressSpace(kind))
                }
                Parameter::Integer(bits) => {
                    LLVMGetTypeKind(kind) == LLVMTypeKind::LLVMIntegerTypeKind
                        && LLVMGetIntTypeWidth(kind) == *bits
                }
                Parameter::Half => LLVMGetTypeKind(kind) == LLVMTypeKind::LLVMHalfTypeKind,
                Parameter::BFloat => LLVMGetTypeKind(kind) == LLVMTypeKind::LLVMBFloatTypeKind,
                Parameter::Float => LLVMGetTypeKind(kind) == LLVMTypeKind::LLVMFloatTypeKind,
                Parameter::Double => LLVMGetTypeKind(kind) == LLVMTypeKind::LLVMDoubleTypeKind,
            })
        }
    }

    /// True if the linker or a later pass may drop it when nothing uses it.
    pub(crate) fn is_discardable(self) -> bool {
        // SAFETY: live handle (module rule 1).
        unsafe { shim::sqtt_shim_discardable(self.0) }
    }

    /// True if LLVM reserved the name.
    pub(crate) fn is_intrinsic(self) -> bool {
        // SAFETY: live handle (module rule 1).
        unsafe { LLVMGetIntrinsicID(self.0) != 0 }
    }

    /// The `DISubprogram`, when the module has debug information.
    pub(crate) fn subprogram(self) -> Option<MetadataValue> {
        // SAFETY: live handle (module rule 1).
        let scope = unsafe { LLVMGetSubprogram(self.0) };
        (!scope.is_null()).then_some(MetadataValue(scope))
    }

    /// The blocks, in order.
    pub(crate) fn blocks(self) -> Vec<Block> {
        // SAFETY: live handle (module rule 1); the list is not changed while it is walked.
        unsafe { list(LLVMGetFirstBasicBlock(self.0), LLVMGetNextBasicBlock).map(Block).collect() }
    }

    /// All instructions, in order, for a reader: each step to the next one is made when it is asked for.
    pub(crate) fn walk(self) -> impl Iterator<Item = Inst> {
        self.blocks().into_iter().flat_map(Block::walk)
    }

    /// Removes the function. Nothing may use it.
    pub(crate) fn delete(self) {
        changes::note();
        // SAFETY: live function that nothing uses (module rule 1); the handle is dead afterwards (rule 2).
        unsafe { LLVMDeleteFunction(self.0) }
    }

    /// Every call of the function, where no other is possible: no other module sees it, and nothing but calls uses it.
    pub(crate) fn all_calls(self) -> Option<Vec<Inst>> {
        let calls = self.direct_calls();
        let closed = self.is_local() || (internalizes_symbols() && !self.is_entry());
        let only_called = self.value().users().iter().all(|user| {
            user.as_inst().is_some_and(|user| {
                user.called_function() == Some(self)
                    && user.arguments().iter().all(|argument| *argument != self.value())
            })
        });
        (closed && only_called && !calls.is_empty()).then_some(calls)
    }

    /// True if no other module can see it.
    pub(crate) fn is_local(self) -> bool {
        // SAFETY: live handle (module rule 1).
        let linkage = unsafe { LLVMGetLinkage(self.0) };
        matches!(linkage, LLVMLinkage::LLVMInternalLinkage | LLVMLinkage::LLVMPrivateLinkage)
    }

    /// The direct calls of this function, anywhere in the module.
    pub(crate) fn direct_calls(self) -> Vec<Inst> {
        self.value()
            .users()
            .into_iter()
            .filter_map(Value::as_inst)
            .filter(|user| user.called_function() == Some(self))
            .collect()
    }
}

impl Block {
    /// The instructions, in order, for a reader: each step to the next one is made when it is asked for.
    pub(crate) fn walk(self) -> impl Iterator<Item = Inst> {
        // SAFETY: live handle (module rule 1); readers change nothing.
        unsafe { list(LLVMGetFirstInstruction(self.0), LLVMGetNextInstruction) }.map(Inst)
    }

    /// The blocks that control may go to from here.
    pub(crate) fn successors(self) -> Vec<Block> {
        // SAFETY: live handle (module rule 1); the index is below the number of successors.
        unsafe {
            let end = LLVMGetBasicBlockTerminator(self.0);
            if end.is_null() {
                return Vec::new();
            }
            (0..LLVMGetNumSuccessors(end)).map(|index| Block(LLVMGetSuccessor(end, index))).collect()
        }
    }

    /// The function around it.
    pub(crate) fn function(self) -> Function {
        // SAFETY: live handle (module rule 1); a block of a module has a parent.
        unsafe { Function(LLVMGetBasicBlockParent(self.0)) }
    }
}
