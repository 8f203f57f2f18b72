//! One file per subcommand: its arguments and the library call behind them.

mod funcmap;

use clap::Subcommand;

/// The subcommands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Funcmap(funcmap::Args),
}

impl Command {
    /// Runs the chosen subcommand.
    pub(crate) fn run(self) -> anyhow::Result<()> {
        match self {
            Command::Funcmap(args) => args.run(),
        }
    }
}
