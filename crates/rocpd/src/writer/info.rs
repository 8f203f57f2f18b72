//! What the writer's calls take. `None` is stored as NULL: unknown is not zero and not the empty text.

use crate::error::{Error, Result};

/// Defines the typed keys of registered rows.
macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub i64);
    )*};
}

ids! {
    /// A row of `rocpd_info_node`.
    NodeId,
    /// A row of `rocpd_info_process`.
    ProcessId,
    /// A row of `rocpd_info_thread`.
    ThreadId,
    /// A row of `rocpd_info_agent`.
    AgentId,
    /// A row of `rocpd_info_queue`.
    QueueId,
    /// A row of `rocpd_info_stream`.
    StreamId,
    /// A row of `rocpd_info_pmc`.
    CounterId,
    /// A row of `rocpd_info_code_object`.
    CodeObjectId,
    /// A row of `rocpd_info_kernel_symbol`.
    KernelId,
    /// A row of `rocpd_string`.
    StringId,
    /// A row of `rocpd_track`.
    TrackId,
    /// A row of `rocpd_event`.
    EventId,
}

/// What kind of device an agent is, and what a counter counts on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AgentType {
    /// A processor.
    Cpu,
    /// A graphics processor. Hardware counters have this target architecture, not a gfx name.
    Gpu,
    /// A network card (schema 3.0.1 and newer).
    Nic,
}

impl AgentType {
    /// As the schema spells it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Cpu => "CPU",
            Self::Gpu => "GPU",
            Self::Nic => "NIC",
        }
    }

    /// Takes the schema's spelling.
    ///
    /// # Errors
    /// [`Error::Invalid`] for other texts.
    pub fn parse(text: &str) -> Result<Self> {
        match text {
            "CPU" => Ok(Self::Cpu),
            "GPU" => Ok(Self::Gpu),
            "NIC" => Ok(Self::Nic),
            _ => Err(Error::invalid("agent type", text, "CPU, GPU or NIC")),
        }
    }
}

/// How a counter's value is to be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ValueType {
    /// A count of its own.
    Absolute,
    /// A running total.
    Accumulated,
    /// A change.
    Relative,
}

impl ValueType {
    /// As the schema spells it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Absolute => "ABS",
            Self::Accumulated => "ACCUM",
            Self::Relative => "RELATIVE",
        }
    }

    /// Takes the schema's spelling.
    ///
    /// # Errors
    /// [`Error::Invalid`] for other texts.
    pub fn parse(text: &str) -> Result<Self> {
        match text {
            "ABS" => Ok(Self::Absolute),
            "ACCUM" => Ok(Self::Accumulated),
            "RELATIVE" => Ok(Self::Relative),
            _ => Err(Error::invalid("value type", text, "ABS, ACCUM or RELATIVE")),
        }
    }
}

/// A machine.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct NodeInfo {
    /// The key; by default `hash` modulo 2³²−1, as ROCm's own writer has it.
    pub id: Option<i64>,
    /// A hash of the machine id.
    pub hash: i64,
    /// `/etc/machine-id`, or what stands for it.
    pub machine_id: String,
    /// For example `Linux`.
    pub system_name: Option<String>,
    /// The host's name.
    pub hostname: Option<String>,
    /// The kernel's release.
    pub release: Option<String>,
    /// The kernel's version.
    pub version: Option<String>,
    /// For example `x86_64`.
    pub hardware_name: Option<String>,
    /// The NIS domain.
    pub domain_name: Option<String>,
}

/// A process. Times are nanoseconds of the profiler's clock.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ProcessInfo {
    /// The key; by default `pid`, as ROCm's own writer has it.
    pub id: Option<i64>,
    /// The machine it runs on.
    pub node: NodeId,
    /// The operating system's process id.
    pub pid: i64,
    /// The parent's.
    pub ppid: Option<i64>,
    /// When the tool was initialised.
    pub init: Option<i64>,
    /// When the tool was finalised. Readers take a trace's end from here.
    pub fini: Option<i64>,
    /// When the process started. Separates processes with equal ids.
    pub start: Option<i64>,
    /// When it ended.
    pub end: Option<i64>,
    /// The command line, as it is: it is bound, never spliced into SQL.
    pub command: Option<String>,
    /// The environment as a JSON object.
    pub environment: Option<String>,
    /// More, as a JSON object.
    pub extdata: Option<String>,
}

