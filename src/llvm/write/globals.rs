//! Writing globals: the symbols that stand for words, and sections.

use super::Writer;
use crate::llvm::{Module, Value, changes, shim};
use inkwell::llvm_sys::core::{
    LLVMConstIntToPtr, LLVMDeleteGlobal, LLVMGetNamedGlobal, LLVMSetInitializer, LLVMTypeOf,
};
use inkwell::module::Linkage;
use inkwell::values::AsValueRef as _;
use inkwell::{AddressSpace, GlobalVisibility};

/// 32-bit constant memory: an address there is exactly an `i32`, which makes a symbol a word.
const SYMBOL_ADDRESS_SPACE: u16 = 6;

/// AMDGPU's global memory.
const GLOBAL_MEMORY: u16 = 1;

impl Writer<'_> {
    /// A constant word whose number is given later: the address of an external symbol, as an integer.
    ///
    /// LLVM moves it through selects and phis like any constant and cannot know its value. Should the late phase
    /// never come, the link fails on the symbol.
    pub(crate) fn symbol_word(&self, name: &str) -> Value {
        changes::note();
        let byte = self.context.i8_type();
        let global = self.inner.get_global(name).unwrap_or_else(|| {
            let global = self.inner.add_global(byte, Some(AddressSpace::from(SYMBOL_ADDRESS_SPACE)), name);
            global.set_linkage(Linkage::External);
            global.set_constant(true);
            global
        });
        Value(global.as_pointer_value().const_to_int(self.word_type()).as_value_ref())
    }

    /// A constant word that the link's plugin knows, or no linker: the low half of the address of a hidden symbol. Unlike
    /// [`symbol_word`](Self::symbol_word), the code generator takes it.
    pub(crate) fn link_word(&self, name: &str) -> Value {
        changes::note();
        let global =
            self.inner.add_global(self.context.i8_type(), Some(AddressSpace::from(GLOBAL_MEMORY)), name);
        global.set_visibility(GlobalVisibility::Hidden);
        Value(global.as_pointer_value().const_to_int(self.word_type()).as_value_ref())
    }

    /// A variable of that name which holds the address of a symbol that no linker knows, so that none links it.
    pub(crate) fn demand(&self, name: &str, unknown: &str) {
        let address = self.link_word(unknown).0;
        let global =
            self.inner.add_global(self.context.i32_type(), Some(AddressSpace::from(GLOBAL_MEMORY)), name);
        global.set_visibility(GlobalVisibility::Protected);
        global.set_constant(true);
        // SAFETY: live module, a global of it and a constant of its type (module rule 1).
        unsafe {
            LLVMSetInitializer(global.as_value_ref(), address);
            shim::sqtt_shim_append_used(self.module.raw(), global.as_value_ref());
        }
    }

    /// Takes a variable of [`demand`](Self::demand) and its symbol out.
    pub(crate) fn withdraw(&self, name: &str, unknown: &str) {
        changes::note();
        let Some(global) = self.module.global(name) else { return };
        // SAFETY: live module and a global of it that llvm.used alone uses (module rules 1 and 2).
        unsafe { shim::sqtt_shim_erase_used(self.module.raw(), global.0) };
        if let Some(unknown) = self.module.global(unknown) {
            self.resolve_symbol(unknown, 0);
        }
    }

    /// Puts the number where a symbol stood and removes the symbol.
    pub(crate) fn resolve_symbol(&self, global: Value, word: u32) {
        self.replace_symbol(global, self.word(word));
    }

    /// Puts a constant word where a symbol stood and removes the symbol.
    pub(crate) fn replace_symbol(&self, global: Value, word: Value) {
        changes::note();
        for user in global.users().into_iter().filter(|user| user.is_pointer_as_int()) {
            user.replace_all_uses(word);
        }
        // The remaining uses are casts that nothing uses, or an optimizer's own way of choosing between addresses.
        // SAFETY: live constants of one module (module rule 1); nothing uses the global any more when it goes (rule 2).
        unsafe {
            global.replace_all_uses(Value(LLVMConstIntToPtr(word.0, LLVMTypeOf(global.0))));
            LLVMDeleteGlobal(global.0);
        }
    }

    /// A constant array of bytes in a section of its own, which compiler and linkers keep.
    ///
    /// AMDGPU's ELF has no flag for sections to retain, and a tie to code breaks where a link drops or moves that code.
    /// A symbol that other objects may see holds it. Besides, ThinLTO imports no function with an asm from a module
    /// with local variables that are kept.
    pub(crate) fn section_bytes(&self, name: &str, section: &str, bytes: &[u8]) {
        changes::note();
        let value = self.context.const_string(bytes, false);
        let global = self.inner.add_global(value.get_type(), Some(AddressSpace::from(GLOBAL_MEMORY)), name);
        global.set_visibility(GlobalVisibility::Protected);
        global.set_constant(true);
        global.set_alignment(1);
        global.set_section(Some(section));
        global.set_initializer(&value);
        // SAFETY: live module and a global of it (module rule 1).
        unsafe { shim::sqtt_shim_append_used(self.module.raw(), global.as_value_ref()) };
    }
}

impl Module {
    /// A global variable by name.
    pub(crate) fn global(self, name: &str) -> Option<Value> {
        let name = std::ffi::CString::new(name).ok()?;
        // SAFETY: live module (module rule 1); the name ends in NUL.
        let global = unsafe { LLVMGetNamedGlobal(self.raw(), name.as_ptr()) };
        (!global.is_null()).then_some(Value(global))
    }
}
