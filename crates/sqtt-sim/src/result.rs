//! The results of a run.

use serde_json::{Value, json};

use crate::counts::Counts;

/// One executed `s_ttracedata` or `s_ttracedata_imm`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MarkerRecord {
    /// Offset of the instruction in the code object, as the disassembler prints it.
    pub pc: u64,
    /// The traced word; 8 bits for the immediate form.
    pub value: u32,
    /// Simulated cycles.
    pub time: u64,
    /// Written by `s_ttracedata_imm`.
    pub immediate: bool,
}

/// The kinds of memory accesses in [`Access`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum AccessKind {
    ScalarLoad,
    GlobalLoad,
    GlobalStore,
    GlobalAtomic,
    FlatLoad,
    FlatStore,
    FlatAtomic,
    BufferLoad,
    BufferStore,
    BufferAtomic,
    LdsLoad,
    LdsStore,
    LdsAtomic,
    ScratchLoad,
    ScratchStore,
    /// `ds_permute_b32`: the lane addresses of the crossbar.
    Permute,
    /// `ds_bpermute_b32`
    Bpermute,
}

impl AccessKind {
    /// The name used in JSON and in errors.
    pub fn as_str(self) -> &'static str {
        match self {
            AccessKind::ScalarLoad => "scalar load",
            AccessKind::GlobalLoad => "global load",
            AccessKind::GlobalStore => "global store",
            AccessKind::GlobalAtomic => "global atomic",
            AccessKind::FlatLoad => "flat load",
            AccessKind::FlatStore => "flat store",
            AccessKind::FlatAtomic => "flat atomic",
            AccessKind::BufferLoad => "buffer load",
            AccessKind::BufferStore => "buffer store",
            AccessKind::BufferAtomic => "buffer atomic",
            AccessKind::LdsLoad => "lds load",
            AccessKind::LdsStore => "lds store",
            AccessKind::LdsAtomic => "lds atomic",
            AccessKind::ScratchLoad => "scratch load",
            AccessKind::ScratchStore => "scratch store",
            AccessKind::Permute => "permute",
            AccessKind::Bpermute => "bpermute",
        }
    }
}

/// One executed memory instruction. A two-address LDS instruction gives two of these.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Access {
    /// Offset of the instruction in the code object.
    pub pc: u64,
    /// The kind of access.
    pub kind: AccessKind,
    /// Records that the wave had traced before.
    pub after: usize,
    /// Bytes per lane.
    pub width: u32,
    /// `(lane, address)` of each active lane, in lane order. Global addresses are absolute in the simulated
    /// address space; LDS and scratch addresses are byte offsets; buffer accesses out of range are left out.
    pub lanes: Vec<(u32, u64)>,
}

/// The run of one wave.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct WaveTrace {
    /// The workgroup's coordinates in the grid.
    pub workgroup: [u32; 3],
    /// The workgroup's number in the grid, x fastest.
    pub workgroup_number: u64,
    /// The wave's number within its workgroup.
    pub wave: u32,
    /// Shader engine.
    pub se: u32,
    /// Compute unit (gfx9) or workgroup processor.
    pub cu: u32,
    /// SIMD of the compute unit.
    pub simd: u32,
    /// Wave slot of the SIMD.
    pub slot: u32,
    /// Workgroup slot of the compute unit.
    pub workgroup_slot: u32,
    /// Traced words in the order of execution.
    pub markers: Vec<MarkerRecord>,
    /// Memory accesses, where the options ask for them.
    pub accesses: Vec<Access>,
    /// Simulated cycle at which the wave started.
    pub start: u64,
    /// Simulated cycle at which it ended. `None` of a wave that the run's stop left alive.
    pub end: Option<u64>,
    /// Instructions executed.
    pub instructions: u64,
}

/// A buffer argument after the run.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct BufferOut {
    /// Index of the argument.
    pub arg: usize,
    /// The buffer's address in the simulated address space.
    pub address: u64,
    /// Its content.
    pub bytes: Vec<u8>,
}

impl BufferOut {
    /// The content as 32-bit words; a last partial word is padded with zeros.
    pub fn words(&self) -> Vec<u32> {
        let word = |c: &[u8]| c.iter().rev().fold(0u32, |w, &b| w << 8 | u32::from(b));
        self.bytes.chunks(4).map(word).collect()
    }
}

/// A dispatch, completed or up to where it stopped.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct RunResult {
    /// Every wave that ran, workgroup by workgroup (x fastest), waves in order.
    pub waves: Vec<WaveTrace>,
    /// The buffer arguments.
    pub buffers: Vec<BufferOut>,
    /// Wave-instructions executed.
    pub instructions: u64,
    /// Instructions by kind, waves, LDS conflicts.
    pub counts: Counts,
    /// Simulated cycle at which the last wave ended, or stopped.
    pub cycles: u64,
    /// True if the waves recorded more than [`Options::max_records`](crate::Options::max_records): none of them is kept.
    pub too_many_records: bool,
}

impl RunResult {
    /// The result as JSON, without memory accesses.
    pub fn to_json(&self) -> Value {
        self.json_of(WaveTrace::to_json)
    }

    /// The result as JSON, with each wave's memory accesses.
    pub fn to_json_with_accesses(&self) -> Value {
        self.json_of(WaveTrace::to_json_with_accesses)
    }

    fn json_of(&self, wave: impl Fn(&WaveTrace) -> Value) -> Value {
        let waves: Vec<Value> = self.waves.iter().map(wave).collect();
        let buffers: Vec<Value> =
            self.buffers.iter().map(|b| json!({"arg": b.arg, "words": b.words()})).collect();
        json!({"waves": waves, "buffers": buffers, "instructions": self.instructions})
    }
}

impl WaveTrace {
    /// Leaves out what it did after a time, its end too.
    pub(crate) fn cut_off(&mut self, time: u64) {
        self.markers.truncate(self.markers.partition_point(|marker| marker.time <= time));
        self.accesses.retain(|access| access.after <= self.markers.len());
        self.end = self.end.filter(|&end| end <= time);
    }

    fn to_json(&self) -> Value {
        let markers: Vec<(u64, u32)> = self.markers.iter().map(|m| (m.pc, m.value)).collect();
        let times: Vec<u64> = self.markers.iter().map(|m| m.time).collect();
        json!({
            "workgroup": self.workgroup,
            "wave": self.wave,
            "se": self.se,
            "cu": self.cu,
            "simd": self.simd,
            "slot": self.slot,
            "workgroup_slot": self.workgroup_slot,
            "markers": markers,
            "times": times,
        })
    }

    fn to_json_with_accesses(&self) -> Value {
        let mut wave = self.to_json();
        let accesses = self.accesses.iter().map(|a| json!([a.pc, a.kind.as_str(), a.width, a.lanes]));
        wave["accesses"] = accesses.collect();
        wave
    }
}
