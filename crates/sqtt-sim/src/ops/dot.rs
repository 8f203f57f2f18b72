//! Dot products of floats: a sum in the order of the elements, each step a multiply-add with one rounding.

use super::packed::source;
use super::{Class, Def, Table, def};
use crate::fp;
use crate::inst::{Inst, Kind, flag};
use crate::lanes::{finish32, rd, rd16, wr, wr16};
use crate::small::{Rounding, Small, round};
use crate::target::Target;
use crate::wave::{Row, Wave, ZERO};

/// The type of the factors.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Factor {
    F16,
    Bf16,
    Bytes(Small, Small),
}

/// Bits of `imm`: halves that are denormal are zero, and the accumulator is added last.
const FLUSH: i64 = 1;
const LAST: i64 = 2;

/// The halves' value.
fn half(w: &Wave, i: &Inst, factor: Factor, bits: u32) -> f32 {
    match factor {
        Factor::F16 if i.imm & FLUSH != 0 && bits & 0x7c00 == 0 => fp::narrow(fp::from16(bits & 0x8000)),
        Factor::F16 => fp::narrow(fp::in16(w, bits)),
        _ => {
            let x = f32::from_bits(bits << 16);
            if i.imm & FLUSH != 0 { fp::flush32(x) } else { x }
        }
    }
}

/// Products of packed sources onto an f32.
fn single(w: &mut Wave, i: &Inst, factor: Factor) {
    let (mut a, mut b, mut c, mut out) = (ZERO, ZERO, ZERO, ZERO);
    source(w, &i.ops[1], factor == Factor::F16, &mut a);
    source(w, &i.ops[2], factor == Factor::F16, &mut b);
    {
        let c: &Row = rd(w, if i.nops > 3 { &i.ops[3] } else { &i.ops[0] }, &mut c);
        let signed = |x: f32, k: u32, side: u8| {
            let bits = if k == 0 { i.neg_lo } else { i.neg_hi };
            if bits >> side & 1 != 0 { -x } else { x }
        };
        let flush = |x: f32| if w.mode.flush_in32 || i.imm & FLUSH != 0 { fp::flush32(x) } else { x };
        for l in 0..w.n {
            let start = signed(flush(f32::from_bits(c[l])), 0, 2);
            let pair = |k: u32| match factor {
                Factor::Bytes(x, y) => [x.value(a[l] >> (8 * k)), y.value(b[l] >> (8 * k))],
                _ => [a[l], b[l]].map(|x| half(w, i, factor, x >> (16 * k) & 0xffff)),
            };
            let count = if let Factor::Bytes(..) = factor { 4 } else { 2 };
            let sum = if i.imm & LAST != 0 {
                let [x, y] = pair(0);
                let first = fp::mul([signed(x, 0, 0), signed(y, 0, 1)]);
                let [x, y] = pair(1);
                fp::add([fp::fma([signed(x, 1, 0), signed(y, 1, 1), first]), start])
            } else {
                (0..count).fold(start, |sum, k| {
                    let [x, y] = pair(k);
                    // Bytes have no negation.
                    let (x, y) = if count == 2 { (signed(x, k, 0), signed(y, k, 1)) } else { (x, y) };
                    fp::fma([x, y, sum])
                })
            };
            out[l] = if i.imm & FLUSH != 0 { fp::flush32(sum) } else { sum }.to_bits();
        }
    }
    finish32(w, i, &mut out);
    wr(w, &i.ops[0], &out);
}

