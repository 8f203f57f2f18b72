//! The program's memory: all that is unsafe in this crate stands in this folder.
//!
//! HIP's functions take pointers. Here they are types that only C makes ([`Out`], [`In`], [`Text`]) or numbers
//! (device pointers and the two sides of a copy). HIP's documentation demands what makes their use sound: pointers
//! are null or valid for the call, texts end with NUL, arrays have the length that comes with them. A program that
//! passes another pointer fails as it would on a GPU.

pub(crate) mod arena;
pub(crate) mod callback;
pub(crate) mod exit;
mod plain;
pub(crate) mod span;
pub(crate) mod stdio;
pub(crate) mod symbol;
pub(crate) mod visible;

use std::ffi::{CStr, c_char};

pub(crate) use plain::zeroed;

use crate::error::{Code, Status};

/// A place for a result, or null. It may be uninitialised.
#[derive(Debug)]
#[repr(transparent)]
pub(crate) struct Out<T>(*mut T);

impl<T> Clone for Out<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Out<T> {}

impl<T: Copy> Out<T> {
    /// This place for a value of another type, where an argument says which it is.
    pub(crate) fn at<U>(other: Out<U>) -> Out<T> {
        Out(other.0.cast())
    }

    pub(crate) fn is_null(self) -> bool {
        self.0.is_null()
    }

    /// Stores a value; null is an error.
    pub(crate) fn set(self, value: T) -> Status {
        self.put(0, value)
    }

    /// Stores a value if there is a place for it.
    pub(crate) fn set_if_there(self, value: T) {
        let _ = self.put(0, value);
    }

    /// Stores an element of an array.
    pub(crate) fn put(self, index: usize, value: T) -> Status {
        if self.0.is_null() {
            return Err(Code::INVALID_VALUE);
        }
        // SAFETY: not null; HIP demands that results have a place, arrays one per element.
        unsafe { self.0.add(index).write_unaligned(value) };
        Ok(())
    }

    /// Reads what the place holds, of functions whose argument goes both ways.
    pub(crate) fn get(self) -> Result<T, Code> {
        if self.0.is_null() {
            return Err(Code::INVALID_VALUE);
        }
        // SAFETY: not null, and HIP demands an initialised value where it says that it reads.
        Ok(unsafe { self.0.read_unaligned() })
    }
}

impl Out<c_char> {
    /// Stores a text with its NUL, cut to `room` bytes.
    pub(crate) fn set_text(self, text: &str, room: usize) -> Status {
        let length = text.len().min(room.checked_sub(1).ok_or(Code::INVALID_VALUE)?);
        for (index, &byte) in text.as_bytes().iter().take(length).enumerate() {
            self.put(index, byte.cast_signed())?;
        }
        self.put(length, 0)
    }
}

/// A value, or an array of values, of the caller's; or null.
#[derive(Debug)]
#[repr(transparent)]
pub(crate) struct In<T>(*const T);

impl<T> Clone for In<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for In<T> {}

impl<T: Copy> In<T> {
    pub(crate) fn is_null(self) -> bool {
        self.0.is_null()
    }

    /// A pointer that was kept as a number.
    pub(crate) fn at_address(address: usize) -> In<T> {
        In(address as *const T)
    }

    pub(crate) fn get(self) -> Result<T, Code> {
        self.at(0)
    }

    /// This place with a value of another type, where the program's version says which it is.
    pub(crate) fn cast<U>(other: In<U>) -> In<T> {
        In(other.0.cast())
    }

    /// An element of an array.
    pub(crate) fn at(self, index: usize) -> Result<T, Code> {
        if self.0.is_null() {
            return Err(Code::INVALID_VALUE);
        }
        // SAFETY: not null, and HIP demands a valid value or array.
        Ok(unsafe { self.0.add(index).read_unaligned() })
    }

    /// The first elements of an array. Null stands for an empty one.
    pub(crate) fn list(self, count: usize) -> Result<Vec<T>, Code> {
        (0..count).map(|index| self.at(index)).collect()
    }
}

/// A text of the caller's, or null.
#[derive(Debug, Clone, Copy)]
#[repr(transparent)]
pub(crate) struct Text(*const c_char);

impl Text {
    /// The text; bytes that are not UTF-8 are replaced.
    pub(crate) fn get(self) -> Result<String, Code> {
        if self.0.is_null() {
            return Err(Code::INVALID_VALUE);
        }
        // SAFETY: not null, and HIP demands a NUL-terminated text.
        Ok(unsafe { CStr::from_ptr(self.0) }.to_string_lossy().into_owned())
    }
}

/// A text that lives as long as the process, for C.
#[derive(Debug, Clone, Copy)]
#[repr(transparent)]
pub(crate) struct Forever(pub(crate) *const c_char);

impl Forever {
    pub(crate) fn of(text: &'static CStr) -> Forever {
        Forever(text.as_ptr())
    }

    pub(crate) const NULL: Forever = Forever(std::ptr::null());
}
