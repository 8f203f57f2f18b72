//! The writer: registers what rows refer to, then inserts rows.
//!
//! A writer writes one guid, normally one process. It is not for sharing between threads (`&mut self`
//! throughout). Registering the same row twice is harmless; registering a key with other contents is an
//! error, as is a row that refers to something unregistered.

mod info;
mod info_code;
mod info_memory;
mod insert;
mod insert_memory;
mod registry;

use rusqlite::{ToSql, params_from_iter};

use crate::error::{Error, Result};
use crate::storage::Storage;

pub use info::{
    AgentId, AgentInfo, AgentType, CodeObjectId, CounterId, CounterInfo, EventId, KernelId, NodeId, NodeInfo,
    ProcessId, ProcessInfo, QueueId, QueueInfo, StreamId, StringId, ThreadId, ThreadInfo, TrackId, ValueType,
};
pub use info_code::{
    Arg, CodeObjectInfo, CodeStorage, DispatchInfo, EventInfo, KernelSymbolInfo, RegionInfo, TrackInfo,
};

pub use info_memory::{AllocationLevel, AllocationType, MemoryAllocationInfo, MemoryCopyInfo};

pub(crate) use registry::Registered;

use insert::CounterRows;
use registry::{Claim, Registry};

/// Writes rows into a [`Storage`].
///
/// See the [crate](crate) for an example.
#[derive(Debug)]
#[must_use = "the file takes its place when it is finished"]
pub struct Writer {
    storage: Storage,
    registry: Registry,
    sql: Sql,
    counter_rows: CounterRows,
    written: Written,
}

/// Numbers of rows that a writer wrote.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Written {
    /// Events.
    pub events: u64,
    /// Counter values.
    pub counter_events: u64,
    /// Samples.
    pub samples: u64,
    /// Dispatches.
    pub dispatches: u64,
    /// Regions.
    pub regions: u64,
    /// Arguments of regions.
    pub args: u64,
    /// Memory copies.
    pub memory_copies: u64,
    /// Allocations of memory, and their ends.
    pub memory_allocations: u64,
    /// Regions that end when they start: allowed, but worth a look.
    pub zero_length_regions: u64,
}

/// The insert statements, made once.
#[derive(Debug)]
struct Sql {
    node: String,
    process: String,
    thread: String,
    agent: String,
    queue: String,
    stream: String,
    counter: String,
    code_object: String,
    kernel: String,
    string: String,
    track: String,
    event: String,
    sample: String,
    dispatch: String,
    region: String,
    memory_copy: String,
    memory_allocate: String,
    arg: String,
}

impl Sql {
    fn new(storage: &Storage) -> Self {
        // The column names come from the schema's description, with `extdata` last where a table has it.
        let insert = |table: &str| {
            let columns: Vec<&str> = crate::schema::TABLES
                .iter()
                .filter(|t| t.name == table)
                .flat_map(|t| {
                    let own = t.columns.iter().map(|column| column.name);
                    std::iter::once("id").chain(own).chain(t.extdata.map(|_| "extdata"))
                })
                .collect();
            storage.insert_sql(table, &columns, 1)
        };
        Self {
            node: insert("info_node"),
            process: insert("info_process"),
            thread: insert("info_thread"),
            agent: insert("info_agent"),
            queue: insert("info_queue"),
            stream: insert("info_stream"),
            counter: insert("info_pmc"),
            code_object: insert("info_code_object"),
            kernel: insert("info_kernel_symbol"),
            string: insert("string"),
            track: insert("track"),
            event: insert("event"),
            sample: insert("sample"),
            dispatch: insert("kernel_dispatch"),
            region: insert("region"),
            memory_copy: insert("memory_copy"),
            memory_allocate: insert("memory_allocate"),
            arg: insert("arg"),
        }
    }
}

impl Writer {
    /// Takes over a storage.
    pub fn new(storage: Storage) -> Self {
        let sql = Sql::new(&storage);
        let counter_rows = CounterRows::new(&storage);
        Self { storage, registry: Registry::new(), sql, counter_rows, written: Written::default() }
    }

    /// The storage being written.
    pub fn storage(&self) -> &Storage {
        &self.storage
    }

    /// Rows so far.
    pub fn written(&self) -> Written {
        self.written
    }

