//! `shaderdata_{se}_{index}.json`: the records of one shader engine, or a part of them.
//!
//! `records` rows are `[time, value, cu, simd, slot, flags]`, taken by position; further columns are
//! left alone. Rows are sorted into their slots as they are read, so no row is held twice.

use std::cell::RefCell;
use std::io::Read;

use super::faults::Faults;
use super::list::Records;
use super::records::{Loss, Record, RecordFlags, WaveSlot, is_time};
use super::slots::Slots;
use crate::json::{JsonError, JsonKind, JsonReader, Number, Taken};

/// Text of `records_schema` in every version known.
const SCHEMA: [&[u8]; 6] = [b"time", b"value", b"cu", b"simd", b"wave_id", b"flags"];

/// Contents of one file.
#[derive(Default)]
pub(crate) struct ShaderData {
    /// By slot, in the order in which the slots turned up.
    pub(crate) slots: Vec<(WaveSlot, Records)>,
    pub(crate) begin_time: Option<i64>,
    pub(crate) end_time: Option<i64>,
    pub(crate) records_count: Option<u64>,
    /// Rows that were records.
    pub(crate) records: u64,
    pub(crate) first_time: Option<i64>,
    pub(crate) gaps: Gaps,
}

/// Places where rows are missing.
#[derive(Default)]
pub(crate) struct Gaps {
    losses: Vec<Loss>,
    /// The latest time so far.
    latest: Option<i64>,
    /// True if rows are missing before the first record.
    begins_open: bool,
    /// True if rows are missing after the last record.
    is_open: bool,
}

impl Gaps {
    /// A record of that time follows.
    #[inline]
    fn record(&mut self, time: i64) {
        if self.is_open {
            self.close(time);
        }
        self.latest = self.latest.max(Some(time));
    }

    #[cold]
    fn close(&mut self, time: i64) {
        self.is_open = false;
        match self.latest {
            Some(latest) => self.losses.push(Loss::between(latest, time)),
            None => self.begins_open = true,
        }
    }

    /// Adds the gaps in the file that follows, and the one between the two.
    pub(crate) fn append(&mut self, next: Gaps, first: Option<i64>, is_complete: bool) {
        if let Some(first) = first
            && (self.is_open || next.begins_open)
        {
            self.is_open = false;
            self.losses.push(Loss::between(self.latest.unwrap_or(i64::MIN), first));
        }
        self.losses.extend(next.losses);
        self.latest = self.latest.max(next.latest);
        self.is_open |= next.is_open || !is_complete;
    }

    /// All of it, when no more files follow.
    pub(crate) fn finish(mut self) -> Vec<Loss> {
        if self.is_open {
            self.losses.push(Loss::between(self.latest.unwrap_or(i64::MIN), i64::MAX));
        }
        self.losses
    }
}

/// Reads as much as there is. An error is why the rest could not be read.
pub(crate) fn read(source: impl Read, faults: &mut Faults) -> (ShaderData, Result<(), JsonError>) {
    let mut data = ShaderData::default();
    let mut slots = Slots::default();
    let mut reader = JsonReader::new(source);
    let result = reader.document(|reader, key| match key {
        b"records" if matches!(reader.kind()?, JsonKind::Array | JsonKind::Null) => {
            let first = &mut data.first_time;
            let gaps = RefCell::new(&mut data.gaps);
            reader.rows::<6>(
                |row| {
                    first.get_or_insert(row[0]);
                    sort(&mut slots, row)?;
                    gaps.borrow_mut().record(row[0]);
                    Ok(())
                },
                |offset, fault| {
                    gaps.borrow_mut().is_open = true;
                    faults.at(offset, &fault.text(6));
                },
            )
        }
        b"records" => faults.skip_no_table(reader, "the records are no list"),
        b"begin_time" => {
            data.begin_time = reader.number()?.and_then(Number::time);
            Ok(())
        }
        b"end_time" => {
            data.end_time = reader.number()?.and_then(Number::time);
            Ok(())
        }
        b"records_count" => {
            data.records_count = reader.unsigned()?;
            Ok(())
        }
        b"records_schema" => schema(reader, faults),
        _ => reader.skip(),
    });
    data.slots = slots.into_vec();
    data.records = data.slots.iter().map(|(_, records): &(_, Records)| records.len() as u64).sum();
    data.slots.iter_mut().for_each(|(_, records)| records.compact());
    (data, result)
}

fn schema<R: Read>(reader: &mut JsonReader<R>, faults: &mut Faults) -> Result<(), JsonError> {
    let offset = reader.offset();
    let mut as_known = true;
    let mut columns = 0;
    reader.array(|reader, index| {
        columns = index + 1;
        if reader.kind()? != JsonKind::String {
            as_known = false;
            return reader.skip();
        }
        let name = reader.string()?;
        as_known &= SCHEMA.get(index).is_none_or(|known| *known == name);
        Ok(())
    })?;
    if !as_known || columns < SCHEMA.len() {
        faults.at(offset, "records_schema is another one than time, value, cu, simd, wave_id, flags");
    }
    Ok(())
}

#[inline]
fn sort(slots: &mut Slots<Records>, [time, value, cu, simd, slot, flags]: [i64; 6]) -> Taken {
    let (Ok(value), Ok(flags), Some(place)) =
        (u32::try_from(value), u8::try_from(flags), WaveSlot::of(cu, simd, slot))
    else {
        return Err("a record with a value, slot or flags out of range");
    };
    if !is_time(time) {
        return Err("a record at a time that no trace reaches (2^53 cycles)");
    }
    slots.of(place).push(Record { time, value, flags: RecordFlags::from_bits(flags) });
    Ok(())
}