/// Products of halves onto a half: every step rounds to 16 bits.
fn halves(w: &mut Wave, i: &Inst, factor: Factor) {
    let (mut a, mut b, mut c, mut out) = (ZERO, ZERO, ZERO, ZERO);
    source(w, &i.ops[1], factor == Factor::F16, &mut a);
    source(w, &i.ops[2], factor == Factor::F16, &mut b);
    rd16(w, &i.ops[3], &mut c);
    for l in 0..w.n {
        out[l] = (0..2).fold(c[l], |sum, k| {
            let value = |bits: u32| match factor {
                Factor::F16 => fp::in16(w, bits & 0xffff),
                _ => fp::wide(f32::from_bits(bits << 16)),
            };
            let product = value(a[l] >> (16 * k) & 0xffff) * value(b[l] >> (16 * k) & 0xffff);
            let exact = fp::add_odd(product, value(sum));
            if exact.is_nan() {
                return if factor == Factor::F16 { 0x7e00 } else { 0x7fc0 };
            }
            match factor {
                Factor::F16 => fp::out16(w, i, exact),
                _ => fp::to_bf16(fp::narrow(round(exact, 7, -126, Rounding::Even))),
            }
        });
    }
    wr16(w, i, &out);
}

/// Refuses selections of halves and, of bf16, constants; notes what differs between targets.
fn plain(i: &mut Inst, target: Target, factor: Factor, accumulates: bool) -> Option<()> {
    let operands = if accumulates { 3 } else { 4 };
    let constant = factor != Factor::F16 && i.ops[1..3].iter().any(|s| s.kind == Kind::K);
    let bytes = matches!(factor, Factor::Bytes(..));
    let negated = if bytes { i.neg_lo & 3 == 0 && i.neg_hi == 0 } else { i.neg_hi & 4 == 0 };
    let selected = i.op_sel != 0 || i.op_sel_hi & 3 != 3 || i.ops.iter().any(|s| s.half || s.neg || s.abs);
    if target == Target::Gfx90a {
        i.imm |= FLUSH;
    }
    if factor == Factor::Bf16 && target == Target::Gfx950 && !accumulates {
        i.imm |= LAST;
    }
    (i.nops == operands && !constant && negated && !selected).then_some(())
}

/// Checks results of 16 bits, whose third source and result are halves of registers.
fn plain_halves(i: &mut Inst, factor: Factor) -> Option<()> {
    let constant = factor != Factor::F16 && i.ops[1..4].iter().any(|s| s.kind == Kind::K);
    let selected = i.op_sel & 3 != 0 || i.ops[1..3].iter().any(|s| s.hi || s.half);
    (i.nops == 4 && !constant && !selected).then_some(())
}

macro_rules! dot {
    ($factor:expr, $accumulates:literal) => {
        Def {
            fix: Some(|i, target| plain(i, target, $factor, $accumulates)),
            flags: flag::PACKED,
            ..def(Class::Packed, |w, _, i| {
                single(w, i, $factor);
                Ok(())
            })
        }
    };
    ($factor:expr) => {
        Def {
            fix: Some(|i, _| plain_halves(i, $factor)),
            ..def(Class::Valu, |w, _, i| {
                halves(w, i, $factor);
                Ok(())
            })
        }
    };
}

pub(super) const TABLE: Table = &[
    ("v_dot2_f32_f16", dot!(Factor::F16, false)),
    ("v_dot2_f32_bf16", dot!(Factor::Bf16, false)),
    ("v_dot2c_f32_f16 v_dot2acc_f32_f16", dot!(Factor::F16, true)),
    ("v_dot2c_f32_bf16 v_dot2acc_f32_bf16", dot!(Factor::Bf16, true)),
    ("v_dot2_f16_f16", dot!(Factor::F16)),
    ("v_dot2_bf16_bf16", dot!(Factor::Bf16)),
    ("v_dot4_f32_fp8_fp8", dot!(Factor::Bytes(Small::Fp8, Small::Fp8), false)),
    ("v_dot4_f32_fp8_bf8", dot!(Factor::Bytes(Small::Fp8, Small::Bf8), false)),
    ("v_dot4_f32_bf8_fp8", dot!(Factor::Bytes(Small::Bf8, Small::Fp8), false)),
    ("v_dot4_f32_bf8_bf8", dot!(Factor::Bytes(Small::Bf8, Small::Bf8), false)),
];
