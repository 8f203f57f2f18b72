//! The target's dispatches: what counter values are brought to.

use std::collections::{BTreeSet, HashMap};
use std::path::Path;

use rusqlite::Connection;

use crate::database::GuidTables;
use crate::error::{Error, Result, SqliteContext as _};

/// The dispatches of the matched processes of a target's guid, now in `temp.rocpd_merge_dispatch`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Dispatches {
    pub(crate) count: u64,
    /// Those that `counters_collection` leaves out, because one of its inner joins finds nothing.
    pub(crate) hidden: u64,
    /// Agents that dispatches ran on.
    pub(crate) agents: BTreeSet<i64>,
    /// The same as indices among all agents.
    pub(crate) agent_indices: BTreeSet<i64>,
}

/// Fills the map of a guid. `natives` gives the native process of each of the target's.
pub(crate) fn fill(
    connection: &Connection,
    tables: &GuidTables,
    natives: &HashMap<i64, i64>,
    path: &Path,
) -> Result<Dispatches> {
    let doing = "read the dispatches";
    let sql = format!(
        "SELECT K.pid, K.dispatch_id, K.event_id, K.agent_id, A.absolute_index, \
         A.id IS NOT NULL AND E.id IS NOT NULL AND S.id IS NOT NULL AND T.id IS NOT NULL \
         FROM {} K LEFT JOIN {} A ON A.id = K.agent_id AND A.guid = K.guid \
         LEFT JOIN {} E ON E.id = K.event_id AND E.guid = K.guid \
         LEFT JOIN {} S ON S.id = K.kernel_id AND S.guid = K.guid \
         LEFT JOIN {} T ON T.id = K.tid AND T.guid = K.guid ORDER BY K.id",
        tables.table("main", "kernel_dispatch"),
        tables.table("main", "info_agent"),
        tables.table("main", "event"),
        tables.table("main", "info_kernel_symbol"),
        tables.table("main", "info_thread"),
    );
    let mut statement = connection.prepare(&sql).at(path, doing)?;
    let mut insert =
        connection.prepare("INSERT INTO temp.rocpd_merge_dispatch VALUES (?, ?, ?, ?)").at(path, doing)?;
    let mut rows = statement.query([]).at(path, doing)?;
    let mut found = Dispatches::default();
    let (mut last_event, mut ordered) = (i64::MIN, true);
    while let Some(row) = rows.next().at(path, doing)? {
        let get = |index| row.get::<_, Option<i64>>(index).at(path, doing);
        let event = get(2)?;
        if let Some(event) = event {
            ordered &= event > last_event;
            last_event = event;
        }
        let (Some(process), Some(dispatch), Some(agent)) = (get(0)?, get(1)?, get(3)?) else { continue };
        let Some(native) = natives.get(&process) else { continue };
        if let Err(error) = insert.execute((native, dispatch, event, agent)) {
            if error.sqlite_error_code() == Some(rusqlite::ErrorCode::ConstraintViolation) {
                let detail = format!(
                    "guid {}: dispatch {dispatch} of process row {process} is there more than once; its values \
                     would be counted for each",
                    tables.guid
                );
                return Err(Error::ambiguous(path, detail));
            }
            return Err(error).at(path, "fill the map of dispatches");
        }
        found.count += 1;
        found.hidden += u64::from(get(5)? != Some(1));
        found.agents.insert(agent);
        found.agent_indices.extend(get(4)?);
    }
    // Events usually rise with dispatches; only where they do not, equal ones must be looked for.
    if !ordered {
        check_events(connection, tables, path)?;
    }
    Ok(found)
}

/// Two dispatches on one event would both show its values.
fn check_events(connection: &Connection, tables: &GuidTables, path: &Path) -> Result<()> {
    let sql = format!(
        "SELECT event_id, count(*) FROM {} WHERE event_id IS NOT NULL GROUP BY event_id HAVING count(*) > 1 \
         LIMIT 1",
        tables.table("main", "kernel_dispatch")
    );
    let doing = "look for shared events";
    let mut statement = connection.prepare(&sql).at(path, doing)?;
    let mut rows = statement.query([]).at(path, doing)?;
    if let Some(row) = rows.next().at(path, doing)? {
        let (event, count): (i64, i64) = (row.get(0).at(path, doing)?, row.get(1).at(path, doing)?);
        let detail = format!(
            "guid {}: event {event} belongs to {count} dispatches; its values would show in each",
            tables.guid
        );
        return Err(Error::ambiguous(path, detail));
    }
    Ok(())
}
