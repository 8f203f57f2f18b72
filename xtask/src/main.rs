//! `cargo xtask`: what a developer or CI types. It builds with nothing but Rust and installs the rest.

#![forbid(unsafe_code)]

mod bench;
mod demo;
mod fuzz;
mod install;
mod pictures;
mod readers;
mod setup;
mod shell;
mod test;
mod viewers;
mod workspace;

use anyhow::{Context as _, Result};
use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{CommandFactory as _, Parser};
use std::process::ExitCode;

/// Sets up, shows, tests and measures the project.
#[derive(Debug, Parser)]
#[command(
    bin_name = "cargo xtask",
    arg_required_else_help = true,
    after_help = "On a fresh Debian 12 with Rust and git, `demo` and `test` install what they need; that takes root."
)]
enum Command {
    /// Install, build, compile an example with hipcc and the plugin, show its markers, run it in the simulator
    Demo,
    /// Install, check format and lints, build both plugins, run every test; or a lane of that, heavy suites in full
    Test {
        #[arg(value_parser = names(test::lanes::LANES.iter().map(|lane| (lane.name, lane.about))))]
        lane: Option<String>,
    },
    /// Install what `demo` and `test` need, and nothing else
    Setup,
    /// Build, and put programs, plugin, headers and the files for CMake and pkg-config into a folder
    Install(install::Args),
    /// Make the pictures in docs/pictures
    Pictures,
    /// Measure something; without a name, list what can be measured
    Bench {
        #[arg(value_parser = names(bench::BENCHES.iter().map(|(name, about, _)| (*name, *about))))]
        what: Option<String>,
    },
    /// Feed random input to something; without a name, list what can be fed
    Fuzz {
        #[arg(value_parser = names(fuzz::FUZZES.iter().map(|(name, about, _)| (*name, *about))))]
        what: Option<String>,
        #[command(flatten)]
        amount: fuzz::Amount,
    },
}

/// Names that the command line takes, listed by `--help` with a line each.
fn names(rows: impl Iterator<Item = (&'static str, &'static str)>) -> PossibleValuesParser {
    rows.map(|(name, about)| PossibleValue::new(name).help(about)).collect::<Vec<_>>().into()
}

/// Prints the names that a command takes.
fn list(command: &str) -> Result<()> {
    let mut all = Command::command();
    Ok(all.find_subcommand_mut(command).context("no such command")?.print_long_help()?)
}

fn main() -> ExitCode {
    let result = match Command::parse() {
        Command::Demo => demo::run(),
        // Its last line is the count: nothing may follow it.
        Command::Test { lane } => return test::run(lane.as_deref()),
        Command::Setup => setup::install(&setup::ALL).and_then(|()| viewers::install()),
        Command::Install(args) => install::run(&args),
        Command::Pictures => pictures::run(),
        Command::Bench { what: Some(what) } => bench::run(&what),
        Command::Bench { what: None } => list("bench"),
        Command::Fuzz { what: Some(what), amount } => fuzz::run(&what, amount),
        Command::Fuzz { what: None, .. } => list("fuzz"),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            shell::complain(&error);
            ExitCode::FAILURE
        }
    }
}
