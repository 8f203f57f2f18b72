//! The early phase, before the inliner: named markers become trace calls that travel with the code.
//!
//! 1. `exit` directly followed by `enter` becomes one marker.
//! 2. Names are made visible (wrappers that hide one are inlined).
//! 3. Every sentinel whose name is visible becomes `llvm.amdgcn.s.ttracedata` of a symbol (see [`crate::ledger`]).
//! 4. Every trace call in the module, the users' too, becomes convergent and nomerge.
//! 5. The ledger goes into `!sqtt.markers.early`.
//!
//! What is not visible yet is left for the late phase, which sees what the optimizer made of it.

use crate::boundary::{PassError, Run};
use crate::ledger::Ledger;
use crate::llvm::write::Writer;
use crate::lower::{Unseen, fuse, lower_sentinels};
use crate::sites::{Sentinels, TraceIntrinsics};
use crate::wrappers::reveal_names;

/// Runs the phase. Returns whether the module changed.
pub(crate) fn run(run: Run) -> Result<bool, PassError> {
    let sentinels = Sentinels::find(run.module);
    let mut ledger = Ledger::load(run.module);
    let mut changed = fuse(run, &sentinels);
    changed |= reveal_names(run, &sentinels);
    let lowered = lower_sentinels(run, &sentinels, &mut ledger, Unseen::Leave)?;
    if lowered {
        ledger.store(run.module);
    }
    changed |= lowered;
    changed |= protect(run);
    if run.config.verbose {
        eprintln!(
            "sqtt: early: {}: {} markers; {}",
            run.module.name(),
            ledger.entries().count(),
            run.config.describe()
        );
    }
    Ok(changed)
}

/// Makes the trace calls that users wrote what ours are. Returns whether one was not.
fn protect(run: Run) -> bool {
    let writer = Writer::new(run.module);
    let mut changed = false;
    for traced in TraceIntrinsics::find().calls(run.module) {
        if !traced.call.has_call_attribute("nomerge") || !traced.call.has_call_attribute("convergent") {
            writer.mark(traced.call, None);
            changed = true;
        }
    }
    changed
}
