//! Functions of streams.

use super::operation::Operation;
use super::stream::{PRIORITIES, is_default};
use super::submit::{check_current, submit, synchronize};
use crate::call::api;
use crate::error::Code;
use crate::raw::callback::{HostFunction, StreamCallback};
use crate::raw::{In, Out};
use crate::runtime::{current_device, lock};

/// The device of a stream, and -1 of one that is none.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn hipGetStreamDeviceId(stream: usize) -> i32 {
    lock().device_of(stream).ok().and_then(|device| i32::try_from(device).ok()).unwrap_or(-1)
}

api! {
    /// Makes a stream.
    fn hipStreamCreate(out: Out<usize>) {
        let stream = lock().new_stream(0, 0, Vec::new())?;
        out.set(stream)
    }

    /// Makes a stream, maybe one that does not wait for the default stream.
    fn hipStreamCreateWithFlags(out: Out<usize>, flags: u32) {
        let stream = lock().new_stream(flags, 0, Vec::new())?;
        out.set(stream)
    }

    /// Makes a stream with a priority.
    fn hipStreamCreateWithPriority(out: Out<usize>, flags: u32, priority: i32) {
        let stream = lock().new_stream(flags, priority, Vec::new())?;
        out.set(stream)
    }

    /// Makes a stream for some compute units; its work runs on all here.
    fn hipExtStreamCreateWithCUMask(out: Out<usize>, words: u32, mask: In<u32>) {
        if words == 0 || mask.is_null() {
            return Err(Code::INVALID_VALUE);
        }
        let mask = mask.list(words as usize)?;
        let stream = lock().new_stream(0, 0, mask)?;
        out.set(stream)
    }

    /// Gives the mask of compute units.
    fn hipExtStreamGetCUMask(stream: usize, words: u32, mask: Out<u32>) {
        if words == 0 {
            return Err(Code::INVALID_VALUE);
        }
        let state = lock();
        state.device_of(stream)?;
        let own = state.streams.get(&stream).map(|stream| stream.mask.clone()).unwrap_or_default();
        let units = state.hardware.units.cast_unsigned();
        for word in 0..words {
            let all = units.saturating_sub(word * 32);
            let all = if all >= 32 { u32::MAX } else { (1 << all) - 1 };
            mask.put(word as usize, own.get(word as usize).copied().unwrap_or(all))?;
        }
        Ok(())
    }

    /// Ends a stream.
    fn hipStreamDestroy(stream: usize) {
        let mut state = lock();
        if is_default(stream) {
            return Err(Code::INVALID_HANDLE);
        }
        let gone = state.streams.remove(&stream).ok_or(Code::INVALID_HANDLE)?;
        if let Some(capture) = gone.capture.filter(|capture| capture.is_origin) {
            state.graphs.remove(capture.graph);
        }
        Ok(())
    }

    /// Says that all work of a stream is done.
    fn hipStreamQuery | hipStreamQuery_spt (stream: usize) {
        synchronize(stream)
    }

    /// Waits for a stream.
    fn hipStreamSynchronize | hipStreamSynchronize_spt (stream: usize) {
        synchronize(stream)
    }

    /// Waits for the thread's device.
    fn hipDeviceSynchronize | hipCtxSynchronize () {
        check_current()
    }

    /// Lets a stream wait for an event.
    fn hipStreamWaitEvent | hipStreamWaitEvent_spt (stream: usize, event: usize, flags: u32) {
        if flags > 1 {
            return Err(Code::INVALID_VALUE);
        }
        submit(stream, Operation::Wait { event })
    }

    /// Gives the flags of a stream.
    fn hipStreamGetFlags | hipStreamGetFlags_spt (stream: usize, out: Out<u32>) {
        let state = lock();
        state.device_of(stream)?;
        out.set(state.streams.get(&stream).map_or(0, |stream| stream.flags))
    }

    /// Gives the priority of a stream.
    fn hipStreamGetPriority | hipStreamGetPriority_spt (stream: usize, out: Out<i32>) {
        let state = lock();
        state.device_of(stream)?;
        out.set(state.streams.get(&stream).map_or(0, |stream| stream.priority))
    }

    /// Gives the device of a stream.
    fn hipStreamGetDevice(stream: usize, out: Out<i32>) {
        let device = lock().device_of(stream)?;
        out.set(i32::try_from(device).unwrap_or(0))
    }

    /// Gives the range of priorities.
    fn hipDeviceGetStreamPriorityRange(least: Out<i32>, greatest: Out<i32>) {
        least.set_if_there(PRIORITIES.0);
        greatest.set_if_there(PRIORITIES.1);
        Ok(())
    }

    /// Calls a function of the program's in the order of a stream.
    fn hipLaunchHostFunc | hipLaunchHostFunc_spt (stream: usize, function: HostFunction, argument: usize) {
        if function.is_null() {
            return Err(Code::INVALID_VALUE);
        }
        submit(stream, Operation::Host { function, argument })
    }

    /// Calls a function of the program's, with the stream and its state, in the order of the stream.
    fn hipStreamAddCallback | hipStreamAddCallback_spt (
        stream: usize, function: StreamCallback, argument: usize, flags: u32,
    ) {
        if function.is_null() || flags != 0 {
            return Err(Code::INVALID_VALUE);
        }
        if lock().is_capturing(stream) {
            return Err(Code::CAPTURE_UNSUPPORTED);
        }
        submit(stream, Operation::Callback { function, stream, argument })
    }

    /// Ties memory to a stream: all streams see it here.
    fn hipStreamAttachMemAsync(stream: usize, address: usize, _length: usize, flags: u32) {
        if !matches!(flags, 1 | 2 | 4) {
            return Err(Code::INVALID_VALUE);
        }
        let state = lock();
        state.device_of(stream)?;
        state.memory.at(address).map(|_| ()).ok_or(Code::INVALID_VALUE)
    }

    /// Begins a capture.
    fn hipStreamBeginCapture | hipStreamBeginCapture_spt (stream: usize, mode: i32) {
        if !(0..=2).contains(&mode) {
            return Err(Code::INVALID_VALUE);
        }
        lock().begin_capture(stream, None)
    }

    /// Begins a capture that adds to a graph.
    fn hipStreamBeginCaptureToGraph(
        stream: usize, graph: usize, before: In<usize>, _edges: usize, count: usize, mode: i32,
    ) {
        if !(0..=2).contains(&mode) {
            return Err(Code::INVALID_VALUE);
        }
        let before = before.list(count)?;
        let mut state = lock();
        state.graphs.graph(graph)?;
        state.begin_capture(stream, Some((graph, before)))
    }

    /// Ends a capture.
    fn hipStreamEndCapture | hipStreamEndCapture_spt (stream: usize, out: Out<usize>) {
        if out.is_null() {
            return Err(Code::INVALID_VALUE);
        }
        let graph = lock().end_capture(stream)?;
        out.set(graph)
    }

    /// Says if a stream is capturing.
    fn hipStreamIsCapturing | hipStreamIsCapturing_spt (stream: usize, out: Out<i32>) {
        let state = lock();
        state.device_of(stream)?;
        out.set(i32::from(state.is_capturing(stream)))
    }

    /// Says if a stream is capturing, and the number of the capture.
    fn hipStreamGetCaptureInfo | hipStreamGetCaptureInfo_spt (stream: usize, out: Out<i32>, id: Out<u64>) {
        let state = lock();
        state.device_of(stream)?;
        id.set_if_there(state.capture(stream).map_or(0, |capture| capture.id));
        out.set(i32::from(state.is_capturing(stream)))
    }

    /// Says if a stream is capturing, the number of the capture, its graph, and the nodes that the next one comes after.
    fn hipStreamGetCaptureInfo_v2 | hipStreamGetCaptureInfo_v2_spt (
        stream: usize, out: Out<i32>, id: Out<u64>, graph: Out<usize>, nodes: Out<usize>, count: Out<usize>,
    ) {
        let mut state = lock();
        state.device_of(stream)?;
        let capture = state.streams.get_mut(&stream).and_then(|stream| stream.capture.as_mut());
        out.set(i32::from(capture.is_some()))?;
        let Some(capture) = capture else { return Ok(()) };
        capture.shown.clone_from(&capture.last);
        id.set_if_there(capture.id);
        graph.set_if_there(capture.graph);
        nodes.set_if_there(capture.shown.as_ptr() as usize);
        count.set_if_there(capture.shown.len());
        Ok(())
    }

    /// Changes the nodes that the next one of a capture comes after: flag 0 adds, 1 replaces.
    fn hipStreamUpdateCaptureDependencies(stream: usize, nodes: In<usize>, count: usize, flags: u32) {
        let nodes = nodes.list(count)?;
        let mut state = lock();
        state.device_of(stream)?;
        let graph = state.capture(stream).ok_or(Code::ILLEGAL_STATE)?.graph;
        for &node in &nodes {
            if state.graphs.owner(node)? != graph {
                return Err(Code::INVALID_VALUE);
            }
        }
        let stream = state.streams.get_mut(&stream).ok_or(Code::INVALID_HANDLE)?;
        let capture = stream.capture.as_mut().ok_or(Code::ILLEGAL_STATE)?;
        match flags {
            0 => capture.last.extend(nodes),
            1 => capture.last = nodes,
            _ => return Err(Code::INVALID_VALUE),
        }
        Ok(())
    }

    /// Exchanges how strict captures of the thread are, which is the same here for all modes.
    fn hipThreadExchangeStreamCaptureMode(mode: Out<i32>) {
        thread_local!(static MODE: std::cell::Cell<i32> = const { std::cell::Cell::new(0) });
        let wanted = mode.get()?;
        if !(0..=2).contains(&wanted) {
            return Err(Code::INVALID_VALUE);
        }
        mode.set(MODE.replace(wanted))
    }

    /// Frees what the process holds of a device.
    fn hipDeviceReset() {
        let mut state = lock();
        let device = current_device();
        crate::memory::allocate::release_all(&mut state, device, crate::place::Place::caller());
        state.devices[device].fault = None;
        state.streams.retain(|_, stream| stream.device != device);
        state.events.retain(|_, event| event.device != device);
        Ok(())
    }
}
