//! Runs the fuzzers; `cargo xtask fuzz` calls it.

use anyhow::Result;
use clap::{Args, Parser, Subcommand, ValueEnum};
use sqtt_kernelgen::fuzz::{Plan, Progress, Report, fuzz_pass, fuzz_sim};
use sqtt_kernelgen::generate::{Features, generate};
use sqtt_kernelgen::print::{PrintOptions, print};
use sqtt_kernelgen::toolchain::Llvm;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

/// Random HIP kernels whose results and marker streams are known.
#[derive(Parser)]
#[command(after_help = "Examples:\n  sqtt-kernelgen sim --seed 1 --count 300\n  \
                        sqtt-kernelgen pass --seed 1 --count 2000 --shrink\n  sqtt-kernelgen show --seed 7 --markers")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// The simulator: kernels without markers at -O0 and -O3 against the host.
    Sim {
        #[command(flatten)]
        run: RunArgs,
        /// Machines per kernel, taking turns; 0 for all.
        #[arg(long, default_value_t = 0)]
        machines: usize,
    },
    /// The plugin: results as without it, streams as the source and the configuration say.
    Pass {
        #[command(flatten)]
        run: RunArgs,
        /// Compilers; every fourth place is the second's.
        #[arg(long, value_delimiter = ',', default_value = "22")]
        llvm: Vec<Version>,
    },
    /// Prints the source of one kernel.
    Show {
        /// Its seed.
        #[arg(long)]
        seed: u64,
        /// With markers, as `pass` has it.
        #[arg(long)]
        markers: bool,
    },
}

#[derive(Args)]
struct RunArgs {
    /// The first kernel's seed.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Kernels (sim), or triples of kernel, target and configuration (pass).
    #[arg(long, default_value_t = 100)]
    count: usize,
    /// Compiles at once.
    #[arg(long, default_value_t = 2)]
    jobs: usize,
    /// The folder in which failing kernels are kept.
    #[arg(long, default_value = "target/fuzz-failures")]
    failures: PathBuf,
    /// Make failing kernels smaller.
    #[arg(long)]
    shrink: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Version {
    #[value(name = "22")]
    V22,
    #[value(name = "19")]
    V19,
}

impl RunArgs {
    fn plan(self, machines: usize, llvms: Vec<Llvm>) -> Plan {
        Plan {
            seed: self.seed,
            count: self.count,
            jobs: self.jobs,
            machines,
            llvms,
            failures: self.failures,
            shrink: self.shrink,
        }
    }
}

fn main() -> Result<ExitCode> {
    let start = Instant::now();
    let (what, report) = match Cli::parse().command {
        Command::Sim { run, machines } => {
            ("runs", fuzz_sim(&run.plan(machines, vec![Llvm::V22]), &show_progress)?)
        }
        Command::Pass { run, llvm } => {
            let llvms = llvm.into_iter().map(|version| match version {
                Version::V22 => Llvm::V22,
                Version::V19 => Llvm::V19,
            });
            ("triples", fuzz_pass(&run.plan(0, llvms.collect()), &show_progress)?)
        }
        Command::Show { seed, markers } => {
            let text = print(&generate(seed, Features::all(markers)), PrintOptions::default());
            std::io::stdout().lock().write_all(text.as_bytes())?;
            return Ok(ExitCode::SUCCESS);
        }
    };
    Ok(finish(what, &report, start))
}

fn show_progress(progress: Progress) {
    if progress.done.is_multiple_of(100) {
        eprintln!("{} of {}, {} failed", progress.done, progress.total, progress.failed);
    }
}

fn finish(what: &str, report: &Report, start: Instant) -> ExitCode {
    for failure in &report.failures {
        println!("{failure}\n");
    }
    for (subject, triples) in &report.subjects {
        println!("{triples} {what} with {subject}");
    }
    println!(
        "{} kernels, {} {what}, {} failed, {:.0} s",
        report.kernels,
        report.ran,
        report.failures.len(),
        start.elapsed().as_secs_f64()
    );
    if report.failures.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
