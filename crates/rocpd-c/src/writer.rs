//! `rocpd_writer`: register and insert calls.

use std::ffi::{CString, c_char};

use rocpd_lib::{
    AgentId, Arg, CounterId, DispatchInfo, EventId, EventInfo, Guid, KernelId, ProcessId, QueueId,
    RegionInfo, SchemaVersion, Storage, StorageOptions, StreamId, ThreadId, TrackId, Writer,
};

use crate::error::{Failure, RocpdError, Status, guard};
use crate::raw;
use crate::structs::{
    RocpdAgent, RocpdCodeObject, RocpdCounter, RocpdKernelSymbol, RocpdNode, RocpdProcess, RocpdQueue,
    RocpdThread, RocpdTrack, Text, c_struct,
};

/// `rocpd_writer`.
#[derive(Debug)]
pub(crate) struct RocpdWriter {
    writer: Option<Writer>,
    guid: CString,
}

type ErrorOut = *mut *mut RocpdError;

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
    writer: *mut RocpdWriter,
    call: impl FnOnce(&mut Writer) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let handle = raw::handle(writer, "writer")?;
    let finished = || Failure::new(Status::Useless, "the writer is finished, or failed before");
    let mut inner = handle.writer.take().ok_or_else(finished)?;
    let result = call(&mut inner);
    handle.writer = Some(inner);
    result
}

/// Registers something and stores its key.
fn register(
    writer: *mut RocpdWriter,
    id: *mut i64,
    error: ErrorOut,
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
    path: *const c_char,
    guid: *const c_char,
    version: *const c_char,
    writer: *mut *mut RocpdWriter,
    error: ErrorOut,
) -> Status {
    guard(error, || {
        let path = raw::path(path, "path")?;
        if writer.is_null() {
            return Err(Failure::null("writer"));
        }
        let guid = raw::text(guid).map_or_else(|| Ok(Guid::random()), |text| Guid::parse(&text))?;
        let version = SchemaVersion::parse(&raw::text(version).unwrap_or_default())?;
        let options = StorageOptions { version, ..StorageOptions::default() };
        let text = raw::c_text(guid.as_str());
        let inner = Writer::new(Storage::create(&path, guid, options)?);
        raw::store(writer, raw::give(RocpdWriter { writer: Some(inner), guid: text }));
        Ok(())
    })
}

/// The guid of the rows.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn rocpd_writer_guid(writer: *const RocpdWriter) -> *const c_char {
    raw::read(writer, "writer").map_or(std::ptr::null(), |handle| handle.guid.as_ptr())
}

/// Completes the file.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn rocpd_writer_finish(writer: *mut RocpdWriter, error: ErrorOut) -> Status {
    guard(error, || {
        let handle = raw::handle(writer, "writer")?;
        let finished = || Failure::new(Status::Useless, "the writer is finished, or failed before");
        handle.writer.take().ok_or_else(finished)?.finish()?;
        Ok(())
    })
}

/// Throws the rows away.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn rocpd_writer_discard(writer: *mut RocpdWriter, error: ErrorOut) -> Status {
    guard(error, || {
        if let Some(inner) = raw::handle(writer, "writer")?.writer.take() {
            inner.discard();
        }
        Ok(())
    })
}

/// Frees the handle; the rows of an unfinished file stay in its partial file.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn rocpd_writer_free(writer: *mut RocpdWriter) {
    guard(std::ptr::null_mut(), || {
        drop(raw::take(writer));
        Ok(())
    });
}

