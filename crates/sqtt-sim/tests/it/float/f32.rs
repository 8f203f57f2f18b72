//! Vector floats: f32.

use super::*;

const CASES: &[Case] = &[
    (9..=12, "v_add_f32 v20, v10, v11", |i| one(f(i[0]) + f(i[1]))),
    (9..=12, "v_sub_f32 v20, v10, v11", |i| one(f(i[0]) - f(i[1]))),
    (9..=12, "v_mul_f32 v20, v10, v11", |i| one(f(i[0]) * f(i[1]))),
    (9..=12, "v_fma_f32 v20, v10, v11, v12", |i| one(f(i[0]).mul_add(f(i[1]), f(i[2])))),
    (9..=12, "v_fma_f32 v20, -v10, |v11|, v12", |i| one((-f(i[0])).mul_add(f(i[1]).abs(), f(i[2])))),
    (9..=12, "v_mov_b32 v20, v12\n\tv_fmac_f32 v20, v10, v11", |i| one(f(i[0]).mul_add(f(i[1]), f(i[2])))),
    (9..=12, "v_add_f32_e64 v20, v10, v11 clamp", |i| {
        let x = f(i[0]) + f(i[1]);
        one(if x.is_nan() {
            0.0
        } else if x > 1.0 {
            1.0
        } else if x > 0.0 {
            x
        } else {
            0.0
        })
    }),
    (9..=12, "v_mul_f32_e64 v20, v12, v12 mul:4", |i| one(f(i[2]) * f(i[2]) * 4.0)),
    (9..=11, "v_min_f32 v20, v10, v11", |i| minmax(i, true, true)),
    (9..=11, "v_max_f32 v20, v10, v11", |i| minmax(i, false, true)),
    (12..=12, "v_min_num_f32 v20, v10, v11", |i| minmax(i, true, false)),
    (12..=12, "v_maximum_f32 v20, v10, v11", |i| {
        if f(i[0]).is_nan() || f(i[1]).is_nan() { one(f32::NAN) } else { minmax(i, false, false) }
    }),
    (9..=11, "v_med3_f32 v20, v10, v12, 1.0", |i| {
        let mut v = [f(i[0]), f(i[2]), 1.0];
        if v.iter().any(|x| x.is_nan()) {
            let low = |a: f32, b: f32| {
                if a.is_nan() {
                    b
                } else if b.is_nan() {
                    a
                } else {
                    least(a, b)
                }
            };
            return one(low(low(v[0], v[1]), v[2]));
        }
        v.sort_by(f32::total_cmp);
        one(v[1])
    }),
    (9..=12, "v_floor_f32 v20, v10", |i| one(f(i[0]).floor())),
    (9..=12, "v_rndne_f32 v20, v10", |i| one(f(i[0]).round_ties_even())),
    (9..=12, "v_trunc_f32 v20, v10", |i| one(f(i[0]).trunc())),
    (9..=12, "v_rcp_f32 v20, v10", |i| one(1.0 / f(i[0]))),
    (9..=12, "v_sqrt_f32 v20, v10", |i| one(f(i[0]).sqrt())),
    (9..=12, "v_exp_f32 v20, v12", |i| one(f64::from(f(i[2])).exp2() as f32)),
    (9..=12, "v_ldexp_f32 v20, v10, -3", |i| one(f(i[0]) * 0.125)),
    (9..=12, "v_frexp_exp_i32_f32 v20, v10", |i| {
        let x = f(i[0]).abs();
        if x == 0.0 || !x.is_finite() {
            return int(0);
        }
        int((-200..200i32).find(|&e| f64::from(x) < 2f64.powi(e)).unwrap() as u32)
    }),
    (10..=12, "v_cmp_nlt_f32 vcc_lo, v10, v11\n\tv_cndmask_b32 v20, 0, 1, vcc_lo", |i| {
        int(u32::from(!f(i[0]).lt(&f(i[1]))))
    }),
    (10..=12, "v_cmp_lg_f32 vcc_lo, v10, v11\n\tv_cndmask_b32 v20, 0, 1, vcc_lo", |i| {
        int(u32::from(f(i[0]) < f(i[1]) || f(i[0]) > f(i[1])))
    }),
    (10..=12, "v_cmp_u_f32 vcc_lo, v10, v11\n\tv_cndmask_b32 v20, 0, 1, vcc_lo", |i| {
        int(u32::from(f(i[0]).is_nan() || f(i[1]).is_nan()))
    }),
    // Signalling NaN, negative denormal, positive denormal.
    (10..=12, "v_cmp_class_f32 vcc_lo, v10, 0x91\n\tv_cndmask_b32 v20, 0, 1, vcc_lo", |i| {
        let x = f(i[0]);
        int(u32::from(x.is_subnormal() || x.is_nan() && i[0] & 0x40_0000 == 0))
    }),
    // Flushed denormals: MODE bits 5:4 off around the instruction.
    (10..=12, "s_denorm_mode 12\n\tv_mul_f32 v20, v10, 1.0\n\ts_denorm_mode 15", |i| {
        let x = f(i[0]);
        one(if x.is_subnormal() { x * 0.0 } else { x })
    }),
    (
        9..=9,
        "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 4, 2), 0\n\tv_add_f32 v20, v10, -0.5\n\ts_setreg_imm32_b32 hwreg(HW_REG_MODE, 4, 2), 3",
        |i| {
            let x = f(i[0]);
            one((if x.is_subnormal() { 0.0 } else { x }) - 0.5)
        },
    ),
    (12..=12, "v_maxmin_num_f32 v20, v10, 1.0, 2.0", |i| {
        one(least64(most64(f64::from(f(i[0])), 1.0), 2.0) as f32)
    }),
    (9..=12, "v_fract_f32 v20, v12", |i| {
        let x = f(i[2]);
        one(if !x.is_finite() { f32::NAN } else { (x - x.floor()).min(0.999_999_94) })
    }),
    (9..=12, "v_rsq_f32 v20, v12", |i| {
        let x = f(i[2]);
        one(if x == 0.0 { f32::INFINITY.copysign(x) } else { (1.0 / f64::from(x).sqrt()) as f32 })
    }),
    (9..=12, "v_frexp_mant_f32 v20, v12", |i| {
        let mut x = f64::from(f(i[2]));
        if x != 0.0 && x.is_finite() {
            while x.abs() >= 1.0 {
                x /= 2.0;
            }
            while x.abs() < 0.5 {
                x *= 2.0;
            }
        }
        one(x as f32)
    }),
    (9..=12, "v_sin_f32 v20, 0.5", |_| one((-std::f64::consts::PI).sin() as f32)),
    (9..=11, "v_min3_f32 v20, v10, v12, 1.0", |i| {
        one(least64(least64(f64::from(f(i[0])), f64::from(f(i[2]))), 1.0) as f32)
    }),
    (9..=10, "v_mul_legacy_f32 v20, v10, v11", |i| {
        one(if f(i[0]) == 0.0 || f(i[1]) == 0.0 { 0.0 } else { f(i[0]) * f(i[1]) })
    }),
    (9..=9, divide!("vcc"), |i| one(f(i[0]) / f(i[1]))),
    (10..=12, divide!("vcc_lo"), |i| one(f(i[0]) / f(i[1]))),
    (9..=9, divide64!("vcc"), |i| two(d(i[4], i[5]) / d(i[6], i[7]))),
    (10..=12, divide64!("vcc_lo"), |i| two(d(i[4], i[5]) / d(i[6], i[7]))),
    (9..=12, "v_subrev_f32 v20, v10, v11", |i| one(f(i[1]) - f(i[0]))),
    (9..=12, "v_ceil_f32 v20, v10", |i| one(f(i[0]).ceil())),
    (9..=12, "v_log_f32 v20, v12", |i| one((f64::from(f(i[2])).ln() / LN_2) as f32)),
    (9..=12, "v_cos_f32 v20, v12", |i| one(cosine(f64::from(f(i[2]))) as f32)),
    (9..=12, "v_rcp_iflag_f32 v20, v12", |i| one(1.0 / f(i[2]))),
];

#[test]
fn at_edge_values() {
    check(CASES);
}

/// Instructions of gfx90a alone: both roundings, denormals always flushed.
const GFX90A: &[Case] = &[
    (9..=9, "v_mad_f32 v20, v10, v12, 1.0", |i| one(flushed(f(i[0])) * flushed(f(i[2])) + 1.0)),
    (9..=9, "v_madak_f32 v20, v10, v12, 0x40400000", |i| one(flushed(f(i[0])) * flushed(f(i[2])) + 3.0)),
    (9..=9, "v_mov_b32 v20, 1.0\n\tv_mac_f32 v20, v10, v12", |i| {
        one(flushed(f(i[0])) * flushed(f(i[2])) + 1.0)
    }),
];

#[test]
fn unfused_multiply_add() {
    check_on(&[("gfx90a", 9)], GFX90A);
}
