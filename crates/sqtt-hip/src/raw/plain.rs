//! Structures of C's that are valid with every byte zero.

use crate::device::properties::{Properties5, Properties6};

/// A type of numbers and arrays of numbers alone.
///
/// # Safety
/// All bytes zero are a value of the type.
pub(crate) unsafe trait Plain: Copy {}

// SAFETY: numbers, and arrays of numbers.
unsafe impl Plain for Properties5 {}
// SAFETY: as above.
unsafe impl Plain for Properties6 {}

/// The value with all bytes zero.
pub(crate) fn zeroed<T: Plain>() -> T {
    // SAFETY: the trait's condition.
    unsafe { std::mem::zeroed() }
}
