//! How fast the simulator is.
//!
//! A launch is run in two sizes. What both have in common (start, disassembly, reading) falls out of the difference.

use super::{Launch, callgrind, device_compile, execute, prepare};
use crate::shell::{announce, say};
use crate::workspace::work_dir;
use anyhow::{Context as _, Result, ensure};
use std::path::PathBuf;
use std::process::Command;
use std::time::Instant;

/// The times of a size are taken this often; the shortest counts: nothing makes a program faster than it is.
const RUNS: usize = 5;

const TARGETS: [&str; 2] = ["gfx90a", "gfx1100"];

/// Each kernel small and large.
const SIZES: [[Launch; 2]; 2] = [[tiles("2,2"), tiles("16,16")], [collatz("8"), collatz("512")]];

const fn tiles(grid: &'static str) -> Launch {
    let args = &["buf:f32:iota:65536", "buf:f32:iota:65536", "buf:f32:65536", "u32:256"];
    Launch { example: "tiles", kernel: "multiply_tiles", grid, block: "16,16", args }
}

const fn collatz(grid: &'static str) -> Launch {
    let args = &["buf:u32:iota:131072", "buf:u32:131072", "u32:131072"];
    Launch { example: "divergent", kernel: "collatz", grid, block: "256", args }
}

/// Runs the measurement.
pub(super) fn run() -> Result<()> {
    prepare()?;
    let work = work_dir("bench/sim")?;
    let cores = std::thread::available_parallelism().context("the number of cores is unknown")?;
    announce(&format!(
        "examples without markers in the simulator: time of one thread, then of {cores}, best of {RUNS}; callgrind \
         with one thread"
    ));
    say(&format!(
        "{:<12}{:<10}{:>20}{:>16}{:>18}{:>20}",
        "example", "target", "wave-instructions", "M/s one core", "M/s all cores", "instructions each"
    ));
    for [small, large] in &SIZES {
        for target in TARGETS {
            let code_object = work.join(format!("{}.co", small.example));
            let source = PathBuf::from(format!("examples/{}.hip", small.example));
            let mut clang = device_compile(&source, target, &code_object)?;
            crate::shell::capture(clang.args(["-I", "include"]))?;
            let simulated = execute(&mut large.sim(&code_object)?)?
                .instructions
                .checked_sub(execute(&mut small.sim(&code_object)?)?.instructions)
                .filter(|count| *count > 0)
                .context("the large launch does not execute more than the small one")?;
            let command = |launch: &Launch, threads: &str| -> Result<Command> {
                let mut sim = launch.sim(&code_object)?;
                sim.args(["--threads", threads]);
                Ok(sim)
            };
            let rate = |threads: &str| -> Result<f64> {
                let seconds =
                    shortest(&mut command(large, threads)?)? - shortest(&mut command(small, threads)?)?;
                ensure!(seconds > 0.0, "the large launch takes no longer than the small one");
                Ok(simulated as f64 / seconds / 1e6)
            };
            let (one, all) = (rate("1")?, rate("0")?);
            let counts = callgrind::instructions(
                &[("small", command(small, "1")?), ("large", command(large, "1")?)],
                &work,
            )?;
            let [few, many] = counts.as_slice() else { anyhow::bail!("callgrind gave no two counts") };
            say(&format!(
                "{:<12}{target:<10}{simulated:>20}{one:>16.2}{all:>18.2}{:>20.1}",
                small.example,
                many.saturating_sub(*few) as f64 / simulated as f64
            ));
        }
    }
    Ok(())
}

/// The shortest time of a few runs, in seconds.
fn shortest(command: &mut Command) -> Result<f64> {
    let mut best = f64::INFINITY;
    for _ in 0..RUNS {
        let start = Instant::now();
        crate::shell::capture(command)?;
        best = best.min(start.elapsed().as_secs_f64());
    }
    Ok(best)
}
