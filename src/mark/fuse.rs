//! An exit directly followed by an enter: one word does both.
//!
//! Comes before anything is inlined, so that what is fused is what stands together in the source, at every
//! optimization level. An exit is a call of the sentinel, or the numeric one of the header (`sqtt_marker_exit()`, the
//! end of a guard); an enter is a call of a sentinel, or a numeric one. The header's numeric markers are functions
//! with a single record in them.

use crate::llvm::write::Writer;
use crate::llvm::{CallShape, Function, Inst, Module, Value};
use crate::notes;
use crate::run::Run;
use crate::sites::{NumberAsm, Sentinel, Sentinels, has_number_asm, is_first_lane, is_hint};
use inkwell::llvm_sys::LLVMOpcode;
use sqtt_format::Marker;
use std::collections::HashMap;

/// The effect of a call.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    /// It leaves the scope entered last, and does nothing else.
    Exit,
    /// It enters a scope by name.
    Enter,
    /// It enters a scope by number, and does nothing else.
    EnterNumber,
}

/// Takes away every exit that is directly followed by an enter, which gets to know of it.
pub(crate) fn fuse(run: Run, sentinels: &Sentinels) {
    if sentinels.is_empty() && !has_number_asm(run.module) {
        return;
    }
    let mut marks = Marks { module: run.module, sentinels, functions: HashMap::new() };
    let mut pairs = Vec::new();
    for exit in run.module.walk() {
        if marks.of(exit) == Some(Mark::Exit)
            && let Some(next) = neighbour(exit)
            && let Some(mark @ (Mark::Enter | Mark::EnterNumber)) = marks.of(next)
        {
            pairs.push((exit, next, mark));
        }
    }
    let writer = Writer::new(run.module);
    for (exit, enter, mark) in pairs {
        let is_fused = match mark {
            Mark::Enter => {
                enter.set_call_string_attribute(notes::FUSED, "");
                true
            }
            Mark::EnterNumber | Mark::Exit => fuse_number(&writer, exit, enter),
        };
        if is_fused {
            exit.erase_with_result();
        }
    }
}

/// Puts the exit's bit into the word of a numeric enter, for which its function is inlined. Returns whether it is
/// there.
fn fuse_number(writer: &Writer<'_>, exit: Inst, enter: Inst) -> bool {
    if NumberAsm::of(enter).is_none() && !enter.inline() {
        return false;
    }
    let next = std::iter::successors(exit.next(), |inst| inst.next()).find_map(NumberAsm::of);
    let Some(NumberAsm { call, word: Some(word) }) = next else { return false };
    writer.before(call);
    call.set_operand(0, writer.or(word, Marker::EXIT_FLAG));
    true
}

/// The effects of calls; a function is looked into once.
struct Marks<'a> {
    module: Module,
    sentinels: &'a Sentinels,
    functions: HashMap<Function, Option<Mark>>,
}

impl Marks<'_> {
    fn of(&mut self, inst: Inst) -> Option<Mark> {
        if inst.call_shape() != Some(CallShape::Call) {
            return None;
        }
        if let Some(record) = NumberAsm::of(inst) {
            return of_record(record);
        }
        match self.sentinels.called_by(inst) {
            Some(Sentinel::Exit) => return Some(Mark::Exit),
            Some(Sentinel::Enter | Sentinel::EnterGuard) => return Some(Mark::Enter),
            Some(Sentinel::Point | Sentinel::Data(_)) => return None,
            None => {}
        }
        let callee = inst.called_function().filter(|callee| !callee.is_declaration())?;
        if let Some(known) = self.functions.get(&callee) {
            return *known;
        }
        let mark = self.only_record(callee);
        self.functions.insert(callee, mark);
        mark
    }

    /// The effect of the only record in a function that has to be inlined anyway and does nothing else.
    fn only_record(&self, function: Function) -> Option<Mark> {
        if !function.has_attribute("alwaysinline") || function.blocks().len() != 1 {
            return None;
        }
        let mut records = function.walk().filter_map(NumberAsm::of);
        let record = records.next()?;
        let is_alone = records.next().is_none() && function.walk().all(|inst| self.serves_record(inst));
        is_alone.then(|| of_record(record)).flatten()
    }

    /// True if an instruction is the record, or computes its word and leaves nothing else behind.
    fn serves_record(&self, inst: Inst) -> bool {
        match inst.opcode() {
            LLVMOpcode::LLVMAlloca | LLVMOpcode::LLVMRet => true,
            LLVMOpcode::LLVMStore => {
                let base = inst.value().operand(1).map(|pointer| pointer.strip_offset(self.module).0);
                base.and_then(Value::as_inst).is_some_and(|base| base.opcode() == LLVMOpcode::LLVMAlloca)
            }
            LLVMOpcode::LLVMCall => is_hint(inst) || is_first_lane(inst) || NumberAsm::of(inst).is_some(),
            _ => is_argument_code(inst),
        }
    }
}

