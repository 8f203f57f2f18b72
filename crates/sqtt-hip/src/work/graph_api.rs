//! Functions of graphs and of their structure.

use super::graph::UserObject;
use super::operation::Operation;
use crate::call::api;
use crate::error::{Code, Status};
use crate::raw::callback::HostFunction;
use crate::raw::{In, Out, Text};
use crate::runtime::lock;
use crate::version;

/// Gives a list as HIP does: its length where there is no place for it, else as much as there is room for.
fn list(values: &[usize], out: Out<usize>, count: Out<usize>) -> Status {
    if !out.is_null() {
        let room = count.get()?;
        for index in 0..room {
            out.put(index, values.get(index).copied().unwrap_or(0))?;
        }
    }
    count.set(values.len())
}

/// `hipGraphNodeType`.
fn kind(operation: &Operation) -> i32 {
    match operation {
        Operation::Launch(_) => 0,
        Operation::Copy(_) => 1,
        Operation::Fill(_) => 2,
        Operation::Host { .. } | Operation::Callback { .. } => 3,
        Operation::Child { .. } => 4,
        Operation::Empty | Operation::Write { .. } => 5,
        Operation::Wait { .. } => 6,
        Operation::Record { .. } => 7,
        Operation::Allocate => 10,
        Operation::Free { .. } => 11,
    }
}

fn edges(from: In<usize>, to: In<usize>, count: usize) -> Result<Vec<(usize, usize)>, Code> {
    Ok(from.list(count)?.into_iter().zip(to.list(count)?).collect())
}

