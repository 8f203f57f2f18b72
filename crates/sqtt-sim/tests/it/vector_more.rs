//! More vector instructions: f16, f64, packed, 16-bit, rarer conversions.

use crate::float::{self, KEEP, d, f, half, int, lo, one, to_half, two};
use crate::integer;

fn h0(i: &[u32; 8]) -> f64 {
    half(i[3] & 0xffff)
}

fn h1(i: &[u32; 8]) -> f64 {
    half(i[3] >> 16)
}

/// A NaN loses, -0 is below +0; under MODE.IEEE a signalling NaN wins.
fn least(a: f64, b: f64) -> f64 {
    match (a.is_nan(), b.is_nan()) {
        (true, _) => b,
        (_, true) => a,
        _ if a.total_cmp(&b).is_le() => a,
        _ => b,
    }
}

fn most(a: f64, b: f64) -> f64 {
    -least(-a, -b)
}

fn signalling(i: &[u32; 8]) -> bool {
    [i[3] & 0xffff, i[3] >> 16].iter().any(|&h| half(h).is_nan() && h & 0x200 == 0)
}

/// gfx10 keeps the upper half.
fn h(x: f64) -> [u32; 2] {
    int(lo(to_half(x)))
}

const FLOAT: &[float::Case] = &[
    (10..=10, "v_subrev_f16 v20, v13, v13", |i| h(h0(i) - h0(i))),
    (10..=10, "v_lshrrev_b32 v2, 16, v13\n\tv_max_f16 v20, v13, v2", |i| {
        h(if signalling(i) { f64::NAN } else { most(h0(i), h1(i)) })
    }),
    (10..=10, "v_lshrrev_b32 v2, 16, v13\n\tv_min_f16 v20, v13, v2", |i| {
        h(if signalling(i) { f64::NAN } else { least(h0(i), h1(i)) })
    }),
    (12..=12, "v_lshrrev_b32 v2, 16, v13\n\tv_min_num_f16 v20, v13, v2", |i| h(least(h0(i), h1(i)))),
    (12..=12, "v_maximum_f16 v20, v13, v13 op_sel:[1,0,0]", |i| {
        h(if h0(i).is_nan() || h1(i).is_nan() { f64::NAN } else { most(h0(i), h1(i)) })
    }),
    (12..=12, "v_minmax_num_f16 v20, v13, 1.0, 2.0", |i| h(most(least(h0(i), 1.0), 2.0))),
    (12..=12, "v_maxmin_num_f32 v20, v10, 1.0, 2.0", |i| {
        one(least(most(f64::from(f(i[0])), 1.0), 2.0) as f32)
    }),
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
    (10..=10, "v_cvt_u16_f16 v20, v13", |i| {
        let x = h0(i);
        int(lo(if x.is_nan() { 0 } else { x.trunc().clamp(0.0, 65535.0) as u32 }))
    }),
    (10..=10, "v_cvt_i16_f16 v20, v13", |i| {
        let x = h0(i);
        int(lo(if x.is_nan() { 0 } else { x.trunc().clamp(-32768.0, 32767.0) as i32 as u32 }))
    }),
    (10..=10, "v_cvt_f16_i16 v20, v13", |i| h(f64::from(i[3] as i16))),
    (10..=10, "v_cvt_f16_u16 v20, v13", |i| h(f64::from(i[3] as u16))),
    (9..=12, "v_pk_fma_f16 v20, v13, v13, v13 op_sel_hi:[0,1,1]", |i| {
        int(to_half(h0(i) * h0(i) + h0(i)) | to_half(h0(i) * h1(i) + h1(i)) << 16)
    }),
    (9..=12, "v_fma_mixhi_f16 v20, v13, v13, 1.0 op_sel_hi:[1,1,0]", |i| {
        let r = (h0(i) as f32).mul_add(h0(i) as f32, 1.0);
        int(KEEP & 0xffff | to_half(f64::from(r)) << 16)
    }),
    (9..=12, "v_fract_f32 v20, v12", |i| {
        let x = f(i[2]);
        one(if !x.is_finite() { f32::NAN } else { (x - x.floor()).min(0.999_999_94) })
    }),
    (10..=10, "v_fract_f16 v20, v13", |i| {
        let x = h0(i);
        h(if !x.is_finite() { f64::NAN } else { (x - x.floor()).min(1.0 - 2f64.powi(-11)) })
    }),
    (9..=12, "v_fract_f64 v[20:21], v[14:15]", |i| {
        let x = d(i[4], i[5]);
        two(if !x.is_finite() { f64::NAN } else { (x - x.floor()).min(1.0 - f64::EPSILON / 2.0) })
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
        one(least(least(f64::from(f(i[0])), f64::from(f(i[2]))), 1.0) as f32)
    }),
    (9..=10, "v_mul_legacy_f32 v20, v10, v11", |i| {
        one(if f(i[0]) == 0.0 || f(i[1]) == 0.0 { 0.0 } else { f(i[0]) * f(i[1]) })
    }),
    (9..=9, "v_cvt_rpi_i32_f32 v20, v12", |i| {
        let x = f64::from(f(i[2]));
        int(if x.is_nan() { 0 } else { (x + 0.5).floor().clamp(-2147483648.0, 2147483647.0) as i32 as u32 })
    }),
    (11..=12, "v_cvt_floor_i32_f32 v20, v12", |i| {
        let x = f64::from(f(i[2]));
        int(if x.is_nan() { 0 } else { x.floor().clamp(-2147483648.0, 2147483647.0) as i32 as u32 })
    }),
    (9..=12, "v_cvt_f32_ubyte1 v20, v12\n\tv_cvt_f32_ubyte2 v21, v12", |i| {
        [((i[2] / 256 % 256) as f32).to_bits(), ((i[2] / 65536 % 256) as f32).to_bits()]
    }),
    (9..=10, "v_cvt_pknorm_i16_f32 v20, v12, -1.0", |i| {
        let x = f(i[2]);
        let r = if x.is_nan() { 0.0 } else { (x.clamp(-1.0, 1.0) * 32767.0).round_ties_even() };
        int(r as i32 as u32 & 0xffff | 0x8001 << 16)
    }),
    (9..=12, "v_cvt_f64_i32 v[20:21], v12", |i| two(f64::from(i[2] as i32))),
    (9..=12, "v_cvt_u32_f64 v20, v[14:15]", |i| {
        let x = d(i[4], i[5]);
        int(if x.is_nan() { 0 } else { x.trunc().clamp(0.0, 4294967295.0) as u32 })
    }),
    (9..=12, "v_floor_f64 v[20:21], v[14:15]", |i| two(d(i[4], i[5]).floor())),
    (9..=12, "v_rndne_f64 v[20:21], v[14:15]", |i| two(d(i[4], i[5]).round_ties_even())),
    (9..=12, "v_sqrt_f64 v[20:21], v[14:15]", |i| two(d(i[4], i[5]).sqrt())),
    (9..=12, "v_ldexp_f64 v[20:21], v[14:15], -1", |i| two(d(i[4], i[5]) / 2.0)),
    (9..=11, "v_max_f64 v[20:21], v[14:15], v[16:17]", |i| two(most(d(i[4], i[5]), d(i[6], i[7])))),
    (12..=12, "v_minimum_f64 v[20:21], v[14:15], v[16:17]", |i| {
        let (a, b) = (d(i[4], i[5]), d(i[6], i[7]));
        two(if a.is_nan() || b.is_nan() { f64::NAN } else { least(a, b) })
    }),
    (9..=12, "v_frexp_exp_i32_f64 v20, v[14:15]", |i| {
        let x = d(i[4], i[5]).abs();
        if x == 0.0 || !x.is_finite() {
            return int(0);
        }
        let below = |e: i32| x / 2f64.powi(e.max(-1000)) < 2f64.powi(e - e.max(-1000));
        int((-1080..1030i32).find(|&e| below(e)).unwrap() as u32)
    }),
];

