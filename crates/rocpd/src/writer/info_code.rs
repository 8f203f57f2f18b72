//! Rows about code, and about events of a run.

use super::info::{AgentId, CodeObjectId, EventId, KernelId, NodeId, ProcessId, QueueId, StreamId, ThreadId};
use crate::builders::row;

/// The kind of a code object's source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CodeStorage {
    /// A file.
    File,
    /// Memory.
    Memory,
}

impl CodeStorage {
    /// The schema's spelling.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::File => "FILE",
            Self::Memory => "MEMORY",
        }
    }
}

row! {
    /// A loaded code object.
    CodeObjectInfo {
        known {
            /// The key: the profiler's code object id.
            id: i64,
            /// The process that loaded it.
            process: ProcessId,
        }
        optional {
            /// The agent it is loaded for.
            agent: AgentId,
            /// Its source.
            uri: String,
            /// Load address, in bytes.
            load_base: i64,
            /// Loaded bytes.
            load_size: i64,
            /// Load address minus the address in the file.
            load_delta: i64,
            /// The kind of source.
            storage: CodeStorage,
            /// More, as a JSON object.
            extdata: String,
        }
    }
}

row! {
    /// A kernel in a code object. Sizes are bytes, counts are registers.
    KernelSymbolInfo {
        known {
            /// The key: the profiler's kernel id.
            id: i64,
            /// Its process.
            process: ProcessId,
            /// Its code object.
            code_object: CodeObjectId,
        }
        optional {
            /// The mangled name.
            kernel_name: String,
            /// The name that readers show, and that `pmc_perf.csv` holds.
            display_name: String,
            /// The address of its descriptor.
            kernel_object: i64,
            /// Bytes of kernel arguments.
            kernarg_segment_size: i64,
            /// Their alignment.
            kernarg_segment_alignment: i64,
            /// Static LDS.
            group_segment_size: i64,
            /// Scratch per work-item.
            private_segment_size: i64,
            /// Scalar registers.
            sgpr_count: i64,
            /// Vector registers.
            arch_vgpr_count: i64,
            /// Accumulation registers.
            accum_vgpr_count: i64,
            /// More, as a JSON object.
            extdata: String,
        }
    }
}

row! {
    /// A line of a timeline: where samples go.
    TrackInfo {
        known {
            /// Its machine.
            node: NodeId,
        }
        optional {
            /// Its process.
            process: ProcessId,
            /// Its thread.
            thread: ThreadId,
            /// Its name.
            name: String,
        }
    }
}

row! {
    /// An event, on which several rows can hang (`rocpd_event`).
    #[derive(Default)]
    #[derive(Copy)]
    EventInfo<'a> {
        known {
        }
        optional {
            /// The category's name.
            category: &'a str,
            /// The profiler's internal correlation id: the call it belongs to.
            stack_id: i64,
            /// The enclosing call's.
            parent_stack_id: i64,
            /// The external correlation id. In native counter files it is the dispatch id.
            correlation_id: i64,
            /// The call stack as JSON.
            call_stack: &'a str,
            /// Source lines as JSON.
            line_info: &'a str,
            /// More, as a JSON object.
            extdata: &'a str,
        }
    }
}

row! {
    /// A dispatch of a kernel. Times are nanoseconds, sizes are work-items.
    DispatchInfo {
        known {
            /// Its number in the process, from 1.
            dispatch_id: i64,
            /// Its process.
            process: ProcessId,
            /// The agent it ran on.
            agent: AgentId,
            /// Its kernel.
            kernel: KernelId,
            /// Its queue.
            queue: QueueId,
            /// Its stream.
            stream: StreamId,
        }
        zero {
            /// When it started.
            start: i64,
            /// When it ended.
            end: i64,
            /// Work-items per workgroup in x, y, z.
            workgroup_size: [i64; 3],
            /// Work-items in x, y, z.
            grid_size: [i64; 3],
        }
        optional {
            /// The thread that dispatched it. Readers' views leave dispatches without one out.
            thread: ThreadId,
            /// Scratch per work-item, in bytes.
            private_segment_size: i64,
            /// LDS per workgroup, in bytes.
            group_segment_size: i64,
            /// The name of the region around it. The `kernels` view needs one; `""` is a name.
            region_name: String,
            /// Its event; counter values hang on it.
            event: EventId,
        }
    }
}

row! {
    /// An argument of a region's call.
    #[derive(Copy)]
    Arg<'a> {
        known {
            /// Its place, from 0.
            position: i64,
            /// Its type.
            kind: &'a str,
            /// Its name.
            name: &'a str,
        }
        optional {
            /// Its value as text.
            value: &'a str,
            /// More, as a JSON object.
            extdata: &'a str,
        }
    }
}

row! {
    /// A call or a user range: an interval on a thread, in nanoseconds.
    RegionInfo<'a> {
        known {
            /// Its process.
            process: ProcessId,
            /// Its thread.
            thread: ThreadId,
            /// Its name.
            name: &'a str,
        }
        zero {
            /// When it was entered.
            start: i64,
            /// When it was left; not before `start`.
            end: i64,
            /// The call's arguments.
            args: &'a [Arg<'a>],
        }
        optional {
            /// Its event. Needed for arguments.
            event: EventId,
        }
    }
}
