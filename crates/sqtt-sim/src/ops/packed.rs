//! VOP3P: two halves, or two f32, at a time; mixed-precision fma; integer dot products.

use super::{Class, Def, Table, def};
use crate::fp;
use crate::inst::{D16, Inst, Kind, Src, flag};
use crate::lanes::{finish32, fma_rows, plain_rows, rd, wr, wr16};
use crate::target::Target;
use crate::wave::{Row, Wave, ZERO};

const fn pk(exec: crate::inst::Exec) -> Def {
    Def { flags: flag::PACKED, ..def(Class::Packed, exec) }
}

/// A packed source as 32 bits: f16 constants sit in the low half, integers and literals as they are.
pub(super) fn source(w: &Wave, s: &Src, float: bool, buf: &mut Row) {
    match s.kind {
        Kind::V => *buf = w.v[s.reg as usize],
        Kind::K if float && s.k.b32 & 0xffff != s.k.b16 => buf.fill(s.k.b16),
        _ => buf.fill(w.s32(s)),
    }
}

/// Applies `f` to the selected halves of `N` sources, twice.
#[inline(always)]
fn halves<const N: usize>(w: &mut Wave, i: &Inst, float: bool, f: impl Fn(&Wave, [u32; N]) -> u32) {
    let mut src = [ZERO; N];
    for (k, buf) in src.iter_mut().enumerate() {
        source(w, &i.ops[1 + k], float, buf);
    }
    let pick = |x: u32, k: usize, select: u8, negate: u8| {
        let half = if select >> k & 1 != 0 { x >> 16 } else { x & 0xffff };
        if negate >> k & 1 != 0 { half ^ 0x8000 } else { half }
    };
    let mut out = ZERO;
    for l in 0..w.n {
        let lo = f(w, std::array::from_fn(|k| pick(src[k][l], k, i.op_sel, i.neg_lo)));
        let hi = f(w, std::array::from_fn(|k| pick(src[k][l], k, i.op_sel_hi, i.neg_hi)));
        out[l] = lo & 0xffff | hi << 16;
    }
    wr(w, &i.ops[0], &out);
}

#[inline(always)]
fn float<const N: usize>(w: &mut Wave, i: &Inst, f: impl Fn([f64; N]) -> f64) {
    halves::<N>(w, i, true, |w, src| fp::out16(w, i, f(src.map(|x| fp::in16(w, x)))));
}

#[inline(always)]
fn int<const N: usize>(w: &mut Wave, i: &Inst, f: impl Fn([u32; N]) -> u32, sat: impl Fn([u32; N]) -> u32) {
    if i.clamp { halves::<N>(w, i, false, |_, s| sat(s)) } else { halves::<N>(w, i, false, |_, s| f(s)) }
}

macro_rules! fl {
    ($n:literal, $f:expr) => {
        pk(|w, _, i| {
            float::<$n>(w, i, $f);
            Ok(())
        })
    };
}
macro_rules! it {
    ($n:literal, $f:expr, $s:expr) => {
        pk(|w, _, i| {
            int::<$n>(w, i, $f, $s);
            Ok(())
        })
    };
    ($n:literal, $f:expr) => {
        it!($n, $f, $f)
    };
}

const fn s(x: u32) -> i16 {
    (x as u16).cast_signed()
}

fn u(x: i16) -> u32 {
    u32::from(x.cast_unsigned())
}

fn t(x: u32) -> u16 {
    x as u16
}

/// The two dwords of a pair, by selectors.
fn pair(w: &Wave, src: &Src, hi: bool, buf: &mut Row) {
    match src.kind {
        Kind::V => *buf = w.v[src.reg as usize + usize::from(hi)],
        Kind::K => buf.fill(src.k.b32),
        _ => buf.fill(w.s32(&Src { reg: src.reg + u16::from(hi), ..*src })),
    }
}

/// Packed f32 on register pairs.
#[inline(always)]
fn singles<const N: usize>(w: &mut Wave, i: &Inst, compute: impl Fn(&Wave, [&Row; N], &mut Row)) {
    let mut results = [ZERO; 2];
    for (half, out) in results.iter_mut().enumerate() {
        let (select, negate) = if half == 0 { (i.op_sel, i.neg_lo) } else { (i.op_sel_hi, i.neg_hi) };
        let mut src = [ZERO; N];
        for (k, buf) in src.iter_mut().enumerate() {
            pair(w, &i.ops[1 + k], select >> k & 1 != 0, buf);
            if negate >> k & 1 != 0 {
                buf.iter_mut().for_each(|x| *x ^= 0x8000_0000);
            }
        }
        compute(w, src.each_ref(), out);
        finish32(w, i, out);
    }
    let [lo, hi] = results;
    wr(w, &i.ops[0], &lo);
    wr(w, &Src { reg: i.ops[0].reg + 1, ..i.ops[0] }, &hi);
}

