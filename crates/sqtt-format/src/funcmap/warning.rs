//! Warnings about rows that a reader could not take as they are.

use std::fmt;

use super::EntryKind;
use crate::{Name, Printable};

/// A row that is wrong or suspicious. Reading goes on after it.
///
/// Printed as one line of printable text, whatever the row held:
/// `line 2: malformed row, expected F:, K:, U:, P:, W:, R: or M:: "garbage line"`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Warning {
    /// Line of the row in its section, from 1. Newlines and NULs both end a line.
    pub line: usize,
    /// The row without its end, cut after [`Warning::ROW_LIMIT`] bytes.
    pub row: Vec<u8>,
    /// The fault of the row.
    pub kind: WarningKind,
}

/// The fault of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum WarningKind {
    /// No letter and colon at its head.
    MalformedRow,
    /// A letter that means nothing here.
    UnknownPrefix(u8),
    /// An `F:`, `K:`, `U:` or `P:` row without a decimal id of at most 32 bits (not `K:`) and a name.
    MalformedEntry(EntryKind),
    /// A `W:` row without a decimal number of at most 32 bits.
    MalformedWaveSize,
    /// A `W:` row that says neither 32 nor 64. The number is kept.
    UnusualWaveSize(u32),
    /// An `R:` row without an id and a count.
    MalformedPayload,
    /// An `M:` row with a layout that cannot exist. The layout that held before it stays.
    MalformedEncoding,
    /// Two rows give one id to different markers, or one marker twice. Both stay; looking the id up
    /// gives the later one.
    DuplicateId {
        /// The id.
        id: u32,
        /// The name it had.
        earlier: Name,
        /// The name it has from now on.
        later: Name,
    },
    /// An `R:` row for an id that no row names. It counts all the same.
    PayloadWithoutRow {
        /// The id.
        id: u32,
    },
}

impl Warning {
    /// The number of bytes of a row that are kept and shown.
    pub const ROW_LIMIT: usize = 200;

    pub(super) fn new(line: usize, row: &[u8], kind: WarningKind) -> Self {
        Self { line, row: row[..row.len().min(Self::ROW_LIMIT)].to_vec(), kind }
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "line {}: {}: \"{}\"", self.line, self.kind, Printable(&self.row))?;
        if self.row.len() == Self::ROW_LIMIT { out.write_str("…") } else { Ok(()) }
    }
}

impl fmt::Display for WarningKind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WarningKind::MalformedRow => {
                out.write_str("malformed row, expected a letter of F K U P W R M and a colon")
            }
            WarningKind::UnknownPrefix(prefix) => {
                write!(out, "unknown row prefix '{}'", prefix.escape_ascii())
            }
            WarningKind::MalformedEntry(EntryKind::Kernel) => {
                out.write_str("malformed K: row, expected K:name[@source_loc]")
            }
            WarningKind::MalformedEntry(kind) => {
                let prefix = char::from(kind.prefix());
                write!(out, "malformed {prefix}: row, expected {prefix}:id:name[@source_loc]")
            }
            WarningKind::MalformedWaveSize => out.write_str("malformed W: row, expected W:32 or W:64"),
            WarningKind::UnusualWaveSize(size) => write!(out, "wave size {size} is neither 32 nor 64"),
            WarningKind::MalformedPayload => {
                out.write_str("malformed R: row, expected R:id:extra_payload_count=N")
            }
            WarningKind::MalformedEncoding => out.write_str(
                "malformed M: row, expected M:shader_clock_bits=N;shader_clock_shift=S with N <= 29 and N+S <= 32",
            ),
            WarningKind::DuplicateId { id, earlier, later } => write!(
                out,
                "duplicate marker ID {id}: \"{}\" replaces \"{}\"",
                Printable(&later[..later.len().min(Warning::ROW_LIMIT)]),
                Printable(&earlier[..earlier.len().min(Warning::ROW_LIMIT)]),
            ),
            WarningKind::PayloadWithoutRow { id } => {
                write!(out, "payload of marker ID {id}, which no row names")
            }
        }
    }
}
