//! Events.

use std::time::Instant;

use crate::error::Code;
use crate::runtime::{Runtime, current_device};

/// `hipEventDisableTiming`.
pub(crate) const NO_TIMING: u32 = 2;

/// Flags that there are: blocking, no timing, interprocess, and AMD's fences.
const FLAGS: u32 = 0x7 | 0x2000_0000 | 0x4000_0000 | 0x8000_0000;

/// The last record.
#[derive(Debug, Clone)]
pub(crate) enum Recorded {
    Never,
    At(Instant),
    /// Nodes of a graph that is being captured.
    In {
        graph: usize,
        nodes: Vec<usize>,
    },
}

/// An event.
#[derive(Debug)]
pub(crate) struct Event {
    pub(crate) device: usize,
    pub(crate) flags: u32,
    pub(crate) recorded: Recorded,
}

impl Runtime {
    /// Makes an event.
    pub(crate) fn new_event(&mut self, flags: u32) -> Result<usize, Code> {
        if flags & !FLAGS != 0 {
            return Err(Code::INVALID_VALUE);
        }
        let handle = self.handle();
        let device = current_device();
        self.events.insert(handle, Event { device, flags, recorded: Recorded::Never });
        Ok(handle)
    }

    pub(crate) fn event(&self, event: usize) -> Result<&Event, Code> {
        self.events.get(&event).ok_or(Code::INVALID_HANDLE)
    }

    /// When an event happened.
    pub(crate) fn time(&self, event: usize) -> Result<Instant, Code> {
        let event = self.event(event)?;
        match event.recorded {
            Recorded::At(time) if event.flags & NO_TIMING == 0 => Ok(time),
            Recorded::In { .. } => Err(Code::CAPTURED_EVENT),
            _ => Err(Code::INVALID_HANDLE),
        }
    }
}
