//! Records, their places, and reported losses.

use std::fmt;

/// One `s_ttracedata` record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record {
    /// Shader clock cycles.
    pub time: i64,
    /// The word that was traced.
    pub value: u32,
    /// Way it was written.
    pub flags: RecordFlags,
}

impl Record {
    /// True if `s_ttracedata_imm` wrote it.
    #[must_use]
    pub const fn is_immediate(self) -> bool {
        self.flags.contain(RecordFlags::IMMEDIATE)
    }

    /// True if the trap handler wrote it.
    #[must_use]
    pub const fn is_privileged(self) -> bool {
        self.flags.contain(RecordFlags::PRIVILEGED)
    }
}

/// Way a record was written. Bits without a known meaning are kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct RecordFlags(u8);

impl RecordFlags {
    /// By `s_ttracedata`, by the program.
    pub const NONE: Self = Self(0);
    /// By `s_ttracedata_imm`: always a marker's header.
    pub const IMMEDIATE: Self = Self(1);
    /// By the trap handler.
    pub const PRIVILEGED: Self = Self(2);

    /// Flags from the bits of a record file.
    #[must_use]
    pub const fn from_bits(bits: u8) -> Self {
        Self(bits)
    }

    /// The bits that record files have.
    #[must_use]
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// These flags if `is_set`, else none.
    #[must_use]
    pub const fn when(self, is_set: bool) -> Self {
        if is_set { self } else { Self::NONE }
    }

    /// True if all of the `other` flags are set.
    #[must_use]
    pub const fn contain(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }
}

impl std::ops::BitOr for RecordFlags {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// Cycles, to either side of 0, that the times of a trace keep within: the integers that all readers of JSON take
/// alike (RFC 8259, 6).
///
/// No token of any generation has room for a longer time (gfx12's TIMESTAMP has 52 bits), and it takes more than a
/// month to get there: a time beyond is damage. The difference of two times within never overflows.
pub(crate) const LONGEST: i64 = 1 << 53;

/// True if a time can be one of a trace.
#[inline]
pub(crate) const fn is_time(time: i64) -> bool {
    -LONGEST < time && time < LONGEST
}

/// A place that holds one wave at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SlotId {
    /// Shader engine.
    pub se: u32,
    /// CU on gfx9; WGP, and the shader array times 128, on gfx10 and later. Never folded: waves of two
    /// shader arrays are different waves.
    pub cu: u16,
    /// SIMD of the CU or WGP.
    pub simd: u8,
    /// Wave slot of the SIMD.
    pub slot: u8,
}

impl fmt::Display for SlotId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "SE{}/CU{}/SIMD{}/W{}", self.se, self.cu, self.simd, self.slot)
    }
}

/// Place of records: the part of [`SlotId`] that a record names itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct WaveSlot {
    pub(crate) cu: u16,
    pub(crate) simd: u8,
    pub(crate) slot: u8,
}

impl WaveSlot {
    /// From the columns of a row; `None` where they name no slot that can exist.
    pub(crate) fn of(cu: i64, simd: i64, slot: i64) -> Option<Self> {
        Some(Self {
            cu: u16::try_from(cu).ok()?,
            simd: u8::try_from(simd).ok()?,
            slot: u8::try_from(slot).ok()?,
        })
    }
}

/// A reported loss of a shader engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Loss {
    /// Records of earlier times came before it.
    pub(crate) from: i64,
    /// Records of later times came behind it. Of those between, each may have; there are none where `until` is less.
    pub(crate) until: i64,
    /// Waves that start up to there may lack their first records.
    pub(crate) reach: i64,
}

impl Loss {
    /// One that the trace gives a time.
    pub(crate) fn at(time: i64) -> Self {
        Self { from: time, until: time, reach: time }
    }

    /// One behind a record, of which the latest so far is of the time `before`, and before one of the time `behind`.
    pub(crate) fn between(before: i64, behind: i64) -> Self {
        if behind > before {
            Self { from: before.saturating_add(1), until: before, reach: behind }
        } else {
            Self { from: behind, until: before, reach: before }
        }
    }

    /// Losses in order; those that overlap are one.
    pub(crate) fn sorted(mut losses: Vec<Self>) -> Vec<Self> {
        losses.sort_by_key(|loss| loss.from);
        losses.dedup_by(|next, loss| {
            next.reach = next.reach.max(loss.reach);
            let is_same = next.from <= loss.until || next.from == loss.from;
            if is_same {
                (loss.until, loss.reach) = (loss.until.max(next.until), next.reach);
            }
            is_same
        });
        losses
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_an_end() {
        assert!([0, -1, LONGEST - 1, 1 - LONGEST].into_iter().all(is_time));
        assert!(![LONGEST, -LONGEST, 1 << 62, i64::MAX, i64::MIN].into_iter().any(is_time));
    }

    #[test]
    fn shader_arrays_are_different_places() {
        assert_ne!(WaveSlot::of(1, 0, 3), WaveSlot::of(129, 0, 3));
        assert_eq!(WaveSlot::of(-1, 0, 0), None);
        assert_eq!(WaveSlot::of(0, 256, 0), None);
    }
}
