//! Records with names, one per row.

use sqtt_decoder::stream::{CloseReason, Closed, Event, EventKind, Wave};
use sqtt_decoder::values::Value;
use sqtt_format::{Entry, Printable};

use crate::names::{NameStyle, located, marked};
use crate::table::{self, Cell, Format, JsonLayout, Rows, Table, Type, Unit};

/// Tables with a row per event.
#[derive(Debug)]
pub struct Events;

/// A row of [`Events`].
#[derive(Clone, Copy, Debug)]
pub struct EventRow<'a> {
    /// The trace folder: times of different folders cannot be compared.
    pub folder: &'a str,
    /// The wave.
    pub wave: &'a Wave<'a>,
    /// The recorded event.
    pub event: &'a Event<'a>,
    /// One of its values, if each has a row of its own.
    pub value: Option<Value>,
}

pub(crate) type Column = table::Column<Events>;

impl Rows for Events {
    type Row<'a> = EventRow<'a>;
}

/// The table of events: in text time, wave, what happened, name, and what else is known; in JSON one object per line.
#[must_use]
pub fn table(format: Format, names: NameStyle) -> Table<Events> {
    let columns = match format {
        Format::Text => time_and_wave(Column::new("event", Type::Text, move |row| line(row, names).into())),
        Format::Json | Format::Csv => columns(names),
    };
    match format {
        Format::Text => Table::text(columns, 2, false),
        Format::Json => Table::json(columns, JsonLayout::Lines { key: "event" }),
        Format::Csv => Table::csv(columns),
    }
}

fn columns(names: NameStyle) -> Vec<Column> {
    /// A column about the scope that was closed.
    fn closed(
        name: &str,
        kind: Type,
        read: impl for<'r> Fn(&EventRow<'r>, &Closed<'r>) -> Cell<'r> + 'static,
    ) -> Column {
        Column::new(format!("closed.{name}"), kind, move |row| {
            row.event.closed.as_ref().map(|closed| read(row, closed)).into()
        })
    }
    /// A column about the marker, of events that have one.
    fn named(name: &str, kind: Type, read: impl for<'r> Fn(&EventRow<'r>) -> Cell<'r> + 'static) -> Column {
        Column::new(name, kind, move |row| has_name(row.event).then(|| read(row)).into())
    }
    let mut columns = time_and_place(names);
    columns.extend([
        Column::new("event", Type::Text, |row| row.event.kind.name().into()),
        named("id", Type::Unsigned, |row| row.event.marker.id.into()),
        named("kind", Type::Text, |row| row.event.entry.map(|entry| entry.kind().name()).into()),
        named("name", Type::Text, move |row| names.marker_bytes(row.event.entry, row.event.marker.id).into()),
        named("source_loc", Type::Text, |row| source_loc(row.event).into()),
        Column::new("inlined", Type::Flag, |row| {
            (has_name(row.event) && is_inlined(row.wave, row.event.marker.id)).into()
        }),
        Column::new("raw", Type::Unsigned, |row| row.event.raw.into()),
        Column::new("arrival", Type::Signed, |row| row.event.arrival.into()).unit(Unit::Cycles),
        Column::new("shader_clock", Type::Unsigned, |row| row.event.shader_clock.into()),
        Column::new("payload", Type::List(&Type::Unsigned), |row| {
            row.event.payload.iter().copied().collect()
        }),
        Column::new("truncated", Type::Flag, |row| row.event.truncated.into()),
        closed("id", Type::Unsigned, |_, closed| closed.id.into()),
        closed("name", Type::Text, move |_, closed| names.marker_bytes(closed.entry, closed.id).into()),
        closed("inlined", Type::Flag, |row, closed| is_inlined(row.wave, closed.id).into()),
        closed("begin", Type::Signed, |_, closed| closed.begin.into()).unit(Unit::Cycles),
        closed("inclusive", Type::Signed, |_, closed| closed.inclusive().into()).unit(Unit::Cycles),
        closed("exclusive", Type::Signed, |_, closed| closed.exclusive().into()).unit(Unit::Cycles),
        closed("by", Type::Text, |_, closed| closed.reason.name().into()),
        Column::new("depth", Type::Unsigned, |row| row.event.depth.into()),
    ]);
    columns
}

/// The columns that every table of events begins with, but for text.
pub(crate) fn time_and_place(names: NameStyle) -> Vec<Column> {
    vec![
        Column::new("folder", Type::Text, |row| row.folder.into()),
        Column::new("time", Type::Signed, |row| row.event.time.into()).unit(Unit::Cycles),
        Column::new("se", Type::Unsigned, |row| row.wave.slot.se.into()),
        Column::new("cu", Type::Unsigned, |row| row.wave.slot.cu.into()),
        Column::new("simd", Type::Unsigned, |row| row.wave.slot.simd.into()),
        Column::new("slot", Type::Unsigned, |row| row.wave.slot.slot.into()),
        Column::new("generation", Type::Unsigned, |row| row.wave.generation.into()),
        Column::new("kernel", Type::Text, move |row| names.kernel_bytes(row.wave).into()),
        Column::new("code_object", Type::Unsigned, |row| code_object(row.wave).into()),
    ]
}

/// The columns of text: `last` is of any length.
pub(crate) fn time_and_wave(last: Column) -> Vec<Column> {
    let time = Column::new("time", Type::Signed, |row| row.event.time.into());
    let wave =
        Column::new("wave", Type::Text, |row| format!("{}#{}", row.wave.slot, row.wave.generation).into());
    vec![time.unit(Unit::Cycles).width(12), wave, last]
}

/// The place of an event's marker in the source.
pub(crate) fn source_loc<'a>(event: &Event<'a>) -> Option<&'a [u8]> {
    event.entry.and_then(Entry::source_loc)
}

/// The number of a wave's code object.
pub(crate) fn code_object(wave: &Wave<'_>) -> Option<u64> {
    wave.map().and_then(|map| map.object_id())
}

/// Text of the event, indented by the scopes around it.
fn line(row: &EventRow<'_>, names: NameStyle) -> String {
    let EventRow { wave, event, .. } = row;
    let indent = event.depth.saturating_sub(usize::from(opens(event.kind)));
    let mut line = format!("{:width$}{}", "", event.kind.name(), width = indent.min(40) * 2);
    if has_name(event) {
        let (name, source) = (names.marker_bytes(event.entry, event.marker.id), source_loc(event));
        line += &format!(" {}", located(&name, source, is_inlined(wave, event.marker.id)));
    }
    if let Some(closed) = &event.closed {
        let name = Printable(&names.marker_bytes(closed.entry, closed.id)).to_string();
        let name = marked(name, is_inlined(wave, closed.id));
        line += &format!("  closes {name} after {} cycles", closed.inclusive());
        if closed.reason != CloseReason::Marker {
            line += &format!(" ({})", reason(closed.reason));
        }
    } else if matches!(event.kind, EventKind::Exit | EventKind::ExitEnter) {
        line += "  closes nothing";
    }
    if event.truncated {
        line += "  payload lost";
    }
    if !event.payload.is_empty() {
        let words: Vec<String> = event.payload.iter().map(|word| format!("{word:#x}")).collect();
        line += &format!("  [{}]", words.join(" "));
    }
    if let (Some(raw), EventKind::Undecoded | EventKind::Reserved) = (event.raw, event.kind) {
        line += &format!("  {raw:#x}");
    }
    line
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

/// True if a marker is that of a function of which no code of its own is left.
fn is_inlined(wave: &Wave<'_>, id: u32) -> bool {
    wave.map().is_some_and(|map| map.is_inlined(id))
}
