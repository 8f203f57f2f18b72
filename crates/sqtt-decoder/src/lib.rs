//! Reads code objects and SQTT traces: funcmaps, marker streams, analyses.
//!
//! Neither ROCm nor LLVM is needed, and no input is ever changed.
//!
//! - [`codeobj`]: code objects, bare or inside of host programs, and the funcmaps in them;
//! - [`export`]: what was read, as text for people and as JSON.
//!
//! The names in a program, in the table that `sqtt funcmap` prints:
//!
//! ```no_run
//! use sqtt_decoder::codeobj::Binary;
//! use sqtt_decoder::export::{FuncmapOptions, write_funcmap_text};
//!
//! let binary = Binary::open("my_app")?;
//! let contents = binary.contents();
//! for code_object in &contents.code_objects {
//!     let named = code_object.funcmap()?;
//!     write_funcmap_text(&mut std::io::stdout(), &named, FuncmapOptions::default())?;
//! }
//! for error in &contents.errors {
//!     eprintln!("{error}");
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![deny(unsafe_code)]

pub mod check;
pub mod codeobj;
pub mod export;
#[cfg(feature = "generate")]
pub mod generate;
pub mod names;
pub mod payload;
pub mod stats;
pub mod stream;
pub mod trace;

mod clock;
mod filter;
mod json;
mod ledger;
mod parallel;

pub use clock::Corrections;
pub use filter::{Filter, NotNumbers, Numbers};
pub use json::{JsonError, JsonReason};
pub use ledger::{Ledger, LossKind, Tally};
pub use parallel::default_threads;
pub use trace::Record;
