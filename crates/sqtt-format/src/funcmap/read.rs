//! Section text to funcmap: everything that can be read is, the rest is a warning.
//!
//! A row ends at a newline or a NUL, so a section that a linker joined from several maps loses no
//! row. Where there are several, each is read as a map of its own besides (`scopes`).

use std::collections::HashMap;

use super::escape;
use super::scopes::Scopes;
use super::{Entry, EntryKind, Funcmap, Warning, WarningKind};
use crate::{MarkerEncoding, Name, WaveSize};

/// A funcmap as it was read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Parsed {
    /// The rows that could be read, in one id space.
    pub map: Funcmap,
    /// The maps, each with its own ids, layout and wave size, where the section holds several; their entries one
    /// after the other are those of `map`. Empty where it holds one.
    pub maps: Vec<Funcmap>,
    /// The rows that could not be read, or look wrong, by line.
    pub warnings: Vec<Warning>,
}

impl Funcmap {
    /// Reads the bytes of a `.sqtt_funcmap` section, of this project or of another compiler.
    ///
    /// ```
    /// let read = sqtt_format::Funcmap::parse(b"U:1:outer\nnonsense\nP:2:cb_wait@a.cpp:7\n\0");
    /// assert_eq!(read.map.entries().len(), 2);
    /// assert!(read.warnings[0].to_string().starts_with("line 2: malformed row"));
    /// ```
    #[must_use]
    pub fn parse(section: &[u8]) -> Parsed {
        Self::parse_all([section])
    }

    /// Reads several sections as [`parse`](Self::parse) reads the one that a link makes of them: one behind the other,
    /// and each ends a map and its last row. Lines are counted through.
    ///
    /// ```
    /// let read = sqtt_format::Funcmap::parse_all([b"K:a\nU:1:outer\n\0".as_slice(), b"K:b\nU:1:inner"]);
    /// assert_eq!((read.maps.len(), read.map.entries().len()), (2, 4));
    /// ```
    #[must_use]
    pub fn parse_all<'a>(sections: impl IntoIterator<Item = &'a [u8]>) -> Parsed {
        let mut reader = Reader::default();
        let mut line = 0;
        for section in sections {
            reader.end_map();
            for row in section.split_inclusive(|&byte| matches!(byte, b'\n' | 0)) {
                line += 1;
                match row {
                    [row @ .., 0] => {
                        reader.row(line, trim_end(row));
                        reader.end_map();
                    }
                    [row @ .., b'\n'] | row => reader.row(line, trim_end(row)),
                }
            }
        }
        reader.finish()
    }
}

fn trim_end(row: &[u8]) -> &[u8] {
    let end = row.iter().rposition(|byte| !matches!(byte, b'\r' | b' ' | b'\t'));
    &row[..end.map_or(0, |last| last + 1)]
}

/// An `R:` row that waits for the row it belongs to, which may come later.
struct Payload<'a> {
    count: u32,
    line: usize,
    row: &'a [u8],
}

#[derive(Default)]
struct Reader<'a> {
    parsed: Parsed,
    scopes: Scopes,
    /// Line and text of every entry's row.
    rows: Vec<(usize, &'a [u8])>,
    payloads: HashMap<u32, Payload<'a>>,
}

impl<'a> Reader<'a> {
    fn end_map(&mut self) {
        self.scopes.nul(self.parsed.map.entries.len());
    }

    fn row(&mut self, line: usize, row: &'a [u8]) {
        let problem = match row {
            [] => None,
            [b'F', b':', rest @ ..] => self.entry(EntryKind::Function, line, row, rest),
            [b'K', b':', rest @ ..] => self.entry(EntryKind::Kernel, line, row, rest),
            [b'U', b':', rest @ ..] => self.entry(EntryKind::User, line, row, rest),
            [b'P', b':', rest @ ..] => self.entry(EntryKind::Point, line, row, rest),
            [b'W', b':', rest @ ..] => self.wave_size(rest),
            [b'M', b':', rest @ ..] => self.encoding(rest),
            [b'R', b':', rest @ ..] => self.payload(line, row, rest),
            [prefix, b':', ..] => Some(WarningKind::UnknownPrefix(*prefix)),
            _ => Some(WarningKind::MalformedRow),
        };
        if let Some(kind) = problem {
            self.parsed.warnings.push(Warning::new(line, row, kind));
        }
    }

    fn entry(&mut self, kind: EntryKind, line: usize, row: &'a [u8], rest: &[u8]) -> Option<WarningKind> {
        let Some(entry) = parse_entry(kind, rest) else { return Some(WarningKind::MalformedEntry(kind)) };
        self.scopes.entry(self.parsed.map.entries.len(), &entry);
        self.rows.push((line, row));
        self.parsed.map.push(entry);
        None
    }

