//! `hiprtc`: programs that compile kernels, by the clang that is installed.

pub(crate) mod api;
mod compile;
mod names;
mod tools;

use std::ffi::CString;

/// Bytes with the names that expressions got.
#[derive(Debug, Default)]
struct Compiled {
    code: Vec<u8>,
    /// In the order of the expressions.
    names: Vec<CString>,
}

/// A program to be compiled.
#[derive(Debug, Default)]
struct Program {
    source: String,
    name: String,
    /// Names, as they are included, and contents.
    headers: Vec<(String, String)>,
    expressions: Vec<String>,
    log: String,
    compiled: Option<Compiled>,
}
