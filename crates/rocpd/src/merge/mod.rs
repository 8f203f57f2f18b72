//! Brings counter values of a counter tool's database to the dispatches of the profiler's database.
//!
//! The two databases number events and counters independently. What they share is the process (its id in the
//! operating system, never the key of its row), the dispatch's number in it, and the counter's symbol. The
//! merge resolves these three into maps, guid by guid, where a second entry is an ambiguity and an error, and
//! then walks once over the counter values.
//!
//! Only physical tables are read: in consolidated files SQLite expands a join of base-name views into the
//! product of all their branches. And no join of many rows is left to the planner: statistics in the file
//! (`sqlite_stat1`) make it choose a quadratic one. Memory: 16 bytes for each dispatch of a guid.

mod counter;
mod dispatch;
mod insert;
mod ledger;
mod maps;
mod process;
mod read_only;
mod report;
mod rules;
mod run;
mod walk;

use std::path::Path;
use std::time::Duration;

pub use ledger::MergeLedgerEntry;
pub(crate) use ledger::{read as read_ledger, rows_in_range};
pub(crate) use read_only::ReadOnly;
pub use report::{MergeReport, MergedPair, MergedProcess, Outcome, Unmatched};

use crate::builders::options;
use crate::error::Result;
use crate::progress::ProgressFn;

options! {
    /// Options of a merge.
    MergeOptions {
        /// Remove what an earlier merge of the same database brought, and merge again.
        replace: bool = false,
        /// The time to wait for locks of others.
        wait: Duration = Duration::from_secs(5),
        /// After how many counter values progress is told.
        progress_rows: u64 = 1 << 17,
    }
}

/// Merges the counter values of `native` into `sdk`, in one transaction that also writes the ledger row.
///
/// A second merge of the same database changes nothing. On any error the target is as it was.
///
/// # Errors
/// The errors of [`Database::open`](crate::Database::open); [`Error::Ambiguous`](crate::Error::Ambiguous) when a
/// process, dispatch or counter has more than one counterpart;
/// [`Error::UnknownOrigin`](crate::Error::UnknownOrigin) when the target has counter values that no ledger row
/// explains; [`Error::Ledger`](crate::Error::Ledger) when ledger and rows disagree;
/// [`Error::NothingMatched`](crate::Error::NothingMatched).
pub fn merge(
    sdk: &Path,
    native: &Path,
    options: MergeOptions,
    progress: &mut ProgressFn<'_>,
) -> Result<MergeReport> {
    run::merge(sdk, native, options, progress)
}
