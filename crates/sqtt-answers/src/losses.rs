//! Losses, inside of what is written: a file goes to people who never see what the command said.

use std::io::{self, Write};

use sqtt_decoder::Ledger;

/// Ends a text with a line of what was lost, if anything was.
///
/// # Errors
///
/// Errors of the writer.
pub fn write_lost_line(out: &mut dyn Write, losses: &Ledger) -> io::Result<()> {
    losses.lost().map_or(Ok(()), |lost| writeln!(out, "{lost}"))
}
