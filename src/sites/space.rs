//! The memory that a pointer leads to.
//!
//! A flat pointer says by its origins what its type does not: at -O0 every variable is reached through one. When all
//! origins that can be seen are of one address space, the pointer counts as a pointer of that space; when they are of
//! several, or one cannot be seen, it is what its type says: flat.
//!
//! Origins are followed through casts, offsets and choices, through local variables of which nothing else has the
//! address, and through the arguments of functions of which every call is known.

use super::variables::{Stores, variable};
use crate::llvm::address_space::FLAT;
use crate::llvm::{Function, Inst, Value, ValueKind};
use inkwell::llvm_sys::LLVMOpcode;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// More origins than these are not looked at.
const MAX_STEPS: usize = 64;

/// Values that a pointer may be made of; `None` when that cannot be seen.
type Origins = Option<Rc<[Value]>>;

/// Answers, and what was found out on the way to earlier ones.
#[derive(Default)]
pub(crate) struct Spaces {
    /// The values stored in local variables.
    stored: HashMap<Value, Origins>,
    /// The calls of functions that only known calls reach.
    calls: HashMap<Function, Option<Rc<[Inst]>>>,
}

impl Spaces {
    /// The address space that a pointer counts as; `None` for what is no pointer.
    pub(crate) fn of(&mut self, pointer: Value) -> Option<u32> {
        let stated = pointer.address_space()?;
        if stated != FLAT {
            return Some(stated);
        }
        let mut seen = HashSet::new();
        let mut open = vec![pointer];
        let mut found = None;
        while let Some(value) = open.pop() {
            if !seen.insert(value) {
                continue;
            }
            if seen.len() > MAX_STEPS {
                return Some(FLAT);
            }
            match value.address_space() {
                Some(FLAT) => match self.origins(value) {
                    Some(origins) => open.extend(origins.iter()),
                    None => return Some(FLAT),
                },
                Some(space) if found.is_none_or(|found| found == space) => found = Some(space),
                _ => return Some(FLAT),
            }
        }
        Some(found.unwrap_or(FLAT))
    }

    fn origins(&mut self, value: Value) -> Origins {
        let opcode = match value.kind() {
            ValueKind::Inst(inst) => inst.opcode(),
            ValueKind::Constant(_) => value.constant_opcode()?,
            ValueKind::Argument => return self.passed(value),
            ValueKind::Other => return None,
        };
        let operands = value.operands();
        match opcode {
            LLVMOpcode::LLVMAddrSpaceCast
            | LLVMOpcode::LLVMBitCast
            | LLVMOpcode::LLVMGetElementPtr
            | LLVMOpcode::LLVMFreeze => Some(operands.into_iter().take(1).collect()),
            LLVMOpcode::LLVMSelect => Some(operands.into_iter().skip(1).collect()),
            LLVMOpcode::LLVMPHI => Some(operands.into()),
            LLVMOpcode::LLVMLoad => self.stored(variable(*operands.first()?)?),
            _ => None,
        }
    }

    /// The values that the calls pass for an argument.
    fn passed(&mut self, argument: Value) -> Origins {
        let (owner, index) = (argument.argument_owner(), argument.argument_index()?);
        let calls = self.calls.entry(owner).or_insert_with(|| owner.all_calls().map(Rc::from)).clone()?;
        // The answer would be given up anyway.
        if calls.len() > MAX_STEPS {
            return None;
        }
        calls.iter().map(|call| call.arguments().get(index).copied()).collect()
    }

    fn stored(&mut self, variable: Value) -> Origins {
        let stored = || {
            let Stores { values, are_all } = Stores::into(variable);
            (are_all && values.iter().all(|value| value.is_pointer())).then(|| values.into())
        };
        self.stored.entry(variable).or_insert_with(stored).clone()
    }
}
