//! Runs a dispatch: waves of a workgroup in turns, workgroups in parallel.
//!
//! The result is that of running workgroups one after another in order (see `memory::overlay`), whatever the
//! number of threads. A kernel whose workgroups wait for each other therefore never ends here: it meets the step
//! limit.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use crate::env::{Barrier, Env};
use crate::error::{Fault, SimError};
use crate::launch::{Dispatch, Launch};
use crate::machine::Machine;
use crate::memory::overlay::{Committed, Overlay};
use crate::memory::{Memory, View};
use crate::ops::indexed;
use crate::program::Program;
use crate::result::{BufferOut, RunResult, WaveTrace};
use crate::wave::{State, Wave};

/// Instructions that a wave executes before the next one of its workgroup has its turn.
const QUANTUM: u64 = 64;

/// What a workgroup may record: markers, and 32 per access. Bounds the memory of a run.
const MAX_RECORDS: usize = 1 << 24;

/// How to run.
#[derive(Debug, Clone)]
pub struct Options {
    /// Threads; 0 means one per core.
    pub threads: usize,
    /// Wave-instructions that one workgroup may execute.
    pub max_steps: u64,
    /// Record every memory access.
    pub accesses: bool,
    /// Waves that have ended count as arrived at barriers, as the hardware has it. Off, such a barrier is the
    /// error that it is in HIP: one that some waves never reach.
    pub ended_waves_pass_barriers: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options { threads: 0, max_steps: 100_000_000, accesses: false, ended_waves_pass_barriers: false }
    }
}

/// What one workgroup did.
struct Group {
    waves: Vec<WaveTrace>,
    end: u64,
}

/// Runs a kernel.
///
/// # Errors
/// [`SimError::NoKernel`], [`SimError::Launch`], or the first failure in workgroup order.
pub fn run(program: &Program, launch: &Launch, options: &Options) -> Result<RunResult, SimError> {
    let (dispatch, memory) = Dispatch::new(program, launch)?;
    let threads = match options.threads {
        0 => thread::available_parallelism().map_or(1, std::num::NonZero::get),
        n => n,
    };
    let machine = Machine::new(program.target(), dispatch.waves);
    let total = dispatch.grid.iter().map(|&d| u64::from(d)).product::<u64>();
    let mut runner =
        Runner { dispatch: &dispatch, machine, options, memory, parallel: threads > 1 && total > 1, threads };
    let mut waves = Vec::new();
    let (mut first, mut start) = (0, 0);
    while first < total {
        let count = machine.round().min(total - first);
        let groups = runner.round(first, count, start)?;
        for group in groups {
            start = start.max(group.end);
            waves.extend(group.waves);
        }
        first += count;
    }
    let memory = runner.memory;
    let buffers = dispatch.buffers.iter().map(|&(arg, address)| {
        let bytes = memory.region_at(address).map_or_else(Vec::new, |r| r.bytes.clone());
        BufferOut { arg, address, bytes }
    });
    let instructions = waves.iter().map(|w| w.instructions).sum();
    Ok(RunResult { buffers: buffers.collect(), instructions, cycles: start, waves })
}

/// A workgroup's result and the overlay that it stands on.
type Speculated = (Result<Group, SimError>, Overlay);

struct Runner<'a> {
    dispatch: &'a Dispatch<'a>,
    machine: Machine,
    options: &'a Options,
    memory: Memory,
    parallel: bool,
    threads: usize,
}

impl Runner<'_> {
    /// Workgroups `first..first + count`, which share the machine.
    fn round(&mut self, first: u64, count: u64, start: u64) -> Result<Vec<Group>, SimError> {
        let mut groups = Vec::new();
        let mut j = 0;
        while j < count {
            let batch = if self.parallel { (self.threads as u64 * 8).min(count - j) } else { 1 };
            if batch == 1 {
                groups.push(self.direct(first + j, j, start)?);
            } else {
                self.batch(first, j..j + batch, start, &mut groups)?;
            }
            j += batch;
        }
        Ok(groups)
    }

    fn direct(&mut self, n: u64, j: u64, start: u64) -> Result<Group, SimError> {
        let view = View::Direct(&mut self.memory);
        run_group(self.dispatch, &self.machine, self.options, view, n, j, start).0
    }

    fn batch(
        &mut self,
        first: u64,
        range: std::ops::Range<u64>,
        start: u64,
        groups: &mut Vec<Group>,
    ) -> Result<(), SimError> {
        let count = (range.end - range.start) as usize;
        let slots: Vec<Mutex<Option<Speculated>>> = (0..count).map(|_| Mutex::new(None)).collect();
        let next = AtomicUsize::new(0);
        let (dispatch, machine, options, memory) = (self.dispatch, &self.machine, self.options, &self.memory);
        let work = || loop {
            let k = next.fetch_add(1, Ordering::Relaxed);
            let Some(slot) = slots.get(k) else { break };
            let j = range.start + k as u64;
            let view = View::Overlay(memory, Overlay::default());
            let (result, view) = run_group(dispatch, machine, options, view, first + j, j, start);
            if let (View::Overlay(_, overlay), Ok(mut slot)) = (view, slot.lock()) {
                *slot = Some((result, overlay));
            }
        };
        thread::scope(|scope| {
            for _ in 1..self.threads.min(count) {
                scope.spawn(work);
            }
            work();
        });
        let mut committed = Committed::default();
        let mut again = 0;
        for (k, slot) in slots.into_iter().enumerate() {
            let done = slot.into_inner().ok().flatten();
            let j = range.start + k as u64;
            match done {
                Some((result, overlay)) if !committed.conflicts(&overlay) => {
                    groups.push(result?);
                    committed.commit(&mut self.memory, &overlay);
                }
                _ => {
                    // It read what an earlier one wrote: once more, on what that one left.
                    again += 1;
                    let view = View::Overlay(&self.memory, Overlay::default());
                    let (result, view) =
                        run_group(self.dispatch, &self.machine, self.options, view, first + j, j, start);
                    groups.push(result?);
                    if let View::Overlay(_, overlay) = view {
                        committed.commit(&mut self.memory, &overlay);
                    }
                }
            }
        }
        // Speculation that mostly fails costs more than it gives.
        self.parallel &= again * 2 <= count;
        Ok(())
    }
}