    fn wave_size(&mut self, rest: &[u8]) -> Option<WarningKind> {
        let Some(size) = decimal(rest) else { return Some(WarningKind::MalformedWaveSize) };
        self.parsed.map.wave_size = Some(size);
        self.scopes.wave_size(self.parsed.map.entries.len(), size);
        WaveSize::from_lanes(size).is_none().then_some(WarningKind::UnusualWaveSize(size))
    }

    fn encoding(&mut self, rest: &[u8]) -> Option<WarningKind> {
        let Ok(bits) = attribute(rest, b"shader_clock_bits") else {
            return Some(WarningKind::MalformedEncoding);
        };
        let Ok(shift) = attribute(rest, b"shader_clock_shift") else {
            return Some(WarningKind::MalformedEncoding);
        };
        let encoding = match (bits, shift) {
            // Attributes of some later version only: nothing about the clock.
            (None, None) => return None,
            (Some(1..), None) => None,
            (bits, shift) => MarkerEncoding::new(bits.unwrap_or(0), shift.unwrap_or(0)),
        };
        match encoding {
            Some(encoding) => {
                self.parsed.map.set_marker_encoding(encoding);
                self.scopes.encoding(self.parsed.map.entries.len(), encoding);
            }
            None => return Some(WarningKind::MalformedEncoding),
        }
        None
    }

    fn payload(&mut self, line: usize, row: &'a [u8], rest: &[u8]) -> Option<WarningKind> {
        let Some((id, attributes)) = split_once(rest, b':') else {
            return Some(WarningKind::MalformedPayload);
        };
        match (decimal(id), attribute(attributes, b"extra_payload_count")) {
            (Some(id), Ok(Some(count))) => {
                self.payloads.insert(id, Payload { count, line, row });
                self.scopes.payload(id, count);
                None
            }
            _ => Some(WarningKind::MalformedPayload),
        }
    }

    /// Payload counts reach every entry of their id, wherever its row stands.
    fn finish(mut self) -> Parsed {
        let entries = &self.parsed.map.entries;
        let scopes = self.scopes.finish(entries);
        let mut seen = HashMap::new();
        for scope in &scopes {
            seen.clear();
            for index in scope.entries.clone() {
                let Some(id) = entries[index].id() else { continue };
                let Some(earlier) = seen.insert(id, index) else { continue };
                let name = |index: usize| Name::from(entries[index].name());
                let kind = WarningKind::DuplicateId { id, earlier: name(earlier), later: name(index) };
                let (line, row) = self.rows[index];
                self.parsed.warnings.push(Warning::new(line, row, kind));
            }
        }
        if scopes.len() > 1 {
            self.parsed.maps = scopes.into_iter().map(|scope| scope.build(entries)).collect();
        }
        for entry in &mut self.parsed.map.entries {
            if let Some(payload) = entry.id().and_then(|id| self.payloads.get(&id)) {
                *entry = entry.clone().with_payload(payload.count);
            }
        }
        for (id, Payload { count, line, row }) in self.payloads {
            if !self.parsed.map.by_id.contains_key(&id) {
                self.parsed.map.payloads_without_row.insert(id, count);
                let kind = WarningKind::PayloadWithoutRow { id };
                self.parsed.warnings.push(Warning::new(line, row, kind));
            }
        }
        self.parsed.warnings.sort_by_key(|warning| warning.line);
        self.parsed
    }
}

/// `[id:]name[@source_loc]`. The first `@` splits.
fn parse_entry(kind: EntryKind, rest: &[u8]) -> Option<Entry> {
    let (id, text) = if kind == EntryKind::Kernel {
        (None, rest)
    } else {
        let (id, text) = split_once(rest, b':')?;
        (Some(decimal(id)?), text)
    };
    let (name, location) = split_once(text, b'@').unwrap_or((text, b""));
    if name.is_empty() {
        return None;
    }
    Some(Entry::new(kind, id, escape::read(name)).at(escape::read(location)))
}

fn split_once(bytes: &[u8], separator: u8) -> Option<(&[u8], &[u8])> {
    let at = bytes.iter().position(|&byte| byte == separator)?;
    Some((&bytes[..at], &bytes[at + 1..]))
}

/// Digits only, and at most 2^32-1: no sign, no blank.
fn decimal(digits: &[u8]) -> Option<u32> {
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    std::str::from_utf8(digits).ok()?.parse().ok()
}

/// The value of one attribute of a `key=value;key=value` list; the last one where several have that
/// key. Other keys mean nothing here.
fn attribute(list: &[u8], key: &[u8]) -> Result<Option<u32>, ()> {
    let mut found = None;
    for item in list.split(|&byte| byte == b';') {
        if let Some((name, value)) = split_once(item, b'=')
            && name == key
        {
            found = Some(decimal(value).ok_or(())?);
        }
    }
    Ok(found)
}
