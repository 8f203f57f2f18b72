//! Scalar instructions: 64 bits.

use super::*;

const CASES: &[Case] = &[
    (
        9..=12,
        "s_mov_b64 s[12:13], s[10:11]\n\ts_lshl_b64 s[14:15], s[12:13], 7\n\ts_mov_b32 s20, s15",
        |a, b, _| {
            let r = (a | b << 32) << 7;
            ((r >> 32) as u32, r != 0)
        },
    ),
    (9..=12, "s_ashr_i64 s[14:15], s[10:11], s11\n\ts_mov_b32 s20, s14", |a, b, _| {
        let r = (a | b << 32) as i64 >> (b % 64);
        (r as u32, r != 0)
    }),
    (9..=12, "s_bfe_i64 s[14:15], s[10:11], 0x00100018\n\ts_mov_b32 s20, s15", |a, b, _| {
        let r = i64::from(((a | b << 32) >> 24) as i16);
        ((r >> 32) as u32, r != 0)
    }),
    (12..=12, "s_mul_u64 s[14:15], s[10:11], s[10:11]\n\ts_mov_b32 s20, s15", |a, b, _| {
        let x = a | b << 32;
        ((x.wrapping_mul(x) >> 32) as u32, true)
    }),
    (9..=12, "s_cmp_eq_u64 s[10:11], 0", |a, b, d| (d, a | b == 0)),
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
    (9..=12, wide!("s_and_b64"), |a, b, _| high(q(a, b) & q(b, a))),
    (9..=12, wide!("s_or_b64"), |a, b, _| high(q(a, b) | q(b, a))),
    (9..=12, wide!("s_xor_b64"), |a, b, _| high(q(a, b) ^ q(b, a))),
    (9..=12, wide!("s_andn2_b64"), |a, b, _| high(q(a, b) & !q(b, a))),
    (9..=12, wide!("s_orn2_b64"), |a, b, _| high(q(a, b) | !q(b, a))),
    (12..=12, wide!("s_add_nc_u64"), |a, b, _| {
        (((u128::from(q(a, b)) + u128::from(q(b, a))) >> 32) as u32, true)
    }),
    (9..=12, "s_lshr_b64 s[14:15], s[10:11], s11\n\ts_mov_b32 s20, s14", |a, b, _| {
        let r = q(a, b) >> (b % 64);
        (r as u32, r != 0)
    }),
    (9..=12, "s_ff1_i32_b64 s20, s[10:11]", |a, b, _| {
        ((0..64).find(|k| q(a, b) >> k & 1 == 1).map_or(u32::MAX, |k| k as u32), true)
    }),
    (9..=9, exec64!("s_and_saveexec_b64"), |a, b, _| saved64(a, b, true, |s, e| s & e)),
    (9..=9, exec64!("s_or_saveexec_b64"), |a, b, _| saved64(a, b, true, |s, e| s | e)),
    (9..=9, exec64!("s_xor_saveexec_b64"), |a, b, _| saved64(a, b, true, |s, e| s ^ e)),
    (9..=9, exec64!("s_nor_saveexec_b64"), |a, b, _| saved64(a, b, true, |s, e| !(s | e))),
    (9..=9, exec64!("s_xnor_saveexec_b64"), |a, b, _| saved64(a, b, true, |s, e| !(s ^ e))),
    (9..=9, exec64!("s_orn1_saveexec_b64"), |a, b, _| saved64(a, b, true, |s, e| !s | e)),
    (9..=9, exec64!("s_andn2_saveexec_b64"), |a, b, _| saved64(a, b, true, |s, e| s & !e)),
    (9..=9, exec64!("s_andn1_wrexec_b64"), |a, b, _| saved64(a, b, false, |s, e| !s & e)),
];

#[test]
fn at_edge_values() {
    check(CASES);
}
