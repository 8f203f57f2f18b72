//! The caller's memory, as types that only the caller makes: the functions of this library take references, boxes and
//! texts where C passes pointers. The header demands what makes that sound: pointers are null or valid for the call,
//! texts end with NUL, arrays have the length that comes with them, a handle is used by one thread at a time and given
//! back once.

use std::ffi::{CStr, CString, OsStr, c_char};
use std::mem::MaybeUninit;
use std::os::unix::ffi::OsStrExt as _;
use std::path::PathBuf;
use std::ptr::NonNull;

use crate::error::Failure;

/// The value of an unknown number.
pub(crate) const NONE: i64 = i64::MIN;

/// An optional number.
pub(crate) fn number(value: i64) -> Option<i64> {
    (value != NONE).then_some(value)
}

/// A text of the caller's, or NULL. Nothing in Rust makes one: the member is private.
#[derive(Debug, Clone, Copy)]
#[repr(transparent)]
pub(crate) struct Text(Option<NonNull<c_char>>);

impl Text {
    fn c_str(&self) -> Option<&CStr> {
        // SAFETY: the header demands a NUL-terminated text that is valid for the call, and a `Text` lives no longer.
        self.0.map(|text| unsafe { CStr::from_ptr(text.as_ptr()) })
    }

    pub(crate) fn is_null(&self) -> bool {
        self.0.is_none()
    }

    /// The text, where there is one. Bytes that are not UTF-8 are replaced: a name in the wrong encoding must not
    /// lose a profile.
    pub(crate) fn get(&self) -> Option<String> {
        Some(self.c_str()?.to_string_lossy().into_owned())
    }

    /// The text, which must be there.
    pub(crate) fn required(&self, what: &'static str) -> Result<String, Failure> {
        given(self.get(), what)
    }

    /// The path, which must be there, in the system's own bytes.
    pub(crate) fn path(&self, what: &'static str) -> Result<PathBuf, Failure> {
        given(self.c_str(), what).map(|text| PathBuf::from(OsStr::from_bytes(text.to_bytes())))
    }
}

/// Refuses NULL.
pub(crate) fn given<T>(pointer: Option<T>, what: &'static str) -> Result<T, Failure> {
    pointer.ok_or_else(|| Failure::null(what))
}

/// An array of the caller's.
///
/// # Safety
/// `pointer` is null, or `count` valid elements start there that do not change for the call.
pub(crate) unsafe fn slice<'a, T>(
    pointer: *const T,
    count: usize,
    what: &'static str,
) -> Result<&'a [T], Failure> {
    if count == 0 {
        return Ok(&[]);
    }
    if pointer.is_null() {
        return Err(Failure::null(what));
    }
    // SAFETY: not null, and the caller vouches for the elements.
    Ok(unsafe { std::slice::from_raw_parts(pointer, count) })
}

/// A place for a result, or NULL. It may be uninitialised.
pub(crate) type Out<'a, T> = Option<&'a mut MaybeUninit<T>>;

/// Stores a value where the caller wants it, if it does.
pub(crate) fn store<T>(out: Out<'_, T>, value: T) {
    if let Some(place) = out {
        place.write(value);
    }
}

/// A text for the caller; inner NULs, which C cannot show, end it.
pub(crate) fn c_text(text: &str) -> CString {
    let bytes: Vec<u8> = text.bytes().take_while(|byte| *byte != 0).collect();
    CString::new(bytes).unwrap_or_default()
}
