//! `code.json`: the funcmap tables that `att_tool` adds, and its list of kernels. The instructions are
//! skipped.
//!
//! `sqtt_funcmap` rows are `[code object, id, kind, name, location, address]`, kernels with id 0.
//! `sqtt_access_bytes`, `sqtt_targets` and `sqtt_numeric`, which only this project writes, have rows
//! `[code object, id, bytes]`, `[code object, target]` and `[code object, ids of numeric markers]`.

use std::collections::BTreeMap;
use std::io::Read;
use std::str::FromStr;

use sqtt_format::{Entry, EntryKind, MarkerEncoding, Name, NumericIds, SystemPoint};

use super::faults::Faults;
use crate::json::{JsonError, JsonKind, JsonReader};
use crate::names::NumberedObject;

#[derive(Debug, Default)]
pub(crate) struct CodeJson {
    /// Code objects with markers.
    pub(crate) objects: BTreeMap<u64, NumberedObject>,
    /// Code object and name of kernels.
    pub(crate) kernels: Vec<(u64, Name)>,
    /// True if there is any code.
    pub(crate) has_code: bool,
}

#[derive(Default)]
struct Tables {
    /// Code object, entry, address.
    entries: Vec<(u64, Entry, Option<u64>)>,
    layouts: BTreeMap<u64, MarkerEncoding>,
    payloads: BTreeMap<(u64, u32), u32>,
    /// True if there is a table of them.
    has_payloads: bool,
    widths: BTreeMap<(u64, u32), u32>,
    targets: BTreeMap<u64, String>,
    numeric: BTreeMap<u64, NumericIds>,
}

pub(crate) fn read(source: impl Read, faults: &mut Faults) -> (CodeJson, Result<(), JsonError>) {
    let mut code = CodeJson::default();
    let mut tables = Tables::default();
    let mut reader = JsonReader::new(source);
    let result = reader.document(|reader, key| {
        let is_list = reader.kind()? == JsonKind::Array;
        tables.has_payloads |= key == b"sqtt_funcmap_payloads";
        match key {
            b"code" if is_list => reader.array(|reader, _| {
                code.has_code = true;
                reader.skip()
            }),
            b"sqtt_funcmap" if is_list => reader.array(|reader, _| entry(reader, &mut tables, faults)),
            b"sqtt_funcmap_layout" if is_list => layouts(reader, &mut tables, faults),
            b"sqtt_funcmap_payloads" if is_list => numbers(reader, &mut tables.payloads, faults),
            b"sqtt_access_bytes" if is_list => numbers(reader, &mut tables.widths, faults),
            b"sqtt_targets" if is_list => {
                reader.array(|reader, _| text(reader, &mut tables.targets, faults, "a target"))
            }
            b"sqtt_numeric" if is_list => {
                reader.array(|reader, _| text(reader, &mut tables.numeric, faults, "ids of numeric markers"))
            }
            b"kernels" if is_list => reader.array(|reader, _| kernel(reader, &mut code.kernels)),
            _ if key.starts_with(b"sqtt_") => faults.skip_no_table(reader, "a table that is no list"),
            _ => reader.skip(),
        }
    });
    code.objects = tables.objects();
    (code, result)
}

fn entry<R: Read>(
    reader: &mut JsonReader<R>,
    tables: &mut Tables,
    faults: &mut Faults,
) -> Result<(), JsonError> {
    let offset = reader.offset();
    if reader.kind()? != JsonKind::Array {
        faults.at(offset, "a funcmap row that is no list");
        return reader.skip();
    }
    let mut numbers = [None; 2];
    let mut address = None;
    let mut texts: [Option<Vec<u8>>; 3] = Default::default();
    reader.array(|reader, column| match (column, reader.kind()?) {
        (0 | 1, JsonKind::Number) => {
            numbers[column] = reader.unsigned()?;
            Ok(())
        }
        (2..=4, JsonKind::String) => {
            texts[column - 2] = Some(reader.string()?);
            Ok(())
        }
        (5, JsonKind::Number) => {
            address = reader.unsigned()?.filter(|&address| address != 0);
            Ok(())
        }
        _ => reader.skip(),
    })?;
    let [kind, name, location] = texts;
    let odd_name = match name.as_deref() {
        None => Some("a funcmap row without a name"),
        Some([]) => Some("a funcmap row whose name is empty"),
        Some(_) => None,
    };
    let name = name.unwrap_or_default();
    let id = numbers[1].and_then(|id| u32::try_from(id).ok());
    let entry = match (kind.as_deref().and_then(entry_kind), id) {
        (Some(EntryKind::Kernel), _) => Some(Entry::kernel(name)),
        (Some(EntryKind::Function), Some(id)) => Some(Entry::function(id, name)),
        (Some(EntryKind::User), Some(id)) => Some(Entry::user(id, name)),
        (Some(EntryKind::Point), Some(id)) => Some(Entry::point(id, name)),
        _ => None,
    };
    match (numbers[0], entry) {
        (Some(object), Some(entry)) => {
            // Its id counts all the same: it says whether words follow, and what opens a scope.
            tables.entries.push((object, entry.at(location.unwrap_or_default()), address));
            odd_name.into_iter().for_each(|what| faults.at(offset, what));
        }
        _ => faults.at(
            offset,
            "a funcmap row without a code object, an id, or a kind: F, K, U or P, or function, kernel, user or point",
        ),
    }
    Ok(())
}

