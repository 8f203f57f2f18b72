//! `shaderdata_{se}_{index}.json`: the records of one shader engine, or a part of them.
//!
//! `records` rows are `[time, value, cu, simd, slot, flags]`, taken by position; further columns are
//! left alone. Rows are sorted into their slots as they are read, so no row is held twice.

use std::collections::HashMap;
use std::io::Read;

use super::faults::Faults;
use super::records::{Place, Record, Records};
use crate::json::{JsonError, Kind, Number, Reader};

/// What `records_schema` says in every version known.
const SCHEMA: [&[u8]; 6] = [b"time", b"value", b"cu", b"simd", b"wave_id", b"flags"];

/// What one file holds.
#[derive(Default)]
pub(crate) struct ShaderData {
    /// By slot, in the order in which the slots turned up.
    pub(crate) slots: Vec<(Place, Records)>,
    pub(crate) begin_time: Option<i64>,
    pub(crate) end_time: Option<i64>,
    pub(crate) records_count: Option<u64>,
    /// Rows that were records.
    pub(crate) records: u64,
    pub(crate) first_time: Option<i64>,
}

/// Reads as much as there is. An error is why the rest could not be read.
pub(crate) fn read(source: impl Read, faults: &mut Faults) -> (ShaderData, Result<(), JsonError>) {
    let mut data = ShaderData::default();
    let mut sorter = Sorter::default();
    let mut reader = Reader::new(source);
    let result = reader.document(|reader, key| match key {
        b"records" => {
            let mut odd = 0_u64;
            let first = &mut data.first_time;
            let result = reader.rows::<6>(
                |row| {
                    first.get_or_insert(row[0]);
                    odd += u64::from(!sorter.push(row));
                },
                |offset, fault| faults.at(offset, &fault.text(6)),
            );
            faults.several(odd, "records with a value, slot or flags out of range");
            result
        }
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
    data.records = sorter.slots.iter().map(|(_, records)| records.len() as u64).sum();
    sorter.slots.iter_mut().for_each(|(_, records)| records.compact());
    data.slots = sorter.slots;
    (data, result)
}

fn schema<R: Read>(reader: &mut Reader<R>, faults: &mut Faults) -> Result<(), JsonError> {
    let offset = reader.offset();
    let mut as_known = true;
    let mut columns = 0;
    reader.array(|reader, index| {
        columns = index + 1;
        if reader.kind()? != Kind::String {
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

/// Slots that the direct table covers: 256 CUs, 4 SIMDs, 64 slots.
const TABLE: usize = 256 * 4 * 64;

#[derive(Default)]
struct Sorter {
    slots: Vec<(Place, Records)>,
    /// Index of the slot, plus one.
    table: Vec<u32>,
    /// The same for places outside of the table.
    others: HashMap<Place, usize>,
}

impl Sorter {
    /// False where the row is no record.
    #[inline]
    fn push(&mut self, [time, value, cu, simd, slot, flags]: [i64; 6]) -> bool {
        let (Ok(value), Ok(flags), Some(place)) =
            (u32::try_from(value), u8::try_from(flags), Place::of(cu, simd, slot))
        else {
            return false;
        };
        let index = self.index(place);
        // The index is that of a slot.
        if let Some((_, records)) = self.slots.get_mut(index) {
            records.push(Record { time, value, flags });
        }
        true
    }

    #[inline]
    fn index(&mut self, place: Place) -> usize {
        let Place { cu, simd, slot } = place;
        if cu < 256 && simd < 4 && slot < 64 {
            if self.table.is_empty() {
                self.table = vec![0; TABLE];
            }
            let at = usize::from(cu) << 8 | usize::from(simd) << 6 | usize::from(slot);
            if self.table[at] == 0 {
                self.slots.push((place, Records::default()));
                self.table[at] = self.slots.len() as u32;
            }
            return self.table[at] as usize - 1;
        }
        *self.others.entry(place).or_insert_with(|| {
            self.slots.push((place, Records::default()));
            self.slots.len() - 1
        })
    }
}
