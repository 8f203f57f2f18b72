//! Databases like those of the profiler and of the counter tool, of any size: for tests, benchmarks and the
//! fuzz target.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, ensure};
use rocpd::counters::{CounterRecord, CountersTarget, CountersWriter, EventLayout, RocpdCountersWriter};
use rocpd::{
    AgentId, AgentInfo, AgentType, CodeObjectInfo, CounterInfo, DispatchInfo, EventInfo, Guid,
    KernelSymbolInfo, NodeId, NodeInfo, ProcessId, ProcessInfo, QueueInfo, RegionInfo, Storage,
    StorageOptions, ThreadInfo, ValueType, Writer, schema,
};
use rusqlite::Connection;

use crate::quoted;

/// One process's run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sample {
    /// The process's id.
    pub pid: i64,
    /// The machine's name.
    pub host: String,
    /// When the process started, in nanoseconds.
    pub start: i64,
    /// Dispatches, numbered from 1.
    pub dispatches: u64,
    /// GPUs, used in turn.
    pub agents: u64,
    /// Counters, called `COUNTER_0` and so on.
    pub counters: u64,
    /// Values per counter and dispatch.
    pub instances: u64,
    /// Events of API calls before the first dispatch's: the event ids of the two databases differ by them.
    pub calls: u64,
    /// The grouping of values in the native database.
    pub layout: EventLayout,
}

impl Default for Sample {
    fn default() -> Self {
        Self {
            pid: 4711,
            host: "host".to_owned(),
            start: 1_000,
            dispatches: 4,
            agents: 1,
            counters: 3,
            instances: 2,
            calls: 5,
            layout: EventLayout::PerDispatch,
        }
    }
}

/// Handles of counters: with bits above the index, like the profiler's.
fn counter_handle(index: u64) -> u64 {
    0x1_0000 + index
}

impl Sample {
    /// The value of one counter instance in one dispatch.
    pub fn value(&self, dispatch: u64, counter: u64, instance: u64) -> f64 {
        let mixed = dispatch
            .wrapping_mul(0x9e37_79b9_7f4a_7c15)
            .wrapping_add(counter.wrapping_mul(0xbf58_476d_1ce4_e5b9))
            .wrapping_add(instance)
            .wrapping_add(self.pid.cast_unsigned());
        ((mixed >> 24) % 10_000_000) as f64
    }

    fn node(&self) -> NodeInfo {
        NodeInfo::new(self.host.bytes().map(i64::from).sum::<i64>(), format!("machine-{}", self.host))
            .hostname(self.host.clone())
            .system_name("Linux".to_owned())
    }

    fn process(&self, node: NodeId) -> ProcessInfo {
        ProcessInfo::new(node, self.pid)
            .ppid(1)
            .init(self.start + 10)
            .fini(self.start + 1_000_000_000)
            .start(self.start)
            .end(self.start + 1_000_000_100)
            .command("./vcopy -n 1048576".to_owned())
    }

    /// Writes the profiler's database: dispatches, kernels and counter descriptions, no counter values.
    ///
    /// # Errors
    /// The errors of the writer.
    pub fn write_sdk(&self, path: &Path, guid: Guid) -> Result<()> {
        let mut writer = Writer::new(Storage::create(path, guid, StorageOptions::default())?);
        let node = writer.register_node(&self.node())?;
        let process = writer.register_process(&self.process(node))?;
        let thread = writer.register_thread(&ThreadInfo::new(process, self.pid).ppid(1))?;
        writer.register_agent(
            &AgentInfo::new(process).kind(AgentType::Cpu).absolute_index(0).name("CPU".to_owned()),
        )?;
        for index in 0..self.agents.max(1) {
            writer.register_agent(
                &AgentInfo::new(process)
                    .kind(AgentType::Gpu)
                    .absolute_index(1 + index.cast_signed())
                    .type_index(index.cast_signed())
                    .name("gfx942".to_owned()),
            )?;
        }
        let queue = writer.register_queue(&QueueInfo::new(0, process))?;
        let stream = writer.register_stream(&QueueInfo::new(0, process))?;
        let code_object = writer.register_code_object(
            &CodeObjectInfo::new(1, process).agent(AgentId(1)).uri("file:///vcopy".to_owned()),
        )?;
        let kernel = writer.register_kernel_symbol(
            &KernelSymbolInfo::new(12, process, code_object)
                .kernel_name("_Z7vecCopyPdS_S_ii.kd".to_owned())
                .display_name("vecCopy(double*, double*, double*, int, int)".to_owned())
                .kernarg_segment_size(32)
                .kernarg_segment_alignment(8)
                .group_segment_size(0)
                .private_segment_size(0)
                .sgpr_count(16)
                .arch_vgpr_count(4)
                .accum_vgpr_count(4),
        )?;
        for index in 0..self.counters {
            writer.register_counter(
                &CounterInfo::new(process, format!("COUNTER_{index}"))
                    .id(counter_handle(index).cast_signed())
                    .agent(AgentId(1))
                    .target_arch(AgentType::Gpu)
                    .component("rocm".to_owned())
                    .value_type(ValueType::Absolute),
            )?;
        }
        for call in 0..self.calls {
            let start = self.start + call.cast_signed();
            let event = writer.insert_event(&EventInfo::default().category("HIP"))?;
            writer.insert_region(
                &RegionInfo::new(process, thread, "hipMalloc").start(start).end(start + 1).event(event),
            )?;
        }
        for dispatch in 1..=self.dispatches {
            let event = writer.insert_event(
                &EventInfo::default().category("KERNEL_DISPATCH").stack_id(dispatch.cast_signed() + 100),
            )?;
            let start = self.start + 1_000 * dispatch.cast_signed();
            writer.insert_dispatch(
                &DispatchInfo::new(
                    dispatch.cast_signed(),
                    process,
                    AgentId(1 + (dispatch % self.agents.max(1)).cast_signed()),
                    kernel,
                    queue,
                    stream,
                )
                .thread(thread)
                .start(start)
                .end(start + 500)
                .private_segment_size(0)
                .group_segment_size(0)
                .workgroup_size([256, 1, 1])
                .grid_size([1_048_576, 1, 1])
                .region_name(String::new())
                .event(event),
            )?;
        }
        writer.finish()?;
        Ok(())
    }

