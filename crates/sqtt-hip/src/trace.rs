//! A trace folder per dispatch.

use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};

use sqtt_decoder::write::NewFolder;
use sqtt_sim::{RunResult, write_trace};

use crate::code::registry::Ready;
use crate::message;

/// Letters of a kernel's name in that of a folder.
const LETTERS: usize = 64;

/// Writes the folder of a dispatch, numbered in the order of the dispatches, into another one.
pub(crate) fn write(parent: &Path, code: &Ready, kernel: &str, result: &RunResult) {
    static NEXT: AtomicU32 = AtomicU32::new(1);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let letter = |letter: char| if letter.is_ascii_alphanumeric() || letter == '_' { letter } else { '-' };
    let name: String = kernel.chars().take(LETTERS).map(letter).collect();
    let path = parent.join(format!("dispatch_{number:05}_{name}"));
    if result.too_many_records {
        return message::say(&format!(
            "no trace of dispatch {number}, {kernel}: its waves recorded more than --max-records says; ask for more, or \
             compile with SQTT_SCOPE_CU, _SIMD, _WAVE or _WG for fewer waves"
        ));
    }
    let done = std::fs::create_dir_all(parent).map_err(|error| error.to_string()).and_then(|()| {
        let folder = NewFolder::create(&path).map_err(|error| error.to_string())?;
        write_trace(folder, &code.bytes, &code.program, kernel, result).map_err(|error| error.to_string())
    });
    if let Err(error) = done {
        message::say(&format!("no trace of dispatch {number} in {}: {error}", path.display()));
    }
}
