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

/// The number of records of a workgroup: markers, and 32 per access. Bounds the memory of a run.
const MAX_RECORDS: usize = 1 << 24;

/// Options of a run: the default, and a method for each that differs.
#[derive(Debug, Clone)]
#[non_exhaustive]
#[must_use]
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

impl Options {
    /// Sets the number of threads; 0 means one per core.
    pub fn threads(self, threads: usize) -> Options {
        Options { threads, ..self }
    }

    /// Sets the number of wave-instructions that one workgroup may execute.
    pub fn max_steps(self, max_steps: u64) -> Options {
        Options { max_steps, ..self }
    }

    /// Records every memory access, or none.
    pub fn accesses(self, accesses: bool) -> Options {
        Options { accesses, ..self }
    }

    /// Says if waves that have ended count as arrived at barriers.
    pub fn ended_waves_pass_barriers(self, ended_waves_pass_barriers: bool) -> Options {
        Options { ended_waves_pass_barriers, ..self }
    }
}

/// The run of one workgroup.
struct Group {
    waves: Vec<WaveTrace>,
    end: u64,
    stopped: Option<Stop>,
}

/// Why a workgroup did not come to its end.
struct Stop {
    error: SimError,
    /// When everything else stopped, too. `None` where the others go on, as around a wave that waits for ever.
    halt: Option<u64>,
}

/// A kernel's run, and the reason of its stop if it did not come to its end.
#[derive(Debug)]
#[non_exhaustive]
pub struct Outcome {
    /// The workgroups before the one that could not go on, and that one as far as it came.
    pub result: RunResult,
    /// The first failure in workgroup order.
    pub stopped: Option<SimError>,
}

/// Runs a kernel.
///
/// # Errors
/// [`SimError::NoKernel`], [`SimError::Launch`], or the first failure in workgroup order.
pub fn run(program: &Program, launch: &Launch, options: &Options) -> Result<RunResult, SimError> {
    let Outcome { result, stopped } = run_as_far_as_possible(program, launch, options)?;
    stopped.map_or(Ok(result), Err)
}

/// Runs a kernel to its end, or to where a wave cannot go on.
///
/// # Errors
/// [`SimError::NoKernel`], [`SimError::Launch`].
pub fn run_as_far_as_possible(
    program: &Program,
    launch: &Launch,
    options: &Options,
) -> Result<Outcome, SimError> {
    let (dispatch, memory) = Dispatch::new(program, launch)?;
    let threads = match options.threads {
        0 => thread::available_parallelism().map_or(1, std::num::NonZero::get),
        n => n,
    };
    let machine = Machine::new(program.target(), dispatch.waves);
    let total = dispatch.grid.iter().map(|&d| u64::from(d)).product::<u64>();
    let mut runner =
        Runner { dispatch: &dispatch, machine, options, memory, parallel: threads > 1 && total > 1, threads };
    let (mut waves, mut stopped) = (Vec::new(), None::<Stop>);
    let (mut first, mut start) = (0, 0);
    while first < total && stopped.is_none() {
        let count = machine.round().min(total - first);
        for group in runner.round(first, count, start) {
            start = start.max(group.end);
            waves.extend(group.waves);
            stopped = group.stopped;
        }
        first += count;
    }
    if let Some(halt) = stopped.as_ref().and_then(|stop| stop.halt) {
        waves.iter_mut().for_each(|wave| wave.cut_off(halt));
        start = halt;
    }
    let memory = runner.memory;
    let buffers = dispatch.buffers.iter().map(|&(arg, address)| {
        let bytes = memory.region_at(address).map_or_else(Vec::new, |r| r.bytes.clone());
        BufferOut { arg, address, bytes }
    });
    let instructions = waves.iter().map(|w| w.instructions).sum();
    let result = RunResult { buffers: buffers.collect(), instructions, cycles: start, waves };
    Ok(Outcome { result, stopped: stopped.map(|stop| stop.error) })
}

/// A workgroup's result and the overlay that it stands on.
type Speculated = (Group, Overlay);

struct Runner<'a> {
    dispatch: &'a Dispatch<'a>,
    machine: Machine,
    options: &'a Options,
    memory: Memory,
    parallel: bool,
    threads: usize,
}

