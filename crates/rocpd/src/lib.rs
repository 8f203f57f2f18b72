#![doc = include_str!("../README.md")]
//! # Contents
//!
//! The modules follow a counter value's way:
//!
//! - [`Storage`] and [`Writer`] write databases, row by row ([`schema`] describes the tables);
//! - [`counters`] is what a counter collecting tool calls at its end, over the writer or as CSV;
//! - [`import`] makes a database of such a CSV file;
//! - [`merge()`] brings the values to the dispatches of the profiler's database;
//! - [`export`] writes `pmc_perf.csv`, from merged databases or merging while it reads;
//! - [`info()`] and [`check()`] tell what a database holds, and whether readers will understand it.
//!
//! Sources of facts: `lld-profiler-hub-native-tool-integration` (the design), and what the tools around rocpd
//! read and write. `docs/rocpd.md` says where this crate differs from the design, and why.
#![forbid(unsafe_code)]

mod builders;
pub mod check;
pub mod counters;
mod database;
mod error;
pub mod export;
mod guid;
mod hashing;
pub mod import;
pub mod info;
pub mod merge;
mod progress;
pub mod schema;
mod steps;
mod storage;
mod writer;

pub use check::{CheckReport, Finding, Severity, check};
pub use database::{Access, Database, GuidTables};
pub use error::{Error, Result};
pub use export::{
    Columns, ExportOptions, ExportReport, Pass, export_pmc_perf, export_pmc_perf_file, find_passes,
};
pub use guid::Guid;
pub use import::{ImportReport, import_csv};
pub use info::{Info, info};
pub use merge::{MergeOptions, MergeReport, merge};
pub use progress::{Progress, ProgressFn, silent};
pub use schema::SchemaVersion;
pub use sqtt_files::OutputError;
#[doc(hidden)]
pub use steps::within_steps;
pub use storage::{Storage, StorageOptions, Unfinished};
pub use writer::{
    AgentId, AgentInfo, AgentType, AllocationLevel, AllocationType, Arg, CodeObjectId, CodeObjectInfo,
    CodeStorage, CounterId, CounterInfo, DispatchInfo, EventId, EventInfo, KernelId, KernelSymbolInfo,
    MemoryAllocationInfo, MemoryCopyInfo, NodeId, NodeInfo, ProcessId, ProcessInfo, QueueId, QueueInfo,
    RegionInfo, StreamId, StringId, ThreadId, ThreadInfo, TrackId, TrackInfo, ValueType, Writer, Written,
};
