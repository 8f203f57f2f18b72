//! Function markers: put in by the early phase (at -O0 by the late one), pruned by the late phase.
//!
//! The early phase cannot know how large a function will be, so it marks every function that may be marked, and
//! remembers its size. The late phase measures what the optimizer left and takes the markers of small functions out
//! again, wherever inlining and cloning carried them: their symbols say whose they are.

use crate::boundary::Run;
use crate::config::Threshold;
use crate::ledger::{Action, EntryId, Kind, Ledger, symbol};
use crate::llvm::write::Writer;
use crate::llvm::{Function, Inst, Value};
use crate::lower::{TRACE, tag};
use crate::sites::{FunctionSite, LiveFunctions, Sentinels, function_sites};
use crate::target::Target;
use std::collections::{HashMap, HashSet};

/// The function metadata with the ledger entry.
const FUNCTION_ID: &str = "sqtt.func.id";

/// The function attribute of those about which the late phase has decided: a second run does not ask again.
const DECIDED: &str = "sqtt-functions-decided";

/// Marks every function that may be marked. Returns whether there was one.
pub(crate) fn mark_early(run: Run, threshold: Threshold, sentinels: &Sentinels, ledger: &mut Ledger) -> bool {
    let writer = Writer::new(run.module);
    let sites: Vec<FunctionSite> = function_sites(run.module)
        .into_iter()
        .filter(|site| has_target(site.function) && undecided(site.function))
        .collect();
    for site in &sites {
        let size = threshold.measure(site.function, sentinels);
        let entry = write_markers(&writer, site, size, ledger);
        site.function.set_number(FUNCTION_ID, u32::try_from(entry.0).unwrap_or(u32::MAX));
    }
    !sites.is_empty()
}

/// A function that will be marked when its turn comes, with the size it had before anything was changed.
pub(crate) struct Chosen {
    site: FunctionSite,
    size: u32,
}

/// Chooses functions for a compile without an early phase. Changes nothing.
pub(crate) fn choose_late(run: Run, threshold: Threshold, sentinels: &Sentinels) -> Vec<Chosen> {
    let live = LiveFunctions::of(run.module);
    function_sites(run.module)
        .into_iter()
        .filter(|site| has_target(site.function) && undecided(site.function) && live.contains(site.function))
        .map(|site| Chosen { size: threshold.measure(site.function, sentinels), site })
        .filter(|chosen| threshold.admits(chosen.size))
        .collect()
}

/// Marks the chosen functions; their entries need no measuring. Their places are looked for again: names may have
/// been revealed in between.
pub(crate) fn mark_late(run: Run, chosen: &[Chosen], ledger: &mut Ledger) -> HashSet<EntryId> {
    if chosen.is_empty() {
        return HashSet::new();
    }
    let sizes: HashMap<Function, u32> =
        chosen.iter().map(|chosen| (chosen.site.function, chosen.size)).collect();
    let writer = Writer::new(run.module);
    function_sites(run.module)
        .iter()
        .filter_map(|site| Some((site, *sizes.get(&site.function)?)))
        .map(|(site, size)| write_markers(&writer, site, size, ledger))
        .collect()
}

/// Notes that every function of the module has been decided about. Returns whether one had not been.
pub(crate) fn note_decided(run: Run) -> bool {
    let open: Vec<Function> =
        run.module.definitions().into_iter().filter(|function| undecided(*function)).collect();
    for function in &open {
        function.set_string_attribute(DECIDED, "");
        function.clear_number(FUNCTION_ID);
    }
    !open.is_empty()
}

fn undecided(function: Function) -> bool {
    function.string_attribute(DECIDED).is_none()
}

fn has_target(function: Function) -> bool {
    function.string_attribute("target-cpu").as_deref().and_then(Target::from_cpu).is_some()
}

fn write_markers(writer: &Writer<'_>, site: &FunctionSite, size: u32, ledger: &mut Ledger) -> EntryId {
    let location = site.function.subprogram().and_then(crate::llvm::MetadataValue::subprogram_location);
    let entry = ledger.intern_function(&site.function.symbol(), location, size);
    // At the function's own line: the first instruction may be code inlined from elsewhere, or have no line at all.
    writer.before(site.entry);
    writer.at_function_line(site.function);
    writer.marker_intrinsic(TRACE, &[writer.symbol_word(&symbol(entry, Action::Enter))], tag::HEADER);
    for exit in &site.exits {
        writer.before(*exit);
        writer.marker_intrinsic(TRACE, &[writer.symbol_word(&symbol(entry, Action::Exit))], tag::HEADER);
    }
    entry
}

/// Takes the markers of functions out that are too small, or that nothing leaves any more. Those in `measured` are
/// large enough. Returns whether there were any to take out.
pub(crate) fn prune(run: Run, ledger: &Ledger, sentinels: &Sentinels, measured: &HashSet<EntryId>) -> bool {
    let threshold = run.config.functions;
    let mut bodies: HashMap<EntryId, Vec<Function>> = HashMap::new();
    if ledger.entries().any(|(_, marker)| marker.kind == Kind::Function && marker.early) {
        for function in run.module.definitions() {
            if let Some(entry) = function.number(FUNCTION_ID).and_then(|entry| usize::try_from(entry).ok()) {
                bodies.entry(EntryId(entry)).or_default().push(function);
            }
        }
    }
    let mut changed = false;
    for (entry, marker) in ledger.entries().filter(|(_, marker)| marker.kind == Kind::Function) {
        let enters = calls_of(run, entry, Action::Enter);
        let exits = calls_of(run, entry, Action::Exit);
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
            changed = true;
        }
    }
    changed
}

/// The trace calls of an entry's word, wherever they are.
fn calls_of(run: Run, entry: EntryId, action: Action) -> Vec<Inst> {
    let Some(global) = run.module.global(&symbol(entry, action)) else { return Vec::new() };
    global.users().into_iter().flat_map(Value::users).filter_map(Value::as_inst).collect()
}
