//! `sqtt rocpd info`.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;

use super::output::Output;

/// Tells what a database holds: schema, guids, processes, row counts, merges.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  sqtt rocpd info 4711_results.db\n\n\
    Exit status: 0 when it could be read, 1 when not, 2 for wrong arguments.")]
pub(super) struct Info {
    /// The database
    #[arg(value_name = "DB")]
    database: PathBuf,
    #[command(flatten)]
    output: Output,
}

impl Info {
    pub(super) fn run(self) -> anyhow::Result<()> {
        self.output.report(&rocpd::info(&self.database)?, text)
    }
}

fn text(info: &rocpd::Info, out: &mut dyn Write) -> std::io::Result<()> {
    writeln!(out, "{}: {} bytes, journal mode {}", info.path.display(), info.bytes, info.journal_mode)?;
    for guid in &info.guids {
        writeln!(out, "guid {} (schema {})", guid.guid, guid.schema_version)?;
        for process in &guid.processes {
            let host = process.hostname.as_deref().unwrap_or("unknown host");
            let command = process.command.as_deref().unwrap_or("unknown command");
            // Control characters of a command line stay out of the terminal.
            writeln!(out, "  process {} on {host}: {}", process.pid, command.escape_debug())?;
        }
        for (table, rows) in guid.rows.iter().filter(|(_, rows)| **rows > 0) {
            writeln!(out, "  {rows:>12} {table}")?;
        }
        for merge in &guid.merges {
            writeln!(out, "  merged: {} rows of native guid {}", merge.entry.rows, merge.native_guid)?;
        }
    }
    Ok(())
}
