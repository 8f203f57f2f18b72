//! Functions of the program's that this library calls.

use std::ffi::c_void;

/// `hipHostFn_t`, `hipUserObject`'s destructor: a function with its argument.
#[derive(Debug, Clone, Copy)]
#[repr(transparent)]
pub(crate) struct HostFunction(Option<unsafe extern "C" fn(*mut c_void)>);

impl HostFunction {
    pub(crate) fn is_null(self) -> bool {
        self.0.is_none()
    }

    pub(crate) fn call(self, argument: usize) {
        if let Some(function) = self.0 {
            // SAFETY: the program passed this function and this argument for this call.
            unsafe { function(argument as *mut c_void) };
        }
    }
}

/// `hipStreamCallback_t`.
#[derive(Debug, Clone, Copy)]
#[repr(transparent)]
pub(crate) struct StreamCallback(Option<unsafe extern "C" fn(*mut c_void, i32, *mut c_void)>);

impl StreamCallback {
    pub(crate) fn is_null(self) -> bool {
        self.0.is_none()
    }

    pub(crate) fn call(self, stream: usize, status: i32, argument: usize) {
        if let Some(function) = self.0 {
            // SAFETY: the program passed this function and this argument for this call.
            unsafe { function(stream as *mut c_void, status, argument as *mut c_void) };
        }
    }
}
