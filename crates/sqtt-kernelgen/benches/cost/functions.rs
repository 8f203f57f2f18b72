//! Cost of function markers in the compile of real kernels.

use crate::{met, work_dir};
use anyhow::Result;
use commands::{Times, code, llvm, load_release_plugin};
use std::path::Path;
use std::process::Command;

/// The kernels' bitcode, in the test data, and their targets.
const ARCHIVE: &str = "real-bitcode.tgz";
const KERNELS: [(&str, &str); 4] = [
    ("axhelm", "gfx942"),
    ("attention-paged", "gfx942"),
    ("ck_gemm_xdl_fp16", "gfx942"),
    ("cooperative_groups", "gfx1100"),
];

/// Without the plugin, and thresholds that people set; how often each compile is repeated.
const THRESHOLDS: [&str; 3] = ["plain", "100", "cost:500"];
const ROUNDS: usize = 5;
/// The most that such a compile may take, as a multiple of the one without the plugin.
const GOAL: f64 = 1.4;
/// The threshold that marks every function, compiled once.
const EVERY: &str = "1";

/// Runs the measurement.
pub(crate) fn run() -> Result<()> {
    let folder = test_data::unpack(ARCHIVE);
    let work = work_dir("functions")?;
    println!(
        "real kernels with SQTT_INSTRUMENT_FUNCTIONS, -O3: seconds, user and system; medians of {ROUNDS} interleaved \
         rounds, N = {EVERY} once"
    );
    let row = |name: &str, functions: &str, seconds: f64, slower: f64, rest: &str| {
        println!("{name:<20}{functions:>10}{seconds:>10.2}{slower:>10.3}{rest}");
    };
    println!(
        "{:<20}{:>10}{:>10}{:>10}{:>9}{:>7}  ",
        "kernel", "functions", "seconds", "/ plain", "records", "goal"
    );
    for (name, target) in KERNELS {
        let input = folder.path().join(format!("{name}.{target}.bc"));
        let object = |functions: &str| work.join(format!("{name}.{}.o", functions.replace(':', "-")));
        let job = |functions: &'static str| {
            Ok((functions, compile(&input, target, functions, &object(functions))?))
        };
        let records =
            |functions: &str| Ok::<_, anyhow::Error>(code::count(&code::disassemble(&object(functions))?).1);
        let mut jobs = THRESHOLDS.into_iter().map(job).collect::<Result<Vec<_>>>()?;
        let times = Times::measure(&mut jobs, ROUNDS)?;
        for (index, functions) in THRESHOLDS.into_iter().enumerate() {
            let slower = times.multiple(index, 0);
            let (goal, verdict) = met(slower, if index > 0 { GOAL } else { f64::INFINITY });
            let rest = format!("{:>9}{goal:>7}  {verdict}", records(functions)?);
            row(name, functions, times.seconds(index), slower, &rest);
        }
        let (seconds, plain) = (Times::measure(&mut [job(EVERY)?], 1)?.seconds(0), times.seconds(0));
        let records = records(EVERY)?;
        let each = (seconds - plain) * 1e3 / records as f64;
        let each = if records > 0 { format!("{each:.3} ms each") } else { String::new() };
        row(name, EVERY, seconds, seconds / plain, &format!("{records:>9}{:>9}{each}", ""));
    }
    Ok(())
}

/// clang on bitcode as its program's build ran it.
fn compile(input: &Path, target: &str, functions: &str, object: &Path) -> Result<Command> {
    let mut clang = llvm("clang");
    clang
        .args(["--target=amdgcn-amd-amdhsa", "-nogpulib", "-x", "ir", "-O3", "-w", "-c"])
        .args(["-mllvm", "-amdgpu-internalize-symbols"])
        .arg(format!("-mcpu={target}"))
        .arg(input)
        .arg("-o")
        .arg(object);
    if functions != "plain" {
        clang.arg(load_release_plugin()?).env("SQTT_INSTRUMENT_FUNCTIONS", functions);
    }
    Ok(clang)
}
