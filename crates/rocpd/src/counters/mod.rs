//! What a counter collecting tool writes when the profiled program ends.
//!
//! The tool hands over the agents and counters that it asked the profiler about, then one record per counter
//! instance, then finishes. [`RocpdCountersWriter`] is the default; [`CsvCountersWriter`] writes the older
//! text form.

mod csv;
mod host;
mod rocpd;

use std::collections::HashMap;
use std::path::PathBuf;

use crate::error::{Error, Result};
use crate::writer::{AgentType, NodeInfo, ProcessInfo};

pub use csv::{CSV_HEADER, CsvCountersWriter};
pub use host::{current_node, current_process};
pub use rocpd::{EventLayout, RocpdCountersWriter};

/// An agent, as the profiler's query of available agents describes it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct AgentDescription {
    /// The profiler's handle: what records carry. Not an index.
    pub handle: u64,
    /// What it is.
    pub kind: AgentType,
    /// The driver's node id: the index among all agents.
    pub absolute_index: Option<i64>,
    /// The index among the agents the process may use.
    pub logical_index: Option<i64>,
    /// The index among agents of its type.
    pub type_index: Option<i64>,
    /// The device's unique id.
    pub uuid: Option<i64>,
    /// For example `gfx942`.
    pub name: Option<String>,
    /// The model.
    pub model_name: Option<String>,
    /// The vendor.
    pub vendor_name: Option<String>,
    /// The product.
    pub product_name: Option<String>,
}

impl AgentDescription {
    /// A GPU of which only the handle is known.
    pub fn gpu(handle: u64) -> Self {
        Self {
            handle,
            kind: AgentType::Gpu,
            absolute_index: None,
            logical_index: None,
            type_index: None,
            uuid: None,
            name: None,
            model_name: None,
            vendor_name: None,
            product_name: None,
        }
    }
}

/// A counter, as the profiler's counter query (its version 0, which has no event code) describes it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct CounterDescription {
    /// The profiler's counter handle.
    pub handle: u64,
    /// Its name, which is its symbol too.
    pub name: String,
    /// One line on what it counts.
    pub description: Option<String>,
    /// The hardware block.
    pub block: Option<String>,
    /// The formula of a derived counter.
    pub expression: Option<String>,
    /// Whether it is a constant of the device.
    pub is_constant: Option<bool>,
    /// Whether it is computed from others.
    pub is_derived: Option<bool>,
}

impl CounterDescription {
    /// A counter of which only handle and name are known.
    pub fn new(handle: u64, name: &str) -> Self {
        Self {
            handle,
            name: name.to_owned(),
            description: None,
            block: None,
            expression: None,
            is_constant: None,
            is_derived: None,
        }
    }
}

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

/// Where counters go and whose they are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CountersTarget {
    /// The folder; the file's name comes from the process id.
    pub folder: PathBuf,
    /// The machine.
    pub node: NodeInfo,
    /// The process. Its `node` is taken from the registered machine.
    pub process: ProcessInfo,
}

impl CountersTarget {
    /// The calling process on this machine.
    pub fn current(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into(), node: current_node(), process: current_process() }
    }

    /// `<pid>_native_counter_collection.<extension>` in the folder.
    pub fn file(&self, extension: &str) -> PathBuf {
        self.folder.join(format!("{}_native_counter_collection.{extension}", self.process.pid))
    }
}

/// Writes the counters of one process.
pub trait CountersWriter {
    /// Adds an agent. Records may refer to it from now on.
    ///
    /// # Errors
    /// [`Error::Conflict`] when the handle is taken by another; errors of the file.
    fn add_agent(&mut self, agent: &AgentDescription) -> Result<()>;

    /// Adds a counter. Records may refer to it from now on.
    ///
    /// # Errors
    /// [`Error::Conflict`] when the handle is taken by another; errors of the file.
    fn add_counter(&mut self, counter: &CounterDescription) -> Result<()>;

    /// Writes records. May be called any number of times.
    ///
    /// # Errors
    /// [`Error::Unregistered`] for an unknown agent or counter; errors of the file.
    fn write_counters(&mut self, records: &[CounterRecord]) -> Result<()>;

    /// Completes the file and says where it is. Without any record there is no file.
    ///
    /// # Errors
    /// Errors of the file.
    fn finish(self: Box<Self>) -> Result<Option<PathBuf>>;
}

/// Things known by the profiler's handles.
#[derive(Debug)]
struct Handles<T> {
    what: &'static str,
    known: HashMap<u64, T>,
}

impl<T: PartialEq + Clone> Handles<T> {
    fn new(what: &'static str) -> Self {
        Self { what, known: HashMap::new() }
    }

    /// Adds; `false` when it is there already, unchanged.
    fn add(&mut self, handle: u64, item: &T) -> Result<bool> {
        match self.known.get(&handle) {
            Some(known) if known == item => Ok(false),
            Some(_) => Err(Error::Conflict { what: self.what, id: handle.to_string() }),
            None => {
                self.known.insert(handle, item.clone());
                Ok(true)
            }
        }
    }

    fn get(&self, handle: u64) -> Result<&T> {
        self.known.get(&handle).ok_or(Error::Unregistered { what: self.what, id: handle.cast_signed() })
    }
}
