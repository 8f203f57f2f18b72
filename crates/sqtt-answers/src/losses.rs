//! What was lost, inside of what is written: a file goes to people who never see what the command said.
//!
//! Nothing is written where nothing was lost.

use std::io::{self, Write};

use serde::Serialize;

use sqtt_decoder::Ledger;

/// Ends a text with a line of what was lost.
///
/// # Errors
///
/// Those of the writer.
pub fn write_lost_line(out: &mut dyn Write, losses: &Ledger) -> io::Result<()> {
    losses.lost().map_or(Ok(()), |lost| writeln!(out, "{lost}"))
}

#[derive(Serialize)]
struct LostJson<'a> {
    summary: String,
    losses: &'a Ledger,
}

/// Writes what was lost as one JSON object, for the end of a list of objects that say what they are by the value of
/// `key`: `{"<key>":"losses","summary":"lost: …","losses":{…}}`. The text before and behind it is `around`.
///
/// # Errors
///
/// Those of the writer.
pub fn write_lost_json(
    out: &mut dyn Write,
    key: &str,
    losses: &Ledger,
    (before, behind): (&str, &str),
) -> io::Result<()> {
    let Some(summary) = losses.lost() else { return Ok(()) };
    let json = serde_json::to_string(&LostJson { summary, losses })?;
    write!(out, "{before}{{\"{key}\":\"losses\",{}{behind}", json.trim_start_matches('{'))
}
