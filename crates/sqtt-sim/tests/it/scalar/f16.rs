//! Scalar f16 of gfx12: numbers, infinities and denormals besides the edges' own.

use super::*;
use crate::float::{half, to_half};

fn h(x: u64) -> f64 {
    half(x as u32 & 0xffff)
}

/// Towards zero: the nearest one, or the one below it where that lies beyond.
fn toward_zero(bits: u64) -> u32 {
    let x = f64::from(f32::from_bits(bits as u32));
    if x.is_nan() {
        return (bits >> 16 & 0x8000 | 0x7e00 | bits >> 13 & 0x1ff) as u32;
    }
    let near = to_half(x);
    if x.is_finite() && half(near).abs() > x.abs() { near - 1 } else { near }
}

fn narrowed(a: u64) -> f64 {
    let x = f32::from_bits(a as u32);
    if x.is_nan() { f64::NAN } else { half(to_half(f64::from(x))) }
}

/// `s10` and `s11` as f32, turned into f16: numbers, infinities and denormals besides the edges' own.
macro_rules! f16 {
    ($text:literal) => {
        concat!("s_cvt_f16_f32 s10, s10\n\t", $text)
    };
}

const CASES: &[Case] = &[
    (12..=12, "s_cvt_u32_f32 s20, s10", |a, _, _| {
        let x = f64::from(f32::from_bits(a as u32));
        (if x.is_nan() { 0 } else { x.trunc().clamp(0.0, 4294967295.0) as u32 }, true)
    }),
    (12..=12, "s_cvt_pk_rtz_f16_f32 s20, s10, 0x477fffff", |a, _, _| (toward_zero(a) | 0x7bff << 16, true)),
    (12..=12, "s_cvt_pk_rtz_f16_f32 s20, 1.0, s10", |a, _, _| (0x3c00 | toward_zero(a) << 16, true)),
    (12..=12, "s_max_num_f16 s20, s10, -1.0", |a, _, _| (to_half(h(a).max(-1.0)), true)),
    (12..=12, "s_minimum_f16 s20, s10, s11", |a, b, _| {
        let (x, y) = (h(a), h(b));
        let least = if x.total_cmp(&y).is_le() { x } else { y };
        (to_half(if x.is_nan() || y.is_nan() { f64::NAN } else { least }), true)
    }),
    (12..=12, "v_s_rsq_f16 s20, s10", |a, _, _| (to_half(1.0 / h(a).sqrt()), true)),
    (12..=12, f16!("s_cmp_eq_f16 s10, 0"), |a, _, d| (d, narrowed(a) == 0.0)),
    (12..=12, "s_cmp_eq_f16 s10, s11", |a, b, d| (d, h(a) == h(b))),
    (12..=12, "s_cmp_le_f16 s10, s11", |a, b, d| (d, h(a) <= h(b))),
    (12..=12, "s_cmp_gt_f16 s10, s11", |a, b, d| (d, h(a) > h(b))),
    (12..=12, "s_cmp_lg_f16 s10, s11", |a, b, d| (d, h(a) < h(b) || h(a) > h(b))),
    (12..=12, "s_cmp_o_f16 s10, s11", |a, b, d| (d, !(h(a).is_nan() || h(b).is_nan()))),
    (12..=12, "s_cmp_nlg_f16 s10, s11", |a, b, d| (d, h(a) == h(b) || h(a).is_nan() || h(b).is_nan())),
    (12..=12, "s_cmp_ngt_f16 s10, s11", |a, b, d| (d, h(a) <= h(b) || h(a).is_nan() || h(b).is_nan())),
    (12..=12, "s_cmp_nle_f16 s10, s11", |a, b, d| (d, h(a) > h(b) || h(a).is_nan() || h(b).is_nan())),
    (12..=12, "s_cmp_nlt_f16 s10, s11", |a, b, d| (d, h(a) >= h(b) || h(a).is_nan() || h(b).is_nan())),
];

#[test]
fn at_edge_values() {
    check(CASES);
}
