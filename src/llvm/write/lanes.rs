//! Writing IR over the lanes of a wave: words of pointers and resources, reads of lanes, masks, loops.

use super::{Writer, built, int};
use crate::llvm::{Inst, Value, changes, shim};
use inkwell::IntPredicate;
use inkwell::intrinsics::Intrinsic as InkwellIntrinsic;
use inkwell::types::IntType;
use inkwell::values::{AsValueRef, IntValue, PointerValue, VectorValue};
use std::ffi::CStr;

/// A loop that is being written: a block that control enters with `round` at its first value.
#[derive(Clone, Copy)]
pub(crate) struct Loop {
    /// The value that changes from round to round.
    pub(crate) round: Value,
    /// The terminator, before which the body goes.
    pub(crate) end: Inst,
}

impl Inst {
    /// Splits the block here and puts a loop between.
    pub(crate) fn open_loop(self, first: Value, loop_name: &CStr, tail_name: &CStr) -> Loop {
        changes::note();
        let mut phi = std::ptr::null_mut();
        // SAFETY: live instruction and a value that dominates it (module rule 1); the names end in NUL.
        let end = unsafe {
            shim::sqtt_shim_open_loop(self.0, first.0, loop_name.as_ptr(), tail_name.as_ptr(), &raw mut phi)
        };
        Loop { round: Value(phi), end: Inst(end) }
    }
}

impl Loop {
    /// Goes round again with `next` while `again` holds. LLVM does not unroll it.
    pub(crate) fn close(self, next: Value, again: Value) {
        changes::note();
        // SAFETY: live handles (module rule 1); the terminator is not used afterwards (rule 2).
        unsafe { shim::sqtt_shim_close_loop(self.round.0, self.end.0, next.0, again.0) }
    }
}

