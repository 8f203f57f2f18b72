//! Adds the merged values to a guid of the target, many rows to a statement.

use std::path::Path;

use rusqlite::Connection;

use crate::database::GuidTables;
use crate::error::{Result, SqliteContext as _};

/// Rows per statement; SQLite's work per statement is shared among them.
const ROWS: usize = 256;

/// Values that wait to be added.
pub(super) struct Inserter<'a> {
    connection: &'a Connection,
    path: &'a Path,
    many: String,
    one: String,
    guid: &'a str,
    waiting: Vec<(i64, i64, Option<f64>)>,
    added: u64,
}

impl<'a> Inserter<'a> {
    pub(super) fn new(connection: &'a Connection, tables: &'a GuidTables, path: &'a Path) -> Self {
        let sql = |rows: usize| {
            let values: Vec<String> = (0..rows)
                .map(|row| format!("(?1, ?{}, ?{}, ?{})", 3 * row + 2, 3 * row + 3, 3 * row + 4))
                .collect();
            format!(
                "INSERT OR ROLLBACK INTO {} (guid, event_id, pmc_id, value) VALUES {}",
                tables.table("main", "pmc_event"),
                values.join(",")
            )
        };
        let (many, one) = (sql(ROWS), sql(1));
        Self { connection, path, many, one, guid: &tables.guid, waiting: Vec::with_capacity(ROWS), added: 0 }
    }

    pub(super) fn add(&mut self, event: i64, counter: i64, value: Option<f64>) -> Result<()> {
        self.waiting.push((event, counter, value));
        if self.waiting.len() == ROWS { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> Result<()> {
        let doing = "add counter values";
        let (sql, step) = if self.waiting.len() == ROWS { (&self.many, ROWS) } else { (&self.one, 1) };
        let mut statement = self.connection.prepare_cached(sql).at(self.path, doing)?;
        for rows in self.waiting.chunks(step) {
            statement.raw_bind_parameter(1, self.guid).at(self.path, doing)?;
            let mut place = 2;
            for (event, counter, value) in rows {
                statement.raw_bind_parameter(place, event).at(self.path, doing)?;
                statement.raw_bind_parameter(place + 1, counter).at(self.path, doing)?;
                statement.raw_bind_parameter(place + 2, value).at(self.path, doing)?;
                place += 3;
            }
            self.added += statement.raw_execute().at(self.path, doing)? as u64;
        }
        self.waiting.clear();
        Ok(())
    }

    /// Adds what waits and says how many rows there were.
    pub(super) fn finish(mut self) -> Result<u64> {
        self.flush()?;
        Ok(self.added)
    }
}
