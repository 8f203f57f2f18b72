//! The module of the running phase.

use super::{Function, Inst, Value, changes, list, shim};
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::LLVMModuleRef;
use std::ffi::CStr;

/// The host's module, borrowed for the phase.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Module(LLVMModuleRef);

/// The severity of a report, in LLVM's numbering.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Severity {
    /// The compile fails.
    Error = 0,
    /// The compile goes on.
    Warning = 1,
}

/// The number LLVM gave to an intrinsic.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Intrinsic(pub(super) u32);

impl Intrinsic {
    /// Finds an intrinsic by name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        // SAFETY: name and length agree.
        let id = unsafe { LLVMLookupIntrinsicID(name.as_ptr().cast(), name.len()) };
        (id != 0).then_some(Self(id))
    }

    /// True if a function is this intrinsic.
    pub(crate) fn is(self, function: Function) -> bool {
        // SAFETY: live handle (module rule 1).
        unsafe { LLVMGetIntrinsicID(function.0) == self.0 }
    }
}

impl Module {
    /// Borrows the host's module for a phase, which has changed nothing so far.
    ///
    /// # Safety
    /// `module` is live and nothing else touches it while the phase runs.
    pub(crate) unsafe fn borrow(module: LLVMModuleRef) -> Self {
        changes::forget();
        Self(module)
    }

    pub(super) fn raw(self) -> LLVMModuleRef {
        self.0
    }

    /// The target triple.
    pub(crate) fn triple(self) -> String {
        // SAFETY: live module (rule 1).
        unsafe { text_of_triple(self.0) }
    }

    /// The module's name, for messages.
    pub(crate) fn name(self) -> String {
        let mut length = 0;
        // SAFETY: live module (rule 1); the text is copied.
        unsafe {
            let text = LLVMGetModuleIdentifier(self.0, &raw mut length);
            String::from_utf8_lossy(std::slice::from_raw_parts(text.cast::<u8>(), length)).into_owned()
        }
    }

    /// The assembly beside the functions.
    pub(crate) fn inline_asm(self) -> String {
        let mut length = 0;
        // SAFETY: live module (rule 1); the text is copied.
        unsafe {
            let text = LLVMGetModuleInlineAsm(self.0, &raw mut length);
            String::from_utf8_lossy(std::slice::from_raw_parts(text.cast::<u8>(), length)).into_owned()
        }
    }

    /// Functions, in module order, declarations included.
    pub(crate) fn functions(self) -> Vec<Function> {
        // SAFETY: live module (rule 1); the list is not changed while it is walked.
        unsafe { list(LLVMGetFirstFunction(self.0), LLVMGetNextFunction).map(Function).collect() }
    }

    /// True if an inline asm of a function has this in its text.
    pub(crate) fn has_asm_with(self, text: &str) -> bool {
        // SAFETY: live module (rule 1); text and length agree.
        unsafe { shim::sqtt_shim_has_asm_with(self.0, text.as_ptr().cast(), text.len()) }
    }

    /// Functions with a body, in module order.
    pub(crate) fn definitions(self) -> Vec<Function> {
        self.functions().into_iter().filter(|function| !function.is_declaration()).collect()
    }

    /// All instructions, in module order, for a reader.
    pub(crate) fn walk(self) -> impl Iterator<Item = Inst> {
        self.definitions().into_iter().flat_map(Function::walk)
    }

    /// Global variables, in module order.
    pub(crate) fn globals(self) -> Vec<Value> {
        // SAFETY: live module (rule 1); the list is not changed while it is walked.
        unsafe { list(LLVMGetFirstGlobal(self.0), LLVMGetNextGlobal).map(Value).collect() }
    }

    /// The name of the source file.
    pub(crate) fn source_name(self) -> Vec<u8> {
        let mut length = 0;
        // SAFETY: live module (rule 1); the text is copied.
        unsafe {
            let text = LLVMGetSourceFileName(self.0, &raw mut length);
            std::slice::from_raw_parts(text.cast::<u8>(), length).to_vec()
        }
    }

    /// True if clang made the module of HIP: for no other language has it this flag.
    pub(crate) fn is_hip(self) -> bool {
        let flag = "amdgpu_printf_kind";
        // SAFETY: live module (rule 1); text and length agree.
        unsafe { !LLVMGetModuleFlag(self.0, flag.as_ptr().cast(), flag.len()).is_null() }
    }

    /// Removes convergence tokens where the plugin's calls, which have none, would stand beside calls that have. Comes
    /// last: the handles of calls are dead afterwards.
    pub(crate) fn unify_convergence(self) {
        // SAFETY: live module (rule 1); no phase uses the handle of a call after this (rule 2).
        unsafe { shim::sqtt_shim_unify_convergence(self.0) }
    }

    /// Reports to the host's diagnostic handler.
    pub(crate) fn diagnose(self, severity: Severity, text: &str) {
        // SAFETY: live module (rule 1); text and length agree.
        unsafe {
            shim::sqtt_shim_diagnose(
                LLVMGetModuleContext(self.0),
                severity as u32,
                text.as_ptr().cast(),
                text.len(),
            );
        }
    }
}

/// The triple of a module.
///
/// # Safety
/// `module` is live.
pub(super) unsafe fn text_of_triple(module: LLVMModuleRef) -> String {
    // SAFETY: by the caller; LLVM returns a NUL-terminated text that is copied.
    unsafe { CStr::from_ptr(LLVMGetTarget(module)).to_string_lossy().into_owned() }
}

/// A name as C++ spells it; unchanged where it is none of C++.
pub(crate) fn demangled(name: &str) -> String {
    let mut text = vec![0_u8; 4096];
    // SAFETY: texts and lengths agree; the shim writes no more than there is room for.
    let length = unsafe {
        shim::sqtt_shim_demangle(name.as_ptr().cast(), name.len(), text.as_mut_ptr().cast(), text.len())
    };
    text.truncate(length);
    String::from_utf8_lossy(&text).into_owned()
}

/// True if this compile internalizes device symbols, so that what no kernel reaches goes away.
pub(crate) fn internalizes_symbols() -> bool {
    // SAFETY: reads LLVM's option table, which is complete before any pass runs.
    unsafe { shim::sqtt_shim_internalizes_symbols() }
}
