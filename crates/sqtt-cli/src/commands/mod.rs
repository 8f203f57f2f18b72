//! One file per subcommand: its arguments and the library call behind them.

mod check;
mod completions;
mod doctor;
mod extract;
mod funcmap;
mod man;
mod print;
mod rocpd;
mod sim;
mod stats;

use clap::Subcommand;

/// The subcommands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Funcmap(funcmap::Args),
    Extract(extract::Args),
    Doctor(doctor::Args),
    Rocpd(rocpd::Rocpd),
    Sim(sim::Args),
    Print(print::Args),
    Stats(stats::Args),
    Check(check::Args),
    Completions(completions::Args),
    Man(man::Args),
}

impl Command {
    /// Runs the chosen subcommand.
    pub(crate) fn run(self) -> anyhow::Result<()> {
        match self {
            Command::Funcmap(args) => args.run(),
            Command::Extract(args) => args.run(),
            Command::Doctor(args) => args.run(),
            Command::Rocpd(command) => command.run(),
            Command::Sim(args) => args.run(),
            Command::Print(args) => args.run(),
            Command::Stats(args) => args.run(),
            Command::Check(args) => args.run(),
            Command::Completions(args) => args.run(),
            Command::Man(args) => args.run(),
        }
    }
}
