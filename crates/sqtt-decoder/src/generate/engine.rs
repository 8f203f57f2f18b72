//! The records and waves of one shader engine.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use sqtt_format::{Marker, MarkerEncoding};

use super::files::{record_file_head, record_file_tail, row};
use super::program::Program;
use super::{Done, PACKED, Plan, Random, Truth, WaveTruth};

/// What the other files of the folder need to know.
#[derive(Default)]
pub(super) struct Engine {
    pub(super) se: u32,
    /// Name, first and last time of each file.
    pub(super) files: Vec<(String, i64, i64)>,
    /// Rows of `occupancy.json`.
    pub(super) occupancy: Vec<[i64; 6]>,
    pub(super) losses: Vec<i64>,
}

/// A slot and the wave in it.
struct Slot {
    place: (u16, u8, u8),
    program: Program,
    /// Words that the marker at hand still has to write.
    waiting: VecDeque<u32>,
    generation: u32,
    running: bool,
    issued: i64,
    truth: WaveTruth,
}

struct Output<'a> {
    folder: &'a Path,
    plan: &'a Plan,
    engine: Engine,
    file: Option<BufWriter<File>>,
    in_file: u64,
    end: i64,
    written: u64,
    paths: Vec<PathBuf>,
}

pub(super) fn write(folder: &Path, plan: &Plan, se: u32, truth: &mut Truth) -> io::Result<Engine> {
    let mut random = Random::new(plan.seed ^ u64::from(se) << 32);
    let mut out = Output {
        folder,
        plan,
        engine: Engine { se, ..Engine::default() },
        file: None,
        in_file: 0,
        end: 0,
        written: 0,
        paths: Vec::new(),
    };
    let mut slots = slots(plan);
    let share = plan.records / u64::from(plan.engines.max(1));
    let loss_every = if plan.packet_losses > 0 { share / (plan.packet_losses + 1) } else { u64::MAX };
    let (mut now, mut dropping, mut losses) = (1000_i64, 0_u64, 0_u64);
    while out.written < share || slots.iter().any(|slot| slot.running) {
        for slot in &mut slots {
            now += 1 + random.below(3) as i64;
            if !slot.running {
                if out.written >= share {
                    continue;
                }
                slot.launch(plan, now, &mut random, &mut out.engine);
                continue;
            }
            if slot.waiting.is_empty() && !slot.issue(plan, now, &mut random, truth) {
                slot.retire(now, &mut out.engine, plan.truth.then_some(truth));
                continue;
            }
            let Some(word) = slot.waiting.pop_front() else { continue };
            if losses < plan.packet_losses && out.written > (losses + 1) * loss_every {
                losses += 1;
                dropping = 20 + random.below(200);
            }
            if dropping > 0 {
                dropping -= 1;
                // The event says when the trace goes on.
                if dropping == 0 {
                    out.engine.losses.push(now);
                }
                slot.mark_damaged();
                continue;
            }
            let (cu, simd, wave) = slot.place;
            out.record([now, word.into(), cu.into(), simd.into(), wave.into(), 0])?;
        }
    }
    out.finish_file()?;
    truth.records += out.written;
    truth.files.append(&mut out.paths);
    Ok(out.engine)
}

fn slots(plan: &Plan) -> Vec<Slot> {
    let mut slots = Vec::new();
    for cu in 0..plan.cus {
        for simd in 0..plan.simds {
            for slot in 0..plan.slots {
                slots.push(Slot {
                    place: (cu, simd, slot),
                    program: Program::default(),
                    waiting: VecDeque::new(),
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
    fn row(&self, now: i64, start: i64) -> [i64; 6] {
        let (cu, simd, slot) = self.place;
        [now, cu.into(), simd.into(), slot.into(), start, 1]
    }

    fn launch(&mut self, plan: &Plan, now: i64, random: &mut Random, engine: &mut Engine) {
        let (cu, simd, slot) = self.place;
        self.truth = WaveTruth {
            slot: (engine.se, cu, simd, slot),
            generation: self.generation,
            life: (now, now),
            done: Vec::new(),
        };
        self.program = Program::new(plan, random);
        self.running = true;
        self.issued = now;
        engine.occupancy.push(self.row(now, 1));
    }

    fn retire(&mut self, now: i64, engine: &mut Engine, truth: Option<&mut Truth>) {
        engine.occupancy.push(self.row(now, 0));
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
        self.waiting.push_back(word);
        self.waiting.extend(&item.payload);
        let damaged =
            item.payload.len() > 1 && plan.damaged_blocks > 0 && random.below(plan.damaged_blocks) == 0;
        if damaged {
            truth.damaged_blocks += 1;
            let lost = 1 + random.below(item.payload.len() as u64 - 1) as usize;
            let from = 1 + random.below((item.payload.len() - lost) as u64 + 1) as usize;
            self.waiting.drain(from..from + lost);
        }
        if plan.truth {
            let word = item.marker.to_word().unwrap_or_default();
            self.truth.done.push(Done { time: issued, word, payload: item.payload, damaged });
        }
        true
    }

    fn mark_damaged(&mut self) {
        if let Some(done) = self.truth.done.last_mut() {
            done.damaged = true;
        }
    }
}

fn header(plan: &Plan, marker: Marker, issued: i64) -> u32 {
    let encoding = if plan.packed { PACKED } else { MarkerEncoding::PLAIN };
    let clock = (issued as u32 & encoding.shader_clock_source_mask()) >> encoding.shader_clock_shift;
    encoding.encode(marker, clock).unwrap_or_default()
}

impl Output<'_> {
    fn record(&mut self, columns: [i64; 6]) -> io::Result<()> {
        if self.in_file == self.plan.records_per_file.max(1) {
            self.finish_file()?;
        }
        if self.file.is_none() {
            let name = format!("shaderdata_{}_{}.json", self.engine.se, self.engine.files.len());
            let path = self.folder.join(&name);
            let mut file = BufWriter::with_capacity(1 << 20, File::create(&path)?);
            record_file_head(&mut file, self.plan.writer, columns[0])?;
            self.file = Some(file);
            self.paths.push(path);
            self.engine.files.push((name, columns[0], columns[0]));
            self.in_file = 0;
        }
        if let Some(file) = &mut self.file {
            row(file, self.plan.writer, self.in_file == 0, &columns)?;
        }
        self.end = columns[0];
        self.in_file += 1;
        self.written += 1;
        Ok(())
    }

    fn finish_file(&mut self) -> io::Result<()> {
        let Some(mut file) = self.file.take() else { return Ok(()) };
        record_file_tail(&mut file, self.plan.writer, self.end, self.in_file)?;
        if let Some(listed) = self.engine.files.last_mut() {
            listed.2 = self.end;
        }
        file.flush()
    }
}
