//! Writing IR, through inkwell: the types here are ours, so its typed values fit.

use super::{Block, Function, Inst, Module, Value, changes, compat};
use crate::calls::{TRACE, tag};
use crate::notes;
use inkwell::IntPredicate;
use inkwell::attributes::{Attribute, AttributeLoc};
use inkwell::basic_block::BasicBlock;
use inkwell::builder::{Builder, BuilderError};
use inkwell::context::ContextRef;
use inkwell::intrinsics::Intrinsic as InkwellIntrinsic;
use inkwell::llvm_sys::core::{LLVMGetModuleContext, LLVMSetCurrentDebugLocation2};
use inkwell::llvm_sys::debuginfo::{
    LLVMDIBuilderCreateDebugLocation, LLVMDISubprogramGetLine, LLVMInstructionGetDebugLoc,
};
use inkwell::module::Module as InkwellModule;
use inkwell::types::IntType;
use inkwell::values::{
    AsValueRef, BasicMetadataValueEnum, BasicValue, CallSiteValue, FunctionValue, InstructionValue, IntValue,
    MetadataValue, PhiValue,
};
use std::cell::{Cell, OnceCell};
use std::mem::ManuallyDrop;

mod asm;
mod globals;
mod lanes;
mod values;

pub(crate) use asm::Overwritten;

/// Writes instructions and globals into the host's module.
pub(crate) struct Writer<'m> {
    module: Module,
    /// The host's, never ours to free: inkwell would dispose of it on drop.
    inner: ManuallyDrop<InkwellModule<'m>>,
    context: ContextRef<'m>,
    builder: Builder<'m>,
    /// The instruction before which the next ones come.
    position: Cell<Option<Inst>>,
    /// `llvm.write_register` and the name of M0.
    forget_m0: OnceCell<(FunctionValue<'m>, MetadataValue<'m>)>,
    /// Reads and writes nothing that a load or store could reach: the call stays, and no load or store minds it.
    no_memory: Attribute,
}

/// `memory(inaccessiblemem: readwrite)`, as LLVM encodes it.
const INACCESSIBLE_MEMORY: u64 = 0b11 << 2;

