//! The funcmap: the text of a `.sqtt_funcmap` section, writer and reader as one
//! (specification, "Funcmap format").
//!
//! ```text
//! M:shader_clock_bits=N;shader_clock_shift=S   layout of marker headers; absent without a clock
//! F:id:name[@source_loc]                       function
//! K:name[@source_loc]                          kernel
//! U:id:name                                    user scope
//! P:id:name[@source_loc]                       point
//! W:N                                          wave size
//! R:id:extra_payload_count=N                   payload words behind the headers of that id
//! ```
//!
//! Names are bytes, as the compiler has them. Names and locations that would not survive as text are
//! escaped (`escape`), so no name can forge, cut or lose a row. The rows are written in one order
//! (`write`) and read in any (`read`).

mod entry;
mod escape;
mod read;
mod scopes;
mod warning;
mod write;

use std::collections::{BTreeMap, HashMap};

use crate::{Decoded, MarkerEncoding, WaveSize};

pub use entry::{Entry, EntryKind};
pub use read::Parsed;
pub use warning::{Warning, WarningKind};
pub use write::WriteError;

/// The contents of one `.sqtt_funcmap` section.
///
/// See the [crate's example](crate) for a map that is written and read back.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Funcmap {
    encoding: MarkerEncoding,
    wave_size: Option<u32>,
    entries: Vec<Entry>,
    payloads_without_row: BTreeMap<u32, u32>,
    /// Marker id to the index of the last entry that has it.
    by_id: HashMap<u32, usize>,
}

impl Funcmap {
    /// A map without rows.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// True where there is neither an entry nor an `M:`, `W:` or `R:` row.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
            && self.encoding == MarkerEncoding::PLAIN
            && self.wave_size.is_none()
            && self.payloads_without_row.is_empty()
    }

    /// Adds an entry. The order of calls decides the order of rows only within a group of the
    /// [canonical order](Self::to_bytes).
    pub fn push(&mut self, entry: Entry) {
        if let Some(id) = entry.id() {
            self.by_id.insert(id, self.entries.len());
        }
        self.entries.push(entry);
    }

    /// The entries: as they were pushed, or in the order of their rows.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The entry that names marker `id`: the last one, where several do. Kernels have no id.
    #[must_use]
    pub fn find(&self, id: u32) -> Option<&Entry> {
        self.by_id.get(&id).and_then(|&index| self.entries.get(index))
    }

    /// The layout of marker headers: [`MarkerEncoding::PLAIN`] without an `M:` row.
    #[must_use]
    pub fn marker_encoding(&self) -> MarkerEncoding {
        self.encoding
    }

    /// Sets the layout of marker headers (the `M:` row).
    pub fn set_marker_encoding(&mut self, encoding: MarkerEncoding) {
        self.encoding = encoding;
    }

    /// The number in the last `W:` row: 32 or 64 where a known compiler wrote it.
    #[must_use]
    pub fn wave_size(&self) -> Option<u32> {
        self.wave_size
    }

    /// Sets the wave size (the `W:` row).
    pub fn set_wave_size(&mut self, wave: WaveSize) {
        self.wave_size = Some(wave.lanes());
    }

    /// The number of records after a header of marker `id` that are its payload.
    ///
    /// An `R:` row for an id that no other row names counts as well: the records are in the trace,
    /// whether their header has a name or not.
    #[must_use]
    pub fn payload_count(&self, id: u32) -> u32 {
        match self.find(id) {
            Some(entry) => entry.extra_payload_count(),
            None => self.payloads_without_row.get(&id).copied().unwrap_or(0),
        }
    }

    /// `R:` rows whose id no other row names: id and count, by id.
    pub fn payloads_without_row(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        self.payloads_without_row.iter().map(|(&id, &count)| (id, count))
    }

    /// Says how many records after a header of marker `id` are its payload, where no entry names it.
    pub fn set_payload_without_row(&mut self, id: u32, count: u32) {
        if self.find(id).is_none() {
            self.payloads_without_row.insert(id, count);
        }
    }

    /// Reads a marker word of the code object that this map belongs to: by the packed layout where
    /// the map knows its packed id or it is a bare exit, as a plain word otherwise
    /// ([`MarkerEncoding::decode_known`]).
    #[must_use]
    pub fn decode(&self, raw: u32) -> Decoded {
        self.encoding.decode_known(raw, |id| self.by_id.contains_key(&id))
    }
}
