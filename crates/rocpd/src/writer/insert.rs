//! The rows of which there are many.

use rusqlite::{ToSql, params_from_iter};

use super::info::{AgentId, CodeObjectId, CounterId, EventId, KernelId, ThreadId, TrackId};
use super::info_code::{CodeObjectInfo, DispatchInfo, EventInfo, KernelSymbolInfo, RegionInfo, TrackInfo};
use super::{Writer, extdata, json, write};
use crate::error::{Error, Result};
use crate::storage::Storage;

/// Counter values per statement: one statement for many rows spares most of SQLite's work per statement,
/// above all the update of `sqlite_sequence` that AUTOINCREMENT brings.
const ROWS_PER_STATEMENT: usize = 64;

/// Counter values that wait for their statement to be full.
#[derive(Debug)]
pub(super) struct CounterRows {
    full: String,
    one: String,
    with_extdata: String,
    rows: Vec<(Option<i64>, i64, Option<f64>)>,
}

impl CounterRows {
    pub(super) fn new(storage: &Storage) -> Self {
        let columns = ["event_id", "pmc_id", "value"];
        Self {
            full: storage.insert_sql("pmc_event", &columns, ROWS_PER_STATEMENT),
            one: storage.insert_sql("pmc_event", &columns, 1),
            with_extdata: storage.insert_sql("pmc_event", &["event_id", "pmc_id", "value", "extdata"], 1),
            rows: Vec::with_capacity(ROWS_PER_STATEMENT),
        }
    }
}

impl Writer {
    /// Registers a code object.
    ///
    /// # Errors
    /// [`Error::Unregistered`] for its process or agent, [`Error::Conflict`], [`Error::Invalid`] for bad JSON.
    pub fn register_code_object(&mut self, info: &CodeObjectInfo) -> Result<CodeObjectId> {
        let node = self.registry.node_of(info.process)?;
        let agent = self.registry.agents.check(info.agent.map(|AgentId(id)| id))?;
        let extdata = extdata(info.extdata.as_deref())?;
        let claim = self.registry.code_objects.claim(Some(info.id), info)?;
        let values: [&dyn ToSql; 10] = [
            &claim.id,
            &node.0,
            &info.process.0,
            &agent,
            &info.uri,
            &info.load_base,
            &info.load_size,
            &info.load_delta,
            &info.storage.map(super::CodeStorage::as_str),
            &extdata,
        ];
        write(&mut self.storage, claim, &self.sql.code_object, &values).map(CodeObjectId)
    }

    /// Registers a kernel.
    ///
    /// # Errors
    /// [`Error::Unregistered`] for its process or code object, [`Error::Conflict`], [`Error::Invalid`].
    pub fn register_kernel_symbol(&mut self, info: &KernelSymbolInfo) -> Result<KernelId> {
        let node = self.registry.node_of(info.process)?;
        self.registry.code_objects.get(info.code_object.0)?;
        let extdata = extdata(info.extdata.as_deref())?;
        let claim = self.registry.kernels.claim(Some(info.id), info)?;
        let values: [&dyn ToSql; 15] = [
            &claim.id,
            &node.0,
            &info.process.0,
            &info.code_object.0,
            &info.kernel_name,
            &info.display_name,
            &info.kernel_object,
            &info.kernarg_segment_size,
            &info.kernarg_segment_alignment,
            &info.group_segment_size,
            &info.private_segment_size,
            &info.sgpr_count,
            &info.arch_vgpr_count,
            &info.accum_vgpr_count,
            &extdata,
        ];
        write(&mut self.storage, claim, &self.sql.kernel, &values).map(KernelId)
    }

