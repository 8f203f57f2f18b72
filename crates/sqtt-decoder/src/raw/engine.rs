//! One shader engine: from tokens to records, waves and kernel entry points.

use std::collections::{HashMap, HashSet};

use super::packets::{self, Loaded, LoadedObject, Packet, Packets};
use super::token::{Bits, Field, TokenKind, TokenLayout, TokenTable};
use super::walk::Sink;
use crate::trace::{
    Beginning, Change, EngineEvent, EngineEventKind, LONGEST, Launch, Loss, Mismatch, Origin, Records, Slots,
    WaveSlot, is_time,
};
use crate::{Record, RecordFlags};

/// Registers of the compute pipes that hold where a kernel's code is, in units of 256 bytes.
pub(super) const PROGRAM_LO: u64 = 0x0C;
pub(super) const PROGRAM_HI: u64 = 0x0D;

/// The index of a slot that was not named before. No slot has it.
const NEW: u32 = u32::MAX;

/// Start of a kernel's code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct EntryPoint {
    /// The code object, where the stream says which one is loaded there.
    pub(super) object: Option<u64>,
    /// In the code object, or else in the GPU's memory.
    pub(super) address: u64,
}

/// Events of one slot.
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

/// The slots that a kind of token has named.
struct Named<'t> {
    layout: &'t TokenLayout,
    key: Bits,
    /// Their indices in [`EngineRead::slots`] by the bits that name them, or [`NEW`].
    known: Vec<u32>,
}

impl<'t> Named<'t> {
    fn new(layout: &'t TokenLayout) -> Self {
        let key = layout.slot_key();
        Self { layout, key, known: vec![NEW; key.mask() as usize + 1] }
    }

    /// The slot that a token names, where one has named it before.
    #[inline]
    fn known<'s>(&self, word: u64, slots: &'s mut Slots<SlotRead>) -> Option<&'s mut SlotRead> {
        let index = *self.known.get(self.key.of(word) as usize)?;
        slots.at(index as usize)
    }

    /// The slot that a token names. `None` where it is one beyond the `last`.
    fn slot<'s>(&mut self, word: u64, last: u8, slots: &'s mut Slots<SlotRead>) -> Option<&'s mut SlotRead> {
        let known = self.known.get_mut(self.key.of(word) as usize)?;
        if *known == NEW {
            let slot = self.layout.get(Field::Slot, word) as u8;
            if slot > last {
                return None;
            }
            let cu = self.layout.get(Field::Unit, word) | self.layout.get(Field::Array, word) << 7;
            let simd = self.layout.get(Field::Simd, word) as u8;
            *known = slots.index(WaveSlot { cu: cu as u16, simd, slot }) as u32;
        }
        slots.at(*known as usize)
    }
}

/// A kind of token that traces words: what is looked at in each of them, next to each other.
struct TracedToken<'t> {
    named: Named<'t>,
    value: Bits,
    /// Bits that are 1 where it is no traced word, or the trap handler's.
    rare: u64,
    flags: RecordFlags,
}

impl<'t> TracedToken<'t> {
    fn new(layout: &'t TokenLayout, flags: RecordFlags) -> Self {
        let in_place = |field| layout.bits(field).in_place();
        Self {
            named: Named::new(layout),
            value: layout.bits(Field::Data),
            rare: in_place(Field::Exec) | in_place(Field::Trap),
            flags,
        }
    }
}

/// Everything that a stream says that markers need.
pub(super) struct EngineRead<'t> {
    table: &'t TokenTable,
    slots: Slots<SlotRead>,
    starts: Named<'t>,
    ends: Named<'t>,
    /// Tokens that trace words, the long ones and the short ones.
    traced: [TracedToken<'t>; 2],
    /// Entry points; waves have their index plus one. 0 is none.
    pub(super) entries: Vec<EntryPoint>,
    numbers: HashMap<EntryPoint, u64>,
    pipes: [Pipe; 16],
    /// The pipe that was written last.
    latest: usize,
    packets: Packets,
    /// Code objects that are loaded now.
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
    /// Places where something is missing that the stream itself does not call lost.
    pub(super) losses: Vec<Loss>,
    /// Tokens of a slot that the GPU lacks.
    pub(super) impossible_slots: u64,
    /// Records, starts and ends at a time that no trace reaches, and the first slot that has one.
    pub(super) far: Option<(u64, WaveSlot)>,
}

impl<'t> EngineRead<'t> {
    pub(super) fn new(table: &'t TokenTable) -> Self {
        Self {
            table,
            slots: Slots::default(),
            starts: Named::new(table.layout(TokenKind::WaveStart)),
            ends: Named::new(table.layout(TokenKind::WaveEnd)),
            traced: [
                TracedToken::new(table.layout(TokenKind::ShaderData), RecordFlags::NONE),
                TracedToken::new(table.layout(TokenKind::ShaderDataShort), RecordFlags::IMMEDIATE),
            ],
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
            losses: Vec::new(),
            impossible_slots: 0,
            far: None,
        }
    }

