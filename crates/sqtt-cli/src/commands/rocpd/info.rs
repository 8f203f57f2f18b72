//! `sqtt rocpd info`.

use std::path::PathBuf;

use clap::Args;

use super::report::ReportArgs;

/// Tells what a database holds: schema, guids, processes, row counts, merges.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  sqtt rocpd info 4711_results.db\n\n\
    Exit status: 0 when it could be read, 1 when not, 2 for wrong arguments.")]
pub(super) struct Info {
    /// The database
    #[arg(value_name = "DB")]
    database: PathBuf,
    #[command(flatten)]
    report: ReportArgs,
}

impl Info {
    pub(super) fn run(self) -> anyhow::Result<()> {
        self.report.print(&rocpd::info(&self.database)?, text)
    }
}

fn text(info: &rocpd::Info, out: &mut Vec<String>) {
    out.push(format!("{}: {} bytes, journal mode {}", info.path.display(), info.bytes, info.journal_mode));
    for guid in &info.guids {
        out.push(format!("guid {} (schema {})", guid.guid, guid.schema_version));
        for process in &guid.processes {
            let host = process.hostname.as_deref().unwrap_or("unknown host");
            let command = process.command.as_deref().unwrap_or("unknown command");
            out.push(format!("  process {} on {host}: {}", process.pid, command));
        }
        for (table, rows) in guid.rows.iter().filter(|(_, rows)| **rows > 0) {
            out.push(format!("  {rows:>12} {table}"));
        }
        for merge in &guid.merges {
            out.push(format!("  merged: {} rows of native guid {}", merge.entry.rows, merge.native_guid));
        }
    }
}
