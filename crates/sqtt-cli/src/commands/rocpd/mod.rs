//! `sqtt rocpd`: profile databases.

mod check;
mod import_csv;
mod info;
mod merge;
mod pmc_perf;
mod report;

use clap::{Args, Subcommand};

use crate::interrupt;

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

fn patiently(run: impl FnOnce() -> anyhow::Result<()>) -> anyhow::Result<()> {
    interrupt::be_patient();
    run()
}

impl Rocpd {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        match self.command {
            // SQLite's journal and partial databases are theirs to clean up.
            RocpdCommand::Merge(command) => patiently(|| command.run()),
            RocpdCommand::PmcPerf(command) => patiently(|| command.run()),
            RocpdCommand::ImportCsv(command) => patiently(|| command.run()),
            RocpdCommand::Info(command) => command.run(),
            RocpdCommand::Check(command) => command.run(),
        }
    }
}
