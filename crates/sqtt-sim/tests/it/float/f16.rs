//! Vector floats: f16.

use super::*;

const CASES: &[Case] = &[
    (9..=9, "v_add_f16 v20, v13, v13", |i| int(to_half(half(i[3] & 0xffff) * 2.0))),
    (10..=10, "v_mul_f16 v20, v13, v13", |i| int(lo(to_half(half(i[3] & 0xffff) * half(i[3] & 0xffff))))),
    (11..=11, "v_add_f16 v20.l, v13.l, v13.h", |i| int(lo(to_half(half(i[3] & 0xffff) + half(i[3] >> 16))))),
    (12..=12, "v_add_f16 v20, v13, v13", |i| int(lo(to_half(half(i[3] & 0xffff) * 2.0)))),
    (10..=10, "v_subrev_f16 v20, v13, v13", |i| h(h0(i) - h0(i))),
    (10..=10, "v_lshrrev_b32 v2, 16, v13\n\tv_max_f16 v20, v13, v2", |i| {
        h(if signalling(i) { f64::NAN } else { most64(h0(i), h1(i)) })
    }),
    (10..=10, "v_lshrrev_b32 v2, 16, v13\n\tv_min_f16 v20, v13, v2", |i| {
        h(if signalling(i) { f64::NAN } else { least64(h0(i), h1(i)) })
    }),
    (12..=12, "v_lshrrev_b32 v2, 16, v13\n\tv_min_num_f16 v20, v13, v2", |i| h(least64(h0(i), h1(i)))),
    (12..=12, "v_maximum_f16 v20, v13, v13 op_sel:[1,0,0]", |i| {
        h(if h0(i).is_nan() || h1(i).is_nan() { f64::NAN } else { most64(h0(i), h1(i)) })
    }),
    (12..=12, "v_minmax_num_f16 v20, v13, 1.0, 2.0", |i| h(most64(least64(h0(i), 1.0), 2.0))),
    (10..=10, "v_fma_f16 v20, v13, v13, v13 op_sel:[0,1,0,0]", |i| h(h0(i) * h1(i) + h0(i))),
    (10..=10, "v_mov_b32 v20, v13\n\tv_fmac_f16 v20, v13, v13", |i| {
        int(i[3] & 0xffff_0000 | to_half(h0(i) * h0(i) + h0(i)))
    }),
    (10..=10, "v_floor_f16 v20, v13", |i| h(h0(i).floor())),
    (10..=10, "v_ceil_f16 v20, v13", |i| h(h0(i).ceil())),
    (10..=10, "v_trunc_f16 v20, v13", |i| h(h0(i).trunc())),
    (10..=10, "v_rndne_f16 v20, v13", |i| h(h0(i).round_ties_even())),
    (10..=10, "v_rcp_f16 v20, v13", |i| h(1.0 / h0(i))),
    (10..=10, "v_sqrt_f16 v20, v13", |i| h(h0(i).sqrt())),
    (10..=10, "v_exp_f16 v20, v13", |i| h(h0(i).exp2())),
    (10..=10, "v_log_f16 v20, v13", |i| h(h0(i).log2())),
    (10..=10, "v_ldexp_f16 v20, v13, 3", |i| h(h0(i) * 8.0)),
    (10..=10, "v_fract_f16 v20, v13", |i| {
        let x = h0(i);
        h(if !x.is_finite() { f64::NAN } else { (x - x.floor()).min(1.0 - 2f64.powi(-11)) })
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
];

#[test]
fn at_edge_values() {
    check(CASES);
}
