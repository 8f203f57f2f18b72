//! The state of one wave.

use crate::counts::Counts;
use crate::error::Fault;
use crate::inst::{Kind, Src, sreg};
use crate::result::{Access, MarkerRecord};

/// One vector register: a word per lane. Wave32 uses the first half.
pub(crate) type Row = [u32; 64];
/// A pair of vector registers.
pub(crate) type Row64 = [u64; 64];
pub(crate) const ZERO: Row = [0; 64];
pub(crate) const ZERO64: Row64 = [0; 64];

/// Rows behind the program's registers that DPP and SDWA use for permuted sources and results.
pub(crate) const TEMP_ROWS: usize = 8;

/// The state of a wave.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum State {
    Running,
    /// Waits for the barrier phase.
    Barrier,
    /// Waits for a barrier of the whole grid, by its number.
    Grid(u8),
    Ended,
}

/// The parts of the MODE register that instructions look at.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Mode {
    pub(crate) raw: u32,
    pub(crate) flush_in32: bool,
    pub(crate) flush_out32: bool,
    pub(crate) flush_in64: bool,
    pub(crate) flush_out64: bool,
    pub(crate) dx10_clamp: bool,
    /// Minimum and maximum quiet a signalling NaN and return it (gone in gfx12).
    pub(crate) ieee: bool,
}

impl Mode {
    /// Bits 3:0 rounding, 5:4 f32 denormals, 7:6 f16/f64 denormals, 8 DX10_CLAMP, 9 IEEE.
    pub(crate) fn from_raw(raw: u32, generation: u8) -> Mode {
        Mode {
            raw,
            flush_in32: raw & 0x10 == 0,
            flush_out32: raw & 0x20 == 0,
            flush_in64: raw & 0x40 == 0,
            flush_out64: raw & 0x80 == 0,
            dx10_clamp: generation >= 12 || raw & 0x100 != 0,
            ieee: generation < 12 && raw & 0x200 != 0,
        }
    }
}

/// One wave.
#[derive(Debug)]
pub(crate) struct Wave {
    /// Lanes: 32 or 64.
    pub(crate) n: usize,
    /// EXEC with every lane on.
    pub(crate) full: u64,
    pub(crate) s: [u32; sreg::COUNT],
    pub(crate) scc: bool,
    pub(crate) v: Vec<Row>,
    /// Index of the first temporary row.
    pub(crate) temp: usize,
    /// Index of the next instruction.
    pub(crate) pc: usize,
    pub(crate) time: u64,
    pub(crate) state: State,
    pub(crate) mode: Mode,
    pub(crate) generation: u8,
    /// Words `[offset / 4][lane]`: the layout of swizzled scratch.
    pub(crate) scratch: Vec<u32>,
    /// The barrier phase that the wave waits for.
    pub(crate) barrier_target: u64,
    /// gfx9's indexed register mode: which operands M0 offsets (1, 2, 4 sources, 8 destination); 0 is off.
    pub(crate) gpr_index: u8,
    /// Number within the workgroup.
    pub(crate) index: u32,
    pub(crate) hw_id: u32,
    pub(crate) hw_id2: u32,
    pub(crate) markers: Vec<MarkerRecord>,
    pub(crate) accesses: Vec<Access>,
    pub(crate) counts: Counts,
}

impl Wave {
    pub(crate) fn exec(&self) -> u64 {
        if self.n == 64 { self.pair(sreg::EXEC) } else { u64::from(self.s[sreg::EXEC as usize]) }
    }

    pub(crate) fn set_exec(&mut self, value: u64) {
        self.s[sreg::EXEC as usize] = value as u32;
        if self.n == 64 {
            self.s[sreg::EXEC as usize + 1] = (value >> 32) as u32;
        }
    }

    pub(crate) fn vcc(&self) -> u64 {
        if self.n == 64 { self.pair(sreg::VCC) } else { u64::from(self.s[sreg::VCC as usize]) }
    }

    fn pair(&self, reg: u16) -> u64 {
        u64::from(self.s[reg as usize]) | u64::from(self.s[reg as usize + 1]) << 32
    }

    /// A 32-bit scalar operand; lane 0 of a vector register where one stands.
    pub(crate) fn s32(&self, src: &Src) -> u32 {
        match src.kind {
            Kind::S => self.s[src.reg as usize],
            Kind::K => src.k.b32,
            Kind::V => self.v[src.reg as usize][0],
            Kind::None => 0,
            Kind::Scc => u32::from(self.scc),
            Kind::Vccz => u32::from(self.vcc() == 0),
            Kind::Execz => u32::from(self.exec() == 0),
        }
    }

    /// A 64-bit scalar operand read as integer or bits.
    pub(crate) fn s64(&self, src: &Src) -> u64 {
        match src.kind {
            Kind::S if src.reg == sreg::NULL => 0,
            Kind::S => self.pair(src.reg),
            Kind::K => src.k.i64,
            _ => u64::from(self.s32(src)),
        }
    }

    /// A lane mask: one scalar register in wave32, two in wave64.
    pub(crate) fn mask(&self, src: &Src) -> u64 {
        match (src.kind, self.n) {
            (Kind::K, _) => src.k.i64,
            (_, 64) => self.s64(src),
            _ => u64::from(self.s32(src)),
        }
    }

    pub(crate) fn set32(&mut self, dst: &Src, value: u32) {
        if dst.kind == Kind::S && dst.reg != sreg::NULL {
            self.s[dst.reg as usize] = value;
        }
    }

    pub(crate) fn set64(&mut self, dst: &Src, value: u64) {
        if dst.kind == Kind::S && dst.reg != sreg::NULL {
            self.s[dst.reg as usize] = value as u32;
            self.s[dst.reg as usize + 1] = (value >> 32) as u32;
        }
    }

    pub(crate) fn set_mask(&mut self, dst: &Src, value: u64) {
        if self.n == 64 { self.set64(dst, value) } else { self.set32(dst, value as u32) }
    }

    /// First active lane; 0 when none is.
    pub(crate) fn first_lane(&self) -> usize {
        let exec = self.exec();
        if exec == 0 { 0 } else { exec.trailing_zeros() as usize }
    }

    /// The scratch words of `lane`: bounds-checked index of the word that holds byte `offset`.
    pub(crate) fn scratch_index(&self, offset: u64, lane: usize) -> Option<usize> {
        let index = (offset / 4).checked_mul(self.n as u64)?.checked_add(lane as u64)?;
        usize::try_from(index).ok().filter(|&i| i < self.scratch.len())
    }

    /// Bytes of scratch that each lane has.
    pub(crate) fn scratch_bytes(&self) -> u64 {
        (self.scratch.len() / self.n * 4) as u64
    }

    /// Checks a row computed at run time (relative addressing).
    pub(crate) fn row(&self, index: i64) -> Result<usize, Fault> {
        usize::try_from(index)
            .ok()
            .filter(|&i| i < self.temp)
            .ok_or_else(|| Fault::unknown(format!("relative vector register {index} does not exist")))
    }
}
