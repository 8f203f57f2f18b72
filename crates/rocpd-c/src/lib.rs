//! C interface of the `rocpd` crate. `include/rocpd.h` is the documentation; this is its other side.
//!
//! - `raw`: everything that touches the caller's memory, with the reasons why that is sound;
//! - `error`: status codes, error objects, and the guard that no panic passes;
//! - `structs`: the C structs and what they become;
//! - `writer`, `counters`, `files`: the functions.

mod counters;
mod error;
mod files;
mod raw;
mod structs;
mod writer;
