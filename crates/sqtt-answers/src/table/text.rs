//! Tables for people: a line per row, columns that are aligned to the right, and a last one of any length.

use std::io::{self, Write};

use sqtt_decoder::Ledger;

use super::{Cell, Head, Writer};

pub(super) struct Text {
    pub(super) gap: usize,
    pub(super) is_headed: bool,
}

impl Text {
    fn line(
        &self,
        out: &mut dyn Write,
        heads: &[Head],
        texts: impl Iterator<Item = String>,
    ) -> io::Result<()> {
        for (index, (head, text)) in heads.iter().zip(texts).enumerate() {
            let gap = match index {
                0 => 0,
                index if index + 1 == heads.len() => 2,
                _ => self.gap,
            };
            write!(out, "{:gap$}{text:>width$}", "", width = head.width)?;
        }
        writeln!(out)
    }
}

impl Writer for Text {
    fn section(&mut self, out: &mut dyn Write, heads: &[Head], title: &str) -> io::Result<()> {
        if !title.is_empty() {
            writeln!(out, "{title}")?;
        }
        if self.is_headed {
            self.line(out, heads, heads.iter().map(|head| head.name.clone()))
        } else {
            Ok(())
        }
    }

    fn row(&mut self, out: &mut dyn Write, heads: &[Head], cells: &[Cell<'_>], _: &str) -> io::Result<()> {
        let texts = cells.iter().map(|cell| match cell {
            Cell::Empty => "-".to_owned(),
            Cell::Real(number) => format!("{number:.2}"),
            cell => cell.to_string(),
        });
        self.line(out, heads, texts)
    }

    fn end(&mut self, out: &mut dyn Write, _: &[Head], losses: &Ledger) -> io::Result<()> {
        crate::write_lost_line(out, losses)
    }
}
