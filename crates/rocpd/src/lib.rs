//! ROCm's profile database: write counters, merge them, export them.
//!
//! A rocpd database is an SQLite file of schema 3.0.x. The modules follow a counter value's way:
//!
//! - [`Storage`] and [`Writer`] write databases, row by row;
#![forbid(unsafe_code)]

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
pub mod sample;
pub mod schema;
mod storage;
mod writer;

pub use check::{CheckReport, Finding, Severity, check};
pub use database::{Access, Database, GuidTables};
pub use error::{Error, Result};
pub use export::{Columns, ExportOptions, ExportReport, Pass, export_pmc_perf, find_passes};
pub use guid::Guid;
pub use import::{ImportReport, import_csv};
pub use info::{Info, info};
pub use merge::{MergeOptions, MergeReport, merge};
pub use progress::{Progress, ProgressFn, silent};
pub use schema::SchemaVersion;
pub use storage::{Storage, StorageOptions, Unfinished};
pub use writer::*;