impl Writer<'_> {
    /// A writer for the phase's module.
    pub(crate) fn new(module: Module) -> Self {
        // SAFETY: the module is live for the whole phase (module rule 1) and `ManuallyDrop` keeps it the host's.
        let (inner, context) = unsafe {
            let inner = ManuallyDrop::new(InkwellModule::new(module.raw()));
            (inner, ContextRef::new(LLVMGetModuleContext(module.raw())))
        };
        let builder = context.create_builder();
        let memory = Attribute::get_named_enum_kind_id("memory");
        Self {
            module,
            inner,
            context,
            builder,
            position: Cell::new(None),
            forget_m0: OnceCell::new(),
            no_memory: context.create_enum_attribute(memory, INACCESSIBLE_MEMORY),
        }
    }

    /// The next instructions come before `inst`, at its source position.
    pub(crate) fn before(&self, inst: Inst) {
        // SAFETY: live instruction (module rule 1).
        self.builder.position_before(&unsafe { InstructionValue::new(inst.0) });
        self.position.set(Some(inst));
    }

    /// The next instructions come right after `inst`, at its own source position.
    pub(crate) fn after(&self, inst: Inst) {
        let Some(next) = inst.next() else { return };
        self.before(next);
        // SAFETY: live instruction and builder of one context (module rule 1); a null location is none.
        unsafe {
            LLVMSetCurrentDebugLocation2(self.builder.as_mut_ptr(), LLVMInstructionGetDebugLoc(inst.0));
        }
    }

    /// The next instructions stand at the line of `function`, or at none when it has no debug information.
    pub(crate) fn at_function_line(&self, function: Function) {
        // SAFETY: live handles of one context (module rule 1).
        unsafe {
            let location = match function.subprogram() {
                Some(scope) => {
                    let context = LLVMGetModuleContext(self.module.raw());
                    let line = LLVMDISubprogramGetLine(scope.0);
                    LLVMDIBuilderCreateDebugLocation(context, line, 0, scope.0, std::ptr::null_mut())
                }
                None => std::ptr::null_mut(),
            };
            LLVMSetCurrentDebugLocation2(self.builder.as_mut_ptr(), location);
        }
    }

    fn word_type(&self) -> IntType<'_> {
        self.context.i32_type()
    }

    /// An `i32` constant.
    pub(crate) fn word(&self, word: u32) -> Value {
        Value(self.word_type().const_int(u64::from(word), false).as_value_ref())
    }

    /// Writes the trace calls of a marker, header and payload. Returns the header's.
    pub(crate) fn marker_calls(&self, header: Value, payload: &[Value]) -> Inst {
        let call = self.trace_call(header, tag::header(payload.len()));
        for word in payload {
            self.trace_call(*word, tag::PAYLOAD);
        }
        call
    }

    /// Writes the trace call of a word. Returns it.
    pub(crate) fn trace_call(&self, word: Value, tag: &str) -> Inst {
        let call = inst(self.intrinsic(TRACE, &[word]));
        call.mark();
        call.set_call_string_attribute(notes::TAG, tag);
        call
    }

    /// Tells LLVM that a call touches no memory of the program.
    pub(crate) fn touches_no_memory(&self, call: Inst) {
        changes::note();
        // SAFETY: live call (module rule 1).
        unsafe { CallSiteValue::new(call.0) }.add_attribute(AttributeLoc::Function, self.no_memory);
    }

    /// Takes that back.
    pub(crate) fn may_touch_memory(&self, call: Inst) {
        // SAFETY: live call (module rule 1).
        let call = unsafe { CallSiteValue::new(call.0) };
        call.remove_enum_attribute(AttributeLoc::Function, self.no_memory.get_enum_kind_id());
    }

    fn intrinsic(&self, name: &str, words: &[Value]) -> CallSiteValue<'_> {
        let Some(intrinsic) = InkwellIntrinsic::find(name) else {
            panic!("this LLVM has no {name}");
        };
        let overloads = if intrinsic.is_overloaded() { vec![self.word_type().into()] } else { Vec::new() };
        let Some(function) = intrinsic.get_declaration(&self.inner, &overloads) else {
            panic!("{name} cannot be declared");
        };
        built(self.builder.build_call(function, &arguments(words), ""))
    }

    /// `llvm.amdgcn.readfirstlane` of a word: the value of the first active lane, in a scalar register.
    pub(crate) fn first_lane(&self, word: Value) -> Value {
        if word.as_int().is_some() {
            return word;
        }
        Value(self.intrinsic("llvm.amdgcn.readfirstlane", &[word]).as_value_ref())
    }

    /// `llvm.amdgcn.sched.barrier(0)`: the machine scheduler moves nothing across. One is enough.
    ///
    /// LLVM 19's scheduler corrupts its memory when nothing but debug information stands after one, up to the next or
    /// to the end of the block; another hint is something.
    pub(crate) fn sched_barrier(&self) {
        const NAME: &str = "llvm.amdgcn.sched.barrier";
        let position = self.position.get();
        let is_there = position.and_then(Inst::previous).is_some_and(|previous| {
            previous.called_function().is_some_and(|callee| callee.name() == NAME)
                && previous.arguments().first().and_then(|mask| mask.as_int()) == Some(0)
        });
        if is_there {
            return;
        }
        self.intrinsic(NAME, &[self.word(0)]);
        if compat::SCHEDULER_NEEDS_CODE && position.is_some_and(|at| at.function().subprogram().is_some()) {
            self.wave_barrier();
        }
    }

    /// `llvm.amdgcn.wave.barrier`, which is no instruction: LLVM keeps loads, stores and branches where they are around
    /// it, and knows that it overwrites no memory.
    pub(crate) fn wave_barrier(&self) {
        self.intrinsic("llvm.amdgcn.wave.barrier", &[]);
    }

    /// `llvm.amdgcn.s.getreg`: a field of a hardware register.
    pub(crate) fn getreg(&self, operand: u32) -> Value {
        let call = self.intrinsic("llvm.amdgcn.s.getreg", &[self.word(operand)]);
        call.add_attribute(AttributeLoc::Function, self.no_memory);
        Value(call.as_value_ref())
    }

    /// `mask >> index`.
    pub(crate) fn shifted(&self, mask: u32, index: Value) -> Value {
        let mask = int(self.word(mask));
        Value(built(self.builder.build_right_shift(mask, int(index), false, "")).as_value_ref())
    }

    /// All ones when bit 0 is set, else zero: `s_bfe_i32`.
    pub(crate) fn spread_lowest(&self, word: Value) -> Value {
        let top = self.word_type().const_int(31, false);
        let raised = built(self.builder.build_left_shift(int(word), top, ""));
        Value(built(self.builder.build_right_shift(raised, top, true, "")).as_value_ref())
    }

    /// Bitwise and.
    pub(crate) fn and(&self, left: Value, right: Value) -> Value {
        Value(built(self.builder.build_and(int(left), int(right), "")).as_value_ref())
    }

    /// `word > bound`, unsigned.
    pub(crate) fn above(&self, word: Value, bound: u32) -> Value {
        let bound = int(self.word(bound));
        Value(built(self.builder.build_int_compare(IntPredicate::UGT, int(word), bound, "")).as_value_ref())
    }

    /// `select` between two words.
    pub(crate) fn select(&self, condition: Value, yes: Value, no: Value) -> Value {
        let [condition, yes, no] = [condition, yes, no].map(int);
        Value(built(self.builder.build_select(condition, yes, no, "sqtt.word")).as_value_ref())
    }

    /// A phi of words, still empty.
    pub(crate) fn empty_phi(&self) -> Value {
        Value(built(self.builder.build_phi(self.word_type(), "sqtt.word")).as_value_ref())
    }

    /// Adds an incoming word to a phi made by [`Self::empty_phi`].
    pub(crate) fn add_incoming(&self, phi: Value, word: Value, block: Block) {
        // SAFETY: live handles (module rule 1); the phi is ours.
        unsafe {
            let Some(block) = BasicBlock::new(block.0) else { return };
            let word: &dyn BasicValue<'_> = &int(word);
            let Ok(phi) = PhiValue::try_from(InstructionValue::new(phi.0)) else { return };
            phi.add_incoming(&[(word, block)]);
        }
    }
}

fn int<'m>(value: Value) -> IntValue<'m> {
    // SAFETY: live value (module rule 1); the callers' values are integers.
    unsafe { IntValue::new(value.0) }
}

fn arguments<'m>(words: &[Value]) -> Vec<BasicMetadataValueEnum<'m>> {
    words.iter().map(|word| int(*word).into()).collect()
}

fn inst(call: CallSiteValue<'_>) -> Inst {
    Inst(call.as_value_ref())
}

/// Unwraps what the builder gives, and notes it: it only fails when it was not positioned or given a wrong type.
fn built<T>(result: Result<T, BuilderError>) -> T {
    changes::note();
    match result {
        Ok(value) => value,
        Err(error) => panic!("builder: {error}"),
    }
}
