//! Functions of graphs that are ready to run.

use std::ffi::c_char;

use super::graph::Step;
use super::node_api::{FillNode, HostNode, KernelNode, cuboid, fill, host, kernel, line, replace};
use super::operation::Operation;
use super::submit::submit_all;
use crate::call::api;
use crate::error::{Code, Status};
use crate::memory::copy_structs::Box3;
use crate::memory::symbols::part;
use crate::raw::{In, Out};
use crate::runtime::{Runtime, lock};

/// `hipGraphInstantiateParams`.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub(crate) struct Instantiation {
    error_node: usize,
    flags: u64,
    result: i32,
    stream: usize,
}

fn instantiate(out: Out<usize>, graph: usize, flags: u64) -> Status {
    if out.is_null() {
        return Err(Code::INVALID_VALUE);
    }
    let ready = lock().instantiate(graph, flags)?;
    out.set(ready)
}

/// Changes the operation that a node of the graph became.
fn change(state: &mut Runtime, ready: usize, node: usize, operation: Operation) -> Status {
    operation.check(state)?;
    replace(&mut state.graphs.step_mut(ready, node)?.operation, operation)
}

/// `hipGraphExecUpdateResult`: success, other, topology, type of a node.
const UPDATED: i32 = 0;
const TOPOLOGY: i32 = 2;
const TYPE: i32 = 3;

/// The new steps of a ready graph, by those of another graph of the same form; or the node that differs, and how.
fn updated(old: &[Step], new: Vec<(usize, Operation)>) -> Result<Vec<Step>, (usize, i32)> {
    if old.len() != new.len() {
        return Err((new.first().map_or(0, |(node, _)| *node), TOPOLOGY));
    }
    let pair = |(old, (node, operation)): (&Step, (usize, Operation))| {
        let is_same = std::mem::discriminant(&old.operation) == std::mem::discriminant(&operation);
        is_same.then(|| Step { operation, ..old.clone() }).ok_or((node, TYPE))
    };
    old.iter().zip(new).map(pair).collect()
}

