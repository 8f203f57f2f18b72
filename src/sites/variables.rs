//! Local variables, and the values stored in them.

use super::is_transparent;
use crate::llvm::Value;
use inkwell::llvm_sys::LLVMOpcode;

/// The local variable that a pointer is the address of.
pub(super) fn variable(pointer: Value) -> Option<Value> {
    let inst = pointer.as_inst()?;
    match inst.opcode() {
        LLVMOpcode::LLVMAlloca => Some(pointer),
        LLVMOpcode::LLVMAddrSpaceCast => variable(pointer.operand(0)?),
        _ => None,
    }
}

/// The values that are stored into a local variable.
pub(super) struct Stores {
    pub(super) values: Vec<Value>,
    /// True if nothing else can write the variable: its address goes nowhere, and it is stored to as a whole.
    pub(super) are_all: bool,
}

impl Stores {
    /// Looks at all uses of a variable.
    pub(super) fn into(variable: Value) -> Self {
        let mut stores = Self { values: Vec::new(), are_all: true };
        let mut addresses = vec![variable];
        while let Some(address) = addresses.pop() {
            for user in address.users() {
                let Some(inst) = user.as_inst() else { continue };
                match inst.opcode() {
                    LLVMOpcode::LLVMAddrSpaceCast => addresses.push(user),
                    LLVMOpcode::LLVMLoad => {}
                    LLVMOpcode::LLVMStore if user.operands()[1] == address => {
                        stores.values.push(user.operands()[0]);
                    }
                    LLVMOpcode::LLVMCall if is_transparent(inst) => {}
                    _ => stores.are_all = false,
                }
            }
        }
        stores
    }
}
