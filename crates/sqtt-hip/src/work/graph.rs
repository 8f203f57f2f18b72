//! Graphs, and graphs made ready to run.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::operation::Operation;
use crate::error::Code;
use crate::raw::callback::HostFunction;
use crate::runtime::Runtime;

/// A node: an operation, and the nodes before it.
#[derive(Debug, Clone)]
pub(crate) struct Node {
    pub(crate) operation: Operation,
    pub(crate) before: Vec<usize>,
    /// The node that it was cloned from.
    pub(crate) original: Option<usize>,
}

/// A graph: nodes in the order in which they were added.
#[derive(Debug, Clone, Default)]
pub(crate) struct Graph {
    pub(crate) nodes: BTreeMap<usize, Node>,
}

/// A graph made ready: its operations in an order in which they can run.
#[derive(Debug, Clone)]
pub(crate) struct Exec {
    pub(crate) steps: Vec<Step>,
    pub(crate) flags: u64,
}

/// A node of an [`Exec`].
#[derive(Debug, Clone)]
pub(crate) struct Step {
    pub(crate) node: usize,
    pub(crate) operation: Operation,
    pub(crate) is_enabled: bool,
}

/// A counted object of the program's with its destructor.
#[derive(Debug, Clone, Copy)]
pub(crate) struct UserObject {
    pub(crate) object: usize,
    pub(crate) destroy: HostFunction,
    pub(crate) count: u32,
}

/// All graphs of the process.
#[derive(Debug, Default)]
pub(crate) struct Graphs {
    pub(crate) graphs: HashMap<usize, Graph>,
    /// The graph of a node.
    owners: HashMap<usize, usize>,
    pub(crate) ready: HashMap<usize, Exec>,
    pub(crate) objects: HashMap<usize, UserObject>,
}

impl Graphs {
    pub(crate) fn graph(&self, graph: usize) -> Result<&Graph, Code> {
        self.graphs.get(&graph).ok_or(Code::INVALID_VALUE)
    }

    pub(crate) fn graph_mut(&mut self, graph: usize) -> Result<&mut Graph, Code> {
        self.graphs.get_mut(&graph).ok_or(Code::INVALID_VALUE)
    }

    pub(crate) fn owner(&self, node: usize) -> Result<usize, Code> {
        self.owners.get(&node).copied().ok_or(Code::INVALID_VALUE)
    }

    pub(crate) fn node(&self, node: usize) -> Result<&Node, Code> {
        self.graph(self.owner(node)?)?.nodes.get(&node).ok_or(Code::INVALID_VALUE)
    }

    pub(crate) fn node_mut(&mut self, node: usize) -> Result<&mut Node, Code> {
        let owner = self.owner(node)?;
        self.graph_mut(owner)?.nodes.get_mut(&node).ok_or(Code::INVALID_VALUE)
    }

    /// The step of a ready graph that a node became.
    pub(crate) fn step_mut(&mut self, ready: usize, node: usize) -> Result<&mut Step, Code> {
        let exec = self.ready.get_mut(&ready).ok_or(Code::INVALID_VALUE)?;
        exec.steps.iter_mut().find(|step| step.node == node).ok_or(Code::INVALID_VALUE)
    }

    /// Removes a graph with its nodes.
    pub(crate) fn remove(&mut self, graph: usize) -> Option<Graph> {
        self.owners.retain(|_, owner| *owner != graph);
        self.graphs.remove(&graph)
    }

    /// Removes a node, and all that comes after it no longer does.
    pub(crate) fn remove_node(&mut self, node: usize) -> Result<(), Code> {
        let owner = self.owner(node)?;
        let graph = self.graph_mut(owner)?;
        graph.nodes.remove(&node);
        graph.nodes.values_mut().for_each(|other| other.before.retain(|&before| before != node));
        self.owners.remove(&node);
        Ok(())
    }

    /// Nodes with all that come before them.
    pub(crate) fn with_all_before(&self, graph: usize, nodes: &[usize]) -> HashSet<usize> {
        let (mut found, mut open) = (HashSet::new(), nodes.to_vec());
        while let Some(node) = open.pop() {
            if found.insert(node)
                && let Some(node) = self.graphs.get(&graph).and_then(|graph| graph.nodes.get(&node))
            {
                open.extend(&node.before);
            }
        }
        found
    }

    /// The operations of a graph in an order in which each comes after those before it; a circle is an error.
    pub(crate) fn in_order(&self, graph: usize) -> Result<Vec<(usize, Operation)>, Code> {
        let graph = self.graph(graph)?;
        let (mut done, mut list) = (HashSet::new(), Vec::new());
        while list.len() < graph.nodes.len() {
            let length = list.len();
            for (&handle, node) in &graph.nodes {
                if !done.contains(&handle) && node.before.iter().all(|before| done.contains(before)) {
                    done.insert(handle);
                    list.push((handle, node.operation.clone()));
                }
            }
            if list.len() == length {
                return Err(Code::INVALID_VALUE);
            }
        }
        Ok(list)
    }
}

impl Runtime {
    pub(crate) fn new_graph(&mut self) -> usize {
        let handle = self.handle();
        self.graphs.graphs.insert(handle, Graph::default());
        handle
    }

    /// Adds a node after others of its graph.
    pub(crate) fn add_node(
        &mut self,
        graph: usize,
        before: Vec<usize>,
        operation: Operation,
    ) -> Result<usize, Code> {
        let known = &self.graphs.graph(graph)?.nodes;
        if !before.iter().all(|node| known.contains_key(node)) {
            return Err(Code::INVALID_VALUE);
        }
        let handle = self.handle();
        self.graphs.owners.insert(handle, graph);
        let node = Node { operation, before, original: None };
        self.graphs.graph_mut(graph)?.nodes.insert(handle, node);
        Ok(handle)
    }

    /// A copy of a graph, of which every node knows its original.
    pub(crate) fn clone_graph(&mut self, graph: usize) -> Result<usize, Code> {
        let nodes = self.graphs.graph(graph)?.nodes.clone();
        let copy = self.new_graph();
        let names: HashMap<usize, usize> = nodes.keys().map(|&node| (node, self.handle())).collect();
        for (handle, mut node) in nodes {
            node.before.iter_mut().for_each(|before| *before = names[before]);
            node.original = Some(handle);
            self.graphs.owners.insert(names[&handle], copy);
            self.graphs.graph_mut(copy)?.nodes.insert(names[&handle], node);
        }
        Ok(copy)
    }

    /// Makes a graph ready to run.
    pub(crate) fn instantiate(&mut self, graph: usize, flags: u64) -> Result<usize, Code> {
        let list = self.graphs.in_order(graph)?;
        let step = |(node, operation)| Step { node, operation, is_enabled: true };
        let steps = list.into_iter().map(step).collect();
        let handle = self.handle();
        self.graphs.ready.insert(handle, Exec { steps, flags });
        Ok(handle)
    }
}
