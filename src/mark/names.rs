//! The name that a pointer carries.
//!
//! A name is a literal, or is chosen by the program: `c ? "a" : "b"`, a `const char *` variable or member, an offset
//! into a literal, an entry of a constant table ([`Table`]). [`examine`] says whether everything the pointer can be is
//! visible, and if not, what would make it so; it changes nothing. [`Words::build`] then follows the same paths and
//! writes the choice again, over words instead of pointers.

use crate::ledger::{MarkerAction, MarkerKind, MarkerLedger, symbol};
use crate::llvm::write::Writer;
use crate::llvm::{Block, Constant, Function, Inst, Module, Value, ValueKind};
use crate::mark::table::Table;
use inkwell::llvm_sys::LLVMOpcode;
use std::collections::{HashMap, HashSet};

/// An obstacle between a pointer and its name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Need {
    /// The callers know: this function has to be inlined into them, or have a copy for each name. The number is that
    /// of the argument that leads to the name, where that is all there is to it.
    Callers(Function, Option<usize>),
    /// The callee knows: this call has to be inlined.
    Callee(Inst),
    /// This call may write the name into a local object: it has to be inlined to know.
    Writer(Inst),
    /// The name passes through local memory: allocas of this function have to be promoted.
    Promotion(Function),
    /// Nothing that the pass does would help.
    Nothing,
}

/// One step from a pointer towards its name.
enum Step {
    /// The name, from its first byte.
    Literal(Vec<u8>),
    /// Another value for the pointer, so many bytes on.
    Same(Value, i64),
    /// One of two.
    Select { inst: Inst, condition: Value, yes: Value, no: Value, offset: i64 },
    /// One of several.
    Phi { inst: Inst, incoming: Vec<(Value, Block)>, offset: i64 },
    /// One of a table.
    Table(Box<Table>),
    /// Nothing visible, for these reasons.
    Hidden(Vec<Need>),
}

/// Takes one step. `offset` bytes were taken off on the way.
fn step(module: Module, value: Value, offset: i64) -> Step {
    match value.kind() {
        ValueKind::Constant(Constant::Null | Constant::Undefined) | ValueKind::Other => {
            Step::Hidden(vec![Need::Nothing])
        }
        ValueKind::Constant(_) => match literal(value, offset) {
            Some(name) => Step::Literal(name),
            None => Step::Hidden(vec![Need::Nothing]),
        },
        ValueKind::Argument => match agreed_literal(module, value, offset) {
            Some(name) => Step::Literal(name),
            None => Step::Hidden(vec![Need::Callers(value.argument_owner(), value.argument_index())]),
        },
        ValueKind::Inst(inst) => step_inst(module, inst, offset),
    }
}

fn literal(pointer: Value, offset: i64) -> Option<Vec<u8>> {
    let text = pointer.constant_string()?;
    // Beyond the NUL (or before the array) there is no name.
    text.get(usize::try_from(offset).ok()?..).map(<[u8]>::to_vec)
}

fn step_inst(module: Module, inst: Inst, offset: i64) -> Step {
    let operands = inst.value().operands();
    match inst.opcode() {
        LLVMOpcode::LLVMSelect => {
            let [condition, yes, no] = operands[..] else { return Step::Hidden(vec![Need::Nothing]) };
            Step::Select { inst, condition, yes, no, offset }
        }
        LLVMOpcode::LLVMPHI => Step::Phi { inst, incoming: inst.incoming(), offset },
        LLVMOpcode::LLVMFreeze | LLVMOpcode::LLVMAddrSpaceCast | LLVMOpcode::LLVMBitCast => {
            Step::Same(operands[0], offset)
        }
        LLVMOpcode::LLVMGetElementPtr => {
            let (base, bytes) = inst.value().strip_offset(module);
            if base == inst.value() {
                Step::Hidden(vec![Need::Nothing])
            } else {
                Step::Same(base, offset.saturating_add(bytes))
            }
        }
        LLVMOpcode::LLVMLoad => step_load(module, inst, operands[0], offset),
        LLVMOpcode::LLVMCall => match inst.called_function() {
            Some(callee) if !callee.is_declaration() => Step::Hidden(vec![Need::Callee(inst)]),
            _ => Step::Hidden(vec![Need::Nothing]),
        },
        _ => Step::Hidden(vec![Need::Nothing]),
    }
}

