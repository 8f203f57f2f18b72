//! Tables as CSV: RFC 4180, a line of headings, `losses` as the last column.

use std::io::{self, Write};

use sqtt_decoder::Ledger;
use sqtt_format::{Printable, push_csv_field};

use super::{Cell, Head, Writer};

#[derive(Default)]
pub(super) struct Csv {
    has_rows: bool,
}

impl Writer for Csv {
    fn begin(&mut self, out: &mut dyn Write, heads: &[Head]) -> io::Result<()> {
        heads.iter().try_for_each(|head| write!(out, "{},", head.name))?;
        write!(out, "losses\r\n")
    }

    /// Writes the losses in every line, so that they stay with a line wherever that goes.
    fn row(&mut self, out: &mut dyn Write, _: &[Head], cells: &[Cell<'_>], lost: &str) -> io::Result<()> {
        self.has_rows = true;
        for cell in cells {
            match cell {
                Cell::Text(bytes) => write_text(out, bytes)?,
                cell => write!(out, "{cell}")?,
            }
            out.write_all(b",")?;
        }
        write_text(out, lost.as_bytes())?;
        write!(out, "\r\n")
    }

    /// Writes the losses in a line of their own where there was no row.
    fn end(&mut self, out: &mut dyn Write, heads: &[Head], losses: &Ledger) -> io::Result<()> {
        match losses.lost().filter(|_| !self.has_rows) {
            Some(lost) => self.row(out, heads, &vec![Cell::Empty; heads.len()], &lost),
            None => Ok(()),
        }
    }
}

/// A text as a field. Control characters and what is not UTF-8 are escaped as in text.
fn write_text(out: &mut dyn Write, bytes: &[u8]) -> io::Result<()> {
    let mut field = Vec::new();
    push_csv_field(&mut field, Printable(bytes).to_string().as_bytes());
    out.write_all(&field)
}
