//! One workgroup: its waves take turns.

use std::cell::RefCell;

use crate::counts::Counts;
use crate::dispatch::Dispatch;
use crate::env::{Barrier, Env, Grid};
use crate::error::{Fault, SimError};
use crate::machine::{Machine, WavePlace};
use crate::memory::View;
use crate::ops::indexed;
use crate::result::WaveTrace;
use crate::run::{Host, Options};
use crate::wave::{State, Wave};

/// Instructions that a wave executes before the next one of its workgroup has its turn.
const QUANTUM: u64 = 64;

/// The number of records of a workgroup: markers, and 32 per access. Bounds the memory of a run.
const MAX_RECORDS: usize = 1 << 24;

/// The run of one workgroup.
pub(crate) struct Group {
    pub(crate) waves: Vec<WaveTrace>,
    pub(crate) counts: Counts,
    pub(crate) end: u64,
    pub(crate) stopped: Option<Stop>,
}

/// Why a workgroup did not come to its end.
pub(crate) struct Stop {
    pub(crate) error: SimError,
    /// When everything else stopped, too. `None` where the others go on, as around a wave that waits for ever.
    pub(crate) halt: Option<u64>,
}

/// A workgroup that runs.
struct Running<'m> {
    number: u64,
    group: [u32; 3],
    begin: u64,
    places: Vec<WavePlace>,
    waves: Vec<Wave>,
    env: Env<'m>,
    steps: u64,
}

impl<'m> Running<'m> {
    /// Workgroup `number`, the `j`-th of a round that begins at `start`.
    fn new(
        dispatch: &'m Dispatch<'m>,
        machine: &Machine,
        options: &Options,
        mem: View<'m>,
        (number, j): (u64, u64),
        start: u64,
        grid: Option<Grid>,
    ) -> Running<'m> {
        let group = dispatch.workgroup(number);
        let begin = start + Machine::start(j);
        let places: Vec<_> = (0..dispatch.waves).map(|w| machine.place(j, w)).collect();
        let waves = (0..dispatch.waves)
            .zip(&places)
            .map(|(w, place)| dispatch.wave(w, group, machine.hw_ids(place), begin));
        let waves = waves.collect();
        let env = Env {
            code: &dispatch.program.code,
            base: dispatch.base,
            lds: vec![0; dispatch.lds as usize],
            mem,
            barrier: Barrier::default(),
            grid,
            waves: dispatch.waves,
            log_markers: options.waves,
            log_accesses: options.accesses,
            lds_conflicts: options.lds_conflicts.then(|| dispatch.program.target()),
        };
        Running { number, group, begin, places, waves, env, steps: options.max_steps }
    }

    /// Stops every wave at the time of one that failed.
    fn stop(&mut self, dispatch: &Dispatch<'_>, (wave, at, cause): Failed) -> Stop {
        let halt = self.waves.get(wave as usize).filter(|_| !cause.is_hang()).map(|w| w.time);
        halt.into_iter().for_each(|halt| catch_up(&mut self.waves, &mut self.env, halt));
        Stop { error: dispatch.error(self.group, wave, at, cause), halt }
    }

    fn finish(self, options: &Options, stopped: Option<Stop>) -> (Group, View<'m>) {
        let end = self.waves.iter().map(|w| w.time).max().unwrap_or(self.begin);
        let mut counts = Counts::default();
        self.waves.iter().for_each(|w| counts.add(&w.counts));
        let waves = self.waves.into_iter().zip(self.places).filter(|_| options.waves);
        let traces = waves.map(|(w, p)| WaveTrace {
            workgroup: self.group,
            workgroup_number: self.number,
            wave: w.index,
            se: p.se,
            cu: p.cu,
            simd: p.simd,
            slot: p.slot,
            workgroup_slot: p.workgroup_slot,
            markers: w.markers,
            accesses: w.accesses,
            start: self.begin,
            end: (w.state == State::Ended).then_some(w.time),
            instructions: w.counts.all(),
        });
        (Group { waves: traces.collect(), counts, end, stopped }, self.env.mem)
    }
}

/// Runs one workgroup to its end, or to where a wave cannot go on; gives the view of memory back.
pub(crate) fn run_group<'m>(
    dispatch: &'m Dispatch<'m>,
    machine: &Machine,
    options: &Options,
    view: View<'m>,
    n: u64,
    j: u64,
    start: u64,
) -> (Group, View<'m>) {
    let mut group = Running::new(dispatch, machine, options, view, (n, j), start, None);
    let stopped = loop {
        match turns(&mut group, options) {
            Ok(Turned::AllEnded) => break None,
            Ok(Turned::Going) => {}
            Ok(Turned::AllWait) => {
                let failed = deadlock(&group.waves);
                break Some(group.stop(dispatch, failed));
            }
            Err(failed) => break Some(group.stop(dispatch, failed)),
        }
    };
    group.finish(options, stopped)
}

