//! The functions that will still be there when the object is written.
//!
//! Markers in the others get no number and no row: a row for a marker that no longer exists is a lie.

use crate::llvm::{Constant, Function, Module, Value, ValueKind, internalizes_symbols};
use std::collections::HashSet;

/// The functions that something keeps.
pub(crate) struct LiveFunctions(HashSet<Function>);

impl LiveFunctions {
    /// Walks from what the linker must keep through all references.
    ///
    /// A compile that internalizes its symbols (HIP without `-fgpu-rdc`) keeps what the hardware can enter and what
    /// globals hold; otherwise every symbol that is not discardable stays.
    pub(crate) fn of(module: Module) -> Self {
        let internalizes = internalizes_symbols();
        let mut live = HashSet::new();
        let mut open: Vec<Function> = Vec::new();
        for function in module.definitions() {
            let root = function.is_entry()
                || (!internalizes && !function.is_discardable())
                || function.value().users().into_iter().any(|user| held_by_data(user, 0));
            if root && live.insert(function) {
                open.push(function);
            }
        }
        while let Some(function) = open.pop() {
            for inst in function.walk() {
                for operand in inst.value().each_operand() {
                    functions_in(operand, 0, &mut |callee| {
                        if !callee.is_declaration() && live.insert(callee) {
                            open.push(callee);
                        }
                    });
                }
            }
        }
        Self(live)
    }

    /// True if the function stays.
    pub(crate) fn contains(&self, function: Function) -> bool {
        self.0.contains(&function)
    }
}

/// The depth of nested constants from which the answer is taken to be yes.
const DEPTH: usize = 16;

/// True if a use of a function is, or leads to, the initializer of a global.
fn held_by_data(user: Value, depth: usize) -> bool {
    match user.kind() {
        ValueKind::Constant(Constant::Global) => user.as_function().is_none(),
        ValueKind::Constant(_) => {
            depth >= DEPTH || user.users().into_iter().any(|user| held_by_data(user, depth + 1))
        }
        ValueKind::Argument | ValueKind::Inst(_) | ValueKind::Other => false,
    }
}

fn functions_in(value: Value, depth: usize, found: &mut impl FnMut(Function)) {
    if !value.is_nested_constant() {
        return;
    }
    if let Some(function) = value.as_function() {
        found(function);
    } else if depth < DEPTH
        && matches!(value.kind(), ValueKind::Constant(Constant::Expression | Constant::Other))
    {
        for operand in value.each_operand() {
            functions_in(operand, depth + 1, found);
        }
    }
}
