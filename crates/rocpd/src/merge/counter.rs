//! Pairs of counters: one of each database.
//!
//! Symbol and target architecture name a counter, but not one row: the profiler writes one row per counter
//! id, and ids are per architecture. On equal GPUs there is one row, whose agent is whichever came first; on
//! different GPUs there are several. So the row of the dispatch's own agent is preferred, and any other is
//! as good where there is none. More than one would multiply values.

use std::collections::HashMap;
use std::path::Path;

use rusqlite::Connection;

use crate::database::GuidTables;
use crate::error::{Error, Result, SqliteContext as _};

/// A row of `rocpd_info_pmc`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Counter {
    pub(crate) id: i64,
    pub(crate) process: i64,
    pub(crate) agent: Option<i64>,
    /// The agent's index among all agents.
    pub(crate) agent_index: Option<i64>,
    pub(crate) target_arch: Option<String>,
    pub(crate) symbol: String,
    pub(crate) name: String,
}

/// Reads the counters of a guid, by key.
pub(crate) fn read(
    connection: &Connection,
    schema: &str,
    tables: &GuidTables,
    path: &Path,
) -> Result<Vec<Counter>> {
    let sql = format!(
        "SELECT I.id, I.pid, I.agent_id, A.absolute_index, I.target_arch, I.symbol, I.name \
         FROM {} I LEFT JOIN {} A ON A.id = I.agent_id ORDER BY I.id",
        tables.table(schema, "info_pmc"),
        tables.table(schema, "info_agent"),
    );
    let doing = "read the counters' descriptions";
    let mut statement = connection.prepare(&sql).at(path, doing)?;
    let rows = statement
        .query_map([], |row| {
            Ok(Counter {
                id: row.get(0)?,
                process: row.get(1)?,
                agent: row.get(2)?,
                agent_index: row.get(3)?,
                target_arch: row.get(4)?,
                symbol: row.get(5)?,
                name: row.get(6)?,
            })
        })
        .at(path, doing)?;
    rows.collect::<rusqlite::Result<_>>().at(path, doing)
}

/// The target's counters by symbol and target architecture.
#[derive(Debug)]
pub(crate) struct Candidates<'a>(HashMap<(&'a str, Option<&'a str>), Vec<&'a Counter>>);

impl<'a> Candidates<'a> {
    pub(crate) fn new(counters: &'a [Counter]) -> Self {
        let mut map: HashMap<_, Vec<&Counter>> = HashMap::new();
        for counter in counters {
            map.entry((counter.symbol.as_str(), counter.target_arch.as_deref())).or_default().push(counter);
        }
        Self(map)
    }

    /// The row for values that `native` counted in a dispatch on `agent` of `process`.
    pub(crate) fn choose(
        &self,
        native: &Counter,
        process: i64,
        agent: i64,
        path: &Path,
    ) -> Result<Option<i64>> {
        let key = (native.symbol.as_str(), native.target_arch.as_deref());
        let Some(all) = self.0.get(&key) else { return Ok(None) };
        let of_process = prefer(all.clone(), |counter| counter.process == process);
        let best = prefer(of_process, |counter| counter.agent == Some(agent));
        let Some(first) = best.first() else { return Ok(None) };
        if let Some(other) = best.iter().find(|counter| counter.name != first.name) {
            let detail = format!(
                "counter symbol {:?} is {:?} (row {}) and {:?} (row {})",
                native.symbol, first.name, first.id, other.name, other.id
            );
            return Err(Error::ambiguous(path, detail));
        }
        Ok(Some(first.id))
    }
}

/// Keeps the counters that fulfil a wish, or all where none does.
fn prefer(counters: Vec<&Counter>, wish: impl Fn(&Counter) -> bool) -> Vec<&Counter> {
    let wished: Vec<&Counter> = counters.iter().copied().filter(|counter| wish(counter)).collect();
    if wished.is_empty() { counters } else { wished }
}
