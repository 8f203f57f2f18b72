//! A funcmap as JSON.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{FuncmapOptions, demangle};
use crate::codeobj::CodeObjectFuncmap;

/// What `sqtt funcmap --json` prints of one code object.
///
/// Addresses are numbers. `null` stands where there is nothing: no `W:` row, no target known, the id
/// of a kernel, the address of what is no function or was inlined, no source location, no record of the
/// configuration. Names and
/// locations that are not UTF-8 have U+FFFD in the place of what is not. Entries are in the order of
/// their rows.
#[derive(Debug, Serialize)]
pub struct FuncmapJson {
    code_object: String,
    target: Option<String>,
    wave_size: Option<u32>,
    marker_encoding: EncodingJson,
    entries: Vec<EntryJson>,
    config: Option<ConfigJson>,
    warnings: Vec<String>,
}

#[derive(Debug, Serialize)]
struct EncodingJson {
    shader_clock_bits: u32,
    shader_clock_shift: u32,
}

/// What the markers were compiled with.
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

impl FuncmapJson {
    /// One code object's map. Without one, `entries` is empty and `warnings` says why.
    #[must_use]
    pub fn new(named: &CodeObjectFuncmap, options: FuncmapOptions) -> Self {
        let map = named.map.as_ref();
        let encoding = map.map(sqtt_format::Funcmap::marker_encoding).unwrap_or_default();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let entries = named.entries().map(|(entry, vaddr)| EntryJson {
            kind: entry.kind().name(),
            id: entry.id(),
            name: text(&demangle::name(entry, options)),
            source_loc: entry.source_loc().map(text),
            extra_payload_count: entry.extra_payload_count(),
            vaddr,
        });
        Self {
            code_object: named.code_object.clone(),
            target: named.target.clone(),
            wave_size: map.and_then(sqtt_format::Funcmap::wave_size),
            marker_encoding: EncodingJson {
                shader_clock_bits: encoding.shader_clock_bits,
                shader_clock_shift: encoding.shader_clock_shift,
            },
            entries: entries.collect(),
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
