//! The scope filter in one function: what the entry block keeps of the hardware's slots, and how a site asks it.
//!
//! Asm asks a bit (`s_bitcmp1_b32`). For one filtered field that is the bit of the mask that the field selects, so the
//! entry does nothing but read the field. For several the entry shifts each mask right by its field and puts them
//! together: bit 0 of the word is the answer.
//!
//! A branch of the program compares a word of all ones or zero, which the entry spreads from bit 0. The word passes an
//! empty asm, so that LLVM does not see what it is: equal compares of a visible value are commoned and live on as lane
//! masks in vector registers. Each site compares it with a constant of its own, which leaves nothing to common: true
//! for all ones, false for zero, two scalar instructions.

use crate::config::ScopeMasks;
use crate::llvm::write::Writer;
use crate::llvm::{Function, Value};
use crate::target::Target;

/// The test by which an asm tells the waves that record from the others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Test {
    /// The bit of the mask that the field selects.
    Bit { mask: u32, field: Value },
    /// Bit 0 of the word.
    Word(Value),
}

/// The filter in one function. A value of one function is of no use in another: the cache is made per function and
/// dropped with it.
pub(crate) struct ScopeCache {
    filter: Option<Filter>,
}

enum Filter {
    /// A test for asm alone.
    Asm(Test),
    /// A word of all ones or zero, for branches and asm, and how many branches compare it.
    Spread { word: Value, compares: u32 },
}

impl ScopeCache {
    /// Writes the filter's value into the function's entry; nothing when every wave records. `branches` says whether
    /// branches will ask, too.
    pub(crate) fn new(
        writer: &Writer<'_>,
        function: Function,
        target: Target,
        masks: ScopeMasks,
        branches: bool,
    ) -> Self {
        let slots = target.slots;
        let fields = [
            (slots.wave, masks.wave, ScopeMasks::WAVE_BITS),
            (slots.simd, masks.simd, ScopeMasks::SIMD_BITS),
            (slots.cu, masks.cu, ScopeMasks::CU_BITS),
            (slots.wg, masks.wg, ScopeMasks::WG_BITS),
        ];
        let filtered: Vec<_> = fields.into_iter().filter(|(_, mask, all)| mask != all).collect();
        if filtered.is_empty() {
            return Self { filter: None };
        }
        writer.before(function.hoist_static_allocas());
        let filter = match filtered[..] {
            [(field, mask, _)] if !branches => {
                Filter::Asm(Test::Bit { mask, field: writer.getreg(field.getreg_operand()) })
            }
            _ => {
                let bits = |(field, mask, _): &(crate::target::Field, u32, u32)| {
                    let bits = writer.shifted(*mask, writer.getreg(field.getreg_operand()));
                    if branches { writer.spread_lowest(bits) } else { bits }
                };
                let word = filtered.iter().map(bits).reduce(|left, right| writer.and(left, right));
                let Some(word) = word.map(|word| writer.hidden(word)) else { return Self { filter: None } };
                if branches { Filter::Spread { word, compares: 0 } } else { Filter::Asm(Test::Word(word)) }
            }
        };
        // LLVM takes what has side effects for a write of memory, and a loop's loads for overwritten, unless one of
        // its hints comes after.
        writer.wave_barrier();
        Self { filter: Some(filter) }
    }

    /// The test for an asm that leads waves past itself; `None`: every wave records.
    pub(super) fn test(&self) -> Option<Test> {
        match self.filter.as_ref()? {
            Filter::Asm(test) => Some(*test),
            Filter::Spread { word, .. } => Some(Test::Word(*word)),
        }
    }

    /// A condition for one site's branch, written at the writer's position; `None`: every wave records.
    pub(super) fn condition(&mut self, writer: &Writer<'_>) -> Option<Value> {
        match self.filter.as_mut()? {
            Filter::Spread { word, compares } => {
                // Any bound below all ones would do; a bound of one's own is what matters.
                *compares = (*compares + 1) % (u32::MAX - 1);
                Some(writer.above(*word, *compares))
            }
            Filter::Asm(_) => panic!("a branch in a function whose filter is for asm alone"),
        }
    }
}
