//! Messages to the user, on stderr: errors whose code alone says too little. A program's user sees no other way.

use std::collections::HashSet;
use std::io::Write as _;
use std::sync::{Mutex, PoisonError};

/// Says something.
pub(crate) fn say(text: &str) {
    // A process without stderr goes on.
    let _ = writeln!(std::io::stderr(), "sqtt run: {text}");
}

/// Says something once in the process.
pub(crate) fn say_once(text: &str) {
    static SAID: Mutex<Option<HashSet<String>>> = Mutex::new(None);
    let mut said = SAID.lock().unwrap_or_else(PoisonError::into_inner);
    if said.get_or_insert_default().insert(text.to_owned()) {
        say(text);
    }
}
