//! Tests on real SQLite files, in one program.
#![expect(clippy::unwrap_used, reason = "a helper that fails fails its test")]

mod check;
mod counters;
mod docs;
mod export;
mod export_layout;
mod fuzz;
mod import;
mod merge;
mod merge_kill;
mod merge_property;
mod support;
mod writer;
