//! Tests on real SQLite files, in one program.
#![expect(clippy::unwrap_used, reason = "a helper that fails fails its test")]

mod counters;
mod merge;
mod support;
mod writer;
