//! The merge ledger, which says what rows of a target came from what merge: metadata rows `native_merge:<native guid>`.

use std::path::Path;

use rusqlite::Connection;
use serde::{Deserialize, Serialize};

use crate::database::GuidTables;
use crate::error::{Error, Result, SqliteContext as _};

/// The start of a ledger row's tag.
pub(crate) const TAG: &str = "native_merge:";

/// One merge of one guid into one guid, as a metadata row of the target remembers it.
///
/// Keys of `rocpd_pmc_event` are never used twice (AUTOINCREMENT), so a range of keys names the rows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct MergeLedgerEntry {
    /// The guid that the rows came from.
    #[serde(skip)]
    pub native_guid: String,
    /// The number of rows.
    pub rows: u64,
    /// The first row's key; 0 when there are none.
    pub first_id: i64,
    /// The last row's key.
    pub last_id: i64,
    /// Keys of the target's processes that received rows.
    pub processes: Vec<i64>,
    /// Who merged.
    pub tool: String,
}

/// The entries of a guid.
pub(crate) fn read(tables: &GuidTables, path: &Path) -> Result<Vec<MergeLedgerEntry>> {
    let entries = tables.metadata.iter().filter_map(|(tag, value)| Some((tag.strip_prefix(TAG)?, value)));
    entries
        .map(|(guid, value)| {
            let entry: MergeLedgerEntry = serde_json::from_str(value).map_err(|error| Error::Ledger {
                path: path.to_path_buf(),
                problem: format!("the ledger row {TAG}{guid} is not readable ({error}): {value:.80}"),
            })?;
            Ok(MergeLedgerEntry { native_guid: guid.to_owned(), ..entry })
        })
        .collect()
}

/// Rows in the range of an entry.
pub(crate) fn rows_in_range(
    connection: &Connection,
    tables: &GuidTables,
    entry: &MergeLedgerEntry,
    path: &Path,
) -> Result<u64> {
    let sql = format!(
        "SELECT count(*) FROM {} V WHERE V.id BETWEEN ?1 AND ?2 {}",
        tables.table("main", "pmc_event"),
        tables.counters_only("AND", "V")
    );
    let rows: i64 = connection
        .query_row(&sql, [entry.first_id, entry.last_id], |row| row.get(0))
        .at(path, "count the ledger's rows")?;
    Ok(rows.cast_unsigned())
}

/// Refuses a target with counter values that no entry explains.
pub(crate) fn check_origin(
    connection: &Connection,
    tables: &GuidTables,
    entries: &[MergeLedgerEntry],
    path: &Path,
) -> Result<()> {
    let sql = format!(
        "SELECT count(*) FROM {} V {}",
        tables.table("main", "pmc_event"),
        tables.counters_only("WHERE", "V")
    );
    let all: i64 = connection.query_row(&sql, [], |row| row.get(0)).at(path, "count the target's rows")?;
    let mut known = 0;
    for entry in entries {
        known += rows_in_range(connection, tables, entry, path)?;
    }
    match all.cast_unsigned().checked_sub(known) {
        Some(0) => Ok(()),
        Some(rows) => Err(Error::UnknownOrigin { path: path.to_path_buf(), guid: tables.guid.clone(), rows }),
        None => Err(Error::Ledger {
            path: path.to_path_buf(),
            problem: format!("guid {}: ranges of the merge ledger overlap", tables.guid),
        }),
    }
}

/// Removes an entry and its rows; says how many.
pub(crate) fn remove(
    connection: &Connection,
    tables: &GuidTables,
    entry: &MergeLedgerEntry,
    path: &Path,
) -> Result<u64> {
    let sql = format!(
        "DELETE FROM {} WHERE id BETWEEN ?1 AND ?2 {}",
        tables.table("main", "pmc_event"),
        if tables.has_sample_id { "AND sample_id IS NULL" } else { "" }
    );
    let rows = connection
        .execute(&sql, [entry.first_id, entry.last_id])
        .at(path, "remove the rows of an earlier merge")?;
    let sql = format!("DELETE FROM {} WHERE tag = ?1", tables.table("main", "metadata"));
    connection
        .execute(&sql, [format!("{TAG}{}", entry.native_guid)])
        .at(path, "remove the ledger row of an earlier merge")?;
    Ok(rows as u64)
}

/// Adds an entry.
pub(crate) fn write(
    connection: &Connection,
    tables: &GuidTables,
    entry: &MergeLedgerEntry,
    path: &Path,
) -> Result<()> {
    let value = serde_json::to_string(entry).map_err(|error| Error::Ledger {
        path: path.to_path_buf(),
        problem: format!("the ledger row cannot be written: {error}"),
    })?;
    let sql = format!("INSERT INTO {} (tag, value) VALUES (?1, ?2)", tables.table("main", "metadata"));
    connection
        .execute(&sql, [format!("{TAG}{}", entry.native_guid), value])
        .at(path, "write the ledger row")
        .map(drop)
}
