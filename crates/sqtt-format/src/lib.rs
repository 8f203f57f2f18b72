#![doc = include_str!("../README.md")]
//! # Contents
//!
//! - [`Marker`]: one marker, and the 32-bit word that `s_ttracedata` traces for it;
//! - [`MarkerEncoding`]: how words are laid out in one code object, with or without a shader clock
//!   in the high bits;
//! - [`Funcmap`]: the text of a `.sqtt_funcmap` section, which gives marker ids their names;
//! - [`Name`]: a name, which may hold anything; [`Printable`]: as text for a terminal; [`push_csv_field`]: as a field
//!   of CSV;
//! - [`AddressKind`], [`SystemPoint`], [`WaveSize`]: what the pass's own points are called and how
//!   many payload words follow them;
//! - [`is_gpu_triple`], [`processor_of_architecture`]: target triples of AMD GPUs;
//! - [`UnitIds`]: ids of translation units that are linked into one code object.

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
mod triple;
mod unit;

pub use config_record::{ConfigRecord, ConfigRecordError};
pub use csv::push_csv_field;
pub use encoding::{Decoded, MarkerEncoding};
pub use funcmap::{Entry, EntryKind, Funcmap, Parsed, Warning, WarningKind, WriteError};
pub use marker::{Action, Marker};
pub use name::Name;
pub use numeric::{NumericIds, NumericIdsError};
pub use payload::{AddressKind, BlockLayout, DATA_PAYLOAD_COUNT, SystemPoint, WaveSize};
pub use printable::Printable;
pub use triple::{is_gpu_triple, processor_of_architecture};
pub use unit::UnitIds;
