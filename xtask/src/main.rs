//! `cargo xtask`: what a developer or CI types. It builds with nothing but Rust and installs the rest.

#![forbid(unsafe_code)]

mod bench;
mod demo;
mod fuzz;
mod hipcc;
mod isa;
mod listed;
mod packages;
mod pictures;
mod plugin;
mod readers;
mod setup;
mod shell;
mod summary;
mod test;
mod viewers;
mod workspace;

use clap::Parser;
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
    /// Install, check format and lints, build both plugins, run every test
    Test,
    /// Install what `demo` and `test` need, and nothing else
    Setup,
    /// Make the pictures in docs/pictures
    Pictures,
    /// Measure something; without a name, list what can be measured
    Bench {
        /// What to measure
        what: Option<String>,
    },
    /// Feed random input to something; without a name, list what can be fed
    Fuzz {
        /// What to feed
        what: Option<String>,
        #[command(flatten)]
        amount: fuzz::Amount,
    },
}

fn main() -> ExitCode {
    let result = match Command::parse() {
        Command::Demo => demo::run(),
        // Its last line is the count: nothing may follow it.
        Command::Test => return test::run(),
        Command::Setup => setup::install(packages::ALL).and_then(|()| viewers::install()),
        Command::Pictures => pictures::run(),
        Command::Bench { what } => bench::run(what.as_deref()),
        Command::Fuzz { what, amount } => fuzz::run(what.as_deref(), amount),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            shell::complain(&error);
            ExitCode::FAILURE
        }
    }
}
