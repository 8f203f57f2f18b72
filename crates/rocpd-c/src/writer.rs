//! `rocpd_writer`: register and insert calls.

use std::ffi::{CString, c_char};

use rocpd_lib::{
    AgentId, Arg, CounterId, DispatchInfo, EventId, EventInfo, Guid, KernelId, ProcessId, QueueId,
    RegionInfo, SchemaVersion, Storage, StreamId, ThreadId, TrackId, Writer,
};

use crate::error::{ErrorOut, Failure, Status, guard, storage_options};
use crate::raw::{self, Out, Text};
use crate::structs::{
    RocpdAgent, RocpdCodeObject, RocpdCounter, RocpdKernelSymbol, RocpdNode, RocpdProcess, RocpdQueue,
    RocpdThread, RocpdTrack, c_struct,
};

/// `rocpd_writer`.
#[derive(Debug)]
pub(crate) struct RocpdWriter {
    writer: Option<Writer>,
    guid: CString,
}

c_struct! {
    /// `rocpd_event`.
    RocpdEvent, 56;
    category: Text, stack_id: i64, parent_stack_id: i64, correlation_id: i64, call_stack: Text, line_info: Text,
    extdata: Text
}

c_struct! {
    /// `rocpd_dispatch`.
    RocpdDispatch, 152;
    dispatch_id: i64, process: i64, thread: i64, agent: i64, kernel: i64, queue: i64, stream: i64, start: i64,
    end: i64, private_segment_size: i64, group_segment_size: i64, workgroup_size: [i64; 3], grid_size: [i64; 3],
    region_name: Text, event: i64
}

c_struct! {
    /// `rocpd_arg`.
    RocpdArg, 40;
    position: i64, kind: Text, name: Text, value: Text, extdata: Text
}

c_struct! {
    /// `rocpd_region`.
    RocpdRegion, 64;
    process: i64, thread: i64, start: i64, end: i64, name: Text, event: i64, args: *const RocpdArg,
    arg_count: usize
}

/// Lends the writer out for one call: after a panic the handle stays empty, and the file unfinished.
fn with<T>(
    writer: Option<&mut RocpdWriter>,
    call: impl FnOnce(&mut Writer) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let handle = raw::given(writer, "writer")?;
    let finished = || Failure::new(Status::Useless, "the writer is finished, or failed before");
    let mut inner = handle.writer.take().ok_or_else(finished)?;
    let result = call(&mut inner);
    handle.writer = Some(inner);
    result
}

/// Registers something and stores its key.
fn register(
    writer: Option<&mut RocpdWriter>,
    id: Out<'_, i64>,
    error: ErrorOut<'_>,
    call: impl FnOnce(&mut Writer) -> Result<i64, Failure>,
) -> Status {
    guard(error, || {
        let key = with(writer, call)?;
        raw::store(id, key);
        Ok(())
    })
}

/// Starts a database.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn rocpd_writer_create(
    path: Text,
    guid: Text,
    version: Text,
    writer: Out<'_, Box<RocpdWriter>>,
    error: ErrorOut<'_>,
) -> Status {
    guard(error, || {
        let path = path.path("path")?;
        let writer = raw::given(writer, "writer")?;
        let guid = guid.get().map_or_else(|| Ok(Guid::random()), |text| Guid::parse(&text))?;
        let version = SchemaVersion::parse(&version.get().unwrap_or_default())?;
        let options = storage_options().version(version);
        let text = raw::c_text(guid.as_str());
        let inner = Writer::new(Storage::create(&path, guid, options)?);
        writer.write(Box::new(RocpdWriter { writer: Some(inner), guid: text }));
        Ok(())
    })
}

/// The guid of the rows.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn rocpd_writer_guid(writer: Option<&RocpdWriter>) -> *const c_char {
    writer.map_or(std::ptr::null(), |handle| handle.guid.as_ptr())
}

/// Completes the file.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn rocpd_writer_finish(writer: Option<&mut RocpdWriter>, error: ErrorOut) -> Status {
    guard(error, || {
        let handle = raw::given(writer, "writer")?;
        let finished = || Failure::new(Status::Useless, "the writer is finished, or failed before");
        handle.writer.take().ok_or_else(finished)?.finish()?;
        Ok(())
    })
}

/// Throws the rows away.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn rocpd_writer_discard(writer: Option<&mut RocpdWriter>, error: ErrorOut) -> Status {
    guard(error, || {
        if let Some(inner) = raw::given(writer, "writer")?.writer.take() {
            inner.discard();
        }
        Ok(())
    })
}

/// Frees the handle; an unfinished file is reported on stderr.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn rocpd_writer_free(writer: Option<Box<RocpdWriter>>) {
    guard(None, || {
        drop(writer);
        Ok(())
    });
}

