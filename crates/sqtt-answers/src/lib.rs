#![doc = include_str!("../README.md")]
//!
//! Answers that people and programs read: tables, flame graphs, timelines and reports of traces.
//!
//! The decoder ([`sqtt_decoder`]) turns trace folders into markers of waves; this crate prints, draws and explains them.
//! Every exporter takes what to write and a writer, and does no I/O of its own.
//!
//! - [`events`], [`stats`], [`values`], [`memory`], [`funcmap`]: text for people, JSON and CSV;
//! - [`table`]: rows with typed columns, and one writer per format, which these use;
//! - [`flame`]: where the time goes, by stack: SVG, folded stacks, speedscope;
//! - [`perfetto`]: what happened when, as Chrome's trace event JSON, written as a stream;
//! - [`report`]: all of it in one HTML file;
//! - [`whereabouts`]: where the waves are that a trace leaves alive, and who waits for whom;
//! - [`rate`]: how fast the shader clock ran.

#![forbid(unsafe_code)]

pub mod events;
pub mod flame;
pub mod funcmap;
pub mod memory;
pub mod perfetto;
pub mod rate;
pub mod report;
pub mod stats;
pub mod table;
pub mod values;
pub mod whereabouts;

mod losses;
mod names;

pub use losses::write_lost_line;
pub use names::NameStyle;
pub use table::Format;
