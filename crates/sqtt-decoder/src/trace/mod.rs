//! Trace folders, as `rocprofv3 --att` and `att_tool` write them, read into records per slot.
//!
//! [`discover`] finds the folders and code objects below a path, [`Folder::load`] reads one folder:
//! everything that can be read of it, with what could not in its ledger. Every folder is a time domain
//! of its own.
//!
//! One file per file format: `filenames`, `shaderdata`, `occupancy`, `realtime`, `code_json`.

mod code_json;
mod discover;
mod faults;
mod filenames;
mod folder;
mod occupancy;
mod realtime;
mod record_files;
mod records;
mod shaderdata;
mod slots;
pub(crate) mod source;

pub(crate) use discover::canonical;
pub use discover::{Found, TraceSource, discover};
pub(crate) use folder::Parts;
pub use folder::{Engine, FileInfo, Folder, LoadOptions, SlotTrace, TraceError};
pub use occupancy::{Beginning, Dispatch, EngineEvent, EngineEventKind, Launch, Origin};
pub(crate) use occupancy::{Change, Engine as EngineOccupancy, Mismatch, Occupancy};
pub use realtime::RealTime;
pub(crate) use records::{Cursor, LONGEST, Loss, Place, is_time};
pub use records::{Record, RecordFlags, Records, SlotId};
pub(crate) use shaderdata::ShaderData;
pub(crate) use slots::Slots;
