//! Rows about memory: copies and allocations. Times are nanoseconds, sizes are bytes.

use super::info::{AgentId, EventId, ProcessId, QueueId, StreamId, ThreadId};
use crate::builders::row;

/// The kind of a change of memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum AllocationType {
    /// An allocation.
    Alloc,
    /// Its end.
    Free,
    /// Another size.
    Realloc,
    /// Memory that was taken back.
    Reclaim,
}

impl AllocationType {
    /// The schema's spelling.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Alloc => "ALLOC",
            Self::Free => "FREE",
            Self::Realloc => "REALLOC",
            Self::Reclaim => "RECLAIM",
        }
    }
}

/// The kind of memory that changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum AllocationLevel {
    /// Memory.
    Real,
    /// Addresses.
    Virtual,
    /// Scratch.
    Scratch,
}

impl AllocationLevel {
    /// The schema's spelling.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Real => "REAL",
            Self::Virtual => "VIRTUAL",
            Self::Scratch => "SCRATCH",
        }
    }
}

row! {
    /// A copy between two agents' memories.
    MemoryCopyInfo {
        known {
            /// Its process.
            process: ProcessId,
            /// Its name, for example `MEMORY_COPY_HOST_TO_DEVICE`.
            name: String,
        }
        zero {
            /// When it started.
            start: i64,
            /// When it ended.
            end: i64,
            /// Bytes copied.
            size: i64,
        }
        optional {
            /// The thread that asked for it.
            thread: ThreadId,
            /// The agent of the destination.
            destination_agent: AgentId,
            /// The destination.
            destination: i64,
            /// The agent of the source.
            source_agent: AgentId,
            /// The source.
            source: i64,
            /// Its queue.
            queue: QueueId,
            /// Its stream.
            stream: StreamId,
            /// The name of the region around it.
            region_name: String,
            /// Its event.
            event: EventId,
        }
    }
}

row! {
    /// An allocation, or its end.
    MemoryAllocationInfo {
        known {
            /// Its process.
            process: ProcessId,
            /// The kind of change.
            kind: AllocationType,
            /// The kind of memory.
            level: AllocationLevel,
        }
        zero {
            /// When it started.
            start: i64,
            /// When it ended.
            end: i64,
            /// Bytes.
            size: i64,
        }
        optional {
            /// The thread that asked for it.
            thread: ThreadId,
            /// The agent whose memory it is.
            agent: AgentId,
            /// The memory's address.
            address: i64,
            /// Its queue.
            queue: QueueId,
            /// Its stream.
            stream: StreamId,
            /// Its event.
            event: EventId,
        }
    }
}
