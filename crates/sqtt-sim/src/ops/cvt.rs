//! Conversions. Float to integer truncates and saturates, NaN becomes 0.

use super::{Class, Table, def};
use crate::fp;
use crate::inst::Inst;
use crate::lanes::{finish32, finish64, rd, rd16, rd64, wr, wr16, wr64};
use crate::wave::{Row, Row64, Wave, ZERO, ZERO64};

/// f32 in (denormals by MODE), 32 bits out.
fn from32(w: &mut Wave, i: &Inst, f: impl Fn(f32) -> u32) {
    let (mut b, mut out) = (ZERO, ZERO);
    let a = rd(w, &i.ops[1], &mut b);
    for l in 0..w.n {
        let x = f32::from_bits(a[l]);
        out[l] = f(if w.mode.flush_in32 { fp::flush32(x) } else { x });
    }
    wr(w, &i.ops[0], &out);
}

/// Raw 32 bits in, f32 out with output modifiers.
fn to32(w: &mut Wave, i: &Inst, f: impl Fn(u32) -> f32) {
    let (mut b, mut out) = (ZERO, ZERO);
    let a = rd(w, &i.ops[1], &mut b);
    for l in 0..w.n {
        out[l] = f(a[l]).to_bits();
    }
    finish32(w, i, &mut out);
    wr(w, &i.ops[0], &out);
}

/// 16 bits in, f32 out.
fn half_to32(w: &mut Wave, i: &Inst, f: impl Fn(&Wave, u32) -> f32) {
    let (mut a, mut out): (Row, Row) = (ZERO, ZERO);
    rd16(w, &i.ops[1], &mut a);
    for l in 0..w.n {
        out[l] = f(w, a[l]).to_bits();
    }
    finish32(w, i, &mut out);
    wr(w, &i.ops[0], &out);
}

/// 16 bits in, 16 bits out.
fn half_to_half(w: &mut Wave, i: &Inst, f: impl Fn(&Wave, u32) -> u32) {
    let mut a = ZERO;
    rd16(w, &i.ops[1], &mut a);
    for x in &mut a[..w.n] {
        *x = f(w, *x);
    }
    wr16(w, i, &a);
}

/// f64 in, 32 bits out.
fn from64(w: &mut Wave, i: &Inst, f: impl Fn(f64) -> u32) {
    let (mut a, mut out): (Row64, Row) = (ZERO64, ZERO);
    rd64(w, &i.ops[1], &mut a, true);
    for l in 0..w.n {
        out[l] = f(fp::in64(w, a[l]));
    }
    wr(w, &i.ops[0], &out);
}

/// 32 bits in, f64 out.
fn to64(w: &mut Wave, i: &Inst, f: impl Fn(u32) -> f64) {
    let (mut b, mut out) = (ZERO, ZERO64);
    let a = rd(w, &i.ops[1], &mut b);
    for l in 0..w.n {
        out[l] = f(a[l]).to_bits();
    }
    finish64(w, i, &mut out);
    wr64(w, &i.ops[0], &out);
}

/// Two f32 in, two halves out.
fn pack(w: &mut Wave, i: &Inst, f: impl Fn(f32) -> u32) {
    let (mut b0, mut b1, mut out) = (ZERO, ZERO, ZERO);
    let a = rd(w, &i.ops[1], &mut b0);
    let b = rd(w, &i.ops[2], &mut b1);
    for l in 0..w.n {
        out[l] = f(f32::from_bits(a[l])) & 0xffff | f(f32::from_bits(b[l])) << 16;
    }
    wr(w, &i.ops[0], &out);
}

fn i(x: u32) -> i32 {
    x.cast_signed()
}

fn snorm(x: f32) -> u32 {
    if x.is_nan() { 0 } else { ((x.clamp(-1.0, 1.0) * 32767.0).round_ties_even() as i32).cast_unsigned() }
}

fn unorm(x: f32) -> u32 {
    if x.is_nan() { 0 } else { (x.clamp(0.0, 1.0) * 65535.0).round_ties_even() as u32 }
}

macro_rules! c {
    ($class:ident, $how:ident, $f:expr) => {
        def(Class::$class, |w, _, i| {
            $how(w, i, $f);
            Ok(())
        })
    };
}

