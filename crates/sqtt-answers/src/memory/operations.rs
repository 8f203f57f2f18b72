//! Traced memory operations, one per row.

use sqtt_decoder::memory::{NoAddress, Operation, Space};
use sqtt_decoder::payload::Buffer;
use sqtt_decoder::stream::{Event, Wave};
use sqtt_format::Entry;

use crate::events::code_object;
use crate::names::NameStyle;
use crate::table::{self, Cell, JsonLayout, Rows, Table, Type, Unit};

/// Tables with a row per operation.
#[derive(Debug)]
pub struct Operations;

/// A row of [`Operations`].
#[derive(Clone, Copy, Debug)]
pub struct OperationRow<'a> {
    /// The trace folder: times of different folders cannot be compared.
    pub folder: &'a str,
    /// The wave.
    pub wave: &'a Wave<'a>,
    /// The event of the operation's marker.
    pub event: &'a Event<'a>,
    /// The operation.
    pub operation: &'a Operation<'a>,
}

type Column = table::Column<Operations>;

impl Rows for Operations {
    type Row<'a> = OperationRow<'a>;
}

const NUMBERS: Type = Type::List(&Type::Unsigned);
const ADDRESSES: Type = Type::List(&Type::Hex);

/// The table of operations as JSON: the keys that the address-tracing tools have, with lane numbers, and what buffer
/// addresses are made of.
#[must_use]
pub fn operations(names: NameStyle) -> Table<Operations> {
    let columns = vec![
        Column::new("folder", Type::Text, |row| row.folder.into()),
        Column::new("kind", Type::Text, |row| row.operation.kind_name().into()),
        Column::new("marker_id", Type::Unsigned, |row| row.operation.marker_id.into()),
        Column::new("time", Type::Signed, |row| row.event.time.into()).unit(Unit::Cycles),
        Column::new("shader_engine", Type::Unsigned, |row| row.wave.slot.se.into()),
        Column::new("cu", Type::Unsigned, |row| row.wave.slot.cu.into()),
        Column::new("simd", Type::Unsigned, |row| row.wave.slot.simd.into()),
        Column::new("wave", Type::Unsigned, |row| row.wave.slot.slot.into()),
        Column::new("generation", Type::Unsigned, |row| row.wave.generation.into()),
        Column::new("kernel", Type::Text, move |row| names.kernel_bytes(row.wave).into()),
        Column::new("code_object", Type::Unsigned, |row| code_object(row.wave).into()),
        Column::new("source", Type::Text, |row| Entry::source_loc(row.operation.entry).into()),
        Column::new("exec_mask", Type::Hex, |row| Cell::Hex(row.operation.block.exec, 16)),
        Column::new("active_lanes", Type::Unsigned, |row| row.operation.block.active_lane_count().into()),
        Column::new("access_bytes", Type::Unsigned, |row| row.operation.access_bytes.into())
            .unit(Unit::Bytes),
        Column::new("lanes", NUMBERS, |row| row.operation.lanes().map(|lane| lane.lane).collect()),
        Column::new("addresses", ADDRESSES, |row| addresses(row.operation)),
        Column::new("no_address", Type::Text, |row| row.operation.no_address().map(NoAddress::name).into()),
        buffer("descriptor", ADDRESSES, |_, buffer| {
            buffer.descriptor.iter().map(|&word| Cell::Hex(word.into(), 8)).collect()
        })
        .optional(),
        buffer("base", Type::Hex, |_, buffer| Cell::Hex(buffer.base(), 16)),
        buffer("stride", Type::Unsigned, |operation, _| operation.stride().into()).unit(Unit::Bytes),
        buffer("soffset", Type::Unsigned, |_, buffer| buffer.soffset.into()).unit(Unit::Bytes),
        buffer("voffset", NUMBERS, |operation, _| {
            operation.block.active_offsets().map(|(_, voffset, _)| voffset).collect()
        }),
        buffer("vindex", NUMBERS, |operation, _| {
            let vindex: Option<Vec<u32>> =
                operation.block.active_offsets().map(|(_, _, vindex)| vindex).collect();
            vindex.filter(|_| operation.is_structured()).map(Cell::from_iter).into()
        })
        .optional(),
    ];
    Table::json(columns, JsonLayout::Array { key: "kind" })
}

/// A column about a buffer: what its addresses are made of.
fn buffer(
    name: &str,
    kind: Type,
    read: impl for<'r> Fn(&Operation<'r>, &Buffer) -> Cell<'r> + 'static,
) -> Column {
    Column::new(format!("buffer.{name}"), kind, move |row| {
        row.operation.block.buffer.map(|buffer| read(row.operation, &buffer)).into()
    })
}

fn addresses(operation: &Operation<'_>) -> Cell<'static> {
    if operation.no_address().is_some() {
        return Cell::Empty;
    }
    let digits = if operation.space() == Space::Memory { 16 } else { 8 };
    let addresses = operation.lanes().filter_map(|lane| lane.address);
    addresses.map(|address| Cell::Hex(address, digits)).collect()
}
