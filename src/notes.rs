//! The notes that the pass leaves in a module for its later phases, and for a second run.

/// Named metadata: an error was reported, which a later phase does not do again.
pub(crate) const FAILED: &str = "sqtt.failed";
/// Named metadata: pairs were looked for before the optimizer came.
pub(crate) const STARTED: &str = "sqtt.started";
/// Named metadata: what the markers of the early phase are.
pub(crate) const MARKERS: &str = "sqtt.markers.early";
/// Named metadata of a test: a phase is to panic.
pub(crate) const TEST_PANIC: &str = "sqtt.test.panic";

/// String attribute of a trace call, with a tag of [`crate::calls::tag`].
pub(crate) const TAG: &str = "sqtt.marker";
/// On the call of a sentinel that enters a scope, where an exit stood directly before it.
pub(crate) const FUSED: &str = "sqtt.fused";
/// The function metadata with the ledger entry.
pub(crate) const FUNCTION_ID: &str = "sqtt.func.id";
/// The function attribute of those about which the late phase has decided: a second run does not ask again.
pub(crate) const FUNCTIONS_DECIDED: &str = "sqtt-functions-decided";
/// The function attribute of those whose points are in place: a second run does not ask again.
pub(crate) const POINTS_DECIDED: &str = "sqtt-points-decided";
/// The function attribute of those whose operations were looked at: a second run does not record them again.
pub(crate) const ADDRESSES_DECIDED: &str = "sqtt-addresses-decided";
