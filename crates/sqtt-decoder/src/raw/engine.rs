//! One shader engine: from tokens to records, waves and kernel entry points.

use std::collections::{HashMap, HashSet};

use super::packets::{self, Loaded, LoadedObject, Packet, Packets};
use super::token::{Field, Kind, Layout, Table};
use super::walk::Sink;
use crate::Record;
use crate::trace::{
    CODE_OBJECT_LOAD, Change, EngineEvent, Launch, Mismatch, Origin, PACKET_LOSS, Place, Records, Slots,
    is_time,
};

/// Registers of the compute pipes that hold where a kernel's code is, in units of 256 bytes.
pub(super) const PROGRAM_LO: u64 = 0x0C;
pub(super) const PROGRAM_HI: u64 = 0x0D;

/// Tokens that name a slot.
const SLOT_TOKENS: [Kind; 4] = [Kind::WaveStart, Kind::WaveEnd, Kind::ShaderData, Kind::ShaderDataShort];
/// Their places.
const START: usize = 0;
const END: usize = 1;
const DATA: usize = 2;
const DATA_SHORT: usize = 3;

/// Where a kernel's code begins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct EntryPoint {
    /// The code object, where the stream says which one is loaded there.
    pub(super) object: Option<u64>,
    /// In the code object, or else in the GPU's memory.
    pub(super) address: u64,
}

/// What happened in one slot.
#[derive(Default)]
pub(super) struct SlotRead {
    pub(super) records: Records,
    pub(super) launches: Vec<Launch>,
}

/// A micro engine's pipe.
#[derive(Clone, Copy, Default)]
struct Pipe {
    program: u64,
    written: bool,
    /// Number of the entry point, once a wave asked for it.
    kernel: Option<u64>,
}

/// Everything that a stream says that markers need.
pub(super) struct EngineRead<'t> {
    table: &'t Table,
    slots: Slots<SlotRead>,
    /// Per kind of token that names a slot, by the bits that do: its index in `slots`, plus one.
    known: [Vec<u32>; 4],
    /// Entry points; waves have their index plus one. 0 is none.
    pub(super) entries: Vec<EntryPoint>,
    numbers: HashMap<EntryPoint, u64>,
    pipes: [Pipe; 16],
    /// The pipe that was written last.
    latest: usize,
    packets: Packets,
    /// What is loaded now.
    loaded: Loaded,
    /// Everything that was ever loaded.
    pub(super) ever_loaded: HashSet<LoadedObject>,
    pub(super) events: Vec<EngineEvent>,
    pub(super) real_time: Vec<(i64, i64)>,
    /// Time of the last packet loss.
    last_loss: Option<i64>,
    pub(super) ends_without_start: u64,
    pub(super) starts_in_busy_slots: u64,
    /// Places where no token is, and the bit of the first.
    pub(super) unknown: Option<(u64, u64)>,
    /// Tokens of a slot that the GPU lacks.
    pub(super) impossible_slots: u64,
    /// Tokens at a time that no trace reaches, and the first place that one names.
    pub(super) far: Option<(u64, Place)>,
}

impl<'t> EngineRead<'t> {
    pub(super) fn new(table: &'t Table) -> Self {
        Self {
            table,
            slots: Slots::default(),
            known: SLOT_TOKENS.map(|kind| vec![0; table.layout(kind).slot_keys()]),
            entries: Vec::new(),
            numbers: HashMap::new(),
            pipes: [Pipe::default(); 16],
            latest: 0,
            packets: Packets::default(),
            loaded: Loaded::default(),
            ever_loaded: HashSet::new(),
            events: Vec::new(),
            real_time: Vec::new(),
            last_loss: None,
            ends_without_start: 0,
            starts_in_busy_slots: 0,
            unknown: None,
            impossible_slots: 0,
            far: None,
        }
    }

    /// Everything of the slots.
    pub(super) fn into_slots(self) -> Vec<(Place, SlotRead)> {
        self.slots.into_vec()
    }

    /// The slot that a token names, where its time is one; `of` is its kind's place in [`SLOT_TOKENS`].
    #[inline]
    fn slot(&mut self, of: usize, layout: &Layout, time: i64, word: u64) -> Option<&mut SlotRead> {
        if !is_time(time) {
            self.far.get_or_insert((0, place(layout, word))).0 += 1;
            return None;
        }
        let key = layout.slot_key(word);
        let index = match self.known[of].get(key) {
            Some(&index) if index > 0 => index as usize - 1,
            _ => self.new_slot(of, key, layout, word)?,
        };
        self.slots.at(index)
    }

    #[cold]
    fn new_slot(&mut self, of: usize, key: usize, layout: &Layout, word: u64) -> Option<usize> {
        let slot = layout.get(Field::Slot, word) as u8;
        if slot > self.table.last_slot {
            self.impossible_slots += 1;
            return None;
        }
        let index = self.slots.index(place(layout, word));
        if let Some(known) = self.known[of].get_mut(key) {
            *known = index as u32 + 1;
        }
        Some(index)
    }

