//! The way of an operation into a stream: it runs at once, or a capture records it.

use super::operation::Operation;
use super::stream::is_default;
use crate::error::{Code, Status};
use crate::profile;
use crate::runtime::{Runtime, current_device, lock};

impl Runtime {
    /// The device of a stream.
    pub(crate) fn device_of(&self, stream: usize) -> Result<usize, Code> {
        if is_default(stream) {
            return Ok(current_device());
        }
        self.streams.get(&stream).map(|stream| stream.device).ok_or(Code::INVALID_HANDLE)
    }
}

/// Submits an operation.
pub(crate) fn submit(stream: usize, operation: Operation) -> Status {
    let mut state = lock();
    let device = state.device_of(stream)?;
    state.check(device)?;
    operation.check(&state)?;
    if let Operation::Wait { event } = operation {
        // All else that it could wait for is done.
        return state.join(stream, event);
    }
    if state.is_capturing(stream) {
        return state.record(stream, operation);
    }
    state.devices[device].is_active = true;
    drop(state);
    profile::in_stream(stream, || operation.run(device))
}

/// Submits operations that one call makes.
pub(crate) fn submit_all(stream: usize, operations: impl IntoIterator<Item = Operation>) -> Status {
    operations.into_iter().try_for_each(|operation| submit(stream, operation))
}

/// The error of the thread's device, if a kernel of it faulted.
pub(crate) fn check_current() -> Status {
    lock().check(current_device())
}

/// Waits for a stream: all is done, so the error of its device is what there is to learn.
pub(crate) fn synchronize(stream: usize) -> Status {
    let state = lock();
    let device = state.device_of(stream)?;
    if state.is_capturing(stream) {
        return Err(Code::CAPTURE_UNSUPPORTED);
    }
    state.check(device)
}
