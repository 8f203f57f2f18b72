//! Work of SQLite, counted: a test that something ends asks for no clock.

use std::cell::Cell;

use rusqlite::Connection;

thread_local! {
    /// Thousands of steps that connections of this thread may still take, where they are counted.
    static LEFT: Cell<Option<u64>> = const { Cell::new(None) };
}

/// Does work, on this thread, in which SQLite's virtual machine takes at most so many thousand steps for what is read and
/// merged; there it stops with an error. Returns the result, and the thousands of steps taken.
#[doc(hidden)]
pub fn within_steps<T>(limit: u64, work: impl FnOnce() -> T) -> (T, u64) {
    LEFT.set(Some(limit));
    let result = work();
    (result, limit - LEFT.take().unwrap_or(limit))
}

/// Counts a connection's steps, if this thread counts.
pub(crate) fn count(connection: &mut Connection) -> rusqlite::Result<()> {
    if LEFT.get().is_none() {
        return Ok(());
    }
    let step = || {
        LEFT.set(LEFT.get().map(|left| left.saturating_sub(1)));
        LEFT.get() == Some(0)
    };
    connection.progress_handler(1000, Some(step))
}
