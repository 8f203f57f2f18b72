//! Ctrl-C, SIGTERM and the end of the terminal: what is half-written is removed before the program ends, by the same
//! signal.
//!
//! A thread waits for signals, and removes what [`sqtt_files::temporary`] made.

use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};

/// The signal that asked the program to end; 0 is none.
static ASKED: AtomicI32 = AtomicI32::new(0);
/// True if the work ends by itself, and cleans up, when it sees that it is asked to.
static PATIENT: AtomicBool = AtomicBool::new(false);

/// Lets the work that follows come to an end by itself: it asks [`is_asked`]. A second signal ends the program at once.
pub(crate) fn be_patient() {
    PATIENT.store(true, Ordering::SeqCst);
}

/// True if the program was told to end.
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
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    line.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or_default()
}

/// Removes what is temporary and ends the program as the signal does.
#[cfg(unix)]
fn end(signal: i32) {
    // Held to the end: nothing new is made.
    let _removed = sqtt_files::remove_temporaries();
    let _ = signal_hook::low_level::emulate_default_handler(signal);
}

#[cfg(not(unix))]
fn end(_signal: i32) {}
