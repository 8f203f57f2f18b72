//! Memory operations whose addresses are recorded: each gets an entry of its own in the ledger, and a trace call before
//! it that announces it until [`crate::finish::place`] writes the records.

use crate::calls::{TRACE, tag};
use crate::ledger::{Action, Address, Ledger, symbol};
use crate::llvm::write::Writer;
use crate::llvm::{Function, Inst, Location};
use crate::notes;
use crate::run::Run;
use crate::sites::{AddressSite, address_sites};
use std::collections::HashMap;

/// What was announced.
#[derive(Default)]
pub(crate) struct Announced {
    /// By the trace call that announces it.
    pub(crate) sites: HashMap<Inst, AddressSite>,
    /// Whether the module changed.
    pub(crate) changed: bool,
}

/// Announces every operation that was asked for.
pub(crate) fn mark_addresses(run: Run, ledger: &mut Ledger) -> Announced {
    if !run.config.addresses.any() {
        return Announced::default();
    }
    let decided = |function: Function| function.string_attribute(notes::ADDRESSES_DECIDED).is_some();
    let sites = address_sites(run.module, run.config.addresses, run.analyses, decided);
    let mut announced = Announced::default();
    for function in run.module.definitions().into_iter().filter(|function| !decided(*function)) {
        function.set_string_attribute(notes::ADDRESSES_DECIDED, "");
        announced.changed = true;
    }
    let writer = Writer::new(run.module);
    for site in sites {
        let address = Address { kind: site.kind, wave: site.wave, bytes: site.bytes };
        let entry = ledger.add_address(address, site.operation.location().and_then(Location::chain));
        writer.before(site.operation);
        let word = writer.symbol_word(&symbol(entry, Action::Point));
        announced.sites.insert(writer.marker_intrinsic(TRACE, &[word], tag::ADDRESSES), site);
    }
    announced
}