fn step_load(module: Module, load: Inst, pointer: Value, offset: i64) -> Step {
    let (base, bytes) = pointer.strip_offset(module);
    if let ValueKind::Constant(_) = base.kind() {
        return match base.load_constant(bytes, load.value(), module) {
            Some(value) => Step::Same(value, offset),
            None => Step::Hidden(vec![Need::Nothing]),
        };
    }
    if let Some(table) = Table::of(module, load, pointer, offset) {
        return Step::Table(Box::new(table));
    }
    if let Some(value) = load.available_value().filter(|value| value.same_type(load.value())) {
        return Step::Same(value, offset);
    }
    match base.as_inst().filter(|inst| inst.opcode() == LLVMOpcode::LLVMAlloca) {
        Some(alloca) => match only_store(module, alloca, bytes, load) {
            Some(value) => Step::Same(value, offset),
            None => {
                let writers = calls_with(alloca).into_iter().map(Need::Writer);
                Step::Hidden(std::iter::once(Need::Promotion(load.function())).chain(writers).collect())
            }
        },
        None => Step::Hidden(vec![memory_need(module, base, load.function())]),
    }
}

/// The function or call that could say what the memory at `base` holds: the callers, when it came from an argument.
fn memory_need(module: Module, base: Value, function: Function) -> Need {
    let mut value = base;
    for _ in 0..MAX_STEPS {
        let (stripped, _) = value.strip_offset(module);
        value = match stripped.kind() {
            ValueKind::Argument => return Need::Callers(function, None),
            ValueKind::Inst(inst) => match inst.opcode() {
                LLVMOpcode::LLVMLoad => inst.value().operands()[0],
                LLVMOpcode::LLVMAlloca => return Need::Promotion(function),
                LLVMOpcode::LLVMCall => match inst.called_function() {
                    Some(callee) if !callee.is_declaration() => return Need::Callee(inst),
                    _ => return Need::Nothing,
                },
                _ => return Need::Nothing,
            },
            ValueKind::Constant(_) | ValueKind::Other => return Need::Nothing,
        };
    }
    Need::Nothing
}

/// The calls of defined functions that are given a pointer into a local object.
fn calls_with(alloca: Inst) -> Vec<Inst> {
    let mut calls = Vec::new();
    let mut open = vec![alloca.value()];
    while let Some(pointer) = open.pop() {
        for inst in pointer.users().into_iter().filter_map(Value::as_inst) {
            match inst.opcode() {
                LLVMOpcode::LLVMGetElementPtr | LLVMOpcode::LLVMAddrSpaceCast | LLVMOpcode::LLVMBitCast => {
                    open.push(inst.value());
                }
                LLVMOpcode::LLVMCall
                    if inst.called_function().is_some_and(|callee| !callee.is_declaration())
                        && !calls.contains(&inst) =>
                {
                    calls.push(inst);
                }
                _ => {}
            }
        }
    }
    calls
}

/// The value of the one store into an alloca whose every other use is a load or a lifetime.
fn only_store(module: Module, alloca: Inst, bytes: i64, load: Inst) -> Option<Value> {
    let mut stored = None;
    let mut open = vec![alloca.value()];
    while let Some(pointer) = open.pop() {
        for user in pointer.users() {
            let Some(inst) = user.as_inst() else { continue };
            match inst.opcode() {
                LLVMOpcode::LLVMLoad => {}
                LLVMOpcode::LLVMGetElementPtr | LLVMOpcode::LLVMAddrSpaceCast | LLVMOpcode::LLVMBitCast => {
                    open.push(user);
                }
                LLVMOpcode::LLVMStore => {
                    let operands = user.operands();
                    let (_, at) = operands[1].strip_offset(module);
                    let fits = operands[1] == pointer && at == bytes && operands[0].same_type(load.value());
                    if !fits || operands[0] == pointer || stored.replace(operands[0]).is_some() {
                        return None;
                    }
                }
                LLVMOpcode::LLVMCall if crate::sites::is_transparent(inst) => {}
                _ => return None,
            }
        }
    }
    stored
}

/// Bounds chains of steps that no program writes.
const MAX_STEPS: usize = 10_000;

/// Number of pointers that a name may be chosen from, and be chosen through. A pointer that walks along a literal is a
/// new one at every byte.
const MAX_POINTERS: usize = 512;

/// The outcome of looking for a name.
pub(crate) struct Examined {
    /// All that has to happen before it is visible, in the order it was met.
    pub(crate) needs: Vec<Need>,
    /// True if it is chosen from so many that it is not worth following.
    pub(crate) boundless: bool,
}

impl Examined {
    /// True if everything that the pointer can be has a name.
    pub(crate) fn is_visible(&self) -> bool {
        self.needs.is_empty() && !self.boundless
    }
}