    /// Registers a track; the same track is one row.
    ///
    /// # Errors
    /// [`Error::Unregistered`] for its node, process or thread.
    pub fn register_track(&mut self, info: &TrackInfo) -> Result<TrackId> {
        self.registry.nodes.get(info.node.0)?;
        let process = self.registry.processes.check(info.process.map(|id| id.0))?;
        let thread = self.registry.threads.check(info.thread.map(|ThreadId(id)| id))?;
        let name = self.optional_string(info.name.as_deref())?;
        let claim = self.registry.tracks.claim(None, info)?;
        let values: [&dyn ToSql; 6] = [&claim.id, &info.node.0, &process, &thread, &name, &"{}"];
        write(&mut self.storage, claim, &self.sql.track, &values).map(TrackId)
    }

    /// Inserts an event. Several counter values, and a dispatch, can hang on one.
    ///
    /// # Errors
    /// [`Error::Invalid`] for bad JSON.
    pub fn insert_event(&mut self, info: &EventInfo<'_>) -> Result<EventId> {
        let category = self.optional_string(info.category)?;
        let call_stack = json("call stack", info.call_stack)?;
        let line_info = json("line info", info.line_info)?;
        let extdata = extdata(info.extdata)?;
        let id = next_id(self.written.events);
        let values: [&dyn ToSql; 8] = [
            &id,
            &category,
            &info.stack_id,
            &info.parent_stack_id,
            &info.correlation_id,
            &call_stack,
            &line_info,
            &extdata,
        ];
        self.storage.insert(&self.sql.event, 1, params_from_iter(values))?;
        self.written.events += 1;
        Ok(EventId(id))
    }

    pub(super) fn event(&self, event: Option<EventId>) -> Result<Option<i64>> {
        match event {
            Some(EventId(id)) if id < 1 || id >= next_id(self.written.events) => {
                Err(Error::Unregistered { what: "event", id })
            }
            event => Ok(event.map(|EventId(id)| id)),
        }
    }

    /// Inserts a sample: an event at a time on a track.
    ///
    /// # Errors
    /// [`Error::Unregistered`] for its track or event.
    pub fn insert_sample(&mut self, track: TrackId, timestamp: i64, event: Option<EventId>) -> Result<()> {
        self.registry.tracks.get(track.0)?;
        let event = self.event(event)?;
        let id = next_id(self.written.samples);
        let values: [&dyn ToSql; 5] = [&id, &track.0, &timestamp, &event, &"{}"];
        self.storage.insert(&self.sql.sample, 1, params_from_iter(values))?;
        self.written.samples += 1;
        Ok(())
    }

    /// Inserts a counter value. NaN, which means that there is no value, is stored as NULL.
    ///
    /// No track and no sample is needed, and values of one dispatch may share an event.
    ///
    /// # Errors
    /// [`Error::Unregistered`] for its counter or event, [`Error::Invalid`] for bad JSON.
    pub fn insert_counter_event(
        &mut self,
        event: Option<EventId>,
        counter: CounterId,
        value: f64,
        extra: Option<&str>,
    ) -> Result<()> {
        let event = self.event(event)?;
        self.registry.counters.get(counter.0)?;
        let value = (!value.is_nan()).then_some(value);
        if let Some(extra) = extra {
            let extra = extdata(Some(extra))?;
            self.flush_counter_rows()?;
            let row = (event, counter.0, value, extra);
            self.storage.insert(&self.counter_rows.with_extdata, 1, row)?;
        } else {
            self.counter_rows.rows.push((event, counter.0, value));
            if self.counter_rows.rows.len() == ROWS_PER_STATEMENT {
                self.flush_counter_rows()?;
            }
        }
        self.written.counter_events += 1;
        Ok(())
    }

    /// Writes the counter values that wait.
    pub(super) fn flush_counter_rows(&mut self) -> Result<()> {
        let rows = std::mem::take(&mut self.counter_rows.rows);
        if rows.len() == ROWS_PER_STATEMENT {
            let sql = &self.counter_rows.full;
            self.storage.insert_with(sql, ROWS_PER_STATEMENT as u64, |statement| {
                let mut place = 1;
                for (event, counter, value) in &rows {
                    statement.raw_bind_parameter(place, event)?;
                    statement.raw_bind_parameter(place + 1, counter)?;
                    statement.raw_bind_parameter(place + 2, value)?;
                    place += 3;
                }
                statement.raw_execute().map(drop)
            })?;
        } else {
            for row in &rows {
                self.storage.insert(&self.counter_rows.one, 1, *row)?;
            }
        }
        self.counter_rows.rows = rows;
        self.counter_rows.rows.clear();
        Ok(())
    }

