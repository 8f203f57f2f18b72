//! What was read, for people and for programs. Every exporter takes what to write and a writer.

mod csv;
mod funcmap_json;
mod funcmap_text;
mod heatmap;
mod losses;
mod memory;
mod payloads;
mod print;
mod stats;
pub mod ui;

use std::borrow::Cow;

use sqtt_format::{Entry, EntryKind};

use crate::names::shown;

pub use funcmap_json::FuncmapJson;
pub use funcmap_text::write_funcmap_text;
pub use heatmap::write_heatmap_svg;
pub use losses::{write_lost_json, write_lost_line};
pub use memory::{write_memory_summary_json, write_memory_summary_text, write_operation_json};
pub use payloads::{
    ValueOptions, write_histograms_csv, write_histograms_json, write_histograms_text, write_values_csv,
    write_values_csv_head, write_values_csv_tail, write_values_json, write_values_text,
};
pub use print::{write_event_json, write_event_text};
pub use stats::{write_stats_csv, write_stats_json, write_stats_text};

/// What stands behind the name of a function of which no code of its own is left.
pub const INLINED: &str = "(inlined)";

/// How names are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FuncmapOptions {
    /// Functions and kernels by their C++ names, where their names are mangled ones.
    pub demangle: bool,
}

/// The name of an entry, demangled where that was asked for, and where it is a mangled name of the
/// compiler's. Markers that a user named are left alone, whatever their names look like.
fn entry_name(entry: &Entry, options: FuncmapOptions) -> Cow<'_, [u8]> {
    let mangled = entry.name();
    if options.demangle && matches!(entry.kind(), EntryKind::Function | EntryKind::Kernel) {
        return shown(mangled, true);
    }
    Cow::Borrowed(mangled)
}
