//! The surroundings of an instruction besides its wave: code, LDS, memory, its workgroup.

use std::cell::RefCell;
use std::rc::Rc;

use crate::code::Code;
use crate::memory::View;
use crate::target::Target;

/// Address bits 63:48 of the LDS aperture.
pub(crate) const SHARED_APERTURE: u64 = 1 << 48;
/// Address bits 63:48 of the scratch aperture.
pub(crate) const PRIVATE_APERTURE: u64 = 2 << 48;
/// Bytes of each aperture.
pub(crate) const APERTURE_SIZE: u64 = 1 << 32;
/// The pretended address of buffer-addressed scratch; every wave's part is `SCRATCH_STRIDE` apart.
pub(crate) const SCRATCH_BASE: u64 = 0x7000_0000_0000;
/// Simulated cycles per tick of the constant-rate clock (100 MHz).
pub(crate) const CYCLES_PER_TICK: u64 = 16;

/// The barrier of a workgroup.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Barrier {
    /// Completed phases.
    pub(crate) phase: u64,
    /// Waves that have arrived at the current phase.
    pub(crate) arrived: u32,
    /// Latest arrival at the current phase, in simulated cycles.
    pub(crate) latest: u64,
    /// When the last completed phase released its waves.
    pub(crate) release: u64,
}

impl Barrier {
    /// Counts a wave's arrival; completes the phase when `members` have arrived. True for the first.
    pub(crate) fn arrive(&mut self, time: u64, members: u32) -> bool {
        let first = self.arrived == 0;
        self.arrived += 1;
        self.latest = self.latest.max(time);
        self.complete(members);
        first
    }

    /// Completes the phase if every member has arrived.
    pub(crate) fn complete(&mut self, members: u32) {
        if self.arrived > 0 && self.arrived >= members {
            self.arrived = 0;
            self.phase += 1;
            self.release = std::mem::take(&mut self.latest);
        }
    }
}

/// The barriers of a cooperative dispatch, which its workgroups share (GWS).
pub(crate) type Grid = Rc<RefCell<[Barrier; 64]>>;

/// The surroundings of one workgroup's waves.
pub(crate) struct Env<'a> {
    pub(crate) code: &'a Code,
    /// The address of the program's image.
    pub(crate) base: u64,
    pub(crate) lds: Vec<u8>,
    pub(crate) mem: View<'a>,
    pub(crate) barrier: Barrier,
    /// `None` in a dispatch whose workgroups do not run side by side.
    pub(crate) grid: Option<Grid>,
    /// Waves that take part in barriers.
    pub(crate) waves: u32,
    pub(crate) log_markers: bool,
    pub(crate) log_accesses: bool,
    /// Counts the cycles of LDS bank conflicts, for this target.
    pub(crate) lds_conflicts: Option<Target>,
}
