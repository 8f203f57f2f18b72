//! `occupancy.json`: when waves started and ended, what the kernels are called, and, in files of
//! version 3.1, the dispatches and what else the hardware said.

use std::collections::{BTreeMap, HashMap};
use std::io::Read;

use super::faults::Faults;
use super::filenames::{decimal, engine_number};
use super::records::{Loss, Place, is_time};
use crate::json::{JsonError, Kind, Number, Reader};
use crate::names::KernelName;

/// A wave: from its launch on until its slot's next one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Launch {
    /// When it started. 0 also for a wave that is older than the trace.
    pub time: i64,
    /// When it ended. `None` where that is not in the trace.
    pub retired: Option<i64>,
    /// Which kernel it ran: a key of the folder's kernels, no dispatch. 0 is none.
    pub kernel: u64,
    /// What files of version 3.1 say besides.
    pub origin: Option<Origin>,
    /// How it began.
    pub beginning: Beginning,
    /// Whether its end was lost, and `retired` is only when its slot was known to be used again.
    pub end_is_lost: bool,
}

/// How the life of a wave began.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beginning {
    /// By its start.
    Start,
    /// Before the trace did.
    BeforeTrace,
    /// In the middle, as far as records tell: a context switch restored it, or the end of the wave before it in
    /// its slot was lost.
    Resumed,
}

impl Launch {
    /// A wave that starts.
    pub(crate) fn new(time: i64, kernel: u64, origin: Option<Origin>) -> Self {
        Self { time, retired: None, kernel, origin, beginning: Beginning::Start, end_is_lost: false }
    }

    /// A wave of which only the end is in the trace.
    pub(crate) fn older(retired: i64) -> Self {
        let beginning = Beginning::BeforeTrace;
        Self { retired: Some(retired), beginning, ..Self::new(0, NO_KERNEL, None) }
    }

    /// When it ended, where the trace says so: gfx9's writer ends a wave that is older than the trace where it
    /// lets it start, at 0.
    #[must_use]
    pub fn end(&self) -> Option<i64> {
        self.retired.filter(|&end| self.beginning != Beginning::BeforeTrace || end > self.time)
    }
}

/// The kernel of waves that the trace says nothing of.
pub(crate) const NO_KERNEL: u64 = 0;

/// Where a wave came from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Origin {
    /// Micro engine.
    pub me: u32,
    /// Pipe of the micro engine.
    pub pipe: u32,
    /// Workgroup, as the trace numbers them: on a GPU in five bits, so that numbers come again. `None` where the
    /// hardware wrote the short form of the start, which does not say it.
    pub workgroup: Option<i64>,
    /// Cluster of workgroups; `None` where the workgroup is.
    pub cluster: Option<i64>,
}

/// A dispatch (version 3.1).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dispatch {
    /// When it was seen.
    pub time: i64,
    /// Which kernel it launched.
    pub kernel: u64,
    /// Micro engine.
    pub me: u32,
    /// Pipe.
    pub pipe: u32,
    /// Work items of a workgroup.
    pub workgroup_size: [u64; 3],
    /// Vector registers.
    pub vgprs: u64,
    /// Scalar registers.
    pub sgprs: u64,
    /// LDS bytes.
    pub lds_size: u64,
}

/// Something else that the hardware said (version 3.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EngineEvent {
    /// When.
    pub time: i64,
    /// What happened.
    pub kind: EngineEventKind,
}

/// What an [`EngineEvent`] says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EngineEventKind {
    /// Packets were lost.
    PacketLoss,
    /// A code object was loaded: its id, where that is known.
    CodeObjectLoad(Option<u64>),
    /// A code object was unloaded.
    CodeObjectUnload(Option<u64>),
    /// Something that has a number, and no name here.
    Other {
        /// The number.
        number: u64,
        /// The code object that it names.
        code_object: Option<u64>,
    },
}

/// What the file says of one shader engine.
#[derive(Default)]
pub(crate) struct Engine {
    pub(crate) launches: HashMap<Place, Vec<Launch>>,
    pub(crate) dispatches: Vec<Dispatch>,
    pub(crate) events: Vec<EngineEvent>,
    /// What is missing besides what events say.
    pub(crate) losses: Vec<Loss>,
    /// Ends in a slot where no wave was known.
    pub(crate) ends_without_start: u64,
    /// Starts in a slot where a wave ran.
    pub(crate) starts_in_busy_slots: u64,
}

