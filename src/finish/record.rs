//! The record of what the object was compiled with: `.sqtt_config`.
//!
//! With it a decoder can tell "filtered" from "never ran", and a numeric marker from a word of other code. The section
//! is no note: notes become a segment that loaders read.

use crate::ledger::{EntryId, MarkerLedger};
use crate::llvm::write::Writer;
use crate::run::Run;
use sqtt_format::{ConfigRecord, NumericIds};
use std::collections::BTreeMap;

const SECTION: &str = ".sqtt_config";
const SYMBOL: &str = ".sqtt_config_record";

/// Writes the record unless the module has the same one already.
pub(crate) fn write(
    run: Run,
    ledger: &MarkerLedger,
    ids: &BTreeMap<EntryId, u32>,
    numeric: NumericIds,
    suffix: &str,
) {
    let mut record = ConfigRecord::new(env!("CARGO_PKG_VERSION"), env!("MARKERS_LLVM_VERSION"));
    for (name, value) in run.config.effective() {
        record.set(name, &value);
    }
    for (entry, marker) in ledger.entries() {
        if let (Some(id), Some(bytes)) = (ids.get(&entry), marker.address.and_then(|address| address.bytes)) {
            record.set_access_bytes(*id, bytes);
        }
    }
    record.set_numeric(numeric);
    let bytes = record.to_bytes();
    let there = run.module.globals().into_iter().any(|global| {
        global.section().as_deref() == Some(SECTION) && global.initializer_bytes().as_ref() == Some(&bytes)
    });
    if !there {
        Writer::new(run.module).section_bytes(&format!("{SYMBOL}.{suffix}"), SECTION, &bytes);
    }
}