    /// Registers a machine.
    ///
    /// # Errors
    /// [`Error::Conflict`] when its key, hash or machine id is taken by another.
    pub fn register_node(&mut self, info: &NodeInfo) -> Result<NodeId> {
        let id = info.id.unwrap_or_else(|| info.hash.rem_euclid(i64::from(u32::MAX)));
        self.registry.check_node_unique(id, info)?;
        let claim = self.registry.nodes.claim(Some(id), info)?;
        let values: [&dyn ToSql; 9] = [
            &claim.id,
            &info.hash,
            &info.machine_id,
            &info.system_name,
            &info.hostname,
            &info.release,
            &info.version,
            &info.hardware_name,
            &info.domain_name,
        ];
        write(&mut self.storage, claim, &self.sql.node, &values).map(NodeId)
    }

    /// Registers a process.
    ///
    /// # Errors
    /// [`Error::Unregistered`] for its node, [`Error::Conflict`], [`Error::Invalid`] for bad JSON.
    pub fn register_process(&mut self, info: &ProcessInfo) -> Result<ProcessId> {
        self.registry.nodes.get(info.node.0)?;
        let (environment, extdata) =
            (json("process environment", info.environment.as_deref())?, extdata(info.extdata.as_deref())?);
        let claim = self.registry.processes.claim(info.id.or(Some(info.pid)), info)?;
        let values: [&dyn ToSql; 11] = [
            &claim.id,
            &info.node.0,
            &info.ppid,
            &info.pid,
            &info.init,
            &info.fini,
            &info.start,
            &info.end,
            &info.command,
            &environment,
            &extdata,
        ];
        write(&mut self.storage, claim, &self.sql.process, &values).map(ProcessId)
    }

    /// Registers a thread.
    ///
    /// # Errors
    /// [`Error::Unregistered`] for its process, [`Error::Conflict`], [`Error::Invalid`] for bad JSON.
    pub fn register_thread(&mut self, info: &ThreadInfo) -> Result<ThreadId> {
        let node = self.registry.node_of(info.process)?;
        let extdata = extdata(info.extdata.as_deref())?;
        let claim = self.registry.threads.claim(info.id.or(Some(info.tid)), info)?;
        let values: [&dyn ToSql; 9] = [
            &claim.id,
            &node.0,
            &info.ppid,
            &info.process.0,
            &info.tid,
            &info.name,
            &info.start,
            &info.end,
            &extdata,
        ];
        write(&mut self.storage, claim, &self.sql.thread, &values).map(ThreadId)
    }

    /// Registers an agent.
    ///
    /// # Errors
    /// [`Error::Unregistered`] for its process, [`Error::Conflict`], [`Error::Invalid`] for bad JSON or a type
    /// that the schema version lacks.
    pub fn register_agent(&mut self, info: &AgentInfo) -> Result<AgentId> {
        let node = self.registry.node_of(info.process)?;
        let kind = self.agent_type("agent type", info.kind)?;
        let extdata = extdata(info.extdata.as_deref())?;
        let claim = self.registry.agents.claim(info.id.or(info.absolute_index), info)?;
        let values: [&dyn ToSql; 14] = [
            &claim.id,
            &node.0,
            &info.process.0,
            &kind,
            &info.absolute_index,
            &info.logical_index,
            &info.type_index,
            &info.uuid,
            &info.name,
            &info.model_name,
            &info.vendor_name,
            &info.product_name,
            &info.user_name,
            &extdata,
        ];
        write(&mut self.storage, claim, &self.sql.agent, &values).map(AgentId)
    }

    /// Registers a queue.
    ///
    /// # Errors
    /// [`Error::Unregistered`] for its process, [`Error::Conflict`], [`Error::Invalid`] for bad JSON.
    pub fn register_queue(&mut self, info: &QueueInfo) -> Result<QueueId> {
        self.check_queue(info)?;
        let claim = self.registry.queues.claim(Some(info.id), info)?;
        self.write_queue(claim, info, false).map(QueueId)
    }

    /// Registers a stream.
    ///
    /// # Errors
    /// [`Error::Unregistered`] for its process, [`Error::Conflict`], [`Error::Invalid`] for bad JSON.
    pub fn register_stream(&mut self, info: &QueueInfo) -> Result<StreamId> {
        self.check_queue(info)?;
        let claim = self.registry.streams.claim(Some(info.id), info)?;
        self.write_queue(claim, info, true).map(StreamId)
    }

    fn check_queue(&self, info: &QueueInfo) -> Result<()> {
        self.registry.processes.get(info.process.0)?;
        extdata(info.extdata.as_deref()).map(drop)
    }