api! {
    /// Makes a graph ready.
    fn hipGraphInstantiate(out: Out<usize>, graph: usize, error_node: Out<usize>, log: Out<c_char>, room: usize) {
        error_node.set_if_there(0);
        if room > 0 && !log.is_null() {
            log.set(0)?;
        }
        instantiate(out, graph, 0)
    }

    /// Makes a graph ready.
    fn hipGraphInstantiateWithFlags(out: Out<usize>, graph: usize, flags: u64) {
        instantiate(out, graph, flags)
    }

    /// Makes a graph ready.
    fn hipGraphInstantiateWithParams(out: Out<usize>, graph: usize, what: Out<Instantiation>) {
        let mut own = what.get()?;
        own.result = 1;
        let status = instantiate(out, graph, own.flags);
        own.result = i32::from(status.is_err());
        what.set(own)?;
        status
    }

    /// Ends a ready graph.
    fn hipGraphExecDestroy(ready: usize) {
        lock().graphs.ready.remove(&ready).map(|_| ()).ok_or(Code::INVALID_VALUE)
    }

    /// Runs a ready graph in a stream.
    fn hipGraphLaunch | hipGraphLaunch_spt (ready: usize, stream: usize) {
        let state = lock();
        let steps = &state.graphs.ready.get(&ready).ok_or(Code::INVALID_VALUE)?.steps;
        let enabled = steps.iter().filter(|step| step.is_enabled).map(|step| step.operation.clone());
        let operations: Vec<Operation> = enabled.collect();
        drop(state);
        submit_all(stream, operations)
    }

    /// Brings a ready graph to the device, where it is.
    fn hipGraphUpload(ready: usize, stream: usize) {
        let state = lock();
        state.device_of(stream)?;
        state.graphs.ready.get(&ready).map(|_| ()).ok_or(Code::INVALID_VALUE)
    }

    /// Gives the flags of a ready graph.
    fn hipGraphExecGetFlags(ready: usize, out: Out<u64>) {
        let state = lock();
        out.set(state.graphs.ready.get(&ready).ok_or(Code::INVALID_VALUE)?.flags)
    }

    /// Changes a ready graph into another one of the same form.
    fn hipGraphExecUpdate(ready: usize, graph: usize, node: Out<usize>, result: Out<i32>) {
        let mut state = lock();
        let new = state.graphs.in_order(graph)?;
        let own = state.graphs.ready.get_mut(&ready).ok_or(Code::INVALID_VALUE)?;
        match updated(&own.steps, new) {
            Ok(steps) => {
                own.steps = steps;
                result.set_if_there(UPDATED);
                Ok(())
            }
            Err((at, why)) => {
                node.set_if_there(at);
                result.set_if_there(why);
                Err(Code::GRAPH_UPDATE)
            }
        }
    }

    /// Says if a node runs.
    fn hipGraphNodeGetEnabled(ready: usize, node: usize, out: Out<u32>) {
        let is_enabled = lock().graphs.step_mut(ready, node)?.is_enabled;
        out.set(u32::from(is_enabled))
    }

    /// Lets a node run, or not.
    fn hipGraphNodeSetEnabled(ready: usize, node: usize, is_enabled: u32) {
        lock().graphs.step_mut(ready, node)?.is_enabled = is_enabled != 0;
        Ok(())
    }

    /// Changes a launch.
    fn hipGraphExecKernelNodeSetParams(ready: usize, node: usize, what: In<KernelNode>) {
        let mut state = lock();
        let operation = kernel(&mut state, what)?;
        change(&mut state, ready, node, operation)
    }

    /// Changes a copy of a box.
    fn hipGraphExecMemcpyNodeSetParams(ready: usize, node: usize, what: In<Box3>) {
        let mut state = lock();
        let operation = cuboid(&state, what)?;
        change(&mut state, ready, node, operation)
    }

    /// Changes a copy of bytes.
    fn hipGraphExecMemcpyNodeSetParams1D(
        ready: usize, node: usize, to: usize, from: usize, size: usize, kind: i32,
    ) {
        change(&mut lock(), ready, node, line(to, from, size, kind)?)
    }

    /// Changes a copy out of a variable.
    fn hipGraphExecMemcpyNodeSetParamsFromSymbol(
        ready: usize, node: usize, to: usize, symbol: usize, size: usize, offset: usize, kind: i32,
    ) {
        let operation = line(to, part(symbol, offset, size)?, size, kind)?;
        change(&mut lock(), ready, node, operation)
    }

    /// Changes a copy into a variable.
    fn hipGraphExecMemcpyNodeSetParamsToSymbol(
        ready: usize, node: usize, symbol: usize, from: usize, size: usize, offset: usize, kind: i32,
    ) {
        let operation = line(part(symbol, offset, size)?, from, size, kind)?;
        change(&mut lock(), ready, node, operation)
    }

    /// Changes a fill.
    fn hipGraphExecMemsetNodeSetParams(ready: usize, node: usize, what: In<FillNode>) {
        change(&mut lock(), ready, node, fill(what)?)
    }

    /// Changes a call of the program's.
    fn hipGraphExecHostNodeSetParams(ready: usize, node: usize, what: In<HostNode>) {
        change(&mut lock(), ready, node, host(what)?)
    }

    /// Changes the graph of a node that is one.
    fn hipGraphExecChildGraphNodeSetParams(ready: usize, node: usize, child: usize) {
        let mut state = lock();
        let graph = state.clone_graph(child)?;
        change(&mut state, ready, node, Operation::Child { graph })
    }

    /// Changes the event that a node records.
    fn hipGraphExecEventRecordNodeSetEvent(ready: usize, node: usize, event: usize) {
        change(&mut lock(), ready, node, Operation::Record { event })
    }

    /// Changes the event that a node waits for.
    fn hipGraphExecEventWaitNodeSetEvent(ready: usize, node: usize, event: usize) {
        change(&mut lock(), ready, node, Operation::Wait { event })
    }
}
