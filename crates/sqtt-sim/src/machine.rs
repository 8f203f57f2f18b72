//! The places of waves, and the values of the hardware-id registers there.
//!
//! The simulated machine has 2 shader engines of 4 compute units (gfx9) or workgroup processors, each with 4
//! SIMDs. A dispatch runs in rounds: a round fills the machine, the next one starts when it is over. Workgroup
//! `j` of a round sits on
//!
//! * compute unit `j % 4` of shader engine `j / 4 % 2`,
//! * workgroup slot `(j / 8 + j % 8) % N` of it, `N` being the workgroups that fit on a compute unit.
//!
//! Wave `w` of it sits on SIMD `(w + j) % 4`, in the slot `w / 4` of the slots that its workgroup slot owns. So a
//! few workgroups already cover several compute units, SIMDs, wave slots and workgroup slots.

use crate::target::Target;

/// Shader engines.
pub(crate) const ENGINES: u32 = 2;
/// Compute units or workgroup processors of an engine.
pub(crate) const UNITS: u32 = 4;
/// SIMDs of a unit.
pub(crate) const SIMDS: u32 = 4;
/// Cycles between the starts of two workgroups.
const LAUNCH_GAP: u64 = 16;

/// A wave's place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct WavePlace {
    pub(crate) se: u32,
    pub(crate) cu: u32,
    pub(crate) simd: u32,
    pub(crate) slot: u32,
    pub(crate) workgroup_slot: u32,
}

/// The machine as one dispatch sees it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Machine {
    target: Target,
    /// Wave slots of a SIMD that one workgroup takes.
    depth: u32,
    /// Workgroups that fit on a unit.
    per_unit: u32,
}

impl Machine {
    pub(crate) fn new(target: Target, waves: u32) -> Machine {
        let traits = target.traits();
        let depth = waves.div_ceil(SIMDS).max(1);
        Machine { target, depth, per_unit: (traits.slots / depth).clamp(1, traits.workgroup_slots) }
    }

    /// Workgroups of a round.
    pub(crate) fn round(&self) -> u64 {
        u64::from(ENGINES * UNITS * self.per_unit)
    }

    /// Simulated start of workgroup `j` of a round, after the round's start.
    pub(crate) fn start(j: u64) -> u64 {
        j * LAUNCH_GAP
    }

    /// The place of a wave of workgroup `j` of a round.
    pub(crate) fn place(&self, j: u64, wave: u32) -> WavePlace {
        let j = j as u32;
        let units = ENGINES * UNITS;
        let workgroup_slot = (j / units + j % units) % self.per_unit;
        WavePlace {
            se: j / UNITS % ENGINES,
            cu: j % UNITS,
            simd: (wave + j) % SIMDS,
            slot: workgroup_slot * self.depth + wave / SIMDS,
            workgroup_slot,
        }
    }

    /// `HW_ID` (gfx9), or `HW_ID1` and `HW_ID2`.
    ///
    /// Fields: gfx9 wave 3:0, SIMD 5:4, CU 11:8, SE 14:13, workgroup slot 19:16; later wave 4:0, SIMD 9:8,
    /// WGP 13:10, SE 20:18 (19:18 on gfx10), and in HW_ID2 the workgroup slot 20:16.
    pub(crate) fn hw_ids(&self, p: &WavePlace) -> (u32, u32) {
        match self.target.generation() {
            9 => (p.slot | p.simd << 4 | p.cu << 8 | p.se << 13 | p.workgroup_slot << 16, 0),
            _ => (p.slot | p.simd << 8 | p.cu << 10 | p.se << 18, p.workgroup_slot << 16),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn no_two_waves_of_a_round_share_a_slot() {
        for target in Target::ALL {
            for waves in [1, 2, 4, 5, 8, 16, 32] {
                let machine = Machine::new(target, waves);
                let mut seen = HashSet::new();
                for j in 0..machine.round() {
                    for w in 0..waves {
                        let p = machine.place(j, w);
                        assert!(p.slot < target.traits().slots || waves > 4 * target.traits().slots);
                        assert!(p.workgroup_slot < target.traits().workgroup_slots);
                        assert!(seen.insert((p.se, p.cu, p.simd, p.slot)), "{target} {waves} {j} {w}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_handful_of_workgroups_covers_the_fields() {
        let machine = Machine::new(Target::Gfx1100, 2);
        let places: Vec<_> = (0..5).flat_map(|j| (0..2).map(move |w| machine.place(j, w))).collect();
        let count = |f: fn(&WavePlace) -> u32| places.iter().map(f).collect::<HashSet<_>>().len();
        assert!(count(|p| p.cu) == 4 && count(|p| p.se) == 2 && count(|p| p.simd) == 4);
        assert!(count(|p| p.slot) > 2 && count(|p| p.workgroup_slot) > 2);
    }
}
