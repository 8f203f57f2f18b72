//! Functions of events.

use super::event::Recorded;
use super::operation::Operation;
use super::submit::submit;
use crate::call::api;
use crate::error::Code;
use crate::raw::Out;
use crate::runtime::lock;

/// Refuses an event that a capture recorded; the error of the device otherwise.
fn wait(event: usize) -> crate::error::Status {
    let state = lock();
    let event = state.event(event)?;
    if matches!(event.recorded, Recorded::In { .. }) {
        return Err(Code::CAPTURED_EVENT);
    }
    state.check(event.device)
}

api! {
    /// Makes an event.
    fn hipEventCreate(out: Out<usize>) {
        if out.is_null() {
            return Err(Code::INVALID_VALUE);
        }
        let event = lock().new_event(0)?;
        out.set(event)
    }

    /// Makes an event.
    fn hipEventCreateWithFlags(out: Out<usize>, flags: u32) {
        if out.is_null() {
            return Err(Code::INVALID_VALUE);
        }
        let event = lock().new_event(flags)?;
        out.set(event)
    }

    /// Records an event in a stream.
    fn hipEventRecord | hipEventRecord_spt (event: usize, stream: usize) {
        submit(stream, Operation::Record { event })
    }

    /// Records an event in a stream; flags change nothing here.
    fn hipEventRecordWithFlags(event: usize, stream: usize, flags: u32) {
        if flags > 1 {
            return Err(Code::INVALID_VALUE);
        }
        submit(stream, Operation::Record { event })
    }

    /// Waits for an event.
    fn hipEventSynchronize(event: usize) {
        wait(event)
    }

    /// Says that an event has happened.
    fn hipEventQuery(event: usize) {
        wait(event)
    }

    /// Gives the milliseconds between two events.
    fn hipEventElapsedTime(out: Out<f32>, start: usize, stop: usize) {
        let state = lock();
        let (from, to) = (state.time(start)?, state.time(stop)?);
        let seconds = match to.checked_duration_since(from) {
            Some(time) => time.as_secs_f64(),
            None => -from.duration_since(to).as_secs_f64(),
        };
        out.set((seconds * 1e3) as f32)
    }

    /// Ends an event.
    fn hipEventDestroy(event: usize) {
        lock().events.remove(&event).map(|_| ()).ok_or(Code::INVALID_HANDLE)
    }
}
