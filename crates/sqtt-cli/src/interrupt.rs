//! Ctrl-C, SIGTERM and the end of the terminal: what is half-written is removed before the program ends, by the same
//! signal.
//!
//! A thread waits for signals. What it removes is what is registered here: a file or a folder is made and registered
//! under one lock, which is held while things are removed, so that none is made behind the thread's back.

#[cfg(unix)]
use std::fs;
#[cfg(unix)]
use std::path::Path;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What is to be removed.
static TEMPORARIES: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());
/// The signal that asked the program to end; 0 is none.
static ASKED: AtomicI32 = AtomicI32::new(0);
/// Whether the work ends by itself, and cleans up, when it sees that it is asked to.
static PATIENT: AtomicBool = AtomicBool::new(false);

fn temporaries() -> MutexGuard<'static, Vec<PathBuf>> {
    TEMPORARIES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Something temporary; once the value is gone, it is nobody's to remove.
#[derive(Debug)]
pub(crate) struct Temporary(PathBuf);

impl Drop for Temporary {
    fn drop(&mut self) {
        temporaries().retain(|path| *path != self.0);
    }
}

/// Makes something temporary, and has it removed where the program is told to end.
pub(crate) fn temporary<T, E>(make: impl FnOnce() -> Result<(T, PathBuf), E>) -> Result<(T, Temporary), E> {
    let mut all = temporaries();
    let (made, path) = make()?;
    all.push(path.clone());
    Ok((made, Temporary(path)))
}

/// Lets the work that follows come to an end by itself: it asks [`is_asked`]. A second signal ends the program at once.
pub(crate) fn be_patient() {
    PATIENT.store(true, Ordering::SeqCst);
}

/// Whether the program was told to end.
pub(crate) fn is_asked() -> bool {
    ASKED.load(Ordering::SeqCst) != 0
}

/// Ends the program here, where it was told to: errors that come of that are none to be reported.
pub(crate) fn settle() {
    let signal = ASKED.load(Ordering::SeqCst);
    if signal != 0 {
        end(signal);
    }
}

/// Starts to wait for signals. Where that is not possible, they end the program as they always do.
#[cfg(unix)]
pub(crate) fn watch() {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;

    let (sender, receiver) = std::sync::mpsc::channel::<Signals>();
    let thread = std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
        let Ok(mut signals) = receiver.recv() else { return };
        for signal in &mut signals {
            let is_second = ASKED.swap(signal, Ordering::SeqCst) != 0;
            if is_second || !PATIENT.load(Ordering::SeqCst) {
                end(signal);
            }
        }
    });
    let ignored = ignored();
    // What whoever started the program had it ignore, such as nohup, stays ignored.
    let wanted = [SIGHUP, SIGINT, SIGTERM].into_iter().filter(|signal| ignored >> (signal - 1) & 1 == 0);
    if thread.is_ok()
        && let Ok(signals) = Signals::new(wanted)
    {
        let _ = sender.send(signals);
    }
}

#[cfg(not(unix))]
pub(crate) fn watch() {}

/// The signals that are ignored, a bit for each from the lowest on, where the system says so.
#[cfg(unix)]
fn ignored() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    line.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or_default()
}

/// Removes what is temporary and ends the program as the signal does.
#[cfg(unix)]
fn end(signal: i32) {
    let all = temporaries();
    all.iter().for_each(|path| remove(path));
    // The lock is held to the end: nothing new is made.
    let _ = signal_hook::low_level::emulate_default_handler(signal);
}

#[cfg(not(unix))]
fn end(_signal: i32) {}

/// How often a folder is emptied into which something was written meanwhile.
#[cfg(unix)]
const ATTEMPTS: usize = 100;

#[cfg(unix)]
fn remove(path: &Path) {
    if !path.is_dir() {
        // It may have got its own name in this moment.
        let _ = fs::remove_file(path);
        return;
    }
    // Under another name nobody finds it, to write more into it.
    let mut gone = path.as_os_str().to_owned();
    gone.push(".gone");
    let path = if fs::rename(path, &gone).is_ok() { Path::new(&gone) } else { path };
    for _ in 0..ATTEMPTS {
        if fs::remove_dir_all(path).is_ok() || !path.exists() {
            break;
        }
    }
}
