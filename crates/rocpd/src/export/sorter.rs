//! Brings counter values into the order of the output, in bounded memory.
//!
//! Values come in the order of collection. They are sorted by dispatch and counter: in memory while they fit,
//! else in runs on disk that are merged. Equal keys keep their order, because the values of a counter's
//! instances are added up, and the sum of floating-point numbers depends on the order.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek as _, Write};

/// The sum of a counter's instances as SQLite's `SUM` gives it (Kahan-Babuska): NULL where all are NULL.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Sum {
    total: f64,
    error: f64,
    any: bool,
}

impl Sum {
    fn add(&mut self, value: f64) {
        // NULL travels as NaN, which SQLite cannot store.
        if value.is_nan() {
            return;
        }
        let total = self.total + value;
        self.error += if self.total.abs() > value.abs() {
            (self.total - total) + value
        } else {
            (value - total) + self.total
        };
        self.total = total;
        self.any = true;
    }

    /// The sum. Infinities of both signs have none: NULL.
    pub(crate) fn value(self) -> Option<f64> {
        let sum = if self.error.is_nan() { self.total } else { self.total + self.error };
        (self.any && !sum.is_nan()).then_some(sum)
    }
}

/// The key that values are sorted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Key {
    /// The dispatch's place in the output.
    pub(crate) dispatch: u32,
    /// The counter's place among the names.
    pub(crate) counter: u32,
}

const RECORD: usize = 16;

/// Collects values, then hands on sums in order.
#[derive(Debug)]
pub(crate) struct Sorter {
    capacity: usize,
    rows: Vec<(Key, f64)>,
    runs: Vec<File>,
}

impl Sorter {
    /// A sorter that keeps at most `capacity` values in memory.
    pub(crate) fn new(capacity: usize) -> Self {
        Self { capacity: capacity.max(1), rows: Vec::new(), runs: Vec::new() }
    }

    /// Adds a value; `None` is NULL.
    pub(crate) fn push(&mut self, key: Key, value: Option<f64>) -> io::Result<()> {
        self.rows.push((key, value.unwrap_or(f64::NAN)));
        if self.rows.len() >= self.capacity { self.spill() } else { Ok(()) }
    }

    fn spill(&mut self) -> io::Result<()> {
        self.rows.sort_by_key(|(key, _)| *key);
        let mut out = BufWriter::with_capacity(1 << 18, tempfile::tempfile()?);
        for (key, value) in &self.rows {
            let mut record = [0; RECORD];
            record[..4].copy_from_slice(&key.dispatch.to_le_bytes());
            record[4..8].copy_from_slice(&key.counter.to_le_bytes());
            record[8..].copy_from_slice(&value.to_le_bytes());
            out.write_all(&record)?;
        }
        self.rows.clear();
        self.runs.push(out.into_inner().map_err(io::IntoInnerError::into_error)?);
        Ok(())
    }

    /// Hands on every key once, in order, with the sum of its values.
    pub(crate) fn finish<E: From<io::Error>>(
        mut self,
        mut each: impl FnMut(Key, Sum) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut group: Option<(Key, Sum)> = None;
        let mut add = |key: Key, value: f64| -> Result<(), E> {
            match &mut group {
                Some((last, sum)) if *last == key => sum.add(value),
                _ => {
                    if let Some((last, sum)) = group.take() {
                        each(last, sum)?;
                    }
                    let mut sum = Sum::default();
                    sum.add(value);
                    group = Some((key, sum));
                }
            }
            Ok(())
        };
        if self.runs.is_empty() {
            self.rows.sort_by_key(|(key, _)| *key);
            for (key, value) in &self.rows {
                add(*key, *value)?;
            }
        } else {
            self.spill()?;
            self.rows = Vec::new();
            let mut runs = self.runs.into_iter().map(Run::open).collect::<io::Result<Vec<_>>>()?;
            let mut heap = BinaryHeap::new();
            for (index, run) in runs.iter_mut().enumerate() {
                heap.extend(run.next()?.map(|(key, value)| Reverse((key, index, value.to_bits()))));
            }
            // Equal keys come from the earlier run first.
            while let Some(Reverse((key, index, bits))) = heap.pop() {
                add(key, f64::from_bits(bits))?;
                heap.extend(runs[index].next()?.map(|(key, value)| Reverse((key, index, value.to_bits()))));
            }
        }
        group.map_or(Ok(()), |(key, sum)| each(key, sum))
    }
}

/// A run on disk, read from its start.
struct Run(BufReader<File>);

impl Run {
    fn open(mut file: File) -> io::Result<Self> {
        file.rewind()?;
        Ok(Self(BufReader::with_capacity(1 << 16, file)))
    }

    fn next(&mut self) -> io::Result<Option<(Key, f64)>> {
        let mut record = [0; RECORD];
        match self.0.read_exact(&mut record) {
            Ok(()) => {}
            // Runs are whole records of our own: their end is the only end.
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
            Err(error) => return Err(error),
        }
        let [a, b, c, d, e, f, g, h, value @ ..] = record;
        let key =
            Key { dispatch: u32::from_le_bytes([a, b, c, d]), counter: u32::from_le_bytes([e, f, g, h]) };
        Ok(Some((key, f64::from_le_bytes(value))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn sums(capacity: usize, rows: &[(u32, u32, Option<f64>)]) -> Vec<(u32, u32, Option<f64>)> {
        let mut sorter = Sorter::new(capacity);
        for &(dispatch, counter, value) in rows {
            sorter.push(Key { dispatch, counter }, value).unwrap();
        }
        let mut out = Vec::new();
        let each = |key: Key, sum: Sum| -> io::Result<()> {
            out.push((key.dispatch, key.counter, sum.value()));
            Ok(())
        };
        sorter.finish(each).unwrap();
        out
    }

    proptest! {
        #[test]
        fn sums_do_not_depend_on_memory_and_are_sqlites(
            rows in prop::collection::vec((0..5_u32, 0..4_u32, prop::option::of(-1e9..1e9_f64)), 0..200),
            capacity in 1..50_usize,
        ) {
            let db = rusqlite::Connection::open_in_memory().unwrap();
            db.execute_batch("CREATE TABLE t (d INTEGER, c INTEGER, v REAL)").unwrap();
            for row in &rows {
                db.execute("INSERT INTO t VALUES (?, ?, ?)", *row).unwrap();
            }
            let mut statement = db.prepare("SELECT d, c, sum(v) FROM t GROUP BY d, c ORDER BY d, c").unwrap();
            let expected: Vec<(u32, u32, Option<f64>)> = statement
                .query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
                .unwrap()
                .map(Result::unwrap)
                .collect();
            prop_assert_eq!(&sums(capacity, &rows), &expected);
            prop_assert_eq!(&sums(1_000_000, &rows), &expected);
        }
    }

    #[test]
    fn nulls_and_infinities() {
        let inf = f64::INFINITY;
        let rows = [
            (0, 0, None),
            (0, 1, None),
            (0, 1, Some(2.0)),
            (1, 0, Some(inf)),
            (1, 1, Some(inf)),
            (1, 1, Some(-inf)),
        ];
        let expected = [(0, 0, None), (0, 1, Some(2.0)), (1, 0, Some(inf)), (1, 1, None)];
        assert_eq!(sums(2, &rows), expected);
    }
}
