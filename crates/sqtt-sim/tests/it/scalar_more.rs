//! More scalar instructions: the rarer integer forms, and gfx12's scalar floats.

use crate::scalar::{Case, check, nz, s, w};

fn f(x: u64) -> f32 {
    f32::from_bits(x as u32)
}

fn q(a: u64, b: u64) -> u64 {
    a | b << 32
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

const INTEGER: &[Case] = &[
    (9..=12, "s_max_i32 s20, s10, s11", |a, b, _| (w(s(a).max(s(b))), s(a) >= s(b))),
    (9..=12, "s_min_u32 s20, s10, s11", |a, b, _| (a.min(b) as u32, a < b)),
    (9..=10, "s_orn2_b32 s20, s10, s11", |a, b, _| nz(a | (b ^ 0xffff_ffff))),
    (9..=12, "s_nand_b32 s20, s10, s11", |a, b, _| nz(!(a & b))),
    (9..=12, "s_nor_b32 s20, s10, s11", |a, b, _| nz(!(a | b))),
    (9..=12, "s_lshl2_add_u32 s20, s10, s11", |a, b, _| ((a * 4 + b) as u32, a * 4 + b > 0xffff_ffff)),
    (9..=12, "s_lshl4_add_u32 s20, s10, s11", |a, b, _| ((a * 16 + b) as u32, a * 16 + b > 0xffff_ffff)),
    (9..=12, "s_pack_ll_b32_b16 s20, s10, s11", |a, b, _| ((a % 65536 + b % 65536 * 65536) as u32, true)),
    (9..=12, "s_pack_hh_b32_b16 s20, s10, s11", |a, b, _| ((a / 65536 + b / 65536 * 65536) as u32, true)),
    (11..=12, "s_pack_hl_b32_b16 s20, s10, s11", |a, b, _| ((a / 65536 + b % 65536 * 65536) as u32, true)),
    (9..=12, "s_cmov_b32 s20, s10", |a, _, _| (a as u32, true)),
    (9..=12, "s_not_b32 s20, s10", |a, _, _| nz(a ^ 0xffff_ffff)),
    (9..=12, "s_wqm_b32 s20, s10", |a, _, _| {
        nz((0..32).filter(|k| a >> (k & !3) & 15 != 0).fold(0, |r, k| r | 1 << k))
    }),
    (9..=12, "s_bcnt0_i32_b32 s20, s10", |a, _, _| nz((0..32).filter(|k| a >> k & 1 == 0).count() as u64)),
    (9..=10, "s_ff0_i32_b32 s20, s10", |a, _, _| {
        ((0..32).find(|k| a >> k & 1 == 0).map_or(u32::MAX, |k| k as u32), true)
    }),
    (9..=10, "s_flbit_i32 s20, s10", |a, _, _| {
        let sign = a >> 31 & 1;
        ((0..32).find(|k| a >> (31 - k) & 1 != sign).map_or(u32::MAX, |k| k as u32), true)
    }),
    (9..=12, "s_bitset1_b32 s20, s11", |_, b, d| (d | 1 << (b % 32), true)),
    (9..=12, "s_cmp_ge_i32 s10, s11", |a, b, d| (d, s(a) >= s(b))),
    (9..=12, "s_cmp_le_i32 s10, s11", |a, b, d| (d, s(a) <= s(b))),
    (9..=12, "s_cmp_ge_u32 s10, s11", |a, b, d| (d, a >= b)),
    (9..=12, "s_cmp_le_u32 s10, s11", |a, b, d| (d, a <= b)),
    (9..=12, "s_cmovk_i32 s20, 0x8000", |_, _, _| (0xffff_8000, true)),
    (9..=11, "s_cmpk_eq_i32 s10, 0xffff", |a, _, d| (d, s(a) == -1)),
    (9..=11, "s_cmpk_lg_i32 s10, 31", |a, _, d| (d, s(a) != 31)),
    (9..=11, "s_cmpk_lt_i32 s10, 0x8000", |a, _, d| (d, s(a) < -32768)),
    (9..=11, "s_cmpk_eq_u32 s10, 0xffff", |a, _, d| (d, a == 0xffff)),
    (9..=11, "s_cmpk_gt_u32 s10, 0x7fff", |a, _, d| (d, a > 0x7fff)),
    (10..=12, "s_nand_saveexec_b32 s20, s10\n\ts_mov_b32 exec_lo, s20", |a, _, _| {
        (u32::MAX, a != 0xffff_ffff)
    }),
    (11..=12, "s_and_not0_saveexec_b32 s20, s10\n\ts_mov_b32 exec_lo, s20", |a, _, _| {
        (u32::MAX, a != 0xffff_ffff)
    }),
    // The new EXEC: the source without what was on, which was everything.
    (11..=12, "s_and_not1_wrexec_b32 s20, s10\n\ts_mov_b32 exec_lo, -1", |a, _, _| nz(a & !0xffff_ffff)),
    (9..=12, "s_nand_b64 s[14:15], s[10:11], s[10:11]\n\ts_mov_b32 s20, s15", |a, b, _| {
        (!b as u32, q(a, b) != u64::MAX)
    }),
    (9..=12, "s_nor_b64 s[14:15], s[10:11], 0\n\ts_mov_b32 s20, s14", |a, b, _| {
        (!a as u32, q(a, b) != u64::MAX)
    }),
    (9..=12, "s_xnor_b64 s[14:15], s[10:11], 1\n\ts_mov_b32 s20, s14", |a, b, _| {
        (!(a ^ 1) as u32, q(a, b) != !1)
    }),
    (9..=12, "s_bfe_u64 s[14:15], s[10:11], 0x00280014\n\ts_mov_b32 s20, s15", |a, b, _| {
        let r = q(a, b) / (1 << 20) % (1 << 40);
        ((r >> 32) as u32, r != 0)
    }),
    (9..=12, "s_bfm_b64 s[14:15], s10, s11\n\ts_mov_b32 s20, s15", |a, b, _| {
        let mask = ((1u128 << (a % 64)) - 1) << (b % 64);
        ((mask as u64 >> 32) as u32, true)
    }),
    (9..=12, "s_not_b64 s[14:15], s[10:11]\n\ts_mov_b32 s20, s15", |a, b, _| {
        (!b as u32, q(a, b) != u64::MAX)
    }),
    (9..=12, "s_brev_b64 s[14:15], s[10:11]\n\ts_mov_b32 s20, s14", |_, b, _| {
        ((0..32).fold(0, |r, k| r | (b as u32 >> k & 1) << (31 - k)), true)
    }),
    (9..=12, "s_bcnt1_i32_b64 s20, s[10:11]", |a, b, _| nz((0..64).map(|k| q(a, b) >> k & 1).sum())),
    (9..=12, "s_bcnt0_i32_b64 s20, s[10:11]", |a, b, _| nz((0..64).map(|k| !q(a, b) >> k & 1).sum())),
    (9..=10, "s_ff0_i32_b64 s20, s[10:11]", |a, b, _| {
        ((0..64).find(|k| q(a, b) >> k & 1 == 0).map_or(u32::MAX, |k| k as u32), true)
    }),
    (9..=10, "s_flbit_i32_b64 s20, s[10:11]", |a, b, _| {
        ((0..64).find(|k| q(a, b) >> (63 - k) & 1 == 1).map_or(u32::MAX, |k| k as u32), true)
    }),
    (11..=12, "s_cls_i32_i64 s20, s[10:11]", |a, b, _| {
        let sign = q(a, b) >> 63;
        ((0..64).find(|k| q(a, b) >> (63 - k) & 1 != sign).map_or(u32::MAX, |k| k as u32), true)
    }),
    (9..=12, "s_bitreplicate_b64_b32 s[14:15], s10\n\ts_mov_b32 s20, s15", |a, _, _| {
        ((0..32).fold(0, |r, k| r | ((a >> (16 + k / 2)) as u32 & 1) << k), true)
    }),
    (
        9..=12,
        "s_mov_b64 s[14:15], s[10:11]\n\ts_bitset0_b64 s[14:15], s11\n\ts_mov_b32 s20, s14",
        |a, b, _| ((q(a, b) & !(1 << (b % 64))) as u32, true),
    ),
    (9..=12, "s_bitcmp1_b64 s[10:11], s11", |a, b, d| (d, q(a, b) >> (b % 64) & 1 == 1)),
    (9..=12, "s_cmp_lg_u64 s[10:11], 1", |a, b, d| (d, q(a, b) != 1)),
    (12..=12, "s_sub_nc_u64 s[14:15], s[10:11], 1\n\ts_mov_b32 s20, s15", |a, b, _| {
        ((q(a, b).wrapping_sub(1) >> 32) as u32, true)
    }),
    (9..=12, "s_mov_b32 m0, 1\n\ts_movrels_b32 s20, s10", |_, b, _| (b as u32, true)),
    (9..=12, "s_mov_b32 m0, 8\n\ts_movreld_b32 s12, s11", |_, b, _| (b as u32, true)),
    (9..=11, "s_cmpk_ge_i32 s10, 0xffff", |a, _, d| (d, s(a) >= -1)),
    (9..=11, "s_cmpk_le_i32 s10, 31", |a, _, d| (d, s(a) <= 31)),
    (9..=11, "s_cmpk_lg_u32 s10, 0x8000", |a, _, d| (d, a != 0x8000)),
    (9..=11, "s_cmpk_ge_u32 s10, 0x8000", |a, _, d| (d, a >= 0x8000)),
    (9..=11, "s_cmpk_lt_u32 s10, 0x8000", |a, _, d| (d, a < 0x8000)),
    (9..=12, "s_bitcmp0_b64 s[10:11], s11", |a, b, d| (d, q(a, b) >> (b % 64) & 1 == 0)),
    (9..=12, "s_cmov_b64 s[20:21], s[10:11]", |a, _, _| (a as u32, true)),
    (
        9..=12,
        "s_mov_b64 s[14:15], s[10:11]\n\ts_bitset1_b64 s[14:15], s11\n\ts_mov_b32 s20, s15",
        |a, b, _| (((q(a, b) | 1 << (b % 64)) >> 32) as u32, true),
    ),
    (9..=12, "s_wqm_b64 s[14:15], s[10:11]\n\ts_mov_b32 s20, s15", |a, b, _| {
        let whole = |x: u64| (0..32).filter(|k| x >> (k & !3) & 15 != 0).fold(0u32, |r, k| r | 1 << k);
        (whole(b), whole(a) | whole(b) != 0)
    }),
    // EXEC of a wave64 with 32 active items is 0xffffffff.
    (9..=9, "s_nand_saveexec_b64 s[20:21], s[10:11]\n\ts_mov_b64 exec, s[20:21]", |_, _, _| {
        // The upper half of EXEC was off, so its negated conjunction is on: never zero.
        (u32::MAX, true)
    }),
    (
        9..=9,
        "s_andn1_saveexec_b64 s[14:15], s[10:11]\n\ts_mov_b32 s20, exec_lo\n\ts_mov_b64 exec, s[14:15]",
        |a, _, _| (!a as u32, !a as u32 != 0),
    ),
    (
        9..=9,
        "s_orn2_saveexec_b64 s[14:15], s[10:11]\n\ts_mov_b32 s20, exec_hi\n\ts_mov_b64 exec, s[14:15]",
        |_, b, _| (b as u32 | u32::MAX, true),
    ),
    (
        9..=9,
        "s_andn2_wrexec_b64 s[14:15], s[10:11]\n\ts_mov_b32 s20, s15\n\ts_mov_b64 exec, 0xffffffff",
        |_, b, _| nz(b),
    ),
];

const FLOAT: &[Case] = &[
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
fn rarer_scalar_instructions_at_edge_values() {
    check(INTEGER);
}

#[test]
fn scalar_floats_at_edge_values() {
    check(FLOAT);
}