pub(super) const TABLE: Table = &[
    ("v_cvt_f32_u32", c!(Float, to32, |a| a as f32)),
    ("v_cvt_f32_i32", c!(Float, to32, |a| i(a) as f32)),
    ("v_cvt_f32_ubyte0", c!(Float, to32, |a| (a & 0xff) as f32)),
    ("v_cvt_f32_ubyte1", c!(Float, to32, |a| (a >> 8 & 0xff) as f32)),
    ("v_cvt_f32_ubyte2", c!(Float, to32, |a| (a >> 16 & 0xff) as f32)),
    ("v_cvt_f32_ubyte3", c!(Float, to32, |a| (a >> 24) as f32)),
    ("v_cvt_u32_f32", c!(Float, from32, |a| a as u32)),
    ("v_cvt_i32_f32", c!(Float, from32, |a| (a as i32).cast_unsigned())),
    (
        "v_cvt_rpi_i32_f32 v_cvt_nearest_i32_f32",
        c!(Float, from32, |a| { ((f64::from(a) + 0.5).floor() as i32).cast_unsigned() }),
    ),
    ("v_cvt_flr_i32_f32 v_cvt_floor_i32_f32", c!(Float, from32, |a| (a.floor() as i32).cast_unsigned())),
    ("v_cvt_f32_f16", c!(Float, half_to32, |w, a| fp::narrow(fp::in16(w, a)))),
    (
        "v_cvt_f16_f32",
        def(Class::Float, |w, _, i| {
            let (mut b, mut out) = (ZERO, ZERO);
            {
                let a = rd(w, &i.ops[1], &mut b);
                for l in 0..w.n {
                    let x = f32::from_bits(a[l]);
                    let x = if w.mode.flush_in32 { fp::flush32(x) } else { x };
                    out[l] = fp::out16(w, i, fp::wide(x));
                }
            }
            wr16(w, i, &out);
            Ok(())
        }),
    ),
    ("v_cvt_f16_u16", c!(Float, half_to_half, |_, a| fp::to16(f64::from(a), false))),
    ("v_cvt_f16_i16", c!(Float, half_to_half, |_, a| fp::to16(f64::from((a as u16).cast_signed()), false))),
    ("v_cvt_u16_f16", c!(Float, half_to_half, |w, a| u32::from(fp::in16(w, a) as u16))),
    ("v_cvt_i16_f16", c!(Float, half_to_half, |w, a| u32::from((fp::in16(w, a) as i16).cast_unsigned()))),
    (
        "v_cvt_f64_f32",
        def(Class::Double, |w, _, i| {
            let flush = w.mode.flush_in32;
            to64(w, i, |a| {
                let x = f32::from_bits(a);
                fp::quiet64(fp::wide(if flush { fp::flush32(x) } else { x }))
            });
            Ok(())
        }),
    ),
    ("v_cvt_f64_u32", c!(Double, to64, f64::from)),
    ("v_cvt_f64_i32", c!(Double, to64, |a| f64::from(i(a)))),
    ("v_cvt_u32_f64", c!(Double, from64, |a| a as u32)),
    ("v_cvt_i32_f64", c!(Double, from64, |a| (a as i32).cast_unsigned())),
    (
        "v_cvt_f32_f64",
        def(Class::Double, |w, _, i| {
            let (mut a, mut out) = (ZERO64, ZERO);
            rd64(w, &i.ops[1], &mut a, true);
            for l in 0..w.n {
                out[l] = fp::narrow(fp::in64(w, a[l])).to_bits();
            }
            finish32(w, i, &mut out);
            wr(w, &i.ops[0], &out);
            Ok(())
        }),
    ),
];

pub(super) const PACK: Table = &[
    ("v_cvt_pkrtz_f16_f32 v_cvt_pk_rtz_f16_f32", c!(Bits, pack, |x| fp::to16(fp::wide(x), true))),
    ("v_cvt_pknorm_i16_f32 v_cvt_pk_norm_i16_f32", c!(Bits, pack, snorm)),
    ("v_cvt_pknorm_u16_f32 v_cvt_pk_norm_u16_f32", c!(Bits, pack, unorm)),
];
