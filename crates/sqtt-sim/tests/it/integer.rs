//! Integer, bit and lane instructions at edge values, against expectations computed another way.

use crate::asm::{self, LANES};

/// The result of an instruction: the sources of the lane, the lane, all inputs → `[v20, v21]`.
pub(crate) type Expect = fn(&[u32; 8], usize, &[[u32; 8]; LANES]) -> [u32; 2];

/// Generations, text, expectation.
pub(crate) type Case = (std::ops::RangeInclusive<u8>, &'static str, Expect);

pub(crate) const KEEP: u32 = 0x55aa_55aa;
const VCC: u32 = 0xf0f0_f0f0;

/// Pairs of edge values in the first two sources, a third that walks through them.
fn inputs() -> [[u32; 8]; LANES] {
    const EDGES: [u32; 16] = [
        0,
        1,
        2,
        31,
        32,
        33,
        63,
        0x7f,
        0x80,
        0xff,
        0x7fff,
        0x8000,
        0xffff,
        0x7fff_ffff,
        0x8000_0000,
        0xffff_ffff,
    ];
    std::array::from_fn(|l| {
        std::array::from_fn(|k| match k {
            0 => EDGES[l % 16],
            1 => EDGES[(l * 7 + l / 16 * 3 + 5) % 16],
            2 => EDGES[(l * 3 + 1) % 16],
            _ => (l as u32 + 1).wrapping_mul(0x9e37_79b9).rotate_left(k as u32 * 5) ^ EDGES[(l + k) % 16],
        })
    })
}

pub(crate) fn one(x: u32) -> [u32; 2] {
    [x, KEEP]
}

pub(crate) fn two(x: u64) -> [u32; 2] {
    [x as u32, (x >> 32) as u32]
}

pub(crate) fn s(x: u32) -> i64 {
    i64::from(x as i32)
}

pub(crate) fn q(lo: u32, hi: u32) -> u64 {
    u64::from(lo) | u64::from(hi) << 32
}

fn bit(mask: u32, l: usize) -> bool {
    mask >> l & 1 != 0
}

/// Counts of the bits of the 32-bit two's complement number, the slow way.
fn top_run(x: u32) -> u32 {
    let sign = x >> 31;
    let run = (0..32).rev().take_while(|&k| x >> k & 1 == sign).count() as u32;
    if run == 32 { u32::MAX } else { run }
}

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
    (9..=9, "v_lshlrev_b64 v[20:21], v11, v[14:15]", |i, _, _| two(q(i[4], i[5]) << (i[1] % 64))),
    (12..=12, "v_lshlrev_b64 v[20:21], v11, v[14:15]", |i, _, _| two(q(i[4], i[5]) << (i[1] % 64))),
    (9..=12, "v_ashrrev_i64 v[20:21], v11, v[14:15]", |i, _, _| {
        two((i128::from(q(i[4], i[5]) as i64) >> (i[1] % 64)) as u64)
    }),
    (9..=12, "v_lshrrev_b64 v[20:21], v11, v[14:15]", |i, _, _| two(q(i[4], i[5]) >> (i[1] % 64))),
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
    (9..=12, "v_mad_u32_u16 v20, v10, v11, v12", |i, _, _| {
        one((u64::from(i[0] & 0xffff) * u64::from(i[1] & 0xffff) + u64::from(i[2])) as u32)
    }),
    (9..=10, "v_mad_i32_i16 v20, v10, v11, v12 op_sel:[1,0,0,0]", |i, _, _| {
        let h = |x: u32| i64::from(x as u16 as i16);
        one((h(i[0] >> 16) * h(i[1]) + s(i[2])) as u32)
    }),
    (9..=9, "v_add_u16 v20, v10, v11", |i, _, _| one(i[0].wrapping_add(i[1]) & 0xffff)),
    (10..=10, "v_add_nc_u16 v20, v10, v11", |i, _, _| {
        one(KEEP & 0xffff_0000 | i[0].wrapping_add(i[1]) & 0xffff)
    }),
    (10..=10, "v_add_nc_i16 v20, v10, v11 op_sel:[0,1,1] clamp", |i, _, _| {
        let h = |x: u32| i64::from(x as u16 as i16);
        let sum = (h(i[0]) + h(i[1] >> 16)).clamp(-0x8000, 0x7fff) as u32;
        one(KEEP & 0xffff | sum << 16)
    }),
    (11..=11, "v_sub_nc_u16 v20.h, v10.l, v11.h", |i, _, _| {
        one(KEEP & 0xffff | (i[0] & 0xffff).wrapping_sub(i[1] >> 16) << 16)
    }),
    (11..=11, "v_lshrrev_b16 v20.l, v10.l, v13.h", |i, _, _| {
        one(KEEP & 0xffff_0000 | (i[3] >> 16) >> (i[0] % 16))
    }),
    (9..=12, "v_pk_add_u16 v20, v13, v14 op_sel:[0,1] op_sel_hi:[1,0]", |i, _, _| {
        one((i[3] & 0xffff).wrapping_add(i[4] >> 16) & 0xffff | (i[3] >> 16).wrapping_add(i[4]) << 16)
    }),
    (9..=12, "v_pk_sub_i16 v20, v10, v13 clamp", |i, _, _| {
        let h = |x: u32| i64::from(x as u16 as i16);
        let d = |k: u32| ((h(i[0] >> k) - h(i[3] >> k)).clamp(-0x8000, 0x7fff) as u32 & 0xffff) << k;
        one(d(0) | d(16))
    }),
    (9..=12, "v_pk_ashrrev_i16 v20, v10, v13", |i, _, _| {
        let h = |k: u32| ((i[3] >> k) as u16 as i16 >> (i[0] >> k & 15)) as u16;
        one(u32::from(h(0)) | u32::from(h(16)) << 16)
    }),
    (9..=9, "v_dot4_i32_i8 v20, v13, v14, v10", |i, _, _| {
        let b = |x: u32, k: u32| i64::from((x >> k) as u8 as i8);
        one((0..4).map(|k| b(i[3], 8 * k) * b(i[4], 8 * k)).fold(s(i[0]), |a, b| a + b) as u32)
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
    (9..=9, "v_mad_u64_u32 v[20:21], vcc, v10, v11, v[14:15]", |i, _, _| {
        two((u128::from(i[0]) * u128::from(i[1]) + u128::from(q(i[4], i[5]))) as u64)
    }),
    (11..=11, "v_mad_i64_i32 v[20:21], null, v10, v11, v[14:15]", |i, _, _| {
        two((i128::from(s(i[0]) * s(i[1])) + i128::from(q(i[4], i[5]) as i64)) as u64)
    }),
    (9..=9, "v_lshl_add_u32 v20, v10, v11, 33", |i, _, _| one((i[0] << (i[1] % 32)).wrapping_add(33))),
    (9..=9, "v_cmp_lt_i32 vcc, v10, v11\n\tv_cndmask_b32 v20, 0, 1, vcc", |i, _, _| {
        one((s(i[0]) < s(i[1])).into())
    }),
    (10..=12, "v_cmp_lt_u32 vcc_lo, v10, v11\n\tv_cndmask_b32 v20, 0, 1, vcc_lo", |i, _, _| {
        one((i[0] < i[1]).into())
    }),
    (10..=12, "v_cmp_ge_i64 vcc_lo, v[14:15], v[16:17]\n\tv_cndmask_b32 v20, 0, 1, vcc_lo", |i, _, _| {
        one((q(i[4], i[5]) as i64 >= q(i[6], i[7]) as i64).into())
    }),
    (10..=10, "v_cmp_gt_i16 vcc_lo, v10, v11\n\tv_cndmask_b32 v20, 0, 1, vcc_lo", |i, _, _| {
        one((i[0] as i16 > i[1] as i16).into())
    }),
    (
        10..=12,
        "s_mov_b32 s11, exec_lo\n\tv_cmpx_gt_u32 v10, v11\n\tv_mov_b32 v20, 7\n\ts_mov_b32 exec_lo, s11",
        |i, _, _| one(if i[0] > i[1] { 7 } else { KEEP }),
    ),
    (9..=12, "v_mbcnt_lo_u32_b32 v20, -1, v10", |i, l, _| one(i[0].wrapping_add(l as u32))),
    (10..=12, "v_readlane_b32 s10, v13, 33\n\tv_mov_b32 v20, s10", |_, _, a| one(a[1][3])),
    (9..=12, "v_readfirstlane_b32 s10, v13\n\tv_writelane_b32 v20, s10, 5", |_, l, a| {
        one(if l == 5 { a[0][3] } else { KEEP })
    }),
    (9..=12, "v_mov_b32_dpp v20, v13 quad_perm:[3,1,0,2] row_mask:0xf bank_mask:0xf", |_, l, a| {
        one(a[l & !3 | [3, 1, 0, 2][l & 3]][3])
    }),
    (9..=12, "v_mov_b32_dpp v20, v13 row_shl:3 row_mask:0xf bank_mask:0xf", |_, l, a| {
        one(if l % 16 < 13 { a[l + 3][3] } else { KEEP })
    }),
    (9..=12, "v_mov_b32_dpp v20, v13 row_shr:2 row_mask:0xf bank_mask:0xf bound_ctrl:1", |_, l, a| {
        one(if l % 16 < 2 { 0 } else { a[l - 2][3] })
    }),
    (9..=12, "v_mov_b32_dpp v20, v13 row_ror:5 row_mask:0x1 bank_mask:0x6", |_, l, a| {
        one(if l < 16 && matches!(l / 4, 1 | 2) { a[(l + 11) % 16][3] } else { KEEP })
    }),
    (9..=12, "v_mov_b32_dpp v20, v13 row_half_mirror row_mask:0xf bank_mask:0xf", |_, l, a| one(a[l ^ 7][3])),
    (9..=12, "v_mov_b32_dpp v20, v13 row_mirror row_mask:0xf bank_mask:0xf", |_, l, a| one(a[l ^ 15][3])),
    (9..=9, "v_mov_b32_dpp v20, v13 row_bcast:15 row_mask:0xa bank_mask:0xf", |_, l, a| {
        one(if l >= 16 { a[15][3] } else { KEEP })
    }),
    (9..=9, "v_mov_b32_dpp v20, v13 wave_shr:1 row_mask:0xf bank_mask:0xf", |_, l, a| {
        one(if l == 0 { KEEP } else { a[l - 1][3] })
    }),
    (10..=12, "v_mov_b32_dpp v20, v13 row_share:6 row_mask:0xf bank_mask:0xf", |_, l, a| {
        one(a[l & 16 | 6][3])
    }),
    (10..=12, "v_mov_b32_dpp v20, v13 row_xmask:9 row_mask:0xf bank_mask:0xf", |_, l, a| one(a[l ^ 9][3])),
    (10..=12, "v_mov_b32_dpp v20, v13 dpp8:[7,0,6,1,5,2,4,3]", |_, l, a| {
        one(a[l & !7 | [7, 0, 6, 1, 5, 2, 4, 3][l & 7]][3])
    }),
    (10..=12, "v_sub_nc_u32_dpp v20, v13, v14 row_xmask:1 row_mask:0xf bank_mask:0xf", |i, l, a| {
        one(a[l ^ 1][3].wrapping_sub(i[4]))
    }),
    (10..=12, "v_permlane16_b32 v20, v13, s12, s13", |_, l, a| one(a[l & 16][3])),
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
    (12..=12, "v_cvt_pk_u16_u32 v20, v10, v13", |i, _, _| one(i[0].min(0xffff) | i[3].min(0xffff) << 16)),
    (9..=12, "v_cvt_pk_i16_i32 v20, v13, v10", |i, _, _| {
        let c = |x: u32| s(x).clamp(-32768, 32767) as u16;
        one(u32::from(c(i[3])) | u32::from(c(i[0])) << 16)
    }),
];

#[test]
fn integer_instructions_at_edge_values() {
    check(CASES);
}

/// Runs the cases of each target and compares.
pub(crate) fn check(all: &[Case]) {
    check_on(&asm::TARGETS, all);
}

/// Checks like [`check`], on some targets.
pub(crate) fn check_on(targets: &[(&str, u8)], all: &[Case]) {
    let clang = asm::clang();
    let inputs = inputs();
    let mut failures = Vec::new();
    for &target in targets {
        let cases: Vec<&Case> = all.iter().filter(|c| c.0.contains(&target.1)).collect();
        let texts: Vec<String> = cases.iter().map(|c| c.1.to_owned()).collect();
        let results = asm::run_cases(&clang, target, &inputs, &texts);
        for (case, lanes) in cases.iter().zip(&results) {
            for (l, got) in lanes.iter().enumerate() {
                let want = (case.2)(&inputs[l], l, &inputs);
                if *got != want {
                    let sources = &inputs[l];
                    failures.push(format!(
                        "{} `{}` lane {l} sources {sources:x?}: {got:x?}, expected {want:x?}",
                        target.0, case.1
                    ));
                    break;
                }
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
