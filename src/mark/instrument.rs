//! Function markers: put in by the early phase (at -O0 by the late one), pruned by the late phase.
//!
//! LLVM inlines what is small, and markers would make it larger. So the early phase marks only functions that are
//! large enough by themselves, before anything is inlined: their markers go wherever inlining and cloning carry them.
//! The late phase measures what the optimizer left. It takes the markers of functions that became small out again,
//! everywhere: their symbols say whose they are. And it marks what became large.

use crate::config::Threshold;
use crate::ledger::{EntryId, MarkerAction, MarkerKind, MarkerLedger, symbol};
use crate::llvm::write::Writer;
use crate::llvm::{Function, Inst, MetadataValue, Value};
use crate::notes;
use crate::run::Run;
use crate::sites::{FunctionSite, LiveFunctions, Sentinels, function_sites};
use crate::target::Target;
use std::collections::{HashMap, HashSet};

/// A function that will be marked when its turn comes, with the name and the size it had before the plugin changed
/// anything.
#[derive(Clone)]
pub(crate) struct Chosen {
    function: Function,
    name: Vec<u8>,
    size: u32,
}

/// Chooses the functions whose size exceeds the threshold. Changes nothing.
pub(crate) fn choose(run: Run, threshold: Threshold, sentinels: &Sentinels) -> Vec<Chosen> {
    function_sites(run.module)
        .into_iter()
        .map(|site| site.function)
        .filter(|function| Target::of(*function).is_some() && undecided(*function))
        .map(|function| Chosen {
            function,
            name: function.symbol(),
            size: threshold.measure(function, sentinels),
        })
        .filter(|chosen| threshold.admits(chosen.size))
        .collect()
}

/// Chooses in the late phase: of the functions that stay, those that the early phase left alone. It alone could tell by
/// their callers whose functions without a name are.
pub(crate) fn choose_late(
    run: Run,
    threshold: Threshold,
    sentinels: &Sentinels,
    ledger: Option<&MarkerLedger>,
) -> Vec<Chosen> {
    let live = LiveFunctions::of(run.module);
    let marked = |function: Function| {
        let name = function.symbol();
        ledger.is_some_and(|ledger| name.is_empty() || ledger.has_function(&name))
            || function.number(notes::FUNCTION_ID).is_some()
    };
    let mut chosen = choose(run, threshold, sentinels);
    chosen.retain(|chosen| live.contains(chosen.function) && !marked(chosen.function));
    chosen
}

/// Adds the copies that were made since of functions that are chosen, by the functions' names.
pub(crate) fn choose_copies(chosen: &mut Vec<Chosen>, copies: &[(Function, Function)]) {
    for (copy, original) in copies {
        if let Some(original) = chosen.iter().find(|chosen| chosen.function == *original).cloned() {
            chosen.push(Chosen { function: *copy, ..original });
        }
    }
}

/// Marks the chosen functions that are still there: names may have been revealed since. `early` says that they are
/// numbered with what the early phase makes. Returns their entries.
pub(crate) fn mark(run: Run, chosen: &[Chosen], ledger: &mut MarkerLedger, early: bool) -> HashSet<EntryId> {
    if chosen.is_empty() {
        return HashSet::new();
    }
    let chosen: HashMap<Function, &Chosen> = chosen.iter().map(|chosen| (chosen.function, chosen)).collect();
    let writer = Writer::new(run.module);
    function_sites(run.module)
        .iter()
        .filter_map(|site| Some((site, *chosen.get(&site.function)?)))
        .map(|(site, chosen)| {
            let location = site.function.subprogram().and_then(MetadataValue::subprogram_location);
            let entry =
                ledger.intern_function(&chosen.name, location, chosen.size, site.function.is_local(), early);
            write_markers(&writer, site, entry);
            site.function.set_number(notes::FUNCTION_ID, u32::try_from(entry.0).unwrap_or(u32::MAX));
            entry
        })
        .collect()
}

/// Notes that every function of the module has been decided about.
pub(crate) fn note_decided(run: Run) {
    for function in run.module.definitions().into_iter().filter(|function| undecided(*function)) {
        function.set_string_attribute(notes::FUNCTIONS_DECIDED, "");
        function.clear_number(notes::FUNCTION_ID);
    }
}

fn undecided(function: Function) -> bool {
    function.string_attribute(notes::FUNCTIONS_DECIDED).is_none()
}

fn write_markers(writer: &Writer<'_>, site: &FunctionSite, entry: EntryId) {
    // At the function's own line: the first instruction may be code inlined from elsewhere, or have no line at all.
    writer.before(site.entry);
    writer.at_function_line(site.function);
    writer.marker_calls(writer.symbol_word(&symbol(entry, MarkerAction::Enter)), &[]);
    for exit in &site.exits {
        writer.before(*exit);
        writer.marker_calls(writer.symbol_word(&symbol(entry, MarkerAction::Exit)), &[]);
    }
}

/// Takes the markers of functions out that are too small, or that nothing leaves any more. Those in `measured` are
/// large enough.
pub(crate) fn prune(run: Run, ledger: &MarkerLedger, sentinels: &Sentinels, measured: &HashSet<EntryId>) {
    let threshold = run.config.functions;
    let mut bodies: HashMap<EntryId, Vec<Function>> = HashMap::new();
    if ledger.entries().any(|(_, marker)| marker.kind == MarkerKind::Function && marker.early) {
        for function in run.module.definitions() {
            if let Some(entry) =
                function.number(notes::FUNCTION_ID).and_then(|entry| usize::try_from(entry).ok())
            {
                bodies.entry(EntryId(entry)).or_default().push(function);
            }
        }
    }
    for (entry, marker) in ledger.entries().filter(|(_, marker)| marker.kind == MarkerKind::Function) {
        let enters = calls_of(run, entry, MarkerAction::Enter);
        let exits = calls_of(run, entry, MarkerAction::Exit);
        let size = || {
            let bodies = bodies.get(&entry).map_or(&[][..], Vec::as_slice);
            let named = bodies.iter().find(|body| body.symbol() == marker.name);
            threshold.map(|threshold| match named {
                Some(body) => threshold.measure(*body, sentinels),
                // Only clones are left: the largest speaks for them. None at all: the size it had.
                None => {
                    let sizes = bodies.iter().map(|body| threshold.measure(*body, sentinels));
                    sizes.max().unwrap_or(marker.size)
                }
            })
        };
        let large = measured.contains(&entry)
            || threshold.zip(size()).is_some_and(|(threshold, size)| threshold.admits(size));
        if large && !exits.is_empty() && !enters.is_empty() {
            continue;
        }
        for call in enters.into_iter().chain(exits) {
            call.erase();
        }
    }
}

/// The trace calls of an entry's word, wherever they are.
fn calls_of(run: Run, entry: EntryId, action: MarkerAction) -> Vec<Inst> {
    let Some(global) = run.module.global(&symbol(entry, action)) else { return Vec::new() };
    global.users().into_iter().flat_map(Value::users).filter_map(Value::as_inst).collect()
}
