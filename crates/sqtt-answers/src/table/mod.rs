//! Rows with typed columns, and one writer for each format.
//!
//! A table names its columns once, with type and unit, and how each is read from a row. Rows are written as they come;
//! none is kept. A format that is added is a `Writer` in a file of its own.

mod csv;
mod json;
#[cfg(test)]
mod tests;
mod text;

use std::borrow::Cow;
use std::fmt;
use std::io::{self, Write};

use sqtt_decoder::Ledger;
use sqtt_decoder::values::Value;
use sqtt_format::{Name, Printable};

pub(crate) use json::JsonLayout;

/// Format of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// For people.
    Text,
    /// JSON: one document, or one object per line.
    Json,
    /// CSV (RFC 4180) with a line of headings. The last column, `losses`, says in every line what was lost.
    Csv,
}

/// Unit of a column's numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Nothing that has a unit.
    None,
    /// Cycles of the shader clock.
    Cycles,
    /// Bytes.
    Bytes,
}

/// Type of a column's cells, if they are not empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    /// True or false.
    Flag,
    /// Numbers from 0.
    Unsigned,
    /// Whole numbers.
    Signed,
    /// Other numbers.
    Real,
    /// Numbers that are written in hexadecimal.
    Hex,
    /// Bytes of a name, a path, a text.
    Text,
    /// Values of data markers.
    Value,
    /// Several of one type.
    List(&'static Type),
}

/// A cell of a row.
#[derive(Clone, Debug)]
pub enum Cell<'a> {
    /// Not there, or not known.
    Empty,
    /// True or false.
    Flag(bool),
    /// A number from 0.
    Unsigned(u64),
    /// A whole number.
    Signed(i64),
    /// Another number.
    Real(f64),
    /// A number in hexadecimal, with so many digits.
    Hex(u64, usize),
    /// Bytes, which may be anything; every writer makes them harmless in its own way.
    Text(Cow<'a, [u8]>),
    /// A value of a data marker.
    Value(Value),
    /// Several cells of one type.
    List(Vec<Cell<'a>>),
}

impl Cell<'_> {
    fn is(&self, kind: Type) -> bool {
        match self {
            Cell::Empty => true,
            Cell::Flag(_) => kind == Type::Flag,
            Cell::Unsigned(_) => kind == Type::Unsigned,
            Cell::Signed(_) => kind == Type::Signed,
            Cell::Real(_) => kind == Type::Real,
            Cell::Hex(..) => kind == Type::Hex,
            Cell::Text(_) => kind == Type::Text,
            Cell::Value(_) => kind == Type::Value,
            Cell::List(cells) => {
                matches!(kind, Type::List(inner) if cells.iter().all(|cell| cell.is(*inner)))
            }
        }
    }

    const fn is_empty(&self) -> bool {
        matches!(self, Cell::Empty)
    }
}

/// One line of text without control characters. Width, alignment and, of real numbers, precision are heeded.
impl fmt::Display for Cell<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Cell::Empty => Ok(()),
            Cell::Flag(flag) => flag.fmt(out),
            Cell::Unsigned(number) => number.fmt(out),
            Cell::Signed(number) => number.fmt(out),
            Cell::Real(number) => number.fmt(out),
            Cell::Hex(number, digits) => out.pad(&format!("{number:#0width$x}", width = digits + 2)),
            Cell::Text(bytes) if out.width().is_none() => Printable(bytes).fmt(out),
            Cell::Text(bytes) => out.pad(&Printable(bytes).to_string()),
            Cell::Value(value) => write!(out, "{value}"),
            Cell::List(cells) => cells.iter().enumerate().try_for_each(|(index, cell)| {
                let gap = if index > 0 { " " } else { "" };
                write!(out, "{gap}{cell}")
            }),
        }
    }
}

macro_rules! cells {
    ($($from:ty => |$value:ident| $cell:expr;)*) => {
        $(impl<'a> From<$from> for Cell<'a> {
            fn from($value: $from) -> Self {
                $cell
            }
        })*
    };
}

cells! {
    bool => |value| Cell::Flag(value);
    u8 => |value| Cell::Unsigned(value.into());
    u16 => |value| Cell::Unsigned(value.into());
    u32 => |value| Cell::Unsigned(value.into());
    u64 => |value| Cell::Unsigned(value);
    usize => |value| Cell::Unsigned(value as u64);
    i64 => |value| Cell::Signed(value);
    f64 => |value| Cell::Real(value);
    Value => |value| Cell::Value(value);
    String => |value| Cell::Text(value.into_bytes().into());
    Name => |value| Cell::Text(value.into_bytes().into());
    &'a str => |value| Cell::Text(value.as_bytes().into());
    &'a [u8] => |value| Cell::Text(value.into());
    Cow<'a, [u8]> => |value| Cell::Text(value);
}

impl<'a, T: Into<Cell<'a>>> From<Option<T>> for Cell<'a> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Cell::Empty, Into::into)
    }
}

impl<'a, T: Into<Cell<'a>>> FromIterator<T> for Cell<'a> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        Cell::List(items.into_iter().map(Into::into).collect())
    }
}

