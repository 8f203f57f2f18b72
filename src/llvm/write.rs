//! Writing IR, through inkwell: the types here are ours, so its typed values fit.

use super::{Block, Function, Inst, Module, Value, changes, shim};
use inkwell::attributes::{Attribute, AttributeLoc};
use inkwell::basic_block::BasicBlock;
use inkwell::builder::{Builder, BuilderError};
use inkwell::context::ContextRef;
use inkwell::intrinsics::Intrinsic as InkwellIntrinsic;
use inkwell::llvm_sys::core::{
    LLVMDeleteGlobal, LLVMGetMDKindIDInContext, LLVMGetModuleContext, LLVMGetNamedGlobal,
    LLVMGlobalSetMetadata, LLVMMDNodeInContext2, LLVMSetCurrentDebugLocation2, LLVMValueAsMetadata,
};
use inkwell::llvm_sys::debuginfo::{
    LLVMDIBuilderCreateDebugLocation, LLVMDISubprogramGetLine, LLVMInstructionGetDebugLoc,
};
use inkwell::module::{Linkage, Module as InkwellModule};
use inkwell::types::{BasicType as _, BasicTypeEnum, FunctionType, IntType};
use inkwell::values::{
    AsValueRef, BasicMetadataValueEnum, BasicValue, CallSiteValue, FunctionValue, InstructionValue, IntValue,
    MetadataValue, PhiValue,
};
use inkwell::{AddressSpace, IntPredicate};
use std::cell::{Cell, OnceCell};
use std::mem::ManuallyDrop;

mod lanes;
mod values;

/// 32-bit constant memory: an address there is exactly an `i32`, which makes a symbol a word.
const SYMBOL_ADDRESS_SPACE: u16 = 6;

/// Writes instructions and globals into the host's module.
pub(crate) struct Writer<'m> {
    module: Module,
    /// The host's, never ours to free: inkwell would dispose of it on drop.
    inner: ManuallyDrop<InkwellModule<'m>>,
    context: ContextRef<'m>,
    builder: Builder<'m>,
    /// What the next instructions come before.
    position: Cell<Option<Inst>>,
    /// `llvm.write_register` and the name of M0.
    forget_m0: OnceCell<(FunctionValue<'m>, MetadataValue<'m>)>,
    /// Reads and writes nothing that a load or store could reach: the call stays, and no load or store minds it.
    no_memory: Attribute,
}

/// An asm with this may touch all memory.
const MEMORY_CLOBBER: &str = "~{memory}";

/// A number. To LLVM's code generators an asm with such an operand may load, which holds loads as a clobber of memory
/// does. But a clobber is looked for among the names of all registers, at each asm. (AMDGPU's own `I` would do for
/// SelectionDAG; GlobalISel does not know it.)
const NUMBER: &str = "i";

/// `memory(inaccessiblemem: readwrite)`, as LLVM encodes it.
const INACCESSIBLE_MEMORY: u64 = 0b11 << 2;

/// Whether the LLVM built for has the fault that [`Writer::sched_barrier`] tells of: seen on 19, not on 22.
const SCHEDULER_NEEDS_CODE: bool = cfg!(any(feature = "llvm19", feature = "llvm20"));

/// A register that an asm overwrites. It is an output of which nobody uses the value: LLVM rejects a clobber of M0,
/// which is reserved, and looks for the register of a clobber among all names that it knows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Overwritten {
    /// The operand of `s_ttracedata`.
    M0,
    /// What scalar compares and arithmetic write.
    Scc,
    /// Where a 64-bit value has two halves with names.
    Vcc,
    /// A register of LLVM's choice, which the asm needs for itself.
    Spare,
}

