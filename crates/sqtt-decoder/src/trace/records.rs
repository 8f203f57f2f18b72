//! Records as they are held: per slot, in the order in which they arrived.

use std::fmt;

/// One `s_ttracedata` record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record {
    /// Shader clock cycles.
    pub time: i64,
    /// The word that was traced.
    pub value: u32,
    /// Bits [`Record::IMMEDIATE`] and [`Record::PRIVILEGED`].
    pub flags: u8,
}

// What a trace of n records takes is this and little more.
const _: () = assert!(size_of::<Record>() == 16);

impl Record {
    /// Written by `s_ttracedata_imm`: always a marker's header.
    pub const IMMEDIATE: u8 = 1;
    /// Written by the trap handler.
    pub const PRIVILEGED: u8 = 2;

    /// Whether `s_ttracedata_imm` wrote it.
    #[must_use]
    pub const fn is_immediate(self) -> bool {
        self.flags & Self::IMMEDIATE != 0
    }

    /// Whether the trap handler wrote it.
    #[must_use]
    pub const fn is_privileged(self) -> bool {
        self.flags & Self::PRIVILEGED != 0
    }
}

/// Cycles, to either side of 0, that the times of a trace keep within: the integers that all readers of JSON take
/// alike (RFC 8259, 6).
///
/// No token of any generation has room for a longer time (gfx12's TIMESTAMP has 52 bits), and it takes more than a
/// month to get there: a time beyond is damage. The difference of two times within never overflows.
pub(crate) const LONGEST: i64 = 1 << 53;

/// Whether a time can be one of a trace.
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

/// Where records go: the part of [`SlotId`] that a record names itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Place {
    pub(crate) cu: u16,
    pub(crate) simd: u8,
    pub(crate) slot: u8,
}

impl Place {
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

/// Records in chunks that are never moved, so that a long list takes no room to grow.
#[derive(Clone, Debug, Default)]
pub struct Records {
    /// Those before the last: none is empty.
    chunks: Vec<Vec<Record>>,
    /// Empty only where there are none.
    last: Vec<Record>,
    /// How many are in `chunks`.
    before: usize,
}

impl Records {
    const SMALLEST_CHUNK: usize = 16;
    const LARGEST_CHUNK: usize = 4096;

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.before + self.last.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.last.is_empty()
    }

    /// Adds one at the end.
    #[inline]
    pub fn push(&mut self, record: Record) {
        if self.last.len() < self.last.capacity() {
            self.last.push(record);
        } else {
            // In pieces: the record stays in registers.
            self.begin_chunk(record.time, record.value, record.flags);
        }
    }

    #[cold]
    fn begin_chunk(&mut self, time: i64, value: u32, flags: u8) {
        let size = (self.len() + 1).next_power_of_two().clamp(Self::SMALLEST_CHUNK, Self::LARGEST_CHUNK);
        let full = std::mem::replace(&mut self.last, Vec::with_capacity(size));
        self.close(full);
        self.last.push(Record { time, value, flags });
    }

    fn close(&mut self, chunk: Vec<Record>) {
        if !chunk.is_empty() {
            self.before += chunk.len();
            self.chunks.push(chunk);
        }
    }

    /// Adds all of another list at the end, without copying its records.
    pub fn append(&mut self, mut other: Records) {
        if other.is_empty() {
            return;
        }
        let full = std::mem::replace(&mut self.last, other.last);
        self.close(full);
        self.before += other.before;
        self.chunks.append(&mut other.chunks);
    }

    /// Gives back what the last chunk has in reserve.
    pub(crate) fn compact(&mut self) {
        self.last.shrink_to_fit();
    }

    /// The records in order.
    pub fn iter(&self) -> impl Iterator<Item = Record> + '_ {
        self.chunks.iter().chain([&self.last]).flatten().copied()
    }

    pub(crate) fn cursor(&self) -> Cursor<'_> {
        let (mut chunks, mut last) = (self.chunks.as_slice(), self.last.as_slice());
        let chunk = take_chunk(&mut chunks, &mut last);
        Cursor { chunk, chunks, last, left: self.len() }
    }
}

impl FromIterator<Record> for Records {
    fn from_iter<I: IntoIterator<Item = Record>>(records: I) -> Self {
        let mut list = Self::default();
        records.into_iter().for_each(|record| list.push(record));
        list
    }
}

fn take_chunk<'a>(chunks: &mut &'a [Vec<Record>], last: &mut &'a [Record]) -> &'a [Record] {
    match chunks.split_first() {
        Some((chunk, rest)) => {
            *chunks = rest;
            chunk
        }
        None => std::mem::take(last),
    }
}

/// A place in [`Records`], and how many there are from it on. Cheap to copy, so looking ahead is walking
/// a copy.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cursor<'a> {
    chunk: &'a [Record],
    chunks: &'a [Vec<Record>],
    last: &'a [Record],
    left: usize,
}

impl Cursor<'_> {
    pub(crate) fn left(&self) -> usize {
        self.left
    }

    /// The same place, with the end after `count` records.
    pub(crate) fn first(mut self, count: usize) -> Self {
        self.left = self.left.min(count);
        self
    }

    /// Something that tells the place from all others of the list.
    #[inline]
    pub(crate) fn address(&self) -> usize {
        self.chunk.as_ptr().addr()
    }

    #[inline]
    pub(crate) fn peek(&self) -> Option<Record> {
        if self.left == 0 { None } else { self.chunk.first().copied() }
    }
}

impl Iterator for Cursor<'_> {
    type Item = Record;

    #[inline]
    fn next(&mut self) -> Option<Record> {
        if self.left == 0 {
            return None;
        }
        let (&record, rest) = self.chunk.split_first()?;
        self.left -= 1;
        self.chunk = rest;
        // Chunks are never empty: the next record, where there is one, is always at hand.
        if rest.is_empty() {
            self.chunk = take_chunk(&mut self.chunks, &mut self.last);
        }
        Some(record)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_keep_their_order_and_cursors_their_end() {
        let record = |time| Record { time, value: 7, flags: 0 };
        let mut all: Records = (0..10_000).map(record).collect();
        all.append((10_000..10_020).map(record).collect());
        all.append(Records::default());
        all.push(record(10_020));
        assert_eq!(all.len(), 10_021);
        assert!(all.iter().map(|record| record.time).eq(0..10_021));
        let mut cursor = all.cursor();
        assert!(cursor.by_ref().take(5000).map(|record| record.time).eq(0..5000));
        let ahead = cursor.first(3);
        assert!(ahead.map(|record| record.time).eq(5000..5003));
        assert_eq!((cursor.left(), cursor.peek()), (5021, Some(record(5000))));
        assert_eq!(cursor.last(), Some(record(10_020)));
    }

    #[test]
    fn times_have_an_end() {
        assert!([0, -1, LONGEST - 1, 1 - LONGEST].into_iter().all(is_time));
        assert!(![LONGEST, -LONGEST, 1 << 62, i64::MAX, i64::MIN].into_iter().any(is_time));
    }

    #[test]
    fn shader_arrays_are_different_places() {
        assert_ne!(Place::of(1, 0, 3), Place::of(129, 0, 3));
        assert_eq!(Place::of(-1, 0, 0), None);
        assert_eq!(Place::of(0, 256, 0), None);
    }
}
