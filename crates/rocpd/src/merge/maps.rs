//! Two databases on one connection: whose processes, dispatches and counters correspond.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::counter::{self, Candidates, Counter};
use super::dispatch::{self, ByNumber, Dispatches};
use super::process::{self, Pair, Process};
use super::report::{EXAMPLES, MergedProcess};
use crate::database::{Database, GuidTables, Needed};
use crate::error::{Result, SqliteContext as _};
use crate::hashing::NumberMap;

/// Tables and columns that a merge reads of the target.
const SDK_NEEDS: &[Needed] = &[
    ("info_node", &["id", "machine_id", "hostname"]),
    ("info_process", &["id", "guid", "nid", "pid", "init", "fini", "start", "end"]),
    ("info_thread", &["id", "guid"]),
    ("info_agent", &["id", "guid", "absolute_index"]),
    ("info_kernel_symbol", &["id", "guid"]),
    ("info_pmc", &["id", "guid", "pid", "agent_id", "target_arch", "symbol", "name"]),
    ("event", &["id", "guid"]),
    ("kernel_dispatch", &["id", "guid", "pid", "tid", "agent_id", "kernel_id", "dispatch_id", "event_id"]),
    ("pmc_event", &["id", "guid", "event_id", "pmc_id", "value"]),
];

/// Tables and columns that a merge reads of the native database.
const NATIVE_NEEDS: &[Needed] = &[
    ("info_node", &["id", "machine_id", "hostname"]),
    ("info_process", &["id", "nid", "pid", "init", "fini", "start", "end"]),
    ("info_agent", &["id", "absolute_index"]),
    ("info_pmc", &["id", "pid", "agent_id", "target_arch", "symbol", "name"]),
    ("event", &["id", "correlation_id"]),
    ("pmc_event", &["id", "event_id", "pmc_id", "value"]),
];

/// A native database beside its target.
#[derive(Debug)]
pub(super) struct Matched {
    pub(super) schema: String,
    pub(super) path: PathBuf,
    pub(super) guids: Vec<GuidTables>,
    sdk: Vec<Process>,
    native: Vec<Process>,
    pairs: Vec<Pair>,
}

/// A guid of the target that a native guid has values for.
#[derive(Debug)]
pub(super) struct Target {
    /// Index among the target's guids.
    pub(super) sdk: usize,
    pub(super) processes: Vec<MergedProcess>,
    pub(super) dispatches: Dispatches,
}

/// The target of the values of a native counter.
#[derive(Debug)]
pub(super) struct CounterPlace {
    /// Index of the target and of the process in it; none when the process has no counterpart.
    pub(super) process: Option<(usize, usize)>,
    /// The target's counter for each of its agents.
    by_agent: Vec<Option<i64>>,
}

/// The maps of one native guid.
#[derive(Debug)]
pub(super) struct Maps {
    pub(super) targets: Vec<Target>,
    pub(super) counters: NumberMap<i64, CounterPlace>,
    pub(super) unmatched_symbols: Vec<String>,
    pub(super) foreign_agents: Vec<(String, i64)>,
}

impl CounterPlace {
    /// The target's counter for a dispatch on the agent of this index.
    pub(super) fn on_agent(&self, agent: usize) -> Option<i64> {
        self.by_agent.get(agent).copied().flatten()
    }
}

impl Maps {
    /// The dispatches of a process of the target.
    pub(super) fn dispatches(&self, (target, process): (usize, usize)) -> Option<&ByNumber> {
        self.targets.get(target)?.dispatches.processes.get(process)
    }
}

impl Matched {
    /// Attaches the native database.
    pub(super) fn attach(db: &Database, path: &Path, schema: &str) -> Result<Self> {
        let guids = db.attach(path, schema)?;
        for tables in &guids {
            db.require(schema, path, tables, NATIVE_NEEDS)?;
        }
        let (schema, path) = (schema.to_owned(), path.to_path_buf());
        Ok(Self { schema, path, guids, sdk: Vec::new(), native: Vec::new(), pairs: Vec::new() })
    }

    /// Pairs the processes; in the transaction that uses them.
    pub(super) fn pair(&mut self, db: &Database) -> Result<()> {
        for tables in db.guids() {
            db.require("main", db.path(), tables, SDK_NEEDS)?;
        }
        self.sdk = process::read(&db.connection, "main", db.guids(), db.path())?;
        self.native = process::read(&db.connection, &self.schema, &self.guids, &self.path)?;
        self.pairs = process::pair(&self.sdk, &self.native, db.path())?;
        Ok(())
    }

    /// The target's guids that a native guid has processes in.
    pub(super) fn targets_of(&self, native: usize) -> Vec<usize> {
        let mut sdks: Vec<usize> = self.pairs_of(native).map(|(_, s)| s.guid).collect();
        sdks.sort_unstable();
        sdks.dedup();
        sdks
    }