    /// Leaves out what is at a time that no trace reaches.
    pub(super) fn leave_out_far(&mut self) {
        for (place, slot) in self.slots.iter_mut() {
            let SlotRead { records, launches } = slot;
            let before = records.len() + launches.len();
            *records = records.iter().filter(|record| is_time(record.time)).collect();
            launches.retain(|launch| is_time(launch.time));
            let mut far = before - records.len() - launches.len();
            for launch in launches.iter_mut().filter(|launch| !launch.retired.is_none_or(is_time)) {
                launch.retired = None;
                far += 1;
            }
            if far > 0 {
                self.far.get_or_insert((0, *place)).0 += far as u64;
            }
        }
        self.events.retain(|event| is_time(event.time));
        self.real_time.retain(|(time, _)| is_time(*time));
        self.lose(LONGEST);
    }

    /// Everything of the slots.
    pub(super) fn into_slots(self) -> Vec<(WaveSlot, SlotRead)> {
        self.slots.into_vec()
    }

    /// Any word, if it is one: also the trap handler's, and the first of a slot.
    #[cold]
    fn rare_data(&mut self, time: i64, word: u64, is_short: bool) {
        let token = &mut self.traced[usize::from(is_short)];
        let layout = token.named.layout;
        if layout.get(Field::Exec, word) != 0 {
            return;
        }
        let privileged = RecordFlags::PRIVILEGED.when(layout.get(Field::Trap, word) != 0);
        let record = Record { time, value: token.value.of(word) as u32, flags: token.flags | privileged };
        match token.named.slot(word, self.table.last_slot, &mut self.slots) {
            Some(slot) => slot.records.push(record),
            None => self.impossible_slots += 1,
        }
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

    /// Tokens are missing at a time.
    pub(super) fn lose(&mut self, time: i64) {
        if self.losses.last().is_none_or(|last| last.from != time) {
            self.losses.push(Loss::at(time));
        }
    }

    fn packet(&mut self, time: i64, packet: Packet) {
        let kind = match packet {
            Packet::Load(object) => {
                self.loaded.load(object);
                self.ever_loaded.insert(object);
                EngineEventKind::CodeObjectLoad(Some(object.id))
            }
            Packet::Unload(object) => {
                self.loaded.unload(object);
                EngineEventKind::CodeObjectUnload(Some(object.id))
            }
        };
        self.events.push(EngineEvent { time, kind });
        for pipe in &mut self.pipes {
            pipe.kernel = None;
        }
    }
}

impl Sink for EngineRead<'_> {
    fn start(&mut self, time: i64, layout: &TokenLayout, word: u64) {
        let (me, pipe) = (layout.get(Field::Me, word), layout.get(Field::Pipe, word));
        let kernel = self.kernel((me + self.table.first_me) as usize, pipe as usize);
        let workgroup =
            layout.has(Field::Workgroup).then(|| layout.get(Field::Workgroup, word).cast_signed());
        let origin = Origin { me: me as u32, pipe: pipe as u32, workgroup, cluster: None };
        let (lost, ends_before) = (self.last_loss, self.table.ends_before_restart);
        let restored = self.table.restored.clone();
        let Some(slot) = self.starts.slot(word, self.table.last_slot, &mut self.slots) else {
            self.impossible_slots += 1;
            return;
        };
        if let (true, Some(loss), Some(running)) = (ends_before, lost, slot.launches.last_mut())
            && running.retired.is_none()
            && running.time <= loss
        {
            // Its end is among what was lost.
            running.retired = Some((time - 1).max(running.time));
            running.end_is_lost = true;
        }
        let beginning = if restored.contains(&layout.get(Field::Count, word)) {
            Beginning::Resumed
        } else {
            Beginning::Start
        };
        let change = Change { time, start: true, kernel: Some(kernel), origin: Some(origin), beginning };
        if change.apply(&mut slot.launches).is_err() {
            self.starts_in_busy_slots += 1;
        }
    }

    fn end(&mut self, time: i64, _: &TokenLayout, word: u64) {
        let Some(slot) = self.ends.slot(word, self.table.last_slot, &mut self.slots) else {
            self.impossible_slots += 1;
            return;
        };
        if slot.launches.is_empty() {
            // It is older than the trace.
            slot.launches.push(Launch::older(time));
            return;
        }
        let beginning = Beginning::Start;
        let change = Change { time, start: false, kernel: None, origin: None, beginning };
        if change.apply(&mut slot.launches) == Err(Mismatch::End) {
            self.ends_without_start += 1;
        }
    }

    #[inline(always)]
    fn data(&mut self, time: i64, word: u64, is_short: bool) {
        let token = &self.traced[usize::from(is_short)];
        if word & token.rare != 0 {
            return self.rare_data(time, word, is_short);
        }
        let record = Record { time, value: token.value.of(word) as u32, flags: token.flags };
        match token.named.known(word, &mut self.slots) {
            Some(slot) => slot.records.push(record),
            None => self.rare_data(time, word, is_short),
        }
    }

    fn register(&mut self, time: i64, layout: &TokenLayout, word: u64) {
        let address = layout.get(Field::Address, word);
        let value = layout.get(Field::Data, word);
        let of_compute = layout.kind() != TokenKind::Reg || layout.get(Field::Compute, word) != 0;
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
        self.real_time.push((time, clock as i64));
    }

    fn packet_loss(&mut self, time: i64) {
        self.last_loss = Some(time);
        self.events.push(EngineEvent { time, kind: EngineEventKind::PacketLoss });
    }

    fn unknown(&mut self, time: i64, at: u64) {
        self.unknown.get_or_insert((0, at)).0 += 1;
        self.lose(time);
    }
}
