//! Functions that add nodes to graphs, and change them.

use super::operation::{Operation, allocate_in_stream};
use crate::call::api;
use crate::code::kernarg;
use crate::code::launch_api::{Shape, prepare};
use crate::code::register_api::Dim3;
use crate::error::{Code, Status};
use crate::memory::allocate::Request;
use crate::memory::copies::{Copy, Direction, Side};
use crate::memory::copy_structs::{Box3, DriverBox3, driver_box};
use crate::memory::fills::Fill;
use crate::memory::symbols::part;
use crate::place::Place;
use crate::raw::callback::HostFunction;
use crate::raw::{In, Out};
use crate::runtime::{Runtime, lock};

/// `hipKernelNodeParams`.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub(crate) struct KernelNode {
    block: Dim3,
    extra: In<usize>,
    function: usize,
    grid: Dim3,
    arguments: In<usize>,
    shared: u32,
}

/// `hipMemsetParams`.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub(crate) struct FillNode {
    to: usize,
    element: u32,
    height: usize,
    pitch: usize,
    value: u32,
    width: usize,
}

/// `hipHostNodeParams`.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub(crate) struct HostNode {
    function: HostFunction,
    argument: usize,
}

/// `hipMemAllocNodeParams`.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub(crate) struct AllocateNode {
    properties: crate::memory::pools::PoolProperties,
    accesses: usize,
    access_count: usize,
    size: usize,
    address: usize,
}

pub(crate) fn kernel(state: &mut Runtime, node: In<KernelNode>) -> Result<Operation, Code> {
    let KernelNode { block, extra, function, grid, arguments, shared } = node.get()?;
    let kernel = state.kernel_of(function)?;
    let shape = Shape::new(grid, block, shared as usize);
    prepare(
        state,
        kernel,
        &shape,
        function,
        |info| kernarg::of_either(info, arguments, extra),
        Place::caller(),
    )
}

pub(crate) fn fill(node: In<FillNode>) -> Result<Operation, Code> {
    let FillNode { to, element, height, pitch, value, width } = node.get()?;
    if !matches!(element, 1 | 2 | 4) || height == 0 || width == 0 {
        return Err(Code::INVALID_VALUE);
    }
    let element = element as usize;
    let width = width.checked_mul(element).ok_or(Code::INVALID_VALUE)?;
    let to = Side { address: to, pitch, plane: 0 };
    Ok(Operation::Fill(Fill { to, width, height, depth: 1, value, element, place: Place::caller() }))
}

pub(crate) fn host(node: In<HostNode>) -> Result<Operation, Code> {
    let HostNode { function, argument } = node.get()?;
    if function.is_null() {
        return Err(Code::INVALID_VALUE);
    }
    Ok(Operation::Host { function, argument })
}

pub(crate) fn line(to: usize, from: usize, size: usize, kind: i32) -> Result<Operation, Code> {
    Direction::of(kind)?;
    Ok(Operation::Copy(Copy::line(to, from, size, Place::caller())))
}

pub(crate) fn cuboid(state: &Runtime, node: In<Box3>) -> Result<Operation, Code> {
    Ok(Operation::Copy(node.get()?.copy(state, Place::caller())?))
}

/// The place of a new node: its graph, the nodes before it, where its handle goes.
struct New {
    out: Out<usize>,
    graph: usize,
    before: In<usize>,
    count: usize,
}

impl New {
    fn node(&self, state: &mut Runtime, operation: Operation) -> Status {
        if self.out.is_null() {
            return Err(Code::INVALID_VALUE);
        }
        operation.check(state)?;
        let mut before = self.before.list(self.count)?;
        let length = before.len();
        before.sort_unstable();
        before.dedup();
        if before.len() < length {
            return Err(Code::INVALID_VALUE);
        }
        let node = state.add_node(self.graph, before, operation)?;
        self.out.set(node)
    }
}

/// Changes the operation of a node, which stays of its kind.
pub(crate) fn change(state: &mut Runtime, node: usize, operation: Operation) -> Status {
    operation.check(state)?;
    let own = &mut state.graphs.node_mut(node)?.operation;
    replace(own, operation)
}

/// Puts an operation in the place of one of the same kind.
pub(crate) fn replace(own: &mut Operation, operation: Operation) -> Status {
    if std::mem::discriminant(own) != std::mem::discriminant(&operation) {
        return Err(Code::INVALID_VALUE);
    }
    *own = operation;
    Ok(())
}

