//! Reports on stdout, progress on stderr.

use std::io::{BufWriter, ErrorKind, IsTerminal as _, Write};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use clap::{Args, ValueEnum};
use rocpd::Progress;
use serde::Serialize;

use crate::interrupt;

/// When progress is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum When {
    /// On a terminal.
    Auto,
    /// Always, a line a time where stderr is no terminal.
    Always,
    /// Never.
    Never,
}

/// What all subcommands take.
#[derive(Debug, Clone, Copy, Args)]
pub(super) struct Output {
    /// Print the report as JSON
    #[arg(long)]
    pub(super) json: bool,
    /// Show progress on stderr
    #[arg(long, value_enum, default_value_t = When::Auto, value_name = "WHEN")]
    progress: When,
}

impl Output {
    /// Prints a report: as JSON, or by the given function as text.
    pub(super) fn report<T: Serialize>(
        self,
        report: &T,
        text: impl FnOnce(&T, &mut dyn Write) -> std::io::Result<()>,
    ) -> anyhow::Result<()> {
        let mut out = BufWriter::new(std::io::stdout().lock());
        let result = if self.json {
            serde_json::to_writer_pretty(&mut out, report).map_err(Into::into).and_then(|()| writeln!(out))
        } else {
            text(report, &mut out)
        };
        ignore_closed_pipe(result.and_then(|()| out.flush())).context("stdout")
    }

    /// A progress receiver, which stops the work where the program is told to end.
    pub(super) fn progress(self) -> impl FnMut(Progress<'_>) -> ControlFlow<()> {
        let terminal = std::io::stderr().is_terminal();
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
            let long = !terminal || start.elapsed() >= Duration::from_secs(1);
            if shown && due && long {
                last = Some(Instant::now());
                let _ = line(progress, terminal, done);
            }
            if interrupt::is_asked() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        }
    }
}

fn line(progress: Progress<'_>, terminal: bool, done: bool) -> std::io::Result<()> {
    let Progress { phase, done: rows, total } = progress;
    let share = match total {
        Some(total) if total > 0 => format!(" of {total} ({} %)", rows.saturating_mul(100) / total),
        _ => String::new(),
    };
    let mut out = std::io::stderr().lock();
    match (terminal, done) {
        (true, false) => write!(out, "\r{phase}: {rows}{share}\x1b[K"),
        (true, true) => write!(out, "\r\x1b[K"),
        (false, _) => writeln!(out, "{phase}: {rows}{share}"),
    }?;
    out.flush()
}

/// Readers like `head` close the pipe when they have enough: that is no error.
pub(super) fn ignore_closed_pipe(result: std::io::Result<()>) -> std::io::Result<()> {
    match result {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}