api! {
    /// Makes an empty graph.
    fn hipGraphCreate(out: Out<usize>, flags: u32) {
        if flags != 0 || out.is_null() {
            return Err(Code::INVALID_VALUE);
        }
        let graph = lock().new_graph();
        out.set(graph)
    }

    /// Ends a graph.
    fn hipGraphDestroy(graph: usize) {
        lock().graphs.remove(graph).map(|_| ()).ok_or(Code::INVALID_VALUE)
    }

    /// Copies a graph.
    fn hipGraphClone(out: Out<usize>, graph: usize) {
        if out.is_null() {
            return Err(Code::INVALID_VALUE);
        }
        let copy = lock().clone_graph(graph)?;
        out.set(copy)
    }

    /// Finds a node's copy.
    fn hipGraphNodeFindInClone(out: Out<usize>, node: usize, copy: usize) {
        let state = lock();
        let nodes = &state.graphs.graph(copy)?.nodes;
        let found = nodes.iter().find(|(_, own)| own.original == Some(node));
        out.set(*found.ok_or(Code::INVALID_VALUE)?.0)
    }

    /// Gives the nodes of a graph.
    fn hipGraphGetNodes(graph: usize, nodes: Out<usize>, count: Out<usize>) {
        let state = lock();
        let all: Vec<usize> = state.graphs.graph(graph)?.nodes.keys().copied().collect();
        list(&all, nodes, count)
    }

    /// Gives the nodes that come after none.
    fn hipGraphGetRootNodes(graph: usize, nodes: Out<usize>, count: Out<usize>) {
        let state = lock();
        let nodes_of = state.graphs.graph(graph)?.nodes.iter();
        let roots: Vec<usize> = nodes_of.filter(|(_, n)| n.before.is_empty()).map(|(&n, _)| n).collect();
        list(&roots, nodes, count)
    }

    /// Gives the edges of a graph.
    fn hipGraphGetEdges(graph: usize, from: Out<usize>, to: Out<usize>, count: Out<usize>) {
        let state = lock();
        let nodes = state.graphs.graph(graph)?.nodes.iter();
        let all: Vec<(usize, usize)> =
            nodes.flat_map(|(&to, node)| node.before.iter().map(move |&from| (from, to))).collect();
        if !from.is_null() && !to.is_null() {
            for index in 0..count.get()? {
                let (a, b) = all.get(index).copied().unwrap_or((0, 0));
                from.put(index, a)?;
                to.put(index, b)?;
            }
        }
        count.set(all.len())
    }

    /// Gives the nodes that a node comes after.
    fn hipGraphNodeGetDependencies(node: usize, nodes: Out<usize>, count: Out<usize>) {
        let state = lock();
        let before = state.graphs.node(node)?.before.clone();
        list(&before, nodes, count)
    }

    /// Gives the nodes that come after a node.
    fn hipGraphNodeGetDependentNodes(node: usize, nodes: Out<usize>, count: Out<usize>) {
        let state = lock();
        let graph = state.graphs.graph(state.graphs.owner(node)?)?;
        let after = graph.nodes.iter().filter(|(_, other)| other.before.contains(&node));
        let after: Vec<usize> = after.map(|(&handle, _)| handle).collect();
        list(&after, nodes, count)
    }

    /// Gives the kind of a node.
    fn hipGraphNodeGetType(node: usize, out: Out<i32>) {
        let kind = kind(&lock().graphs.node(node)?.operation);
        // HIP 5 counts from 1.
        out.set(kind + i32::from(version::wanted() < 6))
    }

    /// Adds edges.
    fn hipGraphAddDependencies(graph: usize, from: In<usize>, to: In<usize>, count: usize) {
        let edges = edges(from, to, count)?;
        let mut state = lock();
        for (from, to) in edges {
            if state.graphs.owner(from)? != graph || state.graphs.owner(to)? != graph || from == to {
                return Err(Code::INVALID_VALUE);
            }
            let before = &mut state.graphs.node_mut(to)?.before;
            if before.contains(&from) {
                return Err(Code::INVALID_VALUE);
            }
            before.push(from);
        }
        Ok(())
    }

    /// Removes edges.
    fn hipGraphRemoveDependencies(graph: usize, from: In<usize>, to: In<usize>, count: usize) {
        let edges = edges(from, to, count)?;
        let mut state = lock();
        for (from, to) in edges {
            if state.graphs.owner(to)? != graph {
                return Err(Code::INVALID_VALUE);
            }
            let before = &mut state.graphs.node_mut(to)?.before;
            let at = before.iter().position(|&node| node == from).ok_or(Code::INVALID_VALUE)?;
            before.remove(at);
        }
        Ok(())
    }

    /// Removes a node.
    fn hipGraphDestroyNode(node: usize) {
        lock().graphs.remove_node(node)
    }

    /// Writes a graph as a DOT file.
    fn hipGraphDebugDotPrint(graph: usize, path: Text, _flags: u32) {
        let path = path.get()?;
        let state = lock();
        let graph = state.graphs.graph(graph)?;
        let mut text = "digraph graph_ {\n".to_owned();
        for (handle, node) in &graph.nodes {
            let debug = format!("{:?}", node.operation);
            let name = debug.split([' ', '(', '{']).next().unwrap_or_default();
            text.push_str(&format!("  n{handle:x} [label=\"{name}\"];\n"));
            node.before.iter().for_each(|before| text.push_str(&format!("  n{before:x} -> n{handle:x};\n")));
        }
        text.push_str("}\n");
        std::fs::write(path, text).map_err(|_| Code::OPERATING_SYSTEM)
    }

    /// Makes a counted object.
    fn hipUserObjectCreate(out: Out<usize>, object: usize, destroy: HostFunction, count: u32, _flags: u32) {
        if out.is_null() || destroy.is_null() || count == 0 {
            return Err(Code::INVALID_VALUE);
        }
        let mut state = lock();
        let handle = state.handle();
        state.graphs.objects.insert(handle, UserObject { object, destroy, count });
        out.set(handle)
    }

    /// Counts an object up.
    fn hipUserObjectRetain(object: usize, count: u32) {
        let mut state = lock();
        let object = state.graphs.objects.get_mut(&object).ok_or(Code::INVALID_VALUE)?;
        object.count = object.count.checked_add(count).ok_or(Code::INVALID_VALUE)?;
        Ok(())
    }

    /// Counts an object down; at zero it is destroyed.
    fn hipUserObjectRelease(object: usize, count: u32) {
        release(object, count)
    }

    /// Lets a graph hold an object.
    fn hipGraphRetainUserObject(graph: usize, object: usize, count: u32, flags: u32) {
        let mut state = lock();
        state.graphs.graph(graph)?;
        let object = state.graphs.objects.get_mut(&object).ok_or(Code::INVALID_VALUE)?;
        // Flag 1 moves the caller's own.
        if flags & 1 == 0 {
            object.count = object.count.checked_add(count).ok_or(Code::INVALID_VALUE)?;
        }
        Ok(())
    }

    /// Ends what `hipGraphRetainUserObject` began.
    fn hipGraphReleaseUserObject(graph: usize, object: usize, count: u32) {
        lock().graphs.graph(graph)?;
        release(object, count)
    }
}

fn release(object: usize, count: u32) -> Status {
    let mut state = lock();
    let found = state.graphs.objects.get_mut(&object).ok_or(Code::INVALID_VALUE)?;
    found.count = found.count.saturating_sub(count);
    if found.count == 0 {
        let gone = state.graphs.objects.remove(&object);
        drop(state);
        gone.into_iter().for_each(|gone| gone.destroy.call(gone.object));
    }
    Ok(())
}
