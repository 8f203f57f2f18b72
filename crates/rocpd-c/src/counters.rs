//! `rocpd_counters_writer`: what a counter collecting tool needs.

use std::ffi::{CString, c_char};
use std::os::unix::ffi::OsStrExt as _;

use rocpd_lib::counters::{
    CounterRecord, CountersTarget, CountersWriter, CsvCountersWriter, EventLayout, RocpdCountersWriter,
    current_node, current_process,
};
use rocpd_lib::{AgentInfo, AgentType, CounterInfo, Guid, ProcessId};

use crate::error::{ErrorOut, Failure, Status, guard, storage_options};
use crate::raw::{self, Out, Text};
use crate::structs::{RocpdNode, RocpdProcess, c_struct};

/// `rocpd_counters_writer`.
pub(crate) struct RocpdCounters {
    writer: Option<Box<dyn CountersWriter>>,
    path: Option<CString>,
    records: Vec<CounterRecord>,
}

impl std::fmt::Debug for RocpdCounters {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RocpdCounters").field("path", &self.path).finish_non_exhaustive()
    }
}

c_struct! {
    /// `rocpd_counters_options`.
    RocpdCountersOptions<'a>, 32;
    folder: Text, form: i64, node: Option<&'a RocpdNode>, process: Option<&'a RocpdProcess>
}

c_struct! {
    /// `rocpd_agent_description`.
    RocpdAgentDescription, 80;
    handle: u64, kind: Text, absolute_index: i64, logical_index: i64, type_index: i64, uuid: i64, name: Text,
    model_name: Text, vendor_name: Text, product_name: Text
}

c_struct! {
    /// `rocpd_counter_description`.
    RocpdCounterDescription, 56;
    handle: u64, name: Text, description: Text, block: Text, expression: Text, is_constant: i64, is_derived: i64
}

c_struct! {
    /// `rocpd_counter_record`.
    RocpdCounterRecord, 48;
    dispatch_id: u64, agent: u64, kernel_id: u64, lds_size: u64, counter: u64, value: f64
}

fn useless() -> Failure {
    Failure::new(Status::Useless, "the counters writer is finished, or failed before")
}

/// Starts a file of counters.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn rocpd_counters_create(
    options: Option<&RocpdCountersOptions<'_>>,
    writer: Out<'_, Box<RocpdCounters>>,
    error: ErrorOut<'_>,
) -> Status {
    guard(error, || {
        let options = raw::given(options, "options")?;
        let writer = raw::given(writer, "writer")?;
        let node = options.node.map_or_else(|| Ok(current_node()), RocpdNode::info)?;
        let process = options.process.map_or_else(|| Ok(current_process()), RocpdProcess::info)?;
        let target = CountersTarget::new(options.folder.path("options.folder")?, node, process);
        let database = |layout| {
            let options = storage_options();
            RocpdCountersWriter::create_as(&target, layout, &target.file("db"), Guid::random(), options)
        };
        let inner: Box<dyn CountersWriter> = match options.form {
            0 => Box::new(database(EventLayout::PerDispatch)?),
            1 => Box::new(database(EventLayout::PerRecord)?),
            2 => Box::new(CsvCountersWriter::create(&target)?),
            other => {
                let message =
                    format!("options.form is {other}: one of the ROCPD_COUNTERS_ constants is expected");
                return Err(Failure::new(Status::InvalidArgument, message));
            }
        };
        let handle = RocpdCounters { writer: Some(inner), path: None, records: Vec::new() };
        writer.write(Box::new(handle));
        Ok(())
    })
}

/// Lends the writer out for one call; after a panic it is gone.
fn with(
    writer: Option<&mut RocpdCounters>,
    call: impl FnOnce(&mut dyn CountersWriter, &mut Vec<CounterRecord>) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let handle = raw::given(writer, "writer")?;
    let mut inner = handle.writer.take().ok_or_else(useless)?;
    let result = call(inner.as_mut(), &mut handle.records);
    handle.writer = Some(inner);
    result
}

/// Adds an agent.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn rocpd_counters_add_agent(
    writer: Option<&mut RocpdCounters>,
    agent: Option<&RocpdAgentDescription>,
    error: ErrorOut<'_>,
) -> Status {
    guard(error, || {
        with(writer, |writer, _| {
            let agent = raw::given(agent, "agent")?;
            let kind = agent.kind.get().map_or(Ok(AgentType::Gpu), |text| AgentType::parse(&text))?;
            writer.add_agent(
                agent.handle,
                &AgentInfo::new(ProcessId(0))
                    .kind(kind)
                    .absolute_index(raw::number(agent.absolute_index))
                    .logical_index(raw::number(agent.logical_index))
                    .type_index(raw::number(agent.type_index))
                    .uuid(raw::number(agent.uuid))
                    .name(agent.name.get())
                    .model_name(agent.model_name.get())
                    .vendor_name(agent.vendor_name.get())
                    .product_name(agent.product_name.get()),
            )?;
            Ok(())
        })
    })
}

/// Adds a counter.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn rocpd_counters_add_counter(
    writer: Option<&mut RocpdCounters>,
    counter: Option<&RocpdCounterDescription>,
    error: ErrorOut<'_>,
) -> Status {
    guard(error, || {
        with(writer, |writer, _| {
            let counter = raw::given(counter, "counter")?;
            writer.add_counter(
                counter.handle,
                &CounterInfo::new(ProcessId(0), counter.name.required("counter.name")?)
                    .description(counter.description.get())
                    .block(counter.block.get())
                    .expression(counter.expression.get())
                    .is_constant(raw::number(counter.is_constant).map(|flag| flag != 0))
                    .is_derived(raw::number(counter.is_derived).map(|flag| flag != 0)),
            )?;
            Ok(())
        })
    })
}

/// Writes records.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn rocpd_counters_write(
    writer: Option<&mut RocpdCounters>,
    records: *const RocpdCounterRecord,
    count: usize,
    error: ErrorOut<'_>,
) -> Status {
    guard(error, || {
        // SAFETY: the header demands null or `count` records, unchanged for the call.
        let records = unsafe { raw::slice(records, count, "records") }?;
        with(writer, |writer, converted| {
            for piece in records.chunks(4096) {
                converted.clear();
                for record in piece {
                    converted.push(CounterRecord {
                        dispatch_id: record.dispatch_id,
                        agent: record.agent,
                        kernel_id: record.kernel_id,
                        lds_size: u32::try_from(record.lds_size).map_err(|_| {
                            Failure::new(Status::InvalidArgument, "record.lds_size is above 2^32-1")
                        })?,
                        counter: record.counter,
                        value: record.value,
                    });
                }
                writer.write_counters(converted)?;
            }
            Ok(())
        })
    })
}

/// Completes the file and tells where it is.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn rocpd_counters_finish(
    writer: Option<&mut RocpdCounters>,
    path: Out<'_, *const c_char>,
    error: ErrorOut<'_>,
) -> Status {
    guard(error, || {
        let handle = raw::given(writer, "writer")?;
        let file = handle.writer.take().ok_or_else(useless)?.finish()?;
        handle.path = file.and_then(|file| CString::new(file.as_os_str().as_bytes()).ok());
        raw::store(path, handle.path.as_ref().map_or(std::ptr::null(), |path| path.as_ptr()));
        Ok(())
    })
}

/// Frees the handle; an unfinished database is reported on stderr.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn rocpd_counters_free(writer: Option<Box<RocpdCounters>>) {
    guard(None, || {
        drop(writer);
        Ok(())
    });
}
