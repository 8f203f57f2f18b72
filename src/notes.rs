//! The notes that the pass leaves in a module for its later phases, and for a second run.

/// Named metadata: an error was reported, which a later phase does not do again.
pub(crate) const FAILED: &str = "sqtt.failed";
/// Named metadata: pairs were looked for before the optimizer came.
pub(crate) const STARTED: &str = "sqtt.started";
/// Named metadata: the ledger of the early phase.
pub(crate) const MARKERS: &str = "sqtt.markers.early";
/// Named metadata: the ledgers of units that the link numbers.
pub(crate) const UNITS: &str = "sqtt.units";
/// Named metadata: the settings that these units were compiled with.
pub(crate) const UNIT_SETTINGS: &str = "sqtt.units.settings";
/// Named metadata of a test: a phase is to panic.
pub(crate) const TEST_PANIC: &str = "sqtt.test.panic";

/// String attribute of a trace call, with a tag of [`crate::calls::tag`].
pub(crate) const TAG: &str = "sqtt.marker";
/// String attribute of a call of a sentinel that enters a scope, where an exit stood directly before it.
pub(crate) const FUSED: &str = "sqtt.fused";
/// Function metadata: its entry in the ledger.
pub(crate) const FUNCTION_ID: &str = "sqtt.func.id";
/// Function attribute, in place of [`FUNCTION_ID`] between compile and link: unit and entry.
pub(crate) const UNIT_FUNCTION: &str = "sqtt-unit-function";
/// Function attribute: the late phase has decided about its markers, and a second run does not ask again.
pub(crate) const FUNCTIONS_DECIDED: &str = "sqtt-functions-decided";
/// Function attribute: its points are in place, and a second run does not ask again.
pub(crate) const POINTS_DECIDED: &str = "sqtt-points-decided";
/// Function attribute: its operations were looked at, and a second run does not record them again.
pub(crate) const ADDRESSES_DECIDED: &str = "sqtt-addresses-decided";
