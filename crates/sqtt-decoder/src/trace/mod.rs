//! Trace folders, as `rocprofv3 --att` and `att_tool` write them, read into records per slot.
//!
//! [`discover`] finds the folders and code objects below a path, [`Trace::load`] reads one folder:
//! everything that can be read of it, with what could not in its ledger. Every folder is a time domain
//! of its own.
//!
//! One file per file format: `filenames`, `shaderdata`, `occupancy`, `realtime`, `code_json`.

mod assemble;
mod code_json;
mod discover;
mod faults;
mod filenames;
mod folder;
mod launches;
mod list;
mod occupancy;
mod realtime;
mod record_files;
mod records;
mod shaderdata;
mod slots;
pub(crate) mod source;
pub(crate) mod store;

pub use assemble::{Engine, FileInfo, SlotTrace, Trace};
pub(crate) use discover::canonical;
pub use discover::{Found, TraceSource, discover};
pub use folder::{LoadOptions, TraceError};
pub use launches::{Beginning, Dispatch, EngineEvent, EngineEventKind, Launch, Origin};
pub(crate) use list::Cursor;
pub use list::Records;
pub use realtime::RealTime;
pub(crate) use records::{Loss, WaveSlot};
pub use records::{Record, RecordFlags, SlotId};
pub use store::MemoryFiles;

/// Parts of a trace that the reader of raw ones makes as well.
#[cfg(feature = "raw")]
mod parts {
    pub(crate) use super::assemble::TraceParts;
    pub(crate) use super::launches::{Change, EngineOccupancy, Mismatch, Occupancy};
    pub(crate) use super::records::{LONGEST, is_time};
    pub(crate) use super::shaderdata::ShaderData;
    pub(crate) use super::slots::Slots;
}
#[cfg(feature = "raw")]
pub(crate) use parts::*;
