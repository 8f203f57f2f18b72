//! From recorded words to events, by the names in the object.

use crate::events::{Event, Label, Marked};
use sqtt_decoder::codeobj::{Binary, CodeObjectFuncmap};
use sqtt_format::{EntryKind, Marker, MarkerEncoding, SystemPoint};
use sqtt_sim::MarkerRecord;
use std::collections::HashMap;

/// The markers of an object.
#[derive(Clone, Debug, Default)]
pub struct Names {
    ids: HashMap<u32, (EntryKind, Label, u32)>,
    encoding: MarkerEncoding,
}

/// Simulated cycles from the sample of the shader clock to the record: of the sample, the shift, the `or` and the wait.
const SAMPLE_TO_RECORD: u64 = 4;

impl Names {
    /// Reads an object's funcmap. Rows of `functions` get their names in the source.
    ///
    /// # Errors
    /// A sentence that says what is wrong with it.
    pub fn read(object: &[u8], functions: &[&str]) -> Result<Self, String> {
        let funcmap = funcmap(object)?;
        if let Some(warning) = funcmap.warnings.first() {
            return Err(format!("funcmap: {warning}"));
        }
        let mut ids = HashMap::new();
        for (entry, _) in funcmap.entries() {
            let Some(id) = entry.id() else { continue };
            let name = String::from_utf8_lossy(entry.name()).into_owned();
            let label = match (entry.kind(), SystemPoint::from_name(entry.name())) {
                (EntryKind::Point, Some(point)) => Label::System(point),
                (EntryKind::Function, _) => Label::Function(source_name(&name, functions).unwrap_or(name)),
                _ => Label::Named(name),
            };
            if ids.insert(id, (entry.kind(), label, entry.extra_payload_count())).is_some() {
                return Err(format!("funcmap: two rows have id {id}"));
            }
        }
        let encoding =
            funcmap.map.as_ref().map_or(MarkerEncoding::PLAIN, sqtt_decoder::Funcmap::marker_encoding);
        Ok(Self { ids, encoding })
    }

    /// Names of the plugin's own points alone.
    #[cfg(test)]
    pub(crate) fn of(points: &[(u32, SystemPoint)]) -> Self {
        let entry = |(id, point): &(u32, SystemPoint)| (*id, (EntryKind::Point, Label::System(*point), 0));
        Self { ids: points.iter().map(entry).collect(), encoding: MarkerEncoding::PLAIN }
    }

    /// The functions that are marked.
    #[must_use]
    pub fn marked(&self) -> Marked {
        let functions = self
            .ids
            .values()
            .filter_map(|(_, label, _)| match label {
                Label::Function(name) => Some(name.clone()),
                _ => None,
            })
            .collect();
        Marked { functions, ..Marked::default() }
    }

    /// The layout of its words.
    #[must_use]
    pub fn encoding(&self) -> MarkerEncoding {
        self.encoding
    }

    /// The words of a wave that are no payload, with their places.
    #[must_use]
    pub fn headers(&self, words: &[u32]) -> Vec<(usize, u32)> {
        let mut headers = Vec::new();
        let mut at = 0;
        while let Some(&word) = words.get(at) {
            headers.push((at, word));
            let payload = self.ids.get(&self.marker(word).id).map_or(0, |(_, _, payload)| *payload);
            at += 1 + payload as usize;
        }
        headers
    }

    /// The plugin's own point that a word is.
    #[must_use]
    pub fn system_point(&self, word: u32) -> Option<SystemPoint> {
        match self.ids.get(&self.marker(word).id)? {
            (_, Label::System(point), _) => Some(*point),
            _ => None,
        }
    }

    /// Holds every packed word of a wave against the simulated clock; gives how many there were.
    ///
    /// # Errors
    /// The first word whose clock is another.
    pub fn check_clock(&self, records: &[MarkerRecord]) -> Result<usize, String> {
        let mut packed = 0;
        for (k, record) in records.iter().enumerate() {
            let decoded = self.encoding.decode_known(record.value, |id| self.ids.contains_key(&id));
            let Some(clock) = decoded.shader_clock else { continue };
            packed += 1;
            let sampled = record.time - SAMPLE_TO_RECORD;
            let window = u64::from(self.encoding.shader_clock_source_mask());
            let expected = (sampled & window) >> self.encoding.shader_clock_shift;
            if record.immediate || u64::from(clock) != expected {
                return Err(format!(
                    "record {k}, word {:#x}{}, at cycle {}: its clock is {clock:#x}, expected {expected:#x}",
                    record.value,
                    if record.immediate { " (immediate)" } else { "" },
                    record.time
                ));
            }
        }
        Ok(packed)
    }

    fn marker(&self, word: u32) -> Marker {
        self.encoding.decode_known(word, |id| self.ids.contains_key(&id)).marker
    }

    /// The events of a wave's words.
    #[must_use]
    pub fn events(&self, words: &[u32]) -> Vec<Event> {
        let mut events = Vec::new();
        let mut words = words.iter().copied();
        while let Some(word) = words.next() {
            events.push(self.event(word, &mut words));
        }
        events
    }

    fn event(&self, word: u32, rest: &mut impl Iterator<Item = u32>) -> Event {
        let marker = self.marker(word);
        if marker == Marker::EXIT {
            return Event::Exit;
        }
        let broken = |why: &str| Event::Broken(format!("word {word:#x} {why}"));
        let Some((kind, label, payload)) = self.ids.get(&marker.id) else {
            let label = Label::Number(marker.id);
            return match (marker.enter, marker.exit) {
                (true, false) => Event::Enter(label),
                (false, false) => Event::Point(label),
                (true, true) => Event::ExitEnter(label),
                (false, true) => broken("is an exit of a number that is not 0"),
            };
        };
        let label = label.clone();
        match (kind, marker.enter, marker.exit, *payload) {
            (EntryKind::User | EntryKind::Function, true, false, 0) => Event::Enter(label),
            (EntryKind::User, true, true, 0) => Event::ExitEnter(label),
            (EntryKind::Point, false, false, 0) => Event::Point(label),
            (EntryKind::Point, false, false, 1 | 2) => {
                let words: Vec<u32> = rest.take(*payload as usize).collect();
                if words.len() < *payload as usize {
                    return broken("announces a payload that is not there");
                }
                Event::Data(label, words)
            }
            _ => broken(&format!("does not fit what the funcmap says of {label}")),
        }
    }
}

/// The names in an object that is one code object.
pub(crate) fn funcmap(object: &[u8]) -> Result<CodeObjectFuncmap, String> {
    let binary = Binary::from_bytes("object", object.to_vec());
    let contents = binary.contents();
    let [code_object] = &contents.code_objects[..] else {
        return Err(format!("{} code objects, expected one", contents.code_objects.len()));
    };
    code_object.funcmap().map_err(|error| error.to_string())
}

/// The function whose mangled name this is: `_Z` or `_ZL`, its length, the name, the parameters.
fn source_name(mangled: &str, functions: &[&str]) -> Option<String> {
    let rest = mangled.strip_prefix("_ZL").or_else(|| mangled.strip_prefix("_Z"))?;
    functions
        .iter()
        .find(|name| rest.starts_with(&format!("{}{name}", name.len())))
        .map(|name| (*name).to_owned())
}
