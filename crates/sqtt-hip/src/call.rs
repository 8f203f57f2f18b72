//! The way of every call through the C boundary: no panic passes, the last error of the thread is kept.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::error::{Code, Status};
use crate::message;
use crate::profile;

thread_local! {
    static LAST: Cell<i32> = const { Cell::new(0) };
}

/// Runs a function's body.
pub(crate) fn guard(name: &'static str, body: impl FnOnce() -> Status) -> i32 {
    let code = number(name, body);
    if code != 0 {
        LAST.set(code);
    }
    code
}

/// Runs a function's body without a note in the last error.
pub(crate) fn number(name: &'static str, body: impl FnOnce() -> Status) -> i32 {
    let _call = profile::call(name);
    match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(())) => 0,
        Ok(Err(Code(code))) => code,
        Err(panic) => {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("unknown");
            message::say(&format!("{name}: a defect of the simulated runtime: {text}"));
            Code::UNKNOWN.0
        }
    }
}

/// The last error of the thread.
pub(crate) fn last_error() -> i32 {
    LAST.get()
}

/// Forgets the last error of the thread, and returns it.
pub(crate) fn take_last_error() -> i32 {
    LAST.replace(0)
}

/// Functions that C calls: a body that gives a [`Status`], and more names for the same function.
macro_rules! api {
    ($($(#[$meta:meta])* fn $name:ident $(| $other:ident)* ($($arg:ident: $type:ty),* $(,)?) $body:block)*) => {$(
        $(#[$meta])*
        #[unsafe(no_mangle)]
        pub(crate) extern "C" fn $name($($arg: $type),*) -> i32 {
            $crate::call::guard(stringify!($name), move || -> $crate::error::Status { $body })
        }
        $crate::call::names! { ($($arg: $type),*) $name $($other)* }
    )*};
}

/// More names for a function.
macro_rules! names {
    ($args:tt $name:ident) => {};
    ($args:tt $name:ident $first:ident $($rest:ident)*) => {
        $crate::call::one_name! { $args $name $first }
        $crate::call::names! { $args $name $($rest)* }
    };
}

/// One more name for a function.
macro_rules! one_name {
    (($($arg:ident: $type:ty),*) $name:ident $other:ident) => {
        #[unsafe(no_mangle)]
        pub(crate) extern "C" fn $other($($arg: $type),*) -> i32 {
            $name($($arg),*)
        }
    };
}

pub(crate) use {api, names, one_name};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_are_the_last_error_until_asked_for() {
        assert_eq!(guard("f", || Err(Code::NOT_FOUND)), 500);
        assert_eq!(guard("f", || Ok(())), 0);
        assert_eq!((last_error(), take_last_error(), take_last_error()), (500, 500, 0));
        assert_eq!(guard("f", || panic!("seven")), 999);
    }
}
