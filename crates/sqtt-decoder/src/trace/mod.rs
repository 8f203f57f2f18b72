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
mod occupancy;
mod realtime;
mod record_files;
mod records;
mod shaderdata;
mod slots;
pub(crate) mod source;
pub(crate) mod store;

pub(crate) use assemble::TraceParts;
pub use assemble::{Engine, FileInfo, SlotTrace, Trace};
pub(crate) use discover::canonical;
pub use discover::{Found, TraceSource, discover};
pub use folder::{LoadOptions, TraceError};
pub use launches::{Beginning, Dispatch, EngineEvent, EngineEventKind, Launch, Origin};
pub(crate) use launches::{Change, EngineOccupancy, Mismatch, Occupancy};
pub use realtime::RealTime;
pub(crate) use records::{Cursor, LONGEST, Loss, WaveSlot, is_time};
pub use records::{Record, RecordFlags, Records, SlotId};
pub(crate) use shaderdata::ShaderData;
pub(crate) use slots::Slots;
pub use store::MemoryFiles;