/// Defines the register functions that take a struct.
macro_rules! register_calls {
    ($($(#[$doc:meta])* $function:ident($struct:ident) => $call:ident;)*) => {$(
        $(#[$doc])*
        #[unsafe(no_mangle)]
        pub(crate) extern "C" fn $function(
            writer: Option<&mut RocpdWriter>,
            info: Option<&$struct>,
            id: Out<'_, i64>,
            error: ErrorOut<'_>,
        ) -> Status {
            register(writer, id, error, |writer| {
                Ok(writer.$call(&raw::given(info, "info")?.info()?)?.0)
            })
        }
    )*};
}

register_calls! {
    /// Registers a machine.
    rocpd_register_node(RocpdNode) => register_node;
    /// Registers a process.
    rocpd_register_process(RocpdProcess) => register_process;
    /// Registers a thread.
    rocpd_register_thread(RocpdThread) => register_thread;
    /// Registers an agent.
    rocpd_register_agent(RocpdAgent) => register_agent;
    /// Registers a queue.
    rocpd_register_queue(RocpdQueue) => register_queue;
    /// Registers a stream.
    rocpd_register_stream(RocpdQueue) => register_stream;
    /// Registers a counter.
    rocpd_register_counter(RocpdCounter) => register_counter;
    /// Registers a code object.
    rocpd_register_code_object(RocpdCodeObject) => register_code_object;
    /// Registers a kernel.
    rocpd_register_kernel_symbol(RocpdKernelSymbol) => register_kernel_symbol;
    /// Registers a track.
    rocpd_register_track(RocpdTrack) => register_track;
}

/// Registers a text.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn rocpd_register_string(
    writer: Option<&mut RocpdWriter>,
    text: Text,
    id: Out<'_, i64>,
    error: ErrorOut<'_>,
) -> Status {
    register(writer, id, error, |writer| Ok(writer.register_string(&text.required("text")?)?.0))
}

/// Inserts an event.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn rocpd_insert_event(
    writer: Option<&mut RocpdWriter>,
    info: Option<&RocpdEvent>,
    id: Out<'_, i64>,
    error: ErrorOut<'_>,
) -> Status {
    register(writer, id, error, |writer| {
        let info = raw::given(info, "info")?;
        let (category, extdata) = (info.category.get(), info.extdata.get());
        let (call_stack, line_info) = (info.call_stack.get(), info.line_info.get());
        let event = EventInfo::new()
            .category(category.as_deref())
            .stack_id(raw::number(info.stack_id))
            .parent_stack_id(raw::number(info.parent_stack_id))
            .correlation_id(raw::number(info.correlation_id))
            .call_stack(call_stack.as_deref())
            .line_info(line_info.as_deref())
            .extdata(extdata.as_deref());
        Ok(writer.insert_event(&event)?.0)
    })
}

/// Inserts a sample.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn rocpd_insert_sample(
    writer: Option<&mut RocpdWriter>,
    track: i64,
    timestamp: i64,
    event: i64,
    error: ErrorOut<'_>,
) -> Status {
    guard(error, || {
        with(writer, |writer| {
            Ok(writer.insert_sample(TrackId(track), timestamp, raw::number(event).map(EventId))?)
        })
    })
}

/// Inserts a counter value.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn rocpd_insert_counter_event(
    writer: Option<&mut RocpdWriter>,
    event: i64,
    counter: i64,
    value: f64,
    extdata: Text,
    error: ErrorOut<'_>,
) -> Status {
    guard(error, || {
        with(writer, |writer| {
            let (event, extdata) = (raw::number(event).map(EventId), extdata.get());
            Ok(writer.insert_counter_event(event, CounterId(counter), value, extdata.as_deref())?)
        })
    })
}

/// Inserts a dispatch.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn rocpd_insert_dispatch(
    writer: Option<&mut RocpdWriter>,
    info: Option<&RocpdDispatch>,
    error: ErrorOut<'_>,
) -> Status {
    guard(error, || {
        with(writer, |writer| {
            let info = raw::given(info, "info")?;
            let dispatch = DispatchInfo::new(
                info.dispatch_id,
                ProcessId(info.process),
                AgentId(info.agent),
                KernelId(info.kernel),
                QueueId(info.queue),
                StreamId(info.stream),
            )
            .thread(raw::number(info.thread).map(ThreadId))
            .start(info.start)
            .end(info.end)
            .private_segment_size(raw::number(info.private_segment_size))
            .group_segment_size(raw::number(info.group_segment_size))
            .workgroup_size(info.workgroup_size)
            .grid_size(info.grid_size)
            .region_name(info.region_name.get())
            .event(raw::number(info.event).map(EventId));
            Ok(writer.insert_dispatch(&dispatch)?)
        })
    })
}

/// Inserts a region with its arguments.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn rocpd_insert_region(
    writer: Option<&mut RocpdWriter>,
    info: Option<&RocpdRegion>,
    error: ErrorOut<'_>,
) -> Status {
    guard(error, || {
        with(writer, |writer| {
            let info = raw::given(info, "info")?;
            let name = info.name.required("region.name")?;
            let mut texts = Vec::new();
            // SAFETY: the header demands null or `arg_count` arguments, unchanged for the call.
            for arg in unsafe { raw::slice(info.args, info.arg_count, "region.args") }? {
                let (kind, name) = (arg.kind.required("arg.type")?, arg.name.required("arg.name")?);
                texts.push((arg.position, kind, name, arg.value.get(), arg.extdata.get()));
            }
            let args: Vec<Arg<'_>> = texts
                .iter()
                .map(|(position, kind, name, value, extdata)| {
                    Arg::new(*position, kind.as_str(), name.as_str())
                        .value(value.as_deref())
                        .extdata(extdata.as_deref())
                })
                .collect();
            let region = RegionInfo::new(ProcessId(info.process), ThreadId(info.thread), name.as_str())
                .start(info.start)
                .end(info.end)
                .event(raw::number(info.event).map(EventId))
                .args(&args);
            Ok(writer.insert_region(&region)?)
        })
    })
}
