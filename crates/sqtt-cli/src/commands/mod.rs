//! One file per subcommand: its arguments and the library call behind them.

mod rocpd;

use clap::Subcommand;

/// The subcommands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Rocpd(rocpd::Rocpd),
}

impl Command {
    /// Runs the chosen subcommand.
    pub(crate) fn run(self) -> anyhow::Result<()> {
        match self {
            Self::Rocpd(command) => command.run(),
        }
    }
}
