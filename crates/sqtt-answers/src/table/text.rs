//! Tables for people: a line per row, columns that are aligned to the right, and a last one of any length.

use std::io::{self, Write};

use sqtt_decoder::Ledger;

use super::{Cell, Head, Writer};

pub(super) struct Text {
    /// Spaces between columns, 1 or 2; before the last there are two.
    pub(super) gap: usize,
    pub(super) is_headed: bool,
}

impl Text {
    fn gap(&self, index: usize, columns: usize) -> &'static str {
        match index {
            0 => "",
            index if index + 1 < columns && self.gap == 1 => " ",
            _ => "  ",
        }
    }
}

impl Writer for Text {
    fn section(&mut self, out: &mut dyn Write, heads: &[Head], title: &str) -> io::Result<()> {
        if !title.is_empty() {
            writeln!(out, "{title}")?;
        }
        if !self.is_headed {
            return Ok(());
        }
        for (index, Head { name, width, .. }) in heads.iter().enumerate() {
            write!(out, "{}{name:>width$}", self.gap(index, heads.len()))?;
        }
        writeln!(out)
    }

    fn row(&mut self, out: &mut dyn Write, heads: &[Head], cells: &[Cell<'_>], _: &str) -> io::Result<()> {
        for (index, (&Head { width, .. }, cell)) in heads.iter().zip(cells).enumerate() {
            out.write_all(self.gap(index, heads.len()).as_bytes())?;
            match cell {
                Cell::Empty => write!(out, "{:>width$}", "-")?,
                Cell::Real(number) => write!(out, "{number:>width$.2}")?,
                cell if width == 0 => write!(out, "{cell}")?,
                cell => write!(out, "{cell:>width$}")?,
            }
        }
        writeln!(out)
    }

    fn end(&mut self, out: &mut dyn Write, _: &[Head], losses: &Ledger) -> io::Result<()> {
        crate::write_lost_line(out, losses)
    }
}
