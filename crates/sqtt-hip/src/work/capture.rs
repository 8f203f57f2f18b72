//! Captures: a stream whose operations become nodes of a graph.

use super::event::Recorded;
use super::operation::Operation;
use crate::error::{Code, Status};
use crate::runtime::Runtime;

/// A capture in a stream.
#[derive(Debug, Clone)]
pub(crate) struct Capture {
    pub(crate) graph: usize,
    /// The nodes that the next one comes after.
    pub(crate) last: Vec<usize>,
    /// The stream is where the capture began.
    pub(crate) is_origin: bool,
    pub(crate) id: u64,
    /// A copy of `last` for C, which stays until the next question.
    pub(crate) shown: Vec<usize>,
}

impl Runtime {
    pub(crate) fn is_capturing(&self, stream: usize) -> bool {
        self.capture(stream).is_some()
    }

    pub(crate) fn capture(&self, stream: usize) -> Option<&Capture> {
        self.streams.get(&stream)?.capture.as_ref()
    }

    fn capture_mut(&mut self, stream: usize) -> Result<&mut Capture, Code> {
        self.streams.get_mut(&stream).and_then(|s| s.capture.as_mut()).ok_or(Code::ILLEGAL_STATE)
    }

    /// Begins a capture, into a new graph or into one that is there.
    pub(crate) fn begin_capture(&mut self, stream: usize, into: Option<(usize, Vec<usize>)>) -> Status {
        if !self.streams.contains_key(&stream) {
            return Err(if super::stream::is_default(stream) {
                Code::CAPTURE_UNSUPPORTED
            } else {
                Code::INVALID_HANDLE
            });
        }
        if self.is_capturing(stream) {
            return Err(Code::ILLEGAL_STATE);
        }
        let (graph, last) = match into {
            Some((graph, last)) => (graph, last),
            None => (self.new_graph(), Vec::new()),
        };
        let id = self.handle() as u64;
        if let Some(stream) = self.streams.get_mut(&stream) {
            stream.capture = Some(Capture { graph, last, is_origin: true, id, shown: Vec::new() });
        }
        Ok(())
    }

    /// Makes an operation a node of the graph that the stream captures.
    pub(crate) fn record(&mut self, stream: usize, operation: Operation) -> Status {
        let Capture { graph, last, .. } = self.capture_mut(stream)?.clone();
        match operation {
            Operation::Record { event } => {
                let event = self.events.get_mut(&event).ok_or(Code::INVALID_HANDLE)?;
                event.recorded = Recorded::In { graph, nodes: last };
                Ok(())
            }
            operation => {
                let node = self.add_node(graph, last, operation)?;
                self.capture_mut(stream)?.last = vec![node];
                Ok(())
            }
        }
    }

    /// Lets a stream wait for an event of a capture: it belongs to that capture from then on. Returns
    /// [`Code::CAPTURE_ISOLATION`] where the event is none of a capture while the stream is in one.
    pub(crate) fn join(&mut self, stream: usize, event: usize) -> Status {
        let recorded = self.event(event)?.recorded.clone();
        let Recorded::In { graph, nodes } = recorded else {
            return if self.is_capturing(stream) { Err(Code::CAPTURE_ISOLATION) } else { Ok(()) };
        };
        let is_open = |s: &super::stream::Stream| s.capture.as_ref().is_some_and(|c| c.graph == graph);
        let Some(id) = self.streams.values().find(|s| is_open(s)).and_then(|s| Some(s.capture.as_ref()?.id))
        else {
            return Err(Code::CAPTURED_EVENT);
        };
        let stream = self.streams.get_mut(&stream).ok_or(Code::CAPTURE_IMPLICIT)?;
        let capture = stream.capture.get_or_insert(Capture {
            graph,
            last: Vec::new(),
            is_origin: false,
            id,
            shown: Vec::new(),
        });
        if capture.graph != graph {
            return Err(Code::CAPTURE_MERGE);
        }
        for node in nodes {
            if !capture.last.contains(&node) {
                capture.last.push(node);
            }
        }
        Ok(())
    }

    /// Ends a capture, and gives its graph.
    pub(crate) fn end_capture(&mut self, stream: usize) -> Result<usize, Code> {
        let capture = self.capture(stream).ok_or(Code::ILLEGAL_STATE)?;
        if !capture.is_origin {
            return Err(Code::CAPTURE_UNMATCHED);
        }
        let (graph, last) = (capture.graph, capture.last.clone());
        let mut is_joined = true;
        let before = self.graphs.with_all_before(graph, &last);
        for stream in self.streams.values_mut() {
            if let Some(own) = stream.capture.take_if(|own| own.graph == graph) {
                is_joined &= own.last.iter().all(|node| before.contains(node));
            }
        }
        if !is_joined {
            self.graphs.remove(graph);
            return Err(Code::CAPTURE_UNJOINED);
        }
        Ok(graph)
    }
}
