//! The values of data markers: what their words mean, and how they are distributed.

use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};

mod histogram;

pub use histogram::{Bin, Histogram, ValueSummary, Values};

/// Type that the words of data markers are read as. A trace has only bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum ValueType {
    /// Unsigned numbers.
    #[default]
    U32,
    /// Signed numbers.
    I32,
    /// Floating-point numbers of single precision.
    F32,
    /// Unsigned numbers of two words, the low one first. A last word without another is read as [`ValueType::U32`].
    U64,
    /// Signed ones; a word alone as [`ValueType::I32`].
    I64,
    /// Floating-point numbers of double precision; a word alone as [`ValueType::F32`].
    F64,
    /// Unsigned numbers, written in hexadecimal.
    Hex,
}

/// A name that is no [`ValueType`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("\"{0}\" is none of u32, i32, f32, u64, i64, f64, hex")]
pub struct NotAValueType(String);

impl FromStr for ValueType {
    type Err = NotAValueType;

    fn from_str(text: &str) -> Result<Self, NotAValueType> {
        Ok(match text {
            "u32" => ValueType::U32,
            "i32" => ValueType::I32,
            "f32" => ValueType::F32,
            "u64" => ValueType::U64,
            "i64" => ValueType::I64,
            "f64" => ValueType::F64,
            "hex" => ValueType::Hex,
            _ => return Err(NotAValueType(text.to_owned())),
        })
    }
}

/// A value of a marker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value {
    /// Index of the marker's word that it begins with, from 0.
    pub word: usize,
    bits: u64,
    kind: ValueType,
}

impl ValueType {
    /// The values that a marker's words are.
    pub fn values(self, words: &[u32]) -> impl Iterator<Item = Value> {
        let step = if self.is_wide() { 2 } else { 1 };
        words.chunks(step).enumerate().map(move |(index, words)| match *words {
            [low, high] => Value { word: index * step, bits: joined(low, high), kind: self },
            _ => Value { word: index * step, bits: words[0].into(), kind: self.of_one_word() },
        })
    }

    fn is_wide(self) -> bool {
        matches!(self, ValueType::U64 | ValueType::I64 | ValueType::F64)
    }

    fn of_one_word(self) -> Self {
        match self {
            ValueType::U64 => ValueType::U32,
            ValueType::I64 => ValueType::I32,
            ValueType::F64 => ValueType::F32,
            one => one,
        }
    }

    /// The bits as a number: the nearest to a 64-bit integer, and exact for all others.
    fn number(self, bits: u64) -> f64 {
        match self {
            ValueType::U32 | ValueType::Hex | ValueType::U64 => bits as f64,
            ValueType::I32 => (bits as u32).cast_signed().into(),
            ValueType::I64 => bits.cast_signed() as f64,
            ValueType::F32 => f32::from_bits(bits as u32).into(),
            ValueType::F64 => f64::from_bits(bits),
        }
    }

    /// The bits as they are written.
    fn text(self, bits: u64) -> impl fmt::Display {
        Value { word: 0, bits, kind: self }
    }

    /// A number between values as it is written.
    fn between(self, number: f64) -> String {
        match self {
            ValueType::Hex => format!("{:#x}", number as u64),
            ValueType::U32 | ValueType::I32 | ValueType::U64 | ValueType::I64 => format!("{number:.0}"),
            ValueType::F32 | ValueType::F64 => format!("{number}"),
        }
    }
}

fn joined(low: u32, high: u32) -> u64 {
    u64::from(high) << 32 | u64::from(low)
}

/// A number, and hexadecimal as text. JSON has `null` for what is no finite number.
impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.kind {
            ValueType::U32 | ValueType::U64 => serializer.serialize_u64(self.bits),
            ValueType::I32 => serializer.serialize_i32((self.bits as u32).cast_signed()),
            ValueType::I64 => serializer.serialize_i64(self.bits.cast_signed()),
            ValueType::F32 => serializer.serialize_f64(f32::from_bits(self.bits as u32).into()),
            ValueType::F64 => serializer.serialize_f64(f64::from_bits(self.bits)),
            ValueType::Hex => serializer.collect_str(self),
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            ValueType::U32 | ValueType::U64 => write!(out, "{}", self.bits),
            ValueType::I32 => write!(out, "{}", (self.bits as u32).cast_signed()),
            ValueType::I64 => write!(out, "{}", self.bits.cast_signed()),
            ValueType::F32 => write!(out, "{:?}", f32::from_bits(self.bits as u32)),
            ValueType::F64 => write!(out, "{:?}", f64::from_bits(self.bits)),
            ValueType::Hex => write!(out, "{:#010x}", self.bits),
        }
    }
}
