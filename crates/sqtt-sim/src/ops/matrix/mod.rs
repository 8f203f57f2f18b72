//! Matrix instructions: MFMA and SMFMAC of gfx9, WMMA and SWMMAC of gfx11 and gfx12.
//!
//! A name says what is multiplied ([`shape`]); where elements are is a list of lines ([`layout`]); sources become
//! f32 or i32 ([`unpack`]), which [`multiply`] multiplies. The instructions look at no EXEC. `docs/simulator.md`
//! says which rounding was chosen where AMD's documents say none.

mod layout;
mod multiply;
mod run;
mod shape;
mod unpack;

use super::{Class, Def, def};
use crate::inst::{Inst, Kind, Src, Wrap, flag};
use crate::target::Target;
use layout::Lines;
use shape::{Element, Family, Shape};

/// All that is known before a matrix instruction runs.
#[derive(Debug, Clone)]
pub(crate) struct Plan {
    shape: Shape,
    lines: Lines,
    blocks: usize,
    /// Lanes of the waves that the instruction is for.
    lanes: usize,
    /// Denormals of sources and results are zero.
    flush: bool,
    /// Groups of 16 lanes of A and B have to hold the same.
    replicated: bool,
    /// The lane pattern of B.
    pattern: u8,
    /// Bytes of the scales' registers.
    scales: Option<[u8; 2]>,
}

/// Modifiers of matrix instructions that stand in `imm`, a byte each: `cbsz`, `abid`, `blgp`, `index_key`.
pub(crate) fn modifier(key: &str) -> Option<u32> {
    Some(match key {
        "cbsz" => 0,
        "abid" => 8,
        "blgp" => 16,
        "index_key" => 24,
        _ => return None,
    })
}

/// `v_mfma_*`, `v_smfmac_*`, `v_wmma_*`, `v_swmmac_*`
pub(super) fn family(name: &str, inst: &mut Inst, target: Target) -> Option<Def> {
    let shape = Shape::parse(name, target)?;
    inst.wrap = Some(Box::new(Wrap::Matrix(Box::new(Plan {
        shape,
        lines: Lines::default(),
        blocks: 1,
        lanes: 64,
        flush: target == Target::Gfx90a && matches!(shape.a, Element::F16 | Element::Bf16),
        replicated: false,
        pattern: 0,
        scales: None,
    }))));
    Some(Def { fix: Some(complete), flags: flag::PACKED, ..def(Class::Matrix, run::run) })
}

/// Finds the lines by the operands' widths, and refuses what does not fit together.
fn complete(i: &mut Inst, target: Target) -> Option<()> {
    let Some(Wrap::Matrix(plan)) = i.wrap.as_deref_mut() else { return None };
    let byte = |at: u32| (i.imm >> at) as u8;
    let (cbsz, abid, blgp, key) = (byte(0), byte(8), byte(16), byte(24));
    let s = &mut plan.shape;
    if s.open {
        (s.a, s.b) = (shape::format(cbsz)?, shape::format(blgp)?);
    }
    if let (Element::Int { signed: a, .. }, Element::Int { signed: b, .. }) = (&mut s.a, &mut s.b)
        && s.family == Family::Wmma
    {
        (*a, *b) = (i.neg_lo & 1 != 0, i.neg_lo & 2 != 0);
    }
    let [d, a, b, c, ..] = i.ops;
    let operands = if s.scaled { 6 } else { 4 };
    let vectors = d.is_v() && a.is_v() && b.is_v() && (!s.sparse || c.is_v());
    if !vectors || i.nops != operands || i.clamp && (s.d != Element::I32 || s.family == Family::Mfma) {
        return None;
    }
    let width = usize::from(d.n) * 32;
    match s.family {
        Family::Mfma => {
            plan.blocks =
                (width * 64).checked_div(s.m * s.n * s.d.bits()).filter(|&b| (1..=16).contains(&b))?;
            let broadcast = if s.open { (0, 0) } else { (cbsz, abid) };
            plan.lines = layout::gfx9(s, plan.blocks, broadcast)?;
            if s.d == Element::F64 {
                // Here the lane pattern's bits negate.
                i.neg_lo |= blgp;
            } else if !s.open {
                plan.pattern = blgp;
            }
        }
        Family::Wmma => {
            // A result of f16 fills its registers on gfx12, and half of each on gfx11.
            let bits = if target.generation() == 11 { 32 } else { s.d.bits() };
            plan.lanes = (s.m * s.n * bits).checked_div(width).filter(|&n| n == 32 || n == 64)?;
            let high = i.op_sel >> 2 & 1 != 0;
            plan.lines = if target.generation() == 11 {
                layout::gfx11(s, plan.lanes, high)
            } else {
                layout::gfx12(s, plan.lanes, key)?
            };
            plan.replicated = target.generation() == 11;
        }
    }
    if s.scaled {
        let byte = |k: u8| (i.op_sel >> k & 1) | (i.op_sel_hi >> k & 1) << 1;
        plan.scales = Some([byte(0), byte(1)]);
    }
    let fits = |src: &Src, lines: &[layout::Line], bits: usize, open: bool| {
        let last = lines.iter().map(|line| usize::from(line.item)).max().unwrap_or(0);
        let registers = ((last + 1) * bits).div_ceil(32);
        usize::from(src.n) == registers || open && usize::from(src.n) > registers
    };
    let wide = c.kind != Kind::V || c.n == if s.sparse { 1 } else { d.n };
    let all = fits(&a, &plan.lines.a, s.a.bits(), s.open) && fits(&b, &plan.lines.b, s.b.bits(), s.open);
    (all && wide && matches!(c.kind, Kind::V | Kind::K) && modifiers(i.neg_lo, i.neg_hi, s)).then_some(())
}

/// Negations that an instruction takes.
fn modifiers(lo: u8, hi: u8, s: &Shape) -> bool {
    let (can_lo, can_hi) = match (s.family, s.a) {
        (Family::Mfma, Element::F64) => (7, 0),
        (Family::Mfma, _) => (0, 0),
        (_, Element::Int { .. }) => (3, 0),
        (_, Element::F16 | Element::Bf16) if s.sparse => (3, 3),
        (_, Element::F16 | Element::Bf16) => (7, 7),
        _ if s.sparse => (0, 0),
        _ => (4, 4),
    };
    lo & !can_lo == 0 && hi & !can_hi == 0
}