    fn write_queue(&mut self, claim: Claim, info: &QueueInfo, stream: bool) -> Result<i64> {
        let node = self.registry.node_of(info.process)?;
        let extdata = extdata(info.extdata.as_deref())?;
        let values: [&dyn ToSql; 5] = [&claim.id, &node.0, &info.process.0, &info.name, &extdata];
        let sql = if stream { &self.sql.stream } else { &self.sql.queue };
        write(&mut self.storage, claim, sql, &values)
    }

    /// Registers a counter.
    ///
    /// # Errors
    /// [`Error::Unregistered`] for its process or agent, [`Error::Conflict`], [`Error::Invalid`].
    pub fn register_counter(&mut self, info: &CounterInfo) -> Result<CounterId> {
        let node = self.registry.node_of(info.process)?;
        let agent = self.registry.agents.check(info.agent.map(|id| id.0))?;
        let arch = self.agent_type("target architecture", info.target_arch)?;
        let extdata = extdata(info.extdata.as_deref())?;
        let claim = self.registry.counters.claim(info.id, info)?;
        let values: [&dyn ToSql; 19] = [
            &claim.id,
            &node.0,
            &info.process.0,
            &agent,
            &arch,
            &info.event_code,
            &info.instance_id,
            &info.name,
            info.symbol.as_ref().unwrap_or(&info.name),
            &info.description,
            &info.long_description,
            &info.component,
            &info.units,
            &info.value_type.map(ValueType::as_str),
            &info.block,
            &info.expression,
            &info.is_constant,
            &info.is_derived,
            &extdata,
        ];
        write(&mut self.storage, claim, &self.sql.counter, &values).map(CounterId)
    }

    /// True where no counter has this key.
    pub(crate) fn is_free_counter(&self, id: i64) -> bool {
        self.registry.counters.is_free(id)
    }

    fn agent_type(&self, what: &'static str, kind: Option<AgentType>) -> Result<Option<&'static str>> {
        let Some(kind) = kind.map(AgentType::as_str) else { return Ok(None) };
        if self.storage.version().agent_types().contains(&kind) {
            return Ok(Some(kind));
        }
        Err(Error::invalid(what, kind, "CPU or GPU in schema 3.0.0; NIC needs 3.0.1"))
    }

    /// Registers a text and returns its key; the same text is one row.
    ///
    /// # Errors
    /// SQLite's.
    pub fn register_string(&mut self, text: &str) -> Result<StringId> {
        let claim = self.registry.strings.claim(None, &text.to_owned())?;
        write(&mut self.storage, claim, &self.sql.string, &[&claim.id, &text]).map(StringId)
    }

    fn optional_string(&mut self, text: Option<&str>) -> Result<Option<i64>> {
        text.map(|text| self.register_string(text).map(|id| id.0)).transpose()
    }

    /// Writes what is buffered, completes the file and gives it its name.
    ///
    /// # Errors
    /// The errors of [`Storage::finish`].
    pub fn finish(mut self) -> Result<Written> {
        self.flush_counter_rows()?;
        self.storage.finish()?;
        Ok(self.written)
    }

    /// Throws the rows away, on purpose and without a report.
    pub fn discard(self) {
        self.storage.discard();
    }
}

/// Inserts a row of a claim that is new.
fn write(storage: &mut Storage, claim: Claim, sql: &str, values: &[&dyn ToSql]) -> Result<i64> {
    if claim.new {
        storage.insert(sql, 1, params_from_iter(values))?;
    }
    Ok(claim.id)
}

/// `extdata` is an object: anything else would be converted by the column's numeric affinity, or make
/// `json_extract` fail in readers' views.
fn extdata(text: Option<&str>) -> Result<&str> {
    match text {
        Some(text) if text.trim_start().starts_with('{') => json("extdata", Some(text)),
        Some(text) => Err(Error::invalid("extdata", text, "a JSON object")),
        None => Ok("{}"),
    }
}

/// Takes a JSON object or array; absent is `{}`.
fn json<'a>(what: &'static str, text: Option<&'a str>) -> Result<&'a str> {
    let Some(text) = text else { return Ok("{}") };
    let container = text.trim_start().starts_with(['{', '[']);
    if container && serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok() {
        return Ok(text);
    }
    Err(Error::invalid(what, text, "a JSON object or array"))
}
