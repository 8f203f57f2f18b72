//! A funcmap, made ready for looking up millions of words.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::Arc;

use sqtt_format::{Decoded, Entry, EntryKind, Funcmap, Marker, MarkerEncoding, Name, NumericIds};

use super::code_object::NumberedObject;
use super::id_table::IdTable;

/// Form of a header of some id, and what follows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    /// Index of the entry, or `u32::MAX` for an `R:` row whose id no row names.
    entry: u32,
    pub(crate) payload: u32,
    pub(crate) is_point: bool,
}

/// The funcmap that the waves of some kernels use.
#[derive(Debug)]
pub struct MarkerMap {
    label: String,
    object_id: Option<u64>,
    funcmap: Funcmap,
    encoding: MarkerEncoding,
    shapes: IdTable<Shape>,
    kernels: HashSet<Name>,
    longest_payload: u32,
    lacks_payloads: bool,
    target: Option<String>,
    access_bytes: BTreeMap<u32, u32>,
    numeric: Option<NumericIds>,
    shared: Arc<BTreeSet<u32>>,
    addresses: Vec<Option<u64>>,
    has_symbols: bool,
}

impl MarkerMap {
    /// A funcmap, what its code object is called, and its id in the trace.
    #[must_use]
    pub fn new(label: impl Into<String>, object_id: Option<u64>, funcmap: Funcmap) -> Self {
        let mut kernels = HashSet::new();
        let mut shapes = Vec::new();
        for (index, entry) in funcmap.entries().iter().enumerate() {
            match entry.id() {
                None => {
                    kernels.insert(entry.name().into());
                }
                Some(id) => shapes.push((id, shape(index, entry))),
            }
        }
        let without_row = |(id, payload)| (id, Shape { entry: u32::MAX, payload, is_point: true });
        shapes.extend(funcmap.payloads_without_row().map(without_row));
        Self {
            label: label.into(),
            object_id,
            encoding: funcmap.marker_encoding(),
            longest_payload: shapes.iter().map(|(_, shape)| shape.payload).max().unwrap_or(0),
            // The last entry of an id is the one that counts, as in `Funcmap::find`.
            shapes: IdTable::new(shapes),
            kernels,
            lacks_payloads: false,
            target: None,
            access_bytes: BTreeMap::new(),
            numeric: None,
            shared: Arc::default(),
            addresses: Vec::new(),
            has_symbols: false,
            funcmap,
        }
    }

    /// Sets the target of the code object.
    #[must_use]
    pub fn for_target(mut self, target: Option<String>) -> Self {
        self.target = target;
        self
    }

    /// Sets the bytes that a lane accesses at the traced operation of each marker id.
    #[must_use]
    pub fn with_access_bytes(mut self, access_bytes: BTreeMap<u32, u32>) -> Self {
        self.access_bytes = access_bytes;
        self
    }

    /// Sets the ids that the program's own numeric markers use; `None` where that is not known.
    #[must_use]
    pub fn with_numeric(mut self, numeric: Option<NumericIds>) -> Self {
        self.numeric = numeric;
        self
    }

    /// Sets the ids that mean different things in different maps of the code object.
    #[must_use]
    pub fn with_shared(mut self, shared: Arc<BTreeSet<u32>>) -> Self {
        self.shared = shared;
        self
    }

    /// Sets the address of each function and kernel, by index of its entry. `has_symbols` says whether a
    /// function without one was inlined everywhere.
    #[must_use]
    pub fn with_addresses(mut self, addresses: Vec<Option<u64>>, has_symbols: bool) -> Self {
        (self.addresses, self.has_symbols) = (addresses, has_symbols);
        self
    }

    /// Name of its code object.
    #[must_use]
    pub fn label(&self) -> &str {
        &self.label
    }

    /// The number of its code object in the trace, where it has one.
    #[must_use]
    pub fn object_id(&self) -> Option<u64> {
        self.object_id
    }

    /// The funcmap itself.
    #[must_use]
    pub fn funcmap(&self) -> &Funcmap {
        &self.funcmap
    }

    /// The GPU that its code object is for, such as `gfx942`, where that is known.
    #[must_use]
    pub fn target(&self) -> Option<&str> {
        self.target.as_deref()
    }

    /// Bytes that a lane accesses at the traced operation of a marker id, where that is known.
    #[must_use]
    pub fn access_bytes(&self, id: u32) -> Option<u32> {
        self.access_bytes.get(&id).copied()
    }

    /// True if a marker id is that of a function of which no code of its own is left: it was inlined everywhere.
    #[must_use]
    pub fn is_inlined(&self, id: u32) -> bool {
        let Some(index) = self.shape(id).map(|shape| shape.entry as usize) else { return false };
        let is_function = |entry: &Entry| entry.kind() == EntryKind::Function;
        self.has_symbols
            && self.funcmap.entries().get(index).is_some_and(is_function)
            && self.addresses.get(index).copied().flatten().is_none()
    }

