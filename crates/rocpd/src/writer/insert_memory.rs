//! Rows about memory.

use rusqlite::{ToSql, params_from_iter};

use super::Writer;
use super::info::{AgentId, QueueId, StreamId, ThreadId};
use super::info_memory::{MemoryAllocationInfo, MemoryCopyInfo};
use super::insert::{interval, next_id};
use crate::error::Result;

impl Writer {
    /// Inserts a memory copy.
    ///
    /// # Errors
    /// [`Error::Unregistered`](crate::Error::Unregistered) for what it refers to, [`Error::Invalid`](crate::Error::Invalid) when it ends before it starts.
    pub fn insert_memory_copy(&mut self, info: &MemoryCopyInfo) -> Result<()> {
        let node = self.registry.node_of(info.process)?;
        let thread = self.registry.threads.check(info.thread.map(|ThreadId(id)| id))?;
        let destination = self.registry.agents.check(info.destination_agent.map(|AgentId(id)| id))?;
        let source = self.registry.agents.check(info.source_agent.map(|AgentId(id)| id))?;
        let queue = self.registry.queues.check(info.queue.map(|QueueId(id)| id))?;
        let stream = self.registry.streams.check(info.stream.map(|StreamId(id)| id))?;
        interval("memory copy", info.start, info.end)?;
        let event = self.event(info.event)?;
        let name = self.register_string(&info.name)?;
        let region_name = self.optional_string(info.region_name.as_deref())?;
        let id = next_id(self.written.memory_copies);
        let values: [&dyn ToSql; 17] = [
            &id,
            &node.0,
            &info.process.0,
            &thread,
            &info.start,
            &info.end,
            &name.0,
            &destination,
            &info.destination,
            &source,
            &info.source,
            &info.size,
            &queue,
            &stream,
            &region_name,
            &event,
            &"{}",
        ];
        self.storage.insert(&self.sql.memory_copy, 1, params_from_iter(values))?;
        self.written.memory_copies += 1;
        Ok(())
    }

    /// Inserts an allocation of memory, or its end.
    ///
    /// # Errors
    /// [`Error::Unregistered`](crate::Error::Unregistered) for what it refers to, [`Error::Invalid`](crate::Error::Invalid) when it ends before it starts.
    pub fn insert_memory_allocation(&mut self, info: &MemoryAllocationInfo) -> Result<()> {
        let node = self.registry.node_of(info.process)?;
        let thread = self.registry.threads.check(info.thread.map(|ThreadId(id)| id))?;
        let agent = self.registry.agents.check(info.agent.map(|AgentId(id)| id))?;
        let queue = self.registry.queues.check(info.queue.map(|QueueId(id)| id))?;
        let stream = self.registry.streams.check(info.stream.map(|StreamId(id)| id))?;
        interval("memory allocation", info.start, info.end)?;
        let event = self.event(info.event)?;
        let id = next_id(self.written.memory_allocations);
        let values: [&dyn ToSql; 15] = [
            &id,
            &node.0,
            &info.process.0,
            &thread,
            &agent,
            &info.kind.as_str(),
            &info.level.as_str(),
            &info.start,
            &info.end,
            &info.address,
            &info.size,
            &queue,
            &stream,
            &event,
            &"{}",
        ];
        self.storage.insert(&self.sql.memory_allocate, 1, params_from_iter(values))?;
        self.written.memory_allocations += 1;
        Ok(())
    }
}
