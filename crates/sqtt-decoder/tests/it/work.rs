//! The growth of work with the input, in CPU time of this thread: other work on the machine is not in it.

use nix::time::{ClockId, clock_gettime};
use std::time::Duration;

/// Runs `work` on inputs of a quarter of a size and of the whole. Linear work takes 4 times as long on the whole,
/// quadratic work 16 times: more than 8 is a failure.
pub(crate) fn assert_linear<T>(what: &str, size: u32, mut work: impl FnMut(u32) -> T) -> T {
    let mut measured = |size: u32| {
        let now = || Duration::from(clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).unwrap());
        let start = now();
        let made = work(size);
        (now() - start, made)
    };
    let (mut quarter, _) = measured(size / 4);
    let (mut whole, mut made) = measured(size);
    // A cache that another program took makes work slower, and nothing makes it faster than it is.
    for _ in 0..4 {
        if whole <= quarter * 8 {
            return made;
        }
        quarter = quarter.min(measured(size / 4).0);
        let again = measured(size);
        whole = whole.min(again.0);
        made = again.1;
    }
    panic!("{what}: {quarter:?} for {} and {whole:?} for {size}", size / 4);
}
