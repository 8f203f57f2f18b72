//! Counters as a rocpd database of its own: `<pid>_native_counter_collection.db`.
//!
//! Only the counter tables are filled. A dispatch is known by its number, which goes into
//! `rocpd_event.correlation_id`; kernels and dispatches come from the profiler's database when the two are
//! merged. The counter's handle is kept as the key where it is free, and in `extdata` always.

use std::path::PathBuf;

use super::{CounterRecord, CountersTarget, CountersWriter};
use crate::error::{Error, Result};
use crate::guid::Guid;
use crate::hashing::NumberMap;
use crate::storage::{Storage, StorageOptions};
use crate::writer::{
    AgentId, AgentInfo, AgentType, CounterId, CounterInfo, EventId, EventInfo, ProcessId, ProcessInfo,
    Registered, ValueType, Writer,
};

/// The number of events that the values of a dispatch hang on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum EventLayout {
    /// One: a third of the size, and faster.
    #[default]
    PerDispatch,
    /// One per value, as profiler-hub's `insert_pmc_event_data` makes them.
    PerRecord,
}

/// Writes counters into a rocpd database.
#[derive(Debug)]
pub struct RocpdCountersWriter {
    writer: Writer,
    process: ProcessId,
    layout: EventLayout,
    agents: Registered<AgentInfo>,
    counters: Registered<CounterInfo>,
    counter_ids: NumberMap<(u64, u64), CounterId>,
    events: NumberMap<u64, EventId>,
    last: Option<(u64, EventId)>,
}

impl RocpdCountersWriter {
    /// Starts the file in the target's folder, with a fresh guid.
    ///
    /// # Errors
    /// The errors of [`Storage::create`] and of the register calls.
    pub fn create(target: &CountersTarget, layout: EventLayout) -> Result<Self> {
        Self::create_as(target, layout, &target.file("db"), Guid::random(), StorageOptions::default())
    }

    /// Starts a file of any name and guid.
    ///
    /// # Errors
    /// The errors of [`Storage::create`] and of the register calls.
    pub fn create_as(
        target: &CountersTarget,
        layout: EventLayout,
        path: &std::path::Path,
        guid: Guid,
        options: StorageOptions,
    ) -> Result<Self> {
        let mut writer = Writer::new(Storage::create(path, guid, options)?);
        let registered = writer
            .register_node(&target.node)
            .and_then(|node| writer.register_process(&ProcessInfo { node, ..target.process.clone() }));
        let process = match registered {
            Ok(process) => process,
            Err(error) => {
                writer.discard();
                return Err(error);
            }
        };
        Ok(Self {
            writer,
            process,
            layout,
            agents: Registered::new("agent"),
            counters: Registered::new("counter"),
            counter_ids: NumberMap::default(),
            events: NumberMap::default(),
            last: None,
        })
    }

    /// Throws everything away, on purpose.
    pub fn discard(self) {
        self.writer.discard();
    }

    /// The key of a counter on an agent, registered when its first value comes.
    fn counter(&mut self, agent: u64, counter: u64) -> Result<CounterId> {
        if let Some(&id) = self.counter_ids.get(&(agent, counter)) {
            return Ok(id);
        }
        let agent_key = key(self.agents.get(agent.cast_signed())?, agent);
        let described = self.counters.get(counter.cast_signed())?;
        // A counter's key is its handle for the first agent that has it; handles do not tell agents apart.
        let handle = i64::try_from(counter).ok().filter(|&id| self.writer.is_free_counter(id));
        let info = CounterInfo {
            id: handle,
            process: self.process,
            agent: Some(AgentId(agent_key)),
            target_arch: described.target_arch.or(Some(AgentType::Gpu)),
            component: described.component.clone().or_else(|| Some("rocm".to_owned())),
            value_type: described.value_type.or(Some(ValueType::Absolute)),
            extdata: Some(format!("{{\"counter_id\":{counter}}}")),
            ..described.clone()
        };
        let registered = self.writer.register_counter(&info)?;
        self.counter_ids.insert((agent, counter), registered);
        Ok(registered)
    }

    fn event(&mut self, dispatch: u64) -> Result<EventId> {
        if self.layout == EventLayout::PerDispatch {
            if let Some((last, event)) = self.last
                && last == dispatch
            {
                return Ok(event);
            }
            if let Some(&event) = self.events.get(&dispatch) {
                self.last = Some((dispatch, event));
                return Ok(event);
            }
        }
        let correlation_id = i64::try_from(dispatch)
            .map_err(|_| Error::invalid("dispatch id", &dispatch.to_string(), "at most 2^63-1"))?;
        let info = EventInfo { correlation_id: Some(correlation_id), ..EventInfo::default() };
        let event = self.writer.insert_event(&info)?;
        if self.layout == EventLayout::PerDispatch {
            self.events.insert(dispatch, event);
            self.last = Some((dispatch, event));
        }
        Ok(event)
    }
}

impl CountersWriter for RocpdCountersWriter {
    fn add_agent(&mut self, handle: u64, agent: &AgentInfo) -> Result<()> {
        if self.agents.claim(Some(handle.cast_signed()), agent)?.new {
            let id = Some(key(agent, handle));
            self.writer.register_agent(&AgentInfo { id, process: self.process, ..agent.clone() })?;
        }
        Ok(())
    }

    fn add_counter(&mut self, handle: u64, counter: &CounterInfo) -> Result<()> {
        self.counters.claim(Some(handle.cast_signed()), counter).map(drop)
    }

    fn write_counters(&mut self, records: &[CounterRecord]) -> Result<()> {
        for record in records {
            let counter = self.counter(record.agent, record.counter)?;
            let event = self.event(record.dispatch_id)?;
            self.writer.insert_counter_event(Some(event), counter, record.value, None)?;
        }
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<Option<PathBuf>> {
        if self.writer.written().counter_events == 0 {
            self.writer.discard();
            return Ok(None);
        }
        let path = self.writer.storage().path().to_path_buf();
        self.writer.finish()?;
        Ok(Some(path))
    }
}

/// The key of an agent's row. Without an index two agents would look like one row; the handle stays out of `extdata`,
/// which readers parse as the agent's full description.
fn key(agent: &AgentInfo, handle: u64) -> i64 {
    agent.id.or(agent.absolute_index).unwrap_or(handle.cast_signed())
}
