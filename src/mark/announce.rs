//! Memory operations whose addresses are recorded: each gets an entry of its own in the ledger, and a trace call before
//! it that announces it until [`crate::finish::place`] writes the records.

use crate::calls::tag;
use crate::ledger::{Address, MarkerAction, MarkerLedger, symbol};
use crate::llvm::write::Writer;
use crate::llvm::{Function, Inst, Location};
use crate::notes;
use crate::run::Run;
use crate::sites::{AddressSite, address_sites};
use std::collections::HashMap;

/// Announces every operation that was asked for. Returns the operations by the trace calls that announce them.
pub(crate) fn mark_addresses(run: Run, ledger: &mut MarkerLedger) -> HashMap<Inst, AddressSite> {
    if !run.config.addresses.any() {
        return HashMap::new();
    }
    let decided = |function: Function| function.string_attribute(notes::ADDRESSES_DECIDED).is_some();
    let sites = address_sites(run.module, run.config.addresses, run.analyses, decided);
    for function in run.module.definitions().into_iter().filter(|function| !decided(*function)) {
        function.set_string_attribute(notes::ADDRESSES_DECIDED, "");
    }
    let writer = Writer::new(run.module);
    let announce = |site: AddressSite| {
        let address = Address { kind: site.kind, wave: site.wave, bytes: site.bytes };
        let entry = ledger.add_address(address, site.operation.location().and_then(Location::chain));
        writer.before(site.operation);
        let word = writer.symbol_word(&symbol(entry, MarkerAction::Point));
        (writer.trace_call(word, tag::ADDRESSES), site)
    };
    sites.into_iter().map(announce).collect()
}
