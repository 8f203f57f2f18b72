//! Conversions from and to floats of 8, 6 and 4 bits, and those to f16 and bf16 that came with them.
//!
//! Values are computed in f64, which holds all of them times any scale, and rounded once. Denormals of f32 and f16
//! sources follow MODE. A NaN has no code in the formats of 6 and 4 bits: converting one is refused.

use super::{Class, Def, Table, def};
use crate::error::Fault;
use crate::fp;
use crate::inst::{Inst, Kind, Res, Src};
use crate::lanes::rd;
use crate::small::{Rounding, Small, round};
use crate::target::Target;
use crate::wave::{Wave, ZERO};

/// A type of these conversions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Type {
    F32,
    F16,
    Bf16,
    Small(Small),
}
use Type::{Bf16, F16, F32};

const FP8: Type = Type::Small(Small::Fp8);
const BF8: Type = Type::Small(Small::Bf8);
const FP6: Type = Type::Small(Small::Fp6);
const BF6: Type = Type::Small(Small::Bf6);
const FP4: Type = Type::Small(Small::Fp4);

impl Type {
    fn bits(self) -> usize {
        match self {
            F32 => 32,
            F16 | Bf16 => 16,
            Type::Small(small) => small.bits() as usize,
        }
    }

    /// The target's form of FP8 and BF8.
    fn of(self, fnuz: bool) -> Type {
        match self {
            FP8 if fnuz => Type::Small(Small::Fp8Fnuz),
            BF8 if fnuz => Type::Small(Small::Bf8Fnuz),
            other => other,
        }
    }
}

/// The facts that a name says.
#[derive(Debug, Clone, Copy)]
struct Spec {
    to: Type,
    from: Type,
    /// Values of a lane.
    count: usize,
    scaled: bool,
    /// The source before the scale has random bits.
    random: bool,
}

impl Spec {
    /// Two sources hold alternate values.
    fn two_sources(self) -> bool {
        !self.random && self.from == F32 && self.count > 1
    }

    fn sources(self) -> usize {
        1 + usize::from(self.two_sources()) + usize::from(self.random) + usize::from(self.scaled)
    }

    /// Registers of the first source, and of the result.
    fn widths(self) -> [usize; 2] {
        let held = if self.two_sources() { self.count / 2 } else { self.count };
        [held * self.from.bits(), self.count * self.to.bits()].map(|bits| bits.div_ceil(32))
    }
}

/// Bit of `imm`: FP8 and BF8 are FNUZ.
const FNUZ: i64 = 1 << 8;

/// Undoes what `op_sel` means elsewhere, and refuses what does not fit.
fn shape(i: &mut Inst, target: Target, spec: Spec) -> Option<()> {
    let sources = spec.sources();
    let [first, result] = spec.widths();
    let fits = i.nops as usize == sources + 1
        && usize::from(i.ops[0].n) == result
        && (i.ops[1].kind != Kind::V || usize::from(i.ops[1].n) == first);
    // Signs are those of f32.
    let signed = |src: &Src| src.neg || src.abs;
    let plain = spec.from == F32 || !signed(&i.ops[1]);
    let last = sources - usize::from(spec.random) - usize::from(spec.scaled);
    let others = i.ops[1 + last..].iter().any(signed);
    if first > 1 && !i.ops[1].is_v() {
        return None;
    }
    // Bits of op_sel that select a part of the source and of the result.
    let from = match (spec.from, spec.count) {
        (Type::Small(s), 1 | 2) if s.bits() == 4 => 3,
        (Type::Small(_), 1) => 3,
        (Type::Small(_), 2) => 1,
        (Bf16, 1) if !spec.random => 1,
        _ => 0,
    };
    let to = match (spec.to, spec.count) {
        (Type::Small(s), 1 | 2) if s.bits() == 4 => 12,
        (Type::Small(_), 1) => 12,
        (Type::Small(_), 2) | (F16 | Bf16, 1) => 1 << sources,
        _ => 0,
    };
    if i.op_sel & !(from | to) != 0 {
        return None;
    }
    for src in &mut i.ops {
        if src.half {
            return None;
        }
        src.hi = false;
    }
    if target == Target::Gfx942 {
        i.imm |= FNUZ;
    }
    (fits && plain && !others).then_some(())
}

