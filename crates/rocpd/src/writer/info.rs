//! Rows that the writer registers. `None` is stored as NULL: unknown is not zero and not the empty text.

use crate::builders::row;
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

/// The kind of device that an agent is, or that a counter counts on.
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
    /// The schema's spelling.
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

/// The way to read a counter's value.
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
    /// The schema's spelling.
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

row! {
    /// A machine.
    #[derive(Default)]
    NodeInfo {
        known {
            /// A hash of the machine id.
            hash: i64,
            /// `/etc/machine-id`, or what stands for it.
            machine_id: String,
        }
        optional {
            /// The key; by default `hash` modulo 2³²−1, as ROCm's own writer has it.
            id: i64,
            /// For example `Linux`.
            system_name: String,
            /// The host's name.
            hostname: String,
            /// The kernel's release.
            release: String,
            /// The kernel's version.
            version: String,
            /// For example `x86_64`.
            hardware_name: String,
            /// The NIS domain.
            domain_name: String,
        }
    }
}

row! {
    /// A process. Times are nanoseconds of the profiler's clock.
    ProcessInfo {
        known {
            /// The machine it runs on.
            node: NodeId,
            /// The operating system's process id.
            pid: i64,
        }
        optional {
            /// The key; by default `pid`, as ROCm's own writer has it.
            id: i64,
            /// The parent's.
            ppid: i64,
            /// When the tool was initialised.
            init: i64,
            /// When the tool was finalised. Readers take a trace's end from here.
            fini: i64,
            /// When the process started. Separates processes with equal ids.
            start: i64,
            /// When it ended.
            end: i64,
            /// The command line, as it is: it is bound, never spliced into SQL.
            command: String,
            /// The environment as a JSON object.
            environment: String,
            /// More, as a JSON object.
            extdata: String,
        }
    }
}

row! {
    /// A thread.
    ThreadInfo {
        known {
            /// Its process.
            process: ProcessId,
            /// The operating system's thread id.
            tid: i64,
        }
        optional {
            /// The key; by default `tid`.
            id: i64,
            /// The process's parent, as the operating system counts.
            ppid: i64,
            /// Its name.
            name: String,
            /// When it started, in nanoseconds.
            start: i64,
            /// When it ended.
            end: i64,
            /// More, as a JSON object.
            extdata: String,
        }
    }
}

row! {
    /// A device.
    AgentInfo {
        known {
            /// The process that saw it.
            process: ProcessId,
        }
        optional {
            /// The key; by default `absolute_index`, else the next free number.
            id: i64,
            /// The kind of device.
            kind: AgentType,
            /// Its index among all agents (the driver's node id).
            absolute_index: i64,
            /// Its index among the agents that the process may use.
            logical_index: i64,
            /// Its index among the agents of its type.
            type_index: i64,
            /// The device's unique id.
            uuid: i64,
            /// For example `gfx942`.
            name: String,
            /// The model.
            model_name: String,
            /// The vendor.
            vendor_name: String,
            /// The product.
            product_name: String,
            /// The user's name for it.
            user_name: String,
            /// The full description as a JSON object; readers that find more than `{}` expect all of it.
            extdata: String,
        }
    }
}

row! {
    /// A hardware queue or a stream.
    QueueInfo {
        known {
            /// The key: the handle; 0 is the default one.
            id: i64,
            /// Its process.
            process: ProcessId,
        }
        optional {
            /// Its name.
            name: String,
            /// More, as a JSON object.
            extdata: String,
        }
    }
}

row! {
    /// A counter's description (`rocpd_info_pmc`).
    CounterInfo {
        known {
            /// The process that counted.
            process: ProcessId,
            /// Its name; the views group by it.
            name: String,
        }
        optional {
            /// The key; ROCm's own writer uses the counter's handle. By default the next free number.
            id: i64,
            /// The agent it counts on.
            agent: AgentId,
            /// The kind of device that it counts on; `GPU` for hardware counters.
            target_arch: AgentType,
            /// The hardware's event code, where known.
            event_code: i64,
            /// The instance, where the row describes one.
            instance_id: i64,
            /// Its symbol, by which merging matches; the name where none is given.
            symbol: String,
            /// One line on what it counts.
            description: String,
            /// More than a line.
            long_description: String,
            /// The component it comes from; `rocm` for ROCm's counters.
            component: String,
            /// Its unit.
            units: String,
            /// The way to read its value.
            value_type: ValueType,
            /// The hardware block.
            block: String,
            /// The formula of a derived counter.
            expression: String,
            /// True for a constant of the device.
            is_constant: bool,
            /// True for a counter that is computed from others.
            is_derived: bool,
            /// More, as a JSON object.
            extdata: String,
        }
    }
}
