//! Contents of a trace folder besides its records, in plain values.

use std::collections::BTreeMap;
use std::path::Path;

use sqtt_format::Name;

use super::{Style, WriteError, save, tables};
use crate::names::NumberedObject;
use crate::trace::{Dispatch, EngineEvent, Origin, RealTime};

/// A trace, but for its records.
#[derive(Clone, Debug, Default)]
pub struct Description {
    /// Major version of the GPU: 9 to 12.
    pub gfxip: u32,
    /// Shader engines by number.
    pub engines: BTreeMap<u32, EngineDescription>,
    /// Names of the kernels, by the numbers that waves and dispatches have. 0, no kernel, need
    /// not be here.
    pub kernels: BTreeMap<u64, Name>,
    /// The code objects that have markers.
    pub code_objects: Vec<NumberedObject>,
    /// Kernels by the addresses where they start, of any code object.
    pub kernel_symbols: Vec<KernelAddress>,
    /// Instructions, or labels.
    pub code: Vec<CodeRow>,
    /// The shader clock against real time.
    pub real_time: RealTime,
}

/// Parts of a trace of one shader engine.
#[derive(Clone, Debug, Default)]
pub struct EngineDescription {
    /// Its record files, as [`RecordFiles::finish`](super::RecordFiles::finish) gives them.
    pub files: Vec<RecordFile>,
    /// Starts and ends of waves, by time.
    pub waves: Vec<WaveEdge>,
    /// Dispatches. Files of version 3.0 have no place for them.
    pub dispatches: Vec<DispatchEvent>,
    /// Other events. Files of version 3.0 have no place for them.
    pub events: Vec<HardwareEvent>,
}

/// A record file that was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordFile {
    /// Its name in the folder.
    pub name: String,
    /// Time of its first record.
    pub begin: i64,
    /// Time of its last record.
    pub end: i64,
    /// Its records.
    pub records: u64,
}

/// The start or the end of a wave.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WaveEdge {
    /// When, in cycles.
    pub time: i64,
    /// CU on gfx9; WGP, and the shader array times 128, on gfx10 and later.
    pub cu: u16,
    /// SIMD.
    pub simd: u8,
    /// Wave slot.
    pub slot: u8,
    /// True if it is the start.
    pub start: bool,
    /// The kernel: a key of [`Description::kernels`].
    pub kernel: u64,
    /// Origin of the wave; only written in files of version 3.1.
    pub origin: Origin,
}

/// A dispatch, with what only writers know.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DispatchEvent {
    /// The dispatch as readers see it.
    pub dispatch: Dispatch,
    /// Code object of the kernel.
    pub code_object: u64,
    /// Start of the kernel in it.
    pub address: u64,
    /// Scalar registers that hold arguments.
    pub user_sgprs: u64,
    /// Address of the dispatch packet.
    pub packet_address: u64,
    /// Byte of the raw trace.
    pub byte_offset: u64,
    /// Flags, as the hardware has them.
    pub flags: u64,
}

/// Something else that the hardware said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HardwareEvent {
    /// The event.
    pub event: EngineEvent,
    /// Micro engine.
    pub me: u32,
    /// Pipe.
    pub pipe: u32,
    /// Flags, as the hardware has them.
    pub flags: u64,
    /// Its payload.
    pub payload: u64,
    /// Byte of the raw trace.
    pub byte_offset: u64,
}

impl From<EngineEvent> for HardwareEvent {
    fn from(event: EngineEvent) -> Self {
        Self { event, me: 0, pipe: 0, flags: 0, payload: 0, byte_offset: 0 }
    }
}

/// Start of a kernel.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KernelAddress {
    /// Its code object.
    pub code_object: u64,
    /// Its address there.
    pub address: u64,
    /// Its name, mangled.
    pub name: Name,
}

/// An instruction, or a label where the text starts with `;`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CodeRow {
    /// The instruction.
    pub text: String,
    /// Line of the file, from 1.
    pub line: u64,
    /// `file:line`, or an inline chain.
    pub source: String,
    /// Its code object.
    pub code_object: u64,
    /// Its address there.
    pub address: u64,
}

impl Description {
    /// Writes everything but the record files into a folder: `filenames.json`, `occupancy.json`,
    /// `realtime.json` and `code.json`.
    ///
    /// # Errors
    ///
    /// Errors of the file system.
    pub fn write(&self, folder: &Path, style: Style) -> Result<(), WriteError> {
        save(folder, "filenames.json", style, &tables::FileNamesJson::new(self, style))?;
        save(folder, "occupancy.json", style, &tables::OccupancyJson { description: self, style })?;
        save(folder, "realtime.json", style, &tables::Clocks(&self.real_time))?;
        save(folder, "code.json", style, &tables::Code { description: self, style })
    }
}
