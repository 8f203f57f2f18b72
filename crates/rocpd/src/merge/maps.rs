//! The temporary maps between two databases, and the query that uses them.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use super::counter::{self, Candidates, Counter};
use super::dispatch::{self, Dispatches};
use super::process::{self, Pair, Process};
use super::report::{EXAMPLES, MergedProcess};
use crate::database::{Database, GuidTables, Needed};
use crate::error::{Result, SqliteContext as _};

/// What a merge reads of the target.
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

/// What it reads of the native database.
const NATIVE_NEEDS: &[Needed] = &[
    ("info_node", &["id", "machine_id", "hostname"]),
    ("info_process", &["id", "nid", "pid", "init", "fini", "start", "end"]),
    ("info_agent", &["id", "absolute_index"]),
    ("info_pmc", &["id", "pid", "agent_id", "target_arch", "symbol", "name"]),
    ("event", &["id", "correlation_id"]),
    ("pmc_event", &["id", "event_id", "pmc_id", "value"]),
];

/// Two databases on one connection, with their processes paired.
#[derive(Debug)]
pub(crate) struct Matched {
    pub(super) schema: String,
    pub(super) path: PathBuf,
    pub(super) guids: Vec<GuidTables>,
    sdk: Vec<Process>,
    native: Vec<Process>,
    pairs: Vec<Pair>,
}

/// A guid of the target that a native guid has values for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Target {
    /// Index among the target's guids.
    pub(crate) sdk: usize,
    pub(crate) processes: Vec<MergedProcess>,
    pub(crate) dispatches: Dispatches,
}

/// The maps of one native guid, as they are in the temporary tables now.
#[derive(Debug)]
pub(crate) struct Loaded {
    pub(crate) targets: Vec<Target>,
    /// Whether the counter depends on the dispatch's agent.
    pub(super) by_agent: bool,
    pub(crate) unmatched_symbols: Vec<String>,
    pub(crate) foreign_agents: Vec<(String, i64)>,
}

impl Matched {
    /// Attaches the native database and pairs processes.
    pub(crate) fn attach(db: &Database, path: &Path, schema: &str) -> Result<Self> {
        let guids = db.attach(path, schema)?;
        for tables in &guids {
            db.require(schema, path, tables, NATIVE_NEEDS)?;
        }
        db.connection
            .execute_batch(
                "CREATE TEMP TABLE IF NOT EXISTS rocpd_merge_dispatch (npid INTEGER, dispatch_id INTEGER, \
                 event_id INTEGER, agent_id INTEGER, PRIMARY KEY (npid, dispatch_id)) WITHOUT ROWID; \
                 CREATE TEMP TABLE IF NOT EXISTS rocpd_merge_counter (npmc INTEGER PRIMARY KEY, npid INTEGER, \
                 sdk INTEGER, spmc INTEGER); \
                 CREATE TEMP TABLE IF NOT EXISTS rocpd_merge_counter_agent (npmc INTEGER, agent INTEGER, \
                 spmc INTEGER, PRIMARY KEY (npmc, agent)) WITHOUT ROWID;",
            )
            .at(db.path(), "create the temporary maps")?;
        let schema = schema.to_owned();
        let path = path.to_path_buf();
        Ok(Self { schema, path, guids, sdk: Vec::new(), native: Vec::new(), pairs: Vec::new() })
    }

    /// Pairs the processes; in the transaction that uses them.
    pub(crate) fn pair(&mut self, db: &Database) -> Result<()> {
        for tables in db.guids() {
            db.require("main", db.path(), tables, SDK_NEEDS)?;
        }
        self.sdk = process::read(&db.connection, "main", db.guids(), db.path())?;
        self.native = process::read(&db.connection, &self.schema, &self.guids, &self.path)?;
        self.pairs = process::pair(&self.sdk, &self.native, db.path())?;
        Ok(())
    }

