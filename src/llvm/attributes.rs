//! Attributes of functions and calls.

use super::{Function, Inst, changes, shim};
use inkwell::llvm_sys::LLVMAttributeFunctionIndex;
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::{LLVMAttributeRef, LLVMValueRef};
use std::ffi::c_char;

impl Function {
    /// True if the function carries an attribute such as `noinline`.
    pub(crate) fn has_attribute(self, name: &str) -> bool {
        // SAFETY: live handle (module rule 1).
        unsafe { !LLVMGetEnumAttributeAtIndex(self.0, LLVMAttributeFunctionIndex, kind(name)).is_null() }
    }

    /// The value of a string attribute such as `target-cpu`.
    pub(crate) fn string_attribute(self, name: &str) -> Option<String> {
        let (name, length) = parts(name);
        // SAFETY: live handle (module rule 1); name and length agree.
        unsafe { text(LLVMGetStringAttributeAtIndex(self.0, LLVMAttributeFunctionIndex, name, length)) }
    }

    /// Puts a string attribute on the function.
    pub(crate) fn set_string_attribute(self, name: &str, value: &str) {
        changes::note();
        // SAFETY: live handle (module rule 1), in whose context the attribute is made.
        unsafe { LLVMAddAttributeAtIndex(self.0, LLVMAttributeFunctionIndex, make(self.0, name, value)) }
    }

    /// Takes a string attribute off.
    pub(crate) fn remove_string_attribute(self, name: &str) {
        changes::note();
        let (name, length) = parts(name);
        // SAFETY: live handle (module rule 1); name and length agree.
        unsafe { LLVMRemoveStringAttributeAtIndex(self.0, LLVMAttributeFunctionIndex, name, length) }
    }
}

impl Inst {
    /// True if a call carries an attribute such as `nomerge`.
    pub(crate) fn has_call_attribute(self, name: &str) -> bool {
        // SAFETY: live call (module rule 1).
        unsafe { !LLVMGetCallSiteEnumAttribute(self.0, LLVMAttributeFunctionIndex, kind(name)).is_null() }
    }

    /// The value of a call's string attribute.
    pub(crate) fn call_string_attribute(self, name: &str) -> Option<String> {
        let (name, length) = parts(name);
        // SAFETY: live call (module rule 1); name and length agree.
        unsafe { text(LLVMGetCallSiteStringAttribute(self.0, LLVMAttributeFunctionIndex, name, length)) }
    }

    /// Puts a string attribute on a call.
    pub(crate) fn set_call_string_attribute(self, name: &str, value: &str) {
        changes::note();
        // SAFETY: live call (module rule 1), in whose context the attribute is made.
        unsafe { LLVMAddCallSiteAttribute(self.0, LLVMAttributeFunctionIndex, make(self.0, name, value)) }
    }

    /// Makes a call a marker for LLVM's passes. One source marker is one record per wave and execution, so it may be
    /// neither merged with its like nor duplicated into the arms of a branch: `convergent`, `nomerge`, and `nounwind`.
    pub(crate) fn mark(self) {
        changes::note();
        // SAFETY: live call (module rule 1).
        unsafe { shim::sqtt_shim_mark(self.0) }
    }
}

/// A text as LLVM takes it.
fn parts(text: &str) -> (*const c_char, u32) {
    (text.as_ptr().cast(), text.len() as u32)
}

/// LLVM's number of an attribute without a value.
fn kind(name: &str) -> u32 {
    // SAFETY: name and length agree.
    unsafe { LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len()) }
}

/// A string attribute in the context of a value.
///
/// # Safety
/// `owner` is live.
unsafe fn make(owner: LLVMValueRef, name: &str, value: &str) -> LLVMAttributeRef {
    let ((name, name_length), (value, value_length)) = (parts(name), parts(value));
    // SAFETY: by the caller; texts and lengths agree.
    unsafe {
        let context = LLVMGetTypeContext(LLVMTypeOf(owner));
        LLVMCreateStringAttribute(context, name, name_length, value, value_length)
    }
}

/// The value of a string attribute; `None` for a null one.
///
/// # Safety
/// `attribute` is null or a live string attribute.
unsafe fn text(attribute: LLVMAttributeRef) -> Option<String> {
    if attribute.is_null() {
        return None;
    }
    let mut length = 0;
    // SAFETY: by the caller; LLVM gives text and length together, and the text is copied.
    let text = unsafe {
        let text: *const c_char = LLVMGetStringAttributeValue(attribute, &raw mut length);
        std::slice::from_raw_parts(text.cast::<u8>(), length as usize)
    };
    Some(String::from_utf8_lossy(text).into_owned())
}