impl Writer<'_> {
    /// The low and the high half of a pointer of 64 bits.
    pub(crate) fn pointer_words(&self, pointer: Value) -> [Value; 2] {
        let address = self.address(pointer, self.context.i64_type());
        [self.bits_from(address, 0), self.bits_from(address, 32)]
    }

    /// The low half of a pointer; a pointer of 32 bits whole.
    pub(crate) fn pointer_word(&self, pointer: Value) -> Value {
        if pointer.address_space() == Some(crate::llvm::address_space::LDS) {
            return Value(self.address(pointer, self.word_type()).as_value_ref());
        }
        self.bits_from(self.address(pointer, self.context.i64_type()), 0)
    }

    /// The four words of a buffer resource, `<4 x i32>` or `ptr addrspace(8)`.
    pub(crate) fn resource_words(&self, resource: Value) -> [Value; 4] {
        if resource.is_pointer() {
            let bits = self.address(resource, self.context.i128_type());
            return [0, 32, 64, 96].map(|shift| self.bits_from(bits, shift));
        }
        // SAFETY: live value (module rule 1); a resource that is no pointer is a vector of four words.
        let vector = unsafe { VectorValue::new(resource.0) };
        [0, 1, 2, 3].map(|index| {
            let index = self.word_type().const_int(index, false);
            Value(built(self.builder.build_extract_element(vector, index, "")).as_value_ref())
        })
    }

    fn address<'w>(&'w self, pointer: Value, kind: IntType<'w>) -> IntValue<'w> {
        // SAFETY: live value (module rule 1), a pointer by every caller's site.
        let pointer = unsafe { PointerValue::new(pointer.0) };
        built(self.builder.build_ptr_to_int(pointer, kind, ""))
    }

    /// 32 bits of an integer, from a bit on.
    fn bits_from(&self, value: IntValue<'_>, bit: u64) -> Value {
        let shifted = match bit {
            0 => value,
            bit => built(self.builder.build_right_shift(
                value,
                value.get_type().const_int(bit, false),
                false,
                "",
            )),
        };
        Value(built(self.builder.build_int_truncate(shifted, self.word_type(), "")).as_value_ref())
    }

    /// The word in a vector register, of which LLVM does not see that lanes agree about it. It takes a read of a lane
    /// away where lanes agree, also where the word is in a vector register: the asm that is to have it then gets that.
    pub(crate) fn in_vector(&self, word: Value) -> Value {
        if word.as_int().is_some() {
            return word;
        }
        self.through_asm(word, "=v,0", "")
    }

    /// `llvm.amdgcn.readlane`: the word of one lane, in a scalar register.
    pub(crate) fn read_lane(&self, word: Value, lane: Value) -> Value {
        if word.as_int().is_some() {
            return word;
        }
        Value(self.intrinsic("llvm.amdgcn.readlane", &[word, lane]).as_value_ref())
    }

    /// The active lanes in which all the words are equal to the other words, a bit each; as wide as the wave.
    pub(crate) fn lanes_alike(&self, words: &[Value], others: &[Value], lanes: u32) -> Value {
        let alike = words
            .iter()
            .zip(others)
            .filter(|(word, other)| word != other)
            .map(|(word, other)| {
                built(self.builder.build_int_compare(IntPredicate::EQ, int(*word), int(*other), ""))
            })
            .reduce(|all, equal| built(self.builder.build_and(all, equal, "")))
            .unwrap_or_else(|| self.context.bool_type().const_int(1, false));
        let Some(ballot) = InkwellIntrinsic::find("llvm.amdgcn.ballot")
            .and_then(|ballot| ballot.get_declaration(&self.inner, &[self.mask_type(lanes).into()]))
        else {
            panic!("this LLVM has no llvm.amdgcn.ballot");
        };
        Value(built(self.builder.build_call(ballot, &[alike.into()], "")).as_value_ref())
    }

    /// The active lanes, a bit each.
    pub(crate) fn active_lanes(&self, lanes: u32) -> Value {
        self.lanes_alike(&[], &[], lanes)
    }

    /// The number of the lowest bit that is set. There has to be one.
    pub(crate) fn lowest(&self, mask: Value) -> Value {
        let mask = int(mask);
        let Some(count) = InkwellIntrinsic::find("llvm.cttz")
            .and_then(|count| count.get_declaration(&self.inner, &[mask.get_type().into()]))
        else {
            panic!("this LLVM has no llvm.cttz");
        };
        let truth = self.context.bool_type().const_int(1, false);
        let call = built(self.builder.build_call(count, &[mask.into(), truth.into()], ""));
        let number = int(Value(call.as_value_ref()));
        match mask.get_type().get_bit_width() {
            64 => Value(built(self.builder.build_int_truncate(number, self.word_type(), "")).as_value_ref()),
            _ => Value(number.as_value_ref()),
        }
    }

    /// Bits of one mask that are not set in the other.
    pub(crate) fn without(&self, mask: Value, other: Value) -> Value {
        let kept = built(self.builder.build_not(int(other), ""));
        Value(built(self.builder.build_and(int(mask), kept, "")).as_value_ref())
    }

    /// The words of a mask, low and high.
    pub(crate) fn mask_words(&self, mask: Value) -> [Value; 2] {
        let mask = int(mask);
        match mask.get_type().get_bit_width() {
            64 => [self.bits_from(mask, 0), self.bits_from(mask, 32)],
            _ => [Value(mask.as_value_ref()), self.word(0)],
        }
    }

    /// True if a mask has a bit set.
    pub(crate) fn some(&self, mask: Value) -> Value {
        let mask = int(mask);
        let none = mask.get_type().const_zero();
        Value(built(self.builder.build_int_compare(IntPredicate::NE, mask, none, "")).as_value_ref())
    }

    /// The next number, and whether it is not yet `end`.
    pub(crate) fn count_up(&self, number: Value, end: u32) -> (Value, Value) {
        let next = built(self.builder.build_int_nuw_add(int(number), int(self.word(1)), ""));
        let more = built(self.builder.build_int_compare(IntPredicate::NE, next, int(self.word(end)), ""));
        (Value(next.as_value_ref()), Value(more.as_value_ref()))
    }

    fn mask_type(&self, lanes: u32) -> IntType<'_> {
        if lanes == 64 { self.context.i64_type() } else { self.word_type() }
    }
}
