//! A dispatch: its options, its outcome, and the run over all rounds.
//!
//! The result is that of running workgroups one after another in order, whatever the number of threads (see
//! `memory::overlay`). A kernel whose workgroups wait for each other therefore never ends here: it meets the step
//! limit, unless it was launched as a cooperative one.

use std::fmt;
use std::sync::Arc;
use std::thread;

use crate::counts::Counts;
use crate::dispatch::Dispatch;
use crate::error::SimError;
use crate::group::Stop;
use crate::launch::Launch;
use crate::load::image::IMAGE_BASE;
use crate::machine::Machine;
use crate::memory::{Memory, Module};
use crate::program::Program;
use crate::result::{BufferOut, RunResult};
use crate::rounds::Runner;

/// Options of a run: the default, and a method for each that differs.
#[derive(Debug, Clone)]
#[non_exhaustive]
#[must_use]
pub struct Options {
    /// Threads; 0 means one per core.
    pub threads: usize,
    /// Wave-instructions that one workgroup may execute.
    pub max_steps: u64,
    /// Records of all waves that are kept: markers, and 32 per access. With more, none is.
    pub max_records: u64,
    /// Record every memory access.
    pub accesses: bool,
    /// Keep what each wave did. Off, the result has counts and buffers, and memory stays small.
    pub waves: bool,
    /// Waves that have ended count as arrived at barriers, as the hardware has it. Off, such a barrier is the
    /// error that it is in HIP: one that some waves never reach.
    pub ended_waves_pass_barriers: bool,
    /// Count the cycles that LDS needs beyond those without bank conflicts.
    pub lds_conflicts: bool,
    /// The host's side of the kernel's calls of it.
    pub host: Option<Host>,
}

/// The host's side of what kernels ask it for (`printf`, `assert`, more memory): called between the turns of
/// waves, in the thread that runs them, which is one alone then.
#[derive(Clone)]
pub struct Host(Arc<dyn Fn() + Send + Sync>);

impl Host {
    /// A host that looks at its own memory for requests.
    pub fn new(serve: impl Fn() + Send + Sync + 'static) -> Host {
        Host(Arc::new(serve))
    }

    pub(crate) fn serve(&self) {
        (self.0)();
    }
}

impl fmt::Debug for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Host")
    }
}

impl Default for Options {
    fn default() -> Options {
        Options {
            threads: 0,
            max_steps: 1_000_000_000,
            max_records: 1 << 25,
            accesses: false,
            waves: true,
            ended_waves_pass_barriers: false,
            lds_conflicts: false,
            host: None,
        }
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

    /// Sets the number of records, of all waves, beyond which none is kept.
    pub fn max_records(self, max_records: u64) -> Options {
        Options { max_records, ..self }
    }

    /// Records every memory access, or none.
    pub fn accesses(self, accesses: bool) -> Options {
        Options { accesses, ..self }
    }

    /// Keeps what each wave did, or only counts.
    pub fn waves(self, waves: bool) -> Options {
        Options { waves, ..self }
    }

    /// Says if waves that have ended count as arrived at barriers.
    pub fn ended_waves_pass_barriers(self, ended_waves_pass_barriers: bool) -> Options {
        Options { ended_waves_pass_barriers, ..self }
    }

    /// Counts the cycles of LDS bank conflicts, or not.
    pub fn lds_conflicts(self, lds_conflicts: bool) -> Options {
        Options { lds_conflicts, ..self }
    }

    /// Sets the host that serves the kernel's calls; workgroups then run one after another.
    pub fn host(self, host: Host) -> Options {
        Options { host: Some(host), ..self }
    }
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
    let mut memory = Memory::simulated();
    memory.load_image(program);
    let dispatch = Dispatch::new(program, IMAGE_BASE, launch, &mut memory)?;
    Ok(go(&dispatch, &memory, options))
}

/// Launches a kernel of a loaded module. What it wrote stays in memory.
///
/// # Errors
/// [`SimError::NoKernel`], [`SimError::Launch`].
pub fn launch(
    memory: &mut Memory,
    module: &Module,
    launch: &Launch,
    options: &Options,
) -> Result<Outcome, SimError> {
    let dispatch = Dispatch::new(&module.program, module.base, launch, memory)?;
    let outcome = go(&dispatch, memory, options);
    for base in dispatch.own_regions() {
        memory.unmap(base);
    }
    Ok(outcome)
}

/// Runs all rounds of a dispatch.
fn go(dispatch: &Dispatch<'_>, memory: &Memory, options: &Options) -> Outcome {
    let threads = match options.threads {
        0 => thread::available_parallelism().map_or(1, std::num::NonZero::get),
        n => n,
    };
    let machine = Machine::new(dispatch.program.target(), dispatch.waves);
    let total = dispatch.grid.iter().map(|&d| u64::from(d)).product::<u64>();
    let mut runner = Runner {
        dispatch,
        machine,
        options: options.clone(),
        records: 0,
        memory,
        parallel: threads > 1 && total > 1 && options.host.is_none(),
        threads,
    };
    let (mut waves, mut stopped) = (Vec::new(), None::<Stop>);
    let mut counts = Counts::default();
    let (mut first, mut start) = (0, 0);
    while first < total && stopped.is_none() {
        let count = if dispatch.cooperative { total } else { machine.round().min(total - first) };
        for group in runner.round(first, count, start) {
            start = start.max(group.end);
            counts.add(&group.counts);
            waves.extend(group.waves);
            if runner.has_too_many_records() {
                waves = Vec::new();
            }
            stopped = stopped.or(group.stopped);
        }
        first += count;
    }
    if let Some(halt) = stopped.as_ref().and_then(|stop| stop.halt) {
        waves.iter_mut().for_each(|wave| wave.cut_off(halt));
        start = halt;
    }
    let buffers = dispatch.buffers.iter().map(|&(arg, address)| {
        let bytes = memory.region_bytes(address);
        BufferOut { arg, address, bytes }
    });
    let result = RunResult {
        buffers: buffers.collect(),
        instructions: counts.all(),
        counts,
        cycles: start,
        waves,
        too_many_records: runner.has_too_many_records(),
    };
    Outcome { result, stopped: stopped.map(|stop| stop.error) }
}
