//! Work: operations, streams, events, graphs.
//!
//! The model is simple and exact: an operation runs when it is submitted, in the thread that submits it. Work is so in
//! the order of all streams, and what a stream would wait for has been done.

pub(crate) mod capture;
pub(crate) mod event;
pub(crate) mod event_api;
pub(crate) mod exec_api;
pub(crate) mod graph;
pub(crate) mod graph_api;
pub(crate) mod node_api;
pub(crate) mod operation;
pub(crate) mod stream;
pub(crate) mod stream_api;
pub(crate) mod submit;
pub(crate) mod values_api;
