//! `occupancy.json`: when waves started and ended, what the kernels are called, and, in files of
//! version 3.1, the dispatches and what else the hardware said.

use std::collections::BTreeMap;
use std::io::Read;

use sqtt_format::Name;

use super::faults::Faults;
use super::filenames::{decimal, engine_number};
use super::launches::{
    Beginning, Change, Dispatch, EngineEvent, EngineEventKind, NO_KERNEL, Occupancy, Origin,
};
use super::records::{WaveSlot, is_time};
use crate::json::{JsonError, JsonKind, JsonReader, Number};
use crate::names::KernelName;

pub(crate) fn read(source: impl Read, faults: &mut Faults) -> (Occupancy, Result<(), JsonError>) {
    let mut occupancy = Occupancy::default();
    let mut reader = JsonReader::new(source);
    let mut rows: BTreeMap<u32, Vec<(WaveSlot, Change)>> = BTreeMap::new();
    let result = reader.document(|reader, key| match key {
        b"dispatches" if matches!(reader.kind()?, JsonKind::Object | JsonKind::Null) => {
            reader.object(|reader, key| match (decimal(key), reader.kind()?) {
                (Some(id), JsonKind::String) => {
                    let name = reader.string()?;
                    occupancy.names.insert(id, kernel_name(name.into()));
                    Ok(())
                }
                _ => {
                    faults.at(reader.offset(), "a kernel's entry that is no number and name");
                    reader.skip()
                }
            })
        }
        b"events" if matches!(reader.kind()?, JsonKind::Object | JsonKind::Null) => {
            occupancy.has_events = true;
            reader.object(|reader, key| match engine_number(key) {
                Some(se) => events(reader, se, &mut occupancy, faults),
                None => faults.skip_no_table(reader, "events of something that is no shader engine's number"),
            })
        }
        b"events" => faults.skip_no_table(reader, "the events are no table by shader engine"),
        b"version" if reader.kind()? == JsonKind::String => {
            occupancy.version = Some(reader.string()?);
            Ok(())
        }
        _ => match (engine_number(key), reader.kind()?) {
            (Some(se), JsonKind::Array) => waves(reader, rows.entry(se).or_default(), faults),
            (Some(_), _) => faults.skip_no_table(reader, "the waves of a shader engine are no list"),
            // Other tables have names.
            _ if key.first().is_some_and(|first| matches!(first, b'0'..=b'9' | b'-' | b'+')) => {
                faults.skip_no_table(reader, "waves of something that is no shader engine's number")
            }
            _ => reader.skip(),
        },
    });
    for (se, rows) in rows {
        occupancy.engines.entry(se).or_default().launch(rows);
    }
    for engine in occupancy.engines.values_mut() {
        engine.events.sort_by_key(|event| event.time);
        engine.dispatches.sort_by_key(|dispatch| dispatch.time);
    }
    (occupancy, result)
}

/// `[time, cu, simd, slot, start, kernel(, me, pipe, is_ext, workgroup, cluster)]`.
fn waves<R: Read>(
    reader: &mut JsonReader<R>,
    rows: &mut Vec<(WaveSlot, Change)>,
    faults: &mut Faults,
) -> Result<(), JsonError> {
    reader.wide_rows::<6>(
        |[time, cu, simd, slot, start, kernel], extra| {
            let (Some(place), Ok(kernel)) = (WaveSlot::of(cu, simd, slot), u64::try_from(kernel)) else {
                return Err("a wave with a slot or kernel out of range");
            };
            if !is_time(time) {
                return Err("the start or end of a wave at a time that no trace reaches (2^53 cycles)");
            }
            let number = |value: i64| u32::try_from(value).ok();
            let origin = match (extra[0].and_then(number), extra[1].and_then(number)) {
                (Some(me), Some(pipe)) => {
                    // Without the long form of the start, both are zeros that say nothing.
                    let said = extra[2].is_some_and(|is_ext| is_ext != 0);
                    let (workgroup, cluster) = (extra[3].filter(|_| said), extra[4].filter(|_| said));
                    Some(Origin { me, pipe, workgroup, cluster })
                }
                _ => None,
            };
            // Only the kernel tells: waves may start at time 0.
            let is_older = kernel == NO_KERNEL;
            let beginning = if is_older { Beginning::BeforeTrace } else { Beginning::Start };
            let change = Change { time, start: start != 0, kernel: Some(kernel), origin, beginning };
            rows.push((place, change));
            Ok(())
        },
        |offset, fault| faults.at(offset, &fault.text(6)),
    )
}