/// Looks at everything that `pointer` can be.
pub(crate) fn examine(module: Module, pointer: Value) -> Examined {
    let mut needs = Vec::new();
    let mut seen = HashSet::new();
    let mut open = vec![(pointer, 0)];
    while let Some((value, offset)) = open.pop() {
        if !seen.insert((value, offset)) {
            continue;
        }
        if seen.len() > MAX_POINTERS {
            return Examined { needs: Vec::new(), boundless: true };
        }
        match step(module, value, offset) {
            Step::Literal(name) if name.is_empty() => {
                needs.push(Need::Nothing);
            }
            Step::Literal(_) => {}
            Step::Same(next, offset) => open.push((next, offset)),
            Step::Select { yes, no, offset, .. } => open.extend([(yes, offset), (no, offset)]),
            Step::Phi { incoming, offset, .. } => {
                open.extend(incoming.into_iter().map(|(value, _)| (value, offset)));
            }
            Step::Table(table) if table.is_known() => {}
            Step::Table(_) => needs.push(Need::Nothing),
            Step::Hidden(hidden) => needs.extend(hidden),
        }
    }
    Examined { needs, boundless: false }
}

/// The one literal that a pointer is, an argument in every call of its function where all calls are known.
pub(crate) fn agreed_literal(module: Module, pointer: Value, offset: i64) -> Option<Vec<u8>> {
    let mut agreed: Option<Vec<u8>> = None;
    let mut seen = HashSet::new();
    let mut open = vec![(pointer, offset)];
    while let Some((value, offset)) = open.pop() {
        if !seen.insert((value, offset)) {
            continue;
        }
        if seen.len() > MAX_POINTERS {
            return None;
        }
        if value.kind() == ValueKind::Argument {
            let function = value.argument_owner();
            let index = value.argument_index()?;
            for call in function.all_calls()? {
                open.push((*call.arguments().get(index)?, offset));
            }
            continue;
        }
        match step(module, value, offset) {
            Step::Same(next, offset) => open.push((next, offset)),
            Step::Literal(name) if agreed.as_ref().is_none_or(|agreed| *agreed == name) => {
                agreed = Some(name);
            }
            _ => return None,
        }
    }
    agreed
}

/// Writes names as words.
pub(crate) struct Words<'a, 'm> {
    pub(crate) module: Module,
    pub(crate) writer: &'a Writer<'m>,
    pub(crate) ledger: &'a mut MarkerLedger,
    pub(crate) kind: MarkerKind,
    pub(crate) action: MarkerAction,
    /// The name where none can be known.
    pub(crate) fallback: &'a [u8],
    /// Words written for a choice, so that a shared or cyclic one is written once.
    pub(crate) written: HashMap<(Inst, i64), Value>,
    /// True if the fallback had to be taken.
    pub(crate) fell_back: bool,
}

impl Words<'_, '_> {
    /// The word of what `pointer` names, written where the pointers are chosen. Hidden names take the fallback.
    pub(crate) fn build(&mut self, pointer: Value, examined: &Examined) -> Value {
        if examined.boundless { self.named(None) } else { self.build_at(pointer, 0) }
    }

    /// Follows what [`examine`] followed, which bounds the depth.
    fn build_at(&mut self, pointer: Value, offset: i64) -> Value {
        match step(self.module, pointer, offset) {
            Step::Literal(name) => self.named(Some(&name)),
            Step::Same(next, offset) => self.build_at(next, offset),
            Step::Hidden(_) => self.named(None),
            Step::Table(table) => {
                if let Some(word) = self.written.get(&(table.load(), offset)) {
                    return *word;
                }
                let word = table.build(self.writer, |name| self.named(name));
                self.written.insert((table.load(), offset), word);
                word
            }
            Step::Select { inst, condition, yes, no, offset } => {
                if let Some(word) = self.written.get(&(inst, offset)) {
                    return *word;
                }
                let yes = self.build_at(yes, offset);
                let no = self.build_at(no, offset);
                self.writer.before(inst);
                let word = if yes == no { yes } else { self.writer.select(condition, yes, no) };
                self.written.insert((inst, offset), word);
                word
            }
            Step::Phi { inst, incoming, offset } => {
                if let Some(word) = self.written.get(&(inst, offset)) {
                    return *word;
                }
                self.writer.before(inst);
                let phi = self.writer.empty_phi();
                self.written.insert((inst, offset), phi);
                for (value, block) in incoming {
                    let word = self.build_at(value, offset);
                    self.writer.add_incoming(phi, word, block);
                }
                phi
            }
        }
    }

    fn named(&mut self, name: Option<&[u8]>) -> Value {
        let name = name.filter(|name| !name.is_empty());
        self.fell_back |= name.is_none();
        let name = name.unwrap_or(self.fallback);
        let entry = self.ledger.intern(self.kind, name);
        self.writer.symbol_word(&symbol(entry, self.action))
    }
}