    /// The target's guids that a native guid has processes in.
    pub(crate) fn targets_of(&self, native: usize) -> Vec<usize> {
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
    pub(crate) fn unmatched_pids(&self) -> Vec<i64> {
        let lonely = |index: &usize| !self.pairs.iter().any(|(native, _)| native == index);
        (0..self.native.len()).filter(lonely).map(|index| self.native[index].pid).take(EXAMPLES).collect()
    }

    /// Fills the maps for one native guid.
    pub(crate) fn load(&self, db: &Database, native: usize) -> Result<Loaded> {
        db.connection
            .execute_batch(
                "DELETE FROM temp.rocpd_merge_dispatch; DELETE FROM temp.rocpd_merge_counter; \
                 DELETE FROM temp.rocpd_merge_counter_agent;",
            )
            .at(db.path(), "empty the temporary maps")?;
        let mut by_sdk: BTreeMap<usize, Vec<MergedProcess>> = BTreeMap::new();
        for (n, s) in self.pairs_of(native) {
            let process = MergedProcess { pid: n.pid, native_id: n.id, sdk_id: s.id };
            by_sdk.entry(s.guid).or_default().push(process);
        }
        let counters = counter::read(&db.connection, &self.schema, &self.guids[native], &self.path)?;
        let mut loaded = Loaded {
            targets: Vec::new(),
            by_agent: false,
            unmatched_symbols: Vec::new(),
            foreign_agents: Vec::new(),
        };
        let mut placed = std::collections::HashSet::new();
        for (sdk, processes) in by_sdk {
            let natives: HashMap<i64, i64> = processes.iter().map(|p| (p.sdk_id, p.native_id)).collect();
            let dispatches = dispatch::fill(&db.connection, &db.guids()[sdk], &natives, db.path())?;
            let target = Target { sdk, processes, dispatches };
            self.load_counters(db, &counters, &target, &mut placed, &mut loaded)?;
            loaded.targets.push(target);
        }
        // Counters of processes without counterpart are in the map too, so that their values can be told
        // from values without a description.
        let mut insert = db
            .connection
            .prepare("INSERT INTO temp.rocpd_merge_counter VALUES (?1, ?2, NULL, NULL)")
            .at(db.path(), "fill the map of counters")?;
        for counter in counters.iter().filter(|counter| !placed.contains(&counter.id)) {
            insert.execute([counter.id, counter.process]).at(db.path(), "fill the map of counters")?;
        }
        Ok(loaded)
    }

    fn load_counters(
        &self,
        db: &Database,
        natives: &[Counter],
        target: &Target,
        placed: &mut std::collections::HashSet<i64>,
        loaded: &mut Loaded,
    ) -> Result<()> {
        let doing = "fill the map of counters";
        let tables = &db.guids()[target.sdk];
        let counters = counter::read(&db.connection, "main", tables, db.path())?;
        let candidates = Candidates::new(&counters);
        let mut insert = db
            .connection
            .prepare("INSERT INTO temp.rocpd_merge_counter VALUES (?, ?, ?, ?)")
            .at(db.path(), doing)?;
        let mut insert_agent = db
            .connection
            .prepare("INSERT INTO temp.rocpd_merge_counter_agent VALUES (?, ?, ?)")
            .at(db.path(), doing)?;
        for native in natives {
            let Some(process) = target.processes.iter().find(|p| p.native_id == native.process) else {
                continue;
            };
            placed.insert(native.id);
            let mut choices = Vec::new();
            for &agent in &target.dispatches.agents {
                choices.push((agent, candidates.choose(native, process.sdk_id, agent, db.path())?));
            }
            let one = choices.first().and_then(|(_, choice)| *choice);
            let differs = choices.iter().any(|(_, choice)| *choice != one);
            loaded.by_agent |= differs;
            if !choices.is_empty() && choices.iter().all(|(_, choice)| choice.is_none()) {
                note(&mut loaded.unmatched_symbols, native.symbol.clone());
            }
            if let Some(index) = native.agent_index
                && !target.dispatches.agent_indices.is_empty()
                && !target.dispatches.agent_indices.contains(&index)
            {
                note(&mut loaded.foreign_agents, (native.symbol.clone(), index));
            }
            insert.execute((native.id, native.process, target.sdk as i64, one)).at(db.path(), doing)?;
            for (agent, choice) in choices {
                insert_agent.execute((native.id, agent, choice)).at(db.path(), doing)?;
            }
        }
        Ok(())
    }

    /// The query for the values that belong to a guid of the target: `event_id, pmc_id, value` there. Its two
    /// parameters are the first and the last key of the native rows to look at.
    ///
    /// `CROSS JOIN` fixes the order: one walk over the values, every other table by its key.
    pub(super) fn select(&self, native: usize, sdk: usize, by_agent: bool) -> String {
        let tables = &self.guids[native];
        let (join, spmc) = if by_agent {
            (
                "CROSS JOIN temp.rocpd_merge_counter_agent p ON p.npmc = c.npmc AND p.agent = d.agent_id",
                "p.spmc",
            )
        } else {
            ("", "c.spmc")
        };
        format!(
            "SELECT d.event_id AS event_id, {spmc} AS pmc_id, n.value AS value FROM {} n \
             CROSS JOIN {} e ON e.id = n.event_id \
             CROSS JOIN temp.rocpd_merge_counter c ON c.npmc = n.pmc_id \
             CROSS JOIN temp.rocpd_merge_dispatch d ON d.npid = c.npid AND d.dispatch_id = e.correlation_id \
             {join} WHERE n.id BETWEEN ?1 AND ?2 AND c.sdk = {sdk} AND d.event_id IS NOT NULL \
             AND {spmc} IS NOT NULL {}",
            tables.table(&self.schema, "pmc_event"),
            tables.table(&self.schema, "event"),
            tables.counters_only("AND", "n")
        )
    }

    /// The keys of a native guid's values, and how many are counters and samples.
    pub(super) fn extent(&self, db: &Database, native: usize) -> Result<Extent> {
        let tables = &self.guids[native];
        let table = tables.table(&self.schema, "pmc_event");
        let doing = "count the counter values";
        let number = |sql: &str| -> Result<Option<i64>> {
            db.connection.query_row(sql, [], |row| row.get(0)).at(&self.path, doing)
        };
        let all = number(&format!("SELECT count(*) FROM {table}"))?.unwrap_or(0).cast_unsigned();
        let counters = if tables.has_sample_id {
            let sql = format!("SELECT count(*) FROM {table} n {}", tables.counters_only("WHERE", "n"));
            number(&sql)?.unwrap_or(0).cast_unsigned()
        } else {
            all
        };
        let first = number(&format!("SELECT min(id) FROM {table}"))?.unwrap_or(1);
        let last = number(&format!("SELECT max(id) FROM {table}"))?.unwrap_or(0);
        Ok(Extent { counters, samples: all.saturating_sub(counters), first, last })
    }

    /// Walks over the values that belong to a guid of the target.
    pub(crate) fn for_each(
        &self,
        db: &Database,
        (native, sdk): (usize, usize),
        loaded: &Loaded,
        mut row: impl FnMut(i64, i64, Option<f64>) -> Result<()>,
    ) -> Result<()> {
        let doing = "read the counter values";
        let sql = self.select(native, sdk, loaded.by_agent);
        let mut statement = db.connection.prepare(&sql).at(&self.path, doing)?;
        let mut rows = statement.query([i64::MIN, i64::MAX]).at(&self.path, doing)?;
        while let Some(values) = rows.next().at(&self.path, doing)? {
            let (event, counter) =
                (values.get(0).at(&self.path, doing)?, values.get(1).at(&self.path, doing)?);
            row(event, counter, values.get(2).at(&self.path, doing)?)?;
        }
        Ok(())
    }
}

/// The values of a native guid.
#[derive(Debug, Clone, Copy)]
pub(super) struct Extent {
    pub(super) counters: u64,
    pub(super) samples: u64,
    pub(super) first: i64,
    pub(super) last: i64,
}

/// Keeps a few different examples.
pub(super) fn note<T: PartialEq>(examples: &mut Vec<T>, example: T) {
    if examples.len() < EXAMPLES && !examples.contains(&example) {
        examples.push(example);
    }
}