/// Kinds by their letter, which the specification has, or as the words that other writers and readers have.
fn entry_kind(text: &[u8]) -> Option<EntryKind> {
    Some(match text.to_ascii_lowercase().as_slice() {
        b"f" | b"func" | b"function" => EntryKind::Function,
        b"k" | b"kernel" => EntryKind::Kernel,
        b"u" | b"user" | b"user_scope" | b"userscope" => EntryKind::User,
        b"p" | b"point" => EntryKind::Point,
        _ => return None,
    })
}

fn layouts<R: Read>(
    reader: &mut JsonReader<R>,
    tables: &mut Tables,
    faults: &mut Faults,
) -> Result<(), JsonError> {
    reader.rows::<3>(
        |[object, bits, shift]| {
            let number = |value: i64| u32::try_from(value).unwrap_or(u32::MAX);
            match (u64::try_from(object), MarkerEncoding::new(number(bits), number(shift))) {
                (Ok(object), Some(encoding)) => {
                    tables.layouts.insert(object, encoding);
                    Ok(())
                }
                _ => Err("a layout that cannot exist: at most 29 bits, and bits and shift at most 32"),
            }
        },
        |offset, fault| faults.at(offset, &fault.text(3)),
    )
}

/// `[code object, marker id, number]`.
fn numbers<R: Read>(
    reader: &mut JsonReader<R>,
    table: &mut BTreeMap<(u64, u32), u32>,
    faults: &mut Faults,
) -> Result<(), JsonError> {
    reader.rows::<3>(
        |[object, id, count]| match (u64::try_from(object), u32::try_from(id), u32::try_from(count)) {
            (Ok(object), Ok(id), Ok(count)) => {
                table.insert((object, id), count);
                Ok(())
            }
            _ => Err("a row with a number out of range"),
        },
        |offset, fault| faults.at(offset, &fault.text(3)),
    )
}

/// `[code object, text]`.
fn text<R: Read, T: FromStr>(
    reader: &mut JsonReader<R>,
    table: &mut BTreeMap<u64, T>,
    faults: &mut Faults,
    what: &str,
) -> Result<(), JsonError> {
    let offset = reader.offset();
    if reader.kind()? != JsonKind::Array {
        faults.at(offset, &format!("a row of {what} that is no list"));
        return reader.skip();
    }
    let (mut object, mut text) = (None, None);
    reader.array(|reader, column| {
        match (column, reader.kind()?) {
            (0, JsonKind::Number) => object = reader.unsigned()?,
            (1, JsonKind::String) => text = Some(reader.string()?),
            _ => reader.skip()?,
        }
        Ok(())
    })?;
    let value = text.and_then(|text| String::from_utf8(text).ok()?.parse().ok());
    match (object, value) {
        (Some(object), Some(value)) => {
            table.insert(object, value);
        }
        _ => faults.at(offset, &format!("a row without a code object and {what}")),
    }
    Ok(())
}

fn kernel<R: Read>(reader: &mut JsonReader<R>, kernels: &mut Vec<(u64, Name)>) -> Result<(), JsonError> {
    if reader.kind()? != JsonKind::Object {
        return reader.skip();
    }
    let (mut object, mut name) = (None, None);
    reader.object(|reader, key| {
        match (key, reader.kind()?) {
            (b"codeobj", JsonKind::Number) => object = reader.unsigned()?,
            (b"name", JsonKind::String) => name = Some(reader.string()?),
            _ => reader.skip()?,
        }
        Ok(())
    })?;
    kernels.extend(object.zip(name.map(Name::from)));
    Ok(())
}

/// True if a marker is none of those that never have payload: scopes, and points that the pass adds by itself.
fn may_have_payload(entry: &Entry) -> bool {
    entry.kind() == EntryKind::Point
        && !SystemPoint::ALL.iter().any(|point| point.name().as_bytes() == entry.name())
}

impl Tables {
    fn objects(self) -> BTreeMap<u64, NumberedObject> {
        let mut objects: BTreeMap<u64, NumberedObject> = BTreeMap::new();
        let mut object = |id: u64, change: &mut dyn FnMut(&mut NumberedObject)| {
            change(objects.entry(id).or_insert_with(|| NumberedObject { id, ..NumberedObject::default() }));
        };
        for (id, entry, address) in self.entries {
            let count = entry.id().and_then(|marker| self.payloads.get(&(id, marker)));
            let entry = entry.with_payload(count.copied().unwrap_or_default());
            // Headers with a clock never have payload.
            let is_said = self.has_payloads || self.layouts.contains_key(&id);
            let is_unknown = !is_said && may_have_payload(&entry);
            object(id, &mut |object| {
                object.lacks_payloads |= is_unknown;
                object.funcmap.push(entry.clone());
                object.addresses.push(address);
            });
        }
        for (&(id, marker), &count) in &self.payloads {
            object(id, &mut |object| object.funcmap.set_payload_without_row(marker, count));
        }
        for (id, encoding) in self.layouts {
            object(id, &mut |object| object.funcmap.set_marker_encoding(encoding));
        }
        for ((id, marker), bytes) in self.widths {
            object(id, &mut |object| {
                object.access_bytes.insert(marker, bytes);
            });
        }
        for (id, target) in self.targets {
            object(id, &mut |object| object.target = Some(target.clone()));
        }
        for (id, ids) in self.numeric {
            object(id, &mut |object| object.numeric = Some(ids.clone()));
        }
        objects
    }
}
