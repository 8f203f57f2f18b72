//! For tests, benchmarks and fuzzing alone: rocpd databases of any size, and damage to them.

#![forbid(unsafe_code)]

pub mod fuzz;
mod sample;

pub use sample::{Sample, consolidate};

/// Quotes an identifier for SQL.
fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}
