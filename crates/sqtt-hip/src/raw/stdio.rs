//! C's formats and output: what kernels print stands between what the program prints.

use std::ffi::{CString, c_char, c_int, c_longlong, c_void};

unsafe extern "C" {
    static stdout: *mut c_void;
    static stderr: *mut c_void;
    fn fwrite(bytes: *const c_void, size: usize, count: usize, file: *mut c_void) -> usize;
    fn snprintf(out: *mut c_char, room: usize, format: *const c_char, ...) -> c_int;
}

/// Prints bytes to the program's `stdout` or `stderr`.
pub(crate) fn print(bytes: &[u8], to_stderr: bool) {
    // SAFETY: the streams are C's own, which live to the end of the process; the bytes are a slice.
    unsafe {
        let file = if to_stderr { stderr } else { stdout };
        fwrite(bytes.as_ptr().cast(), 1, bytes.len(), file);
    }
}

/// An argument of a conversion.
#[derive(Debug)]
pub(crate) enum Value {
    Integer(i64),
    Float(f64),
    Pointer(usize),
    Text(Vec<u8>),
}

/// A value as C's `printf` writes it. The specification is one conversion, of that kind of value, without `*`.
pub(crate) fn formatted(specification: &[u8], value: &Value) -> Vec<u8> {
    let Ok(specification) = CString::new(specification) else { return Vec::new() };
    let text = match value {
        Value::Text(text) => CString::new(text.clone()).unwrap_or_default(),
        _ => CString::default(),
    };
    let format = specification.as_ptr();
    let call = |out: *mut c_char, room: usize| {
        // SAFETY: the conversion is one, of the kind of the one argument: the caller's table pairs them. `out` has
        // `room` bytes; texts end with NUL.
        unsafe {
            match value {
                Value::Integer(value) => snprintf(out, room, format, *value as c_longlong),
                Value::Float(value) => snprintf(out, room, format, *value),
                Value::Pointer(value) => snprintf(out, room, format, *value as *const c_void),
                Value::Text(_) => snprintf(out, room, format, text.as_ptr()),
            }
        }
    };
    // A width that a kernel asks for bounds nothing: more than this is cut.
    let length = usize::try_from(call(std::ptr::null_mut(), 0)).unwrap_or(0).min(1 << 20);
    let mut out = vec![0u8; length + 1];
    call(out.as_mut_ptr().cast(), out.len());
    out.truncate(length);
    out
}