#[derive(Default)]
pub(crate) struct Occupancy {
    pub(crate) engines: BTreeMap<u32, Engine>,
    /// Kernel number to name.
    pub(crate) names: BTreeMap<u64, KernelName>,
    /// Kernel number to code object, where a dispatch says so.
    pub(crate) code_objects: BTreeMap<u64, u64>,
    pub(crate) version: Option<Vec<u8>>,
    /// Whether losses of packets would be told.
    pub(crate) has_events: bool,
}

impl Occupancy {
    /// True if any wave started.
    pub(crate) fn has_waves(&self) -> bool {
        self.engines.values().any(|engine| !engine.launches.is_empty())
    }
}

/// That a wave starts or ends.
#[derive(Clone, Copy)]
pub(crate) struct Change {
    pub(crate) time: i64,
    pub(crate) start: bool,
    /// The kernel of the wave; `None` where only starts say it.
    pub(crate) kernel: Option<u64>,
    pub(crate) origin: Option<Origin>,
    /// How a wave that starts begins.
    pub(crate) beginning: Beginning,
}

/// What a change did not go with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mismatch {
    /// An end where no wave ran.
    End,
    /// A start where a wave ran. It ended that wave.
    Start,
}

impl Change {
    /// Pairs starts and ends of one slot. A start where a wave runs ends that wave, whose own end was lost. So was
    /// one that names no kernel: it stands for the end that was lost. An end where none runs is left out.
    #[inline]
    pub(crate) fn apply(self, launches: &mut Vec<Launch>) -> Result<(), Mismatch> {
        let last = launches.last_mut();
        let end_was_lost = last.as_ref().is_some_and(|launch| launch.end_is_lost);
        let running = last.filter(|launch| launch.retired.is_none());
        match (self.start, running) {
            (true, running) => {
                let busy = running.is_some();
                if let Some(running) = running {
                    running.retired = Some(self.time);
                    running.end_is_lost = true;
                }
                let Change { time, kernel, origin, .. } = self;
                let is_resumed = busy || end_was_lost;
                let beginning = if is_resumed { Beginning::Resumed } else { self.beginning };
                let launch = Launch::new(time, kernel.unwrap_or(NO_KERNEL), origin);
                launches.push(Launch { beginning, ..launch });
                if busy { Err(Mismatch::Start) } else { Ok(()) }
            }
            (false, Some(running)) => {
                running.retired = Some(self.time);
                running.end_is_lost = running.kernel != NO_KERNEL && self.kernel == Some(NO_KERNEL);
                Ok(())
            }
            (false, None) => Err(Mismatch::End),
        }
    }
}

