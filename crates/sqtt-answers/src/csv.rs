//! What the CSV files have in common: RFC 4180, a line of headings, `losses` as the last column.

use std::io::{self, Write};

use sqtt_format::{Printable, push_csv_field};

use sqtt_decoder::Ledger;

/// A text as a field. Control characters and what is not UTF-8 are escaped as in text.
pub(crate) fn write_field(out: &mut dyn Write, field: &[u8]) -> io::Result<()> {
    let mut text = Vec::new();
    push_csv_field(&mut text, Printable(field).to_string().as_bytes());
    out.write_all(&text)
}

/// Ends the line of headings.
pub(crate) fn end_head(out: &mut dyn Write) -> io::Result<()> {
    write!(out, ",losses\r\n")
}

/// Ends a line with what the trace lost: the same in every line, so that it stays with a line wherever that goes.
/// Empty where nothing was.
pub(crate) fn end_line(out: &mut dyn Write, losses: &Ledger) -> io::Result<()> {
    write!(out, ",")?;
    write_field(out, losses.lost().unwrap_or_default().as_bytes())?;
    write!(out, "\r\n")
}

/// The only line where there is no other, if something was lost: all of its `columns` but the last are empty.
pub(crate) fn write_lost_alone(out: &mut dyn Write, columns: usize, losses: &Ledger) -> io::Result<()> {
    if losses.is_lossless() {
        return Ok(());
    }
    write!(out, "{}", ",".repeat(columns.saturating_sub(1)))?;
    end_line(out, losses)
}
