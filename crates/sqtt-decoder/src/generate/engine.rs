//! The records and waves of one shader engine.

use std::collections::VecDeque;
use std::io;

use sqtt_format::{Marker, MarkerEncoding};

use super::program::{Item, Program};
use super::sink::Sink;
use super::{Done, PACKED, Plan, Random, Truth, WaveTruth};
use crate::raw::Generation;
use crate::trace::{Record, RecordFlags, SlotId};

/// A word that a wave wrote, on its way into the trace.
struct Word {
    value: u32,
    flags: RecordFlags,
    /// Wave and marker, by their places in the truth.
    of: (usize, usize),
    is_header: bool,
}

/// A slot and the wave in it.
struct Slot {
    place: SlotId,
    /// `None` where no wave runs.
    program: Option<Program>,
    waiting: VecDeque<Word>,
    /// The wave that ran last, by its place in the truth, and how many markers it has.
    wave: usize,
    markers: usize,
    issued: i64,
    /// True if the trace has the start of the wave.
    is_known: bool,
}

/// Output of one engine.
struct Out<'a> {
    plan: &'a Plan,
    random: Random,
    sink: Sink,
    truth: &'a mut Truth,
    now: i64,
    written: u64,
    /// Since when everything is lost, and for how many turns of slots.
    losing: Option<(i64, u64)>,
}

/// Writes a share of the plan's records. Gives back where they were written to.
pub(super) fn write(plan: &Plan, se: u32, sink: Sink, truth: &mut Truth) -> io::Result<Sink> {
    let random = Random::new(plan.seed ^ u64::from(se) << 32);
    let mut out = Out { plan, random, sink, truth, now: 1000, written: 0, losing: None };
    let mut slots = slots(plan, se);
    let share = plan.records / u64::from(plan.engines.max(1));
    let loss_every = share / (plan.packet_losses + 1);
    let mut losses = 0;
    loop {
        let is_over = out.written >= share;
        if is_over && slots.iter().all(|slot| slot.program.is_none() && slot.waiting.is_empty()) {
            break;
        }
        for slot in &mut slots {
            out.advance();
            if losses < plan.packet_losses && out.losing.is_none() && out.written > (losses + 1) * loss_every
            {
                losses += 1;
                // Up to about 90 records of each slot.
                let turns = (1 + out.random.below(90)) * u64::from(plan.cus) * u64::from(plan.simds);
                out.losing = Some((out.now, turns * u64::from(plan.slots)));
            }
            slot.turn(&mut out, is_over)?;
            out.lose(se)?;
        }
    }
    if let Some((from, _)) = out.losing.take() {
        out.losing = Some((from, 1));
        out.lose(se)?;
    }
    out.truth.records += out.written;
    Ok(out.sink)
}

fn slots(plan: &Plan, se: u32) -> Vec<Slot> {
    let places = (0..plan.cus).flat_map(|cu| (0..plan.simds).map(move |simd| (cu, simd)));
    places
        .flat_map(|(cu, simd)| (0..plan.slots).map(move |slot| SlotId { se, cu, simd, slot }))
        .map(|place| Slot {
            place,
            program: None,
            waiting: VecDeque::new(),
            wave: 0,
            markers: 0,
            issued: 0,
            is_known: false,
        })
        .collect()
}

impl Out<'_> {
    fn advance(&mut self) {
        // gfx9 counts in fours.
        let step = if self.plan.generation == Generation::Gfx9 { 4 } else { 1 };
        self.now += step * (1 + self.random.below(3) as i64);
    }

    /// A turn of a stretch in which everything is lost. The event behind it says when the trace goes on.
    fn lose(&mut self, se: u32) -> io::Result<()> {
        let Some((from, turns)) = self.losing else { return Ok(()) };
        self.losing = Some((from, turns - 1));
        if turns == 1 {
            self.advance();
            self.losing = None;
            self.sink.loss(self.now)?;
            self.truth.losses.push((se, from, self.now));
        }
        Ok(())
    }

    fn record(&mut self, place: SlotId, value: u32, flags: RecordFlags) -> io::Result<()> {
        self.written += 1;
        self.sink.record(place, Record { time: self.now, value, flags })
    }
}

