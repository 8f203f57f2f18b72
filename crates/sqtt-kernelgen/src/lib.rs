//! Random HIP kernels whose results and marker streams are known, and the fuzzers that use them.
//!
//! - [`ast`] is what a kernel is made of, [`generate`] makes one from a seed, [`print`] writes it as HIP;
//! - [`interp`] runs it on the host: what its buffers hold afterwards, and what every wave has to trace;
//! - [`toolchain`] compiles it, [`setting`] configures the plugin, [`trace`] names what the simulator recorded, [`events`] compares;
//! - [`addresses`] holds address blocks against the accesses that were made, [`memory`] memory markers, [`loads`] counts
//!   scalar loads, [`silent`] compares what is loaded where no marker is left, [`host`] the host's half;
//! - [`check`] judges one kernel, [`fuzz`] many, [`shrink`] makes those that fail smaller.

#![forbid(unsafe_code)]

pub mod addresses;
pub mod ast;
pub mod check;
pub mod events;
pub mod fuzz;
pub mod generate;
pub mod host;
pub mod interp;
pub mod loads;
pub mod memory;
mod payloads;
pub mod print;
pub mod rng;
pub mod setting;
pub mod shrink;
pub mod silent;
pub mod toolchain;
pub mod trace;
