//! The caller's memory. Every function here trusts what the header demands of the caller, and nothing else:
//! pointers are null or valid for the call, texts end with NUL, arrays have the length that comes with them.

use std::ffi::{CStr, CString, OsStr, c_char};
use std::os::unix::ffi::OsStrExt as _;
use std::path::PathBuf;

use crate::error::Failure;

/// What stands for "unknown" in optional numbers.
pub(crate) const NONE: i64 = i64::MIN;

/// An optional number.
pub(crate) fn number(value: i64) -> Option<i64> {
    (value != NONE).then_some(value)
}

/// An optional text. Bytes that are not UTF-8 are replaced: a name in the wrong encoding must not lose a
/// profile.
pub(crate) fn text(pointer: *const c_char) -> Option<String> {
    if pointer.is_null() {
        return None;
    }
    // SAFETY: the header demands a NUL-terminated text that is valid for the call.
    let text = unsafe { CStr::from_ptr(pointer) };
    Some(text.to_string_lossy().into_owned())
}

/// A text that must be there.
pub(crate) fn required(pointer: *const c_char, what: &'static str) -> Result<String, Failure> {
    text(pointer).ok_or_else(|| Failure::null(what))
}

/// A path that must be there, in the system's own bytes.
pub(crate) fn path(pointer: *const c_char, what: &'static str) -> Result<PathBuf, Failure> {
    if pointer.is_null() {
        return Err(Failure::null(what));
    }
    // SAFETY: as in `text`.
    let bytes = unsafe { CStr::from_ptr(pointer) }.to_bytes();
    Ok(PathBuf::from(OsStr::from_bytes(bytes)))
}

/// A struct of the caller's.
pub(crate) fn read<'a, T>(pointer: *const T, what: &'static str) -> Result<&'a T, Failure> {
    // SAFETY: the header demands null or a struct that is valid, aligned and unchanged for the call; no
    // reference outlives the call, because all conversions copy.
    unsafe { pointer.as_ref() }.ok_or_else(|| Failure::null(what))
}

/// An array of the caller's.
pub(crate) fn slice<'a, T>(pointer: *const T, count: usize, what: &'static str) -> Result<&'a [T], Failure> {
    if count == 0 {
        return Ok(&[]);
    }
    if pointer.is_null() {
        return Err(Failure::null(what));
    }
    // SAFETY: not null; the header demands `count` valid elements, unchanged for the call.
    Ok(unsafe { std::slice::from_raw_parts(pointer, count) })
}

/// A handle of ours.
pub(crate) fn handle<'a, T>(pointer: *mut T, what: &'static str) -> Result<&'a mut T, Failure> {
    // SAFETY: the header demands null or a handle that `give` made and `take` has not taken back, used by one
    // thread at a time: so it is valid and nothing else refers to it.
    unsafe { pointer.as_mut() }.ok_or_else(|| Failure::null(what))
}

/// Stores a value where the caller wants it, if it does.
pub(crate) fn store<T>(pointer: *mut T, value: T) {
    if !pointer.is_null() {
        // SAFETY: not null; the header demands that it is valid for writing. `write` drops no old value: the
        // place may be uninitialised.
        unsafe { pointer.write(value) };
    }
}

/// Makes an object the caller's.
pub(crate) fn give<T>(object: T) -> *mut T {
    Box::into_raw(Box::new(object))
}

/// Takes an object back from the caller.
pub(crate) fn take<T>(pointer: *mut T) -> Option<Box<T>> {
    if pointer.is_null() {
        return None;
    }
    // SAFETY: not null; the header demands that it came from `give` and is given back once.
    Some(unsafe { Box::from_raw(pointer) })
}

/// A text for the caller; inner NULs, which C cannot show, end it.
pub(crate) fn c_text(text: &str) -> CString {
    let bytes: Vec<u8> = text.bytes().take_while(|byte| *byte != 0).collect();
    CString::new(bytes).unwrap_or_default()
}

/// Makes a text the caller's, to be freed with `rocpd_text_free`.
pub(crate) fn give_text(text: &str) -> *mut c_char {
    c_text(text).into_raw()
}

/// Takes a text back.
pub(crate) fn take_text(pointer: *mut c_char) {
    if !pointer.is_null() {
        // SAFETY: not null; the header demands that it came from `give_text` and is given back once.
        drop(unsafe { CString::from_raw(pointer) });
    }
}
