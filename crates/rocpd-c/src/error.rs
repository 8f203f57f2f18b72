//! Status codes, error objects, and the guard around every function.

use std::ffi::{CString, c_char};
use std::io::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};

use rocpd_lib::{Error, OutputError, StorageOptions};

use crate::raw::{self, Out};

/// `rocpd_status`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(i32)]
pub(crate) enum Status {
    /// Everything is well.
    Ok = 0,
    /// A value is not allowed.
    InvalidArgument = 1,
    /// A row refers to something unregistered.
    NotRegistered = 2,
    /// A key is registered with other values.
    Conflict = 3,
    /// The file exists.
    Exists = 4,
    /// The system or SQLite failed.
    Io = 5,
    /// Not a usable rocpd database.
    NotRocpd = 6,
    /// Another process holds a lock.
    Locked = 7,
    /// More than one answer.
    Ambiguous = 8,
    /// The target has values that merging would add to.
    Refused = 9,
    /// No value finds its place.
    NothingMatched = 10,
    /// A CSV file or a folder is not as expected.
    Format = 11,
    /// The handle is finished, or useless after an error.
    Useless = 12,
    /// A defect of the library.
    Internal = 13,
}

/// The failure of a call.
#[derive(Debug)]
pub(crate) struct Failure {
    status: Status,
    message: String,
}

impl Failure {
    pub(crate) fn new(status: Status, message: impl Into<String>) -> Self {
        Self { status, message: message.into() }
    }

    pub(crate) fn null(what: &str) -> Self {
        Self::new(Status::InvalidArgument, format!("{what} is NULL"))
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let status = match &error {
            Error::Invalid { .. } => Status::InvalidArgument,
            Error::Unregistered { .. } => Status::NotRegistered,
            Error::Conflict { .. } => Status::Conflict,
            Error::Exists { .. } => Status::Exists,
            Error::Empty { .. }
            | Error::NotSqlite { .. }
            | Error::Corrupt { .. }
            | Error::Schema { .. }
            | Error::SchemaVersion { .. }
            | Error::Unfinished { .. } => Status::NotRocpd,
            Error::Locked { .. } => Status::Locked,
            Error::Ambiguous { .. } => Status::Ambiguous,
            Error::UnknownOrigin { .. }
            | Error::Ledger { .. }
            | Error::Output(OutputError::IsInput { .. } | OutputError::IsDatabase { .. }) => Status::Refused,
            Error::NothingMatched { .. } => Status::NothingMatched,
            Error::Csv { .. } | Error::Layout { .. } => Status::Format,
            Error::Poisoned { .. } => Status::Useless,
            _ => Status::Io,
        };
        let causes = std::iter::successors(Some(&error as &dyn std::error::Error), |error| error.source());
        let texts: Vec<String> = causes.map(ToString::to_string).collect();
        Self::new(status, texts.join(": "))
    }
}

/// `rocpd_error`.
#[derive(Debug)]
pub(crate) struct RocpdError {
    status: Status,
    message: CString,
}

/// The last parameter of most functions.
pub(crate) type ErrorOut<'a> = Out<'a, Option<Box<RocpdError>>>;

/// Runs a function's body: failures become a status and an error object, panics too.
pub(crate) fn guard(error: ErrorOut<'_>, body: impl FnOnce() -> Result<(), Failure>) -> Status {
    // A body that panics leaves nothing half done behind: handles give up their contents for a call's time.
    let failure = match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(())) => {
            raw::store(error, None);
            return Status::Ok;
        }
        Ok(Err(failure)) => failure,
        Err(panic) => {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("unknown");
            Failure::new(Status::Internal, format!("a defect in librocpd: {text}"))
        }
    };
    let Failure { status, message } = failure;
    raw::store(error, Some(Box::new(RocpdError { status, message: raw::c_text(&message) })));
    status
}

/// Options of databases that report on stderr when their handle is freed before they are finished: C has no value that
/// must be used.
pub(crate) fn storage_options() -> StorageOptions {
    StorageOptions::default().on_unfinished(|file| {
        let (path, partial) = (file.path.display(), file.partial.display());
        let _ = writeln!(
            std::io::stderr(),
            "rocpd: {path}: the writer was dropped without finish(); {} rows are left in {partial}, which is not a finished \
             database",
            file.rows
        );
    })
}

/// The status of an error object.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn rocpd_error_status(error: Option<&RocpdError>) -> Status {
    error.map_or(Status::Ok, |error| error.status)
}

/// The text of an error object.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn rocpd_error_message(error: Option<&RocpdError>) -> *const c_char {
    error.map_or(c"".as_ptr(), |error| error.message.as_ptr())
}

/// Frees an error object.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn rocpd_error_free(error: Option<Box<RocpdError>>) {
    drop(error);
}

/// Frees a text that the library gave.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn rocpd_text_free(text: *mut c_char) {
    if !text.is_null() {
        // SAFETY: not null; the header demands that the library gave it, by `CString::into_raw`, and once.
        drop(unsafe { CString::from_raw(text) });
    }
}

/// The library's version.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn rocpd_version() -> *const c_char {
    const VERSION: &std::ffi::CStr =
        match std::ffi::CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
            Ok(version) => version,
            Err(_) => c"",
        };
    VERSION.as_ptr()
}

#[cfg(test)]
mod tests {
    use std::mem::MaybeUninit;

    use super::*;

    #[test]
    fn a_panic_becomes_a_status_with_its_text() {
        let mut error = MaybeUninit::uninit();
        let status = guard(Some(&mut error), || panic!("seven of {}", 9));
        assert_eq!(status, Status::Internal);
        // SAFETY: `guard` stores an error or none in every call.
        let object = unsafe { error.assume_init() };
        assert_eq!(rocpd_error_status(object.as_deref()), Status::Internal);
        // SAFETY: the message of an error object is a NUL-terminated text that lives as long as the object.
        let text = unsafe { std::ffi::CStr::from_ptr(rocpd_error_message(object.as_deref())) };
        assert_eq!(text.to_str(), Ok("a defect in librocpd: seven of 9"));
        rocpd_error_free(object);
        assert_eq!(guard(None, || Err(Failure::null("x"))), Status::InvalidArgument);
        let mut error = MaybeUninit::uninit();
        assert_eq!(guard(Some(&mut error), || Ok(())), Status::Ok);
        // SAFETY: as above.
        assert!(unsafe { error.assume_init() }.is_none());
        rocpd_error_free(None);
    }
}
