//! The growth of work with the input, in counted steps of the loops that the input decides.

use sqtt_decoder::generate::steps;

/// Runs `work` on inputs of a quarter of a size and of the whole. Linear work takes 4 times the steps on the whole,
/// quadratic work 16 times: more than 5 is a failure, and so is work of which no step is counted.
pub(crate) fn assert_linear<T>(what: &str, size: u32, mut work: impl FnMut(u32) -> T) -> T {
    let mut counted = |size: u32| {
        let start = steps();
        let made = work(size);
        (steps() - start, made)
    };
    let ((quarter, _), (whole, made)) = (counted(size / 4), counted(size));
    assert!(
        whole >= u64::from(size / 8) && whole <= 5 * quarter,
        "{what}: {quarter} steps for {} and {whole} for {size}",
        size / 4
    );
    made
}
