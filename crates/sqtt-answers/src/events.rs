//! Records with names, one per line.

use std::fmt;
use std::io::{self, Write};

use serde::Serialize;
use sqtt_format::{Entry, Printable};

use sqtt_decoder::names::shown;

use crate::names::INLINED;
use sqtt_decoder::names::unknown_name;
use sqtt_decoder::stream::{CloseReason, Closed, Event, EventKind, Wave};

/// Writes an event as a line of text: time, wave, what happened, name, and what else is known.
///
/// # Errors
///
/// Those of the writer.
pub fn write_event_text(
    out: &mut dyn Write,
    wave: &Wave<'_>,
    event: &Event<'_>,
    demangle: bool,
) -> io::Result<()> {
    write!(out, "{:>12}  {}#{}  ", event.time, wave.slot, wave.generation)?;
    let indent = event.depth.saturating_sub(usize::from(opens(event.kind)));
    write!(out, "{:>width$}{}", "", kind_name(event.kind), width = indent.min(40) * 2)?;
    if has_name(event) {
        write!(out, " {}", Printable(&name(event.entry, event.marker.id, demangle)))?;
        if let Some(location) = event.entry.and_then(Entry::source_loc) {
            write!(out, "  @ {}", Printable(location))?;
        }
        if is_inlined(wave, event.marker.id) {
            write!(out, "  {INLINED}")?;
        }
    }
    if let Some(closed) = &event.closed {
        write!(
            out,
            "  closes {}{} after {} cycles",
            Printable(&name(closed.entry, closed.id, demangle)),
            if is_inlined(wave, closed.id) { format!(" {INLINED}") } else { String::new() },
            closed.inclusive()
        )?;
        if closed.reason != CloseReason::Marker {
            write!(out, " ({})", reason(closed.reason))?;
        }
    } else if matches!(event.kind, EventKind::Exit | EventKind::ExitEnter) {
        write!(out, "  closes nothing")?;
    }
    if event.truncated {
        write!(out, "  payload lost")?;
    }
    if !event.payload.is_empty() {
        write!(out, "  [{}]", Words(event.payload))?;
    }
    if let (Some(raw), EventKind::Undecoded | EventKind::Reserved) = (event.raw, event.kind) {
        write!(out, "  {raw:#x}")?;
    }
    writeln!(out)
}

struct Words<'a>(&'a [u32]);

impl fmt::Display for Words<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, word) in self.0.iter().enumerate() {
            let gap = if index > 0 { " " } else { "" };
            write!(out, "{gap}{word:#x}")?;
        }
        Ok(())
    }
}

/// What an event is called in text and JSON.
const fn kind_name(kind: EventKind) -> &'static str {
    match kind {
        EventKind::Enter => "enter",
        EventKind::Exit => "exit",
        EventKind::ExitEnter => "exit_enter",
        EventKind::Point => "point",
        EventKind::Reserved => "reserved",
        EventKind::Undecoded => "undecoded",
    }
}

const fn opens(kind: EventKind) -> bool {
    matches!(kind, EventKind::Enter | EventKind::ExitEnter)
}

const fn has_name(event: &Event<'_>) -> bool {
    opens(event.kind) || matches!(event.kind, EventKind::Point)
}

const fn reason(reason: CloseReason) -> &'static str {
    match reason {
        CloseReason::Marker => "by its exit",
        CloseReason::WaveEnd => "open when its wave ended",
        CloseReason::TraceEnd => "open at the end of the trace",
        CloseReason::PacketLoss => "cut by packet loss",
    }
}

fn name(entry: Option<&Entry>, id: u32, demangle: bool) -> Vec<u8> {
    match entry.filter(|entry| !entry.name().is_empty()) {
        Some(entry) if entry.kind() == sqtt_format::EntryKind::Function => {
            shown(entry.name(), demangle).into_owned()
        }
        Some(entry) => entry.name().to_vec(),
        None => unknown_name(id).into_bytes(),
    }
}

/// True if a marker is that of a function of which no code of its own is left.
fn is_inlined(wave: &Wave<'_>, id: u32) -> bool {
    wave.map().is_some_and(|map| map.is_inlined(id))
}

#[derive(Serialize)]
struct EventJson<'a> {
    folder: &'a str,
    time: i64,
    se: u32,
    cu: u16,
    simd: u8,
    slot: u8,
    generation: u32,
    kernel: Option<String>,
    code_object: Option<u64>,
    event: &'static str,
    id: Option<u32>,
    kind: Option<&'static str>,
    name: Option<String>,
    source_loc: Option<String>,
    inlined: bool,
    raw: Option<u32>,
    arrival: i64,
    shader_clock: Option<u32>,
    payload: &'a [u32],
    truncated: bool,
    closed: Option<ClosedJson>,
    depth: usize,
}

#[derive(Serialize)]
struct ClosedJson {
    id: u32,
    name: String,
    inlined: bool,
    begin: i64,
    inclusive: i64,
    exclusive: i64,
    by: &'static str,
}

/// Writes an event as one JSON object and a newline. `folder` is the trace folder: times of different
/// folders cannot be compared. What is not there is `null`.
///
/// # Errors
///
/// Those of the writer.
pub fn write_event_json(
    out: &mut dyn Write,
    folder: &str,
    wave: &Wave<'_>,
    event: &Event<'_>,
    demangle: bool,
) -> io::Result<()> {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let closed = |closed: Closed<'_>| ClosedJson {
        id: closed.id,
        name: text(&name(closed.entry, closed.id, demangle)),
        inlined: is_inlined(wave, closed.id),
        begin: closed.begin,
        inclusive: closed.inclusive(),
        exclusive: closed.exclusive(),
        by: closed.reason.name(),
    };
    let named = has_name(event);
    let json = EventJson {
        folder,
        time: event.time,
        se: wave.slot.se,
        cu: wave.slot.cu,
        simd: wave.slot.simd,
        slot: wave.slot.slot,
        generation: wave.generation,
        kernel: wave.kernel.map(|kernel| text(&shown(kernel.name.as_bytes(), demangle))),
        code_object: wave.map().and_then(|map| map.object_id()),
        event: kind_name(event.kind),
        id: named.then_some(event.marker.id),
        kind: event.entry.filter(|_| named).map(|entry| entry.kind().name()),
        name: named.then(|| text(&name(event.entry, event.marker.id, demangle))),
        source_loc: event.entry.filter(|_| named).and_then(Entry::source_loc).map(text),
        inlined: named && is_inlined(wave, event.marker.id),
        raw: event.raw,
        arrival: event.arrival,
        shader_clock: event.shader_clock,
        payload: event.payload,
        truncated: event.truncated,
        closed: event.closed.map(closed),
        depth: event.depth,
    };
    serde_json::to_writer(&mut *out, &json)?;
    writeln!(out)
}
