//! One file per subcommand: its arguments and the library call behind them.

mod att;
mod check;
mod funcmap;
mod memory_trace;
mod payloads;
mod print;
mod rocpd;
mod sim;
mod stats;

use clap::Subcommand;

/// The subcommands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Funcmap(funcmap::Args),
    Rocpd(rocpd::Rocpd),
    Sim(sim::Args),
    Print(print::Args),
    Stats(stats::Args),
    Check(check::Args),
    Att(att::Args),
    MemoryTrace(memory_trace::Args),
    Payloads(payloads::Args),
}

impl Command {
    /// Runs the chosen subcommand.
    pub(crate) fn run(self) -> anyhow::Result<()> {
        match self {
            Command::Funcmap(args) => args.run(),
            Command::Rocpd(command) => command.run(),
            Command::Sim(args) => args.run(),
            Command::Print(args) => args.run(),
            Command::Stats(args) => args.run(),
            Command::Check(args) => args.run(),
            Command::Att(args) => args.run(),
            Command::MemoryTrace(args) => args.run(),
            Command::Payloads(args) => args.run(),
        }
    }
}
