//! Speed of the simulator.
//!
//! A launch is run in two sizes. What both have in common (start, disassembly, reading) falls out of the difference.

use super::{callgrind, execute, prepare, sim};
use crate::shell::{self, announce, say};
use crate::workspace::{device_compile, work_dir};
use anyhow::{Context as _, Result, ensure};
use std::path::Path;
use std::process::Command;
use std::time::Instant;

/// The times of a size are taken this often; the shortest counts: nothing makes a program faster than it is.
const RUNS: usize = 5;

const TARGETS: [&str; 2] = ["gfx90a", "gfx1100"];

/// Each example with its launch but for the grid, and a small and a large grid.
const LAUNCHES: [(&str, &str, [&str; 2]); 2] = [
    (
        "tiles",
        "--kernel multiply_tiles --block 16,16 --arg buf:f32:iota:65536 --arg buf:f32:iota:65536 \
         --arg buf:f32:65536 --arg u32:256 --grid",
        ["2,2", "16,16"],
    ),
    (
        "divergent",
        "--kernel collatz --block 256 --arg buf:u32:iota:131072 --arg buf:u32:131072 --arg u32:131072 --grid",
        ["8", "512"],
    ),
];

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
    for (example, launch, [small, large]) in LAUNCHES {
        for target in TARGETS {
            let code_object = work.join(format!("{example}.co"));
            let source = format!("examples/{example}.hip");
            shell::capture(&mut device_compile(Path::new(&source), target, &code_object)?)?;
            let command = |grid: &str, threads: &str| -> Result<Command> {
                let mut sim = sim(&code_object, &format!("{launch} {grid}"))?;
                sim.args(["--threads", threads]);
                Ok(sim)
            };
            let executed = |grid| Ok::<_, anyhow::Error>(execute(&mut command(grid, "0")?)?.instructions);
            let simulated = executed(large)?.saturating_sub(executed(small)?);
            ensure!(simulated > 0, "the large launch does not execute more than the small one");
            let rate = |threads: &str| -> Result<f64> {
                let seconds =
                    shortest(&mut command(large, threads)?)? - shortest(&mut command(small, threads)?)?;
                ensure!(seconds > 0.0, "the large launch takes no longer than the small one");
                Ok(simulated as f64 / seconds / 1e6)
            };
            let (one, all) = (rate("1")?, rate("0")?);
            let more = callgrind::difference([command(small, "1")?, command(large, "1")?], &work)?;
            let each = more as f64 / simulated as f64;
            say(&format!("{example:<12}{target:<10}{simulated:>20}{one:>16.2}{all:>18.2}{each:>20.1}"));
        }
    }
    Ok(())
}

/// The shortest time of a few runs, in seconds.
fn shortest(command: &mut Command) -> Result<f64> {
    let mut best = f64::INFINITY;
    for _ in 0..RUNS {
        let start = Instant::now();
        shell::capture(command)?;
        best = best.min(start.elapsed().as_secs_f64());
    }
    Ok(best)
}