impl Overwritten {
    fn constraint(self) -> &'static str {
        match self {
            Self::M0 => "={m0}",
            Self::Scc => "={scc}",
            // An input must not be in it: it is written before they are read.
            Self::Vcc => "=&{vcc}",
            Self::Spare => "=&s",
        }
    }
}

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

    /// The next instructions come right behind `inst`, at its own source position.
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
        // What is left are casts that nothing uses, or an optimizer's own way of choosing between addresses.
        let pointer_type = self.context.ptr_type(AddressSpace::from(SYMBOL_ADDRESS_SPACE));
        let address = self.word_type().const_int(u64::from(word), false).const_to_pointer(pointer_type);
        global.replace_all_uses(Value(address.as_value_ref()));
        // SAFETY: live global (module rule 1) that nothing uses any more (rule 2).
        unsafe { LLVMDeleteGlobal(global.0) };
    }

    /// Calls an intrinsic on words as a marker. Returns the call.
    pub(crate) fn marker_intrinsic(&self, name: &str, words: &[Value], tag: &str) -> Inst {
        let call = self.intrinsic(name, words);
        self.mark_call(call, Some(tag));
        inst(call)
    }

    /// Makes an existing call a marker for LLVM's passes; `tag` is what the late phase will know it by.
    pub(crate) fn mark(&self, call: Inst, tag: Option<&str>) {
        // SAFETY: live call (module rule 1).
        self.mark_call(unsafe { CallSiteValue::new(call.0) }, tag);
    }

    /// Puts a string attribute on a call.
    pub(crate) fn tag(&self, call: Inst, key: &str, value: &str) {
        changes::note();
        // SAFETY: live call (module rule 1).
        let call = unsafe { CallSiteValue::new(call.0) };
        call.add_attribute(AttributeLoc::Function, self.context.create_string_attribute(key, value));
    }

    /// One source marker is one record per wave and execution, so it may be neither merged with its like nor
    /// duplicated into the arms of a branch: `convergent`, `nomerge`, and `nounwind`.
    fn mark_call(&self, call: CallSiteValue<'_>, tag: Option<&str>) {
        changes::note();
        // SAFETY: live call (module rule 1).
        unsafe { shim::sqtt_shim_mark(call.as_value_ref()) };
        if let Some(tag) = tag {
            let attribute = self.context.create_string_attribute(crate::notes::TAG, tag);
            call.add_attribute(AttributeLoc::Function, attribute);
        }
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
    /// LLVM 19's scheduler corrupts its memory when nothing but debug information stands behind one, up to the next or
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
        if SCHEDULER_NEEDS_CODE && position.is_some_and(|at| at.function().subprogram().is_some()) {
            self.wave_barrier();
        }
    }

    /// `llvm.amdgcn.wave.barrier`, which is no instruction: LLVM keeps loads, stores and branches where they are around
    /// it, and knows that it overwrites no memory.
    pub(crate) fn wave_barrier(&self) {
        self.intrinsic("llvm.amdgcn.wave.barrier", &[]);
    }

    /// One asm as a marker. `inputs` are words in scalar registers, in the order `$n` counts them after what the asm
    /// overwrites. With `holds` the code generator takes it for a load in order with others, which no load may pass on
    /// its way to a later block; to LLVM's other passes it is none.
    pub(crate) fn marker_asm(&self, text: &str, overwritten: &[Overwritten], inputs: &[Value], holds: bool) {
        let number = holds.then(|| self.word(0));
        let operands: Vec<Value> = inputs.iter().copied().chain(number).collect();
        let parameters = vec![self.word_type().into(); operands.len()];
        let results: Vec<BasicTypeEnum<'_>> =
            overwritten.iter().map(|register| self.result_type(*register).into()).collect();
        let function = match results[..] {
            [] => self.context.void_type().fn_type(&parameters, false),
            [result] => result.fn_type(&parameters, false),
            _ => self.context.struct_type(&results, false).fn_type(&parameters, false),
        };
        let constraints = overwritten
            .iter()
            .map(|register| register.constraint())
            .chain(inputs.iter().map(|_| "s"))
            .chain(number.map(|_| NUMBER))
            .collect::<Vec<_>>()
            .join(",");
        let call = self.asm(function, text, &constraints, &operands, "");
        self.mark_call(call, None);
        call.add_attribute(AttributeLoc::Function, self.no_memory);
    }

    /// Calls an asm with side effects. To LLVM it may touch all memory.
    fn asm<'w>(
        &'w self,
        function: FunctionType<'w>,
        text: &str,
        constraints: &str,
        inputs: &[Value],
        name: &str,
    ) -> CallSiteValue<'w> {
        let (text, operands) = (text.to_owned(), constraints.to_owned());
        let asm = self.context.create_inline_asm(function, text, operands, true, false, None, false);
        built(self.builder.build_indirect_call(function, asm, &arguments(inputs), name))
    }

    /// Tells LLVM that M0 holds nothing known from here on. That costs no instruction where LLVM optimizes, and is as
    /// good as a write of M0 to all of its passes.
    pub(crate) fn forget_m0(&self) {
        let (function, name) = *self.forget_m0.get_or_init(|| {
            let Some(function) = InkwellIntrinsic::find("llvm.write_register")
                .and_then(|intrinsic| intrinsic.get_declaration(&self.inner, &[self.word_type().into()]))
            else {
                panic!("this LLVM has no llvm.write_register")
            };
            let name = self.context.metadata_node(&[self.context.metadata_string("m0").into()]);
            (function, name)
        });
        let nothing = self.word_type().get_poison();
        let call = built(self.builder.build_call(function, &[name.into(), nothing.into()], ""));
        call.add_attribute(AttributeLoc::Function, self.no_memory);
    }

    fn result_type(&self, register: Overwritten) -> IntType<'_> {
        match register {
            // A third of what `i32` costs: the classes of 16-bit registers are the first that LLVM looks through.
            Overwritten::M0 => self.context.i16_type(),
            Overwritten::Scc => self.context.bool_type(),
            Overwritten::Vcc => self.context.i64_type(),
            Overwritten::Spare => self.word_type(),
        }
    }

    /// An asm of no text that may touch all memory.
    pub(crate) fn memory_clobber(&self) {
        let function = self.context.void_type().fn_type(&[], false);
        self.mark_call(self.asm(function, "", MEMORY_CLOBBER, &[], ""), None);
    }

    /// A word that LLVM cannot see through, in a scalar register.
    pub(crate) fn hidden(&self, word: Value) -> Value {
        self.through_asm(word, "=s,0", "sqtt.scope")
    }

    /// A word that passes an empty asm.
    fn through_asm(&self, word: Value, constraints: &str, name: &str) -> Value {
        let kind = self.word_type();
        let call = self.asm(kind.fn_type(&[kind.into()], false), "", constraints, &[word], name);
        call.add_attribute(AttributeLoc::Function, self.no_memory);
        Value(call.as_value_ref())
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

    /// A constant array of bytes in a section of its own, kept by the compiler, and by linkers that drop unused
    /// sections as long as the code it tells of is kept.
    pub(crate) fn section_bytes(&self, name: &str, section: &str, bytes: &[u8]) {
        changes::note();
        let value = self.context.const_string(bytes, false);
        let global = self.inner.add_global(value.get_type(), Some(AddressSpace::from(GLOBAL_MEMORY)), name);
        global.set_linkage(Linkage::Internal);
        global.set_constant(true);
        global.set_alignment(1);
        global.set_section(Some(section));
        global.set_initializer(&value);
        // SAFETY: live module and a global of it (module rule 1).
        unsafe { shim::sqtt_shim_append_used(self.module.raw(), global.as_value_ref()) };
        // Only a kernel will do: another function may be inlined and removed at a link, and a tie to nothing is invalid.
        if let Some(kernel) = self.module.first_kernel() {
            self.associate(Value(global.as_value_ref()), kernel);
        }
    }

    /// Ties a global's section to that of a function. `llvm.used` alone does not hold it: AMDGPU's ELF has no flag for
    /// sections to retain.
    fn associate(&self, global: Value, code: Function) {
        const KIND: &str = "associated";
        // SAFETY: live global and function of one module (module rule 1); the node is made in their context.
        unsafe {
            let context = LLVMGetModuleContext(self.module.raw());
            let Ok(length) = u32::try_from(KIND.len()) else { return };
            let kind = LLVMGetMDKindIDInContext(context, KIND.as_ptr().cast(), length);
            let mut fields = [LLVMValueAsMetadata(code.0)];
            LLVMGlobalSetMetadata(global.0, kind, LLVMMDNodeInContext2(context, fields.as_mut_ptr(), 1));
        }
    }
}

/// AMDGPU's global memory.
const GLOBAL_MEMORY: u16 = 1;

impl Module {
    /// A global variable by name.
    pub(crate) fn global(self, name: &str) -> Option<Value> {
        let name = std::ffi::CString::new(name).ok()?;
        // SAFETY: live module (module rule 1); the name ends in NUL.
        let global = unsafe { LLVMGetNamedGlobal(self.raw(), name.as_ptr()) };
        (!global.is_null()).then_some(Value(global))
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
