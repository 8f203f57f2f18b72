//! Traced memory operations: the address of every lane, and what they do to cache lines and LDS banks.
//!
//! - [`Operation`]: one block of a trace, with the address of each lane, or why there is none;
//! - [`Hardware`]: what is assumed of a GPU's caches and LDS, and how its buffer descriptors are laid out;
//! - [`LdsAccess`]: which lanes LDS serves together, from how many banks, and who measured it;
//! - [`footprint`], [`bank_cycles`]: pure functions over the addresses of one operation;
//! - [`Collector`] → [`MemorySummary`]: all operations of a trace, per marker;
//! - [`Heatmap`]: which addresses were accessed when, in bounded memory.
//!
//! ```
//! use sqtt_decoder::memory::{Collector, MemoryOptions};
//! use sqtt_decoder::names::Catalog;
//! use sqtt_decoder::trace::{LoadOptions, Trace, discover};
//! use sqtt_decoder::{Filter, Threads};
//!
//! # let root = tempfile::tempdir()?;
//! # let trace_output = root.path().to_owned();
//! # sqtt_decoder::generate::write(&trace_output, &sqtt_decoder::generate::Plan::default())?;
//! let found = discover(&[trace_output])?;
//! let catalog = Catalog::read(&found.code_objects);
//! let mut collector = Collector::new(MemoryOptions::default());
//! for path in &found.folders {
//!     let folder = Trace::load(path, &catalog, LoadOptions::default());
//!     let ledger = collector.add_folder(&folder, &Filter::default(), Threads::per_core());
//!     assert!(ledger.is_lossless());
//! }
//! for row in &collector.into_summary().lines {
//!     println!("{:?} marker {}: {} operations", row.source, row.marker_id, row.operations);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod banks;
mod collect;
mod footprint;
mod hardware;
mod heatmap;
mod lds;
mod operation;
mod pairs;
mod summary;

pub use banks::{BankCycles, bank_cycles};
pub use collect::{Collector, MemoryOptions};
pub use footprint::{Footprint, footprint};
pub use hardware::{DescriptorLayout, Hardware, HardwareOptions};
pub use heatmap::{Heatmap, Panel};
pub use lds::{LdsAccess, LdsInstruction, LdsKind, LdsOrder};
pub use operation::{LaneAccess, NoAddress, Operation, Space};
pub use pairs::LanePair;
pub use summary::{Instance, Lanes, LdsBanks, MarkerRow, MemorySummary, SlotJson, Strides, Touched};

/// The widest access of a lane that is believed: real ones have at most 16 bytes, and the compiler splits
/// wider ones.
const WIDEST_ACCESS: u32 = 1024;
