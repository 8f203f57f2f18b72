//! Errors and warnings on stderr: one line each, without anything that a terminal acts on, and
//! without a care for whether somebody reads them.

use std::fmt::Display;
use std::io::{self, Write};

use sqtt_format::Printable;

/// Ends a command that has said its errors itself: the exit code is that of an error, and nothing
/// more is printed.
#[derive(Debug, thiserror::Error)]
#[error("errors were reported")]
pub(crate) struct Reported;

/// `sqtt: error: …`
pub(crate) fn error(what: &dyn Display) {
    line("error", what);
}

/// `sqtt: warning: …`
pub(crate) fn warning(what: &dyn Display) {
    line("warning", what);
}

/// `sqtt: note: …`: a detail of a warning before it.
pub(crate) fn note(what: &dyn Display) {
    line("note", what);
}

fn line(level: &str, what: &dyn Display) {
    let text = what.to_string();
    // Nothing is left to be done where stderr is closed.
    let _ = writeln!(io::stderr(), "sqtt: {level}: {}", Printable(text.as_bytes()));
}
