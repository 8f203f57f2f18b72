//! The header's numeric markers. Each is an asm, so that it is whole without the plugin: with the wait after M0, and
//! never run in a wave without lanes. The plugin knows it by its last words.

use crate::llvm::{Inst, Module, Value};

/// The end of a numeric marker's asm.
const MARK: &str = "; sqtt number";

/// One of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct NumberAsm {
    pub(crate) call: Inst,
    /// The word that it writes; `None` for the exit in the immediate form.
    pub(crate) word: Option<Value>,
}

impl NumberAsm {
    /// The numeric marker that an instruction is.
    pub(crate) fn of(call: Inst) -> Option<Self> {
        let [text, _] = call.inline_asm()?;
        text.ends_with(MARK).then(|| Self { call, word: call.arguments().first().copied() })
    }
}

/// True if a module has any.
pub(crate) fn has_number_asm(module: Module) -> bool {
    module.has_asm_with(MARK)
}

/// All of a module, in order.
pub(crate) fn number_asms(module: Module) -> Vec<NumberAsm> {
    if !has_number_asm(module) {
        return Vec::new();
    }
    module.walk().filter_map(NumberAsm::of).collect()
}
