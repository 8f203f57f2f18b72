//! Makes traces of any size, with everything that goes wrong in real ones: for tests and benchmarks
//! (feature `generate`).
//!
//! A trace is a folder of either writer, with record files, `filenames.json`, `occupancy.json`,
//! `realtime.json`, `code.json`, or the raw streams of any generation; a code object is beside it. Waves run
//! a random program over the markers of [`Plan::funcmap`], all slots of an engine at once, so their records are
//! interleaved; slots are launched again and again. A header is flagged as an immediate where the pass makes it one:
//! from gfx10 on, where its id is a constant up to 63 and carries no clock. Nothing is held but one state per slot, and
//! the [`Truth`] where it is asked for. The same [`Plan`] gives the same bytes.

mod blocks;
mod elf;
mod engine;
mod files;
mod program;
mod sink;

use std::io;
use std::path::{Path, PathBuf};

use sqtt_format::{NumericIds, WaveSize};

use crate::raw::{Encoder, Generation};
use crate::write::{EngineDescription, RecordFiles};
use blocks::Traced;
pub use elf::{GFX1200, code_object, code_object_for};
use sink::{CODE_OBJECT, Sink};

/// The layout of packed plans: a shader clock of 12 bits from bit 4 on.
const PACKED: sqtt_format::MarkerEncoding =
    sqtt_format::MarkerEncoding { shader_clock_bits: 12, shader_clock_shift: 4 };

pub use crate::steps::steps;
pub use crate::write::Style as Writer;

/// Properties of a trace.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Decides everything that is random.
    pub seed: u64,
    /// Whose files they look like, where they are JSON.
    pub writer: Writer,
    /// The GPU.
    pub generation: Generation,
    /// Shader engines.
    pub engines: u32,
    /// CUs of each.
    pub cus: u16,
    /// SIMDs of each CU.
    pub simds: u8,
    /// Slots of each SIMD.
    pub slots: u8,
    /// Records in all, about: waves are not cut off.
    pub records: u64,
    /// Records of a wave, about.
    pub records_per_wave: u64,
    /// The most records of one file; rocprofv3 writes 65,536.
    pub records_per_file: u64,
    /// Packed headers, which arrive late.
    pub packed: bool,
    /// Everything that a sound trace may hold: operations of every layout, payload of any content, numbers in place of
    /// names, names and numbers chosen at run time, records of the trap handler, records after their wave's end.
    pub everything: bool,
    /// The first id of the map, which has ten more.
    pub first_id: u32,
    /// True if the code object says that numeric markers may have any id.
    pub says_numeric: bool,
    /// Lanes of the waves.
    pub wave: WaveSize,
    /// Times at which an engine loses everything for a while, starts and ends of waves too, with the event that says so
    /// ([`Writer::Rocprofv3`] has no place for it); 0 for none.
    pub packet_losses: u64,
    /// True to remember what every wave did.
    pub truth: bool,
}

impl Default for Plan {
    fn default() -> Self {
        Self {
            seed: 1,
            writer: Writer::Rocprofv3,
            generation: Generation::Gfx12,
            engines: 2,
            cus: 2,
            simds: 4,
            slots: 4,
            records: 20_000,
            records_per_wave: 300,
            records_per_file: 65_536,
            packed: false,
            everything: false,
            first_id: 1,
            says_numeric: false,
            wave: WaveSize::Wave32,
            packet_losses: 0,
            truth: false,
        }
    }
}

impl Plan {
    /// The funcmap of the code object.
    #[must_use]
    pub fn funcmap(&self) -> String {
        use std::fmt::Write;
        let mut map = String::new();
        let id = |offset: u32| self.first_id + offset;
        if self.packed {
            let (bits, shift) = (PACKED.shader_clock_bits, PACKED.shader_clock_shift);
            let _ = writeln!(map, "M:shader_clock_bits={bits};shader_clock_shift={shift}");
        }
        let _ = writeln!(map, "F:{}:_Z5innerf@/src/k.hip:12\nK:_Z6kernelPfi@/src/k.hip:40", id(0));
        let _ = writeln!(map, "U:{}:outer\nU:{}:phase; two\nP:{}:barrier", id(1), id(2), id(3));
        if self.packed {
            return map;
        }
        let _ = writeln!(map, "P:{0}:item\nR:{0}:extra_payload_count=1\nW:{1}", id(4), self.wave.lanes());
        for traced in Traced::of(self) {
            let (id, name, source) = (traced.id(self), traced.kind().name(), traced.source());
            let words = traced.kind().payload_count(self.wave);
            let _ = writeln!(map, "P:{id}:{name}@{source}\nR:{id}:extra_payload_count={words}");
        }
        if self.everything {
            let _ = writeln!(map, "P:{0}:sample\nR:{0}:extra_payload_count=5", id(7));
        }
        map
    }

    /// True if the map has an id.
    fn has(&self, id: u32) -> bool {
        (self.first_id..self.first_id + if self.packed { 4 } else { 11 }).contains(&id)
    }

