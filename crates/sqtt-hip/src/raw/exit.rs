//! The end of the process.

use std::ffi::c_void;
use std::sync::atomic::{AtomicUsize, Ordering};

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

/// Devices whose kernel could not go on, and that were not reset.
static FAULTED: AtomicUsize = AtomicUsize::new(0);

/// Says how many devices are of no use.
pub(crate) fn set_faulted(devices: usize) {
    FAULTED.store(devices, Ordering::Relaxed);
}

unsafe extern "C" {
    fn on_exit(function: extern "C" fn(i32, *mut c_void), argument: *mut c_void) -> i32;
    fn fflush(file: *mut c_void) -> i32;
    fn _exit(status: i32) -> !;
}

/// Ends the process with an error where it would end without one, though a kernel faulted: a GPU's runtime aborts it.
extern "C" fn end(status: i32, _: *mut c_void) {
    if status == 0 && FAULTED.load(Ordering::Relaxed) > 0 {
        let _ = std::panic::catch_unwind(|| {
            crate::message::say("the program ended as if all was well, and a kernel faulted: exit status 1");
        });
        // SAFETY: null stands for all of C's files; this is the last handler, as the library is loaded before all else.
        unsafe {
            fflush(std::ptr::null_mut());
            _exit(1);
        }
    }
}

extern "C" fn loaded() {
    // SAFETY: `end` does not unwind, and lives as long as this library, which is never unloaded.
    unsafe {
        on_exit(end, std::ptr::null_mut());
    }
}

/// The loader calls this first, so that `end` is called last.
// SAFETY: the section holds addresses of functions that take nothing they need.
#[used]
#[unsafe(link_section = ".init_array")]
static AT_LOAD: extern "C" fn() = loaded;
