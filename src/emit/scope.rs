//! The scope filter's value: all ones in a wave that records, zero in the others, once per function.
//!
//! Per filtered field the entry block reads the field, shifts the mask right by it and spreads bit 0. The value then
//! passes an empty asm, so that LLVM does not see what it is: equal compares of a visible value are commoned and live
//! on as lane masks in vector registers. Each site compares it with a constant of its own, which leaves nothing to
//! common: true for all ones, false for zero, two scalar instructions.

use crate::config::ScopeMasks;
use crate::llvm::write::Writer;
use crate::llvm::{Function, Value};
use crate::target::Target;

/// The filter in one function. A value of one function is of no use in another: the cache is made per function and
/// dropped with it.
pub(crate) struct ScopeCache {
    value: Option<Value>,
    compares: u32,
}

impl ScopeCache {
    /// Writes the filter's value into the function's entry; nothing when every wave records.
    pub(crate) fn new(writer: &Writer<'_>, function: Function, target: Target, masks: ScopeMasks) -> Self {
        let slots = target.slots;
        let fields = [
            (slots.wave, masks.wave, ScopeMasks::WAVE_BITS),
            (slots.simd, masks.simd, ScopeMasks::SIMD_BITS),
            (slots.cu, masks.cu, ScopeMasks::CU_BITS),
            (slots.wg, masks.wg, ScopeMasks::WG_BITS),
        ];
        let filtered: Vec<_> = fields.into_iter().filter(|(_, mask, all)| mask != all).collect();
        if filtered.is_empty() {
            return Self { value: None, compares: 0 };
        }
        writer.before(function.hoist_static_allocas());
        let value = filtered
            .into_iter()
            .map(|(field, mask, _)| writer.spread_bit(mask, writer.getreg(field.getreg_operand())))
            .reduce(|left, right| writer.and(left, right))
            .map(|value| writer.hidden(value));
        Self { value, compares: 0 }
    }

    /// The value, for asm that compares it itself; `None`: every wave records.
    pub(super) fn value(&self) -> Option<Value> {
        self.value
    }

    /// A condition for one site, written at the writer's position.
    pub(super) fn condition(&mut self, writer: &Writer<'_>) -> Option<Value> {
        let value = self.value?;
        // Any bound below all ones would do; a bound of one's own is what matters.
        self.compares = (self.compares + 1) % (u32::MAX - 1);
        Some(writer.above(value, self.compares))
    }
}
