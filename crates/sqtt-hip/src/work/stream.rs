//! Streams.

use super::capture::Capture;
use crate::error::Code;
use crate::runtime::{Runtime, current_device};

/// A stream of a device.
#[derive(Debug)]
pub(crate) struct Stream {
    pub(crate) device: usize,
    pub(crate) flags: u32,
    pub(crate) priority: i32,
    pub(crate) mask: Vec<u32>,
    pub(crate) capture: Option<Capture>,
}

/// True of the handles that stand for the thread's default stream: null, `hipStreamLegacy`, `hipStreamPerThread`.
pub(crate) fn is_default(stream: usize) -> bool {
    stream <= 2
}

/// Priorities: the lowest and the highest.
pub(crate) const PRIORITIES: (i32, i32) = (1, -1);

impl Runtime {
    /// Makes a stream of the thread's device.
    pub(crate) fn new_stream(&mut self, flags: u32, priority: i32, mask: Vec<u32>) -> Result<usize, Code> {
        if flags > 1 {
            return Err(Code::INVALID_VALUE);
        }
        let priority = priority.clamp(PRIORITIES.1, PRIORITIES.0);
        let handle = self.handle();
        let device = current_device();
        self.streams.insert(handle, Stream { device, flags, priority, mask, capture: None });
        Ok(handle)
    }
}
