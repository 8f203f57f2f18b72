//! The report of a merge.

use std::path::PathBuf;

use serde::Serialize;

/// The fate of the target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// Rows were added.
    Merged,
    /// The ledger says that they are there already: nothing was changed.
    AlreadyMerged,
    /// Rows of an earlier merge were removed, and added again.
    Replaced,
    /// The rows were only read; neither file was changed.
    ReadOnly,
}

/// Counter values that found no place, by the first step that failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[non_exhaustive]
pub struct Unmatched {
    /// No event, or one that is not there.
    pub without_event: u64,
    /// The counter's description is not there.
    pub without_counter_row: u64,
    /// Their process is not in the target.
    pub unknown_process: u64,
    /// Their event has no correlation id, so no dispatch number.
    pub without_dispatch_id: u64,
    /// The target has no such dispatch in that process.
    pub unknown_dispatch: u64,
    /// The target's dispatch has no event to hang values on.
    pub dispatch_without_event: u64,
    /// The target has no counter of that symbol and target architecture.
    pub unknown_counter: u64,
}

impl Unmatched {
    /// All of them.
    pub fn total(&self) -> u64 {
        self.without_event
            + self.without_counter_row
            + self.unknown_process
            + self.without_dispatch_id
            + self.unknown_dispatch
            + self.dispatch_without_event
            + self.unknown_counter
    }

    /// Names and numbers of those that happened.
    pub fn reasons(&self) -> impl Iterator<Item = (&'static str, u64)> {
        [
            ("without an event", self.without_event),
            ("without a counter description", self.without_counter_row),
            ("of a process that the target does not have", self.unknown_process),
            ("without a dispatch number", self.without_dispatch_id),
            ("of a dispatch that the target does not have", self.unknown_dispatch),
            ("of a dispatch without an event in the target", self.dispatch_without_event),
            ("of a counter that the target does not describe", self.unknown_counter),
        ]
        .into_iter()
        .filter(|(_, rows)| *rows > 0)
    }
}

/// One process on both sides.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct MergedProcess {
    /// The operating system's id.
    pub pid: i64,
    /// The key of its row in the native database.
    pub native_id: i64,
    /// The key of its row in the target.
    pub sdk_id: i64,
}

/// A guid of each side whose processes correspond.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct MergedPair {
    /// The target's guid.
    pub sdk_guid: String,
    /// The native database's.
    pub native_guid: String,
    /// Their processes.
    pub processes: Vec<MergedProcess>,
    /// Dispatches of these processes in the target.
    pub dispatches: u64,
    /// Dispatches among these that `counters_collection` cannot show: thread, kernel, agent or event missing.
    pub hidden_dispatches: u64,
    /// Rows brought from the one to the other.
    pub rows: u64,
}

/// The report of a merge.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct MergeReport {
    /// The target.
    pub sdk: PathBuf,
    /// The database with the counter values.
    pub native: PathBuf,
    /// The fate of the target.
    pub outcome: Outcome,
    /// Counter values in the native database; of guids that were merged before, those of the ledger.
    pub native_rows: u64,
    /// The number of them that are in the target now.
    pub merged_rows: u64,
    /// Rows of an earlier merge that were removed.
    pub removed_rows: u64,
    /// Samples of streaming counters in the native database, which are left out.
    pub sample_rows: u64,
    /// By guid.
    pub pairs: Vec<MergedPair>,
    /// Values that found no place.
    pub unmatched: Unmatched,
    /// Process ids of the native database that the target lacks (at most 20).
    pub unmatched_pids: Vec<i64>,
    /// Symbols of the native database that the target lacks (at most 20).
    pub unmatched_symbols: Vec<String>,
    /// Counters whose agent is not an agent of the target's dispatches: (symbol, index), at most 20.
    pub foreign_agents: Vec<(String, i64)>,
}

/// Names shown of each kind.
pub(crate) const EXAMPLES: usize = 20;
