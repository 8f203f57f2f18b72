//! The borders between the maps of a section.
//!
//! A compiler writes a map per module, or one per kernel; a linker puts the maps of all objects one behind the
//! other, and in each the ids start again. A map ends
//!
//! - at a NUL, and at the end of a section where there are several;
//! - without one, where an id comes a second time and both sides have a kernel. The rows right before it that
//!   stand at the head of maps (`M:`, `W:`, `K:`) belong to the second map.

use std::collections::{BTreeMap, HashSet};
use std::ops::Range;

use super::{Entry, EntryKind, Funcmap};
use crate::MarkerEncoding;

/// A map as far as it was read. Its entries are a range of the section's.
#[derive(Default)]
struct Draft {
    first: usize,
    /// Begun by an id that came again, not by a NUL.
    is_restart: bool,
    encoding: Option<Row<MarkerEncoding>>,
    wave_size: Option<Row<u32>>,
    payloads: BTreeMap<u32, u32>,
}

/// The value of an `M:` or `W:` row, and its number among all such rows.
#[derive(Clone, Copy)]
struct Row<T> {
    index: usize,
    value: T,
}

/// The state of a map when the rows began that may belong to the next.
#[derive(Clone, Copy)]
struct Mark {
    entries: usize,
    /// The number of `M:` and `W:` rows so far.
    rows: usize,
    encoding: Option<Row<MarkerEncoding>>,
    wave_size: Option<Row<u32>>,
}

/// Follows the rows of a section.
#[derive(Default)]
pub(super) struct Scopes {
    done: Vec<Draft>,
    now: Draft,
    /// The number of `M:` and `W:` rows so far.
    rows: usize,
    /// Ids of the map at hand.
    ids: HashSet<u32>,
    /// The begin of the `M:`, `W:` and `K:` rows right before the next row.
    head: Option<Mark>,
    /// The begin of the rows among these that come after the last `K:`.
    tail: Option<Mark>,
    /// The first entry of the map at hand is a kernel.
    is_kernel_first: bool,
}

/// One map of several.
pub(super) struct Scope {
    pub(super) entries: Range<usize>,
    encoding: Option<MarkerEncoding>,
    wave_size: Option<u32>,
    payloads: BTreeMap<u32, u32>,
}

impl Scopes {
    fn mark(&self, entries: usize) -> Mark {
        Mark { entries, rows: self.rows, encoding: self.now.encoding, wave_size: self.now.wave_size }
    }

    /// A NUL behind so many entries.
    pub(super) fn nul(&mut self, entries: usize) {
        self.begin(Draft { first: entries, ..Draft::default() });
    }

    fn begin(&mut self, draft: Draft) {
        self.done.push(std::mem::replace(&mut self.now, draft));
        self.ids.clear();
        (self.head, self.tail) = (None, None);
        self.is_kernel_first = false;
    }

    /// A `W:` row behind so many entries.
    pub(super) fn wave_size(&mut self, entries: usize, size: u32) {
        self.before_head(entries);
        self.now.wave_size = Some(Row { index: self.rows, value: size });
        self.rows += 1;
    }

    /// An `M:` row behind so many entries.
    pub(super) fn encoding(&mut self, entries: usize, encoding: MarkerEncoding) {
        self.before_head(entries);
        self.now.encoding = Some(Row { index: self.rows, value: encoding });
        self.rows += 1;
    }

    fn before_head(&mut self, entries: usize) {
        let mark = self.mark(entries);
        self.head.get_or_insert(mark);
        self.tail.get_or_insert(mark);
    }

    /// An `R:` row.
    pub(super) fn payload(&mut self, id: u32, count: u32) {
        self.now.payloads.insert(id, count);
        (self.head, self.tail) = (None, None);
    }

    /// The row of an entry behind so many others.
    pub(super) fn entry(&mut self, entries: usize, entry: &Entry) {
        if entries == self.now.first {
            self.is_kernel_first = entry.kind() == EntryKind::Kernel;
        }
        let Some(id) = entry.id() else {
            self.before_head(entries);
            self.tail = None;
            return;
        };
        if !self.ids.insert(id) {
            // Maps that have functions before their kernels end with the kernels.
            let is_late = entry.kind() == EntryKind::Function && !self.is_kernel_first;
            let start = if is_late { self.tail } else { self.head };
            let start = start.unwrap_or(self.mark(entries));
            let next = Draft {
                first: start.entries,
                is_restart: true,
                encoding: self.now.encoding.filter(|row| row.index >= start.rows),
                wave_size: self.now.wave_size.filter(|row| row.index >= start.rows),
                payloads: BTreeMap::new(),
            };
            (self.now.encoding, self.now.wave_size) = (start.encoding, start.wave_size);
            self.begin(next);
            self.ids.insert(id);
            self.is_kernel_first = start.entries < entries;
        }
        (self.head, self.tail) = (None, None);
    }

