//! Vector integers: 32 bits, carries and compares among them.

use super::*;

const CASES: &[Case] = &[
    (9..=9, "v_add_u32 v20, v10, v11", |i, _, _| one((s(i[0]) + s(i[1])) as u32)),
    (10..=12, "v_add_nc_u32 v20, v10, v11", |i, _, _| one((s(i[0]) + s(i[1])) as u32)),
    (9..=9, "v_add_u32_e64 v20, v10, v11 clamp", |i, _, _| {
        one((u64::from(i[0]) + u64::from(i[1])).min(0xffff_ffff) as u32)
    }),
    (10..=12, "v_sub_nc_u32_e64 v20, v10, v11 clamp", |i, _, _| {
        one((i64::from(i[0]) - i64::from(i[1])).max(0) as u32)
    }),
    (10..=12, "v_add_nc_i32 v20, v10, v11 clamp", |i, _, _| {
        one((s(i[0]) + s(i[1])).clamp(-0x8000_0000, 0x7fff_ffff) as u32)
    }),
    (9..=9, "v_sub_i32 v20, v10, v11 clamp", |i, _, _| {
        one((s(i[0]) - s(i[1])).clamp(-0x8000_0000, 0x7fff_ffff) as u32)
    }),
    (9..=12, "v_mul_hi_u32 v20, v10, v11", |i, _, _| one(((u64::from(i[0]) * u64::from(i[1])) >> 32) as u32)),
    (9..=12, "v_mul_hi_i32 v20, v10, v11", |i, _, _| one(((s(i[0]) * s(i[1])) >> 32) as u32)),
    (9..=12, "v_mul_i32_i24 v20, v10, v11", |i, _, _| {
        let x = |v: u32| i64::from((v << 8) as i32 >> 8);
        one((x(i[0]) * x(i[1])) as u32)
    }),
    (9..=12, "v_mul_hi_i32_i24 v20, v10, v11", |i, _, _| {
        let x = |v: u32| i64::from((v << 8) as i32 >> 8);
        one(((x(i[0]) * x(i[1])) >> 32) as u32)
    }),
    (9..=12, "v_mul_hi_u32_u24 v20, v10, v11", |i, _, _| {
        one(((u64::from(i[0] & 0xff_ffff) * u64::from(i[1] & 0xff_ffff)) >> 32) as u32)
    }),
    (9..=12, "v_mad_i32_i24 v20, v10, v11, v12", |i, _, _| {
        let x = |v: u32| i64::from((v << 8) as i32 >> 8);
        one((x(i[0]) * x(i[1]) + s(i[2])) as u32)
    }),
    (9..=12, "v_lshlrev_b32 v20, v11, v13", |i, _, _| one((u64::from(i[3]) << (i[1] % 32)) as u32)),
    (9..=12, "v_lshrrev_b32 v20, v11, v13", |i, _, _| one(i[3] / 2u32.pow(i[1] % 32))),
    (9..=12, "v_ashrrev_i32 v20, v11, v13", |i, _, _| one(s(i[3]).div_euclid(1 << (i[1] % 32)) as u32)),
    (9..=12, "v_bfe_u32 v20, v13, v10, v11", |i, _, _| {
        let (o, w) = (i[0] % 32, i[1] % 32);
        one((0..w).fold(0, |r, k| r | (u64::from(i[3]) >> (o + k) & 1) << k) as u32)
    }),
    (9..=12, "v_bfe_i32 v20, v13, v10, v11", |i, _, _| {
        let (o, w) = (i[0] % 32, i[1] % 32);
        if w == 0 {
            return one(0);
        }
        let at = |k: u32| i[3] >> (o + k).min(31) & 1;
        one((0..32).fold(0, |r, k| r | at(k.min(w - 1)) << k))
    }),
    (9..=12, "v_bfi_b32 v20, v13, v14, v15", |i, _, _| {
        one((0..32).fold(0, |r, k| r | (if bit(i[3], k) { i[4] } else { i[5] }) & 1 << k))
    }),
    (9..=12, "v_bfm_b32 v20, v10, v11", |i, _, _| {
        one((0..i[0] % 32).fold(0u64, |r, k| r | 1 << (k + i[1] % 32)) as u32)
    }),
    (9..=12, "v_bfrev_b32 v20, v13", |i, _, _| one((0..32).fold(0, |r, k| r | (i[3] >> k & 1) << (31 - k)))),
    (9..=12, "v_bcnt_u32_b32 v20, v13, v10", |i, _, _| {
        one((0..32).filter(|&k| bit(i[3], k)).fold(i[0], |n, _| n.wrapping_add(1)))
    }),
    (9..=10, "v_ffbh_u32 v20, v10", |i, _, _| {
        one((0..32).find(|k| i[0] >> (31 - k) & 1 == 1).unwrap_or(u32::MAX))
    }),
    (11..=12, "v_clz_i32_u32 v20, v10", |i, _, _| {
        one((0..32).find(|k| i[0] >> (31 - k) & 1 == 1).unwrap_or(u32::MAX))
    }),
    (9..=10, "v_ffbh_i32 v20, v10", |i, _, _| one(top_run(i[0]))),
    (11..=12, "v_cls_i32 v20, v10", |i, _, _| one(top_run(i[0]))),
    (9..=10, "v_ffbl_b32 v20, v10", |i, _, _| one((0..32).find(|k| i[0] >> k & 1 == 1).unwrap_or(u32::MAX))),
    (9..=10, "v_alignbit_b32 v20, v13, v14, v10", |i, _, _| one((q(i[4], i[3]) >> (i[0] % 32)) as u32)),
    (11..=11, "v_alignbyte_b32 v20, v13, v14, v10.l", |i, _, _| {
        one((q(i[4], i[3]) >> (8 * (i[0] % 4))) as u32)
    }),
    (9..=12, "v_perm_b32 v20, v13, v14, v15", |i, _, _| {
        let bytes: Vec<u32> = [i[4], i[3]].iter().flat_map(|w| w.to_le_bytes()).map(u32::from).collect();
        let pick = |sel: u32| match sel {
            0..=7 => bytes[sel as usize],
            8..=11 => 0xff * (bytes[2 * (sel as usize - 8) + 1] >> 7),
            12 => 0,
            _ => 0xff,
        };
        one((0..4).fold(0, |r, k| r | pick(i[5] >> (8 * k) & 0xff) << (8 * k)))
    }),
    (9..=12, "v_med3_i32 v20, v10, v11, v12", |i, _, _| {
        let mut v = [i[0] as i32, i[1] as i32, i[2] as i32];
        v.sort_unstable();
        one(v[1] as u32)
    }),
    (9..=12, "v_med3_u32 v20, v10, v11, v12", |i, _, _| {
        let mut v = [i[0], i[1], i[2]];
        v.sort_unstable();
        one(v[1])
    }),
    (9..=12, "v_min3_i32 v20, v10, v11, v12", |i, _, _| one(s(i[0]).min(s(i[1])).min(s(i[2])) as u32)),
    (9..=12, "v_max3_u32 v20, v10, v11, v12", |i, _, _| one(i[0].max(i[1]).max(i[2]))),
    (9..=12, "v_sad_u8 v20, v13, v14, v10", |i, _, _| {
        let d = |k: u32| (i64::from(i[3] >> k & 255) - i64::from(i[4] >> k & 255)).abs();
        one((i64::from(i[0]) + d(0) + d(8) + d(16) + d(24)) as u32)
    }),
    (9..=12, "v_xad_u32 v20, v10, v11, v12", |i, _, _| {
        one(((i64::from(i[0] ^ i[1])) + i64::from(i[2])) as u32)
    }),
    (9..=12, "v_add_lshl_u32 v20, v10, v11, v12", |i, _, _| {
        one(((u128::from(i[0]) + u128::from(i[1])) << (i[2] % 32)) as u32)
    }),
    (9..=9, "v_add_co_u32 v20, vcc, v10, v11\n\tv_cndmask_b32 v21, 0, 1, vcc", |i, _, _| {
        two(u64::from(i[0]) + u64::from(i[1]))
    }),
    (10..=12, "v_add_co_u32 v20, s10, v10, v11\n\tv_cndmask_b32_e64 v21, 0, 1, s10", |i, _, _| {
        two(u64::from(i[0]) + u64::from(i[1]))
    }),
    (
        10..=12,
        "v_sub_co_ci_u32 v20, vcc_lo, v10, v11, vcc_lo\n\tv_cndmask_b32 v21, 0, 1, vcc_lo",
        |i, l, _| {
            let d = i64::from(i[0]) - i64::from(i[1]) - i64::from(bit(VCC, l));
            [d as u32, u32::from(d < 0)]
        },
    ),
    (9..=9, "v_subbrev_co_u32 v20, vcc, v10, v11, vcc\n\tv_cndmask_b32 v21, 0, 1, vcc", |i, l, _| {
        let d = i64::from(i[1]) - i64::from(i[0]) - i64::from(bit(VCC, l));
        [d as u32, u32::from(d < 0)]
    }),
    (9..=9, "v_lshl_add_u32 v20, v10, v11, 33", |i, _, _| one((i[0] << (i[1] % 32)).wrapping_add(33))),
    (9..=9, "v_cmp_lt_i32 vcc, v10, v11\n\tv_cndmask_b32 v20, 0, 1, vcc", |i, _, _| {
        one((s(i[0]) < s(i[1])).into())
    }),
    (10..=12, "v_cmp_lt_u32 vcc_lo, v10, v11\n\tv_cndmask_b32 v20, 0, 1, vcc_lo", |i, _, _| {
        one((i[0] < i[1]).into())
    }),
    (
        10..=12,
        "s_mov_b32 s11, exec_lo\n\tv_cmpx_gt_u32 v10, v11\n\tv_mov_b32 v20, 7\n\ts_mov_b32 exec_lo, s11",
        |i, _, _| one(if i[0] > i[1] { 7 } else { KEEP }),
    ),
    (9..=12, "v_and_b32 v16, 0x7f, v16\n\tds_bpermute_b32 v20, v16, v13", |i, _, a| {
        one(a[(i[6] / 4 % 32) as usize][3])
    }),
    (9..=12, "ds_swizzle_b32 v20, v13 offset:swizzle(BITMASK_PERM, \"01pip\")", |_, l, a| {
        one(a[l & 5 | 8 | !l & 2][3])
    }),
    (
        9..=10,
        "v_lshlrev_b32_sdwa v20, v10, v13 dst_sel:BYTE_2 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_0 src1_sel:WORD_1",
        |i, _, _| {
            let r = u64::from(i[3] >> 16) << (i[0] % 256 % 32);
            one(KEEP & 0xff00_ffff | (r as u32 & 0xff) << 16)
        },
    ),
    (
        9..=10,
        "v_mov_b32_sdwa v20, sext(v13) dst_sel:WORD_1 dst_unused:UNUSED_PAD src0_sel:BYTE_3",
        |i, _, _| one(((i[3] >> 24) as u8 as i8 as i16 as u16 as u32) << 16),
    ),
    (
        9..=9,
        "v_cmp_lt_i32_sdwa vcc, sext(v13), sext(v14) src0_sel:WORD_0 src1_sel:WORD_1\n\tv_cndmask_b32 v20, 0, 1, vcc",
        |i, _, _| one(((i[3] as i16) < (i[4] >> 16) as i16).into()),
    ),
    (11..=12, "v_dual_mov_b32 v20, v13 :: v_dual_add_nc_u32 v21, v10, v15", |i, _, _| {
        [i[3], i[0].wrapping_add(i[5])]
    }),
    (
        11..=12,
        "v_mov_b32 v20, v13\n\tv_mov_b32 v21, v15\n\tv_dual_mov_b32 v20, v21 :: v_dual_mov_b32 v21, v20",
        |i, _, _| [i[5], i[3]],
    ),
    (9..=9, "v_accvgpr_write_b32 a3, v13\n\tv_accvgpr_read_b32 v20, a3", |i, _, _| one(i[3])),
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
    (9..=12, "v_lshlrev_b32 v2, 2, v0\n\tv_xor_b32 v2, 20, v2\n\tds_permute_b32 v20, v2, v13", |_, l, a| {
        int(a[l ^ 5][3])
    }),
    (9..=9, "v_sub_co_u32 v20, vcc, v10, v11\n\tv_cndmask_b32 v21, 0, 1, vcc", |i, _, _| {
        out(i64::from(i[0]) - i64::from(i[1]))
    }),
    (9..=9, "v_addc_co_u32 v20, vcc, v10, v11, vcc\n\tv_cndmask_b32 v21, 0, 1, vcc", |i, l, _| {
        out(i64::from(i[0]) + i64::from(i[1]) + carry(l))
    }),
    (
        10..=12,
        "v_add_co_ci_u32 v20, vcc_lo, v10, v11, vcc_lo\n\tv_cndmask_b32 v21, 0, 1, vcc_lo",
        |i, l, _| out(i64::from(i[0]) + i64::from(i[1]) + carry(l)),
    ),
    (10..=12, "v_subrev_co_u32 v20, s10, v10, v11\n\tv_cndmask_b32_e64 v21, 0, 1, s10", |i, _, _| {
        out(i64::from(i[1]) - i64::from(i[0]))
    }),
    (9..=9, "v_subrev_u32 v20, v10, v11", |i, _, _| one(i[1].wrapping_sub(i[0]))),
    (10..=12, "v_subrev_nc_u32_e64 v20, v10, v11 clamp", |i, _, _| {
        one((i64::from(i[1]) - i64::from(i[0])).max(0) as u32)
    }),
    (9..=12, "v_or_b32 v20, v10, v13", |i, _, _| one(!(!i[0] & !i[3]))),
    (9..=12, "v_not_b32 v20, v13", |i, _, _| one(u32::MAX - i[3])),
    (9..=12, "v_min_u32 v20, v10, v11\n\tv_max_i32 v21, v10, v11", |i, _, _| {
        [sorted([i[0].into(), i[1].into()])[0] as u32, sorted([s(i[0]), s(i[1])])[1] as u32]
    }),
    (9..=12, "v_mul_u32_u24 v20, v10, v13", |i, _, _| {
        one((u64::from(i[0] % (1 << 24)) * u64::from(i[3] % (1 << 24))) as u32)
    }),
    (9..=12, "v_mul_lo_u32 v20, v13, v14", |i, _, _| one((u64::from(i[3]) * u64::from(i[4])) as u32)),
    (9..=12, "v_mad_u32_u24 v20, v10, v13, v11", |i, _, _| {
        one((u64::from(i[0] % (1 << 24)) * u64::from(i[3] % (1 << 24)) + u64::from(i[1])) as u32)
    }),
    (9..=12, "v_add3_u32 v20, v10, v11, v12", |i, _, _| {
        one((u64::from(i[0]) + u64::from(i[1]) + u64::from(i[2])) as u32)
    }),
    (9..=12, "v_and_or_b32 v20, v13, v14, v10", |i, _, _| one(!(!(i[3] & i[4]) & !i[0]))),
    (9..=12, "v_or3_b32 v20, v10, v11, v13", |i, _, _| one(!(!i[0] & !i[1] & !i[3]))),
    (10..=12, "v_xor3_b32 v20, v13, v14, v15", |i, _, _| {
        one((0..32).fold(0, |r, k| {
            r | (u32::count_ones(i[3] >> k & 1 | (i[4] >> k & 1) << 1 | (i[5] >> k & 1) << 2) % 2) << k
        }))
    }),
    (9..=12, "v_min3_u32 v20, v10, v11, v12\n\tv_max3_i32 v21, v10, v11, v12", |i, _, _| {
        let least = sorted([i[0].into(), i[1].into(), i[2].into()])[0];
        [least as u32, sorted([s(i[0]), s(i[1]), s(i[2])])[2] as u32]
    }),
    (11..=12, "v_maxmin_u32 v20, v10, v11, v12\n\tv_minmax_i32 v21, v10, v11, v12", |i, _, _| {
        [i[0].max(i[1]).min(i[2]), s(i[0]).min(s(i[1])).max(s(i[2])) as u32]
    }),
    (9..=10, "v_pack_b32_f16 v20, v13, v14 op_sel:[1,0,0]", |i, _, _| one(i[3] >> 16 | i[4] << 16)),
    (12..=12, "v_pack_b32_f16 v20, v13, v14", |i, _, _| one(u(i[3]) | i[4] << 16)),
    // Half of the lanes fetch from the other, inactive half; the plain form gives 0 there.
    (
        12..=12,
        "v_lshlrev_b32 v2, 2, v0\n\tv_xor_b32 v2, 64, v2\n\ts_mov_b32 exec_lo, 0xffff\n\tds_bpermute_fi_b32 v20, v2, v13\n\tds_bpermute_b32 v21, v2, v13\n\ts_mov_b32 exec_lo, -1",
        |_, l, a| if l < 16 { [a[l + 16][3], 0] } else { [KEEP, KEEP] },
    ),
    (
        9..=9,
        "v_accvgpr_write_b32 a2, v13\n\tv_accvgpr_mov_b32 a3, a2\n\tv_accvgpr_read_b32 v20, a3",
        |i, _, _| one(i[3]),
    ),
];

#[test]
fn at_edge_values() {
    check(CASES);
}