fn of_record(record: NumberAsm) -> Option<Mark> {
    match record.word {
        None => Some(Mark::Exit),
        Some(word) if first_lane_of(word).as_int() == Some(u64::from(Marker::EXIT_FLAG)) => Some(Mark::Exit),
        Some(word) => (flags(word)? == u64::from(Marker::ENTER_FLAG)).then_some(Mark::EnterNumber),
    }
}

/// The two low bits of a word, where they are certain.
fn flags(word: Value) -> Option<u64> {
    if let Some(constant) = word.as_int() {
        return Some(constant & 3);
    }
    let inst = word.as_inst()?;
    match inst.opcode() {
        LLVMOpcode::LLVMOr => Some(flags(word.operand(0)?)? | flags(word.operand(1)?)?),
        LLVMOpcode::LLVMShl => (word.operand(1)?.as_int()? >= 2).then_some(0),
        LLVMOpcode::LLVMCall if is_first_lane(inst) => flags(word.operand(0)?),
        _ => None,
    }
}

fn first_lane_of(word: Value) -> Value {
    let call = word.as_inst().filter(|inst| is_first_lane(*inst));
    call.and_then(|_| word.operand(0)).unwrap_or(word)
}

/// The next call after an exit with nothing between but debug information, lifetimes, hints, and the reading of its
/// own arguments.
fn neighbour(exit: Inst) -> Option<Inst> {
    let mut arguments: Vec<Inst> = Vec::new();
    let mut next = exit.next();
    while let Some(inst) = next {
        if is_argument_code(inst) {
            arguments.push(inst);
        } else if !is_hint(inst) {
            break;
        }
        next = inst.next();
    }
    let call = next?;
    let serves_call = |inst: &Inst| {
        inst.value()
            .users()
            .into_iter()
            .all(|user| user.as_inst().is_some_and(|user| user == call || arguments.contains(&user)))
    };
    arguments.iter().all(serves_call).then_some(call)
}

/// True for the code that evaluates a name or a number: none of it has an effect, and all of it is short.
fn is_argument_code(inst: Inst) -> bool {
    matches!(
        inst.opcode(),
        LLVMOpcode::LLVMGetElementPtr
            | LLVMOpcode::LLVMAddrSpaceCast
            | LLVMOpcode::LLVMBitCast
            | LLVMOpcode::LLVMFreeze
            | LLVMOpcode::LLVMSelect
            | LLVMOpcode::LLVMSExt
            | LLVMOpcode::LLVMZExt
            | LLVMOpcode::LLVMTrunc
            | LLVMOpcode::LLVMAdd
            | LLVMOpcode::LLVMSub
            | LLVMOpcode::LLVMMul
            | LLVMOpcode::LLVMShl
            | LLVMOpcode::LLVMLShr
            | LLVMOpcode::LLVMAShr
            | LLVMOpcode::LLVMAnd
            | LLVMOpcode::LLVMOr
            | LLVMOpcode::LLVMXor
            | LLVMOpcode::LLVMICmp
    ) || inst.is_plain_load()
}
