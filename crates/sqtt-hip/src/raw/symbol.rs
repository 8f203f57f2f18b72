//! Addresses of this library's functions by their names.

use std::ffi::{CString, c_char, c_void};

unsafe extern "C" {
    fn dlsym(library: *mut c_void, name: *const c_char) -> *mut c_void;
}

/// The address of a function that programs find by this name, or none.
pub(crate) fn address(name: &str) -> Option<usize> {
    let name = CString::new(name).ok()?;
    // SAFETY: null stands for all libraries in their order, of which this one is the first with its names; the name
    // ends with NUL.
    let found = unsafe { dlsym(std::ptr::null_mut(), name.as_ptr()) };
    (!found.is_null()).then_some(found as usize)
}