    /// The GPU of the code object: name, and `e_flags`.
    fn gpu(&self) -> (&'static str, u32) {
        match self.generation {
            Generation::Gfx9 => ("gfx942", 0x4C),
            Generation::Gfx10 => ("gfx1030", 0x36),
            Generation::Gfx11 => ("gfx1100", 0x41),
            Generation::Gfx12 => ("gfx1200", GFX1200),
            Generation::Gfx1250 => ("gfx1250", 0x49),
        }
    }
}

/// One thing that a wave did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Done {
    /// When it was issued.
    pub issued: i64,
    /// When its words arrived, the header's first, or would have.
    pub arrived: Vec<i64>,
    /// The marker's word without a clock.
    pub word: u32,
    /// The words behind it.
    pub payload: Vec<u32>,
    /// True if the header is an immediate.
    pub is_immediate: bool,
}

/// Actions of one wave.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WaveTruth {
    /// Shader engine, CU, SIMD, slot.
    pub slot: (u32, u16, u8, u8),
    /// When it was launched, and when it ended.
    pub life: (i64, i64),
    /// Its markers in order.
    pub done: Vec<Done>,
}

/// Contents of a trace that was written.
#[derive(Clone, Debug, Default)]
pub struct Truth {
    /// The trace folder.
    pub folder: PathBuf,
    /// Records that were written.
    pub records: u64,
    /// The files of records, or of streams.
    pub files: Vec<PathBuf>,
    /// Stretches in which a shader engine lost everything: from a time on, to before the time of the event.
    pub losses: Vec<(u32, i64, i64)>,
    /// Actions of every wave, where [`Plan::truth`] asks for them; the waves of a slot in order.
    pub waves: Vec<WaveTruth>,
}

/// Writes a trace folder `ui_output_agent_1_dispatch_1` into `parent`, and its code object beside it.
///
/// # Errors
///
/// Errors of the file system.
pub fn write(parent: &Path, plan: &Plan) -> io::Result<Truth> {
    let folder = parent.join("ui_output_agent_1_dispatch_1");
    std::fs::create_dir_all(&folder)?;
    write_code_object(parent, plan)?;
    let mut truth = Truth { folder: folder.clone(), ..Truth::default() };
    let mut engines = Vec::new();
    for se in 0..plan.engines {
        let records = RecordFiles::new(&folder, se, plan.writer).with_limit(plan.records_per_file);
        let sink = Sink::Json(records, EngineDescription::default());
        if let Sink::Json(records, mut engine) = engine::write(plan, se, sink, &mut truth)? {
            engine.files = records.finish().map_err(io::Error::other)?;
            truth.files.extend(engine.files.iter().map(|file| folder.join(&file.name)));
            engines.push(engine);
        }
    }
    files::describe(plan, engines).write(&folder, plan.writer).map_err(io::Error::other)?;
    Ok(truth)
}

/// Writes the same trace as raw streams into `parent`, and its code object beside them.
///
/// # Errors
///
/// Errors of the file system; streams of that generation may also lack room for something.
pub fn write_raw(parent: &Path, plan: &Plan) -> io::Result<Truth> {
    write_code_object(parent, plan)?;
    let mut truth = Truth { folder: parent.to_owned(), ..Truth::default() };
    for se in 0..plan.engines {
        let sink = Sink::raw(Encoder::new(plan.generation))?;
        if let Sink::Raw(encoder) = engine::write(plan, se, sink, &mut truth)? {
            let path = parent.join(format!("1234_shader_engine_{se}_1.att"));
            std::fs::write(&path, encoder.finish())?;
            truth.files.push(path);
        }
    }
    Ok(truth)
}

fn write_code_object(parent: &Path, plan: &Plan) -> io::Result<()> {
    let (name, e_flags) = plan.gpu();
    let object = code_object_for(e_flags, plan.funcmap().as_bytes(), Some(&config(plan)));
    std::fs::write(parent.join(format!("1234_{name}_code_object_id_{CODE_OBJECT}.out")), object)
}

/// Configuration of the code object: the traced operations access four bytes a lane.
fn config(plan: &Plan) -> sqtt_format::ConfigRecord {
    let mut config = sqtt_format::ConfigRecord::new("generated", "0");
    let access = [Traced::Lds, Traced::Global, Traced::Buffer, Traced::StructBuffer];
    access.into_iter().for_each(|traced| config.set_access_bytes(traced.id(plan), 4));
    if plan.says_numeric {
        config.set_numeric(NumericIds::any());
    }
    config
}

/// A small generator of random numbers (splitmix64), so that plans mean the same on every machine.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// Starts from a seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        bits ^ (bits >> 31)
    }

    /// A number below `end`; 0 where there is none.
    pub fn below(&mut self, end: u64) -> u64 {
        if end == 0 { 0 } else { self.bits() % end }
    }
}
