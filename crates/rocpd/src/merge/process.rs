//! Pairs of processes: one of each database.
//!
//! Equal process ids of the operating system are the same process, unless several rows have that id (two
//! containers, two machines, an id used twice): then machine and start time must tell them apart, and where
//! they do not, guessing would bring values to the wrong dispatches.

use std::collections::BTreeMap;
use std::path::Path;

use rusqlite::Connection;

use crate::database::GuidTables;
use crate::error::{Error, Result, SqliteContext as _};

/// A process row and what tells it from others with its id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Process {
    /// Index of its guid among the file's guids.
    pub(crate) guid: usize,
    /// Key of its row.
    pub(crate) id: i64,
    /// The operating system's id.
    pub(crate) pid: i64,
    pub(crate) start: Option<i64>,
    pub(crate) end: Option<i64>,
    pub(crate) machine_id: Option<String>,
    pub(crate) hostname: Option<String>,
}

impl Process {
    /// True where nothing known says that these are two machines.
    fn same_machine(&self, other: &Self) -> bool {
        match (&self.machine_id, &other.machine_id) {
            (Some(a), Some(b)) if !a.is_empty() && !b.is_empty() && a != b => return false,
            _ => {}
        }
        // Containers share a machine id and differ in the name.
        match (&self.hostname, &other.hostname) {
            (Some(a), Some(b)) => a.is_empty() || b.is_empty() || a == b,
            _ => true,
        }
    }

    /// True where their lifetimes can be one: equal starts, or overlapping where no starts are equal.
    fn same_time(&self, other: &Self, exact: bool) -> bool {
        match (self.start, other.start) {
            (Some(a), Some(b)) if exact => a == b,
            (Some(a), Some(b)) => a <= other.end.unwrap_or(i64::MAX) && b <= self.end.unwrap_or(i64::MAX),
            _ => true,
        }
    }

    fn describe(&self) -> String {
        format!(
            "row {} (pid {}, host {:?}, start {:?})",
            self.id,
            self.pid,
            self.hostname.as_deref().unwrap_or("?"),
            self.start
        )
    }
}

/// Reads the processes of all guids.
pub(crate) fn read(
    connection: &Connection,
    schema: &str,
    guids: &[GuidTables],
    path: &Path,
) -> Result<Vec<Process>> {
    let mut processes = Vec::new();
    for (guid, tables) in guids.iter().enumerate() {
        let sql = format!(
            "SELECT P.id, P.pid, coalesce(P.start, P.init), coalesce(P.\"end\", P.fini), N.machine_id, N.hostname \
             FROM {} P LEFT JOIN {} N ON N.id = P.nid ORDER BY P.id",
            tables.table(schema, "info_process"),
            tables.table(schema, "info_node"),
        );
        let doing = "read the processes";
        let mut statement = connection.prepare(&sql).at(path, doing)?;
        let rows = statement
            .query_map([], |row| {
                Ok(Process {
                    guid,
                    id: row.get(0)?,
                    pid: row.get(1)?,
                    start: row.get(2)?,
                    end: row.get(3)?,
                    machine_id: row.get(4)?,
                    hostname: row.get(5)?,
                })
            })
            .at(path, doing)?;
        for row in rows {
            processes.push(row.at(path, doing)?);
        }
    }
    Ok(processes)
}

/// Indices of a native process and of its counterpart.
pub(crate) type Pair = (usize, usize);

/// Pairs processes; those without a counterpart are left out.
pub(crate) fn pair(sdk: &[Process], native: &[Process], path: &Path) -> Result<Vec<Pair>> {
    let mut by_pid: BTreeMap<i64, (Vec<usize>, Vec<usize>)> = BTreeMap::new();
    for (index, process) in native.iter().enumerate() {
        by_pid.entry(process.pid).or_default().0.push(index);
    }
    for (index, process) in sdk.iter().enumerate() {
        if let Some(group) = by_pid.get_mut(&process.pid) {
            group.1.push(index);
        }
    }
    let mut pairs = Vec::new();
    for (natives, sdks) in by_pid.values() {
        match (natives.as_slice(), sdks.as_slice()) {
            (_, []) => {}
            ([native], [sdk]) => pairs.push((*native, *sdk)),
            _ => pairs.extend(tell_apart(sdk, native, sdks, natives, path)?),
        }
    }
    pairs.sort_unstable();
    Ok(pairs)
}