/// Bits of element `k` of a source.
fn element(w: &Wave, s: &Src, k: usize, bits: usize, lane: usize) -> u32 {
    let (word, shift) = (k * bits / 32, k * bits % 32);
    let read = |word: usize| match s.kind {
        Kind::V => w.v.get(usize::from(s.reg) + word).map_or(0, |row| row[lane]),
        _ => w.s32(s),
    };
    let low = u64::from(read(word));
    let high = if shift + bits > 32 { u64::from(read(word + 1)) << 32 } else { 0 };
    ((high | low) >> shift) as u32 & (u32::MAX >> (32 - bits))
}

/// The value of a source's bits.
fn value(w: &Wave, t: Type, bits: u32) -> f64 {
    match t {
        F32 => {
            let x = f32::from_bits(bits);
            fp::wide(if w.mode.flush_in32 { fp::flush32(x) } else { x })
        }
        F16 => fp::in16(w, bits),
        Bf16 => fp::wide(f32::from_bits(bits << 16)),
        Type::Small(small) => fp::wide(f32::from_bits(small.table()[bits as usize & 0xff])),
    }
}

/// The bits of a result.
fn bits(w: &Wave, t: Type, x: f64, rounding: Rounding) -> Option<u32> {
    let flushed = |x: f32| if w.mode.flush_out32 { fp::flush32(x) } else { x };
    Some(match (t, rounding) {
        (F32, _) => fp::quiet32(flushed(fp::narrow(x))).to_bits(),
        (F16, Rounding::Even) => half(w, x),
        (F16, _) => half(w, round(x, 10, -14, rounding)),
        (Bf16, Rounding::Even) => fp::to_bf16(fp::narrow(x)),
        (Bf16, _) => fp::to_bf16(fp::narrow(round(x, 7, -126, rounding))),
        (Type::Small(small), _) => return small.encode(x, rounding),
    })
}

fn half(w: &Wave, x: f64) -> u32 {
    let bits = fp::to16(x, false);
    if w.mode.flush_out64 && bits & 0x7c00 == 0 { bits & 0x8000 } else { bits }
}

/// The next of a series of random numbers, which is `v_prng_b32`.
pub(super) fn next_random(x: u32) -> u32 {
    x << 1 ^ if x >> 31 != 0 { 197 } else { 0 }
}

fn convert(w: &mut Wave, i: &Inst, spec: Spec) -> Res {
    let fnuz = i.imm & FNUZ != 0;
    let (from, to) = (spec.from.of(fnuz), spec.to.of(fnuz));
    let sources = spec.sources();
    let sel = |k: usize| usize::from(i.op_sel >> k & 1);
    let byte = (i.imm & 3) as usize;
    // A single narrow value, or a pair, is somewhere in its register.
    let first = match (spec.from, spec.count) {
        (Type::Small(s), 1 | 2) if s.bits() == 4 => 2 * (sel(0) + 2 * sel(1)),
        (Type::Small(_), 1) => byte + sel(0) + 2 * sel(1),
        (Type::Small(_), 2) => 2 * sel(0),
        (Bf16, 1) if !spec.random => sel(0),
        _ => 0,
    };
    // The first bit of the result within the destination.
    let place = match (spec.to, spec.count) {
        (Type::Small(s), 1 | 2) if s.bits() == 4 => 8 * (sel(2) + 2 * sel(3)),
        (Type::Small(_), 1) => 8 * (byte + sel(2) + 2 * sel(3)),
        (Type::Small(_), 2) | (F16 | Bf16, 1) => 16 * sel(sources),
        _ => 0,
    };
    let signs = |k: usize, bits: u32| {
        let s = &i.ops[k];
        let bits = if s.abs { bits & 0x7fff_ffff } else { bits };
        if s.neg { bits ^ 0x8000_0000 } else { bits }
    };
    let (mut scale_row, mut random_row) = (ZERO, ZERO);
    let scales = rd(w, &i.ops[sources], &mut scale_row);
    let randoms = rd(w, &i.ops[sources - usize::from(spec.scaled)], &mut random_row);
    let exec = w.exec();
    let registers = usize::from(i.ops[0].n);
    let mut out = vec![ZERO; registers];
    for (k, row) in out.iter_mut().enumerate() {
        *row = w.v[usize::from(i.ops[0].reg) + k];
    }
    for lane in (0..w.n).filter(|lane| exec >> lane & 1 != 0) {
        let factor = match scales[lane] >> 23 & 0xff {
            _ if !spec.scaled => 1.0,
            255 => f64::NAN,
            code => 2f64.powi(code as i32 - 127),
        };
        let mut random = randoms[lane];
        for k in 0..spec.count {
            let raw = match (spec.two_sources(), spec.from) {
                // A pair has a value in each source; 32 values alternate.
                (true, _) => signs(1 + k % 2, element(w, &i.ops[1 + k % 2], k / 2, 32, lane)),
                (_, F32) => signs(1, element(w, &i.ops[1], k, 32, lane)),
                _ => element(w, &i.ops[1], first + k, spec.from.bits(), lane),
            };
            let x = value(w, from, raw);
            let x = if matches!(spec.to, Type::Small(_)) { x / factor } else { x * factor };
            let rounding = if spec.random { Rounding::Random(random) } else { Rounding::Even };
            let code = bits(w, to, x, rounding)
                .ok_or_else(|| Fault::unknown("a NaN has no code in a float of 6 or 4 bits"))?;
            random = next_random(random);
            let width = spec.to.bits();
            let at = place + k * width;
            let (word, shift) = (at / 32, at % 32);
            let mask = u64::from(u32::MAX >> (32 - width)) << shift;
            let set = u64::from(code) << shift & mask;
            for (n, part) in [(0, 0), (1, 32)] {
                if let Some(row) = out.get_mut(word + n) {
                    row[lane] = row[lane] & !((mask >> part) as u32) | (set >> part) as u32;
                }
            }
        }
    }
    for (k, row) in out.iter().enumerate() {
        w.v[usize::from(i.ops[0].reg) + k] = *row;
    }
    Ok(())
}

