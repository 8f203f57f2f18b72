//! What function markers add to the compile of real kernels.

use super::compile::{median, met, times};
use super::prepare;
use crate::shell::{announce, say};
use crate::workspace::{without_settings, work_dir};
use crate::{isa, plugin};
use anyhow::{Context as _, Result};
use std::path::Path;
use std::process::Command;

/// The kernels' bitcode and their targets, in the test data.
const ARCHIVE: &str = "real-bitcode.tgz";
const KERNELS: [(&str, &str); 4] = [
    ("axhelm", "gfx942"),
    ("attention-paged", "gfx942"),
    ("ck_gemm_xdl_fp16", "gfx942"),
    ("cooperative_groups", "gfx1100"),
];

/// Thresholds that people set, and how often each compile is repeated.
const THRESHOLDS: [&str; 2] = ["100", "cost:500"];
const ROUNDS: usize = 5;
/// The most that such a compile may take, as a multiple of the one without the plugin.
const GOAL: f64 = 1.4;
/// Every function, compiled once.
const EVERY: &str = "1";

/// Runs the measurement.
pub(super) fn run() -> Result<()> {
    prepare()?;
    let Some(folder) = test_data::unpack(ARCHIVE) else { return Ok(()) };
    let work = work_dir("bench/functions")?;
    announce(&format!(
        "real kernels with SQTT_INSTRUMENT_FUNCTIONS, -O3: seconds, user and system; medians of {ROUNDS} interleaved \
         rounds, N = {EVERY} once"
    ));
    say(&format!(
        "{:<20}{:>10}{:>10}{:>10}{:>9}{:>7}  ",
        "kernel", "functions", "seconds", "/ plain", "records", "goal"
    ));
    for (name, target) in KERNELS {
        let input = folder.path().join(format!("{name}.{target}.bc"));
        measure(name, target, &input, &work)?;
    }
    Ok(())
}

fn measure(name: &str, target: &str, input: &Path, work: &Path) -> Result<()> {
    let object = |functions: &str| work.join(format!("{name}.{}.o", functions.replace(':', "-")));
    let compile = |functions: Option<&str>| -> Result<Command> {
        let mut clang = command(input, target, &object(functions.unwrap_or("plain")));
        if let Some(functions) = functions {
            clang
                .arg(format!("-fpass-plugin={}", plugin::release()?.display()))
                .env("SQTT_INSTRUMENT_FUNCTIONS", functions);
        }
        Ok(clang)
    };
    let mut jobs = vec![("plain", compile(None)?)];
    for functions in THRESHOLDS {
        jobs.push((functions, compile(Some(functions))?));
    }
    let rounds = times(&mut jobs, ROUNDS)?;
    let mut every = [(EVERY, compile(Some(EVERY))?)];
    let every = times(&mut every, 1)?.concat();
    let of = |run: &[f64], index: usize| run.get(index).copied().unwrap_or(f64::NAN);
    let plain = median(rounds.iter().map(|run| of(run, 0)).collect());
    for (index, functions) in std::iter::once("plain").chain(THRESHOLDS).enumerate() {
        let seconds = median(rounds.iter().map(|run| of(run, index)).collect());
        let slower = median(rounds.iter().map(|run| of(run, index) / of(run, 0)).collect());
        let goal = (index > 0).then(|| (format!("{GOAL}"), met(slower <= GOAL)));
        let (goal, verdict) = goal.unwrap_or_default();
        let records = records(&object(functions))?;
        say(&format!(
            "{name:<20}{functions:>10}{seconds:>10.2}{slower:>10.3}{records:>9}{goal:>7}  {verdict}"
        ));
    }
    let (seconds, records) = (of(&every, 0), records(&object(EVERY))?);
    let each = match records {
        0 => String::new(),
        records => format!("{:.3} ms each", (seconds - plain) * 1e3 / records as f64),
    };
    let slower = seconds / plain;
    say(&format!("{name:<20}{EVERY:>10}{seconds:>10.2}{slower:>10.3}{records:>9}{:>9}{each}", ""));
    Ok(())
}

/// Compiles bitcode as its program's build did.
fn command(input: &Path, target: &str, object: &Path) -> Command {
    let mut clang = isa::llvm("clang");
    without_settings(&mut clang);
    clang
        .args(["--target=amdgcn-amd-amdhsa", "-nogpulib", "-x", "ir", "-O3", "-w", "-c"])
        .args(["-mllvm", "-amdgpu-internalize-symbols"])
        .arg(format!("-mcpu={target}"))
        .arg(input)
        .arg("-o")
        .arg(object);
    clang
}

/// How many instructions of an object write a record.
fn records(object: &Path) -> Result<usize> {
    let text = isa::disassemble(object).with_context(|| object.display().to_string())?;
    Ok(isa::count(&text).1)
}
