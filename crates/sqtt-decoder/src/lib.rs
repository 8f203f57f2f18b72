#![doc = include_str!("../README.md")]
//!
//! Reads code objects and SQTT traces: funcmaps, marker streams, statistics.
//!
//! Neither ROCm nor LLVM is needed, and no input is ever changed. What can be read is read; what cannot
//! is an error with its place, or a line of the [`Ledger`] that comes with every result. How records
//! become events, and why so, is in `docs/decoding.md`.
//!
//! A reader starts with these, which stand here at the root:
//!
//! - [`discover`]: traces and code objects below a path;
//! - [`Binary`] and [`CodeObject`]: programs, and the [`Funcmap`]s in them;
//! - [`Catalog`]: the names of all code objects at hand;
//! - [`Trace`]: one trace, read, of whichever format it was;
//! - [`MemoryFiles`]: the same where there are no files;
//! - [`Wave`], its [`Record`]s, and [`MarkerStream`]: the markers of one wave after the other;
//! - [`Ledger`]: what was lost on the way.
//!
//! The modules, from the input to the answers:
//!
//! - [`codeobj`]: code objects, bare or inside of host programs, and the funcmaps in them;
//! - [`names`]: which funcmap a kernel's waves use;
//! - [`trace`]: the folders that `rocprofv3 --att` and `att_tool` write, as records per slot;
//! - [`raw`]: the `.att` files themselves, read without AMD's library, and written;
//! - [`stream`]: markers, from one state machine;
//! - [`stats`], [`check`], [`payload`]: how long scopes took, whether a trace is sound, addresses;
//! - [`values`]: the values of data markers, and how they are distributed;
//! - [`memory`]: what traced memory operations did to cache lines and LDS banks;
//! - [`mod@write`]: trace folders, written;
//! - [`sqtt_format`], re-exported: marker words, [`MarkerEncoding`], [`Funcmap`].
//!
//! Every scope that every wave closed, with its duration, and what was lost:
//!
//! ```
//! use sqtt_decoder::{Catalog, Filter, LoadOptions, Trace, discover};
//!
//! # let root = tempfile::tempdir()?;
//! # let trace_output = root.path().to_owned();
//! # sqtt_decoder::generate::write(&trace_output, &sqtt_decoder::generate::Plan::default())?;
//! let found = discover(&[trace_output])?;
//! let catalog = Catalog::read(&found.code_objects);
//! for path in &found.folders {
//!     let folder = Trace::load(path, &catalog, LoadOptions::default());
//!     let mut cycles = 0;
//!     let ledger = folder.decode(&Filter::default(), |wave, stream| {
//!         while let Some(event) = stream.next() {
//!             if let Some(closed) = event.closed {
//!                 cycles += closed.exclusive();
//!             }
//!         }
//!     });
//!     assert!(cycles > 0);
//!     eprintln!("{}: {ledger}", path.display());
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! One word, without a trace:
//!
//! ```
//! use sqtt_decoder::{Funcmap, MarkerEncoding};
//!
//! let map = Funcmap::parse(b"M:shader_clock_bits=12;shader_clock_shift=4\nU:7:load\n").map;
//! let encoding: MarkerEncoding = map.marker_encoding();
//! assert_eq!(encoding.marker_id_mask(), 0x000F_FFFC);
//! let decoded = map.decode(0xABC0_001E);
//! assert_eq!((decoded.marker.id, decoded.marker.enter), (7, true));
//! let sampled = decoded.shader_clock.unwrap() << encoding.shader_clock_shift;
//! assert_eq!(sampled & !encoding.shader_clock_source_mask(), 0);
//! ```
//!
//! The names in a program:
//!
//! ```no_run
//! let found = sqtt_decoder::Binary::open("my_app")?.funcmaps();
//! for (entry, address) in found.maps.iter().flat_map(|named| named.entries()) {
//!     println!("{:?} {:?} {address:?}", entry.id(), entry.name());
//! }
//! for error in &found.errors {
//!     eprintln!("{error}");
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![deny(unsafe_code)]

pub mod check;
pub mod codeobj;
#[cfg(feature = "generate")]
pub mod generate;
pub mod memory;
pub mod names;
pub mod payload;
#[cfg(feature = "raw")]
pub mod raw;
pub mod stats;
pub mod stream;
pub mod trace;
pub mod values;
#[cfg(feature = "write")]
pub mod write;

mod clock;
mod filter;
mod json;
mod ledger;
mod parallel;
mod steps;

pub use clock::Corrections;
pub use codeobj::{Binary, CodeObject};
pub use filter::{Filter, NotNumbers, Numbers};
pub use json::{JsonError, JsonReason};
pub use ledger::{Ledger, RemarkKind, Tally};
pub use names::Catalog;
pub use parallel::Threads;
pub use sqtt_format;
pub use sqtt_format::{Funcmap, Marker, MarkerEncoding};
pub use stream::{Event, MarkerStream, Wave};
pub use trace::{LoadOptions, MemoryFiles, Record, RecordFlags, Trace, TraceError, discover};
