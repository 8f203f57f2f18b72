//! Floating point that the other tables leave out: divisions, f16 functions, conversions.

use std::f64::consts::{LN_2, PI};

use crate::float::{self, KEEP, d, f, half, int, lo, one, to_half, two};

fn h0(i: &[u32; 8]) -> f64 {
    half(i[3] & 0xffff)
}

fn h1(i: &[u32; 8]) -> f64 {
    half(i[3] >> 16)
}

fn h(x: f64) -> [u32; 2] {
    int(lo(to_half(x)))
}

/// The rest of a turn, in `[-0.5, 0.5]`; none of an infinity.
fn turn(x: f64) -> f64 {
    x - x.round()
}

fn sine(x: f64) -> f64 {
    2.0 * (PI * turn(x)).sin() * (PI * turn(x)).cos()
}

fn cosine(x: f64) -> f64 {
    1.0 - 2.0 * (PI * turn(x)).sin().powi(2)
}

fn flushed(x: f32) -> f32 {
    if x.is_subnormal() { 0f32.copysign(x) } else { x }
}

/// Halved or doubled until it lies in `[0.5, 1)`.
fn mantissa(mut x: f64) -> f64 {
    if x != 0.0 && x.is_finite() {
        while x.abs() >= 1.0 {
            x /= 2.0;
        }
        while x.abs() < 0.5 {
            x *= 2.0;
        }
    }
    x
}

macro_rules! divide {
    ($vcc:literal) => {
        concat!(
            "v_div_scale_f32 v2, ", $vcc, ", v11, v11, v10\n\tv_div_scale_f32 v3, ", $vcc, ", v10, v11, v10\n\t",
            "v_rcp_f32 v4, v2\n\tv_fma_f32 v5, -v2, v4, 1.0\n\tv_fma_f32 v4, v5, v4, v4\n\tv_mul_f32 v5, v3, v4\n\t",
            "v_fma_f32 v6, -v2, v5, v3\n\tv_fma_f32 v5, v6, v4, v5\n\tv_fma_f32 v2, -v2, v5, v3\n\t",
            "v_div_fmas_f32 v2, v2, v4, v5\n\tv_div_fixup_f32 v20, v2, v11, v10"
        )
    };
}

macro_rules! divide64 {
    ($vcc:literal) => {
        concat!(
            "v_div_scale_f64 v[2:3], ",
            $vcc,
            ", v[16:17], v[16:17], v[14:15]\n\tv_rcp_f64 v[4:5], v[2:3]\n\t",
            "v_fma_f64 v[6:7], -v[2:3], v[4:5], 1.0\n\tv_fma_f64 v[4:5], v[4:5], v[6:7], v[4:5]\n\t",
            "v_fma_f64 v[6:7], -v[2:3], v[4:5], 1.0\n\tv_fma_f64 v[4:5], v[4:5], v[6:7], v[4:5]\n\t",
            "v_div_scale_f64 v[6:7], ",
            $vcc,
            ", v[14:15], v[16:17], v[14:15]\n\tv_mul_f64 v[8:9], v[6:7], v[4:5]\n\t",
            "v_fma_f64 v[2:3], -v[2:3], v[8:9], v[6:7]\n\tv_div_fmas_f64 v[2:3], v[2:3], v[4:5], v[8:9]\n\t",
            "v_div_fixup_f64 v[20:21], v[2:3], v[16:17], v[14:15]"
        )
    };
}

