#![doc = include_str!("../README.md")]
//! # How it is built
//!
//! - `raw`: the program's memory and functions, the one folder with `unsafe` blocks;
//! - `call`, `error`, `message`: the way of every call, HIP's errors, what the user is told;
//! - `runtime`: the state of the process, one lock;
//! - `code`: fat binaries, modules, launches; `memory`: allocations, copies, arrays; `work`: streams, events, graphs;
//!   `device`: properties and attributes;
//! - `profile`: what happened, as a rocpd database;
//! - `sim`: the only file that calls the simulator.
//!
//! Files named `…_api` have the functions that C calls.

mod call;
mod code;
mod device;
mod digest;
mod error;
mod error_api;
mod functions;
mod libraries;
mod memory;
mod message;
mod missing;
mod place;
mod profile;
mod raw;
mod rtc;
mod runtime;
mod services;
mod settings;
mod sim;
mod trace;
mod version;
mod work;

pub use functions::{Function, functions};
pub use libraries::{LIBRARY, LibraryError, VARIABLE, find, install, loader_variables, names};
pub use profile::{COUNTERS, Counter};
pub use settings::{Settings, SettingsError};
