//! The phases in which LDS serves the lanes of an access, and its banks.
//!
//! The [`TABLE`] has what others measured and published. For what it lacks, neighbours are counted:
//! lanes by their numbers, as many at a time as 32 banks can serve, in a power of two. Accesses wider than
//! the widest instruction are split first.

use serde::Serialize;
use sqtt_format::WaveSize;

use super::hardware::processor;
use LdsKind::{Read, Write};
use Phases::{Neighbours, Sets};
use WaveSize::{Wave32, Wave64};

/// Banks, where they were not measured.
const BANKS: u32 = 32;
/// Bytes of a bank.
pub(super) const BANK_BYTES: u32 = 4;
/// The widths that instructions have, the widest first.
const WIDTHS: [u32; 6] = [16, 12, 8, 4, 2, 1];

/// The sort of an LDS operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum LdsKind {
    /// Loads.
    Read,
    /// Stores.
    Write,
    /// Reads, changes and writes.
    Atomic,
}

/// The ground on which lanes are counted as served together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum LdsOrder {
    /// It was measured.
    Measured,
    /// It was measured, and another source says otherwise.
    Disputed,
    /// It is not known: neighbours are counted.
    Neighbours,
}

/// One instruction of an access, and how LDS serves it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct LdsInstruction {
    /// Bytes of a lane.
    pub bytes: u32,
    /// Lanes that are served together: those of a phase.
    pub lanes: u32,
    /// Banks that they take words of.
    pub banks: u32,
    /// The ground for that.
    pub order: LdsOrder,
    /// The publication.
    pub source: Option<&'static str>,
    #[serde(skip)]
    phases: Phases,
}

/// An access of LDS: the instructions that it takes, one behind the other.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LdsAccess {
    /// Its sort.
    pub kind: LdsKind,
    /// Its instructions, by address.
    pub instructions: Vec<LdsInstruction>,
}

/// The lanes of each phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phases {
    /// So many at a time, by number.
    Neighbours(u32),
    /// A bit per lane, for lanes 0 to 31; the same for lanes 32 to 63.
    Sets(&'static [u32]),
}

/// {0-3, 20-23} {4-7, 16-19} {8-11, 28-31} {12-15, 24-27}
const EIGHTS: Phases = Sets(&[0x00F0_000F, 0x000F_00F0, 0xF000_0F00, 0x0F00_F000]);
/// {0-3, 12-15, 20-27} {4-11, 16-19, 28-31}
const SIXTEENS: Phases = Sets(&[0x0FF0_F00F, 0xF00F_0FF0]);

/// Latencies of pairs of lanes. triton PR 11365 and iree PR 24428 have the same for reads of 16 bytes.
const EMPIRICAL: &str = "nod-ai/amd-shark-ai docs/empirical-lds";
/// Composable Kernel's documentation of LDS bank conflicts has the same.
const GUIDE: &str = "nod-ai/amd-shark-ai docs/amdgpu_kernel_optimization_guide.md";
/// Conflicts of pairs of lanes, and of banks. rocRoller's `LDSBankModel` has as many lanes and banks.
const HIPKITTENS: &str = "HazyResearch/HipKittens analysis/paper_experiments/phases";

struct LdsRow {
    target: &'static str,
    wave: WaveSize,
    kind: LdsKind,
    bytes: u32,
    phases: Phases,
    banks: u32,
    order: LdsOrder,
    source: &'static str,
}

/// The measurements.
const TABLE: [LdsRow; 15] = [
    row("gfx942", Wave64, Read, 4, Neighbours(32), 32, EMPIRICAL),
    row("gfx942", Wave64, Read, 8, Neighbours(16), 32, EMPIRICAL),
    row("gfx942", Wave64, Read, 16, EIGHTS, 32, EMPIRICAL),
    row("gfx942", Wave64, Write, 16, Neighbours(8), 32, GUIDE),
    // rocRoller's `LDSBankModel` has 32 lanes and 32 banks.
    LdsRow { order: LdsOrder::Disputed, ..row("gfx950", Wave64, Read, 4, Neighbours(64), 64, EMPIRICAL) },
    row("gfx950", Wave64, Read, 8, Neighbours(32), 64, EMPIRICAL),
    row("gfx950", Wave64, Read, 12, EIGHTS, 32, HIPKITTENS),
    row("gfx950", Wave64, Read, 16, SIXTEENS, 64, EMPIRICAL),
    row("gfx950", Wave64, Write, 8, Neighbours(16), 32, HIPKITTENS),
    row("gfx1100", Wave32, Read, 4, Neighbours(32), 32, EMPIRICAL),
    row("gfx1100", Wave32, Read, 8, Neighbours(16), 32, EMPIRICAL),
    row("gfx1100", Wave32, Read, 16, EIGHTS, 32, EMPIRICAL),
    row("gfx1201", Wave32, Read, 4, Neighbours(32), 32, EMPIRICAL),
    row("gfx1201", Wave32, Read, 8, Neighbours(16), 32, EMPIRICAL),
    row("gfx1201", Wave32, Read, 16, Neighbours(8), 32, EMPIRICAL),
];

