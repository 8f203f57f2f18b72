//! Measurements. Each prints a table and says what was measured.

use crate::isa::{self, llvm};
use crate::listed::{Listed, choose};
use crate::shell::{self, announce, say};
use crate::workspace::{root, without_settings, work_dir};
use crate::{packages, plugin, setup};
use anyhow::{Context as _, Result};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

type Bench = fn() -> Result<()>;

const BENCHES: &[Listed<Bench>] = &[Listed {
    name: "compile",
    about: "what markers and plugin add to the examples: compile time, instructions",
    run: compile,
}];

/// Runs what was asked for.
pub(crate) fn run(what: Option<&str>) -> Result<()> {
    match choose("bench", BENCHES, what)? {
        Some(bench) => (bench.run)(),
        None => Ok(()),
    }
}

const EXAMPLES: [&str; 3] = ["tiles", "divergent", "wrappers"];
const TARGETS: [&str; 2] = ["gfx942", "gfx1100"];
const RUNS: usize = 15;

fn compile() -> Result<()> {
    announce("packages");
    setup::install(&[packages::BENCH])?;
    announce("building the plugin (LLVM 22)");
    shell::run(&mut plugin::build_release()?)?;
    announce(&format!("device compiles at -O2 with clang 22, median of {RUNS}: without markers, and with"));
    let work = work_dir("bench")?;
    say(&format!(
        "{:<12}{:<10}{:>9}{:>9}{:>14}{:>14}{:>9}",
        "example", "target", "ms", "ms", "instructions", "instructions", "records"
    ));
    for example in EXAMPLES {
        for target in TARGETS {
            let out = work.join(format!("{example}.co"));
            let (plain_time, (plain, _)) = measure(&mut device_compile(example, target, &out)?, &out)?;
            let mut marked = device_compile(example, target, &out)?;
            marked.arg("-DSQTT_ENABLED=1").arg(format!("-fpass-plugin={}", plugin::release()?.display()));
            let (marked_time, (instructions, records)) = measure(&mut marked, &out)?;
            say(&format!(
                "{example:<12}{target:<10}{:>9.1}{:>9.1}{plain:>14}{instructions:>14}{records:>9}",
                plain_time.as_secs_f64() * 1e3,
                marked_time.as_secs_f64() * 1e3,
            ));
        }
    }
    Ok(())
}

fn device_compile(example: &str, target: &str, out: &Path) -> Result<Command> {
    let mut clang = llvm("clang");
    without_settings(&mut clang);
    clang
        .current_dir(root()?)
        .args(["-x", "hip", "--cuda-device-only", "--no-gpu-bundle-output", "-nogpuinc", "-nogpulib", "-O2"])
        .args(["-DWITHOUT_HIP_RUNTIME", "-I", "include"])
        .arg(format!("--offload-arch={target}"))
        .arg(format!("examples/{example}.hip"))
        .arg("-o")
        .arg(out);
    Ok(clang)
}

/// The median time of a command, and the instructions and records of what it made.
fn measure(command: &mut Command, made: &Path) -> Result<(Duration, (usize, usize))> {
    let mut times = Vec::with_capacity(RUNS);
    for _ in 0..RUNS {
        let start = Instant::now();
        shell::capture(command)?;
        times.push(start.elapsed());
    }
    times.sort_unstable();
    let median = times.get(RUNS / 2).context("no runs")?;
    Ok((*median, isa::count(&isa::disassemble(made)?)))
}