impl ProcessInfo {
    /// A process of which only the id is known.
    pub fn new(node: NodeId, pid: i64) -> Self {
        Self {
            id: None,
            node,
            pid,
            ppid: None,
            init: None,
            fini: None,
            start: None,
            end: None,
            command: None,
            environment: None,
            extdata: None,
        }
    }
}

/// A thread.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ThreadInfo {
    /// The key; by default `tid`.
    pub id: Option<i64>,
    /// Its process.
    pub process: ProcessId,
    /// The process's parent, as the operating system counts.
    pub ppid: Option<i64>,
    /// The operating system's thread id.
    pub tid: i64,
    /// Its name.
    pub name: Option<String>,
    /// When it started, in nanoseconds.
    pub start: Option<i64>,
    /// When it ended.
    pub end: Option<i64>,
    /// More, as a JSON object.
    pub extdata: Option<String>,
}

/// A device.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct AgentInfo {
    /// The key; by default `absolute_index`, else the next free number.
    pub id: Option<i64>,
    /// The process that saw it.
    pub process: ProcessId,
    /// What it is.
    pub kind: Option<AgentType>,
    /// Its index among all agents (the driver's node id).
    pub absolute_index: Option<i64>,
    /// Its index among the agents that the process may use.
    pub logical_index: Option<i64>,
    /// Its index among the agents of its type.
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
    /// What the user calls it.
    pub user_name: Option<String>,
    /// The full description as a JSON object; readers that find more than `{}` expect all of it.
    pub extdata: Option<String>,
}

impl AgentInfo {
    /// An agent of which only the process is known.
    pub fn new(process: ProcessId) -> Self {
        Self {
            id: None,
            process,
            kind: None,
            absolute_index: None,
            logical_index: None,
            type_index: None,
            uuid: None,
            name: None,
            model_name: None,
            vendor_name: None,
            product_name: None,
            user_name: None,
            extdata: None,
        }
    }
}

/// A hardware queue or a stream.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct QueueInfo {
    /// The key: the handle; 0 is the default one.
    pub id: i64,
    /// Its process.
    pub process: ProcessId,
    /// Its name.
    pub name: Option<String>,
    /// More, as a JSON object.
    pub extdata: Option<String>,
}

/// A counter's description (`rocpd_info_pmc`).
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct CounterInfo {
    /// The key; ROCm's own writer uses the counter's handle. By default the next free number.
    pub id: Option<i64>,
    /// The process that counted.
    pub process: ProcessId,
    /// The agent it counts on.
    pub agent: Option<AgentId>,
    /// What it counts on; `GPU` for hardware counters.
    pub target_arch: Option<AgentType>,
    /// The hardware's event code, where known.
    pub event_code: Option<i64>,
    /// The instance, where the row describes one.
    pub instance_id: Option<i64>,
    /// Its name; the views group by it.
    pub name: String,
    /// Its symbol; merging matches by it.
    pub symbol: String,
    /// One line on what it counts.
    pub description: Option<String>,
    /// More than a line.
    pub long_description: Option<String>,
    /// The component it comes from; `rocm` for ROCm's counters.
    pub component: Option<String>,
    /// Its unit.
    pub units: Option<String>,
    /// How the value is to be read.
    pub value_type: Option<ValueType>,
    /// The hardware block.
    pub block: Option<String>,
    /// The formula of a derived counter.
    pub expression: Option<String>,
    /// Whether it is a constant of the device.
    pub is_constant: Option<bool>,
    /// Whether it is computed from others.
    pub is_derived: Option<bool>,
    /// More, as a JSON object.
    pub extdata: Option<String>,
}

impl CounterInfo {
    /// A counter of which only the name is known, which is also its symbol.
    pub fn new(process: ProcessId, name: &str) -> Self {
        Self {
            id: None,
            process,
            agent: None,
            target_arch: None,
            event_code: None,
            instance_id: None,
            name: name.to_owned(),
            symbol: name.to_owned(),
            description: None,
            long_description: None,
            component: None,
            units: None,
            value_type: None,
            block: None,
            expression: None,
            is_constant: None,
            is_derived: None,
            extdata: None,
        }
    }
}