    /// The maps, at least one, by what the section's entries are.
    pub(super) fn finish(mut self, entries: &[Entry]) -> Vec<Scope> {
        self.nul(entries.len());
        let ends: Vec<usize> =
            self.done.iter().skip(1).map(|draft| draft.first).chain([entries.len()]).collect();
        let has_kernel = |range: &Range<usize>| {
            entries[range.clone()].iter().any(|entry| entry.kind() == EntryKind::Kernel)
        };
        let mut scopes: Vec<(Scope, bool)> = Vec::new();
        for (draft, end) in self.done.into_iter().zip(ends) {
            let Draft { first, is_restart, encoding, wave_size, payloads } = draft;
            let (encoding, wave_size) = (encoding.map(|row| row.value), wave_size.map(|row| row.value));
            let range = first..end;
            if range.is_empty() && payloads.is_empty() && !scopes.is_empty() {
                continue;
            }
            let own_kernel = has_kernel(&range);
            match scopes.last_mut() {
                // An id given twice in one map, or nothing but odd rows before the first entry.
                Some((last, last_kernel))
                    if (is_restart && !(*last_kernel && own_kernel)) || last.is_empty() =>
                {
                    last.entries.end = end;
                    last.encoding = encoding.or(last.encoding);
                    last.wave_size = wave_size.or(last.wave_size);
                    last.payloads.extend(payloads);
                    *last_kernel |= own_kernel;
                }
                _ => scopes.push((Scope { entries: range, encoding, wave_size, payloads }, own_kernel)),
            }
        }
        scopes.into_iter().map(|(scope, _)| scope).collect()
    }
}

impl Scope {
    fn is_empty(&self) -> bool {
        self.entries.is_empty() && self.payloads.is_empty()
    }

    /// The map, of the section's entries without their payloads.
    pub(super) fn build(self, entries: &[Entry]) -> Funcmap {
        let mut map = Funcmap::new();
        for entry in &entries[self.entries] {
            let payload = entry.id().and_then(|id| self.payloads.get(&id)).copied();
            map.push(entry.clone().with_payload(payload.unwrap_or(0)));
        }
        map.encoding = self.encoding.unwrap_or_default();
        map.wave_size = self.wave_size;
        for (id, count) in self.payloads {
            if !map.by_id.contains_key(&id) {
                map.payloads_without_row.insert(id, count);
            }
        }
        map
    }
}

#[cfg(test)]
mod tests {
    use crate::{EntryKind, Funcmap};

    /// Each map as its kernels and what ids stand for.
    fn maps(section: &str) -> Vec<String> {
        let read = Funcmap::parse(section.as_bytes());
        let shown = |map: &Funcmap| {
            let row = |entry: &crate::Entry| match entry.id() {
                Some(id) => format!("{id}={}", String::from_utf8_lossy(entry.name())),
                None => format!("K={}", String::from_utf8_lossy(entry.name())),
            };
            let mut rows: Vec<String> = map.entries().iter().map(row).collect();
            rows.extend(map.wave_size().map(|size| format!("W={size}")));
            let bits = map.marker_encoding().shader_clock_bits;
            rows.extend((bits > 0).then(|| format!("M={bits}")));
            rows.join(" ")
        };
        let entries: usize = read.maps.iter().map(|map| map.entries().len()).sum();
        assert!(read.maps.is_empty() || entries == read.map.entries().len());
        assert!(read.maps.is_empty() || read.warnings.is_empty(), "{:?}", read.warnings);
        read.maps.iter().map(shown).collect()
    }

    #[test]
    fn a_nul_ends_a_map() {
        assert_eq!(maps("W:32\nK:A\nU:1:x\n\0W:64\nK:B\nU:1:y\n\0"), ["K=A 1=x W=32", "K=B 1=y W=64"]);
        assert_eq!(maps("K:A\nU:1:x\n\0\0\0\n\0F:1:f\n"), ["K=A 1=x", "1=f"]);
        assert_eq!(
            maps("M:shader_clock_bits=3;shader_clock_shift=1\nK:A\nU:1:x\0K:B\nU:2:y\0"),
            ["K=A 1=x M=3", "K=B 2=y"]
        );
        for one in ["K:A\nU:1:x\n\0", "K:A\nU:1:x", "\0\0K:A\nU:1:x\n\0\n\0", "", "\0"] {
            assert_eq!(maps(one), [""; 0], "{one:?}");
        }
    }

