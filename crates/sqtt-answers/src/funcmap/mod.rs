//! A funcmap as the table that the specification shows ("Extracting the funcmap").
//!
//! ```text
//!   Type        ID               Vaddr  Name
//!   ----       ---               -----  ----
//! kernel         -  0x0000000000001000  _Z8kernelAi  @ kernel.hip:80
//!   user         1                   -  load_input
//!   func         4                   -  _Z12helper_funcv  @ helper.hpp:17  (inlined)
//! ```
//!
//! Kernels come first, by name; everything else by id, and rows of one id in the order of the section. `(inlined)` is
//! never said of a stripped code object, which does not tell.
//! A `wave_size` line comes before the rows; a `config` line and a `marker_encoding` line, where there is something to
//! say, before the table. Where a section holds several maps, each has its table, below a line with its kernels.

mod json;

use std::io::{self, Write};

use sqtt_decoder::codeobj::CodeObjectFuncmap;
use sqtt_format::{Entry, EntryKind, Funcmap, Printable};

use crate::names::{NameStyle, located};
use crate::table::{self, Cell, Rows, Table, Type};

pub use json::FuncmapJson;

/// Kernels named in the heading of one map of several.
const KERNELS_SHOWN: usize = 3;
/// Width of the column with the ids at least.
const ID_WIDTH: usize = 8;

/// Writes the table of one code object, or that of each of its maps; nothing where it has no map.
///
/// # Errors
///
/// Errors of the writer.
pub fn write_funcmap_text(
    out: &mut dyn Write,
    named: &CodeObjectFuncmap,
    names: NameStyle,
) -> io::Result<()> {
    if let Some(config) = &named.config
        && named.map.is_some()
    {
        write!(out, "config: plugin={} llvm={} hash={}", config.plugin(), config.llvm(), config.hash())?;
        for (name, value) in config.settings() {
            write!(out, " {}={}", Printable(name.as_bytes()), Printable(value.as_bytes()))?;
        }
        writeln!(out)?;
    }
    for (index, (map, entries)) in named.each_map().enumerate() {
        if !named.maps.is_empty() {
            write_heading(out, map, index + 1, named.maps.len(), names)?;
        }
        write_map(out, named, map, entries, names)?;
    }
    Ok(())
}

/// Tells one map of a section from the others: by its kernels.
fn write_heading(
    out: &mut dyn Write,
    map: &Funcmap,
    number: usize,
    count: usize,
    names: NameStyle,
) -> io::Result<()> {
    let kernels = || map.entries().iter().filter(|entry| entry.kind() == EntryKind::Kernel);
    write!(out, "map {number} of {count}, ")?;
    match kernels().count() {
        0 => write!(out, "without a kernel")?,
        1 => write!(out, "of kernel ")?,
        several => write!(out, "of {several} kernels: ")?,
    }
    for (index, kernel) in kernels().take(KERNELS_SHOWN).enumerate() {
        let comma = if index > 0 { ", " } else { "" };
        write!(out, "{comma}{}", Printable(&names.bytes_of(kernel)))?;
    }
    writeln!(out, "{}:", if kernels().count() > KERNELS_SHOWN { ", …" } else { "" })
}

struct Entries;

type Column = table::Column<Entries>;

/// An entry, its address, and whether no code of its own is left.
type EntryRow<'a> = (&'a Entry, Option<u64>, bool);

impl Rows for Entries {
    type Row<'a> = EntryRow<'a>;
}

fn write_map(
    out: &mut dyn Write,
    named: &CodeObjectFuncmap,
    map: &Funcmap,
    mut rows: Vec<(&Entry, Option<u64>)>,
    names: NameStyle,
) -> io::Result<()> {
    let encoding = map.marker_encoding();
    if encoding.has_shader_clock() {
        writeln!(
            out,
            "marker_encoding: shader_clock_bits={} shader_clock_shift={}",
            encoding.shader_clock_bits, encoding.shader_clock_shift,
        )?;
    }
    // As wide as the specification's samples, where ids are not larger: those of several units have high bits.
    let largest = rows.iter().filter_map(|(entry, _)| entry.id()).max().unwrap_or(0);
    let id_width = largest.to_string().len().max(ID_WIDTH);
    let columns = vec![
        Column::new("Type", Type::Text, |(entry, ..)| match entry.kind() {
            EntryKind::Function => "func".into(),
            kind => kind.name().into(),
        })
        .width(6),
        Column::new("ID", Type::Unsigned, |(entry, ..)| entry.id().into()).width(id_width),
        Column::new("Vaddr", Type::Hex, |(_, vaddr, _)| vaddr.map(|vaddr| Cell::Hex(vaddr, 16)).into())
            .width(18),
        Column::new("Name", Type::Text, move |&(entry, _, is_inlined)| {
            located(&names.bytes_of(entry), entry.source_loc(), is_inlined).into()
        }),
    ];
    let mut table = Table::text(columns, 2, true);
    table.section(out, "")?;
    writeln!(out, "{:>6}  {:>id_width$}  {:>18}  ----", "----", "---", "-----")?;
    if let Some(size) = map.wave_size() {
        writeln!(out, "  wave_size: {size}")?;
    }
    rows.sort_by(|(a, _), (b, _)| sort_key(a).cmp(&sort_key(b)));
    for (entry, vaddr) in rows {
        table.row(out, &(entry, vaddr, named.is_inlined(entry, vaddr)))?;
    }
    Ok(())
}

/// Kernels have no id and come first, by name.
fn sort_key(entry: &Entry) -> (Option<u32>, &[u8]) {
    (entry.id(), if entry.kind() == EntryKind::Kernel { entry.name() } else { b"" })
}
