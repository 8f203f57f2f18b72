//! Measurements. Each is a program of the crate that it measures; it says itself what it measures and which goals it
//! has.

use crate::setup;
use crate::shell::{self, announce};
use crate::workspace::{build_release, cargo};
use anyhow::{Context as _, Result};

/// Each with its name, a line for the list, and what cargo runs.
pub(crate) const BENCHES: &[(&str, &str, &str)] = &[
    (
        "compile",
        "What the plugin adds to a compile: time, and instructions that the compiler executes",
        "bench -p sqtt-kernelgen --bench cost -- compile",
    ),
    (
        "functions",
        "What function markers add to the compile of real kernels: time, and for each record",
        "bench -p sqtt-kernelgen --bench cost -- functions",
    ),
    (
        "isa",
        "What markers add to the examples: executed and static instructions, registers; writes docs/measured.md",
        "bench -p sqtt-kernelgen --bench cost -- isa",
    ),
    (
        "sim",
        "How fast the simulator is: wave-instructions a second, and instructions for each",
        "run --release -p sqtt-sim --example bench_sim",
    ),
    (
        "decode",
        "Reading traces against JSON parsers that only parse: user time, and memory a record",
        "run --release -p sqtt-decoder --example bench_decode",
    ),
    (
        "raw",
        "Reading raw traces: bytes a second and core, instructions a byte, many files in parallel",
        "run --release -p sqtt-decoder --example bench_raw",
    ),
    (
        "rocpd",
        "Writing, merging and exporting 10 million counter rows against plain SQL",
        "run --release -p rocpd --example rocpd_bench -- 10000000",
    ),
];

/// Runs what was asked for.
pub(crate) fn run(what: &str) -> Result<()> {
    let (.., arguments) = BENCHES.iter().find(|(name, ..)| *name == what).context("nothing has that name")?;
    // These two measure with nothing but Rust.
    if !matches!(what, "decode" | "rocpd") {
        announce("packages");
        setup::install(&["device", "bench"])?;
    }
    if arguments.starts_with("bench") {
        build_release()?;
    }
    announce(&format!("{what}, optimized"));
    shell::run(cargo()?.args(arguments.split(' ')))
}
