//! Words of values, of tables, and of the header's numeric markers.

use super::{Writer, built, inst, int};
use crate::calls::{TRACE, TRACE_IMMEDIATE};
use crate::llvm::{Inst, Offset, Parameter, Value};
use inkwell::AddressSpace;
use inkwell::module::Linkage;
use inkwell::values::{AsValueRef as _, FloatValue, IntValue, PointerValue};
use sqtt_format::Marker;

/// AMDGPU's constants.
const CONSTANT_MEMORY: u16 = 4;

impl Writer<'_> {
    /// The intrinsic that a numeric marker of the header stands for: of a word through M0, or of the immediate exit.
    pub(crate) fn number_intrinsic(&self, word: Option<Value>) -> Inst {
        let call = match word {
            Some(word) => inst(self.intrinsic(TRACE, &[word])),
            None => {
                let exit = self.context.i16_type().const_int(u64::from(Marker::EXIT_FLAG), false);
                inst(self.intrinsic(TRACE_IMMEDIATE, &[Value(exit.as_value_ref())]))
            }
        };
        call.mark();
        call
    }

    /// Bitwise or with a constant.
    pub(crate) fn or(&self, left: Value, right: u32) -> Value {
        Value(built(self.builder.build_or(int(left), int(self.word(right)), "")).as_value_ref())
    }

    /// The words of a value, the low one first: an integer, a pointer, or the bits of a floating-point number, of one
    /// of 16 bits those of the `float` that it is.
    pub(crate) fn value_words(&self, value: Value, kind: Parameter) -> Vec<Value> {
        let (word, wide) = (self.word_type(), self.context.i64_type());
        // SAFETY: live values (module rule 1) of the type that the parameter says.
        let (float, pointer) = unsafe { (FloatValue::new(value.0), PointerValue::new(value.0)) };
        let bits = match kind {
            Parameter::Integer(_) => int(value),
            Parameter::Half | Parameter::BFloat => {
                let float = built(self.builder.build_float_ext(float, self.context.f32_type(), ""));
                built(self.builder.build_bit_cast(float, word, "")).into_int_value()
            }
            Parameter::Float => built(self.builder.build_bit_cast(float, word, "")).into_int_value(),
            Parameter::Double => built(self.builder.build_bit_cast(float, wide, "")).into_int_value(),
            Parameter::Pointer(_) => {
                let bits = if kind.bits() > 32 { wide } else { word };
                built(self.builder.build_ptr_to_int(pointer, bits, ""))
            }
        };
        if kind.bits() <= 32 {
            return vec![Value(bits.as_value_ref())];
        }
        let high = built(self.builder.build_right_shift(bits, wide.const_int(32, false), false, ""));
        [bits, high]
            .map(|half| Value(built(self.builder.build_int_truncate(half, word, "")).as_value_ref()))
            .to_vec()
    }

    /// A sum of bytes in units of `unit`, of which all of its parts are multiples.
    pub(crate) fn scaled_sum(&self, bytes: &Offset, unit: i64) -> Value {
        let wide = self.context.i64_type();
        let constant = |bytes: i64| wide.const_int((bytes / unit).cast_unsigned(), true);
        let mut sum = constant(bytes.constant);
        for (value, scale) in &bytes.terms {
            let value = built(self.builder.build_int_cast_sign_flag(int(*value), wide, true, ""));
            let term = built(self.builder.build_int_mul(value, constant(*scale), ""));
            sum = built(self.builder.build_int_add(sum, term, ""));
        }
        Value(sum.as_value_ref())
    }

    /// A word of a constant table of words.
    pub(crate) fn table_word(&self, words: &[Value], index: Value) -> Value {
        let words: Vec<IntValue<'_>> = words.iter().map(|word| int(*word)).collect();
        let word = self.context.i32_type();
        let kind = word.array_type(u32::try_from(words.len()).unwrap_or(u32::MAX));
        let table = self.inner.add_global(kind, Some(AddressSpace::from(CONSTANT_MEMORY)), "sqtt.words");
        table.set_linkage(Linkage::Private);
        table.set_constant(true);
        table.set_unnamed_addr(true);
        table.set_alignment(4);
        table.set_initializer(&word.const_array(&words));
        let zero = self.context.i64_type().const_zero();
        // SAFETY: the index is in bounds where that of the program's own table is.
        let entry =
            unsafe { built(self.builder.build_gep(kind, table.as_pointer_value(), &[zero, int(index)], "")) };
        Value(built(self.builder.build_load(word, entry, "sqtt.word")).as_value_ref())
    }
}
