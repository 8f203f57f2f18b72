//! The phase before the first pass of an optimizing pipeline.
//!
//! The early phase comes after LLVM's first clean-up, which already joins equal calls and moves code away from between
//! two markers. So what depends on the source as it was written is done here:
//!
//! 1. Calls of sentinels and of the trace intrinsics, and the header's numeric markers, become convergent and nomerge.
//! 2. `exit` directly followed by `enter` becomes one marker, as it does at -O0, where the late phase sees this code.

use crate::mark::fuse::fuse;
use crate::mark::numbers::warn_of_zero;
use crate::notes;
use crate::run::Run;
use crate::sites::{Sentinels, TraceIntrinsics, number_asms};

/// Runs the phase.
pub(crate) fn run(run: Run) {
    let sentinels = Sentinels::find(run.module);
    protect(run, &sentinels);
    if (run.module.is_changed() || !sentinels.is_empty()) && !has_run(run) {
        warn_of_zero(run);
        fuse(run, &sentinels);
        run.module.set_named_metadata(notes::STARTED, &[]);
    }
}

/// True if pairs were looked for before the optimizer came.
pub(crate) fn has_run(run: Run) -> bool {
    run.module.named_metadata(notes::STARTED).is_some()
}

/// Makes calls of markers, the users' own too, what ours are: never merged with their like, never duplicated into the
/// arms of a branch.
pub(crate) fn protect(run: Run, sentinels: &Sentinels) {
    let traced = TraceIntrinsics::find().calls(run.module).into_iter().map(|traced| traced.call);
    let named = sentinels.calls(run.module);
    let numbers = number_asms(run.module).into_iter().map(|number| number.call);
    for call in traced.chain(named).chain(numbers) {
        if !call.has_call_attribute("nomerge") || !call.has_call_attribute("convergent") {
            call.mark();
        }
    }
}
