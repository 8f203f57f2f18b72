//! Announces steps, runs commands, and says which one failed, with its output.

use anyhow::{Context as _, Result, bail};
pub(crate) use commands::{cannot_start, capture, display};
use std::io::Write as _;
use std::process::{Command, Stdio};

/// Says what happens next.
pub(crate) fn announce(what: &str) {
    say(&format!("\n==> {what}"));
}

/// Prints text for the reader.
pub(crate) fn say(text: &str) {
    // A reader that is gone does not stop the work.
    let _ = writeln!(std::io::stdout(), "{text}");
}

/// Prints an error with its causes.
pub(crate) fn complain(error: &anyhow::Error) {
    let _ = writeln!(std::io::stderr(), "\nxtask: error: {error:#}");
}

/// Runs a command whose output the reader sees as it comes.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let status = command.stdin(Stdio::null()).status().with_context(|| cannot_start(command))?;
    if !status.success() {
        bail!("this failed ({status}), its output is above:\n  {}", display(command));
    }
    Ok(())
}