const fn row(
    target: &'static str,
    wave: WaveSize,
    kind: LdsKind,
    bytes: u32,
    phases: Phases,
    banks: u32,
    source: &'static str,
) -> LdsRow {
    LdsRow { target, wave, kind, bytes, phases, banks, order: LdsOrder::Measured, source }
}

impl LdsAccess {
    /// An access of `bytes` of each lane, on a target such as `gfx942:sramecc+`. With a number of `banks`
    /// that someone says, neighbours are counted.
    #[must_use]
    pub fn of(target: Option<&str>, wave: WaveSize, kind: LdsKind, bytes: u32, banks: Option<u32>) -> Self {
        let processor = target.map(processor);
        let mut instructions = Vec::new();
        let mut left = bytes;
        while let Some(&bytes) = WIDTHS.iter().find(|width| **width <= left) {
            let row = TABLE.iter().find(|row| {
                let is_same = Some(row.target) == processor && row.wave == wave && row.kind == kind;
                is_same && row.bytes == bytes && banks.is_none()
            });
            instructions.push(match row {
                Some(row) => LdsInstruction::measured(row),
                None => LdsInstruction::by_neighbours(bytes, banks.unwrap_or(BANKS)),
            });
            left -= bytes;
        }
        Self { kind, instructions }
    }
}

impl LdsInstruction {
    fn measured(row: &LdsRow) -> Self {
        let lanes = match row.phases {
            Neighbours(lanes) => lanes,
            Sets(sets) => sets.first().map_or(0, |set| set.count_ones()),
        };
        let LdsRow { bytes, banks, order, source, phases, .. } = *row;
        Self { bytes, lanes, banks, order, source: Some(source), phases }
    }

    fn by_neighbours(bytes: u32, banks: u32) -> Self {
        let banks = banks.max(1);
        let lanes = 1 << (banks / bytes.div_ceil(BANK_BYTES)).max(1).ilog2();
        let order = LdsOrder::Neighbours;
        Self { bytes, lanes, banks, order, source: None, phases: Neighbours(lanes) }
    }

