//! One file per subcommand: its arguments and the library call behind them.

mod att;
mod check;
mod completions;
mod doctor;
mod extract;
mod flamegraph;
mod funcmap;
mod man;
mod memory_trace;
mod payloads;
mod perfetto;
mod print;
mod report;
mod rocpd;
#[cfg(unix)]
mod run;
mod sim;
mod stats;
mod whereabouts;

use clap::Subcommand;

/// The subcommands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Funcmap(funcmap::Args),
    Extract(extract::Args),
    Doctor(doctor::Args),
    Rocpd(rocpd::Rocpd),
    #[cfg(unix)]
    Run(run::Args),
    Sim(sim::Args),
    Print(print::Args),
    Stats(stats::Args),
    Check(check::Args),
    Where(whereabouts::Args),
    Flamegraph(flamegraph::Args),
    Perfetto(perfetto::Args),
    Report(report::Args),
    Att(att::Args),
    MemoryTrace(memory_trace::Args),
    Payloads(payloads::Args),
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
            #[cfg(unix)]
            Command::Run(args) => args.run(),
            Command::Sim(args) => args.run(),
            Command::Print(args) => args.run(),
            Command::Stats(args) => args.run(),
            Command::Check(args) => args.run(),
            Command::Where(args) => args.run(),
            Command::Flamegraph(args) => args.run(),
            Command::Perfetto(args) => args.run(),
            Command::Report(args) => args.run(),
            Command::Att(args) => args.run(),
            Command::MemoryTrace(args) => args.run(),
            Command::Payloads(args) => args.run(),
            Command::Completions(args) => args.run(),
            Command::Man(args) => args.run(),
        }
    }
}
