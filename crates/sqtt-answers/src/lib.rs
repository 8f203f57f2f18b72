//! What people look at: flame graphs, timelines and reports of traces.
//!
//! The decoder ([`sqtt_decoder`]) turns trace folders into markers of waves; this crate draws and explains them. Every
//! exporter takes what to write and a writer, and does no I/O of its own.
//!
//! - [`flame`]: where the time goes, by stack: SVG, folded stacks, speedscope;
//! - [`perfetto`]: what happened when, as Chrome's trace event JSON, written as a stream;
//! - [`report`]: all of it in one HTML file;
//! - [`whereabouts`]: where the waves are that a trace leaves alive, and who waits for whom;
//! - [`rate`]: how fast the shader clock ran.

#![forbid(unsafe_code)]

pub mod flame;
pub mod perfetto;
pub mod rate;
pub mod report;
pub mod whereabouts;

mod names;
