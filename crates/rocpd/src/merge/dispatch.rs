//! The target's dispatches: what counter values are brought to.

use std::collections::BTreeSet;
use std::collections::hash_map::Entry;
use std::path::Path;

use rusqlite::Connection;

use crate::database::GuidTables;
use crate::error::{Error, Result, SqliteContext as _};
use crate::hashing::NumberMap;

/// No event: the dispatch is there, but values have nothing to hang on.
const NO_EVENT: i64 = i64::MIN;

/// The target of a dispatch's values: 16 bytes for each dispatch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    event: i64,
    /// Index of the agent among the target's agents, plus one; 0 for a hole in the numbers.
    agent: u32,
}

impl Place {
    pub(super) fn event(self) -> Option<i64> {
        (self.event != NO_EVENT).then_some(self.event)
    }

    pub(super) fn agent(self) -> usize {
        self.agent as usize - 1
    }
}

/// The dispatches of a process by number. Numbers count from 1, so they index a vector unless they are sparse.
#[derive(Debug, Default)]
pub(super) struct ByNumber {
    dense: Vec<Place>,
    sparse: NumberMap<i64, Place>,
}

impl ByNumber {
    /// `false` when the number is taken.
    fn insert(&mut self, number: i64, place: Place) -> bool {
        // A hole costs as much as a dispatch: allow as many holes as dispatches, and a few more.
        let limit = 2 * self.dense.len() + 1024;
        match usize::try_from(number).ok().filter(|index| *index < limit) {
            Some(index) if !self.sparse.contains_key(&number) => {
                if index >= self.dense.len() {
                    self.dense.resize(index + 1, Place { event: NO_EVENT, agent: 0 });
                }
                let free = self.dense[index].agent == 0;
                if free {
                    self.dense[index] = place;
                }
                free
            }
            Some(_) => false,
            None => match self.sparse.entry(number) {
                Entry::Occupied(_) => false,
                Entry::Vacant(free) => {
                    free.insert(place);
                    true
                }
            },
        }
    }

    pub(super) fn get(&self, number: i64) -> Option<Place> {
        let dense = usize::try_from(number).ok().and_then(|index| self.dense.get(index));
        match dense {
            Some(place) if place.agent != 0 => Some(*place),
            _ => self.sparse.get(&number).copied(),
        }
    }
}

/// The dispatches of a guid's matched processes, as they were found.
#[derive(Debug, Default)]
pub(super) struct Dispatches {
    pub(super) count: u64,
    /// Dispatches that `counters_collection` leaves out, because one of its inner joins finds nothing.
    pub(super) hidden: u64,
    /// Agents that dispatches ran on.
    pub(super) agents: Vec<i64>,
    /// The agents as indices among all agents.
    pub(super) agent_indices: BTreeSet<i64>,
    /// By number, for each of the processes asked for.
    pub(super) processes: Vec<ByNumber>,
}

/// Reads the dispatches of the given processes.
pub(super) fn read(
    connection: &Connection,
    tables: &GuidTables,
    processes: &[i64],
    path: &Path,
) -> Result<Dispatches> {
    let doing = "read the dispatches";
    // Of these there are few, so that the only lookup per dispatch is that of its event.
    let agents = read_ids(connection, tables, "info_agent", "absolute_index", path)?;
    let kernels = read_ids(connection, tables, "info_kernel_symbol", "NULL", path)?;
    let threads = read_ids(connection, tables, "info_thread", "NULL", path)?;
    let sql = format!(
        "SELECT K.pid, K.dispatch_id, K.event_id, K.agent_id, K.kernel_id, K.tid, E.id IS NOT NULL \
         FROM {} K LEFT JOIN {} E ON E.id = K.event_id AND E.guid = K.guid ORDER BY K.id",
        tables.table("main", "kernel_dispatch"),
        tables.table("main", "event"),
    );
    let mut statement = connection.prepare(&sql).at(path, doing)?;
    let mut rows = statement.query([]).at(path, doing)?;
    let mut found = Dispatches::default();
    found.processes.resize_with(processes.len(), ByNumber::default);
    let indices: NumberMap<i64, usize> = processes.iter().copied().zip(0..).collect();
    let (mut last_event, mut ordered) = (NO_EVENT, true);
    while let Some(row) = rows.next().at(path, doing)? {
        let get = |index| row.get::<_, Option<i64>>(index).at(path, doing);
        let event = get(2)?;
        if let Some(event) = event {
            ordered &= event > last_event;
            last_event = event;
        }
        let (Some(process), Some(dispatch), Some(agent)) = (get(0)?, get(1)?, get(3)?) else { continue };
        let Some(map) = indices.get(&process).and_then(|index| found.processes.get_mut(*index)) else {
            continue;
        };
        let known = found.agents.iter().position(|known| *known == agent);
        let index = known.unwrap_or_else(|| {
            found.agents.push(agent);
            found.agents.len() - 1
        });
        let place = Place { event: event.unwrap_or(NO_EVENT), agent: index as u32 + 1 };
        if !map.insert(dispatch, place) {
            let detail = format!(
                "guid {}: dispatch {dispatch} of process row {process} is there more than once; its values would \
                 be counted for each",
                tables.guid
            );
            return Err(Error::ambiguous(path, detail));
        }
        found.count += 1;
        let described =
            |ids: &NumberMap<i64, Option<i64>>, id: Option<i64>| id.is_some_and(|id| ids.contains_key(&id));
        let shown = get(6)? == Some(1)
            && described(&agents, Some(agent))
            && described(&kernels, get(4)?)
            && described(&threads, get(5)?);
        found.hidden += u64::from(!shown);
    }
    found.agent_indices = found.agents.iter().filter_map(|agent| *agents.get(agent)?).collect();
    // Events usually rise with dispatches; only where they do not, equal ones must be looked for.
    if !ordered {
        check_events(connection, tables, path)?;
    }
    Ok(found)
}

/// The keys of a table's rows, each with a number.
fn read_ids(
    connection: &Connection,
    tables: &GuidTables,
    table: &str,
    number: &str,
    path: &Path,
) -> Result<NumberMap<i64, Option<i64>>> {
    let doing = "read what dispatches refer to";
    let sql = format!("SELECT id, {number} FROM {} WHERE guid = ?1", tables.table("main", table));
    let mut statement = connection.prepare(&sql).at(path, doing)?;
    let rows = statement.query_map([&tables.guid], |row| Ok((row.get(0)?, row.get(1)?))).at(path, doing)?;
    rows.collect::<rusqlite::Result<_>>().at(path, doing)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_unique_and_sparse_ones_cost_nothing() {
        let place = |event| Place { event, agent: 1 };
        let mut map = ByNumber::default();
        for number in [5, 0, i64::MAX, -3, 1_000_000_000, 1023, 2_000] {
            assert!(map.insert(number, place(number)), "{number}");
            assert!(!map.insert(number, place(1)), "{number}");
            assert_eq!(map.get(number).and_then(Place::event), Some(number));
        }
        // A number that was sparse once stays unique when the vector has grown past it.
        for number in 1024..4000 {
            assert_eq!(map.insert(number, place(number)), number != 2_000);
        }
        assert_eq!(map.get(2_000).and_then(Place::event), Some(2_000));
        assert_eq!(map.get(7), None);
        assert!(map.dense.len() < 5000);
    }
}
