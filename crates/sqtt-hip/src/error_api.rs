//! Functions that tell about errors.

use std::ffi::CStr;

use crate::call::{self, api};
use crate::error::{Code, texts};
use crate::raw::{Forever, Out};

/// The text of an error.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn hipGetErrorString(code: i32) -> Forever {
    Forever::of(texts(code).1)
}

/// The name of an error.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn hipGetErrorName(code: i32) -> Forever {
    Forever::of(texts(code).0)
}

/// The last error of the thread, which is forgotten.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn hipGetLastError() -> i32 {
    call::take_last_error()
}

/// The last error of the thread, which is forgotten.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn hipExtGetLastError() -> i32 {
    call::take_last_error()
}

/// The last error of the thread.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn hipPeekAtLastError() -> i32 {
    call::last_error()
}

/// The name of a call's number: numbers of calls are the profiler's.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn hipApiName(_id: u32) -> Forever {
    Forever::of(c"unknown")
}

fn known(code: i32, text: &'static CStr, out: Out<Forever>) -> crate::error::Status {
    if code != 0 && code != Code::UNKNOWN.0 && texts(code).0 == c"hipErrorUnknown" {
        out.set_if_there(Forever::NULL);
        return Err(Code::INVALID_VALUE);
    }
    out.set(Forever::of(text))
}

api! {
    /// Gives the text of an error.
    fn hipDrvGetErrorString(code: i32, out: Out<Forever>) {
        known(code, texts(code).1, out)
    }

    /// Gives the name of an error.
    fn hipDrvGetErrorName(code: i32, out: Out<Forever>) {
        known(code, texts(code).0, out)
    }
}
