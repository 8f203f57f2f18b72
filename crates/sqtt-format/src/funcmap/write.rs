//! Funcmap to section text.

use std::collections::HashSet;

use super::escape::{self, Field};
use super::{Entry, EntryKind, Funcmap};
use crate::{Marker, MarkerEncoding, Name, SystemPoint};

/// Why a map is not written: a decoder would misread the trace.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// Id 0 is the reserved no-op, and larger ids do not fit the marker word.
    #[error(
        "marker id {id} of \"{name}\" does not fit: ids go from 1 to {max} with {bits} bits of shader clock"
    )]
    IdOutOfRange {
        /// The id.
        id: u32,
        /// Whose it is.
        name: Name,
        /// The largest id there is room for.
        max: u32,
        /// Clock bits of the layout.
        bits: u32,
    },
    /// Two entries share an id.
    #[error("marker id {id} is given twice, the second time to \"{name}\"")]
    DuplicateId {
        /// The id.
        id: u32,
        /// The second entry's name.
        name: Name,
    },
    /// A clock in the header and a payload behind it cannot be told apart.
    #[error(
        "\"{name}\" has {count} payload words: markers with a payload need shader_clock_bits=0, not {bits}"
    )]
    PayloadWithClock {
        /// Whose payload it is.
        name: Name,
        /// The number of words.
        count: u32,
        /// Clock bits of the layout.
        bits: u32,
    },
    /// A layout that no decoder accepts.
    #[error(
        "shader_clock_bits={bits} and shader_clock_shift={shift}: at most 29 bits, and both together at most 32"
    )]
    InvalidEncoding {
        /// Clock bits.
        bits: u32,
        /// Clock shift.
        shift: u32,
    },
    /// A payload count that was read for an id without a row.
    #[error("marker id {id} has a payload count but no row that names it")]
    PayloadWithoutRow {
        /// The id.
        id: u32,
    },
}

/// The groups of rows, in the order in which they are written.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Group {
    Function,
    Kernel,
    Named,
    System,
    Address,
}

fn group(entry: &Entry) -> Group {
    match entry.kind() {
        EntryKind::Function => Group::Function,
        EntryKind::Kernel => Group::Kernel,
        EntryKind::User => Group::Named,
        EntryKind::Point if entry.address_block().is_some() => Group::Address,
        EntryKind::Point if SystemPoint::from_name(entry.name()).is_some() => Group::System,
        EntryKind::Point => Group::Named,
    }
}

impl Funcmap {
    /// The entries in the order in which they are written: functions by id; kernels; user scopes and
    /// named points; barrier and memory points; address points. Within a group, but for functions,
    /// they stay in the order in which they were pushed.
    #[must_use]
    pub fn sorted_entries(&self) -> Vec<&Entry> {
        let mut sorted: Vec<_> = self.entries.iter().collect();
        sorted.sort_by_key(|entry| {
            let group = group(entry);
            (group, if group == Group::Function { entry.id() } else { None })
        });
        sorted
    }

    /// The text of the section: the `M:` row, the entries as [sorted](Self::sorted_entries) with the
    /// `W:` row before the first address point, each `R:` row right behind the row it belongs to, and
    /// one NUL.
    ///
    /// # Errors
    ///
    /// [`WriteError`] for a map that a decoder could not read back.
    pub fn to_bytes(&self) -> Result<Vec<u8>, WriteError> {
        self.check()?;
        let mut out = Vec::new();
        if self.encoding.has_shader_clock() {
            let MarkerEncoding { shader_clock_bits, shader_clock_shift } = self.encoding;
            line(
                &mut out,
                &format!("M:shader_clock_bits={shader_clock_bits};shader_clock_shift={shader_clock_shift}"),
            );
        }
        let sorted = self.sorted_entries();
        let (before, address) =
            sorted.split_at(sorted.partition_point(|entry| group(entry) < Group::Address));
        before.iter().for_each(|entry| write_entry(&mut out, entry));
        if let Some(size) = self.wave_size {
            line(&mut out, &format!("W:{size}"));
        }
        address.iter().for_each(|entry| write_entry(&mut out, entry));
        out.push(0);
        Ok(out)
    }

    fn check(&self) -> Result<(), WriteError> {
        let MarkerEncoding { shader_clock_bits: bits, shader_clock_shift: shift } = self.encoding;
        if !self.encoding.is_valid() {
            return Err(WriteError::InvalidEncoding { bits, shift });
        }
        if let Some((id, _)) = self.payloads_without_row().next() {
            return Err(WriteError::PayloadWithoutRow { id });
        }
        let max = self.encoding.max_id().min(Marker::MAX_ID);
        let mut seen = HashSet::with_capacity(self.entries.len());
        for entry in &self.entries {
            let name = || Name::from(entry.name());
            let Some(id) = entry.id() else { continue };
            if id == 0 || id > max {
                return Err(WriteError::IdOutOfRange { id, name: name(), max, bits });
            }
            if !seen.insert(id) {
                return Err(WriteError::DuplicateId { id, name: name() });
            }
            let count = entry.extra_payload_count();
            if count > 0 && bits > 0 {
                return Err(WriteError::PayloadWithClock { name: name(), count, bits });
            }
        }
        Ok(())
    }
}

fn line(out: &mut Vec<u8>, text: &str) {
    out.extend_from_slice(text.as_bytes());
    out.push(b'\n');
}

fn write_entry(out: &mut Vec<u8>, entry: &Entry) {
    out.extend_from_slice(&[entry.kind().prefix(), b':']);
    if let Some(id) = entry.id() {
        out.extend_from_slice(format!("{id}:").as_bytes());
    }
    escape::write(out, entry.name(), Field::Name);
    if let Some(location) = entry.source_loc() {
        out.push(b'@');
        escape::write(out, location, Field::Location);
    }
    out.push(b'\n');
    if let (Some(id), count @ 1..) = (entry.id(), entry.extra_payload_count()) {
        line(out, &format!("R:{id}:extra_payload_count={count}"));
    }
}