    /// Inserts a dispatch.
    ///
    /// # Errors
    /// [`Error::Unregistered`] for what it refers to, [`Error::Invalid`] when it ends before it starts.
    pub fn insert_dispatch(&mut self, info: &DispatchInfo) -> Result<()> {
        let node = self.registry.node_of(info.process)?;
        let thread = self.registry.threads.check(info.thread.map(|ThreadId(id)| id))?;
        self.registry.agents.get(info.agent.0)?;
        self.registry.kernels.get(info.kernel.0)?;
        self.registry.queues.get(info.queue.0)?;
        self.registry.streams.get(info.stream.0)?;
        interval("dispatch", info.start, info.end)?;
        let event = self.event(info.event)?;
        let region_name = self.optional_string(info.region_name.as_deref())?;
        let id = next_id(self.written.dispatches);
        let ([wx, wy, wz], [gx, gy, gz]) = (&info.workgroup_size, &info.grid_size);
        let values: [&dyn ToSql; 22] = [
            &id,
            &node.0,
            &info.process.0,
            &thread,
            &info.agent.0,
            &info.kernel.0,
            &info.dispatch_id,
            &info.queue.0,
            &info.stream.0,
            &info.start,
            &info.end,
            &info.private_segment_size,
            &info.group_segment_size,
            wx,
            wy,
            wz,
            gx,
            gy,
            gz,
            &region_name,
            &event,
            &"{}",
        ];
        self.storage.insert(&self.sql.dispatch, 1, params_from_iter(values))?;
        self.written.dispatches += 1;
        Ok(())
    }

    /// Inserts a region and its arguments. A region may be empty; such are counted.
    ///
    /// # Errors
    /// [`Error::Unregistered`] for what it refers to, [`Error::Invalid`] when it ends before it starts, has
    /// arguments but no event, or bad JSON.
    pub fn insert_region(&mut self, info: &RegionInfo<'_>) -> Result<()> {
        let node = self.registry.node_of(info.process)?;
        self.registry.threads.get(info.thread.0)?;
        interval("region", info.start, info.end)?;
        let event = self.event(info.event)?;
        if event.is_none() && !info.args.is_empty() {
            return Err(Error::invalid(
                "region",
                info.name,
                "arguments hang on the region's event: give it one",
            ));
        }
        for arg in info.args {
            extdata(arg.extdata)?;
        }
        let name = self.register_string(info.name)?;
        let id = next_id(self.written.regions);
        let values: [&dyn ToSql; 9] =
            [&id, &node.0, &info.process.0, &info.thread.0, &info.start, &info.end, &name.0, &event, &"{}"];
        self.storage.insert(&self.sql.region, 1, params_from_iter(values))?;
        self.written.regions += 1;
        self.written.zero_length_regions += u64::from(info.start == info.end);
        for arg in info.args {
            let (id, extdata) = (next_id(self.written.args), extdata(arg.extdata)?);
            let values: [&dyn ToSql; 7] =
                [&id, &event, &arg.position, &arg.kind, &arg.name, &arg.value, &extdata];
            self.storage.insert(&self.sql.arg, 1, params_from_iter(values))?;
            self.written.args += 1;
        }
        Ok(())
    }
}

/// Keys count from 1, as in files of ROCm's own writer. Row counts stay far below 2⁶³.
pub(super) fn next_id(rows: u64) -> i64 {
    rows.cast_signed() + 1
}

pub(super) fn interval(what: &'static str, start: i64, end: i64) -> Result<()> {
    if end < start {
        return Err(Error::invalid(
            what,
            &format!("start {start}, end {end}"),
            "an end not before the start",
        ));
    }
    Ok(())
}