    fn pairs_of(&self, native: usize) -> impl Iterator<Item = (&Process, &Process)> {
        self.pairs
            .iter()
            .map(|&(n, s)| (&self.native[n], &self.sdk[s]))
            .filter(move |(n, _)| n.guid == native)
    }

    /// Process ids that the target lacks.
    pub(super) fn unmatched_pids(&self) -> Vec<i64> {
        let lonely = |index: &usize| !self.pairs.iter().any(|(native, _)| native == index);
        (0..self.native.len()).filter(lonely).map(|index| self.native[index].pid).take(EXAMPLES).collect()
    }

    /// Makes the maps of one native guid.
    pub(super) fn maps(&self, db: &Database, native: usize) -> Result<Maps> {
        let mut by_sdk: BTreeMap<usize, Vec<MergedProcess>> = BTreeMap::new();
        for (n, s) in self.pairs_of(native) {
            let process = MergedProcess { pid: n.pid, native_id: n.id, sdk_id: s.id };
            by_sdk.entry(s.guid).or_default().push(process);
        }
        let counters = counter::read(&db.connection, &self.schema, &self.guids[native], &self.path)?;
        let mut maps = Maps {
            targets: Vec::new(),
            counters: NumberMap::default(),
            unmatched_symbols: Vec::new(),
            foreign_agents: Vec::new(),
        };
        for (sdk, processes) in by_sdk {
            let keys: Vec<i64> = processes.iter().map(|process| process.sdk_id).collect();
            let dispatches = dispatch::read(&db.connection, &db.guids()[sdk], &keys, db.path())?;
            maps.targets.push(Target { sdk, processes, dispatches });
            place_counters(db, &counters, &mut maps)?;
        }
        // Counters of processes without counterpart are known too, so that their values can be told from
        // values without a description.
        for counter in &counters {
            let nowhere = CounterPlace { process: None, by_agent: Vec::new() };
            maps.counters.entry(counter.id).or_insert(nowhere);
        }
        Ok(maps)
    }

    /// About how many values a native guid has, without counting them: for telling progress.
    pub(super) fn about(&self, db: &Database, native: usize) -> Result<u64> {
        let table = self.guids[native].table(&self.schema, "pmc_event");
        let end = |function: &str| -> Result<Option<i64>> {
            let sql = format!("SELECT {function}(id) FROM {table}");
            db.connection.query_row(&sql, [], |row| row.get(0)).at(&self.path, "find the counter values")
        };
        Ok(end("min")?.zip(end("max")?).map_or(0, |(first, last)| last.abs_diff(first).saturating_add(1)))
    }

    /// Counts the samples of streams among a native guid's values.
    pub(super) fn samples(&self, db: &Database, native: usize) -> Result<u64> {
        let tables = &self.guids[native];
        if !tables.has_sample_id {
            return Ok(0);
        }
        let table = tables.table(&self.schema, "pmc_event");
        let sql = format!("SELECT count(*) FROM {table} WHERE sample_id IS NOT NULL");
        let rows: i64 =
            db.connection.query_row(&sql, [], |row| row.get(0)).at(&self.path, "count the samples")?;
        Ok(rows.cast_unsigned())
    }
}

/// Places the counters of the last target's processes.
fn place_counters(db: &Database, natives: &[Counter], maps: &mut Maps) -> Result<()> {
    let index = maps.targets.len() - 1;
    let target = &maps.targets[index];
    let counters = counter::read(&db.connection, "main", &db.guids()[target.sdk], db.path())?;
    let candidates = Candidates::new(&counters);
    for native in natives {
        let found = target.processes.iter().position(|process| process.native_id == native.process);
        let Some((process, key)) = found.map(|index| (index, target.processes[index].sdk_id)) else {
            continue;
        };
        let mut by_agent = Vec::new();
        for &agent in &target.dispatches.agents {
            by_agent.push(candidates.choose(native, key, agent, db.path())?);
        }
        if !by_agent.is_empty() && by_agent.iter().all(Option::is_none) {
            note(&mut maps.unmatched_symbols, native.symbol.clone());
        }
        if let Some(index) = native.agent_index
            && !target.dispatches.agent_indices.is_empty()
            && !target.dispatches.agent_indices.contains(&index)
        {
            note(&mut maps.foreign_agents, (native.symbol.clone(), index));
        }
        let place = CounterPlace { process: Some((index, process)), by_agent };
        maps.counters.insert(native.id, place);
    }
    Ok(())
}

/// Keeps a few different examples.
pub(super) fn note<T: PartialEq>(examples: &mut Vec<T>, example: T) {
    if examples.len() < EXAMPLES && !examples.contains(&example) {
        examples.push(example);
    }
}