const CASES: &[float::Case] = &[
    (9..=9, divide!("vcc"), |i| one(f(i[0]) / f(i[1]))),
    (10..=12, divide!("vcc_lo"), |i| one(f(i[0]) / f(i[1]))),
    (9..=9, divide64!("vcc"), |i| two(d(i[4], i[5]) / d(i[6], i[7]))),
    (10..=12, divide64!("vcc_lo"), |i| two(d(i[4], i[5]) / d(i[6], i[7]))),
    (9..=12, "v_subrev_f32 v20, v10, v11", |i| one(f(i[1]) - f(i[0]))),
    (9..=12, "v_ceil_f32 v20, v10", |i| one(f(i[0]).ceil())),
    (9..=12, "v_log_f32 v20, v12", |i| one((f64::from(f(i[2])).ln() / LN_2) as f32)),
    (9..=12, "v_cos_f32 v20, v12", |i| one(cosine(f64::from(f(i[2]))) as f32)),
    (9..=12, "v_rcp_iflag_f32 v20, v12", |i| one(1.0 / f(i[2]))),
    (9..=9, "v_mov_b32 v20, v14\n\tv_mov_b32 v21, v15\n\tv_fmac_f64 v[20:21], v[16:17], 0.5", |i| {
        two(d(i[6], i[7]).mul_add(0.5, d(i[4], i[5])))
    }),
    (9..=12, "v_ceil_f64 v[20:21], v[14:15]", |i| two(d(i[4], i[5]).ceil())),
    (9..=12, "v_trunc_f64 v[20:21], v[14:15]", |i| two(d(i[4], i[5]).trunc())),
    (9..=12, "v_rsq_f64 v[20:21], v[14:15]", |i| two(1.0 / d(i[4], i[5]).sqrt())),
    (9..=12, "v_frexp_mant_f64 v[20:21], v[14:15]", |i| two(mantissa(d(i[4], i[5])))),
    (9..=9, "v_pk_add_f32 v[20:21], v[10:11], v[12:13] op_sel:[0,1] op_sel_hi:[1,0] neg_lo:[1,0]", |i| {
        [(f(i[3]) - f(i[0])).to_bits(), (f(i[1]) + f(i[2])).to_bits()]
    }),
    (9..=9, "v_sub_f16 v20, v13, 1.0", |i| int(to_half(h0(i) - 1.0))),
    (10..=10, "v_lshrrev_b32 v2, 16, v13\n\tv_sub_f16 v20, v13, v2", |i| h(h0(i) - h1(i))),
    (10..=10, "v_rsq_f16 v20, v13", |i| h(1.0 / h0(i).sqrt())),
    (10..=10, "v_sin_f16 v20, v13", |i| h(sine(h0(i)))),
    (10..=10, "v_cos_f16 v20, v13", |i| h(cosine(h0(i)))),
    (10..=10, "v_frexp_mant_f16 v20, v13", |i| h(mantissa(h0(i)))),
    (10..=10, "v_frexp_exp_i16_f16 v20, v13", |i| {
        let x = h0(i).abs();
        let exponent = (-30..20i32).find(|&e| x < 2f64.powi(e)).filter(|_| x != 0.0);
        int(lo(exponent.unwrap_or(0) as u32))
    }),
    // The quotient's estimate is 3: the numerator in the low half, the denominator in the high one.
    (9..=10, "v_lshrrev_b32 v2, 16, v13\n\tv_mov_b32 v3, 0xc200\n\tv_div_fixup_f16 v20, v3, v2, v13", |i| {
        let quotient = h0(i) / h1(i);
        let plain = |x: f64| x != 0.0 && x.is_finite();
        h(if plain(h0(i)) && plain(h1(i)) { 3f64.copysign(quotient) } else { quotient })
    }),
    (9..=10, "v_cvt_f32_f16 v20, v13", |i| one(h0(i) as f32)),
    (11..=11, "v_cvt_f32_f16 v20, v13.h", |i| one(h1(i) as f32)),
    (12..=12, "v_cvt_f32_f16 v20, v13", |i| one(h0(i) as f32)),
    (9..=12, "v_cvt_f32_i32 v20, v10", |i| one(i[0] as i32 as f32)),
    (9..=12, "v_cvt_f32_ubyte0 v20, v10", |i| one((i[0] % 256) as f32)),
    (9..=12, "v_cvt_f64_u32 v[20:21], v10", |i| two(f64::from(i[0]))),
    (9..=12, "v_cvt_pknorm_u16_f32 v20, v12, 1.0", |i| {
        let x = f(i[2]);
        let r = if x.is_nan() { 0.0 } else { (x.clamp(0.0, 1.0) * 65535.0).round_ties_even() };
        int(r as u32 | 0xffff << 16)
    }),
    (9..=12, "v_fma_mixlo_f16 v20, v13, v13, 1.0 op_sel:[0,1,0] op_sel_hi:[1,1,0]", |i| {
        let r = (h0(i) as f32).mul_add(h1(i) as f32, 1.0);
        int(KEEP & 0xffff_0000 | to_half(f64::from(r)))
    }),
];

/// Instructions of gfx90a alone: both roundings, denormals always flushed.
const GFX90A: &[float::Case] = &[
    (9..=9, "v_mad_f32 v20, v10, v12, 1.0", |i| one(flushed(f(i[0])) * flushed(f(i[2])) + 1.0)),
    (9..=9, "v_madak_f32 v20, v10, v12, 0x40400000", |i| one(flushed(f(i[0])) * flushed(f(i[2])) + 3.0)),
    (9..=9, "v_mov_b32 v20, 1.0\n\tv_mac_f32 v20, v10, v12", |i| {
        one(flushed(f(i[0])) * flushed(f(i[2])) + 1.0)
    }),
];

#[test]
fn functions_divisions_conversions() {
    float::check(CASES);
}

#[test]
fn unfused_multiply_add() {
    float::check_on(&[("gfx90a", 9)], GFX90A);
}