    /// The phase that a lane is in.
    pub(super) fn phase(&self, lane: u32) -> u32 {
        match self.phases {
            Neighbours(lanes) => lane / lanes,
            Sets(sets) => {
                let within = sets.iter().take_while(|set| *set >> (lane % 32) & 1 == 0).count();
                lane / 32 * sets.len() as u32 + within as u32
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn only(target: &str, wave: WaveSize, kind: LdsKind, bytes: u32) -> LdsInstruction {
        let access = LdsAccess::of(Some(target), wave, kind, bytes, None);
        assert_eq!(access.instructions.len(), 1, "{target} {bytes}");
        access.instructions[0]
    }

    /// The lanes of each phase, in the order of their first lanes.
    fn phases(instruction: &LdsInstruction, lanes: u32) -> Vec<Vec<u32>> {
        let mut phases: Vec<(u32, Vec<u32>)> = Vec::new();
        for lane in 0..lanes {
            let phase = instruction.phase(lane);
            match phases.iter_mut().find(|(other, _)| *other == phase) {
                Some((_, lanes)) => lanes.push(lane),
                None => phases.push((phase, vec![lane])),
            }
        }
        phases.into_iter().map(|(_, lanes)| lanes).collect()
    }

    /// `0-3 20-23, 4-7 16-19` as lists of lanes.
    fn lists(text: &str) -> Vec<Vec<u32>> {
        let range = |text: &str| {
            let (first, last) = text.split_once('-').expect("a range");
            first.parse::<u32>().expect("a lane")..=last.parse().expect("a lane")
        };
        text.split(',').map(|phase| phase.split_whitespace().flat_map(range).collect()).collect()
    }

    #[test]
    fn phases_as_published() {
        use LdsOrder::{Disputed, Measured};
        let halves = "0-31, 32-63";
        let quarters = "0-15, 16-31, 32-47, 48-63";
        let by_eight = "0-7, 8-15, 16-23, 24-31, 32-39, 40-47, 48-55, 56-63";
        let eights = "0-3 20-23, 4-7 16-19, 8-11 28-31, 12-15 24-27, \
                      32-35 52-55, 36-39 48-51, 40-43 60-63, 44-47 56-59";
        let sixteens = "0-3 12-15 20-27, 4-11 16-19 28-31, 32-35 44-47 52-59, 36-43 48-51 60-63";
        for (target, wave, kind, bytes, banks, order, text) in [
            ("gfx942", Wave64, Read, 4, 32, Measured, halves),
            ("gfx942:sramecc+:xnack-", Wave64, Read, 8, 32, Measured, quarters),
            ("gfx942", Wave64, Read, 16, 32, Measured, eights),
            ("gfx942", Wave64, Write, 16, 32, Measured, by_eight),
            ("gfx950", Wave64, Read, 4, 64, Disputed, "0-63"),
            ("gfx950", Wave64, Read, 8, 64, Measured, halves),
            ("gfx950", Wave64, Read, 12, 32, Measured, eights),
            ("gfx950", Wave64, Read, 16, 64, Measured, sixteens),
            ("gfx950", Wave64, Write, 8, 32, Measured, quarters),
            ("gfx1100", Wave32, Read, 4, 32, Measured, "0-31"),
            ("gfx1100", Wave32, Read, 8, 32, Measured, "0-15, 16-31"),
            ("gfx1100", Wave32, Read, 16, 32, Measured, "0-3 20-23, 4-7 16-19, 8-11 28-31, 12-15 24-27"),
            ("gfx1201", Wave32, Read, 4, 32, Measured, "0-31"),
            ("gfx1201", Wave32, Read, 8, 32, Measured, "0-15, 16-31"),
            ("gfx1201", Wave32, Read, 16, 32, Measured, "0-7, 8-15, 16-23, 24-31"),
        ] {
            let what = format!("{target} {kind:?} {bytes}");
            let instruction = only(target, wave, kind, bytes);
            assert_eq!((instruction.order, instruction.banks), (order, banks), "{what}");
            assert!(instruction.source.is_some(), "{what}");
            let lanes = wave.lanes();
            let phases = phases(&instruction, lanes);
            assert_eq!(phases, lists(text), "{what}");
            assert!(phases.iter().all(|phase| phase.len() as u32 == instruction.lanes), "{what}");
        }
    }

    #[test]
    fn everything_else_counts_neighbours_of_32_banks() {
        let lanes_of = |bytes: u32| match bytes {
            1..=4 => 32,
            8 => 16,
            _ => 8,
        };
        let mut others = 0;
        for target in ["gfx90a", "gfx940", "gfx942", "gfx950", "gfx1030", "gfx1100", "gfx1200", "gfx1201"] {
            for wave in WaveSize::ALL {
                for kind in [Read, Write, LdsKind::Atomic] {
                    for bytes in WIDTHS {
                        let instruction = only(target, wave, kind, bytes);
                        if TABLE.iter().any(|row| {
                            (row.target, row.wave, row.kind, row.bytes) == (target, wave, kind, bytes)
                        }) {
                            continue;
                        }
                        let expected = (LdsOrder::Neighbours, 32, lanes_of(bytes), None);
                        let LdsInstruction { order, banks, lanes, source, .. } = instruction;
                        assert_eq!((order, banks, lanes, source), expected, "{target} {kind:?} {bytes}");
                        others += 1;
                    }
                }
            }
        }
        assert_eq!(others, 8 * 2 * 3 * 6 - TABLE.len());
        let unknown = LdsAccess::of(None, Wave64, Read, 4, None);
        assert_eq!(unknown.instructions[0].order, LdsOrder::Neighbours);
        // Banks that someone says are taken, and nobody measured those.
        let said = LdsAccess::of(Some("gfx942"), Wave64, Read, 16, Some(64)).instructions[0];
        assert_eq!((said.banks, said.lanes, said.order), (64, 16, LdsOrder::Neighbours));
    }

    #[test]
    fn what_no_instruction_can_do_is_split() {
        for (bytes, widths) in [
            (32, &[16, 16][..]),
            (20, &[16, 4]),
            (28, &[16, 12]),
            (6, &[4, 2]),
            (7, &[4, 2, 1]),
            (3, &[2, 1]),
            (0, &[]),
        ] {
            let access = LdsAccess::of(Some("gfx942"), Wave64, Read, bytes, None);
            let split: Vec<u32> = access.instructions.iter().map(|one| one.bytes).collect();
            assert_eq!(split, widths, "{bytes}");
        }
        let orders: Vec<LdsOrder> = LdsAccess::of(Some("gfx942"), Wave64, Write, 20, None)
            .instructions
            .iter()
            .map(|one| one.order)
            .collect();
        assert_eq!(orders, [LdsOrder::Measured, LdsOrder::Neighbours]);
    }
}
