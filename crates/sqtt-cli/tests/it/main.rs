//! The `sqtt` command from outside: its arguments, output, files and exit codes.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod command;
#[path = "../../../sqtt-decoder/tests/it/common.rs"]
#[expect(dead_code, reason = "the decoder's tests use more of it")]
mod common;
#[path = "../../../sqtt-decoder/tests/it/traces.rs"]
#[expect(dead_code, reason = "the decoder's tests use more of it")]
mod traces;

mod answers;
mod att;
mod doctor;
mod extract;
mod funcmap;
mod funcmap_linked;
#[cfg(unix)]
mod input_files;
#[cfg(unix)]
mod install;
#[cfg(unix)]
mod interrupt;
mod manual;
mod marker_names;
mod memory_trace;
mod memory_trace_lds;
mod output_contents;
mod payloads;
mod print_stats_check;
mod raw_traces;
mod rocpd;
#[cfg(unix)]
mod run;
mod sim;
mod units;
mod whereabouts;
