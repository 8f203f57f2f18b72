//! The names that expressions such as `kernel<int>` got.
//!
//! Each expression is the value of a variable of the compiled program. The variable's relocation leads to the function
//! or variable that the expression names.

use std::ffi::CString;

use object::{Object as _, ObjectSymbol as _, RelocationTarget, SymbolKind};

/// The name of the variable for an expression.
pub(super) fn variable(index: usize) -> String {
    format!("__sqtt_name_of_expression_{index}")
}

/// The source text that makes the variables.
pub(super) fn source(expressions: &[String]) -> String {
    let one = |(index, expression): (usize, &String)| {
        let name = variable(index);
        let plain = expression.trim().trim_start_matches('&');
        format!("extern \"C\" __device__ __attribute__((used)) const auto {name} = &{plain};\n")
    };
    expressions.iter().enumerate().map(one).collect()
}

/// The symbol that the variable of an expression points to.
pub(super) fn lowered(code_object: &[u8], index: usize) -> Option<CString> {
    let file = object::File::parse(code_object).ok()?;
    let own = variable(index);
    let place = file.symbols().find(|symbol| symbol.name() == Ok(&own))?.address();
    let (_, relocation) = file.dynamic_relocations()?.find(|(at, _)| *at == place)?;
    let target = match relocation.target() {
        RelocationTarget::Symbol(symbol) => {
            let symbol =
                object::ObjectSymbolTable::symbol_by_index(&file.dynamic_symbol_table()?, symbol).ok()?;
            return CString::new(symbol.name().ok()?).ok();
        }
        _ => relocation.addend().cast_unsigned(),
    };
    let is_named = |kind| matches!(kind, SymbolKind::Text | SymbolKind::Data);
    let found =
        file.dynamic_symbols().find(|symbol| symbol.address() == target && is_named(symbol.kind()))?;
    CString::new(found.name().ok()?).ok()
}
