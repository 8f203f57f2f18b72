//! Scalar instructions: 32 bits.

use super::*;

const CASES: &[Case] = &[
    (9..=11, "s_add_u32 s20, s10, s11", |a, b, _| ((a + b) as u32, a + b > 0xffff_ffff)),
    (12..=12, "s_add_co_u32 s20, s10, s11", |a, b, _| ((a + b) as u32, a + b > 0xffff_ffff)),
    (9..=11, "s_addc_u32 s20, s10, s11", |a, b, _| ((a + b + 1) as u32, a + b + 1 > 0xffff_ffff)),
    (9..=11, "s_sub_u32 s20, s10, s11", |a, b, _| (a.wrapping_sub(b) as u32, a < b)),
    (9..=11, "s_subb_u32 s20, s10, s11", |a, b, _| (a.wrapping_sub(b + 1) as u32, a < b + 1)),
    (9..=11, "s_add_i32 s20, s10, s11", |a, b, _| (w(s(a) + s(b)), fits(s(a) + s(b)))),
    (12..=12, "s_sub_co_i32 s20, s10, s11", |a, b, _| (w(s(a) - s(b)), fits(s(a) - s(b)))),
    (9..=12, "s_min_i32 s20, s10, s11", |a, b, _| (w(s(a).min(s(b))), s(a) < s(b))),
    (9..=12, "s_max_u32 s20, s10, s11", |a, b, _| (a.max(b) as u32, a >= b)),
    (9..=12, "s_and_b32 s20, s10, s11", |a, b, _| nz(a & b)),
    (9..=12, "s_xnor_b32 s20, s10, s11", |a, b, _| nz(!(a ^ b))),
    (9..=12, "s_lshl_b32 s20, s10, s11", |a, b, _| nz(a << (b % 32))),
    (9..=12, "s_lshr_b32 s20, s10, s11", |a, b, _| nz(a >> (b % 32))),
    (9..=12, "s_ashr_i32 s20, s10, s11", |a, b, _| nz((s(a) >> (b % 32)) as u64)),
    (9..=12, "s_bfe_u32 s20, s10, 0x00070003", |a, _, _| nz(a >> 3 & 0x7f)),
    (9..=12, "s_bfe_i32 s20, s10, 0x00080018", |a, _, _| nz((a >> 24) as u8 as i8 as i64 as u64)),
    (9..=12, "s_bfe_i32 s20, s10, 0x00200000", |a, _, _| nz(a)),
    (9..=12, "s_bfe_u32 s20, s10, 31", |_, _, _| (0, false)),
    (9..=12, "s_bfm_b32 s20, s10, s11", |a, b, _| ((((1u64 << (a % 32)) - 1) << (b % 32)) as u32, true)),
    (9..=12, "s_mul_i32 s20, s10, s11", |a, b, _| ((a * b) as u32, true)),
    (9..=12, "s_mul_hi_i32 s20, s10, s11", |a, b, _| (w((s(a) * s(b)) >> 32), true)),
    (9..=12, "s_absdiff_i32 s20, s10, s11", |a, b, _| {
        let d = w(s(a) - s(b)) as i32;
        nz(u64::from(d.unsigned_abs()))
    }),
    (9..=12, "s_lshl3_add_u32 s20, s10, s11", |a, b, _| ((a * 8 + b) as u32, a * 8 + b > 0xffff_ffff)),
    (9..=12, "s_pack_lh_b32_b16 s20, s10, s11", |a, b, _| ((a & 0xffff | b & 0xffff_0000) as u32, true)),
    (9..=12, "s_cselect_b32 s20, s10, s11", |a, _, _| (a as u32, true)),
    (9..=12, "s_brev_b32 s20, s10", |a, _, _| {
        ((0..32).fold(0, |r, k| r | (a as u32 >> k & 1) << (31 - k)), true)
    }),
    (9..=12, "s_bcnt1_i32_b32 s20, s10", |a, _, _| nz((0..32).map(|k| a >> k & 1).sum())),
    (9..=10, "s_ff1_i32_b32 s20, s10", |a, _, _| {
        ((0..32).find(|k| a >> k & 1 == 1).map_or(u32::MAX, |k| k as u32), true)
    }),
    (11..=12, "s_clz_i32_u32 s20, s10", |a, _, _| {
        ((0..32).find(|k| a >> (31 - k) & 1 == 1).map_or(u32::MAX, |k| k as u32), true)
    }),
    (9..=12, "s_sext_i32_i8 s20, s10", |a, _, _| (a as u8 as i8 as u32, true)),
    (9..=12, "s_abs_i32 s20, s10", |a, _, _| nz(s(a).unsigned_abs())),
    (9..=12, "s_bitset0_b32 s20, s11", |_, b, d| (d & !(1 << (b % 32)), true)),
    (9..=12, "s_cmp_lt_i32 s10, s11", |a, b, d| (d, s(a) < s(b))),
    (9..=12, "s_cmp_gt_u32 s10, s11", |a, b, d| (d, a > b)),
    (9..=12, "s_bitcmp1_b32 s10, s11", |a, b, d| (d, a >> (b % 32) & 1 == 1)),
    (9..=12, "s_movk_i32 s20, 0x8001", |_, _, _| (0xffff_8001, true)),
    (9..=11, "s_addk_i32 s20, 0xfff0", |_, _, d| (d - 16, false)),
    (9..=12, "s_mulk_i32 s20, 0xffff", |_, _, d| (d.wrapping_neg(), true)),
    (9..=11, "s_cmpk_gt_i32 s10, 0xffff", |a, _, d| (d, s(a) > -1)),
    (9..=11, "s_cmpk_le_u32 s10, 0xffff", |a, _, d| (d, a <= 0xffff)),
    (10..=12, "s_and_saveexec_b32 s20, s10\n\ts_mov_b32 exec_lo, s20", |a, _, _| (u32::MAX, a != 0)),
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
    (9..=12, "s_mov_b32 m0, 1\n\ts_movrels_b32 s20, s10", |_, b, _| (b as u32, true)),
    (9..=12, "s_mov_b32 m0, 8\n\ts_movreld_b32 s12, s11", |_, b, _| (b as u32, true)),
    (9..=11, "s_cmpk_ge_i32 s10, 0xffff", |a, _, d| (d, s(a) >= -1)),
    (9..=11, "s_cmpk_le_i32 s10, 31", |a, _, d| (d, s(a) <= 31)),
    (9..=11, "s_cmpk_lg_u32 s10, 0x8000", |a, _, d| (d, a != 0x8000)),
    (9..=11, "s_cmpk_ge_u32 s10, 0x8000", |a, _, d| (d, a >= 0x8000)),
    (9..=11, "s_cmpk_lt_u32 s10, 0x8000", |a, _, d| (d, a < 0x8000)),
    (9..=12, "s_or_b32 s20, s10, s11", |a, b, _| nz(a | b)),
    (9..=12, "s_xor_b32 s20, s10, s11", |a, b, _| nz((a | b) & !(a & b))),
    (9..=12, "s_andn2_b32 s20, s10, s11", |a, b, _| nz(a & !b)),
    (9..=12, "s_mul_hi_u32 s20, s10, s11", |a, b, _| (((a * b) >> 32) as u32, true)),
    (9..=12, "s_lshl1_add_u32 s20, s10, s11", |a, b, _| ((a * 2 + b) as u32, a * 2 + b > 0xffff_ffff)),
    (9..=12, "s_sext_i32_i16 s20, s10", |a, _, _| (i32::from(a as u16 as i16) as u32, true)),
    (9..=12, "s_cmp_lg_u32 s10, s11", |a, b, d| (d, a != b)),
    (9..=12, "s_cmp_gt_i32 s10, s11", |a, b, d| (d, s(a) > s(b))),
    (9..=12, "s_cmp_lt_u32 s10, s11", |a, b, d| (d, a < b)),
    (9..=12, "s_bitcmp0_b32 s10, s11", |a, b, d| (d, a >> (b % 32) & 1 == 0)),
    (10..=12, exec32!("s_or_saveexec_b32"), |a, b, _| saved(b, a | b)),
    (10..=12, exec32!("s_xor_saveexec_b32"), |a, b, _| saved(b, a ^ b)),
    (10..=12, exec32!("s_nor_saveexec_b32"), |a, b, _| saved(b, !(a | b))),
    (10..=12, exec32!("s_xnor_saveexec_b32"), |a, b, _| saved(b, !(a ^ b))),
    (10..=12, exec32!("s_orn1_saveexec_b32"), |a, b, _| saved(b, !a | b)),
    (10..=12, exec32!("s_andn2_saveexec_b32"), |a, b, _| saved(b, a & !b)),
    (10..=12, exec32!("s_orn2_saveexec_b32"), |a, b, _| saved(b, a | !b)),
    (10..=12, exec32!("s_andn1_wrexec_b32"), |a, b, _| saved(!a & b, !a & b)),
    (9..=12, concat!("s_cmp_lt_u32 s10, s11\n\t", wide!("s_cselect_b64")), |a, b, _| {
        (if a < b { b } else { a } as u32, a < b)
    }),
];

#[test]
fn at_edge_values() {
    check(CASES);
}