/// Pairs processes of one id by machine, then by start time.
fn tell_apart(
    sdk: &[Process],
    native: &[Process],
    sdks: &[usize],
    natives: &[usize],
    path: &Path,
) -> Result<Vec<Pair>> {
    let mut pairs: Vec<Pair> = Vec::new();
    for &n in natives {
        let mut candidates: Vec<usize> =
            sdks.iter().copied().filter(|&s| native[n].same_machine(&sdk[s])).collect();
        for exact in [true, false] {
            let closer: Vec<usize> =
                candidates.iter().copied().filter(|&s| native[n].same_time(&sdk[s], exact)).collect();
            // Clocks of two tools need not agree to the nanosecond: unequal starts alone exclude nobody.
            if !closer.is_empty() || !exact {
                candidates = closer;
                break;
            }
        }
        match candidates.as_slice() {
            [] => {}
            [s] => pairs.push((n, *s)),
            [a, b, ..] => {
                let detail = format!(
                    "pid {}: native process {} could be {} or {}; give the databases the host's name and the \
                     process's start, or merge them one by one",
                    native[n].pid,
                    native[n].describe(),
                    sdk[*a].describe(),
                    sdk[*b].describe()
                );
                return Err(Error::ambiguous(path, detail));
            }
        }
    }
    let mut taken: Vec<Pair> = pairs.iter().map(|&(n, s)| (s, n)).collect();
    taken.sort_unstable();
    if let Some(twice) = taken.windows(2).find(|pair| pair[0].0 == pair[1].0) {
        let detail = format!(
            "pid {}: native processes {} and {} would both be {}; their values would be added up",
            sdk[twice[0].0].pid,
            native[twice[0].1].describe(),
            native[twice[1].1].describe(),
            sdk[twice[0].0].describe()
        );
        return Err(Error::ambiguous(path, detail));
    }
    Ok(pairs)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn process(pid: i64, host: Option<&str>, start: Option<i64>, end: Option<i64>) -> Process {
        let hostname = host.map(str::to_owned);
        Process { guid: 0, id: pid, pid, start, end, machine_id: None, hostname }
    }

    fn paired(sdk: &[Process], native: &[Process]) -> Result<Vec<Pair>> {
        pair(sdk, native, Path::new("x.db"))
    }

    #[test]
    fn one_of_each_is_paired_whatever_else_differs() {
        let pairs = paired(&[process(7, Some("a"), Some(1), None)], &[process(7, Some("b"), Some(9), None)]);
        assert_eq!(pairs.unwrap(), [(0, 0)]);
        assert_eq!(paired(&[process(7, None, None, None)], &[process(8, None, None, None)]).unwrap(), []);
    }

    #[test]
    fn equal_ids_are_told_apart_by_host_then_by_start() {
        let (a, b) = (process(7, Some("a"), None, None), process(7, Some("b"), None, None));
        assert_eq!(paired(&[a.clone(), b.clone()], &[b.clone(), a.clone()]).unwrap(), [(0, 1), (1, 0)]);
        assert_eq!(paired(std::slice::from_ref(&a), &[a.clone(), b]).unwrap(), [(0, 0)]);

        let (early, late) = (process(7, None, Some(10), Some(20)), process(7, None, Some(30), Some(40)));
        assert_eq!(paired(&[early.clone(), late.clone()], std::slice::from_ref(&late)).unwrap(), [(0, 1)]);
        let inexact = process(7, None, Some(31), Some(39));
        assert_eq!(paired(&[early.clone(), late], &[inexact]).unwrap(), [(0, 1)]);

        let unknown = process(7, None, None, None);
        assert!(matches!(
            paired(&[early.clone(), unknown.clone()], std::slice::from_ref(&early)),
            Err(Error::Ambiguous { .. })
        ));
        assert!(matches!(paired(&[early], &[unknown.clone(), unknown]), Err(Error::Ambiguous { .. })));
    }
}