    /// True if an id that is in no row is known to be that of a numeric marker of the program's own. It is not where
    /// the code object does not say which ids these use.
    #[must_use]
    pub fn is_numeric(&self, id: u32) -> bool {
        self.numeric.as_ref().is_some_and(|ids| ids.contains(id))
    }

    /// True if there are ids that mean different things in different maps of the code object.
    pub(crate) fn has_shared(&self) -> bool {
        !self.shared.is_empty()
    }

    /// True if an id means something else in another map of the code object, so that a function of another unit may have
    /// written it.
    #[must_use]
    pub fn is_shared(&self, id: u32) -> bool {
        self.has_shared() && self.shared.contains(&id)
    }

    /// All that a trace folder can hold of the code object: for code object `id`.
    pub(crate) fn described(&self, id: u64) -> NumberedObject {
        NumberedObject {
            id,
            funcmap: self.funcmap.clone(),
            // Tables have no word for an address that is not known, only for none.
            addresses: if self.has_symbols { self.addresses.clone() } else { Vec::new() },
            access_bytes: self.access_bytes.clone(),
            numeric: self.numeric.clone(),
            target: self.target.clone(),
            lacks_payloads: self.lacks_payloads,
        }
    }

    /// The layout of marker headers.
    #[must_use]
    pub fn encoding(&self) -> MarkerEncoding {
        self.encoding
    }

    /// True if the code object has a kernel of that name (a `K:` row).
    #[must_use]
    pub fn has_kernel(&self, name: &[u8]) -> bool {
        self.kernels.contains(name)
    }

    /// The most payload words that a header of this map has.
    #[must_use]
    pub fn longest_payload(&self) -> u32 {
        self.longest_payload
    }

    /// Sets whether the copy may not say which markers have payload.
    #[must_use]
    pub(crate) fn lacking_payloads(mut self, lacks: bool) -> Self {
        self.lacks_payloads = lacks;
        self
    }

    /// True if words that are no immediates may be payload of any marker.
    pub(crate) fn lacks_payloads(&self) -> bool {
        self.lacks_payloads
    }

    #[inline]
    pub(crate) fn shape(&self, id: u32) -> Option<Shape> {
        self.shapes.get(id)
    }

    pub(crate) fn entry(&self, shape: Shape) -> Option<&Entry> {
        self.funcmap.entries().get(shape.entry as usize)
    }

    /// Reads a word as [`Funcmap::decode`] does; an immediate is never packed.
    #[inline]
    pub(crate) fn decode(&self, word: u32, immediate: bool) -> Decoded {
        if immediate || !self.encoding.has_shader_clock() {
            return Decoded { marker: Marker::from_word(word), shader_clock: None };
        }
        self.encoding.decode_known(word, |id| self.shape(id).is_some_and(|shape| shape.entry != u32::MAX))
    }
}

fn shape(index: usize, entry: &Entry) -> Shape {
    Shape {
        entry: u32::try_from(index).unwrap_or(u32::MAX),
        payload: entry.extra_payload_count(),
        is_point: entry.kind() == EntryKind::Point,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lookups_agree_with_the_funcmap() {
        let text = b"M:shader_clock_bits=12;shader_clock_shift=4\nU:1:a\nP:70000:b\nU:1:again\nR:9:extra_payload_count=2\nK:k\n";
        let map = MarkerMap::new("x", Some(7), Funcmap::parse(text).map);
        for id in [0, 1, 2, 9, 70_000, 70_001, u32::MAX] {
            assert_eq!(map.shape(id).and_then(|shape| map.entry(shape)), map.funcmap().find(id), "{id}");
            assert_eq!(map.shape(id).map_or(0, |shape| shape.payload), map.funcmap().payload_count(id));
        }
        for word in [0x1230_0006, 0x1230_0001, 0x24, 0x1230_0024, u32::MAX] {
            assert_eq!(map.decode(word, false), map.funcmap().decode(word));
            assert_eq!(map.decode(word, true).shader_clock, None);
        }
        assert!(map.has_kernel(b"k") && !map.has_kernel(b"a"));
        let text = b"F:1:a\nF:2:b\nU:3:c\nK:k\n";
        for has_symbols in [false, true] {
            let map = MarkerMap::new("x", Some(7), Funcmap::parse(text).map);
            let map = map.with_addresses(vec![Some(16), None, None, Some(0)], has_symbols);
            assert_eq!([1, 2, 3, 9].map(|id| map.is_inlined(id)), [false, has_symbols, false, false]);
        }
        assert_eq!(map.longest_payload(), 2);
    }
}