/// A kind of table, by what its rows are made of.
pub trait Rows {
    /// One row's source.
    type Row<'a>;
}

/// Properties of a column for writers.
#[derive(Clone, Debug)]
pub(crate) struct Head {
    /// Its name. In JSON, columns `a.b` and `a.c` are members of an object `a`.
    name: String,
    kind: Type,
    unit: Unit,
    /// Characters that it takes in text at least; it is aligned to the right.
    width: usize,
    /// Left out of JSON where it is empty. The first of a group speaks for the group.
    is_optional: bool,
}

type Read<T> = Box<dyn for<'r, 'a> Fn(&'r <T as Rows>::Row<'a>) -> Cell<'r>>;

/// A column of a table.
pub(crate) struct Column<T: Rows> {
    head: Head,
    read: Read<T>,
}

impl<T: Rows> Column<T> {
    pub(crate) fn new(
        name: impl Into<String>,
        kind: Type,
        read: impl for<'r, 'a> Fn(&'r T::Row<'a>) -> Cell<'r> + 'static,
    ) -> Self {
        let head = Head { name: name.into(), kind, unit: Unit::None, width: 0, is_optional: false };
        Self { head, read: Box::new(read) }
    }

    pub(crate) fn unit(mut self, unit: Unit) -> Self {
        self.head.unit = unit;
        self
    }

    pub(crate) fn width(mut self, width: usize) -> Self {
        self.head.width = width;
        self
    }

    pub(crate) fn optional(mut self) -> Self {
        self.head.is_optional = true;
        self
    }
}

/// A format. `out` is the same for all calls.
pub(crate) trait Writer {
    /// Before all rows.
    fn begin(&mut self, _out: &mut dyn Write, _heads: &[Head]) -> io::Result<()> {
        Ok(())
    }

    /// Before the rows of a part of the table.
    fn section(&mut self, _out: &mut dyn Write, _heads: &[Head], _title: &str) -> io::Result<()> {
        Ok(())
    }

    /// A row. `lost` is what was lost of what it comes from, in words.
    fn row(&mut self, out: &mut dyn Write, heads: &[Head], cells: &[Cell<'_>], lost: &str) -> io::Result<()>;

    /// Behind all rows.
    fn end(&mut self, out: &mut dyn Write, heads: &[Head], losses: &Ledger) -> io::Result<()>;
}

/// A table that is being written, row by row.
pub struct Table<T: Rows> {
    heads: Vec<Head>,
    reads: Vec<Read<T>>,
    writer: Box<dyn Writer>,
    lost: String,
}

impl<T: Rows> Table<T> {
    fn new(columns: Vec<Column<T>>, writer: impl Writer + 'static) -> Self {
        let (heads, reads) = columns.into_iter().map(|column| (column.head, column.read)).unzip();
        Self { heads, reads, writer: Box::new(writer), lost: String::new() }
    }

    /// Lines for people: columns at a distance of `gap` spaces, and of two before the last. Every section begins with
    /// the names of the columns if it `is_headed`.
    pub(crate) fn text(columns: Vec<Column<T>>, gap: usize, is_headed: bool) -> Self {
        Self::new(columns, text::Text { gap, is_headed })
    }

    pub(crate) fn json(columns: Vec<Column<T>>, layout: JsonLayout) -> Self {
        Self::new(columns, json::Json::new(layout))
    }

    pub(crate) fn csv(columns: Vec<Column<T>>) -> Self {
        Self::new(columns, csv::Csv::default())
    }

    /// Names, types and units of the columns.
    pub fn columns(&self) -> impl Iterator<Item = (&str, Type, Unit)> {
        self.heads.iter().map(|head| (head.name.as_str(), head.kind, head.unit))
    }

    /// Says what was lost of the rows that come next.
    pub fn set_losses(&mut self, losses: &Ledger) {
        self.lost = losses.lost().unwrap_or_default();
    }

    /// Begins the table.
    ///
    /// # Errors
    ///
    /// Errors of `out`.
    pub fn begin(&mut self, out: &mut dyn Write) -> io::Result<()> {
        self.writer.begin(out, &self.heads)
    }

    /// Begins a part of the table, with a line for people.
    ///
    /// # Errors
    ///
    /// Errors of `out`.
    pub fn section(&mut self, out: &mut dyn Write, title: &str) -> io::Result<()> {
        self.writer.section(out, &self.heads, title)
    }

    /// Writes a row.
    ///
    /// # Errors
    ///
    /// Errors of `out`.
    pub fn row(&mut self, out: &mut dyn Write, row: &T::Row<'_>) -> io::Result<()> {
        let cells: Vec<Cell<'_>> = self.reads.iter().map(|read| read(row)).collect();
        debug_assert!(cells.iter().zip(&self.heads).all(|(cell, head)| cell.is(head.kind)), "{cells:?}");
        self.writer.row(out, &self.heads, &cells, &self.lost)
    }

    /// Ends the table with all that was lost.
    ///
    /// # Errors
    ///
    /// Errors of `out`.
    pub fn end(&mut self, out: &mut dyn Write, losses: &Ledger) -> io::Result<()> {
        self.writer.end(out, &self.heads, losses)
    }
}