/// Runs all workgroups of a cooperative dispatch together, each wave in its turn.
pub(crate) fn run_together<'m>(
    dispatch: &'m Dispatch<'m>,
    machine: &Machine,
    options: &Options,
    view: impl Fn() -> View<'m>,
    count: u64,
) -> Vec<Group> {
    let grid = Grid::new(RefCell::new([Barrier::default(); 64]));
    let new = |n| Running::new(dispatch, machine, options, view(), (n, n), 0, Some(grid.clone()));
    let groups = (0..count).map(new);
    let mut groups: Vec<_> = groups.map(|group| (group, Turned::Going)).collect();
    let mut failed = None;
    while failed.is_none() && groups.iter().any(|(_, turned)| *turned != Turned::AllEnded) {
        // The first that waits, while none goes on.
        let (mut waits, mut goes_on) = (None, false);
        for (k, (group, turned)) in groups.iter_mut().enumerate() {
            if *turned == Turned::AllEnded {
                continue;
            }
            match turns(group, options) {
                Ok(Turned::AllWait) if group.waves.iter().any(|w| matches!(w.state, State::Grid(_))) => {
                    waits = waits.or(Some(k));
                }
                // Other barriers are the workgroup's own: nobody else can end this wait.
                Ok(Turned::AllWait) => failed = Some((k, deadlock(&group.waves))),
                Ok(now) => (*turned, goes_on) = (now, true),
                Err(why) => failed = Some((k, why)),
            }
            if failed.is_some() {
                break;
            }
        }
        if let (false, None, Some(k)) = (goes_on, &failed, waits) {
            failed = Some((k, deadlock(&groups[k].0.waves)));
        }
    }
    let mut stopped = failed.map(|(k, why)| (k, groups[k].0.stop(dispatch, why)));
    let finished = groups.into_iter().enumerate().map(|(k, (group, _))| {
        let own = stopped.take_if(|(of, _)| *of == k).map(|(_, stop)| stop);
        group.finish(options, own).0
    });
    finished.collect()
}

/// A failure: wave, instruction index, cause.
type Failed = (u32, usize, Fault);

/// The state of a workgroup after a turn of each wave.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Turned {
    Going,
    AllEnded,
    /// Every wave has ended or waits, and no barrier will let one go.
    AllWait,
}

/// Gives each wave a turn.
fn turns(group: &mut Running<'_>, options: &Options) -> Result<Turned, Failed> {
    let Running { waves, env, steps: left, .. } = group;
    let (mut running, mut ended) = (false, 0);
    for w in waves.iter_mut() {
        leave_barrier(w, env);
        if w.state == State::Running {
            running = true;
            let done = turn(w, env, QUANTUM.min(*left)).map_err(|(at, cause)| (w.index, at, cause))?;
            *left -= done;
            if *left == 0 && w.state == State::Running {
                return Err((w.index, w.pc, Fault::StepLimit(options.max_steps)));
            }
            if w.state == State::Ended && options.ended_waves_pass_barriers {
                env.waves -= 1;
                env.barrier.complete(env.waves);
            }
            options.host.iter().for_each(Host::serve);
        }
        ended += usize::from(w.state == State::Ended);
    }
    let records: usize = waves.iter().map(|w| w.markers.len() + 32 * w.accesses.len()).sum();
    if let (true, Some(w)) = (records > MAX_RECORDS, waves.iter().find(|w| w.state == State::Running)) {
        return Err((w.index, w.pc, Fault::RecordLimit(MAX_RECORDS)));
    }
    Ok(match (ended == waves.len(), running) {
        (true, _) => Turned::AllEnded,
        (_, true) => Turned::Going,
        _ => Turned::AllWait,
    })
}

fn leave_barrier(w: &mut Wave, env: &Env<'_>) {
    if w.state == State::Barrier && env.barrier.phase >= w.barrier_target {
        w.state = State::Running;
        w.time = w.time.max(env.barrier.release);
    }
    if let (State::Grid(number), Some(grid)) = (w.state, &env.grid) {
        let barrier = grid.borrow()[usize::from(number) % 64];
        if barrier.phase >= w.barrier_target {
            w.state = State::Running;
            w.time = w.time.max(barrier.release);
        }
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
            return Err((at, fault));
        }
        w.counts.count(inst.counter);
        w.time += u64::from(inst.cost);
        done += 1;
        if w.state != State::Running {
            break;
        }
    }
    Ok(done)
}

fn deadlock(waves: &[Wave]) -> Failed {
    let list = |is: fn(State) -> bool| {
        let names: Vec<_> = waves.iter().filter(|w| is(w.state)).map(|w| w.index.to_string()).collect();
        names.join(", ")
    };
    let waiting = |state: State| matches!(state, State::Barrier | State::Grid(_));
    let first = waves.iter().find(|w| waiting(w.state)).or(waves.first());
    let (index, at) = first.map_or((0, 0), |w| (w.index, w.pc.saturating_sub(1)));
    let reason = format!(
        "wave(s) {} wait, wave(s) {} ended without reaching it",
        list(waiting),
        match list(|state| state == State::Ended) {
            none if none.is_empty() => "none".to_owned(),
            some => some,
        }
    );
    (index, at, Fault::BarrierDeadlock(reason))
}
