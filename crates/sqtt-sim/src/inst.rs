//! A decoded instruction: operands resolved, semantics as a function pointer.

use crate::counts::Counter;
use crate::env::Env;
use crate::error::Fault;
use crate::refusal::Refusal;
use crate::wave::Wave;

pub(crate) type Res = Result<(), Fault>;
/// The semantics of one instruction.
pub(crate) type Exec = fn(&mut Wave, &mut Env<'_>, &Inst) -> Res;

/// Scalar register numbers. 0 to 105 are SGPRs; the rest follow the hardware's encoding where it has one.
pub(crate) mod sreg {
    pub(crate) const VCC: u16 = 106;
    pub(crate) const TTMP0: u16 = 108;
    pub(crate) const M0: u16 = 124;
    /// Reads as zero, ignores writes.
    pub(crate) const NULL: u16 = 125;
    pub(crate) const EXEC: u16 = 126;
    pub(crate) const FLAT_SCRATCH: u16 = 128;
    pub(crate) const XNACK: u16 = 130;
    pub(crate) const SHARED_BASE: u16 = 132;
    pub(crate) const SHARED_LIMIT: u16 = 134;
    pub(crate) const PRIVATE_BASE: u16 = 136;
    pub(crate) const PRIVATE_LIMIT: u16 = 138;
    pub(crate) const COUNT: usize = 160;
}

/// The thing that an operand names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Absent, or `off`.
    None,
    /// Vector register row.
    V,
    /// Scalar register.
    S,
    /// A constant: see [`Konst`].
    K,
    /// `src_scc`
    Scc,
    /// `src_vccz`
    Vccz,
    /// `src_execz`
    Execz,
}

/// A constant as each context reads it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Konst {
    pub(crate) b32: u32,
    pub(crate) b16: u32,
    pub(crate) i64: u64,
    pub(crate) f64: u64,
}

/// One operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Src {
    pub(crate) kind: Kind,
    pub(crate) reg: u16,
    /// Registers named: 1 for `v0`, 4 for `v[0:3]`.
    pub(crate) n: u8,
    pub(crate) neg: bool,
    pub(crate) abs: bool,
    /// The upper half, by `.h` or `op_sel`.
    pub(crate) hi: bool,
    /// Written as `.l` or `.h`.
    pub(crate) half: bool,
    pub(crate) sext: bool,
    pub(crate) k: Konst,
}

impl Src {
    pub(crate) const NONE: Src = Src {
        kind: Kind::None,
        reg: 0,
        n: 0,
        neg: false,
        abs: false,
        hi: false,
        half: false,
        sext: false,
        k: Konst { b32: 0, b16: 0, i64: 0, f64: 0 },
    };

    pub(crate) fn new(kind: Kind, reg: u16, n: u8) -> Src {
        Src { kind, reg, n, ..Src::NONE }
    }

    pub(crate) fn is_v(&self) -> bool {
        self.kind == Kind::V
    }
}

/// The place of a 16-bit result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum D16 {
    /// Low half; the high half keeps its value.
    Lo,
    /// High half; the low half keeps its value.
    Hi,
    /// Low half; the high half becomes zero (most gfx9 instructions).
    Zero,
}

/// `SRC_SEL`/`DST_SEL` of SDWA.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sel {
    Byte(u8),
    Word(u8),
    Dword,
}

/// Sub-dword addressing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Sdwa {
    pub(crate) src: [Sel; 2],
    pub(crate) dst: Sel,
    pub(crate) unused: Unused,
}

/// The fate of the destination's bits that SDWA does not write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unused {
    Pad,
    Sext,
    Preserve,
}

/// Lane permutation of DPP and DPP8.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Dpp {
    pub(crate) control: Control,
    pub(crate) row_mask: u8,
    pub(crate) bank_mask: u8,
    pub(crate) bound_zero: bool,
    pub(crate) fetch_inactive: bool,
}

/// The lane that a lane reads from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Control {
    QuadPerm([u8; 4]),
    RowShl(u8),
    RowShr(u8),
    RowRor(u8),
    WaveShl,
    WaveRol,
    WaveShr,
    WaveRor,
    RowMirror,
    RowHalfMirror,
    RowBcast15,
    RowBcast31,
    RowNewBcast(u8),
    RowShare(u8),
    RowXmask(u8),
    Dpp8([u8; 8]),
}

/// Semantics around the instruction's own.
#[derive(Debug, Clone)]
pub(crate) enum Wrap {
    Dpp(Dpp, Exec),
    Sdwa(Sdwa, Exec),
    Pair(Box<Inst>, Box<Inst>),
    Matrix(Box<crate::ops::matrix::Plan>),
    Image(Box<crate::ops::image::Plan>),
}

/// Boolean modifiers of memory instructions.
pub(crate) mod flag {
    pub(crate) const OFFEN: u16 = 1;
    pub(crate) const IDXEN: u16 = 2;
    /// The atomic returns the old value.
    pub(crate) const RETURN: u16 = 4;
    pub(crate) const LDS: u16 = 8;
    pub(crate) const GDS: u16 = 16;
    pub(crate) const TFE: u16 = 32;
    /// `v_cmpx`: EXEC is written too.
    pub(crate) const CMPX: u16 = 64;
    /// A VOP3P instruction.
    pub(crate) const PACKED: u16 = 128;
    /// A vector ALU instruction.
    pub(crate) const VALU: u16 = 256;
    /// Coordinates count texels.
    pub(crate) const UNORM: u16 = 512;
    /// A buffer instruction that converts texels.
    pub(crate) const FORMAT: u16 = 1024;
}

/// A decoded instruction.
#[derive(Debug, Clone)]
pub(crate) struct Inst {
    pub(crate) exec: Exec,
    /// Why it is not executed.
    pub(crate) refusal: Option<Refusal>,
    /// The part of it that is not known to the last bit.
    pub(crate) bounds: Option<&'static str>,
    pub(crate) ops: [Src; 6],
    pub(crate) nops: u8,
    pub(crate) pc: u64,
    pub(crate) size: u32,
    /// Index of the branch target.
    pub(crate) target: u32,
    /// Simulated cycles.
    pub(crate) cost: u32,
    pub(crate) counter: Counter,
    pub(crate) clamp: bool,
    /// 0 none, 1 ×2, 2 ×4, 3 ÷2.
    pub(crate) omod: u8,
    pub(crate) op_sel: u8,
    pub(crate) op_sel_hi: u8,
    pub(crate) neg_lo: u8,
    pub(crate) neg_hi: u8,
    pub(crate) d16: D16,
    pub(crate) flags: u16,
    /// Immediate: memory offset, simm16, DS offset0, compare condition, bit-op table.
    pub(crate) imm: i64,
    /// DS offset1.
    pub(crate) imm1: i64,
    /// Operation of a memory instruction.
    pub(crate) mem: crate::memory::op::MemOp,
    pub(crate) wrap: Option<Box<Wrap>>,
}

impl Inst {
    pub(crate) fn has(&self, flag: u16) -> bool {
        self.flags & flag != 0
    }

    /// The trailing operand, where its presence varies.
    pub(crate) fn op(&self, n: usize) -> Option<&Src> {
        self.ops.get(n).filter(|_| n < self.nops as usize)
    }
}
