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

use crate::listed::{Listed, choose};
use crate::shell::announce;
use crate::workspace::{cargo, root, target_dir, without_settings};
use crate::{isa, packages, plugin, setup, shell};
use anyhow::Result;
use std::path::Path;
use std::process::Command;

type Bench = fn() -> Result<()>;

const BENCHES: &[Listed<Bench>] = &[
    Listed {
        name: "compile",
        about: "what the plugin adds to a compile: time, and instructions that the compiler executes",
        run: compile::run,
    },
    Listed {
        name: "functions",
        about: "what function markers add to the compile of real kernels: time, and for each record",
        run: real::run,
    },
    Listed {
        name: "isa",
        about: "what markers add to the examples: executed and static instructions, registers; writes docs/measured.md",
        run: markers::run,
    },
    Listed {
        name: "sim",
        about: "how fast the simulator is: wave-instructions a second, and instructions for each",
        run: sim::run,
    },
    Listed {
        name: "decode",
        about: "reading traces against JSON parsers that only parse: user time, and memory a record",
        run: || example("sqtt-decoder", "bench_decode", &[]),
    },
    Listed {
        name: "raw",
        about: "reading raw traces: bytes a second and core, instructions a byte, many files in parallel",
        run: raw::run,
    },
    Listed {
        name: "rocpd",
        about: "writing, merging and exporting 10 million counter rows against plain SQL",
        run: || example("rocpd", "rocpd_bench", &["10000000"]),
    },
];

/// Runs what was asked for.
pub(crate) fn run(what: Option<&str>) -> Result<()> {
    match choose("bench", BENCHES, what)? {
        Some(bench) => (bench.run)(),
        None => Ok(()),
    }
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
    setup::install(&[packages::DEVICE, packages::BENCH])?;
    announce("building the plugin (LLVM 22) and sqtt");
    shell::run(plugin::build_release()?.args(["--package", "sqtt-cli"]))
}

/// clang for the device half of a program, without ROCm.
fn device_compile(source: &Path, target: &str, out: &Path) -> Result<Command> {
    let mut clang = isa::llvm("clang");
    without_settings(&mut clang);
    clang
        .current_dir(root()?)
        .args(["-x", "hip", "--cuda-device-only", "--no-gpu-bundle-output", "-nogpuinc", "-nogpulib", "-O2"])
        .arg("-DWITHOUT_HIP_RUNTIME")
        .arg(format!("--offload-arch={target}"))
        .arg(source)
        .arg("-o")
        .arg(out);
    Ok(clang)
}

/// A kernel and how it is run.
struct Launch {
    /// The name of the file in `examples/`.
    example: &'static str,
    kernel: &'static str,
    grid: &'static str,
    block: &'static str,
    args: &'static [&'static str],
}

impl Launch {
    /// `sqtt sim` on this launch.
    fn sim(&self, code_object: &Path) -> Result<Command> {
        let mut sqtt = Command::new(target_dir()?.join("release/sqtt"));
        sqtt.arg("sim").arg(code_object).args([
            "--kernel",
            self.kernel,
            "--grid",
            self.grid,
            "--block",
            self.block,
        ]);
        for arg in self.args {
            sqtt.args(["--arg", arg]);
        }
        Ok(sqtt)
    }
}

/// What `sqtt sim --json` prints, as far as it is looked at.
#[derive(Debug, serde::Deserialize)]
struct Executed {
    instructions: u64,
    waves: Vec<WaveMarkers>,
    buffers: Vec<Buffer>,
}

#[derive(Debug, serde::Deserialize)]
struct WaveMarkers {
    /// Where each record was written, and its word.
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
