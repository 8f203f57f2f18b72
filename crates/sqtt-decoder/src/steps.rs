//! Steps of loops whose length is the input's to decide, counted: tests that they are linear ask for no clock.

#[cfg(feature = "generate")]
use std::cell::Cell;

#[cfg(feature = "generate")]
thread_local! {
    static STEPS: Cell<u64> = const { Cell::new(0) };
}

/// Steps of this thread so far.
#[cfg(feature = "generate")]
#[must_use]
pub fn steps() -> u64 {
    STEPS.get()
}

/// Counts a step.
#[inline]
pub(crate) fn step() {
    #[cfg(feature = "generate")]
    STEPS.set(STEPS.get() + 1);
}