pub(crate) fn read(source: impl Read, faults: &mut Faults) -> (Occupancy, Result<(), JsonError>) {
    let mut occupancy = Occupancy::default();
    let mut reader = Reader::new(source);
    let mut rows: BTreeMap<u32, Vec<(Place, Change)>> = BTreeMap::new();
    let result = reader.document(|reader, key| match key {
        b"dispatches" if matches!(reader.kind()?, Kind::Object | Kind::Null) => {
            reader.object(|reader, key| match (decimal(key), reader.kind()?) {
                (Some(id), Kind::String) => {
                    let name = reader.string()?;
                    occupancy.names.insert(id, kernel_name(name));
                    Ok(())
                }
                _ => {
                    faults.at(reader.offset(), "a kernel's entry that is no number and name");
                    reader.skip()
                }
            })
        }
        b"events" if matches!(reader.kind()?, Kind::Object | Kind::Null) => {
            occupancy.has_events = true;
            reader.object(|reader, key| match engine_number(key) {
                Some(se) => events(reader, se, &mut occupancy, faults),
                None => faults.skip_no_table(reader, "events of something that is no shader engine's number"),
            })
        }
        b"events" => faults.skip_no_table(reader, "the events are no table by shader engine"),
        b"version" if reader.kind()? == Kind::String => {
            occupancy.version = Some(reader.string()?);
            Ok(())
        }
        _ => match (engine_number(key), reader.kind()?) {
            (Some(se), Kind::Array) => waves(reader, rows.entry(se).or_default(), faults),
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
    reader: &mut Reader<R>,
    rows: &mut Vec<(Place, Change)>,
    faults: &mut Faults,
) -> Result<(), JsonError> {
    reader.wide_rows::<6>(
        |[time, cu, simd, slot, start, kernel], extra| {
            let (Some(place), Ok(kernel)) = (Place::of(cu, simd, slot), u64::try_from(kernel)) else {
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

impl Engine {
    /// Pairs starts and ends, slot by slot.
    fn launch(&mut self, mut rows: Vec<(Place, Change)>) {
        // Stable: at equal times the order of the file holds.
        rows.sort_by_key(|(_, change)| change.time);
        for (place, change) in rows {
            match change.apply(self.launches.entry(place).or_default()) {
                Ok(()) => {}
                Err(Mismatch::End) => self.ends_without_start += 1,
                Err(Mismatch::Start) => self.starts_in_busy_slots += 1,
            }
        }
        self.launches.retain(|_, launches| !launches.is_empty());
    }
}

fn events<R: Read>(
    reader: &mut Reader<R>,
    se: u32,
    occupancy: &mut Occupancy,
    faults: &mut Faults,
) -> Result<(), JsonError> {
    if !matches!(reader.kind()?, Kind::Array | Kind::Null) {
        return faults.skip_no_table(reader, "the events of a shader engine are no list");
    }
    reader.array(|reader, _| {
        let offset = reader.offset();
        if reader.kind()? != Kind::Object {
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
    name: Option<Vec<u8>>,
    entry_object: Option<u64>,
    code_object: Option<u64>,
    dispatch: Dispatch,
}

impl EventFields {
    fn read<R: Read>(reader: &mut Reader<R>) -> Result<Self, JsonError> {
        let mut event = Self::default();
        reader.object(|reader, key| {
            let number = |reader: &mut Reader<R>| reader.unsigned();
            match key {
                b"kind" | b"kernel_name" if reader.kind()? == Kind::String => {
                    let text = reader.string()?;
                    if key == b"kind" { event.kind = text } else { event.name = Some(text) }
                }
                b"time" => event.time = reader.number()?.and_then(Number::time),
                b"type" => event.number = number(reader)?,
                b"kernel_id" => event.kernel = number(reader)?,
                b"code_object_id" => event.code_object = number(reader)?,
                b"entry_point" if reader.kind()? == Kind::Object => reader.object(|reader, key| {
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
fn kernel_name(text: Vec<u8>) -> KernelName {
    let code = std::str::from_utf8(&text).ok().and_then(|text| text.split_once(" / 0x"));
    let place = code.and_then(|(object, address)| {
        let is_plain = object.bytes().all(|digit| digit.is_ascii_digit())
            && address.bytes().all(|digit| digit.is_ascii_hexdigit());
        let address = u64::from_str_radix(address, 16).ok();
        is_plain.then_some(()).and_then(|()| Some((object.parse().ok()?, address?)))
    });
    place.map_or(KernelName::Symbol(text), |(object, address)| KernelName::at(object, address))
}

impl EngineEvent {
    /// Whether packets were lost.
    #[must_use]
    pub fn is_packet_loss(self) -> bool {
        self.kind == EngineEventKind::PacketLoss
    }
}

#[cfg(test)]
mod tests {
    use super::kernel_name;

    #[test]
    fn names_of_kernels_without_a_symbol() {
        let place =
            |text: &str| kernel_name(text.as_bytes().to_vec()).code().map(|code| (code.object, code.address));
        assert_eq!(place("7 / 0x1000"), Some((7, 4096)));
        assert_eq!(place("0 / 0x0"), Some((0, 0)));
        for symbol in ["", "f(int) / 0x10", "7 / 0x", "7 / 0x+1", " / 0x1", "7 / 0x11112222333344445"] {
            assert_eq!(place(symbol), None);
            assert_eq!(kernel_name(symbol.as_bytes().to_vec()).as_bytes(), symbol.as_bytes());
        }
    }
}
