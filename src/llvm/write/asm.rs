//! Writing inline asm, and what else LLVM has to be told of registers.

use super::{Writer, arguments, built, inst};
use crate::llvm::Value;
use inkwell::attributes::AttributeLoc;
use inkwell::intrinsics::Intrinsic as InkwellIntrinsic;
use inkwell::types::{BasicType as _, BasicTypeEnum, FunctionType, IntType};
use inkwell::values::{AsValueRef as _, CallSiteValue};

/// An asm with this may touch all memory.
const MEMORY_CLOBBER: &str = "~{memory}";

/// A number. To LLVM's code generators an asm with such an operand may load, which holds loads as a clobber of memory
/// does. But a clobber is looked for among the names of all registers, at each asm. (AMDGPU's own `I` would do for
/// SelectionDAG; GlobalISel does not know it.)
const NUMBER: &str = "i";

/// A register that an asm overwrites. It is an output whose value has no use: LLVM rejects a clobber of M0,
/// which is reserved, and looks for the register of a clobber among all names that it knows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Overwritten {
    /// The operand of `s_ttracedata`.
    M0,
    /// The condition that scalar compares and arithmetic write.
    Scc,
    /// A 64-bit register whose two halves have names.
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
        inst(call).mark();
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
        inst(self.asm(function, "", MEMORY_CLOBBER, &[], "")).mark();
    }

    /// A word that LLVM cannot see through, in a scalar register.
    pub(crate) fn hidden(&self, word: Value) -> Value {
        self.through_asm(word, "=s,0", "sqtt.scope")
    }

    /// A word that passes an empty asm.
    pub(super) fn through_asm(&self, word: Value, constraints: &str, name: &str) -> Value {
        let kind = self.word_type();
        let call = self.asm(kind.fn_type(&[kind.into()], false), "", constraints, &[word], name);
        call.add_attribute(AttributeLoc::Function, self.no_memory);
        Value(call.as_value_ref())
    }
}
