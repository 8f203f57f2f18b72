//! Writing globals: the symbols that stand for words, and sections.

use super::Writer;
use crate::llvm::{Module, Value, changes, metadata, shim};
use inkwell::llvm_sys::core::{LLVMDeleteGlobal, LLVMGetNamedGlobal};
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

    /// Puts the number where a symbol stood and removes the symbol.
    pub(crate) fn resolve_symbol(&self, global: Value, word: u32) {
        changes::note();
        let number = self.word(word);
        for user in global.users().into_iter().filter(|user| user.is_pointer_as_int()) {
            user.replace_all_uses(number);
        }
        // The remaining uses are casts that nothing uses, or an optimizer's own way of choosing between addresses.
        let pointer_type = self.context.ptr_type(AddressSpace::from(SYMBOL_ADDRESS_SPACE));
        let address = self.word_type().const_int(u64::from(word), false).const_to_pointer(pointer_type);
        global.replace_all_uses(Value(address.as_value_ref()));
        // SAFETY: live global (module rule 1) that nothing uses any more (rule 2).
        unsafe { LLVMDeleteGlobal(global.0) };
    }

    /// A constant array of bytes in a section of its own, kept by the compiler, and by linkers that drop unused
    /// sections as long as the code it tells of is kept.
    pub(crate) fn section_bytes(&self, name: &str, section: &str, bytes: &[u8]) {
        changes::note();
        let value = self.context.const_string(bytes, false);
        let unit = self.module.linked_unit();
        let name = unit.as_ref().map_or_else(|| name.to_owned(), |unit| format!("{name}.{unit}"));
        let global = self.inner.add_global(value.get_type(), Some(AddressSpace::from(GLOBAL_MEMORY)), &name);
        // ThinLTO imports no function with an asm from a module with local variables that are kept.
        if unit.is_some() {
            global.set_visibility(GlobalVisibility::Protected);
        } else {
            global.set_linkage(Linkage::Internal);
        }
        global.set_constant(true);
        global.set_alignment(1);
        global.set_section(Some(section));
        global.set_initializer(&value);
        // SAFETY: live module and a global of it (module rule 1).
        unsafe { shim::sqtt_shim_append_used(self.module.raw(), global.as_value_ref()) };
        // `llvm.used` alone does not hold it: AMDGPU's ELF has no flag for sections to retain. A tie to code does.
        // Only a kernel will do: another function may be inlined and removed at a link, and a tie to nothing is
        // invalid.
        if let Some(kernel) = self.module.first_kernel() {
            // SAFETY: live global and function of one module (module rule 1).
            unsafe { metadata::attach(global.as_value_ref(), "associated", kernel.0) };
        }
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