macro_rules! n {
    ($to:expr, $from:expr, $count:literal) => {
        n!(@ Spec { to: $to, from: $from, count: $count, scaled: false, random: false })
    };
    ($to:expr, $from:expr, $count:literal, random) => {
        n!(@ Spec { to: $to, from: $from, count: $count, scaled: false, random: true })
    };
    ($to:expr, $from:expr, $count:literal, scaled) => {
        n!(@ Spec { to: $to, from: $from, count: $count, scaled: true, random: false })
    };
    ($to:expr, $from:expr, $count:literal, scaled, random) => {
        n!(@ Spec { to: $to, from: $from, count: $count, scaled: true, random: true })
    };
    (@ $spec:expr) => {
        Def { fix: Some(|i, target| shape(i, target, $spec)), ..def(Class::Narrow, |w, _, i| convert(w, i, $spec)) }
    };
}

pub(super) const TABLE: Table = &[
    ("v_cvt_f32_fp8", n!(F32, FP8, 1)),
    ("v_cvt_f32_bf8", n!(F32, BF8, 1)),
    ("v_cvt_f32_bf16", n!(F32, Bf16, 1)),
    ("v_cvt_pk_f32_fp8", n!(F32, FP8, 2)),
    ("v_cvt_pk_f32_bf8", n!(F32, BF8, 2)),
    ("v_cvt_pk_fp8_f32", n!(FP8, F32, 2)),
    ("v_cvt_pk_bf8_f32", n!(BF8, F32, 2)),
    ("v_cvt_pk_bf16_f32", n!(Bf16, F32, 2)),
    ("v_cvt_pk_f16_f32", n!(F16, F32, 2)),
    ("v_cvt_sr_fp8_f32", n!(FP8, F32, 1, random)),
    ("v_cvt_sr_bf8_f32", n!(BF8, F32, 1, random)),
    ("v_cvt_sr_bf16_f32", n!(Bf16, F32, 1, random)),
    ("v_cvt_sr_f16_f32", n!(F16, F32, 1, random)),
    ("v_cvt_scalef32_f32_fp8", n!(F32, FP8, 1, scaled)),
    ("v_cvt_scalef32_f32_bf8", n!(F32, BF8, 1, scaled)),
    ("v_cvt_scalef32_f16_fp8", n!(F16, FP8, 1, scaled)),
    ("v_cvt_scalef32_f16_bf8", n!(F16, BF8, 1, scaled)),
    ("v_cvt_scalef32_pk_f32_fp8", n!(F32, FP8, 2, scaled)),
    ("v_cvt_scalef32_pk_f32_bf8", n!(F32, BF8, 2, scaled)),
    ("v_cvt_scalef32_pk_f32_fp4", n!(F32, FP4, 2, scaled)),
    ("v_cvt_scalef32_pk_f16_fp8", n!(F16, FP8, 2, scaled)),
    ("v_cvt_scalef32_pk_f16_bf8", n!(F16, BF8, 2, scaled)),
    ("v_cvt_scalef32_pk_f16_fp4", n!(F16, FP4, 2, scaled)),
    ("v_cvt_scalef32_pk_bf16_fp8", n!(Bf16, FP8, 2, scaled)),
    ("v_cvt_scalef32_pk_bf16_bf8", n!(Bf16, BF8, 2, scaled)),
    ("v_cvt_scalef32_pk_bf16_fp4", n!(Bf16, FP4, 2, scaled)),
    ("v_cvt_scalef32_pk_fp8_f32", n!(FP8, F32, 2, scaled)),
    ("v_cvt_scalef32_pk_bf8_f32", n!(BF8, F32, 2, scaled)),
    ("v_cvt_scalef32_pk_fp4_f32", n!(FP4, F32, 2, scaled)),
    ("v_cvt_scalef32_pk_fp8_f16", n!(FP8, F16, 2, scaled)),
    ("v_cvt_scalef32_pk_bf8_f16", n!(BF8, F16, 2, scaled)),
    ("v_cvt_scalef32_pk_fp4_f16", n!(FP4, F16, 2, scaled)),
    ("v_cvt_scalef32_pk_fp8_bf16", n!(FP8, Bf16, 2, scaled)),
    ("v_cvt_scalef32_pk_bf8_bf16", n!(BF8, Bf16, 2, scaled)),
    ("v_cvt_scalef32_pk_fp4_bf16", n!(FP4, Bf16, 2, scaled)),
    ("v_cvt_scalef32_sr_fp8_f32", n!(FP8, F32, 1, scaled, random)),
    ("v_cvt_scalef32_sr_bf8_f32", n!(BF8, F32, 1, scaled, random)),
    ("v_cvt_scalef32_sr_fp8_f16", n!(FP8, F16, 1, scaled, random)),
    ("v_cvt_scalef32_sr_bf8_f16", n!(BF8, F16, 1, scaled, random)),
    ("v_cvt_scalef32_sr_fp8_bf16", n!(FP8, Bf16, 1, scaled, random)),
    ("v_cvt_scalef32_sr_bf8_bf16", n!(BF8, Bf16, 1, scaled, random)),
    ("v_cvt_scalef32_sr_pk_fp4_f32", n!(FP4, F32, 2, scaled, random)),
    ("v_cvt_scalef32_sr_pk_fp4_f16", n!(FP4, F16, 2, scaled, random)),
    ("v_cvt_scalef32_sr_pk_fp4_bf16", n!(FP4, Bf16, 2, scaled, random)),
    ("v_cvt_scalef32_2xpk16_fp6_f32", n!(FP6, F32, 32, scaled)),
    ("v_cvt_scalef32_2xpk16_bf6_f32", n!(BF6, F32, 32, scaled)),
    ("v_cvt_scalef32_pk32_f32_fp6", n!(F32, FP6, 32, scaled)),
    ("v_cvt_scalef32_pk32_f32_bf6", n!(F32, BF6, 32, scaled)),
    ("v_cvt_scalef32_pk32_f16_fp6", n!(F16, FP6, 32, scaled)),
    ("v_cvt_scalef32_pk32_f16_bf6", n!(F16, BF6, 32, scaled)),
    ("v_cvt_scalef32_pk32_bf16_fp6", n!(Bf16, FP6, 32, scaled)),
    ("v_cvt_scalef32_pk32_bf16_bf6", n!(Bf16, BF6, 32, scaled)),
    ("v_cvt_scalef32_pk32_fp6_f16", n!(FP6, F16, 32, scaled)),
    ("v_cvt_scalef32_pk32_bf6_f16", n!(BF6, F16, 32, scaled)),
    ("v_cvt_scalef32_pk32_fp6_bf16", n!(FP6, Bf16, 32, scaled)),
    ("v_cvt_scalef32_pk32_bf6_bf16", n!(BF6, Bf16, 32, scaled)),
    ("v_cvt_scalef32_sr_pk32_fp6_f32", n!(FP6, F32, 32, scaled, random)),
    ("v_cvt_scalef32_sr_pk32_bf6_f32", n!(BF6, F32, 32, scaled, random)),
    ("v_cvt_scalef32_sr_pk32_fp6_f16", n!(FP6, F16, 32, scaled, random)),
    ("v_cvt_scalef32_sr_pk32_bf6_f16", n!(BF6, F16, 32, scaled, random)),
    ("v_cvt_scalef32_sr_pk32_fp6_bf16", n!(FP6, Bf16, 32, scaled, random)),
    ("v_cvt_scalef32_sr_pk32_bf6_bf16", n!(BF6, Bf16, 32, scaled, random)),
];