impl Runner<'_> {
    /// Workgroups `first..first + count`, which share the machine; none behind one that stopped.
    fn round(&mut self, first: u64, count: u64, start: u64) -> Vec<Group> {
        let mut groups: Vec<Group> = Vec::new();
        let mut j = 0;
        while j < count && groups.last().is_none_or(|group| group.stopped.is_none()) {
            let batch = if self.parallel { (self.threads as u64 * 8).min(count - j) } else { 1 };
            if batch == 1 {
                groups.push(self.direct(first + j, j, start));
            } else {
                self.batch(first, j..j + batch, start, &mut groups);
            }
            j += batch;
        }
        groups
    }

    fn direct(&mut self, n: u64, j: u64, start: u64) -> Group {
        let view = View::Direct(&mut self.memory);
        run_group(self.dispatch, &self.machine, self.options, view, n, j, start).0
    }

    fn batch(&mut self, first: u64, range: std::ops::Range<u64>, start: u64, groups: &mut Vec<Group>) {
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
            let group = match done {
                Some((group, overlay)) if !committed.conflicts(&overlay) => {
                    committed.commit(&mut self.memory, &overlay);
                    group
                }
                _ => {
                    // It read what an earlier one wrote: once more, on what that one left.
                    again += 1;
                    let view = View::Overlay(&self.memory, Overlay::default());
                    let (group, view) =
                        run_group(self.dispatch, &self.machine, self.options, view, first + j, j, start);
                    if let View::Overlay(_, overlay) = view {
                        committed.commit(&mut self.memory, &overlay);
                    }
                    group
                }
            };
            let is_last = group.stopped.is_some();
            groups.push(group);
            if is_last {
                break;
            }
        }
        // Speculation that mostly fails costs more than it gives.
        self.parallel &= again * 2 <= count;
    }
}

/// Runs one workgroup to its end, or to where a wave cannot go on; gives the view of memory back.
fn run_group<'m>(
    dispatch: &'m Dispatch<'m>,
    machine: &Machine,
    options: &Options,
    view: View<'m>,
    n: u64,
    j: u64,
    start: u64,
) -> (Group, View<'m>) {
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
    let stopped = turns(&mut waves, &mut env, options).err().map(|(wave, at, cause)| {
        let halt = waves.get(wave as usize).filter(|_| !cause.is_hang()).map(|w| w.time);
        halt.into_iter().for_each(|halt| catch_up(&mut waves, &mut env, halt));
        Stop { error: dispatch.error(group, wave, at, cause), halt }
    });
    let end = waves.iter().map(|w| w.time).max().unwrap_or(begin);
    let traces = waves.into_iter().zip(places).map(|(w, p)| WaveTrace {
        workgroup: group,
        workgroup_number: n,
        wave: w.index,
        se: p.se,
        cu: p.cu,
        simd: p.simd,
        slot: p.slot,
        workgroup_slot: p.workgroup_slot,
        markers: w.markers,
        accesses: w.accesses,
        start: begin,
        end: (w.state == State::Ended).then_some(w.time),
        instructions: w.instructions,
    });
    (Group { waves: traces.collect(), end, stopped }, env.mem)
}

/// A failure: wave, instruction index, cause.
type Failed = (u32, usize, Fault);

/// Gives each wave its turns until all have ended.
fn turns(waves: &mut [Wave], env: &mut Env<'_>, options: &Options) -> Result<(), Failed> {
    let mut left = options.max_steps;
    loop {
        let (mut running, mut ended) = (false, 0);
        for w in waves.iter_mut() {
            leave_barrier(w, env);
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

fn leave_barrier(w: &mut Wave, env: &Env<'_>) {
    if w.state == State::Barrier && env.barrier.phase >= w.barrier_target {
        w.state = State::Running;
        w.time = w.time.max(env.barrier.release);
    }
}

/// Lets waves come to where they are at that time: turns leave some of them behind. One that cannot go on
/// stays where it is.
fn catch_up(waves: &mut [Wave], env: &mut Env<'_>, halt: u64) {
    let mut stuck = vec![false; waves.len()];
    let mut any = true;
    while std::mem::take(&mut any) {
        for (w, stuck) in waves.iter_mut().zip(&mut stuck) {
            leave_barrier(w, env);
            while w.state == State::Running && w.time < halt && !*stuck {
                any = true;
                *stuck = turn(w, env, 1).is_err();
            }
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
        if let Err(fault) = done_one {
            w.instructions += done;
            return Err((at, fault));
        }
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
