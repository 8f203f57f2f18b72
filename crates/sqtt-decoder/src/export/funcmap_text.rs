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
//! Kernels come first, by name; everything else by id, and rows of one id in the order of the section.
//! A `wave_size` line comes before the rows; a `marker_encoding` line and a `config` line, where there is something to
//! say, before the table.

use std::io::{self, Write};

use sqtt_format::{Entry, EntryKind, Printable};

use super::{FuncmapOptions, demangle};
use crate::codeobj::CodeObjectFuncmap;

/// Writes the table of one code object; nothing where it has no map.
///
/// # Errors
///
/// Those of the writer.
pub fn write_funcmap_text(
    out: &mut dyn Write,
    named: &CodeObjectFuncmap,
    options: FuncmapOptions,
) -> io::Result<()> {
    let Some(map) = &named.map else { return Ok(()) };
    let encoding = map.marker_encoding();
    if encoding.has_shader_clock() {
        writeln!(
            out,
            "marker_encoding: shader_clock_bits={} shader_clock_shift={}",
            encoding.shader_clock_bits, encoding.shader_clock_shift,
        )?;
    }
    if let Some(config) = &named.config {
        write!(out, "config: plugin={} llvm={} hash={}", config.plugin(), config.llvm(), config.hash())?;
        for (name, value) in config.settings() {
            write!(out, " {}={}", Printable(name.as_bytes()), Printable(value.as_bytes()))?;
        }
        writeln!(out)?;
    }
    writeln!(out, "{:>6}  {:>8}  {:>18}  Name", "Type", "ID", "Vaddr")?;
    writeln!(out, "{:>6}  {:>8}  {:>18}  ----", "----", "---", "-----")?;
    if let Some(size) = map.wave_size() {
        writeln!(out, "  wave_size: {size}")?;
    }
    let mut rows: Vec<_> = named.entries().collect();
    rows.sort_by(|(a, _), (b, _)| sort_key(a).cmp(&sort_key(b)));
    for (entry, vaddr) in rows {
        write_row(out, entry, vaddr, options)?;
    }
    Ok(())
}

/// Kernels have no id and come first, by name.
fn sort_key(entry: &Entry) -> (Option<u32>, &[u8]) {
    (entry.id(), if entry.kind() == EntryKind::Kernel { entry.name() } else { b"" })
}

fn write_row(
    out: &mut dyn Write,
    entry: &Entry,
    vaddr: Option<u64>,
    options: FuncmapOptions,
) -> io::Result<()> {
    let kind = match entry.kind() {
        EntryKind::Function => "func",
        kind => kind.name(),
    };
    let id = entry.id().map_or("-".to_owned(), |id| id.to_string());
    let address = vaddr.map_or("-".to_owned(), |vaddr| format!("{vaddr:#018x}"));
    let name = demangle::name(entry, options);
    write!(out, "{kind:>6}  {id:>8}  {address:>18}  {}", Printable(&name))?;
    if let Some(location) = entry.source_loc() {
        write!(out, "  @ {}", Printable(location))?;
    }
    if entry.kind() == EntryKind::Function && vaddr.is_none() {
        write!(out, "  (inlined)")?;
    }
    writeln!(out)
}
