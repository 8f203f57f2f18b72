//! Random input, far more of it than the tests take.
//!
//! A failing input of a property is printed, shrunk, and kept by proptest in a `proptest-regressions` file, which
//! belongs into the repository. A failing kernel is printed with its seed and kept below cargo's folder.

use crate::shell::{self, announce};
use crate::workspace::{cargo, target_dir};
use crate::{readers, setup};
use anyhow::{Context as _, Result, ensure};

/// Amount of input.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(crate) struct Amount {
    /// Amount: inputs per property, rounds (traces, raw, decode, rocpd), kernels (sim), or triples of kernel, target
    /// and configuration (pass)
    #[arg(long)]
    count: Option<u32>,
    /// The first seed (traces, raw, decode, rocpd, sim, pass)
    #[arg(long)]
    seed: Option<u64>,
    /// Time for all targets together (readers; an hour where nothing is said)
    #[arg(long)]
    seconds: Option<u64>,
}

type Fuzz = fn(Amount) -> Result<()>;

/// Each with its name, and a line for the list.
pub(crate) const FUZZES: &[(&str, &str, Fuzz)] = &[
    (
        "funcmap",
        "Names, rows and marker words: what is written is read back, what is read never panics",
        |amount| properties("sqtt-format", amount),
    ),
    ("codeobj", "Damaged code objects and offload bundles: an error, no panic, no hang", |amount| {
        properties("sqtt-decoder", amount)
    }),
    (
        "readers",
        "ELF, bundles, compressed bundles, funcmaps: libFuzzer with a sanitizer, an hour in all",
        |amount| readers::run(amount.seconds.unwrap_or(3600)),
    ),
    ("traces", "Damaged and random trace folders in every reader of the decoder", |amount| {
        traces("trace::fuzz", amount)
    }),
    ("raw", "Damaged and random raw traces of every generation", |amount| traces("raw::fuzz", amount)),
    (
        "decode",
        "Generated traces of every generation: decoded is what the waves did, or what losses left",
        |amount| traces("stream::generated", amount),
    ),
    ("rocpd", "Corrupted databases in every command of rocpd: an error, nothing lost", databases),
    ("sim", "Random kernels in the simulator: -O0, -O3 and the host agree on every target", |amount| {
        kernels("sim", amount, 300)
    }),
    (
        "pass",
        "Random kernels with markers: results as without, every wave's markers as the source says",
        |amount| kernels("pass", amount, 2000),
    ),
];

/// Runs what was asked for.
pub(crate) fn run(what: &str, amount: Amount) -> Result<()> {
    let (.., fuzz) = FUZZES.iter().find(|(name, ..)| *name == what).context("nothing has that name")?;
    fuzz(amount)
}

/// The properties of a crate, with so many cases each, optimized.
fn properties(package: &str, amount: Amount) -> Result<()> {
    ensure!(
        amount.seed.is_none(),
        "--seed is for traces, raw, decode, rocpd, sim and pass; properties draw a new seed each time"
    );
    let cases = amount.count.unwrap_or(100_000);
    announce(&format!("{package}: {cases} inputs per property"));
    let mut cargo = cargo()?;
    cargo
        .args(["test", "--release", "--package", package])
        .env("PROPTEST_CASES", cases.to_string())
        // Inputs that a property has no opinion on are as many as its cases, and no failure.
        .env("PROPTEST_MAX_GLOBAL_REJECTS", cases.saturating_mul(8).to_string());
    shell::run(&mut cargo)
}

/// The decoder's readers: so many rounds of every kind of damage.
fn traces(test: &str, amount: Amount) -> Result<()> {
    let (seed, rounds) = (amount.seed.unwrap_or(1), amount.count.unwrap_or(20));
    announce(&format!("{test}: {rounds} rounds from seed {seed} on"));
    let mut cargo = cargo()?;
    cargo
        .args(["test", "--release", "--package", "sqtt-decoder", "--test", "it", test])
        .env("FUZZ_ROUNDS", rounds.to_string())
        .env("FUZZ_SEED", seed.to_string());
    shell::run(&mut cargo)
}

/// Databases of rocpd, a byte changed here and there.
fn databases(amount: Amount) -> Result<()> {
    let (seed, rounds) = (amount.seed.unwrap_or(1), amount.count.unwrap_or(1_000));
    announce(&format!("rocpd: {rounds} rounds from seed {seed} on"));
    let mut cargo = cargo()?;
    cargo
        .args(["run", "--release", "--package", "rocpd", "--example", "rocpd_fuzz", "--"])
        .args([rounds.to_string(), seed.to_string()]);
    shell::run(&mut cargo)
}

/// Random kernels, from a seed on: `sqtt-kernelgen` makes, runs and judges them.
fn kernels(what: &str, amount: Amount, usual: u32) -> Result<()> {
    announce("packages");
    setup::install(&["device"])?;
    let (seed, count) = (amount.seed.unwrap_or(1), amount.count.unwrap_or(usual));
    announce(&format!("{what}: {count} from seed {seed} on"));
    let mut cargo = cargo()?;
    cargo
        .args(["run", "--release", "--package", "sqtt-kernelgen", "--", what])
        .args(["--seed", &seed.to_string(), "--count", &count.to_string(), "--failures"])
        .arg(target_dir()?.join("fuzz-failures"));
    shell::run(&mut cargo)
}
