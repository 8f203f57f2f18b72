//! The output of a counter collecting tool when the profiled program ends.
//!
//! The tool hands over the agents and counters that it asked the profiler about, then one record per counter
//! instance, then finishes. [`RocpdCountersWriter`] is the default; [`CsvCountersWriter`] writes the older
//! text form.

mod csv;
mod host;
mod rocpd;

use std::path::PathBuf;

use crate::error::Result;
use crate::writer::{AgentInfo, CounterInfo, NodeInfo, ProcessInfo};

pub use csv::{CSV_HEADER, CsvCountersWriter};
pub use host::{current_node, current_process};
pub use rocpd::{EventLayout, RocpdCountersWriter};

/// The value of one counter instance in one dispatch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CounterRecord {
    /// The dispatch's number in the process.
    pub dispatch_id: u64,
    /// The agent's handle.
    pub agent: u64,
    /// The kernel's id.
    pub kernel_id: u64,
    /// LDS per workgroup, in bytes.
    pub lds_size: u32,
    /// The counter's handle.
    pub counter: u64,
    /// The value; NaN where the counter was not collected.
    pub value: f64,
}

/// The folder that counters go to, and the process that they are of.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct CountersTarget {
    /// The folder; the file's name comes from the process id.
    pub folder: PathBuf,
    /// The machine.
    pub node: NodeInfo,
    /// The process. Its `node` is taken from the registered machine.
    pub process: ProcessInfo,
}

impl CountersTarget {
    /// A process on a machine; the file goes into `folder`.
    pub fn new(folder: impl Into<PathBuf>, node: NodeInfo, process: ProcessInfo) -> Self {
        Self { folder: folder.into(), node, process }
    }

    /// The calling process on this machine.
    pub fn current(folder: impl Into<PathBuf>) -> Self {
        Self::new(folder, current_node(), current_process())
    }

    /// `<pid>_native_counter_collection.<extension>` in the folder.
    pub fn file(&self, extension: &str) -> PathBuf {
        self.folder.join(format!("{}_native_counter_collection.{extension}", self.process.pid))
    }
}

/// Writes the counters of one process.
pub trait CountersWriter {
    /// Adds an agent under the profiler's handle (not an index). Records may refer to it from now on. Its process is
    /// the target's, whatever it says.
    ///
    /// # Errors
    /// [`Error::Conflict`](crate::Error::Conflict) when the handle is taken by another; errors of the file.
    fn add_agent(&mut self, handle: u64, agent: &AgentInfo) -> Result<()>;

    /// Adds a counter under the profiler's handle. Records may refer to it from now on. Its process is the target's, and
    /// its agent that of each record.
    ///
    /// # Errors
    /// [`Error::Conflict`](crate::Error::Conflict) when the handle is taken by another; errors of the file.
    fn add_counter(&mut self, handle: u64, counter: &CounterInfo) -> Result<()>;

    /// Writes records. May be called any number of times.
    ///
    /// # Errors
    /// [`Error::Unregistered`](crate::Error::Unregistered) for an unknown agent or counter; errors of the file.
    fn write_counters(&mut self, records: &[CounterRecord]) -> Result<()>;

    /// Completes the file and says where it is. Without any record there is no file.
    ///
    /// # Errors
    /// Errors of the file.
    fn finish(self: Box<Self>) -> Result<Option<PathBuf>>;
}
