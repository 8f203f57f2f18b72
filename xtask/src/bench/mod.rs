//! Measurements. Each prints a table and says what was measured.
//!
//! - [`compile`]: what the plugin costs a compile; on the module that [`generated`] writes.
//! - [`markers`]: what markers cost a kernel; [`measured`] makes a page of the documentation of it.
//! - [`real`]: what function markers add to the compile of real kernels.
//! - [`raw`]: how fast raw traces are read.
//! - [`sim`]: how fast the simulator is.
//! - The decoder and rocpd bring their own, as examples.

mod callgrind;
mod compile;
mod generated;
mod markers;
mod measured;
mod raw;
mod real;
mod sim;
mod times;

use crate::setup;
use crate::shell::{self, announce};
use crate::workspace::{build_release, cargo, sqtt};
use anyhow::{Context as _, Result};
use std::path::Path;
use std::process::Command;

type Bench = fn() -> Result<()>;

/// Each with its name, and a line for the list.
pub(crate) const BENCHES: &[(&str, &str, Bench)] = &[
    (
        "compile",
        "What the plugin adds to a compile: time, and instructions that the compiler executes",
        compile::run,
    ),
    (
        "functions",
        "What function markers add to the compile of real kernels: time, and for each record",
        real::run,
    ),
    (
        "isa",
        "What markers add to the examples: executed and static instructions, registers; writes docs/measured.md",
        markers::run,
    ),
    ("sim", "How fast the simulator is: wave-instructions a second, and instructions for each", sim::run),
    ("decode", "Reading traces against JSON parsers that only parse: user time, and memory a record", || {
        example("sqtt-decoder", "bench_decode", &[])
    }),
    (
        "raw",
        "Reading raw traces: bytes a second and core, instructions a byte, many files in parallel",
        raw::run,
    ),
    ("rocpd", "Writing, merging and exporting 10 million counter rows against plain SQL", || {
        example("rocpd", "rocpd_bench", &["10000000"])
    }),
];

/// Runs what was asked for.
pub(crate) fn run(what: &str) -> Result<()> {
    let (.., bench) = BENCHES.iter().find(|(name, ..)| *name == what).context("nothing has that name")?;
    bench()
}

/// Runs a measurement that is an example of its crate; it says itself what it measures and which goals it has.
fn example(package: &str, name: &str, arguments: &[&str]) -> Result<()> {
    announce(&format!("{name}, optimized"));
    let mut cargo = cargo()?;
    cargo.args(["run", "--release", "--package", package, "--example", name, "--"]).args(arguments);
    shell::run(&mut cargo)
}

/// Installs what is needed, builds the plugin and `sqtt`, optimized.
fn prepare() -> Result<()> {
    announce("packages");
    setup::install(&["device", "bench"])?;
    build_release()
}

/// `sqtt sim` on a launch: what one would type behind the file's name.
fn sim(code_object: &Path, launch: &str) -> Result<Command> {
    let mut sqtt = sqtt()?;
    sqtt.arg("sim").arg(code_object).args(launch.split_whitespace());
    Ok(sqtt)
}

/// Output of `sqtt sim --json`, as far as it is looked at.
#[derive(Debug, serde::Deserialize)]
struct Executed {
    instructions: u64,
    waves: Vec<WaveMarkers>,
    buffers: Vec<Buffer>,
}

#[derive(Debug, serde::Deserialize)]
struct WaveMarkers {
    /// Place of each record's write, and its word.
    markers: Vec<(u64, u32)>,
}

#[derive(Debug, PartialEq, Eq, serde::Deserialize)]
struct Buffer {
    arg: usize,
    words: Vec<u32>,
}

/// Runs `sqtt sim` and reads what it prints.
fn execute(sim: &mut Command) -> Result<Executed> {
    Ok(serde_json::from_str(&shell::capture(sim.arg("--json"))?)?)
}
