//! Numbers for the markers that are still there, and words in place of their symbols.

use crate::ledger::{EntryId, MarkerAction, MarkerLedger, Stage, is_symbol, symbol};
use crate::llvm::write::Writer;
use crate::llvm::{Module, Value};
use crate::run::{PassError, Run};
use crate::sites::{LiveFunctions, NumericWords};
use crate::units::Numbering;
use sqtt_format::{Marker, MarkerEncoding, UnitIds};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// Ids that constants of the users' own markers use, and those of maps that are there already.
pub(crate) fn reserved_ids(
    numeric: &NumericWords,
    existing: &sqtt_format::Funcmap,
    layout: MarkerEncoding,
) -> BTreeSet<u32> {
    let mut reserved: BTreeSet<u32> = existing.entries().iter().filter_map(sqtt_format::Entry::id).collect();
    for (word, _) in &numeric.constants {
        // With a clock a reader takes the high bits for it, if what is left is the id of something.
        reserved.insert(layout.decode(*word).id);
        reserved.insert(Marker::from_word(*word).id);
    }
    reserved.remove(&0);
    reserved
}

/// The numbers of a module's markers.
#[derive(Default)]
pub(crate) struct Numbers {
    pub(crate) ids: BTreeMap<EntryId, u32>,
    /// The ids that are the unit's own, where it has a prefix and markers.
    pub(crate) of_unit: Option<UnitIds>,
}

/// Gives numbers to the markers that are still somewhere, stage by stage, most often emitted first (ties by
/// ledger order): small numbers fit the immediate form. The pass's own points keep an order of their own.
pub(crate) fn number(
    run: Run,
    ledger: &MarkerLedger,
    reserved: &BTreeSet<u32>,
    layout: MarkerEncoding,
    numbering: Numbering,
) -> Result<Numbers, PassError> {
    if ledger.is_empty() {
        return Ok(Numbers::default());
    }
    let live = LiveFunctions::of(run.module);
    let mut used: Vec<(Stage, Reverse<usize>, EntryId)> = ledger
        .entries()
        .map(|(entry, marker)| {
            let uses = MarkerAction::ALL
                .iter()
                .filter(|action| **action != MarkerAction::Exit)
                .filter_map(|action| run.module.global(&symbol(entry, *action)))
                .map(|global| live_uses(global, &live, 0))
                .sum();
            (entry, marker.stage(), uses)
        })
        .filter(|(_, _, uses)| *uses > 0)
        .map(|(entry, stage, uses)| match stage {
            Stage::Early | Stage::Late => (stage, Reverse(uses), entry),
            Stage::Barriers | Stage::Memory => (stage, Reverse(0), entry),
        })
        .collect();
    used.sort();
    let count = used.len();
    let is_free = |id: &u32| !reserved.contains(id);
    let of_unit = match numbering {
        Numbering::Unit(unit) if count > 0 => {
            let mut rooms = (count..).map(|room| unit.ids(room));
            rooms.find(|room| room.ids().filter(is_free).count() >= count)
        }
        _ => None,
    };
    let mut free = of_unit.map_or(1..=layout.max_id(), UnitIds::ids).filter(is_free);
    let overflow = || {
        PassError::Module(format!(
            "{count} markers, and ids up to {} for them{}",
            layout.max_id(),
            match layout.shader_clock_bits {
                0 => String::new(),
                bits => format!(": SQTT_SHADER_CLOCK_BITS={bits} leaves {} bits; ask for fewer", 30 - bits),
            }
        ))
    };
    let numbered = used.into_iter().map(|(_, _, entry)| Ok((entry, free.next().ok_or_else(overflow)?)));
    Ok(Numbers { ids: numbered.collect::<Result<_, PassError>>()?, of_unit })
}

/// Number of instructions of live functions that use a symbol, through any constants.
fn live_uses(value: Value, live: &LiveFunctions, depth: usize) -> usize {
    const DEPTH: usize = 16;
    value
        .users()
        .into_iter()
        .map(|user| match user.as_inst() {
            Some(inst) => usize::from(live.contains(inst.function())),
            None if depth > DEPTH => 1,
            None => live_uses(user, live, depth + 1),
        })
        .sum()
}

/// Puts the words where the symbols are.
pub(crate) fn resolve_symbols(run: Run, ledger: &MarkerLedger, ids: &BTreeMap<EntryId, u32>) {
    let writer = Writer::new(run.module);
    for (entry, _) in ledger.entries() {
        for action in MarkerAction::ALL {
            let Some(global) = run.module.global(&symbol(entry, action)) else { continue };
            // A symbol without an id is used by code that goes away: the reserved no-op.
            let word = ids.get(&entry).and_then(|id| word(*id, action)).unwrap_or(0);
            writer.resolve_symbol(global, word);
        }
    }
}

/// Puts the reserved no-op where words were to come: the compile has failed, and nothing will be numbered.
pub(crate) fn give_up_symbols(module: Module) {
    let writer = Writer::new(module);
    for global in module.globals() {
        if is_symbol(&global.name()) {
            writer.resolve_symbol(global, 0);
        }
    }
}

fn word(id: u32, action: MarkerAction) -> Option<u32> {
    match action {
        MarkerAction::Enter => Marker::enter(id),
        MarkerAction::ExitEnter => Marker::exit_enter(id),
        MarkerAction::Point => Marker::point(id),
        MarkerAction::Exit => Marker::EXIT,
    }
    .to_word()
}
