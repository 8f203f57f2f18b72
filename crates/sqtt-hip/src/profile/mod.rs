//! The profile of a run: calls, dispatches, copies and allocations, kept until the process ends and written as a rocpd
//! database then.
//!
//! Times are nanoseconds since boot, as ROCm's profiler has them: the time that the simulator took, not that of a GPU.

mod counters;
mod write;

use std::cell::Cell;
use std::path::PathBuf;
use std::sync::{Mutex, OnceLock, PoisonError};

use sqtt_sim::{Counts, KernelInfo};

use crate::message;
use crate::raw::exit;
use crate::settings::Settings;

pub(crate) use counters::wanted;
pub use counters::{COUNTERS, Counter};

/// A time, in nanoseconds since boot.
type Time = i64;

/// A call of HIP.
#[derive(Debug)]
struct Call {
    number: u64,
    name: &'static str,
    thread: i64,
    times: [Time; 2],
}

/// Something that happened in a call.
#[derive(Debug)]
struct Done {
    what: What,
    /// The number of the call, 0 where there is none.
    call: u64,
    thread: i64,
    stream: usize,
    times: [Time; 2],
}

/// The things that happen in calls.
#[derive(Debug)]
pub(crate) enum What {
    Dispatch(Box<Dispatched>),
    Copy { to: Side, from: Side, size: usize },
    Allocate { device: Option<usize>, address: usize, size: usize },
    Free { device: Option<usize>, address: usize, size: usize },
}

/// One side of a copy: the device whose memory it is, none for the host's, and the address.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Side {
    pub(crate) device: Option<usize>,
    pub(crate) address: usize,
}

/// A dispatch.
#[derive(Debug)]
pub(crate) struct Dispatched {
    pub(crate) device: usize,
    pub(crate) module: usize,
    pub(crate) kernel: KernelInfo,
    pub(crate) grid: [u32; 3],
    pub(crate) block: [u32; 3],
    pub(crate) dynamic_lds: u32,
    pub(crate) counts: Counts,
    pub(crate) cycles: u64,
}

/// A program in a device's memory.
#[derive(Debug)]
struct LoadedCode {
    device: usize,
    module: usize,
    name: String,
    address: usize,
    size: usize,
}

/// All that happened.
#[derive(Debug, Default)]
struct Events {
    calls: Vec<Call>,
    done: Vec<Done>,
    code: Vec<LoadedCode>,
    numbers: u64,
}

/// A profile that is kept.
#[derive(Debug)]
struct Profile {
    path: PathBuf,
    counters: Vec<&'static Counter>,
    devices: usize,
    target: &'static str,
    product: &'static str,
    events: Mutex<Events>,
}

static PROFILE: OnceLock<Option<Profile>> = OnceLock::new();

thread_local! {
    /// The number of the call that the thread is in.
    static CALL: Cell<u64> = const { Cell::new(0) };
    static STREAM: Cell<usize> = const { Cell::new(0) };
}

/// Begins the profile that the settings ask for. It is written when the process ends.
pub(crate) fn start(settings: &Settings, product: &'static str) {
    PROFILE.get_or_init(|| {
        let path = settings.rocpd.clone()?;
        let counters = match counters::wanted(settings.counters.as_deref()) {
            Ok(counters) => counters,
            Err(error) => {
                message::say(&error);
                Vec::new()
            }
        };
        exit::at_exit(finish);
        Some(Profile {
            path: with_process(&path),
            counters,
            devices: settings.devices,
            target: settings.target.name(),
            product,
            events: Mutex::default(),
        })
    });
}

/// `%p` in a name is the process: programs that start others have a database each.
fn with_process(path: &std::path::Path) -> PathBuf {
    match path.to_str() {
        Some(text) => text.replace("%p", &std::process::id().to_string()).into(),
        None => path.to_owned(),
    }
}

fn profile() -> Option<&'static Profile> {
    PROFILE.get()?.as_ref()
}

/// True where the LDS conflicts of kernels are wanted.
pub(crate) fn wants_lds_conflicts() -> bool {
    profile()
        .is_some_and(|profile| profile.counters.iter().any(|counter| counter.name == counters::LDS_CONFLICTS))
}

fn now() -> Time {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::Boottime);
    time.tv_sec * 1_000_000_000 + time.tv_nsec
}

fn thread() -> i64 {
    i64::from(rustix::thread::gettid().as_raw_nonzero().get())
}

impl Profile {
    fn events(&self) -> std::sync::MutexGuard<'_, Events> {
        // Events are added one by one: those that are there are whole.
        self.events.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A call that has begun.
pub(crate) struct Begun {
    name: &'static str,
    number: u64,
    begin: Time,
}

/// Begins a call, unless the thread is in one.
pub(crate) fn call(name: &'static str) -> Option<Begun> {
    let profile = profile().filter(|_| CALL.get() == 0)?;
    let mut events = profile.events();
    events.numbers += 1;
    CALL.set(events.numbers);
    Some(Begun { name, number: events.numbers, begin: now() })
}

impl Drop for Begun {
    fn drop(&mut self) {
        CALL.set(0);
        let Some(profile) = profile() else { return };
        let times = [self.begin, now()];
        let (number, name) = (self.number, self.name);
        profile.events().calls.push(Call { number, name, thread: thread(), times });
    }
}

/// Says which stream the thread's operations are in, while `work` runs.
pub(crate) fn in_stream<T>(stream: usize, work: impl FnOnce() -> T) -> T {
    let outer = STREAM.replace(stream);
    let result = work();
    STREAM.set(outer);
    result
}

/// Does something, and notes it where it gives a note.
pub(crate) fn note<T>(work: impl FnOnce() -> (T, Option<What>)) -> T {
    let Some(profile) = profile() else { return work().0 };
    let begin = now();
    let (result, what) = work();
    if let Some(what) = what {
        let times = [begin, now()];
        let done = Done { what, call: CALL.get(), thread: thread(), stream: STREAM.get(), times };
        profile.events().done.push(done);
    }
    result
}

/// Notes that a program was loaded.
pub(crate) fn loaded(device: usize, module: usize, name: &str, address: usize, size: usize) {
    if let Some(profile) = profile() {
        let name = name.to_owned();
        profile.events().code.push(LoadedCode { device, module, name, address, size });
    }
}

/// Writes the database.
fn finish() {
    let Some(profile) = profile() else { return };
    let events = std::mem::take(&mut *profile.events());
    if let Err(error) = write::write(profile, &events) {
        let mut text = error.to_string();
        let mut cause = std::error::Error::source(&error);
        while let Some(why) = cause {
            text.push_str(&format!(": {why}"));
            cause = why.source();
        }
        if matches!(error, rocpd::Error::Exists { .. }) {
            text.push_str("; with %p in its name each process has a file of its own");
        }
        message::say(&format!("the profile {} is not complete: {text}", profile.path.display()));
    }
}
