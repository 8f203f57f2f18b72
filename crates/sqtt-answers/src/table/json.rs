//! Tables as JSON: an object per row. What is not there is `null`; bytes that are not UTF-8 become U+FFFD.

use std::io::{self, Write};

use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer};
use sqtt_decoder::Ledger;

use super::{Cell, Head, Writer};

/// Text around the objects of rows, and the form of losses.
#[derive(Clone, Copy, Debug)]
pub(crate) enum JsonLayout {
    /// A line each. The last one is of what was lost, if anything was: `{"<key>":"losses","summary":"lost: …","losses":{…}}`.
    Lines { key: &'static str },
    /// An array with a line each; its last element is that of `Lines`.
    Array { key: &'static str },
    /// An object with the array as its member `list`, a line each, and the ledger as `losses`.
    Object { list: &'static str },
    /// An object like that, indented, after the `unit` of what has no other.
    Indented { list: &'static str, unit: &'static str },
}

pub(super) struct Json {
    layout: JsonLayout,
    has_rows: bool,
}

impl Json {
    pub(super) const fn new(layout: JsonLayout) -> Self {
        Self { layout, has_rows: false }
    }

    /// Text before an element of an array.
    fn separator(&mut self) -> &'static str {
        if std::mem::replace(&mut self.has_rows, true) { ",\n" } else { "\n" }
    }
}

impl Writer for Json {
    fn begin(&mut self, out: &mut dyn Write, _: &[Head]) -> io::Result<()> {
        match self.layout {
            JsonLayout::Lines { .. } => Ok(()),
            JsonLayout::Array { .. } => write!(out, "["),
            JsonLayout::Object { list } => write!(out, "{{\"{list}\": ["),
            JsonLayout::Indented { list, unit } => {
                write!(out, "{{\n  \"unit\": \"{unit}\",\n  \"{list}\": [")
            }
        }
    }

    fn row(&mut self, out: &mut dyn Write, heads: &[Head], cells: &[Cell<'_>], _: &str) -> io::Result<()> {
        let row = Object { heads, cells, prefix: 0 };
        match self.layout {
            JsonLayout::Lines { .. } => {
                serde_json::to_writer(&mut *out, &row)?;
                writeln!(out)
            }
            JsonLayout::Array { .. } | JsonLayout::Object { .. } => {
                out.write_all(self.separator().as_bytes())?;
                Ok(serde_json::to_writer(out, &row)?)
            }
            JsonLayout::Indented { .. } => {
                let separator = self.separator();
                write!(out, "{separator}    {}", indented(&row, "\n    ")?)
            }
        }
    }

    fn end(&mut self, out: &mut dyn Write, _: &[Head], losses: &Ledger) -> io::Result<()> {
        match self.layout {
            JsonLayout::Lines { key } => match lost(key, losses)? {
                Some(lost) => writeln!(out, "{lost}"),
                None => Ok(()),
            },
            JsonLayout::Array { key } => {
                if let Some(lost) = lost(key, losses)? {
                    write!(out, "{}{lost}", self.separator())?;
                }
                writeln!(out, "\n]")
            }
            JsonLayout::Object { .. } => {
                writeln!(out, "\n],\n\"losses\": {}}}", serde_json::to_string(losses)?)
            }
            JsonLayout::Indented { .. } => {
                let close = if self.has_rows { "\n  ]" } else { "]" };
                writeln!(out, "{close},\n  \"losses\": {}\n}}", indented(losses, "\n  ")?)
            }
        }
    }
}

/// Indented JSON whose lines but the first begin deeper. No text of JSON has a line break of its own.
fn indented(value: &impl Serialize, line: &str) -> serde_json::Result<String> {
    Ok(serde_json::to_string_pretty(value)?.replace('\n', line))
}

#[derive(Serialize)]
struct Lost<'a> {
    summary: String,
    losses: &'a Ledger,
}

/// Losses as an object among those of rows; `None` if nothing was lost.
fn lost(key: &str, losses: &Ledger) -> serde_json::Result<Option<String>> {
    let Some(summary) = losses.lost() else { return Ok(None) };
    let json = serde_json::to_string(&Lost { summary, losses })?;
    Ok(Some(format!("{{\"{key}\":\"losses\",{}", json.trim_start_matches('{'))))
}

/// A row, or a group of it: `prefix` bytes of the names are the group's.
struct Object<'a> {
    heads: &'a [Head],
    cells: &'a [Cell<'a>],
    prefix: usize,
}

impl Serialize for Object<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { heads, cells, prefix } = *self;
        let mut map = serializer.serialize_map(None)?;
        let mut at = 0;
        while let Some(head) = heads.get(at) {
            let name = &head.name[prefix..];
            let group = name.find('.').map(|length| &head.name[..=prefix + length]);
            let end = match group {
                Some(group) => {
                    at + heads[at..].iter().take_while(|head| head.name.starts_with(group)).count()
                }
                None => at + 1,
            };
            let (inner, own) = (&heads[at..end], &cells[at..end]);
            if own.iter().all(Cell::is_empty) {
                if !head.is_optional {
                    map.serialize_entry(name.split('.').next().unwrap_or(name), &())?;
                }
            } else if let Some(group) = group {
                let object = Object { heads: inner, cells: own, prefix: group.len() };
                map.serialize_entry(&group[prefix..group.len() - 1], &object)?;
            } else {
                map.serialize_entry(name, &own[0])?;
            }
            at = end;
        }
        map.end()
    }
}

impl Serialize for Cell<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Cell::Empty => serializer.serialize_unit(),
            Cell::Flag(flag) => serializer.serialize_bool(*flag),
            Cell::Unsigned(number) => serializer.serialize_u64(*number),
            Cell::Signed(number) => serializer.serialize_i64(*number),
            Cell::Real(number) => serializer.serialize_f64(*number),
            Cell::Hex(..) => serializer.collect_str(self),
            Cell::Text(bytes) => serializer.serialize_str(&String::from_utf8_lossy(bytes)),
            Cell::Value(value) => value.serialize(serializer),
            Cell::List(cells) => serializer.collect_seq(cells),
        }
    }
}
