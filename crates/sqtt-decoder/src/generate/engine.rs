//! The records and waves of one shader engine.

use std::collections::VecDeque;
use std::io;
use std::path::Path;

use sqtt_format::{Marker, MarkerEncoding};

use super::program::Program;
use super::{Done, PACKED, Plan, Random, Truth, WaveTruth};
use crate::export::ui::{Engine, HardwareEvent, RecordFiles, WaveEdge};
use crate::trace::{Origin, Record, SlotId};

/// `type` of the event that says that packets were lost.
const PACKET_LOSS: u64 = 6;

/// A slot and the wave in it.
struct Slot {
    place: SlotId,
    program: Program,
    /// Words that the marker at hand still has to write.
    waiting: VecDeque<u32>,
    /// Words of the next markers that will be lost.
    losing: u64,
    generation: u32,
    running: bool,
    issued: i64,
    truth: WaveTruth,
}

pub(super) fn write(folder: &Path, plan: &Plan, se: u32, truth: &mut Truth) -> io::Result<Engine> {
    let mut random = Random::new(plan.seed ^ u64::from(se) << 32);
    let mut engine = Engine::default();
    let mut records = RecordFiles::new(folder, se, plan.writer).with_limit(plan.records_per_file);
    let mut written = 0;
    let mut slots = slots(plan, se);
    let share = plan.records / u64::from(plan.engines.max(1));
    let loss_every = if plan.packet_losses > 0 { share / (plan.packet_losses + 1) } else { u64::MAX };
    let (mut now, mut dropping, mut losses) = (1000_i64, 0_u64, 0_u64);
    while written < share || slots.iter().any(|slot| slot.running) {
        for slot in &mut slots {
            now += 1 + random.below(3) as i64;
            if !slot.running {
                if written >= share {
                    continue;
                }
                slot.launch(plan, now, &mut random, &mut engine);
                continue;
            }
            if slot.waiting.is_empty() && !slot.issue(plan, now, &mut random, truth) {
                slot.retire(now, &mut engine, plan.truth.then_some(truth));
                continue;
            }
            let Some(word) = slot.waiting.pop_front() else { continue };
            if losses < plan.packet_losses && written > (losses + 1) * loss_every {
                losses += 1;
                dropping = 20 + random.below(200);
            }
            if dropping > 0 {
                dropping -= 1;
                // The event says when the trace goes on.
                if dropping == 0 {
                    engine.events.push(HardwareEvent {
                        time: now,
                        kind: PACKET_LOSS,
                        ..HardwareEvent::default()
                    });
                }
                slot.mark_lost();
                continue;
            }
            let record = Record { time: now, value: word, flags: 0 };
            records.push(slot.place, record).map_err(io::Error::other)?;
            written += 1;
        }
    }
    engine.files = records.finish().map_err(io::Error::other)?;
    truth.records += written;
    truth.files.extend(engine.files.iter().map(|file| folder.join(&file.name)));
    Ok(engine)
}

fn slots(plan: &Plan, se: u32) -> Vec<Slot> {
    let mut slots = Vec::new();
    for cu in 0..plan.cus {
        for simd in 0..plan.simds {
            for slot in 0..plan.slots {
                slots.push(Slot {
                    place: SlotId { se, cu, simd, slot },
                    program: Program::default(),
                    waiting: VecDeque::new(),
                    losing: 0,
                    generation: 0,
                    running: false,
                    issued: 0,
                    truth: WaveTruth::default(),
                });
            }
        }
    }
    slots
}

impl Slot {
    fn edge(&self, time: i64, start: bool) -> WaveEdge {
        let SlotId { cu, simd, slot, .. } = self.place;
        let origin = Origin { me: 1, workgroup: Some(5), ..Origin::default() };
        WaveEdge { time, cu, simd, slot, start, kernel: 1, origin }
    }

    fn launch(&mut self, plan: &Plan, now: i64, random: &mut Random, engine: &mut Engine) {
        let SlotId { se, cu, simd, slot } = self.place;
        self.truth = WaveTruth {
            slot: (se, cu, simd, slot),
            generation: self.generation,
            life: (now, now),
            done: Vec::new(),
        };
        self.program = Program::new(plan, random);
        self.running = true;
        self.losing = 0;
        self.issued = now;
        engine.waves.push(self.edge(now, true));
    }

    fn retire(&mut self, now: i64, engine: &mut Engine, truth: Option<&mut Truth>) {
        engine.waves.push(self.edge(now, false));
        self.running = false;
        self.generation += 1;
        self.truth.life.1 = now;
        if let Some(truth) = truth {
            truth.waves.push(std::mem::take(&mut self.truth));
        }
    }

    /// Issues the next marker. False at the end of the program.
    fn issue(&mut self, plan: &Plan, now: i64, random: &mut Random, truth: &mut Truth) -> bool {
        let Some(item) = self.program.next(plan, random) else { return false };
        // What arrives now was issued some time ago, but not before what came earlier.
        let issued = if plan.packed { (now - random.below(3000) as i64).max(self.issued) } else { now };
        self.issued = issued;
        let word = header(plan, item.marker, issued);
        let length = item.payload.len();
        let first = (0..=length).take(usize::try_from(self.losing).unwrap_or(usize::MAX));
        let mut lost: Vec<usize> = first.collect();
        self.losing -= lost.len() as u64;
        if lost.is_empty()
            && plan.damaged_blocks > 0
            && plan.damage.is_for(&item)
            && random.below(plan.damaged_blocks) == 0
        {
            truth.damaged_blocks += 1;
            let chosen = plan.damage.choose(length, random);
            self.losing = chosen.next;
            lost = chosen.words;
        }
        let words = std::iter::once(word).chain(item.payload.iter().copied()).enumerate();
        self.waiting.extend(words.filter(|(index, _)| !lost.contains(index)).map(|(_, word)| word));
        if plan.truth {
            let word = item.marker.to_word().unwrap_or_default();
            self.truth.done.push(Done { time: issued, word, payload: item.payload, lost });
        }
        true
    }

    /// The record that was just taken is left out.
    fn mark_lost(&mut self) {
        if let Some(done) = self.truth.done.last_mut() {
            done.lost.push(done.payload.len() - self.waiting.len());
        }
    }
}

fn header(plan: &Plan, marker: Marker, issued: i64) -> u32 {
    let encoding = if plan.packed { PACKED } else { MarkerEncoding::PLAIN };
    let clock = (issued as u32 & encoding.shader_clock_source_mask()) >> encoding.shader_clock_shift;
    encoding.encode(marker, clock).unwrap_or_default()
}
