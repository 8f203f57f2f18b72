//! Reports and progress of the commands about databases.

use std::io::{self, IsTerminal as _, Write};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};
use rocpd::Progress;
use serde::Serialize;
use sqtt_format::Printable;

use crate::output::Output;
use crate::progress::{PATIENCE, clear_line, write_line};
use crate::{interrupt, say};

/// When progress is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum When {
    /// On a terminal.
    Auto,
    /// Always, a line a time where stderr is no terminal.
    Always,
    /// Never.
    Never,
}

/// Arguments of all subcommands.
#[derive(Debug, Clone, Copy, Args)]
pub(super) struct ReportArgs {
    /// Print the report as JSON
    #[arg(long)]
    pub(super) json: bool,
    /// Show progress on stderr
    #[arg(long, value_enum, default_value_t = When::Auto, value_name = "WHEN")]
    progress: When,
}

impl ReportArgs {
    /// Prints a report: as JSON, or as the lines of text that the given function makes. Names from a database pass no
    /// control character on to the terminal.
    pub(super) fn print<T: Serialize>(
        self,
        report: &T,
        text: impl FnOnce(&T, &mut Vec<String>),
    ) -> anyhow::Result<()> {
        let mut out = Output::standard();
        if self.json {
            serde_json::to_writer_pretty(&mut out, report)?;
            writeln!(out)?;
        } else {
            let mut lines = Vec::new();
            text(report, &mut lines);
            for line in lines {
                writeln!(out, "{}", Printable(line.as_bytes()))?;
            }
        }
        out.finish()
    }

    /// A progress receiver, which stops the work where the program is told to end.
    pub(super) fn progress(self) -> impl FnMut(Progress<'_>) -> ControlFlow<()> {
        let terminal = io::stderr().is_terminal();
        let shown = match self.progress {
            When::Auto => terminal,
            When::Always => true,
            When::Never => false,
        };
        let start = Instant::now();
        let mut last: Option<Instant> = None;
        move |progress| {
            let done = progress.total == Some(progress.done);
            let due = last.is_none_or(|last| last.elapsed() >= Duration::from_millis(500)) || done;
            // Short work on a terminal needs no progress.
            let long = !terminal || start.elapsed() >= PATIENCE;
            if shown && due && long {
                last = Some(Instant::now());
                show(progress, terminal, done);
            }
            if interrupt::is_asked() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        }
    }
}

fn show(progress: Progress<'_>, terminal: bool, done: bool) {
    let Progress { phase, done: rows, total, .. } = progress;
    let share = match total {
        Some(total) if total > 0 => format!(" of {total} ({} %)", rows.saturating_mul(100) / total),
        _ => String::new(),
    };
    let line = format!("{phase}: {rows}{share}");
    match (terminal, done) {
        (true, false) => write_line(&line),
        (true, true) => clear_line(),
        (false, _) => {
            let _ = writeln!(io::stderr(), "{line}");
        }
    }
}

/// Says what is worth a look.
pub(super) fn warn(warnings: &[String]) {
    warnings.iter().for_each(|warning| say::warning(warning));
}
