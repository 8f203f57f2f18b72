//! The late phase, after the optimizer (at -O0, where nothing ran before, the only one).
//!
//! 1. Sentinels that are left become trace calls; a name that cannot be known becomes its place, with a warning.
//! 2. Functions: those that turned out too small lose their markers; those that are still there, large enough and not
//!    marked yet get them.
//!    Here a module ends that the plugin at the link numbers ([`crate::units`]): the link goes on with it.
//! 3. Barriers and memory operations get their points, or memory operations the headers of their addresses, if they
//!    are asked for.
//! 4. Every marker that still exists gets its number (see [`crate::finish::ids`]); the symbols become words.
//! 5. Every trace call, the users' too, takes its final form behind filter and boundary (see [`crate::emit`]).
//! 6. The funcmap and the record of the configuration are written.
//!
//! A second run finds neither sentinels nor trace calls, functions that are decided about and a map that lists the
//! kernels: it changes nothing.

use crate::finish::ids::{Numbers, number, reserved_ids, resolve_symbols};
use crate::finish::layout;
use crate::finish::place::place_markers;
use crate::finish::record;
use crate::finish::{effects, funcmap};
use crate::known;
use crate::ledger::MarkerLedger;
use crate::llvm::SourcePlace;
use crate::mark::announce::mark_addresses;
use crate::mark::fuse::fuse;
use crate::mark::instrument::{choose_copies, choose_late, mark, note_decided, prune};
use crate::mark::lower::{Unseen, lower_sentinels};
use crate::mark::numbers::{lower_numbers, warn_of_zero};
use crate::mark::points;
use crate::mark::wrappers::reveal_names;
use crate::notes;
use crate::run::{PassError, Run};
use crate::sites::{NumericWords, Sentinels, TraceIntrinsics};
use crate::units::{self, Numbering, Unit};

/// Runs the phase.
pub(crate) fn run(run: Run) -> Result<(), PassError> {
    let sentinels = Sentinels::find(run.module);
    let early = MarkerLedger::load(run.module);
    let named = early.as_ref().is_some_and(|ledger| !ledger.is_empty()) || !sentinels.is_empty();
    let known = known::check(run)?;
    let warn = |warning: &(SourcePlace, String)| run.warn_at(&warning.0, &warning.1);
    if !known.any && !named {
        known.warning.iter().for_each(warn);
        return Ok(());
    }
    sentinels.not_ours.iter().for_each(warn);
    // Sizes are those of the code as it came.
    let mut chosen = match run.config.functions {
        Some(threshold) => choose_late(run, threshold, &sentinels, early.as_ref()),
        None => Vec::new(),
    };
    let after_early = early.is_some();
    let mut ledger = early.unwrap_or_default();

    if !run.module.erase_named_metadata(notes::STARTED) {
        warn_of_zero(run);
        fuse(run, &sentinels);
    }
    let revealed = reveal_names(run, &sentinels, true);
    choose_copies(&mut chosen, &revealed.copies);
    lower_sentinels(run, &sentinels, revealed.sites, &mut ledger, Unseen::Name)?;
    known.warning.iter().for_each(warn);
    let numbering = units::numbering(run)?;
    if let Numbering::Link(unit) = numbering {
        units::leave(run, &ledger, unit);
        return Ok(());
    }
    let measured = mark(run, &chosen, &mut ledger, after_early);
    prune(run, &ledger, &sentinels, &measured);
    if run.config.functions.is_some() {
        note_decided(run);
    }

    lower_numbers(run);
    points::instrument(run, &mut ledger);
    let addresses = mark_addresses(run, &mut ledger);

    let existing = funcmap::existing(run.module);
    let calls = TraceIntrinsics::find().calls(run.module);
    let layout = layout::layout(run, &calls, &existing)?;
    let numeric = NumericWords::of(run.module, &calls);
    let reserved = reserved_ids(&numeric, &existing, layout);
    let Numbers { ids, of_unit } = number(run, &ledger, &reserved, layout, numbering)?;
    layout::check_payloads(run, &ledger, &ids, &existing)?;
    resolve_symbols(run, &ledger, &ids);
    let numeric = numeric.ids(run.module, existing.entries().is_empty());
    effects::narrow(run, &calls);
    place_markers(run, &calls, &addresses, layout)?;

    let unit = Unit::of(run.module, run.config.unit_salt);
    let suffix = unit.suffix(of_unit);
    let mapped = funcmap::write(run.module, &ledger, &ids, &existing, layout, &suffix)?;
    if mapped || !calls.is_empty() {
        record::write(run, &ledger, &ids, numeric, &suffix);
    }
    run.module.erase_named_metadata(notes::MARKERS);
    run.module.erase_named_metadata(notes::UNIT_SETTINGS);
    if run.config.verbose {
        let left_out: Vec<String> = reserved.iter().map(u32::to_string).collect();
        eprintln!(
            "sqtt: late: {}: {} trace calls, {} markers with an id, ids left to numeric markers: {}; {}",
            run.module.name(),
            calls.len(),
            ids.len(),
            if left_out.is_empty() { "none".to_owned() } else { left_out.join(" ") },
            run.config.describe()
        );
    }
    Ok(())
}
