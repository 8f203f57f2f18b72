//! The test for an M0 that is the program's own.
//!
//! LLVM does not look into asm: what is written there to M0 has to be there still when other asm reads it. That may be
//! asm of another function, which calls this one or is called by it, so the answer is one for the module. The same
//! holds of a variable that is M0 by declaration. Intrinsics that need M0 are LLVM's own business.

use crate::llvm::{Inst, Module};

/// The metadata that clang leaves of a register variable.
const VARIABLE: &str = "llvm.named.register.m0";

/// True if asm of the module names M0, in its text or as an operand, or a variable is M0.
pub(crate) fn names_m0(module: Module) -> bool {
    is_named(&module.inline_asm())
        || module.named_metadata(VARIABLE).is_some()
        || module.walk().filter_map(Inst::inline_asm).any(|asm| asm.iter().any(|text| is_named(text)))
}

fn is_named(text: &str) -> bool {
    text.split(|character: char| !character.is_ascii_alphanumeric() && character != '_')
        .any(|word| word.eq_ignore_ascii_case("m0"))
}
