//! Makes trace folders of any size, with everything that goes wrong in real ones: for tests and
//! benchmarks (feature `generate`).
//!
//! A folder is that of either writer, with record files, `filenames.json`, `occupancy.json`,
//! `realtime.json`, `code.json` and a code object beside it. Waves run a random program over the markers
//! of [`FUNCMAP`] or [`PACKED_FUNCMAP`], all slots of an engine at once, so their records are
//! interleaved; slots are launched again and again. Nothing is held but one state per slot, and the
//! [`Truth`] where it is asked for. The same [`Plan`] gives the same bytes.

mod blocks;
mod damage;
mod elf;
mod engine;
mod files;
mod program;

use std::io;
use std::path::{Path, PathBuf};

use sqtt_format::WaveSize;

use blocks::Traced;
pub use damage::Damage;
pub use elf::{GFX1200, code_object, code_object_for};

/// The markers of generated waves.
pub const FUNCMAP: &str = "F:1:_Z5innerf@/src/k.hip:12\nK:_Z6kernelPfi@/src/k.hip:40\nU:2:outer\nU:3:phase; two\n\
    P:4:barrier\nP:5:item\nR:5:extra_payload_count=1\nW:32\nP:6:addr_trace_lds_load@/src/k.hip:50\n\
    R:6:extra_payload_count=34\nP:7:addr_trace_load@/src/h.h:7 -> /src/k.hip:51\nR:7:extra_payload_count=66\n";

/// The same without payload, and with a shader clock of 12 bits from bit 4 on.
pub const PACKED_FUNCMAP: &str = "M:shader_clock_bits=12;shader_clock_shift=4\nF:1:_Z5innerf@/src/k.hip:12\n\
    K:_Z6kernelPfi@/src/k.hip:40\nU:2:outer\nU:3:phase; two\nP:4:barrier\n";

/// The layout that [`PACKED_FUNCMAP`] says.
const PACKED: sqtt_format::MarkerEncoding =
    sqtt_format::MarkerEncoding { shader_clock_bits: 12, shader_clock_shift: 4 };

pub use crate::export::ui::Style as Writer;

/// What a folder is to hold.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Decides everything that is random.
    pub seed: u64,
    /// Whose files they look like.
    pub writer: Writer,
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
    /// One in so many blocks, or markers that it can happen to, is damaged; 0 for none.
    pub damaged_blocks: u64,
    /// What they lose.
    pub damage: Damage,
    /// Half of the address blocks are of lanes all over memory, of which some are not active and hold anything, and
    /// there are data markers of five words.
    pub irregular: bool,
    /// Waves access buffers and permute lanes, too.
    pub buffers: bool,
    /// Lanes of the waves.
    pub wave: WaveSize,
    /// Times at which an engine loses a run of records, with the event that says so (only written by
    /// [`Writer::AttTool`]); 0 for none.
    pub packet_losses: u64,
    /// Whether to remember what every wave did.
    pub truth: bool,
}

impl Default for Plan {
    fn default() -> Self {
        Self {
            seed: 1,
            writer: Writer::Rocprofv3,
            engines: 2,
            cus: 2,
            simds: 4,
            slots: 4,
            records: 20_000,
            records_per_wave: 300,
            records_per_file: 65_536,
            packed: false,
            damaged_blocks: 0,
            damage: Damage::Run,
            irregular: false,
            buffers: false,
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
        if self.packed {
            return PACKED_FUNCMAP.to_owned();
        }
        let rows = FUNCMAP.split_once("W:").map_or("", |(rows, _)| rows);
        let mut map = format!("{rows}W:{}\n", self.wave.lanes());
        let traced = if self.buffers { Traced::ALL.as_slice() } else { &Traced::ALL[..2] };
        for traced in traced {
            let (id, name, source) = (traced.id(), traced.kind().name(), traced.source());
            let words = traced.kind().payload_count(self.wave);
            let _ = writeln!(map, "P:{id}:{name}@{source}\nR:{id}:extra_payload_count={words}");
        }
        if self.irregular {
            map.push_str("P:8:sample\nR:8:extra_payload_count=5\n");
        }
        map
    }
}

/// One thing that a wave did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Done {
    /// When it was issued.
    pub time: i64,
    /// The marker's word without a clock.
    pub word: u32,
    /// The words behind it.
    pub payload: Vec<u32>,
    /// Its records that were left out of the trace, the header being 0.
    pub lost: Vec<usize>,
}

/// What one wave did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WaveTruth {
    /// Shader engine, CU, SIMD, slot.
    pub slot: (u32, u16, u8, u8),
    /// How many waves the slot had before.
    pub generation: u32,
    /// When it was launched, and when it ended.
    pub life: (i64, i64),
    /// Its markers in order.
    pub done: Vec<Done>,
}

/// What a folder came to hold.
#[derive(Clone, Debug, Default)]
pub struct Truth {
    /// The trace folder.
    pub folder: PathBuf,
    /// Records that were written.
    pub records: u64,
    /// Blocks that lost words.
    pub damaged_blocks: u64,
    /// The record files.
    pub files: Vec<PathBuf>,
    /// What every wave did, where [`Plan::truth`] asks for it.
    pub waves: Vec<WaveTruth>,
}

/// Writes a trace folder `ui_output_agent_1_dispatch_1` into `parent`, and its code object beside it.
///
/// # Errors
///
/// Those of the file system.
pub fn write(parent: &Path, plan: &Plan) -> io::Result<Truth> {
    let folder = parent.join("ui_output_agent_1_dispatch_1");
    std::fs::create_dir_all(&folder)?;
    let object = code_object_for(GFX1200, plan.funcmap().as_bytes(), Some(&config()));
    std::fs::write(parent.join("1234_gfx1200_code_object_id_7.out"), object)?;
    let mut truth = Truth { folder: folder.clone(), ..Truth::default() };
    let mut engines = Vec::new();
    for se in 0..plan.engines {
        engines.push(engine::write(&folder, plan, se, &mut truth)?);
    }
    files::describe(plan, engines).write(&folder, plan.writer).map_err(io::Error::other)?;
    Ok(truth)
}

/// What the code object was compiled with: the traced operations access four bytes a lane.
fn config() -> sqtt_format::ConfigRecord {
    let mut config = sqtt_format::ConfigRecord::new("generated", "0");
    let access = [Traced::Lds, Traced::Global, Traced::Buffer, Traced::StructBuffer];
    access.into_iter().for_each(|traced| config.set_access_bytes(traced.id(), 4));
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
