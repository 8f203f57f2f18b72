//! The C++ functions of `shim/ir.cpp`, declared once. Their contracts are in `shim/shim.h`.

use inkwell::llvm_sys::prelude::{LLVMContextRef, LLVMMetadataRef, LLVMModuleRef, LLVMTypeRef, LLVMValueRef};
use std::ffi::{c_char, c_void};

/// Runs one phase; see `shim.h`.
pub(crate) type RunPhase = unsafe extern "C" fn(LLVMModuleRef, u32, *mut c_void) -> bool;

unsafe extern "C" {
    pub(crate) fn sqtt_shim_plugin_info(out: *mut c_void, run: RunPhase);
    pub(crate) fn sqtt_shim_inline_call(call: LLVMValueRef) -> bool;
    pub(crate) fn sqtt_shim_invoke_to_call(invoke: LLVMValueRef) -> LLVMValueRef;
    pub(crate) fn sqtt_shim_copy_function(function: LLVMValueRef) -> LLVMValueRef;
    pub(crate) fn sqtt_shim_unify_convergence(module: LLVMModuleRef);
    pub(crate) fn sqtt_shim_promote_allocas(function: LLVMValueRef, analyses: *mut c_void);
    pub(crate) fn sqtt_shim_constant_string(pointer: LLVMValueRef, length: *mut usize) -> *const c_char;
    pub(crate) fn sqtt_shim_strip_offset(
        pointer: LLVMValueRef,
        module: LLVMModuleRef,
        offset: *mut i64,
    ) -> LLVMValueRef;
    pub(crate) fn sqtt_shim_load_constant(
        pointer: LLVMValueRef,
        offset: i64,
        kind: LLVMTypeRef,
        module: LLVMModuleRef,
    ) -> LLVMValueRef;
    pub(crate) fn sqtt_shim_variable_offset(
        pointer: LLVMValueRef,
        module: LLVMModuleRef,
        values: *mut LLVMValueRef,
        scales: *mut i64,
        count: *mut usize,
        constant: *mut i64,
    ) -> LLVMValueRef;
    pub(crate) fn sqtt_shim_available_value(load: LLVMValueRef) -> LLVMValueRef;
    pub(crate) fn sqtt_shim_hoist_static_allocas(function: LLVMValueRef) -> LLVMValueRef;
    pub(crate) fn sqtt_shim_split_if(
        condition: LLVMValueRef,
        at: LLVMValueRef,
        then_name: *const c_char,
        tail_name: *const c_char,
    ) -> LLVMValueRef;
    pub(crate) fn sqtt_shim_open_loop(
        at: LLVMValueRef,
        initial: LLVMValueRef,
        loop_name: *const c_char,
        tail_name: *const c_char,
        phi: *mut LLVMValueRef,
    ) -> LLVMValueRef;
    pub(crate) fn sqtt_shim_close_loop(
        phi: LLVMValueRef,
        terminator: LLVMValueRef,
        next: LLVMValueRef,
        again: LLVMValueRef,
    );
    pub(crate) fn sqtt_shim_narrow_memory(function: LLVMValueRef, analyses: *mut c_void) -> bool;
    pub(crate) fn sqtt_shim_divergent(
        function: LLVMValueRef,
        value: LLVMValueRef,
        analyses: *mut c_void,
        fresh: bool,
    ) -> bool;
    pub(crate) fn sqtt_shim_mark(call: LLVMValueRef);
    pub(crate) fn sqtt_shim_local_fence(at: LLVMValueRef, scope: *const c_char);
    pub(crate) fn sqtt_shim_append_used(module: LLVMModuleRef, global: LLVMValueRef);
    pub(crate) fn sqtt_shim_erase_used(module: LLVMModuleRef, global: LLVMValueRef);
    pub(crate) fn sqtt_shim_erase_named_metadata(
        module: LLVMModuleRef,
        name: *const c_char,
        length: usize,
    ) -> bool;
    pub(crate) fn sqtt_shim_diagnose(
        context: LLVMContextRef,
        severity: u32,
        text: *const c_char,
        length: usize,
    );
    pub(crate) fn sqtt_shim_diagnose_at(
        context: LLVMContextRef,
        severity: u32,
        text: *const c_char,
        length: usize,
        cookie: u64,
        location: LLVMMetadataRef,
        function: LLVMValueRef,
    );
    pub(crate) fn sqtt_shim_demangle(
        name: *const c_char,
        length: usize,
        out: *mut c_char,
        capacity: usize,
    ) -> usize;
    pub(crate) fn sqtt_shim_internalizes_symbols() -> bool;
    pub(crate) fn sqtt_shim_has_asm_with(module: LLVMModuleRef, text: *const c_char, length: usize) -> bool;
    pub(crate) fn sqtt_shim_discardable(global: LLVMValueRef) -> bool;
}
