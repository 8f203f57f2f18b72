//! Values that have no parts, and faults.

use std::io;

use super::STRING_LIMIT;

/// Why a file could not be read further.
#[derive(Debug, thiserror::Error)]
#[error("at byte {offset:#x}: {reason}")]
#[non_exhaustive]
pub struct JsonError {
    /// Byte of the file.
    pub offset: u64,
    /// The fault.
    pub reason: JsonReason,
}

/// Faults of a JSON text.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum JsonReason {
    /// The file ends inside of a value.
    #[error("the file ends here, inside of a value")]
    Truncated,
    /// Another byte than the grammar asks for.
    #[error("expected {expected}, found {found}")]
    Unexpected {
        /// Texts that could stand here.
        expected: &'static str,
        /// Text that does, escaped.
        found: String,
    },
    /// A string longer than any name.
    #[error("a string of more than {STRING_LIMIT} bytes")]
    LongString,
    /// The system did not let us read.
    #[error("{0}")]
    Io(io::Error),
}

impl JsonError {
    /// True if the file just ends too early, or what it was compressed to does: what came before is good.
    pub(crate) fn is_truncation(&self) -> bool {
        match &self.reason {
            JsonReason::Truncated => true,
            JsonReason::Io(error) => error.kind() == io::ErrorKind::UnexpectedEof,
            _ => false,
        }
    }
}

/// A number as it stands in the file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Number {
    /// One that fits 64 bits, signed.
    Int(i64),
    /// One that only fits 64 bits without a sign.
    Unsigned(u64),
    /// With a fraction, an exponent, or too large.
    Float(f64),
}

impl Number {
    /// A time: writers that cast negative ones to `size_t` are understood.
    pub(crate) fn time(self) -> Option<i64> {
        match self {
            Number::Int(value) => Some(value),
            Number::Unsigned(value) => Some(value.cast_signed()),
            Number::Float(_) => None,
        }
    }

    /// A number that is not negative.
    pub(crate) fn unsigned(self) -> Option<u64> {
        match self {
            Number::Int(value) => u64::try_from(value).ok(),
            Number::Unsigned(value) => Some(value),
            Number::Float(_) => None,
        }
    }
}

/// Kind of the next value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum JsonKind {
    Object,
    Array,
    String,
    Number,
    Null,
    Bool,
}
