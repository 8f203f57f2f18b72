//! Writes trace folders: `filenames.json`, `shaderdata_*.json`, `occupancy.json`, `realtime.json`,
//! `code.json`, as `rocprofv3 --att` and `att_tool` do. One writer for all that make such folders:
//! readers of other formats, the rewriting of a folder ([`rewrite_folder`]), and made-up traces for tests.
//!
//! Records are streamed into [`RecordFiles`], one value per shader engine, on any thread. Everything
//! else is a [`Description`], which knows nothing of where it comes from. A [`NewFolder`] is built
//! aside and appears under its name when it is whole, or never.
//!
//! ```
//! use sqtt_decoder::Record;
//! use sqtt_decoder::write::{Description, NewFolder, RecordFiles, Style, WaveEdge};
//! use sqtt_decoder::trace::{RecordFlags, SlotId};
//!
//! # let root = tempfile::tempdir()?;
//! # let target = root.path().join("ui_output_agent_1_dispatch_1");
//! let folder = NewFolder::create(&target)?;
//! let mut description = Description { gfxip: 12, ..Description::default() };
//! let engine = description.engines.entry(0).or_default();
//! engine.waves.push(WaveEdge { time: 100, cu: 1, start: true, kernel: 1, ..WaveEdge::default() });
//! description.kernels.insert(1, b"_Z6kernelPfi".into());
//!
//! let mut records = RecordFiles::new(folder.path(), 0, Style::AttTool);
//! let slot = SlotId { se: 0, cu: 1, simd: 0, slot: 0 };
//! records.push(slot, Record { time: 120, value: 6, flags: RecordFlags::NONE })?;
//! engine.files = records.finish()?;
//! description.write(folder.path(), Style::AttTool)?;
//! folder.publish()?;
//! assert!(target.join("shaderdata_0_0.json").exists());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod describe;
mod from_trace;
mod new_folder;
mod records;
mod rewrite;
mod splice;
mod tables;

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;

pub use describe::{
    CodeRow, Description, DispatchEvent, EngineDescription, HardwareEvent, KernelAddress, RecordFile,
    WaveEdge,
};
pub use from_trace::write_folder;
pub use new_folder::NewFolder;
pub use records::RecordFiles;
pub use rewrite::{RewriteOptions, rewrite_folder};

/// Program whose files the folder looks like. Readers take both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Style {
    /// `rocprofv3`: compact, version 3.0.0, `null` for empty tables, six columns of a wave, no events.
    #[default]
    Rocprofv3,
    /// `att_tool`: indented, version 3.1.0, eleven columns of a wave, dispatches and other events.
    AttTool,
    /// Compact as `rocprofv3`'s, with all that version 3.1.0 has.
    Compact,
}

impl Style {
    /// Version in the files.
    #[must_use]
    pub const fn version(self) -> &'static str {
        match self {
            Style::Rocprofv3 => "3.0.0",
            Style::AttTool | Style::Compact => "3.1.0",
        }
    }

    pub(super) fn is_wide(self) -> bool {
        self != Style::Rocprofv3
    }
}

/// Why a folder could not be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// There is something at the place of the new folder.
    #[error("{}: is there already; a trace is only written to a new folder", path.display())]
    Exists {
        /// The path.
        path: PathBuf,
    },
    /// The system did not let us read or write.
    #[error("{}", path.display())]
    Io {
        /// The path.
        path: PathBuf,
        /// Error of the system.
        #[source]
        error: io::Error,
    },
}

impl WriteError {
    pub(crate) fn io(path: &Path) -> impl Fn(io::Error) -> Self + '_ {
        |error| Self::Io { path: path.to_owned(), error }
    }
}

/// Writes one file of a folder.
pub(crate) fn save(
    folder: &Path,
    name: &str,
    style: Style,
    value: &impl Serialize,
) -> Result<(), WriteError> {
    let path = folder.join(name);
    let write = || -> io::Result<()> {
        let mut out = BufWriter::with_capacity(1 << 16, File::create(&path)?);
        to_json(&mut out, style, value)?;
        out.flush()
    };
    write().map_err(WriteError::io(&path))
}

/// A value in the layout of a style.
pub(crate) fn to_json(out: &mut impl Write, style: Style, value: &impl Serialize) -> io::Result<()> {
    match style {
        Style::Rocprofv3 | Style::Compact => serde_json::to_writer(out, value)?,
        Style::AttTool => serde_json::to_writer_pretty(out, value)?,
    }
    Ok(())
}
