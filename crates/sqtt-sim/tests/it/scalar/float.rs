//! Scalar floats of gfx11.5 and gfx12.

use super::*;

fn f(x: u64) -> f32 {
    f32::from_bits(x as u32)
}

fn half(x: u64) -> f64 {
    crate::float::half(x as u32 & 0xffff)
}

fn h(x: f64) -> (u32, bool) {
    (crate::float::to_half(x), true)
}

/// NaNs as one.
fn fl(x: f32) -> (u32, bool) {
    (if x.is_nan() { f32::NAN } else { x }.to_bits(), true)
}

const CASES: &[Case] = &[
    (12..=12, "s_cvt_f32_u32 s20, s10", |a, _, _| ((a as f32).to_bits(), true)),
    (12..=12, "s_cvt_i32_f32 s20, s10", |a, _, _| (f32::from_bits(a as u32) as i32 as u32, true)),
    (12..=12, "s_cmp_nlt_f32 s10, s11", |a, b, d| {
        (d, !f32::from_bits(a as u32).lt(&f32::from_bits(b as u32)))
    }),
    (12..=12, "s_add_f32 s20, s10, s11", |a, b, _| fl(f(a) + f(b))),
    (12..=12, "s_sub_f32 s20, s10, s11", |a, b, _| fl(f(a) - f(b))),
    (12..=12, "s_mul_f32 s20, s10, s11", |a, b, _| fl(f(a) * f(b))),
    (12..=12, "s_min_num_f32 s20, s10, 1.0", |a, _, _| {
        fl(if f(a).is_nan() || f(a) > 1.0 { 1.0 } else { f(a) })
    }),
    (12..=12, "s_maximum_f32 s20, s10, 1.0", |a, _, _| {
        fl(if f(a).is_nan() || f(a) > 1.0 { f(a) } else { 1.0 })
    }),
    (12..=12, "s_fmac_f32 s20, s10, s11", |a, b, d| fl(f(a).mul_add(f(b), f32::from_bits(d)))),
    (12..=12, "s_fmaak_f32 s20, s10, s11, 0x40400000", |a, b, _| fl(f(a).mul_add(f(b), 3.0))),
    (12..=12, "s_fmamk_f32 s20, s10, 0x40400000, s11", |a, b, _| fl(f(a).mul_add(3.0, f(b)))),
    (12..=12, "s_ceil_f32 s20, s10", |a, _, _| fl(f(a).ceil())),
    (12..=12, "s_floor_f32 s20, s10", |a, _, _| fl(f(a).floor())),
    (12..=12, "s_rndne_f32 s20, s10", |a, _, _| fl(f(a).round_ties_even())),
    (12..=12, "v_s_rcp_f32 s20, s10", |a, _, _| fl(1.0 / f(a))),
    (12..=12, "v_s_sqrt_f32 s20, s10", |a, _, _| fl(f(a).sqrt())),
    (12..=12, "s_cvt_f32_i32 s20, s10", |a, _, _| fl(s(a) as f32)),
    (12..=12, "s_cvt_hi_f32_f16 s20, s10", |a, _, _| fl(crate::float::half(a as u32 >> 16) as f32)),
    (12..=12, "s_cvt_f16_f32 s20, s10", |a, _, _| {
        (if f(a).is_nan() { 0x7e00 } else { crate::float::to_half(f64::from(f(a))) }, true)
    }),
    (12..=12, "s_add_f16 s20, s10, 1.0", |a, _, _| {
        (crate::float::to_half(crate::float::half(a as u32 & 0xffff) + 1.0), true)
    }),
    (12..=12, "s_cmp_lt_f32 s10, s11", |a, b, d| (d, f(a) < f(b))),
    (12..=12, "s_cmp_le_f32 s10, s11", |a, b, d| (d, f(a) <= f(b))),
    (12..=12, "s_cmp_lg_f32 s10, s11", |a, b, d| (d, f(a) < f(b) || f(b) < f(a))),
    (12..=12, "s_cmp_u_f32 s10, s11", |a, b, d| (d, f(a).is_nan() || f(b).is_nan())),
    (12..=12, "s_cmp_nge_f32 s10, s11", |a, b, d| (d, f(a) < f(b) || f(a).is_nan() || f(b).is_nan())),
    (12..=12, "s_cmp_nlg_f32 s10, s11", |a, b, d| (d, f(a) == f(b) || f(a).is_nan() || f(b).is_nan())),
    (12..=12, "s_cmp_neq_f16 s10, 0", |a, _, d| (d, crate::float::half(a as u32 & 0xffff) != 0.0)),
    (12..=12, "s_max_num_f32 s20, s10, 1.0", |a, _, _| fl(if f(a) > 1.0 { f(a) } else { 1.0 })),
    (12..=12, "s_minimum_f32 s20, s10, 1.0", |a, _, _| {
        fl(if f(a).is_nan() || f(a) < 1.0 { f(a) } else { 1.0 })
    }),
    (12..=12, "s_trunc_f32 s20, s10", |a, _, _| fl(f(a).trunc())),
    (12..=12, "v_s_exp_f32 s20, s10", |a, _, _| fl(f64::from(f(a)).exp2() as f32)),
    (12..=12, "v_s_log_f32 s20, s10", |a, _, _| fl(f64::from(f(a)).log2() as f32)),
    (12..=12, "v_s_rsq_f32 s20, s11", |_, b, _| fl((1.0 / f64::from(f(b)).sqrt()) as f32)),
    (12..=12, "s_cvt_f32_f16 s20, s10", |a, _, _| fl(half(a) as f32)),
    (12..=12, "s_sub_f16 s20, s10, 2.0", |a, _, _| h(half(a) - 2.0)),
    (12..=12, "s_mul_f16 s20, s10, s10", |a, _, _| h(half(a) * half(a))),
    (12..=12, "s_min_num_f16 s20, s10, 1.0", |a, _, _| h(if half(a) < 1.0 { half(a) } else { 1.0 })),
    (12..=12, "s_maximum_f16 s20, s10, 1.0", |a, _, _| {
        h(if half(a).is_nan() || half(a) > 1.0 { half(a) } else { 1.0 })
    }),
    (12..=12, "s_mov_b32 s20, 0x3c00\n\ts_fmac_f16 s20, s10, s10", |a, _, _| h(half(a) * half(a) + 1.0)),
    (12..=12, "v_s_rcp_f16 s20, s10", |a, _, _| h(1.0 / half(a))),
    (12..=12, "v_s_sqrt_f16 s20, s10", |a, _, _| h(half(a).sqrt())),
    (12..=12, "v_s_exp_f16 s20, s10", |a, _, _| h(half(a).exp2())),
    (12..=12, "v_s_log_f16 s20, s10", |a, _, _| h(half(a).log2())),
    (12..=12, "s_ceil_f16 s20, s10", |a, _, _| h(half(a).ceil())),
    (12..=12, "s_floor_f16 s20, s10", |a, _, _| h(half(a).floor())),
    (12..=12, "s_trunc_f16 s20, s10", |a, _, _| h(half(a).trunc())),
    (12..=12, "s_rndne_f16 s20, s10", |a, _, _| h(half(a).round_ties_even())),
    (12..=12, "s_cmp_eq_f32 s10, s11", |a, b, d| (d, f(a) == f(b))),
    (12..=12, "s_cmp_gt_f32 s10, s11", |a, b, d| (d, f(b) < f(a))),
    (12..=12, "s_cmp_ge_f32 s10, s11", |a, b, d| (d, f(b) <= f(a))),
    (12..=12, "s_cmp_o_f32 s10, s11", |a, b, d| (d, !(f(a).is_nan() || f(b).is_nan()))),
    (12..=12, "s_cmp_ngt_f32 s10, s11", |a, b, d| (d, f(a) <= f(b) || f(a).is_nan() || f(b).is_nan())),
    (12..=12, "s_cmp_nle_f32 s10, s11", |a, b, d| (d, f(b) < f(a) || f(a).is_nan() || f(b).is_nan())),
    (12..=12, "s_cmp_neq_f32 s10, s11", |a, b, d| (d, f(a) != f(b))),
    (12..=12, "s_cmp_lt_f16 s10, 1.0", |a, _, d| (d, half(a) < 1.0)),
    (12..=12, "s_cmp_ge_f16 s10, 0", |a, _, d| (d, half(a) >= 0.0)),
    (12..=12, "s_cmp_u_f16 s10, 0", |a, _, d| (d, half(a).is_nan())),
    (12..=12, "s_cmp_nge_f16 s10, 0", |a, _, d| (d, half(a).is_nan() || half(a) < 0.0)),
];

#[test]
fn at_edge_values() {
    check(CASES);
}
