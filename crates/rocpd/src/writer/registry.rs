//! Registered rows: every reference is checked here, by name, before a row reaches SQLite.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::Hash;

use super::info::{AgentInfo, CounterInfo, NodeId, NodeInfo, ProcessId, ProcessInfo, QueueInfo, ThreadInfo};
use super::info_code::{CodeObjectInfo, KernelSymbolInfo, TrackInfo};
use crate::error::{Error, Result};
use crate::hashing::NumberMap;

/// The registered rows of one table.
#[derive(Debug)]
pub(crate) struct Registered<T> {
    what: &'static str,
    rows: NumberMap<i64, T>,
    numbered: HashMap<T, i64>,
    next: i64,
}

/// The key of a registered row, and whether the row is still to be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Claim {
    pub(crate) id: i64,
    pub(crate) new: bool,
}

impl<T: Hash + Eq + Clone> Registered<T> {
    pub(crate) fn new(what: &'static str) -> Self {
        Self { what, rows: NumberMap::default(), numbered: HashMap::new(), next: 1 }
    }

    /// Registers `info` under `id`, or under the next free number. The same row again is the same key.
    pub(crate) fn claim(&mut self, id: Option<i64>, info: &T) -> Result<Claim> {
        let id = match id {
            Some(id) => id,
            None => {
                if let Some(&id) = self.numbered.get(info) {
                    return Ok(Claim { id, new: false });
                }
                while !self.is_free(self.next) {
                    self.next += 1;
                }
                self.numbered.insert(info.clone(), self.next);
                self.next
            }
        };
        match self.rows.entry(id) {
            Entry::Vacant(place) => {
                place.insert(info.clone());
                Ok(Claim { id, new: true })
            }
            Entry::Occupied(known) if known.get() == info => Ok(Claim { id, new: false }),
            Entry::Occupied(_) => Err(Error::Conflict { what: self.what, id: id.to_string() }),
        }
    }

    /// The row of a key.
    pub(crate) fn get(&self, id: i64) -> Result<&T> {
        self.rows.get(&id).ok_or(Error::Unregistered { what: self.what, id })
    }

    /// Checks a reference that may be absent.
    pub(crate) fn check(&self, id: Option<i64>) -> Result<Option<i64>> {
        if let Some(id) = id {
            self.get(id)?;
        }
        Ok(id)
    }

    /// True for a key without a row.
    pub(crate) fn is_free(&self, id: i64) -> bool {
        !self.rows.contains_key(&id)
    }

    fn iter(&self) -> impl Iterator<Item = (&i64, &T)> {
        self.rows.iter()
    }
}

/// All registered rows of a writer.
#[derive(Debug)]
pub(crate) struct Registry {
    pub(crate) nodes: Registered<NodeInfo>,
    pub(crate) processes: Registered<ProcessInfo>,
    pub(crate) threads: Registered<ThreadInfo>,
    pub(crate) agents: Registered<AgentInfo>,
    pub(crate) queues: Registered<QueueInfo>,
    pub(crate) streams: Registered<QueueInfo>,
    pub(crate) counters: Registered<CounterInfo>,
    pub(crate) code_objects: Registered<CodeObjectInfo>,
    pub(crate) kernels: Registered<KernelSymbolInfo>,
    pub(crate) strings: Registered<String>,
    pub(crate) tracks: Registered<TrackInfo>,
}

impl Registry {
    pub(crate) fn new() -> Self {
        Self {
            nodes: Registered::new("node"),
            processes: Registered::new("process"),
            threads: Registered::new("thread"),
            agents: Registered::new("agent"),
            queues: Registered::new("queue"),
            streams: Registered::new("stream"),
            counters: Registered::new("counter"),
            code_objects: Registered::new("code object"),
            kernels: Registered::new("kernel symbol"),
            strings: Registered::new("string"),
            tracks: Registered::new("track"),
        }
    }

    /// The machine of a process: readers select by node and process, so all rows of a process carry it.
    pub(crate) fn node_of(&self, process: ProcessId) -> Result<NodeId> {
        Ok(self.processes.get(process.0)?.node)
    }

    /// Machines are unique by hash and by machine id; says which of the two is taken.
    pub(crate) fn check_node_unique(&self, id: i64, info: &NodeInfo) -> Result<()> {
        for (&other, known) in self.nodes.iter() {
            if other != id && (known.hash == info.hash || known.machine_id == info.machine_id) {
                let id = format!("with hash {} and machine id {:?}", info.hash, info.machine_id);
                return Err(Error::Conflict { what: "node", id });
            }
        }
        Ok(())
    }
}