/// Selecting the upper half of a constant has no agreed meaning.
fn no_high_constant(i: &mut Inst, _: Target) -> Option<()> {
    let high = i.op_sel | i.op_sel_hi;
    let bad = (1..i.nops as usize).any(|k| i.ops[k].kind == Kind::K && high >> (k - 1) & 1 != 0);
    (!bad).then_some(())
}

/// `v_pk_mov_b32` reads no high selectors.
fn no_high_constant_mov(i: &mut Inst, target: Target) -> Option<()> {
    i.op_sel_hi = 0;
    no_high_constant(i, target)
}

const fn pair_def(exec: crate::inst::Exec) -> Def {
    Def { fix: Some(no_high_constant), ..pk(exec) }
}

/// A `v_fma_mix` source: f32, or the f16 half that `op_sel` names where `op_sel_hi` says f16.
fn mix(w: &Wave, i: &Inst) -> Row {
    let mut src = [[0f64; 64]; 3];
    for (k, out) in src.iter_mut().enumerate() {
        let s = &i.ops[1 + k];
        let mut buf = ZERO;
        if i.op_sel_hi >> k & 1 != 0 {
            let half = Src { hi: i.op_sel >> k & 1 != 0, ..*s };
            crate::lanes::rd16(w, &half, &mut buf);
            for l in 0..w.n {
                out[l] = fp::in16(w, buf[l]);
            }
        } else {
            let row = rd(w, s, &mut buf);
            for l in 0..w.n {
                let x = f32::from_bits(row[l]);
                out[l] = fp::wide(if w.mode.flush_in32 { fp::flush32(x) } else { x });
            }
        }
    }
    std::array::from_fn(|l| fp::fma([0, 1, 2].map(|k| fp::narrow(src[k][l]))).to_bits())
}

fn mix_half(w: &mut Wave, i: &Inst, d16: D16) {
    let mut out = mix(w, i);
    for x in &mut out {
        *x = fp::out16(w, i, fp::wide(f32::from_bits(*x)));
    }
    wr16(w, &Inst { d16, ..i.clone() }, &out);
}

pub(super) const TABLE: Table = &[
    ("v_pk_add_f16", fl!(2, fp::add_d)),
    ("v_pk_mul_f16", fl!(2, fp::mul_d)),
    ("v_pk_fma_f16", fl!(3, super::f16::fma)),
    (
        "v_pk_min_f16 v_pk_min_num_f16",
        pk(|w, _, i| {
            let ieee = w.mode.ieee;
            float(w, i, |s| fp::lower(s, ieee));
            Ok(())
        }),
    ),
    (
        "v_pk_max_f16 v_pk_max_num_f16",
        pk(|w, _, i| {
            let ieee = w.mode.ieee;
            float(w, i, |s| fp::higher(s, ieee));
            Ok(())
        }),
    ),
    ("v_pk_minimum3_f16", fl!(3, |[a, b, c]| fp::minimum([fp::minimum([a, b]), c]))),
    ("v_pk_maximum3_f16", fl!(3, |[a, b, c]| fp::maximum([fp::maximum([a, b]), c]))),
    ("v_pk_minimum_f16", fl!(2, fp::minimum)),
    ("v_pk_maximum_f16", fl!(2, fp::maximum)),
    ("v_pk_add_u16", it!(2, |[a, b]| a.wrapping_add(b), |[a, b]| t(a).saturating_add(t(b)).into())),
    ("v_pk_sub_u16", it!(2, |[a, b]| a.wrapping_sub(b), |[a, b]| t(a).saturating_sub(t(b)).into())),
    ("v_pk_add_i16", it!(2, |[a, b]| a.wrapping_add(b), |[a, b]| u(s(a).saturating_add(s(b))))),
    ("v_pk_sub_i16", it!(2, |[a, b]| a.wrapping_sub(b), |[a, b]| u(s(a).saturating_sub(s(b))))),
    ("v_pk_mul_lo_u16", it!(2, |[a, b]| a.wrapping_mul(b))),
    ("v_pk_mad_u16", it!(3, |[a, b, c]| a.wrapping_mul(b).wrapping_add(c))),
    ("v_pk_mad_i16", it!(3, |[a, b, c]| a.wrapping_mul(b).wrapping_add(c))),
    ("v_pk_lshlrev_b16", it!(2, |[a, b]| b << (a & 15))),
    ("v_pk_lshrrev_b16", it!(2, |[a, b]| b >> (a & 15))),
    ("v_pk_ashrrev_i16", it!(2, |[a, b]| u(s(b) >> (a & 15)))),
    ("v_pk_min_u16", it!(2, |[a, b]| a.min(b))),
    ("v_pk_max_u16", it!(2, |[a, b]| a.max(b))),
    ("v_pk_min_i16", it!(2, |[a, b]| u(s(a).min(s(b))))),
    ("v_pk_max_i16", it!(2, |[a, b]| u(s(a).max(s(b))))),
    (
        "v_pk_add_f32",
        pair_def(|w, _, i| {
            singles(w, i, |w, rows, out| plain_rows(w, rows, out, |[a, b]| a + b, fp::add));
            Ok(())
        }),
    ),
    (
        "v_pk_mul_f32",
        pair_def(|w, _, i| {
            singles(w, i, |w, rows, out| plain_rows(w, rows, out, |[a, b]| a * b, fp::mul));
            Ok(())
        }),
    ),
    (
        "v_pk_fma_f32",
        pair_def(|w, _, i| {
            singles(w, i, fma_rows);
            Ok(())
        }),
    ),
    (
        "v_pk_mov_b32",
        Def {
            fix: Some(no_high_constant_mov),
            ..pk(|w, _, i| {
                // The low result comes from the first source, the high one from the second.
                let (mut lo, mut hi) = (ZERO, ZERO);
                pair(w, &i.ops[1], i.op_sel & 1 != 0, &mut lo);
                pair(w, &i.ops[2], i.op_sel >> 1 & 1 != 0, &mut hi);
                wr(w, &i.ops[0], &lo);
                wr(w, &Src { reg: i.ops[0].reg + 1, ..i.ops[0] }, &hi);
                Ok(())
            })
        },
    ),
    (
        "v_fma_mix_f32",
        pk(|w, _, i| {
            let mut out = mix(w, i);
            finish32(w, i, &mut out);
            wr(w, &i.ops[0], &out);
            Ok(())
        }),
    ),
    (
        "v_fma_mixlo_f16",
        pk(|w, _, i| {
            mix_half(w, i, D16::Lo);
            Ok(())
        }),
    ),
    (
        "v_fma_mixhi_f16",
        pk(|w, _, i| {
            mix_half(w, i, D16::Hi);
            Ok(())
        }),
    ),
];

