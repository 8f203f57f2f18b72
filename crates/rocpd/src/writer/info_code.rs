//! What the writer's calls take about code and about what happened.

use super::info::{AgentId, CodeObjectId, EventId, KernelId, NodeId, ProcessId, QueueId, StreamId, ThreadId};

/// Where a code object comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CodeStorage {
    /// A file.
    File,
    /// Memory.
    Memory,
}

impl CodeStorage {
    /// As the schema spells it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::File => "FILE",
            Self::Memory => "MEMORY",
        }
    }
}

/// A loaded code object.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct CodeObjectInfo {
    /// The key: the profiler's code object id.
    pub id: i64,
    /// The process that loaded it.
    pub process: ProcessId,
    /// The agent it is loaded for.
    pub agent: Option<AgentId>,
    /// Where it comes from.
    pub uri: Option<String>,
    /// Load address, in bytes.
    pub load_base: Option<i64>,
    /// Loaded bytes.
    pub load_size: Option<i64>,
    /// Load address minus the address in the file.
    pub load_delta: Option<i64>,
    /// The kind of source.
    pub storage: Option<CodeStorage>,
    /// More, as a JSON object.
    pub extdata: Option<String>,
}

/// A kernel in a code object. Sizes are bytes, counts are registers.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct KernelSymbolInfo {
    /// The key: the profiler's kernel id.
    pub id: i64,
    /// Its process.
    pub process: ProcessId,
    /// Its code object.
    pub code_object: CodeObjectId,
    /// The mangled name.
    pub kernel_name: Option<String>,
    /// The name that readers show, and that `pmc_perf.csv` holds.
    pub display_name: Option<String>,
    /// The address of its descriptor.
    pub kernel_object: Option<i64>,
    /// Bytes of kernel arguments.
    pub kernarg_segment_size: Option<i64>,
    /// Their alignment.
    pub kernarg_segment_alignment: Option<i64>,
    /// Static LDS.
    pub group_segment_size: Option<i64>,
    /// Scratch per work-item.
    pub private_segment_size: Option<i64>,
    /// Scalar registers.
    pub sgpr_count: Option<i64>,
    /// Vector registers.
    pub arch_vgpr_count: Option<i64>,
    /// Accumulation registers.
    pub accum_vgpr_count: Option<i64>,
    /// More, as a JSON object.
    pub extdata: Option<String>,
}

/// A line of a timeline: where samples go.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct TrackInfo {
    /// Its machine.
    pub node: NodeId,
    /// Its process.
    pub process: Option<ProcessId>,
    /// Its thread.
    pub thread: Option<ThreadId>,
    /// Its name.
    pub name: Option<String>,
}

/// What several rows can hang on (`rocpd_event`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct EventInfo<'a> {
    /// The category's name.
    pub category: Option<&'a str>,
    /// The profiler's internal correlation id: the call it belongs to.
    pub stack_id: Option<i64>,
    /// The enclosing call's.
    pub parent_stack_id: Option<i64>,
    /// The external correlation id. In native counter files it is the dispatch id.
    pub correlation_id: Option<i64>,
    /// The call stack as JSON.
    pub call_stack: Option<&'a str>,
    /// Source lines as JSON.
    pub line_info: Option<&'a str>,
    /// More, as a JSON object.
    pub extdata: Option<&'a str>,
}

/// A dispatch of a kernel. Times are nanoseconds, sizes are work-items.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct DispatchInfo {
    /// Its number in the process, from 1.
    pub dispatch_id: i64,
    /// Its process.
    pub process: ProcessId,
    /// The thread that dispatched it. Readers' views leave dispatches without one out.
    pub thread: Option<ThreadId>,
    /// The agent it ran on.
    pub agent: AgentId,
    /// Its kernel.
    pub kernel: KernelId,
    /// Its queue.
    pub queue: QueueId,
    /// Its stream.
    pub stream: StreamId,
    /// When it started.
    pub start: i64,
    /// When it ended.
    pub end: i64,
    /// Scratch per work-item, in bytes.
    pub private_segment_size: Option<i64>,
    /// LDS per workgroup, in bytes.
    pub group_segment_size: Option<i64>,
    /// Work-items per workgroup in x, y, z.
    pub workgroup_size: [i64; 3],
    /// Work-items in x, y, z.
    pub grid_size: [i64; 3],
    /// The name of the region around it. The `kernels` view needs one; `""` is a name.
    pub region_name: Option<String>,
    /// Its event; counter values hang on it.
    pub event: Option<EventId>,
}

/// An argument of a region's call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Arg<'a> {
    /// Its place, from 0.
    pub position: i64,
    /// Its type.
    pub kind: &'a str,
    /// Its name.
    pub name: &'a str,
    /// Its value as text.
    pub value: Option<&'a str>,
    /// More, as a JSON object.
    pub extdata: Option<&'a str>,
}

/// A call or a user range: an interval on a thread, in nanoseconds.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct RegionInfo<'a> {
    /// Its process.
    pub process: ProcessId,
    /// Its thread.
    pub thread: ThreadId,
    /// When it was entered.
    pub start: i64,
    /// When it was left; not before `start`.
    pub end: i64,
    /// Its name.
    pub name: &'a str,
    /// Its event. Needed for arguments.
    pub event: Option<EventId>,
    /// The call's arguments.
    pub args: &'a [Arg<'a>],
}
