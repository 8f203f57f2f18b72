//! Vector floats: f64.

use super::*;

const CASES: &[Case] = &[
    (9..=12, "v_add_f64 v[20:21], v[14:15], v[16:17]", |i| two(d(i[4], i[5]) + d(i[6], i[7]))),
    (9..=12, "v_mul_f64 v[20:21], v[14:15], v[16:17]", |i| two(d(i[4], i[5]) * d(i[6], i[7]))),
    (9..=12, "v_fma_f64 v[20:21], v[14:15], -v[16:17], 1.0", |i| {
        two(d(i[4], i[5]).mul_add(-d(i[6], i[7]), 1.0))
    }),
    (9..=12, "v_rcp_f64 v[20:21], v[14:15]", |i| two(1.0 / d(i[4], i[5]))),
    (10..=12, "v_add_f64 v[20:21], v[14:15], 0x40490fdb", |i| {
        two(d(i[4], i[5]) + f64::from_bits(0x4049_0fdb_0000_0000))
    }),
    (9..=12, "v_fract_f64 v[20:21], v[14:15]", |i| {
        let x = d(i[4], i[5]);
        two(if !x.is_finite() { f64::NAN } else { (x - x.floor()).min(1.0 - f64::EPSILON / 2.0) })
    }),
    (9..=12, "v_floor_f64 v[20:21], v[14:15]", |i| two(d(i[4], i[5]).floor())),
    (9..=12, "v_rndne_f64 v[20:21], v[14:15]", |i| two(d(i[4], i[5]).round_ties_even())),
    (9..=12, "v_sqrt_f64 v[20:21], v[14:15]", |i| two(d(i[4], i[5]).sqrt())),
    (9..=12, "v_ldexp_f64 v[20:21], v[14:15], -1", |i| two(d(i[4], i[5]) / 2.0)),
    (9..=11, "v_max_f64 v[20:21], v[14:15], v[16:17]", |i| two(most64(d(i[4], i[5]), d(i[6], i[7])))),
    (12..=12, "v_minimum_f64 v[20:21], v[14:15], v[16:17]", |i| {
        let (a, b) = (d(i[4], i[5]), d(i[6], i[7]));
        two(if a.is_nan() || b.is_nan() { f64::NAN } else { least64(a, b) })
    }),
    (9..=12, "v_frexp_exp_i32_f64 v20, v[14:15]", |i| {
        let x = d(i[4], i[5]).abs();
        if x == 0.0 || !x.is_finite() {
            return int(0);
        }
        let below = |e: i32| x / 2f64.powi(e.max(-1000)) < 2f64.powi(e - e.max(-1000));
        int((-1080..1030i32).find(|&e| below(e)).unwrap() as u32)
    }),
    (9..=9, "v_mov_b32 v20, v14\n\tv_mov_b32 v21, v15\n\tv_fmac_f64 v[20:21], v[16:17], 0.5", |i| {
        two(d(i[6], i[7]).mul_add(0.5, d(i[4], i[5])))
    }),
    (9..=12, "v_ceil_f64 v[20:21], v[14:15]", |i| two(d(i[4], i[5]).ceil())),
    (9..=12, "v_trunc_f64 v[20:21], v[14:15]", |i| two(d(i[4], i[5]).trunc())),
    (9..=12, "v_rsq_f64 v[20:21], v[14:15]", |i| two(1.0 / d(i[4], i[5]).sqrt())),
    (9..=12, "v_frexp_mant_f64 v[20:21], v[14:15]", |i| two(mantissa(d(i[4], i[5])))),
];

#[test]
fn at_edge_values() {
    check(CASES);
}