impl Slot {
    /// One record, or the start or the end of a wave.
    fn turn(&mut self, out: &mut Out<'_>, is_over: bool) -> io::Result<()> {
        let plan = out.plan;
        if self.program.is_none() && !is_over && self.is_free(plan, &mut out.random) {
            return self.launch(out);
        }
        if self.waiting.is_empty()
            && let Some(mut program) = self.program.take()
        {
            // The last records may arrive after the wave's end.
            let is_late = plan.everything && !plan.packed && program.is_ending() && out.random.below(4) == 0;
            loop {
                match program.next(plan, &mut out.random) {
                    Some(item) => self.issue(item, out),
                    None => return self.retire(out),
                }
                if !is_late {
                    break;
                }
            }
            self.program = Some(program);
        }
        let traps = plan.everything && matches!(plan.generation, Generation::Gfx12 | Generation::Gfx1250);
        if traps && self.program.is_some() && out.random.below(60) == 0 {
            if out.losing.is_some() {
                return Ok(());
            }
            let (value, immediate) = (out.random.bits() as u32, out.random.below(2) != 0);
            let value = if immediate { value & 0xFF } else { value };
            return out.record(
                self.place,
                value,
                RecordFlags::PRIVILEGED | RecordFlags::IMMEDIATE.when(immediate),
            );
        }
        let Some(word) = self.waiting.pop_front() else { return Ok(()) };
        let (wave, marker) = word.of;
        if let Some(done) = out.truth.waves.get_mut(wave).and_then(|wave| wave.done.get_mut(marker)) {
            done.arrived.push(out.now);
        }
        if out.losing.is_some() {
            return Ok(());
        }
        out.record(self.place, word.value, word.flags)
    }

    /// True if the next wave may start. The last words of a block may arrive even later.
    fn is_free(&self, plan: &Plan, random: &mut Random) -> bool {
        let (Some(first), Some(last)) = (self.waiting.front(), self.waiting.back()) else { return true };
        let is_payload = !first.is_header && first.of == last.of;
        plan.everything && is_payload && random.below(8) == 0
    }

    fn launch(&mut self, out: &mut Out<'_>) -> io::Result<()> {
        let SlotId { se, cu, simd, slot } = self.place;
        self.program = Some(Program::new(out.plan, &mut out.random));
        (self.issued, self.markers) = (out.now, 0);
        self.wave = out.truth.waves.len();
        if out.plan.truth {
            let slot = (se, cu, simd, slot);
            out.truth.waves.push(WaveTruth { slot, life: (out.now, i64::MAX), done: Vec::new() });
        }
        self.is_known = out.losing.is_none();
        if self.is_known { out.sink.edge(self.place, out.now, true, 1) } else { Ok(()) }
    }

    fn retire(&mut self, out: &mut Out<'_>) -> io::Result<()> {
        self.program = None;
        if let Some(wave) = out.truth.waves.get_mut(self.wave) {
            wave.life.1 = out.now;
        }
        if out.losing.is_some() {
            return Ok(());
        }
        // The kernel of a wave whose start is not in the trace is not known.
        let kernel = u64::from(std::mem::take(&mut self.is_known));
        out.sink.edge(self.place, out.now, false, kernel)
    }

    fn issue(&mut self, item: Item, out: &mut Out<'_>) {
        let plan = out.plan;
        // What arrives now was issued some time ago, but not before what came earlier.
        let delay = if plan.packed { out.random.below(3000) as i64 } else { 0 };
        let issued = (out.now - delay).max(self.issued);
        self.issued = issued;
        let word = header(plan, item.marker, issued);
        let is_immediate =
            plan.generation != Generation::Gfx9 && !plan.packed && item.is_constant && word <= 0xFF;
        let of = (self.wave, self.markers);
        self.markers += 1;
        let flags = RecordFlags::IMMEDIATE.when(is_immediate);
        self.waiting.push_back(Word { value: word, flags, of, is_header: true });
        let payload = item.payload.iter();
        self.waiting.extend(payload.map(|&value| Word {
            value,
            flags: RecordFlags::NONE,
            of,
            is_header: false,
        }));
        if let Some(wave) = out.truth.waves.get_mut(self.wave) {
            let word = item.marker.to_word().unwrap_or_default();
            wave.done.push(Done { issued, arrived: Vec::new(), word, payload: item.payload, is_immediate });
        }
    }
}

fn header(plan: &Plan, marker: Marker, issued: i64) -> u32 {
    // Numbers of users have no clock.
    let is_packed = plan.packed && (marker == Marker::EXIT || plan.has(marker.id));
    let encoding = if is_packed { PACKED } else { MarkerEncoding::PLAIN };
    let clock = (issued as u32 & encoding.shader_clock_source_mask()) >> encoding.shader_clock_shift;
    encoding.encode(marker, clock).unwrap_or_default()
}