/// Defines the register functions that take a struct.
macro_rules! register_calls {
    ($($(#[$doc:meta])* $function:ident($struct:ident) => $call:ident;)*) => {$(
        $(#[$doc])*
        #[unsafe(no_mangle)]
        pub(crate) extern "C" fn $function(
            writer: *mut RocpdWriter,
            info: *const $struct,
            id: *mut i64,
            error: ErrorOut,
        ) -> Status {
            register(writer, id, error, |writer| {
                Ok(writer.$call(&raw::read(info, "info")?.info()?)?.0)
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
    writer: *mut RocpdWriter,
    text: *const c_char,
    id: *mut i64,
    error: ErrorOut,
) -> Status {
    register(writer, id, error, |writer| Ok(writer.register_string(&raw::required(text, "text")?)?.0))
}

/// Inserts an event.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn rocpd_insert_event(
    writer: *mut RocpdWriter,
    info: *const RocpdEvent,
    id: *mut i64,
    error: ErrorOut,
) -> Status {
    register(writer, id, error, |writer| {
        let info = raw::read(info, "info")?;
        let (category, extdata) = (raw::text(info.category), raw::text(info.extdata));
        let (call_stack, line_info) = (raw::text(info.call_stack), raw::text(info.line_info));
        let event = EventInfo {
            category: category.as_deref(),
            stack_id: raw::number(info.stack_id),
            parent_stack_id: raw::number(info.parent_stack_id),
            correlation_id: raw::number(info.correlation_id),
            call_stack: call_stack.as_deref(),
            line_info: line_info.as_deref(),
            extdata: extdata.as_deref(),
        };
        Ok(writer.insert_event(&event)?.0)
    })
}

/// Inserts a sample.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn rocpd_insert_sample(
    writer: *mut RocpdWriter,
    track: i64,
    timestamp: i64,
    event: i64,
    error: ErrorOut,
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
    writer: *mut RocpdWriter,
    event: i64,
    counter: i64,
    value: f64,
    extdata: *const c_char,
    error: ErrorOut,
) -> Status {
    guard(error, || {
        with(writer, |writer| {
            let (event, extdata) = (raw::number(event).map(EventId), raw::text(extdata));
            Ok(writer.insert_counter_event(event, CounterId(counter), value, extdata.as_deref())?)
        })
    })
}

/// Inserts a dispatch.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn rocpd_insert_dispatch(
    writer: *mut RocpdWriter,
    info: *const RocpdDispatch,
    error: ErrorOut,
) -> Status {
    guard(error, || {
        with(writer, |writer| {
            let info = raw::read(info, "info")?;
            let dispatch = DispatchInfo {
                dispatch_id: info.dispatch_id,
                process: ProcessId(info.process),
                thread: raw::number(info.thread).map(ThreadId),
                agent: AgentId(info.agent),
                kernel: KernelId(info.kernel),
                queue: QueueId(info.queue),
                stream: StreamId(info.stream),
                start: info.start,
                end: info.end,
                private_segment_size: raw::number(info.private_segment_size),
                group_segment_size: raw::number(info.group_segment_size),
                workgroup_size: info.workgroup_size,
                grid_size: info.grid_size,
                region_name: raw::text(info.region_name),
                event: raw::number(info.event).map(EventId),
            };
            Ok(writer.insert_dispatch(&dispatch)?)
        })
    })
}

/// Inserts a region with its arguments.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn rocpd_insert_region(
    writer: *mut RocpdWriter,
    info: *const RocpdRegion,
    error: ErrorOut,
) -> Status {
    guard(error, || {
        with(writer, |writer| {
            let info = raw::read(info, "info")?;
            let name = raw::required(info.name, "region.name")?;
            let mut texts = Vec::new();
            for arg in raw::slice(info.args, info.arg_count, "region.args")? {
                let (kind, name) =
                    (raw::required(arg.kind, "arg.type")?, raw::required(arg.name, "arg.name")?);
                texts.push((arg.position, kind, name, raw::text(arg.value), raw::text(arg.extdata)));
            }
            let args: Vec<Arg<'_>> = texts
                .iter()
                .map(|(position, kind, name, value, extdata)| Arg {
                    position: *position,
                    kind,
                    name,
                    value: value.as_deref(),
                    extdata: extdata.as_deref(),
                })
                .collect();
            let region = RegionInfo {
                process: ProcessId(info.process),
                thread: ThreadId(info.thread),
                start: info.start,
                end: info.end,
                name: &name,
                event: raw::number(info.event).map(EventId),
                args: &args,
            };
            Ok(writer.insert_region(&region)?)
        })
    })
}