fn events<R: Read>(
    reader: &mut JsonReader<R>,
    se: u32,
    occupancy: &mut Occupancy,
    faults: &mut Faults,
) -> Result<(), JsonError> {
    if !matches!(reader.kind()?, JsonKind::Array | JsonKind::Null) {
        return faults.skip_no_table(reader, "the events of a shader engine are no list");
    }
    reader.array(|reader, _| {
        let offset = reader.offset();
        if reader.kind()? != JsonKind::Object {
            faults.at(offset, "an event that is no object");
            return reader.skip();
        }
        let event = EventFields::read(reader)?;
        let engine = occupancy.engines.entry(se).or_default();
        match (event.kind.as_slice(), event.time) {
            (_, Some(time)) if !is_time(time) => {
                faults.at(offset, "an event at a time that no trace reaches (2^53 cycles)");
            }
            (b"dispatch", Some(time)) => {
                if let (Some(kernel), Some(object)) = (event.kernel, event.entry_object) {
                    occupancy.code_objects.insert(kernel, object);
                }
                if let (Some(kernel), Some(name)) = (event.kernel, event.name) {
                    occupancy.names.entry(kernel).or_insert_with(|| kernel_name(name));
                }
                let kernel = event.kernel.unwrap_or_default();
                engine.dispatches.push(Dispatch { time, kernel, ..event.dispatch });
            }
            (b"event", Some(time)) => match event.number {
                Some(number) => {
                    let kind = event_kind(number, event.code_object);
                    engine.events.push(EngineEvent { time, kind });
                }
                None => faults.at(offset, "an event whose type is no number"),
            },
            _ => faults.at(offset, "an event without a time, or neither a dispatch nor an event"),
        }
        Ok(())
    })
}

#[derive(Default)]
struct EventFields {
    kind: Vec<u8>,
    time: Option<i64>,
    number: Option<u64>,
    kernel: Option<u64>,
    name: Option<Name>,
    entry_object: Option<u64>,
    code_object: Option<u64>,
    dispatch: Dispatch,
}

impl EventFields {
    fn read<R: Read>(reader: &mut JsonReader<R>) -> Result<Self, JsonError> {
        let mut event = Self::default();
        reader.object(|reader, key| {
            let number = |reader: &mut JsonReader<R>| reader.unsigned();
            match key {
                b"kind" | b"kernel_name" if reader.kind()? == JsonKind::String => {
                    let text = reader.string()?;
                    if key == b"kind" { event.kind = text } else { event.name = Some(text.into()) }
                }
                b"time" => event.time = reader.number()?.and_then(Number::time),
                b"type" => event.number = number(reader)?,
                b"kernel_id" => event.kernel = number(reader)?,
                b"code_object_id" => event.code_object = number(reader)?,
                b"entry_point" if reader.kind()? == JsonKind::Object => reader.object(|reader, key| {
                    if key == b"code_object_id" {
                        event.entry_object = reader.unsigned()?;
                        return Ok(());
                    }
                    reader.skip()
                })?,
                b"me_id" => event.dispatch.me = number(reader)?.unwrap_or_default() as u32,
                b"pipe_id" => event.dispatch.pipe = number(reader)?.unwrap_or_default() as u32,
                b"vgprs" => event.dispatch.vgprs = number(reader)?.unwrap_or_default(),
                b"sgprs" => event.dispatch.sgprs = number(reader)?.unwrap_or_default(),
                b"lds_size" => event.dispatch.lds_size = number(reader)?.unwrap_or_default(),
                b"thread_dim_x" => event.dispatch.workgroup_size[0] = number(reader)?.unwrap_or_default(),
                b"thread_dim_y" => event.dispatch.workgroup_size[1] = number(reader)?.unwrap_or_default(),
                b"thread_dim_z" => event.dispatch.workgroup_size[2] = number(reader)?.unwrap_or_default(),
                _ => reader.skip()?,
            }
            Ok(())
        })?;
        Ok(event)
    }
}

/// The `type` of an event.
fn event_kind(number: u64, code_object: Option<u64>) -> EngineEventKind {
    match number {
        6 => EngineEventKind::PacketLoss,
        7 => EngineEventKind::CodeObjectLoad(code_object),
        8 => EngineEventKind::CodeObjectUnload(code_object),
        number => EngineEventKind::Other { number, code_object },
    }
}

/// A kernel without a symbol is called `7 / 0x1000`: code object and address.
fn kernel_name(text: Name) -> KernelName {
    let code = std::str::from_utf8(&text).ok().and_then(|text| text.split_once(" / 0x"));
    let place = code.and_then(|(object, address)| {
        let is_plain = object.bytes().all(|digit| digit.is_ascii_digit())
            && address.bytes().all(|digit| digit.is_ascii_hexdigit());
        let address = u64::from_str_radix(address, 16).ok();
        is_plain.then_some(()).and_then(|()| Some((object.parse().ok()?, address?)))
    });
    place.map_or(KernelName::Symbol(text), |(object, address)| KernelName::at(object, address))
}

#[cfg(test)]
mod tests {
    use super::kernel_name;

    #[test]
    fn names_of_kernels_without_a_symbol() {
        let place = |text: &str| kernel_name(text.into()).code().map(|code| (code.object, code.address));
        assert_eq!(place("7 / 0x1000"), Some((7, 4096)));
        assert_eq!(place("0 / 0x0"), Some((0, 0)));
        for symbol in ["", "f(int) / 0x10", "7 / 0x", "7 / 0x+1", " / 0x1", "7 / 0x11112222333344445"] {
            assert_eq!(place(symbol), None);
            assert_eq!(kernel_name(symbol.into()).as_bytes(), symbol.as_bytes());
        }
    }
}