fn u(x: u32) -> u32 {
    x & 0xffff
}

fn s(x: u32) -> i32 {
    i32::from(x as i16)
}

const INTEGER: &[integer::Case] = &[
    (10..=10, "v_mul_lo_u16 v20, v10, v11", |i, _, _| int(lo(u(i[0]) * u(i[1])))),
    (10..=10, "v_lshlrev_b16 v20, v10, v13", |i, _, _| int(lo(u(i[3]) << (i[0] % 16)))),
    (10..=10, "v_ashrrev_i16 v20, v10, v13", |i, _, _| int(lo((s(i[3]) >> (i[0] % 16)) as u32))),
    (10..=10, "v_min_i16 v20, v10, v11", |i, _, _| int(lo(s(i[0]).min(s(i[1])) as u32))),
    (10..=10, "v_max_u16 v20, v10, v11", |i, _, _| int(lo(u(i[0]).max(u(i[1]))))),
    (10..=10, "v_med3_i16 v20, v10, v11, v12", |i, _, _| {
        let mut v = [s(i[0]), s(i[1]), s(i[2])];
        v.sort_unstable();
        int(lo(v[1] as u32))
    }),
    (10..=10, "v_max3_u16 v20, v10, v11, v12", |i, _, _| int(lo(u(i[0]).max(u(i[1])).max(u(i[2]))))),
    (9..=10, "v_mad_u16 v20, v10, v11, v12", |i, _, _| {
        int(lo((u64::from(u(i[0])) * u64::from(u(i[1])) + u64::from(i[2])) as u32))
    }),
    // The legacy forms clear the upper half, the others keep it.
    (9..=9, "v_mad_legacy_u16 v20, v10, v11, v12", |i, _, _| {
        int(u(u(i[0]).wrapping_mul(u(i[1])).wrapping_add(u(i[2]))))
    }),
    (9..=9, "v_mad_legacy_i16 v20, v10, v11, v12", |i, _, _| {
        int(u(u(i[0]).wrapping_mul(u(i[1])).wrapping_add(u(i[2]))))
    }),
    (9..=9, "v_mul_lo_u16 v20, v10, v11", |i, _, _| int(u(u(i[0]) * u(i[1])))),
    (9..=9, "v_subrev_u16 v20, v10, v11", |i, _, _| int(u(i[1].wrapping_sub(i[0])))),
    (12..=12, "v_cvt_i32_i16 v20, v13", |i, _, _| int(s(i[3]) as u32)),
    (9..=12, "v_pk_mad_u16 v20, v13, v14, v15", |i, _, _| {
        let m = |k: u32| u(u(i[3] >> k).wrapping_mul(u(i[4] >> k)).wrapping_add(u(i[5] >> k)));
        int(m(0) | m(16) << 16)
    }),
    (9..=12, "v_pk_max_u16 v20, v13, v14", |i, _, _| {
        int(u(i[3]).max(u(i[4])) | (i[3] >> 16).max(i[4] >> 16) << 16)
    }),
    (9..=12, "v_pk_lshlrev_b16 v20, 3, v13 op_sel_hi:[0,1]", |i, _, _| int(u(i[3] << 3) | i[3] >> 16 << 19)),
    (9..=12, "v_pk_add_i16 v20, v13, -1 op_sel_hi:[1,0] clamp", |i, _, _| {
        let a = |k: u32| u((s(i[3] >> k) - 1).max(-32768) as u32);
        int(a(0) | a(16) << 16)
    }),
    (9..=10, "v_dot2_i32_i16 v20, v13, v14, v10", |i, _, _| {
        let p = |k: u32| i64::from(s(i[3] >> k)) * i64::from(s(i[4] >> k));
        int((p(0) + p(16) + i64::from(i[0] as i32)) as u32)
    }),
    (9..=12, "v_dot8_u32_u4 v20, v13, v14, v10 clamp", |i, _, _| {
        let p = |k: u32| u64::from(i[3] >> k & 15) * u64::from(i[4] >> k & 15);
        int(((0..8).map(|k| p(4 * k)).sum::<u64>() + u64::from(i[0])).min(0xffff_ffff) as u32)
    }),
    (11..=12, "v_dot4_i32_iu8 v20, v13, v14, v10 neg_lo:[1,0,0]", |i, _, _| {
        let p = |k: u32| i64::from((i[3] >> k) as i8) * i64::from(i[4] >> k & 255);
        int(((0..4).map(|k| p(8 * k)).sum::<i64>() + i64::from(i[0] as i32)) as u32)
    }),
    (9..=12, "v_xnor_b32 v20, v13, v10", |i, _, _| int(!(i[3] ^ i[0]))),
    (9..=12, "v_min_i32 v20, v10, v11\n\tv_max_u32 v21, v10, v11", |i, _, _| {
        [(i[0] as i32).min(i[1] as i32) as u32, i[0].max(i[1])]
    }),
    (11..=12, "v_maxmin_i32 v20, v10, v11, v12\n\tv_minmax_u32 v21, v10, v11, v12", |i, _, _| {
        [((i[0] as i32).max(i[1] as i32)).min(i[2] as i32) as u32, i[0].min(i[1]).max(i[2])]
    }),
    (9..=12, "v_sad_u32 v20, v10, v11, v12", |i, _, _| {
        int(((i64::from(i[0]) - i64::from(i[1])).abs() + i64::from(i[2])) as u32)
    }),
    (9..=12, "v_mov_b32 v20, v13\n\tv_mov_b32 v21, v14\n\tv_swap_b32 v20, v21", |i, _, _| [i[4], i[3]]),
    (10..=12, "v_permlanex16_b32 v20, v13, -1, -1", |_, l, a| int(a[(l & 16 ^ 16) + 15][3])),
    (12..=12, "v_permlane16_var_b32 v20, v13, v0", |i, _, _| int(i[3])),
    (11..=12, "v_permlane64_b32 v20, v13", |i, _, _| int(i[3])),
    (10..=12, "s_mov_b32 m0, 2\n\tv_movreld_b32 v18, v13", |i, _, _| int(i[3])),
    (9..=12, "v_lshlrev_b32 v2, 2, v0\n\tv_xor_b32 v2, 20, v2\n\tds_permute_b32 v20, v2, v13", |_, l, a| {
        int(a[l ^ 5][3])
    }),
    (
        9..=9,
        "s_mov_b32 s10, 3\n\ts_set_gpr_idx_on s10, gpr_idx(SRC0)\n\tv_mov_b32 v20, v10\n\ts_set_gpr_idx_idx s11\n\ts_set_gpr_idx_off",
        |i, _, _| int(i[3]),
    ),
    (
        9..=9,
        "s_mov_b32 s10, 1\n\ts_set_gpr_idx_on s10, gpr_idx(DST)\n\tv_mov_b32 v20, v13\n\ts_set_gpr_idx_off",
        |i, _, _| [KEEP, i[3]],
    ),
    (
        9..=12,
        "s_call_b64 s[12:13], .Lcall_a\n\ts_branch .Lback_a\n.Lcall_a:\n\tv_mov_b32 v20, 9\n\ts_setpc_b64 s[12:13]\n.Lback_a:",
        |_, _, _| int(9),
    ),
];

#[test]
fn rarer_float_instructions_at_edge_values() {
    float::check(FLOAT);
}

#[test]
fn rarer_integer_instructions_at_edge_values() {
    integer::check(INTEGER);
}
