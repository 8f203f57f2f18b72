//! Vector integers: Packed forms and dot products.

use super::*;

const CASES: &[Case] = &[
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
    (9..=12, "v_pk_mad_u16 v20, v13, v14, v15", |i, _, _| {
        let m = |k: u32| u(u(i[3] >> k).wrapping_mul(u(i[4] >> k)).wrapping_add(u(i[5] >> k)));
        int(m(0) | m(16) << 16)
    }),
    (9..=12, "v_pk_max_u16 v20, v13, v14", |i, _, _| {
        int(u(i[3]).max(u(i[4])) | (i[3] >> 16).max(i[4] >> 16) << 16)
    }),
    (9..=12, "v_pk_lshlrev_b16 v20, 3, v13 op_sel_hi:[0,1]", |i, _, _| int(u(i[3] << 3) | i[3] >> 16 << 19)),
    (9..=12, "v_pk_add_i16 v20, v13, -1 op_sel_hi:[1,0] clamp", |i, _, _| {
        let a = |k: u32| u((h(i[3] >> k) - 1).max(-32768) as u32);
        int(a(0) | a(16) << 16)
    }),
    (9..=10, "v_dot2_i32_i16 v20, v13, v14, v10", |i, _, _| {
        let p = |k: u32| i64::from(h(i[3] >> k)) * i64::from(h(i[4] >> k));
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
    (9..=12, "v_pk_sub_u16 v20, v13, v14 clamp", |i, _, _| {
        halves(i[3], i[4], |a, b| (i64::from(a) - i64::from(b)).max(0))
    }),
    (9..=12, "v_pk_mul_lo_u16 v20, v13, v14", |i, _, _| {
        halves(i[3], i[4], |a, b| i64::from(a) * i64::from(b))
    }),
    (9..=12, "v_pk_mad_i16 v20, v13, v14, v10 op_sel_hi:[1,1,0]", |i, _, _| {
        let m = |k: u32| u((h(i[3] >> k) * h(i[4] >> k)).wrapping_add(h(i[0])) as u32);
        one(m(0) | m(16) << 16)
    }),
    // Counts are taken modulo 16, half by half.
    (9..=12, "v_pk_lshrrev_b16 v20, v14, v13", |i, _, _| halves(i[3], i[4], |a, b| i64::from(a >> (b % 16)))),
    (9..=12, "v_pk_min_u16 v20, v13, v14", |i, _, _| halves(i[3], i[4], |a, b| i64::from(a.min(b)))),
    (9..=12, "v_pk_min_i16 v20, v13, v14", |i, _, _| halves(i[3], i[4], |a, b| h(a).min(h(b)).into())),
    (9..=12, "v_pk_max_i16 v20, v13, v14", |i, _, _| halves(i[3], i[4], |a, b| h(a).max(h(b)).into())),
    (9..=10, "v_dot2_u32_u16 v20, v13, v14, v10", |i, _, _| {
        one((fields(i[3], i[4], 16, |a, b| [a.into(), b.into()]) as u64).wrapping_add(i[0].into()) as u32)
    }),
    (9..=12, "v_dot4_u32_u8 v20, v13, v14, v10 clamp", |i, _, _| {
        let sum = fields(i[3], i[4], 8, |a, b| [a.into(), b.into()]) + i64::from(i[0]);
        one(sum.min(0xffff_ffff) as u32)
    }),
    (9..=10, "v_dot8_i32_i4 v20, v13, v14, v10 clamp", |i, _, _| {
        let sum = fields(i[3], i[4], 4, |a, b| [nibble(a), nibble(b)]) + s(i[0]);
        one(sum.clamp(i32::MIN.into(), i32::MAX.into()) as u32)
    }),
    (9..=9, "v_mov_b32 v20, v10\n\tv_dot8c_i32_i4 v20, v13, v14", |i, _, _| {
        one((fields(i[3], i[4], 4, |a, b| [nibble(a), nibble(b)]) + s(i[0])) as u32)
    }),
    (11..=12, "v_dot8_i32_iu4 v20, v13, v14, v10 neg_lo:[0,1,0]", |i, _, _| {
        one((fields(i[3], i[4], 4, |a, b| [a.into(), nibble(b)]) + s(i[0])) as u32)
    }),
    (9..=9, "v_pk_mov_b32 v[20:21], v[10:11], v[14:15] op_sel:[1,0]", |i, _, _| [i[1], i[4]]),
    (9..=9, "v_pk_mov_b32 v[20:21], v[10:11], v[14:15] op_sel:[0,1]", |i, _, _| [i[0], i[5]]),
];

#[test]
fn at_edge_values() {
    check(CASES);
}
