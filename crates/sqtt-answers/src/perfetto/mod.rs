//! Events over time: a folder as Chrome's trace event JSON, which Perfetto, `chrome://tracing` and
//! speedscope open.
//!
//! - A *process* is a dispatch where the trace knows dispatches (files of version 3.1), else a kernel: a
//!   kernel's number in a trace is no dispatch. Process 1 is the trace itself: how its times are to be read,
//!   and what was lost.
//! - A *thread* is one wave. Processes and threads are numbered as they come, so no two share a number.
//! - A scope is a pair of `B` and `E` inside of its wave's own pair. They are written wave by wave, in the
//!   order in which they happened; so are those of one time.
//! - A point is an `i`; a data marker is one too, and a value (`C`) of the counter of its slot.
//! - `ts` is in microseconds, as the format has it, with three digits behind the point. Where no rate of the
//!   shader clock is known, a cycle is written as a nanosecond (`ts` is cycles / 1000) and the trace says
//!   `nominal`. `args` have the cycle itself.
//!
//! Nothing is held back: memory does not grow with the trace.

mod args;
mod dispatches;
mod stream;
mod waves;

use std::io::{self, Write};

use sqtt_decoder::trace::Trace;
use sqtt_decoder::{Filter, Ledger};

use crate::names::NameStyle;
use crate::rate::ClockRate;

/// Choices for writing a folder.
#[derive(Clone, Copy, Debug, Default)]
pub struct PerfettoOptions<'a> {
    /// The rate of the shader clock in GHz; where none is given that of `realtime.json` counts.
    pub clock_ghz: Option<f64>,
    /// Style of names.
    pub names: NameStyle,
    /// The first thing that happened is at time 0.
    pub from_zero: bool,
    /// Losses outside of the folder, for the file to say so: code objects, folders that could not be looked
    /// into.
    pub outside: Option<&'a Ledger>,
}

/// Writes the waves of a folder that `filter` lets through. The ledger is that of the folder and of these
/// waves.
///
/// # Errors
///
/// Errors of the writer.
pub fn write_perfetto(
    out: &mut dyn Write,
    trace: &Trace,
    filter: &Filter,
    options: &PerfettoOptions<'_>,
) -> io::Result<Ledger> {
    let rate = ClockRate::of(trace, options.clock_ghz);
    waves::write(out, trace, filter, options, rate)
}