api! {
    /// Adds a launch.
    fn hipGraphAddKernelNode(out: Out<usize>, graph: usize, before: In<usize>, count: usize, node: In<KernelNode>) {
        let mut state = lock();
        let operation = kernel(&mut state, node)?;
        New { out, graph, before, count }.node(&mut state, operation)
    }

    /// Adds a copy of a box.
    fn hipGraphAddMemcpyNode(out: Out<usize>, graph: usize, before: In<usize>, count: usize, node: In<Box3>) {
        let mut state = lock();
        let operation = cuboid(&state, node)?;
        New { out, graph, before, count }.node(&mut state, operation)
    }

    /// Adds a copy of a box.
    fn hipDrvGraphAddMemcpyNode(
        out: Out<usize>, graph: usize, before: In<usize>, count: usize, node: In<DriverBox3>, _context: usize,
    ) {
        let mut state = lock();
        let operation = Operation::Copy(driver_box(node)?.copy(&state, Place::caller())?);
        New { out, graph, before, count }.node(&mut state, operation)
    }

    /// Adds a copy of bytes.
    fn hipGraphAddMemcpyNode1D(
        out: Out<usize>, graph: usize, before: In<usize>, count: usize, to: usize, from: usize, size: usize,
        kind: i32,
    ) {
        New { out, graph, before, count }.node(&mut lock(), line(to, from, size, kind)?)
    }

    /// Adds a copy out of a variable.
    fn hipGraphAddMemcpyNodeFromSymbol(
        out: Out<usize>, graph: usize, before: In<usize>, count: usize, to: usize, symbol: usize, size: usize,
        offset: usize, kind: i32,
    ) {
        let operation = line(to, part(symbol, offset, size)?, size, kind)?;
        New { out, graph, before, count }.node(&mut lock(), operation)
    }

    /// Adds a copy into a variable.
    fn hipGraphAddMemcpyNodeToSymbol(
        out: Out<usize>, graph: usize, before: In<usize>, count: usize, symbol: usize, from: usize, size: usize,
        offset: usize, kind: i32,
    ) {
        let operation = line(part(symbol, offset, size)?, from, size, kind)?;
        New { out, graph, before, count }.node(&mut lock(), operation)
    }

    /// Adds a fill.
    fn hipGraphAddMemsetNode | hipDrvGraphAddMemsetNode (
        out: Out<usize>, graph: usize, before: In<usize>, count: usize, node: In<FillNode>,
    ) {
        New { out, graph, before, count }.node(&mut lock(), fill(node)?)
    }

    /// Adds a call of the program's.
    fn hipGraphAddHostNode(out: Out<usize>, graph: usize, before: In<usize>, count: usize, node: In<HostNode>) {
        New { out, graph, before, count }.node(&mut lock(), host(node)?)
    }

    /// Adds nothing: others can come after it.
    fn hipGraphAddEmptyNode(out: Out<usize>, graph: usize, before: In<usize>, count: usize) {
        New { out, graph, before, count }.node(&mut lock(), Operation::Empty)
    }

    /// Adds a graph as one node: a copy of it as it is now.
    fn hipGraphAddChildGraphNode(out: Out<usize>, graph: usize, before: In<usize>, count: usize, child: usize) {
        let mut state = lock();
        if child == graph {
            return Err(Code::INVALID_VALUE);
        }
        let graph_of_node = state.clone_graph(child)?;
        New { out, graph, before, count }.node(&mut state, Operation::Child { graph: graph_of_node })
    }

    /// Adds the record of an event.
    fn hipGraphAddEventRecordNode(out: Out<usize>, graph: usize, before: In<usize>, count: usize, event: usize) {
        New { out, graph, before, count }.node(&mut lock(), Operation::Record { event })
    }

    /// Adds a wait for an event.
    fn hipGraphAddEventWaitNode(out: Out<usize>, graph: usize, before: In<usize>, count: usize, event: usize) {
        New { out, graph, before, count }.node(&mut lock(), Operation::Wait { event })
    }

    /// Adds an allocation, whose address is known at once.
    fn hipGraphAddMemAllocNode(
        out: Out<usize>, graph: usize, before: In<usize>, count: usize, node: Out<AllocateNode>,
    ) {
        let mut wanted = node.get()?;
        if wanted.size == 0 {
            return Err(Code::INVALID_VALUE);
        }
        let mut state = lock();
        let request = Request { made_by: "hipGraphAddMemAllocNode", ..Request::new(wanted.size) };
        let (address, operation) = allocate_in_stream(&mut state, &request, Place::caller())?;
        wanted.address = address;
        node.set(wanted)?;
        New { out, graph, before, count }.node(&mut state, operation)
    }

    /// Adds the end of an allocation.
    fn hipGraphAddMemFreeNode | hipDrvGraphAddMemFreeNode (
        out: Out<usize>, graph: usize, before: In<usize>, count: usize, address: usize,
    ) {
        let operation = Operation::Free { address, place: Place::caller() };
        New { out, graph, before, count }.node(&mut lock(), operation)
    }

    /// Changes a launch.
    fn hipGraphKernelNodeSetParams(node: usize, what: In<KernelNode>) {
        let mut state = lock();
        let operation = kernel(&mut state, what)?;
        change(&mut state, node, operation)
    }

    /// Tells a launch. Arguments are those of the node, which stay until it changes.
    fn hipGraphKernelNodeGetParams(node: usize, out: Out<KernelNode>) {
        let mut state = lock();
        let Operation::Launch(own) = &mut state.graphs.node_mut(node)?.operation else {
            return Err(Code::INVALID_VALUE);
        };
        own.shown = own.dispatch.arguments.iter().map(|argument| argument.as_ptr() as usize).collect();
        let dim = |[x, y, z]: [u32; 3]| Dim3 { x, y, z };
        out.set(KernelNode {
            block: dim(own.dispatch.block),
            extra: In::at_address(0),
            function: own.function,
            grid: dim(own.dispatch.grid),
            arguments: In::at_address(own.shown.as_ptr() as usize),
            shared: own.dispatch.dynamic_lds,
        })
    }

    /// Tells a copy.
    fn hipGraphMemcpyNodeGetParams(node: usize, out: Out<Box3>) {
        let state = lock();
        match &state.graphs.node(node)?.operation {
            Operation::Copy(copy) => out.set(Box3::of(copy)),
            _ => Err(Code::INVALID_VALUE),
        }
    }

    /// Changes a copy of a box.
    fn hipGraphMemcpyNodeSetParams(node: usize, what: In<Box3>) {
        let mut state = lock();
        let operation = cuboid(&state, what)?;
        change(&mut state, node, operation)
    }

    /// Changes a copy of bytes.
    fn hipGraphMemcpyNodeSetParams1D(node: usize, to: usize, from: usize, size: usize, kind: i32) {
        change(&mut lock(), node, line(to, from, size, kind)?)
    }

    /// Changes a copy out of a variable.
    fn hipGraphMemcpyNodeSetParamsFromSymbol(
        node: usize, to: usize, symbol: usize, size: usize, offset: usize, kind: i32,
    ) {
        let operation = line(to, part(symbol, offset, size)?, size, kind)?;
        change(&mut lock(), node, operation)
    }

    /// Changes a copy into a variable.
    fn hipGraphMemcpyNodeSetParamsToSymbol(
        node: usize, symbol: usize, from: usize, size: usize, offset: usize, kind: i32,
    ) {
        let operation = line(part(symbol, offset, size)?, from, size, kind)?;
        change(&mut lock(), node, operation)
    }

    /// Changes a fill.
    fn hipGraphMemsetNodeSetParams(node: usize, what: In<FillNode>) {
        change(&mut lock(), node, fill(what)?)
    }

    /// Tells a fill.
    fn hipGraphMemsetNodeGetParams(node: usize, out: Out<FillNode>) {
        let state = lock();
        let Operation::Fill(own) = &state.graphs.node(node)?.operation else { return Err(Code::INVALID_VALUE) };
        let &Fill { to, width, height, value, element, .. } = own;
        let node = FillNode {
            to: to.address,
            element: element as u32,
            height,
            pitch: to.pitch,
            value,
            width: width / element,
        };
        out.set(node)
    }

    /// Changes a call of the program's.
    fn hipGraphHostNodeSetParams(node: usize, what: In<HostNode>) {
        change(&mut lock(), node, host(what)?)
    }

    /// Tells a call of the program's.
    fn hipGraphHostNodeGetParams(node: usize, out: Out<HostNode>) {
        let state = lock();
        match state.graphs.node(node)?.operation {
            Operation::Host { function, argument } => out.set(HostNode { function, argument }),
            _ => Err(Code::INVALID_VALUE),
        }
    }

    /// Gives the graph of a node that is one.
    fn hipGraphChildGraphNodeGetGraph(node: usize, out: Out<usize>) {
        let state = lock();
        match state.graphs.node(node)?.operation {
            Operation::Child { graph } => out.set(graph),
            _ => Err(Code::INVALID_VALUE),
        }
    }

    /// Gives the event that a node records.
    fn hipGraphEventRecordNodeGetEvent(node: usize, out: Out<usize>) {
        let state = lock();
        match state.graphs.node(node)?.operation {
            Operation::Record { event } => out.set(event),
            _ => Err(Code::INVALID_VALUE),
        }
    }

    /// Changes the event that a node records.
    fn hipGraphEventRecordNodeSetEvent(node: usize, event: usize) {
        change(&mut lock(), node, Operation::Record { event })
    }

    /// Gives the event that a node waits for.
    fn hipGraphEventWaitNodeGetEvent(node: usize, out: Out<usize>) {
        let state = lock();
        match state.graphs.node(node)?.operation {
            Operation::Wait { event } => out.set(event),
            _ => Err(Code::INVALID_VALUE),
        }
    }

    /// Changes the event that a node waits for.
    fn hipGraphEventWaitNodeSetEvent(node: usize, event: usize) {
        change(&mut lock(), node, Operation::Wait { event })
    }

    /// Gives the address that a node frees.
    fn hipGraphMemFreeNodeGetParams(node: usize, out: Out<usize>) {
        let state = lock();
        match state.graphs.node(node)?.operation {
            Operation::Free { address, .. } => out.set(address),
            _ => Err(Code::INVALID_VALUE),
        }
    }
}