    #[test]
    fn ids_that_start_again_begin_a_map() {
        // Kernels first, as Tensile writes them.
        assert_eq!(
            maps("W:32\nK:A\nU:1:x\nP:2:y\nW:32\nK:B\nU:1:x\nP:2:z\n"),
            ["K=A 1=x 2=y W=32", "K=B 1=x 2=z W=32"]
        );
        assert_eq!(maps("K:A\nF:1:f\nK:B\nF:1:g\n"), ["K=A 1=f", "K=B 1=g"]);
        // Functions first, as the plugin writes them.
        assert_eq!(maps("F:1:f\nK:A\nU:2:x\nF:1:g\nK:B\nU:2:y\n"), ["1=f K=A 2=x", "1=g K=B 2=y"]);
        let m = |bits: u32| format!("M:shader_clock_bits={bits};shader_clock_shift=4\n");
        assert_eq!(
            maps(&format!("{}F:1:f\nK:A\n{}F:1:g\nK:B\n", m(3), m(5))),
            ["1=f K=A M=3", "1=g K=B M=5"]
        );
        assert_eq!(
            maps("K:A\nU:1:x\nR:1:extra_payload_count=1\nK:B\nW:64\nU:1:y\n"),
            ["K=A 1=x", "K=B 1=y W=64"]
        );
    }

    #[test]
    fn an_id_given_twice_in_one_map_is_no_second_map() {
        for section in ["F:7:first\nU:7:second\n", "K:A\nU:1:x\nU:1:y\n", "U:1:x\nK:A\nU:1:y\nU:2:z\nU:2:w\n"]
        {
            let read = Funcmap::parse(section.as_bytes());
            assert!(read.maps.is_empty(), "{section:?}");
            assert!(read.warnings[0].to_string().contains("duplicate marker ID"), "{:?}", read.warnings);
        }
        let twice = "U:1:x\nK:A\nU:1:y\nU:2:z\nU:2:w\n";
        assert_eq!(Funcmap::parse(twice.as_bytes()).warnings.len(), 2);
    }

    #[test]
    fn sections_are_read_as_a_link_joins_them() {
        let linked =
            b"M:shader_clock_bits=3;shader_clock_shift=1\nF:1:f\n\0W:32\nK:A\nU:1:x\n\0K:B\nU:2:y\nbad\n\0";
        let cut = |at: &[usize]| {
            let mut ends = vec![0];
            ends.extend(at);
            ends.push(linked.len());
            let parts: Vec<&[u8]> = ends.windows(2).map(|ends| &linked[ends[0]..ends[1]]).collect();
            Funcmap::parse_all(parts)
        };
        let nul = |count: usize| {
            linked
                .iter()
                .enumerate()
                .filter(|(_, byte)| **byte == 0)
                .nth(count)
                .map(|(at, _)| at + 1)
                .unwrap()
        };
        let whole = Funcmap::parse(linked);
        assert_eq!((whole.maps.len(), whole.warnings[0].line), (3, 10));
        for at in [vec![], vec![nul(0)], vec![nul(1)], vec![nul(0), nul(1)], vec![0, nul(0), nul(0), nul(1)]]
        {
            assert_eq!(cut(&at), whole, "{at:?}");
        }
        assert_eq!(Funcmap::parse_all([]), Funcmap::parse(b""));
        // A section that ends without a NUL or newline ends its map and its row.
        let read = Funcmap::parse_all([b"K:A\nU:1:x".as_slice(), b"U:1:y"]);
        assert_eq!((read.maps.len(), read.map.entries().len(), read.warnings.len()), (2, 3, 0));
        assert_eq!(read.maps[1].find(1).map(crate::Entry::name), Some(b"y".as_slice()));
    }

    #[test]
    fn payloads_belong_to_their_map() {
        let read = Funcmap::parse(
            b"K:A\nP:1:x\nR:1:extra_payload_count=1\n\0K:B\nP:1:y\nR:3:extra_payload_count=2\n\0",
        );
        let counts = |id: u32| -> Vec<u32> { read.maps.iter().map(|map| map.payload_count(id)).collect() };
        assert_eq!((counts(1), counts(3)), (vec![1, 0], vec![0, 2]));
        assert_eq!(read.maps[0].entries()[0].kind(), EntryKind::Kernel);
    }

    #[test]
    fn a_million_rows_and_maps_take_linear_time() {
        let mut rows = String::new();
        for index in 0..100_000 {
            rows.push_str(&format!("K:k{index}\nU:1:x{index}\n"));
        }
        assert_eq!(Funcmap::parse(rows.as_bytes()).maps.len(), 100_000);
        let rows: String = (0..1_000_000).map(|id| format!("U:{}:same\n", id % 1000)).collect();
        let read = Funcmap::parse(rows.as_bytes());
        assert_eq!((read.map.entries().len(), read.warnings.len()), (1_000_000, 999_000));
    }
}