/// Sums products of `bits`-wide fields onto the third source.
#[inline(always)]
fn dot(w: &mut Wave, i: &Inst, bits: u32, signed: [bool; 2]) {
    let (mut b0, mut b1, mut b2, mut out) = (ZERO, ZERO, ZERO, ZERO);
    {
        let (a, b) = (rd(w, &i.ops[1], &mut b0), rd(w, &i.ops[2], &mut b1));
        let c = rd(w, if i.nops > 3 { &i.ops[3] } else { &i.ops[0] }, &mut b2);
        let field = |x: u32, k: u32, signed: bool| {
            let x = i64::from(x >> (k * bits)) & ((1 << bits) - 1);
            if signed && x >> (bits - 1) != 0 { x - (1 << bits) } else { x }
        };
        for l in 0..w.n {
            let sum: i64 =
                (0..32 / bits).map(|k| field(a[l], k, signed[0]) * field(b[l], k, signed[1])).sum();
            let any = signed[0] || signed[1];
            let total = sum + if any { i64::from(c[l].cast_signed()) } else { i64::from(c[l]) };
            out[l] = match (i.clamp, any) {
                (false, _) => total as u32,
                (true, true) => total.clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as u32,
                (true, false) => total.min(i64::from(u32::MAX)) as u32,
            };
        }
    }
    wr(w, &i.ops[0], &out);
}

/// Half and sign selection of dot products is not simulated, but for the signs that `iu` forms carry.
fn plain(i: &mut Inst, _: Target) -> Option<()> {
    (i.op_sel == 0 && i.neg_hi == 0 && i.neg_lo & !3 == 0).then_some(())
}

const fn dot_def(exec: crate::inst::Exec) -> Def {
    Def { fix: Some(plain), ..pk(exec) }
}

fn signs(i: &Inst) -> [bool; 2] {
    [i.neg_lo & 1 != 0, i.neg_lo & 2 != 0]
}

pub(super) const DOT: Table = &[
    (
        "v_dot2_i32_i16 v_dot2c_i32_i16",
        dot_def(|w, _, i| {
            dot(w, i, 16, [true, true]);
            Ok(())
        }),
    ),
    (
        "v_dot2_u32_u16",
        dot_def(|w, _, i| {
            dot(w, i, 16, [false, false]);
            Ok(())
        }),
    ),
    (
        "v_dot4_i32_i8 v_dot4c_i32_i8",
        dot_def(|w, _, i| {
            dot(w, i, 8, [true, true]);
            Ok(())
        }),
    ),
    (
        "v_dot4_u32_u8",
        dot_def(|w, _, i| {
            dot(w, i, 8, [false, false]);
            Ok(())
        }),
    ),
    (
        "v_dot8_i32_i4 v_dot8c_i32_i4",
        dot_def(|w, _, i| {
            dot(w, i, 4, [true, true]);
            Ok(())
        }),
    ),
    (
        "v_dot8_u32_u4",
        dot_def(|w, _, i| {
            dot(w, i, 4, [false, false]);
            Ok(())
        }),
    ),
    (
        "v_dot4_i32_iu8",
        dot_def(|w, _, i| {
            dot(w, i, 8, signs(i));
            Ok(())
        }),
    ),
    (
        "v_dot8_i32_iu4",
        dot_def(|w, _, i| {
            dot(w, i, 4, signs(i));
            Ok(())
        }),
    ),
];
