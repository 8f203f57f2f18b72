//! Flame graphs, timelines, reports and living waves, and the programs that open them.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod support;

mod browser;
mod flame;
mod fuzz_targets;
mod perfetto;
mod report;
mod whereabouts;
