//! A funcmap as JSON.

use std::collections::BTreeMap;

use serde::Serialize;
use sqtt_decoder::codeobj::CodeObjectFuncmap;
use sqtt_format::{Entry, EntryKind, Funcmap, MarkerEncoding};

use crate::names::NameStyle;

/// JSON of one code object by `sqtt funcmap --json`.
///
/// Addresses are numbers. `null` stands where there is nothing: no `W:` row, no target known, the id
/// of a kernel, the address of what is no function or was inlined, no source location, no record of the
/// configuration. Names and locations that are not UTF-8 have U+FFFD in the place of what is not. Entries are in the
/// order of their rows.
///
/// `entries` has the rows of all maps where the section holds several, and `maps` each with its own: ids are those of
/// one map. `maps` is left out where there is one.
#[derive(Debug, Serialize)]
pub struct FuncmapJson {
    code_object: String,
    target: Option<String>,
    wave_size: Option<u32>,
    marker_encoding: EncodingJson,
    entries: Vec<EntryJson>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    maps: Vec<MapJson>,
    config: Option<ConfigJson>,
    warnings: Vec<String>,
}

/// One of several maps.
#[derive(Debug, Serialize)]
struct MapJson {
    kernels: Vec<String>,
    wave_size: Option<u32>,
    marker_encoding: EncodingJson,
    entries: Vec<EntryJson>,
}

#[derive(Debug, Serialize)]
struct EncodingJson {
    shader_clock_bits: u32,
    shader_clock_shift: u32,
}

/// Configuration of the markers.
#[derive(Debug, Serialize)]
struct ConfigJson {
    plugin: String,
    llvm: String,
    /// Equal configurations, equal hashes: 16 hexadecimal digits.
    hash: String,
    /// By the names of the environment variables.
    settings: BTreeMap<String, String>,
}

#[derive(Debug, Serialize)]
struct EntryJson {
    kind: &'static str,
    id: Option<u32>,
    name: String,
    source_loc: Option<String>,
    extra_payload_count: u32,
    vaddr: Option<u64>,
}

impl EncodingJson {
    fn new(encoding: MarkerEncoding) -> Self {
        let MarkerEncoding { shader_clock_bits, shader_clock_shift } = encoding;
        Self { shader_clock_bits, shader_clock_shift }
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

impl FuncmapJson {
    /// One code object's map. Without one, `entries` is empty and `warnings` says why.
    #[must_use]
    pub fn new(named: &CodeObjectFuncmap, names: NameStyle) -> Self {
        let map = named.map.as_ref();
        let encoding = map.map(Funcmap::marker_encoding).unwrap_or_default();
        let entry = |(entry, vaddr): (&Entry, Option<u64>)| EntryJson {
            kind: entry.kind().name(),
            id: entry.id(),
            name: text(&names.bytes_of(entry)),
            source_loc: entry.source_loc().map(text),
            extra_payload_count: entry.extra_payload_count(),
            vaddr,
        };
        let several = named.each_map().filter(|_| !named.maps.is_empty());
        let maps = several.map(|(map, entries)| MapJson {
            kernels: entries
                .iter()
                .filter(|(entry, _)| entry.kind() == EntryKind::Kernel)
                .map(|(entry, _)| text(&names.bytes_of(entry)))
                .collect(),
            wave_size: map.wave_size(),
            marker_encoding: EncodingJson::new(map.marker_encoding()),
            entries: entries.into_iter().map(entry).collect(),
        });
        Self {
            code_object: named.code_object.clone(),
            target: named.target.clone(),
            wave_size: map.and_then(Funcmap::wave_size),
            marker_encoding: EncodingJson::new(encoding),
            entries: named.entries().map(entry).collect(),
            maps: maps.collect(),
            config: named.config.as_ref().map(|record| ConfigJson {
                plugin: record.plugin().to_owned(),
                llvm: record.llvm().to_owned(),
                hash: record.hash(),
                settings: record.settings().clone(),
            }),
            warnings: named.warnings.iter().map(ToString::to_string).collect(),
        }
    }
}
