//! The end of the process.

unsafe extern "C" {
    fn atexit(function: extern "C" fn()) -> i32;
}

static WORK: std::sync::OnceLock<fn()> = std::sync::OnceLock::new();

extern "C" fn run() {
    let work = WORK.get().copied();
    // A panic must not pass into C.
    let _ = std::panic::catch_unwind(|| work.into_iter().for_each(|work| work()));
}

/// Calls a function when the process ends by itself: after the handlers that come later. The first call counts.
pub(crate) fn at_exit(work: fn()) {
    if WORK.set(work).is_ok() {
        // SAFETY: `run` is a function without arguments that does not unwind; it lives as long as this library, which
        // no program unloads while it uses HIP.
        unsafe {
            atexit(run);
        }
    }
}
