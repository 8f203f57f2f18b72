//! Speed of reading raw traces for what markers need.
//!
//! The decoder's example `bench_raw` writes and reads them. Instructions are those of a large file less those of a
//! small one, so that start-up and tables fall out.

use super::callgrind;
use crate::setup;
use crate::shell::{self, announce, say};
use crate::workspace::{cargo, remove, target_dir, work_dir};
use anyhow::{Context as _, Result, ensure};
use std::path::{Path, PathBuf};
use std::process::Command;

const GENERATIONS: [&str; 4] = ["gfx9", "gfx10", "gfx11", "gfx12"];

/// Contents of the files, by the name that the example has for it, and the instructions a byte that are aimed at.
const MIXES: [(&str, &str, f64); 3] = [
    ("instructions", "a SIMD traced in full", 12.0),
    ("markers", "markers alone", 13.0),
    ("zeros", "a buffer mostly empty", 1.0),
];

/// Runs, whose shortest time counts.
const RUNS: usize = 5;

/// Megabytes of a file.
const SIZE: u32 = 64;

/// Files that are read in parallel.
const FILES: u32 = 8;

/// Kilobytes of the files that callgrind sees.
const COUNTED: [u32; 2] = [500, 4500];

/// Runs the measurement.
pub(super) fn run() -> Result<()> {
    announce("packages");
    setup::install(&["bench"])?;
    announce("building the example bench_raw of the decoder, optimized");
    shell::run(cargo()?.args(["build", "--release", "--package", "sqtt-decoder", "--example", "bench_raw"]))?;
    let work = work_dir("bench/raw")?;
    let cores = std::thread::available_parallelism().context("the number of cores is unknown")?.get();
    announce(&format!(
        "one file of {SIZE} MB on one thread, {FILES} files on one and on {cores}; best of {RUNS}; callgrind with one"
    ));
    say(&format!(
        "{:<8}{:<24}{:>14}{:>18}{:>18}{:>20}",
        "", "what is in it", "MB/s, 1 file", "MB/s, all files", "on all cores", "instructions a byte"
    ));
    let mut missed = Vec::new();
    for generation in GENERATIONS {
        for (mix, about, aim) in MIXES {
            let one = make(&work, generation, mix, 1, SIZE * 1000)?;
            let alone = rate(&one, 1)?;
            remove(&one)?;
            let many = make(&work, generation, mix, FILES, SIZE * 1000 / 4)?;
            let (serial, parallel) = (rate(&many, 1)?, rate(&many, cores)?);
            remove(&many)?;
            let instructions = instructions(&work, generation, mix)?;
            say(&format!(
                "{generation:<8}{about:<24}{alone:>14.0}{serial:>18.0}{parallel:>18.0}{instructions:>20.2}"
            ));
            if instructions > aim {
                missed
                    .push(format!("{generation}, {about}: {instructions:.2} instructions a byte, not {aim}"));
            }
        }
    }
    ensure!(missed.is_empty(), "aims missed: {}", missed.join("; "));
    let aims = MIXES.map(|(_, about, aim)| format!("{aim} for {about}"));
    say(&format!("instructions a byte are below what is aimed at: {}", aims.join(", ")));
    Ok(())
}

fn example() -> Result<Command> {
    Ok(Command::new(target_dir()?.join("release/examples/bench_raw")))
}

/// Writes raw files of so many kilobytes each into a folder.
fn make(work: &Path, generation: &str, mix: &str, files: u32, kilobytes: u32) -> Result<PathBuf> {
    let folder = work.join(format!("{generation}-{mix}-{files}-{kilobytes}"));
    let mut make = example()?;
    make.arg("make").arg(&folder).args(["--generation", generation, "--mix", mix]);
    make.args(["--files", &files.to_string(), "--kilobytes", &kilobytes.to_string()]);
    shell::capture(&mut make)?;
    Ok(folder)
}

fn read(folder: &Path, threads: usize) -> Result<Command> {
    let mut read = example()?;
    read.arg("read").arg(folder).args(["--threads", &threads.to_string()]);
    Ok(read)
}

/// Megabytes a second.
fn rate(folder: &Path, threads: usize) -> Result<f64> {
    let mut best = 0.0_f64;
    for _ in 0..RUNS {
        let said = shell::capture(&mut read(folder, threads)?)?;
        let mut numbers = said.split_whitespace().map(str::parse::<f64>);
        let (Some(Ok(seconds)), Some(Ok(bytes))) = (numbers.next(), numbers.next()) else {
            anyhow::bail!("bench_raw said {said:?}");
        };
        best = best.max(bytes / seconds / 1e6);
    }
    Ok(best)
}

/// Instructions a byte.
fn instructions(work: &Path, generation: &str, mix: &str) -> Result<f64> {
    let [small, large] = COUNTED;
    let folders = [make(work, generation, mix, 1, small)?, make(work, generation, mix, 1, large)?];
    let more = callgrind::difference([read(&folders[0], 1)?, read(&folders[1], 1)?], work)?;
    folders.iter().try_for_each(|folder| remove(folder))?;
    Ok(more as f64 / (f64::from(large - small) * 1000.0))
}