/// Runs one workgroup to its end; gives the view of memory back.
fn run_group<'m>(
    dispatch: &'m Dispatch<'m>,
    machine: &Machine,
    options: &Options,
    view: View<'m>,
    n: u64,
    j: u64,
    start: u64,
) -> (Result<Group, SimError>, View<'m>) {
    let code = &dispatch.program.code;
    let group = dispatch.workgroup(n);
    let begin = start + Machine::start(j);
    let places: Vec<_> = (0..dispatch.waves).map(|w| machine.place(j, w)).collect();
    let mut waves: Vec<Wave> = (0..dispatch.waves)
        .zip(&places)
        .map(|(w, place)| dispatch.wave(w, group, machine.hw_ids(place), begin))
        .collect();
    let mut env = Env {
        code,
        lds: vec![0; dispatch.lds as usize],
        mem: view,
        barrier: Barrier::default(),
        waves: dispatch.waves,
        log_accesses: options.accesses,
    };
    let result = turns(&mut waves, &mut env, options);
    let result = result.map_err(|(wave, at, cause)| dispatch.error(group, wave, at, cause)).map(|()| {
        let end = waves.iter().map(|w| w.time).max().unwrap_or(begin);
        let traces = waves.into_iter().zip(places).map(|(w, p)| WaveTrace {
            workgroup: group,
            wave: w.index,
            se: p.se,
            cu: p.cu,
            simd: p.simd,
            slot: p.slot,
            workgroup_slot: p.workgroup_slot,
            markers: w.markers,
            accesses: w.accesses,
            start: begin,
            end: w.time,
            instructions: w.instructions,
        });
        Group { waves: traces.collect(), end }
    });
    (result, env.mem)
}

/// A failure: wave, instruction index, cause.
type Failed = (u32, usize, Fault);

/// Gives each wave its turns until all have ended.
fn turns(waves: &mut [Wave], env: &mut Env<'_>, options: &Options) -> Result<(), Failed> {
    let mut left = options.max_steps;
    loop {
        let (mut running, mut ended) = (false, 0);
        for w in waves.iter_mut() {
            if w.state == State::Barrier && env.barrier.phase >= w.barrier_target {
                w.state = State::Running;
                w.time = w.time.max(env.barrier.release);
            }
            if w.state == State::Running {
                running = true;
                let done = turn(w, env, QUANTUM.min(left)).map_err(|(at, cause)| (w.index, at, cause))?;
                left -= done;
                if left == 0 && w.state == State::Running {
                    return Err((w.index, w.pc, Fault::StepLimit(options.max_steps)));
                }
                if w.state == State::Ended && options.ended_waves_pass_barriers {
                    env.waves -= 1;
                    env.barrier.complete(env.waves);
                }
            }
            ended += usize::from(w.state == State::Ended);
        }
        let records: usize = waves.iter().map(|w| w.markers.len() + 32 * w.accesses.len()).sum();
        if let (true, Some(w)) = (records > MAX_RECORDS, waves.iter().find(|w| w.state == State::Running)) {
            return Err((w.index, w.pc, Fault::RecordLimit(MAX_RECORDS)));
        }
        if ended == waves.len() {
            return Ok(());
        }
        if !running {
            return Err(deadlock(waves));
        }
    }
}

/// Executes up to `limit` instructions of a wave.
fn turn(w: &mut Wave, env: &mut Env<'_>, limit: u64) -> Result<u64, (usize, Fault)> {
    let code = env.code;
    let mut done = 0;
    while done < limit {
        let at = w.pc;
        let Some(inst) = code.insts.get(at) else {
            return Err((at, Fault::BadPc(code.pc(at))));
        };
        w.pc = at + 1;
        let done_one = if w.gpr_index == 0 { (inst.exec)(w, env, inst) } else { indexed::run(w, env, inst) };
        done_one.map_err(|fault| (at, fault))?;
        w.time += u64::from(inst.cost);
        done += 1;
        if w.state != State::Running {
            break;
        }
    }
    w.instructions += done;
    Ok(done)
}

fn deadlock(waves: &[Wave]) -> Failed {
    let list = |state: State| {
        let names: Vec<_> = waves.iter().filter(|w| w.state == state).map(|w| w.index.to_string()).collect();
        names.join(", ")
    };
    let first = waves.iter().find(|w| w.state == State::Barrier).or(waves.first());
    let (index, at) = first.map_or((0, 0), |w| (w.index, w.pc.saturating_sub(1)));
    let reason = format!(
        "wave(s) {} wait, wave(s) {} ended without reaching it",
        list(State::Barrier),
        match list(State::Ended) {
            none if none.is_empty() => "none".to_owned(),
            some => some,
        }
    );
    (index, at, Fault::BarrierDeadlock(reason))
}
