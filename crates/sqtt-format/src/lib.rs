//! The marker wire format: words, packed clock layout, funcmap grammar, payload shapes. No I/O.
//!
//! The pass that writes markers and the decoder that reads them use this crate and nothing of their
//! own, so that what one writes the other reads, by the same type:
//!
//! - [`Marker`]: one marker, and the 32-bit word that `s_ttracedata` traces for it;
//! - [`MarkerEncoding`]: how words are laid out in one code object, with or without a shader clock
//!   in the high bits;
//! - [`Funcmap`]: the text of a `.sqtt_funcmap` section, which gives marker ids their names;
//! - [`Name`]: a name, which may hold anything; [`Printable`]: as text for a terminal; [`push_csv_field`]: as a field
//!   of CSV;
//! - [`AddressKind`], [`SystemPoint`], [`WaveSize`]: what the pass's own points are called and how
//!   many payload words follow them.
//!
//! A funcmap written, read back, and used to decode a word:
//!
//! ```
//! use sqtt_format::{Action, Entry, Funcmap, Marker};
//!
//! let mut map = Funcmap::new();
//! map.push(Entry::kernel("_Z4workPi").at("work.hip:12"));
//! map.push(Entry::user(1, "load"));
//! let section = map.to_bytes()?;
//! assert_eq!(section, b"K:_Z4workPi@work.hip:12\nU:1:load\n\0");
//!
//! let read = Funcmap::parse(&section);
//! assert!(read.warnings.is_empty());
//! let word = Marker::enter(1).to_word().unwrap();
//! let marker = read.map.decode(word).marker;
//! assert_eq!(marker.action(), Action::Enter);
//! assert_eq!(read.map.find(marker.id).unwrap().name(), b"load");
//! # Ok::<(), sqtt_format::WriteError>(())
//! ```

#![forbid(unsafe_code)]

mod config_record;
mod csv;
mod encoding;
mod funcmap;
mod marker;
mod name;
mod numeric;
mod payload;
mod printable;

pub use config_record::{ConfigRecord, ConfigRecordError};
pub use csv::push_csv_field;
pub use encoding::{Decoded, MarkerEncoding};
pub use funcmap::{Entry, EntryKind, Funcmap, Parsed, Warning, WarningKind, WriteError};
pub use marker::{Action, Marker};
pub use name::Name;
pub use numeric::{NumericIds, NumericIdsError};
pub use payload::{AddressKind, BlockLayout, DATA_PAYLOAD_COUNT, SystemPoint, WaveSize};
pub use printable::Printable;
