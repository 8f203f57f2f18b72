//! HIP programs, compiled here, on the simulated runtime.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod instrumented;
mod loader;
mod profile;
mod programs;
mod real;
mod support;
