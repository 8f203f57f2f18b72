//! Records as they are held: per slot, in the order in which they arrived.

use super::records::{Record, RecordFlags};

/// A record as it is held.
#[derive(Clone, Copy, Debug)]
struct Held {
    /// Cycles since its chunk begins.
    after: u32,
    value: u32,
    flags: RecordFlags,
}

// What a trace of n records takes is this and little more.
const _: () = assert!(size_of::<Held>() == 12);

/// Records that follow each other, as far as their times are near each other.
#[derive(Clone, Debug, Default)]
struct Chunk {
    start: i64,
    records: Vec<Held>,
}

/// Records in chunks that are never moved, so that a long list takes no room to grow.
#[derive(Clone, Debug, Default)]
pub struct Records {
    /// Chunks before the last: none is empty.
    chunks: Vec<Chunk>,
    /// Empty only where there are none.
    last: Chunk,
    /// Number of records in `chunks`.
    before: usize,
}

impl Records {
    const SMALLEST_CHUNK: usize = 16;
    const LARGEST_CHUNK: usize = 4096;

    /// Number of records.
    #[must_use]
    pub fn len(&self) -> usize {
        self.before + self.last.records.len()
    }

    /// True if there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.last.records.is_empty()
    }

    /// Adds one at the end.
    #[inline]
    pub fn push(&mut self, record: Record) {
        let Record { time, value, flags } = record;
        let Chunk { start, records } = &mut self.last;
        match u32::try_from(time.wrapping_sub(*start)) {
            Ok(after) if records.len() < records.capacity() => records.push(Held { after, value, flags }),
            // In pieces: the record stays in registers.
            _ => self.begin_chunk(time, value, flags),
        }
    }

    #[cold]
    fn begin_chunk(&mut self, time: i64, value: u32, flags: RecordFlags) {
        let size = (self.len() + 1).next_power_of_two().clamp(Self::SMALLEST_CHUNK, Self::LARGEST_CHUNK);
        let mut records = Vec::with_capacity(size);
        records.push(Held { after: 0, value, flags });
        self.next(Chunk { start: time, records });
    }

    /// Another last chunk.
    fn next(&mut self, chunk: Chunk) {
        let mut full = std::mem::replace(&mut self.last, chunk);
        if !full.records.is_empty() {
            // Not so full where times are far from each other.
            full.records.shrink_to_fit();
            self.before += full.records.len();
            self.chunks.push(full);
        }
    }

    /// Adds all of another list at the end, without copying its records.
    pub fn append(&mut self, mut other: Records) {
        if other.is_empty() {
            return;
        }
        self.next(other.last);
        self.before += other.before;
        self.chunks.append(&mut other.chunks);
    }

    /// Gives back what the last chunk has in reserve.
    pub(crate) fn compact(&mut self) {
        self.last.records.shrink_to_fit();
    }

    /// The records in order.
    pub fn iter(&self) -> impl Iterator<Item = Record> + '_ {
        self.cursor()
    }

    pub(crate) fn cursor(&self) -> Cursor<'_> {
        let mut cursor =
            Cursor { start: 0, chunk: &[], chunks: &self.chunks, last: Some(&self.last), left: self.len() };
        cursor.take_chunk();
        cursor
    }
}

impl FromIterator<Record> for Records {
    fn from_iter<I: IntoIterator<Item = Record>>(records: I) -> Self {
        let mut list = Self::default();
        records.into_iter().for_each(|record| list.push(record));
        list
    }
}

/// A place in [`Records`], and how many there are from it on. Cheap to copy, so looking ahead is walking
/// a copy.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cursor<'a> {
    start: i64,
    /// Rest of the chunk at hand; empty only at the end of the list.
    chunk: &'a [Held],
    chunks: &'a [Chunk],
    last: Option<&'a Chunk>,
    left: usize,
}

impl Cursor<'_> {
    pub(crate) fn left(&self) -> usize {
        self.left
    }

    /// Moves the end to after `count` records.
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
        if self.left == 0 { None } else { self.chunk.first().map(|held| self.record(held)) }
    }

    #[inline]
    fn record(&self, held: &Held) -> Record {
        let Held { after, value, flags } = *held;
        Record { time: self.start.wrapping_add(i64::from(after)), value, flags }
    }

    fn take_chunk(&mut self) {
        let chunk = match self.chunks.split_first() {
            Some((chunk, rest)) => {
                self.chunks = rest;
                Some(chunk)
            }
            None => self.last.take(),
        };
        (self.start, self.chunk) = chunk.map_or((0, [].as_slice()), |chunk| (chunk.start, &chunk.records));
    }
}

impl Iterator for Cursor<'_> {
    type Item = Record;

    #[inline]
    fn next(&mut self) -> Option<Record> {
        if self.left == 0 {
            return None;
        }
        let (held, rest) = self.chunk.split_first()?;
        let record = self.record(held);
        self.left -= 1;
        self.chunk = rest;
        // The next record, where there is one, is always at hand.
        if rest.is_empty() {
            self.take_chunk();
        }
        Some(record)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_keep_their_order_and_cursors_their_end() {
        let record = |time| Record { time, value: 7, flags: RecordFlags::NONE };
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

    /// Whatever times do: go back, are as far from each other as they can be, are wrapped.
    #[test]
    fn times_of_any_distance_come_back() {
        let far = 1_i64 << 32;
        let times = [0, far - 1, far, 5, 4, -1, i64::MAX, i64::MIN, i64::MAX - 1, far * 7, far * 7 + 1, 0];
        let flags = [RecordFlags::NONE, RecordFlags::IMMEDIATE, RecordFlags::PRIVILEGED];
        let records: Vec<Record> = (0..3000)
            .map(|at| Record { time: times[at * at % 12], value: at as u32, flags: flags[at % 3] })
            .collect();
        let mut list: Records = records[..1000].iter().copied().collect();
        list.append(records[1000..1001].iter().copied().collect());
        list.append(records[1001..].iter().copied().collect());
        list.compact();
        assert_eq!(list.len(), 3000);
        assert!(list.iter().eq(records.iter().copied()));
        let mut cursor = list.cursor();
        for record in &records {
            assert_eq!(cursor.peek(), Some(*record));
            assert_eq!(cursor.next(), Some(*record));
        }
        assert_eq!((cursor.peek(), cursor.next(), cursor.left()), (None, None, 0));
        // Chunks that end early keep no room in reserve.
        assert!(list.chunks.iter().all(|chunk| chunk.records.capacity() == chunk.records.len()));
    }
}
