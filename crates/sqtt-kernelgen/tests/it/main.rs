//! Kernels compiled with and without the plugin, and run in the simulator.

mod addresses;
mod examples;
mod first_use;
mod header;
mod m0;
mod memory_findings;
mod pass;
mod patterns;
mod sim;
mod units;

use sqtt_kernelgen::toolchain::Build;
use sqtt_sim::{Launch, Options, Program, RunResult};
use std::fmt::Debug;

/// Compiles a source text.
fn compiled(text: &str, build: &Build) -> Vec<u8> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let object = build.compile_text(text, folder.path()).unwrap_or_else(|error| panic!("{error:#}"));
    object.unwrap_or_else(|error| panic!("{build:?}: {error}"))
}

/// Runs a kernel of an object in the simulator, which notes its accesses.
fn launched(object: &[u8], launch: &Launch, what: &dyn Debug) -> RunResult {
    let program = Program::load(object).unwrap_or_else(|error| panic!("{what:?}: {error}"));
    let options = Options::default().threads(1).accesses(true);
    sqtt_sim::run(&program, launch, &options).unwrap_or_else(|error| panic!("{what:?}: {error}"))
}

/// The factor by which more random kernels are asked for.
fn rounds() -> usize {
    std::env::var("FUZZ_ROUNDS").map_or(1, |rounds| rounds.parse().expect("a number"))
}