    /// The kernel that a pipe launches now.
    fn kernel(&mut self, me: usize, pipe: usize) -> u64 {
        let exact = (me & 3) << 2 | pipe & 3;
        let on_any_me = (0..4).map(|me| me << 2 | pipe & 3).find(|&at| self.pipes[at].written);
        let at = if self.pipes[exact].written { exact } else { on_any_me.unwrap_or(self.latest) };
        let Pipe { program, written, kernel } = self.pipes[at];
        if !written {
            return 0;
        }
        if let Some(kernel) = kernel {
            return kernel;
        }
        let entry = match self.loaded.at(program) {
            Some(object) => EntryPoint { object: Some(object.id), address: program - object.address },
            None => EntryPoint { object: None, address: program },
        };
        let next = self.entries.len() as u64 + 1;
        let kernel = *self.numbers.entry(entry).or_insert(next);
        if kernel == next {
            self.entries.push(entry);
        }
        self.pipes[at].kernel = Some(kernel);
        kernel
    }

    fn packet(&mut self, time: i64, packet: Packet) {
        let (kind, object) = match packet {
            Packet::Load(object) => {
                self.loaded.load(object);
                self.ever_loaded.insert(object);
                (CODE_OBJECT_LOAD, object)
            }
            Packet::Unload(object) => {
                self.loaded.unload(object);
                (CODE_OBJECT_LOAD + 1, object)
            }
        };
        if is_time(time) {
            self.events.push(EngineEvent { time, kind, code_object: Some(object.id) });
        }
        for pipe in &mut self.pipes {
            pipe.kernel = None;
        }
    }
}

/// The place that a token names.
fn place(layout: &Layout, word: u64) -> Place {
    let cu = layout.get(Field::Unit, word) | layout.get(Field::Array, word) << 7;
    let slot = layout.get(Field::Slot, word) as u8;
    Place { cu: cu as u16, simd: layout.get(Field::Simd, word) as u8, slot }
}

impl Sink for EngineRead<'_> {
    fn start(&mut self, time: i64, layout: &Layout, word: u64) {
        let (me, pipe) = (layout.get(Field::Me, word), layout.get(Field::Pipe, word));
        let kernel = self.kernel((me + self.table.first_me) as usize, pipe as usize);
        let origin = Origin { me: me as u32, pipe: pipe as u32, workgroup: None, cluster: None };
        let (lost, ends_before) = (self.last_loss, self.table.ends_before_restart);
        let Some(slot) = self.slot(START, layout, time, word) else { return };
        if let (true, Some(loss), Some(running)) = (ends_before, lost, slot.launches.last_mut())
            && running.retired.is_none()
            && running.time <= loss
        {
            // Its end is among what was lost.
            running.retired = Some((time - 1).max(running.time));
        }
        let change = Change { time, start: true, kernel, origin: Some(origin) };
        if change.apply(&mut slot.launches).is_err() {
            self.starts_in_busy_slots += 1;
        }
    }

    fn end(&mut self, time: i64, layout: &Layout, word: u64) {
        let Some(slot) = self.slot(END, layout, time, word) else { return };
        if slot.launches.is_empty() {
            // It is older than the trace.
            slot.launches.push(Launch { time: 0, retired: Some(time), kernel: 0, origin: None });
            return;
        }
        let change = Change { time, start: false, kernel: 0, origin: None };
        if change.apply(&mut slot.launches) == Err(Mismatch::End) {
            self.ends_without_start += 1;
        }
    }

    #[inline]
    fn data(&mut self, time: i64, layout: &Layout, word: u64, is_short: bool) {
        if layout.get(Field::Exec, word) != 0 {
            return;
        }
        let immediate = if is_short { Record::IMMEDIATE } else { 0 };
        let privileged = if layout.get(Field::Trap, word) == 0 { 0 } else { Record::PRIVILEGED };
        let value = layout.get(Field::Data, word) as u32;
        let of = if is_short { DATA_SHORT } else { DATA };
        let Some(slot) = self.slot(of, layout, time, word) else { return };
        slot.records.push(Record { time, value, flags: immediate | privileged });
    }

    fn register(&mut self, time: i64, layout: &Layout, word: u64) {
        let address = layout.get(Field::Address, word);
        let value = layout.get(Field::Data, word);
        let of_compute = layout.kind() != Kind::Reg || layout.get(Field::Compute, word) != 0;
        if of_compute && (address == PROGRAM_LO || address == PROGRAM_HI) {
            let at = (layout.get(Field::Me, word) << 2 | layout.get(Field::Pipe, word)) as usize & 15;
            let pipe = &mut self.pipes[at];
            let (low, high) = (pipe.program >> 8 & 0xFFFF_FFFF, pipe.program >> 40);
            let program = if address == PROGRAM_LO { high << 32 | value } else { value << 32 | low };
            *pipe = Pipe { program: program << 8, written: true, kernel: None };
            self.latest = at;
        } else if !of_compute
            && address == packets::REGISTER
            && let Some(packet) = self.packets.word(value as u32)
        {
            self.packet(time, packet);
        }
    }

    fn real_time(&mut self, time: i64, clock: u64) {
        if is_time(time) {
            self.real_time.push((time, clock as i64));
        }
    }

    fn packet_loss(&mut self, time: i64) {
        self.last_loss = Some(time);
        if is_time(time) {
            self.events.push(EngineEvent { time, kind: PACKET_LOSS, code_object: None });
        }
    }

    fn unknown(&mut self, at: u64) {
        self.unknown.get_or_insert((0, at)).0 += 1;
    }
}