    /// Writes the counter tool's database.
    ///
    /// # Errors
    /// The errors of the writer.
    pub fn write_native(&self, path: &Path, guid: Guid) -> Result<()> {
        let folder = path.parent().map_or_else(PathBuf::new, Path::to_path_buf);
        let target = CountersTarget::new(folder, self.node(), self.process(NodeId(0)));
        let options = StorageOptions::default();
        let mut writer = Box::new(RocpdCountersWriter::create_as(&target, self.layout, path, guid, options)?);
        self.record(writer.as_mut())?;
        writer.finish()?;
        Ok(())
    }

    /// Gives the run's agents, counters and values to a counters writer.
    ///
    /// # Errors
    /// The writer's.
    pub fn record(&self, writer: &mut dyn CountersWriter) -> Result<()> {
        for index in 0..self.agents.max(1) {
            writer.add_agent(
                0xa9e0_0000 + index,
                &AgentInfo::new(ProcessId(0))
                    .kind(AgentType::Gpu)
                    .absolute_index(1 + index.cast_signed())
                    .name("gfx942".to_owned()),
            )?;
        }
        for index in 0..self.counters {
            writer.add_counter(
                counter_handle(index),
                &CounterInfo::new(ProcessId(0), format!("COUNTER_{index}")),
            )?;
        }
        let mut records = Vec::new();
        for dispatch in 1..=self.dispatches {
            for counter in 0..self.counters {
                for instance in 0..self.instances {
                    records.push(CounterRecord {
                        dispatch_id: dispatch,
                        agent: 0xa9e0_0000 + dispatch % self.agents.max(1),
                        kernel_id: 12,
                        lds_size: 0,
                        counter: counter_handle(counter),
                        value: self.value(dispatch, counter, instance),
                    });
                }
            }
            if records.len() > 1 << 16 || dispatch == self.dispatches {
                writer.write_counters(&records)?;
                records.clear();
            }
        }
        Ok(())
    }
}

/// Puts the tables of several databases side by side into one, with base-name views over all of them: the
/// layout of consolidated files.
///
/// # Errors
/// An output that exists; SQLite's, with the file.
pub fn consolidate(inputs: &[PathBuf], output: &Path) -> Result<()> {
    ensure!(!output.exists(), "{}: the file exists", output.display());
    let db = Connection::open(output)?;
    db.execute_batch("PRAGMA foreign_keys = OFF; PRAGMA synchronous = OFF;")?;
    let mut suffixes = Vec::new();
    for input in inputs {
        suffixes.extend(copy_tables(&db, input).with_context(|| input.display().to_string())?);
    }
    for table in schema::TABLES {
        let parts: Vec<String> = suffixes
            .iter()
            .map(|suffix| format!("SELECT * FROM {}", quoted(&format!("rocpd_{}{suffix}", table.name))))
            .collect();
        db.execute_batch(&format!("CREATE VIEW \"rocpd_{}\" AS {}", table.name, parts.join(" UNION ALL ")))?;
    }
    Ok(db.execute_batch(schema::DATA_VIEWS)?)
}

/// Copies the tables of a file and returns the suffixes of its guids.
fn copy_tables(db: &Connection, input: &Path) -> Result<Vec<String>> {
    db.execute("ATTACH DATABASE ?1 AS source", [input.to_string_lossy()])?;
    let tables = db
        .prepare("SELECT name, sql FROM source.sqlite_master WHERE type = 'table' AND name LIKE 'rocpd!_%' ESCAPE '!'")?
        .query_map([], |row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?)))?
        .collect::<rusqlite::Result<Vec<_>>>()?;
    db.execute_batch("BEGIN")?;
    for (name, sql) in &tables {
        db.execute_batch(sql)?;
        let name = quoted(name);
        db.execute(&format!("INSERT INTO main.{name} SELECT * FROM source.{name}"), [])?;
    }
    db.execute_batch("COMMIT; DETACH DATABASE source")?;
    Ok(tables.iter().filter_map(|(name, _)| name.strip_prefix("rocpd_metadata")).map(str::to_owned).collect())
}
