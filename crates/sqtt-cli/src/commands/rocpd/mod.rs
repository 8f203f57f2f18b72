//! `sqtt rocpd`: profile databases.

mod check;
mod import_csv;
mod info;
mod merge;
mod output;
mod pmc_perf;

use clap::{Args, Subcommand};

/// Merges, exports and checks ROCm profile databases (rocpd, SQLite).
#[derive(Debug, Args)]
pub(crate) struct Rocpd {
    #[command(subcommand)]
    command: RocpdCommand,
}

#[derive(Debug, Subcommand)]
enum RocpdCommand {
    Merge(merge::Merge),
    PmcPerf(pmc_perf::PmcPerf),
    ImportCsv(import_csv::ImportCsv),
    Info(info::Info),
    Check(check::Check),
}

impl Rocpd {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        match self.command {
            RocpdCommand::Merge(command) => command.run(),
            RocpdCommand::PmcPerf(command) => command.run(),
            RocpdCommand::ImportCsv(command) => command.run(),
            RocpdCommand::Info(command) => command.run(),
            RocpdCommand::Check(command) => command.run(),
        }
    }
}
