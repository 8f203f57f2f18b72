//! The early phase, before the inliner: markers become trace calls that travel with the code.
//!
//! 1. `exit` directly followed by `enter` becomes one marker, unless [`crate::phases::start`] has seen to that; every
//!    trace call in the module, the users' too, becomes convergent and nomerge.
//! 2. Names are made visible (wrappers that hide one are inlined).
//! 3. Every sentinel whose name is visible becomes `llvm.amdgcn.s.ttracedata` of a symbol (see [`crate::ledger`]).
//! 4. Functions that are large enough by themselves get enter and exit, if functions are asked for.
//! 5. The ledger goes into `!sqtt.markers.early`.
//!
//! A name that is not visible yet is left for the late phase, which sees what the optimizer made of it.

use crate::ledger::MarkerLedger;
use crate::mark::fuse::fuse;
use crate::mark::instrument::{choose, choose_copies, mark};
use crate::mark::lower::{Unseen, lower_sentinels};
use crate::mark::numbers::warn_of_zero;
use crate::mark::wrappers::reveal_names;
use crate::phases::start::{self, protect};
use crate::run::{PassError, Run};
use crate::sites::Sentinels;

/// Runs the phase.
pub(crate) fn run(run: Run) -> Result<(), PassError> {
    let sentinels = Sentinels::find(run.module);
    let before = MarkerLedger::load(run.module);
    let first_run = before.is_none();
    let mut ledger = before.unwrap_or_default();
    // Sizes are those of the code as it came.
    let mut chosen = match run.config.functions {
        Some(threshold) if first_run => choose(run, threshold, &sentinels),
        _ => Vec::new(),
    };
    protect(run, &sentinels);
    if !start::has_run(run) {
        warn_of_zero(run);
        fuse(run, &sentinels);
    }
    let revealed = reveal_names(run, &sentinels, false);
    choose_copies(&mut chosen, &revealed.copies);
    lower_sentinels(run, &sentinels, revealed.sites, &mut ledger, Unseen::Leave)?;
    mark(run, &chosen, &mut ledger, true);
    // The late phase has to know that functions were looked at, even where none is large.
    if run.module.is_changed() || (first_run && run.config.functions.is_some()) {
        ledger.store(run.module);
    }
    if run.config.verbose {
        let count = ledger.entries().count();
        eprintln!("sqtt: early: {}: {count} markers; {}", run.module.name(), run.config.describe());
    }
    Ok(())
}
