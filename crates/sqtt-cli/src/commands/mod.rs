//! One file per subcommand: its arguments and the library call behind them.

mod funcmap;
mod sim;

use clap::Subcommand;

/// The subcommands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Funcmap(funcmap::Args),
    Sim(sim::Args),
}

impl Command {
    /// Runs the chosen subcommand.
    pub(crate) fn run(self) -> anyhow::Result<()> {
        match self {
            Command::Funcmap(args) => args.run(),
            Command::Sim(args) => args.run(),
        }
    }
}
