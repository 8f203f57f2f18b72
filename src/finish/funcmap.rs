//! Ledger → `.sqtt_funcmap`.

use crate::ledger::{EntryId, MarkerKind, MarkerLedger};
use crate::llvm::write::Writer;
use crate::llvm::{MetadataValue, Module};
use crate::run::PassError;
use sqtt_format::{Entry, EntryKind, Funcmap, MarkerEncoding, WaveSize};
use std::collections::{BTreeMap, BTreeSet};

/// The ELF section that decoders look for.
const SECTION: &str = ".sqtt_funcmap";
/// The start of a map's symbol, which ends in the unit's own suffix.
const SYMBOL: &str = ".sqtt_func_id_map";

/// The maps that the module has already: of a first run, or of modules that were linked into this one.
pub(crate) fn existing(module: Module) -> Funcmap {
    let mut all = Funcmap::new();
    for global in module.globals() {
        if global.section().as_deref() == Some(SECTION) {
            let map = Funcmap::parse(&global.initializer_bytes().unwrap_or_default()).map;
            for entry in map.entries() {
                all.push(entry.clone());
            }
            if map.marker_encoding().has_shader_clock() {
                all.set_marker_encoding(map.marker_encoding());
            }
        }
    }
    all
}

/// Writes the rows that no existing map has. Returns whether there were any.
///
/// A module with a kernel always has a map: it is how a decoder finds the code object of a dispatch.
pub(crate) fn write(
    module: Module,
    ledger: &MarkerLedger,
    ids: &BTreeMap<EntryId, u32>,
    existing: &Funcmap,
    layout: MarkerEncoding,
    suffix: &str,
) -> Result<bool, PassError> {
    let known: BTreeSet<&[u8]> = existing
        .entries()
        .iter()
        .filter(|entry| entry.kind() == EntryKind::Kernel)
        .map(Entry::name)
        .collect();
    let mut map = Funcmap::new();
    map.set_marker_encoding(layout);
    for function in module.definitions() {
        let name = function.symbol();
        if function.is_kernel() && !known.contains(&name[..]) {
            let location = function.subprogram().and_then(MetadataValue::subprogram_location);
            map.push(Entry::kernel(name).at(location.unwrap_or_default()));
        }
    }
    let mut wave = existing.wave_size().and_then(WaveSize::from_lanes);
    let mut traces_addresses = false;
    for (entry, marker) in ledger.entries() {
        let Some(id) = ids.get(&entry) else { continue };
        if let Some(address) = marker.address {
            // A module with waves of both sizes has the larger; each operation's own count says which it was.
            wave = wave.max(Some(address.wave));
            traces_addresses = true;
        }
        let name = marker.name.clone();
        let row = match marker.kind {
            MarkerKind::Function => Entry::function(*id, name),
            MarkerKind::User => Entry::user(*id, name),
            _ => Entry::point(*id, name).with_payload(marker.payload_count()),
        };
        map.push(row.at(marker.location.clone().unwrap_or_default()));
    }
    if let Some(wave) = wave.filter(|_| traces_addresses) {
        map.set_wave_size(wave);
    }
    if map.is_empty() {
        return Ok(false);
    }
    let bytes = map.to_bytes().map_err(|error| PassError::Module(format!("funcmap: {error}")))?;
    Writer::new(module).section_bytes(&format!("{SYMBOL}.{suffix}"), SECTION, &bytes);
    Ok(true)
}
