//! Progress of long work on stderr, where that is a terminal.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use sqtt_decoder::trace::TraceSource;

/// Work that takes less is not worth a word.
pub(crate) const PATIENCE: Duration = Duration::from_secs(1);
/// Time until the line is written anew.
const STEP: Duration = Duration::from_millis(200);

struct Shared {
    bytes: AtomicU64,
    done: AtomicBool,
}

/// A line on stderr that says how far the work on a folder is; it goes away with the value.
pub(crate) struct Progress {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

impl Progress {
    /// `None` where it would not be seen.
    pub(crate) fn start(trace: TraceSource<'_>, is_terminal: bool) -> Option<Self> {
        if !is_terminal {
            return None;
        }
        let (total, path) = (trace.size(), trace.path());
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        let shared = Arc::new(Shared { bytes: AtomicU64::new(0), done: AtomicBool::new(false) });
        let watched = Arc::clone(&shared);
        let thread = thread::Builder::new().spawn(move || watch(&watched, &name, total)).ok();
        Some(Self { shared, thread })
    }

    /// Count of bytes.
    pub(crate) fn bytes(&self) -> &AtomicU64 {
        &self.shared.bytes
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.shared.done.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            thread.thread().unpark();
            // A line that could not be written is no loss.
            let _ = thread.join();
        }
    }
}

fn watch(shared: &Shared, name: &str, total: u64) {
    let start = Instant::now();
    let mut shown = false;
    loop {
        thread::park_timeout(STEP);
        if shared.done.load(Ordering::Relaxed) {
            break;
        }
        if start.elapsed() < PATIENCE {
            continue;
        }
        let bytes = shared.bytes.load(Ordering::Relaxed);
        let hundredths = (bytes.saturating_mul(100) / total.max(1)).min(100);
        let name = sqtt_format::Printable(name.as_bytes());
        let (megabytes, seconds) = (bytes / 1_000_000, start.elapsed().as_secs());
        let phase = if bytes < total { "reading" } else { "decoding" };
        let line = format!("{phase} {name}: {megabytes} MB read ({hundredths}%), {seconds} s");
        write_line(&line);
        shown = true;
    }
    if shown {
        clear_line();
    }
}

/// Replaces the terminal's line.
pub(crate) fn write_line(text: &str) {
    // A line that could not be written is no loss.
    let _ = write!(io::stderr(), "\rsqtt: {text}\x1b[K");
}

/// Empties it.
pub(crate) fn clear_line() {
    let _ = write!(io::stderr(), "\r\x1b[K");
}
