//! Sums over the operations of a trace, per marker.

use serde::{Serialize, Serializer};
use sqtt_format::Name;

use super::{Hardware, LanePair, LdsInstruction, Space};
use crate::trace::SlotId;

/// The traced memory operations of one or several trace folders.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct MemorySummary {
    /// By kernel; in each first what wastes most.
    pub lines: Vec<MarkerRow>,
}

/// All operations of one marker in one kernel. As JSON, what is not known is `null`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct MarkerRow {
    /// The kernel's name, mangled; empty where it is not known.
    #[serde(serialize_with = "crate::names::as_text")]
    pub kernel: Name,
    /// The code object's number.
    pub code_object: Option<u64>,
    /// `file:line`, or an inline chain, innermost first.
    #[serde(serialize_with = "crate::names::as_text_if_any")]
    pub source: Option<Name>,
    /// Kind of operation, such as `load` or `lds_store`.
    pub kind: &'static str,
    /// Space of its addresses.
    pub space: Space,
    /// The marker's id.
    pub marker_id: u32,
    /// Assumptions about the GPU.
    pub hardware: Hardware,
    /// Bytes that a lane accesses. Where it is `None`, everything that takes a width is.
    pub access_bytes: Option<u32>,
    /// Times it ran, by all waves together.
    pub operations: u64,
    /// Waves that it ran in.
    pub waves: u64,
    /// Operations that no lane took part in.
    pub idle_operations: u64,
    /// Operations whose addresses are not known: only their lanes are counted.
    pub without_address: u64,
    /// Lanes that took part.
    pub active_lanes: Lanes,
    /// The least and the greatest first byte of a lane. Addresses are hexadecimal text in JSON, whose
    /// numbers many readers cut to 53 bits.
    #[serde(serialize_with = "hex_range")]
    pub address_range: Option<(u64, u64)>,
    /// From one lane to the next.
    pub strides: Strides,
    /// Bytes that lanes asked for: lanes times width.
    pub requested_bytes: Option<u64>,
    /// Requested bytes, with those that several lanes of an operation asked for counted once.
    pub distinct_bytes: Option<u64>,
    /// Cache lines. Only of memory.
    pub lines: Option<Touched>,
    /// Sectors. Only of memory.
    pub sectors: Option<Touched>,
    /// Coalescing efficiency: distinct bytes against the bytes of all sectors touched, from 0 to 1. Only of
    /// memory.
    pub efficiency: Option<f64>,
    /// Cycles and bank conflicts. Only of LDS.
    pub lds_banks: Option<LdsBanks>,
    /// The operations that waste most, those first.
    pub worst: Vec<Instance>,
}

/// Lanes that took part in operations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Lanes {
    /// In the operation with the fewest.
    pub min: u32,
    /// In the operation with the most.
    pub max: u32,
    /// In all operations.
    pub sum: u64,
    /// Lanes that there were: those of the wave, for each operation.
    pub possible: u64,
}

impl Lanes {
    /// The mean of an operation; 0 of none.
    #[must_use]
    pub fn mean(&self, operations: u64) -> f64 {
        if operations == 0 { 0.0 } else { self.sum as f64 / operations as f64 }
    }
}

/// Distances between lanes next to each other, in bytes. An operation has a stride where there are two such
/// lanes and all are equally far apart.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Strides {
    /// The most frequent ones, with how many operations had each; [`Strides::SHOWN`] at most.
    pub common: Vec<(i64, u64)>,
    /// Operations with another stride.
    pub other: u64,
    /// Operations whose lanes are differently far apart.
    pub irregular: u64,
    /// Operations without two active lanes next to each other.
    pub single: u64,
}

impl Strides {
    /// Strides listed at most.
    pub const SHOWN: usize = 8;
}

/// Lines or sectors that operations touched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Touched {
    /// Number touched, summed over operations.
    pub touched: u64,
    /// The fewest that would have held the same bytes.
    pub minimum: u64,
}

impl Touched {
    /// Number that could have been spared.
    #[must_use]
    pub const fn excess(&self) -> u64 {
        self.touched.saturating_sub(self.minimum)
    }
}

/// LDS bank conflicts, by the model of [`bank_cycles`](super::bank_cycles).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct LdsBanks {
    /// Cycles of all operations.
    pub cycles: u64,
    /// Cycles without conflicts.
    pub minimum: u64,
    /// Operations with a conflict.
    pub conflicted_operations: u64,
    /// The different instructions that an operation takes, and how they are served.
    pub instructions: Vec<LdsInstruction>,
    /// The pairs of lanes that collide most often, those first.
    pub pairs: Vec<LanePair>,
    /// Further pairs that collide.
    pub pairs_left_out: usize,
}

/// One operation.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[non_exhaustive]
pub struct Instance {
    /// Waste: cache lines beyond the minimum, or LDS cycles.
    pub excess: u64,
    /// Cost: cache lines, or LDS cycles.
    pub cost: u64,
    /// The least possible cost.
    pub minimum: u64,
    /// Lanes that took part.
    pub active_lanes: u32,
    /// The least first byte of a lane.
    #[serde(serialize_with = "hex")]
    pub first_address: u64,
    /// The trace folder.
    pub folder: String,
    /// When, in cycles.
    pub time: i64,
    /// Slot of its wave.
    #[serde(flatten)]
    pub slot: SlotJson,
    /// Number of waves that the slot had before.
    pub generation: u32,
}

/// A slot, as JSON calls its parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[non_exhaustive]
pub struct SlotJson {
    /// Shader engine.
    pub se: u32,
    /// CU, or WGP and shader array times 128.
    pub cu: u16,
    /// SIMD.
    pub simd: u8,
    /// Wave slot.
    pub slot: u8,
}

impl From<SlotId> for SlotJson {
    fn from(SlotId { se, cu, simd, slot }: SlotId) -> Self {
        Self { se, cu, simd, slot }
    }
}

impl From<SlotJson> for SlotId {
    fn from(SlotJson { se, cu, simd, slot }: SlotJson) -> Self {
        Self { se, cu, simd, slot }
    }
}

fn hex<S: Serializer>(address: &u64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&format_args!("{address:#x}"))
}

/// Two addresses as hexadecimal text.
pub(super) fn hex_pair<S: Serializer>(addresses: &[u64; 2], serializer: S) -> Result<S::Ok, S::Error> {
    addresses.map(|address| format!("{address:#x}")).serialize(serializer)
}

fn hex_range<S: Serializer>(range: &Option<(u64, u64)>, serializer: S) -> Result<S::Ok, S::Error> {
    match range {
        Some((low, high)) => hex_pair(&[*low, *high], serializer),
        None => serializer.serialize_none(),
    }
}

impl MarkerRow {
    /// Waste: bytes of lines beyond the minimum, or LDS cycles.
    #[must_use]
    pub fn excess(&self) -> u64 {
        let lines = self.lines.map_or(0, |lines| lines.excess());
        let banks = self.lds_banks.as_ref().map_or(0, |banks| banks.cycles.saturating_sub(banks.minimum));
        lines.saturating_mul(self.hardware.line_bytes.into()).max(banks)
    }
}
