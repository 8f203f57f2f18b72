//! Vector integers: 16 bits.

use super::*;

const CASES: &[Case] = &[
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
    (10..=10, "v_cmp_gt_i16 vcc_lo, v10, v11\n\tv_cndmask_b32 v20, 0, 1, vcc_lo", |i, _, _| {
        one((i[0] as i16 > i[1] as i16).into())
    }),
    (12..=12, "v_cvt_pk_u16_u32 v20, v10, v13", |i, _, _| one(i[0].min(0xffff) | i[3].min(0xffff) << 16)),
    (9..=12, "v_cvt_pk_i16_i32 v20, v13, v10", |i, _, _| {
        let c = |x: u32| s(x).clamp(-32768, 32767) as u16;
        one(u32::from(c(i[3])) | u32::from(c(i[0])) << 16)
    }),
    (10..=10, "v_mul_lo_u16 v20, v10, v11", |i, _, _| int(lo(u(i[0]) * u(i[1])))),
    (10..=10, "v_lshlrev_b16 v20, v10, v13", |i, _, _| int(lo(u(i[3]) << (i[0] % 16)))),
    (10..=10, "v_ashrrev_i16 v20, v10, v13", |i, _, _| int(lo((h(i[3]) >> (i[0] % 16)) as u32))),
    (10..=10, "v_min_i16 v20, v10, v11", |i, _, _| int(lo(h(i[0]).min(h(i[1])) as u32))),
    (10..=10, "v_max_u16 v20, v10, v11", |i, _, _| int(lo(u(i[0]).max(u(i[1]))))),
    (10..=10, "v_med3_i16 v20, v10, v11, v12", |i, _, _| {
        let mut v = [h(i[0]), h(i[1]), h(i[2])];
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
    (12..=12, "v_cvt_i32_i16 v20, v13", |i, _, _| int(h(i[3]) as u32)),
    (11..=11, "v_mov_b16 v20.h, v13.l", |i, _, _| one(KEEP & 0xffff | i[3] << 16)),
    (11..=11, "v_not_b16 v20.l, v13.h", |i, _, _| keep(!(i[3] >> 16))),
    (11..=11, "v_and_b16 v20.l, v13.l, v14.h", |i, _, _| keep(i[3] & i[4] >> 16)),
    (11..=11, "v_or_b16 v20.h, v13.h, v10.l", |i, _, _| one(KEEP & 0xffff | (i[3] >> 16 | u(i[0])) << 16)),
    (12..=12, "v_xor_b16 v20, v13, v14", |i, _, _| keep(i[3] ^ i[4])),
    (12..=12, "v_not_b16 v20, v13", |i, _, _| keep(!i[3])),
    (9..=9, "v_sub_i16 v20, v10, v13 clamp", |i, _, _| {
        one(u((h(i[0]) - h(i[3])).clamp(-32768, 32767) as u32))
    }),
    (10..=10, "v_sub_nc_i16 v20, v10, v13", |i, _, _| keep((h(i[0]) - h(i[3])) as u32)),
    (9..=9, "v_min_u16 v20, v10, v11", |i, _, _| one(u(i[0]).min(u(i[1])))),
    (10..=10, "v_max_i16 v20, v10, v11", |i, _, _| keep(h(i[0]).max(h(i[1])) as u32)),
    (10..=10, "v_min3_u16 v20, v10, v11, v12", |i, _, _| keep(u(i[0]).min(u(i[1])).min(u(i[2])))),
    (10..=10, "v_med3_u16 v20, v10, v11, v12", |i, _, _| {
        keep(sorted([u(i[0]).into(), u(i[1]).into(), u(i[2]).into()])[1] as u32)
    }),
    (10..=10, "v_min3_i16 v20, v10, v11, v12", |i, _, _| keep(h(i[0]).min(h(i[1])).min(h(i[2])) as u32)),
    (10..=10, "v_max3_i16 v20, v10, v11, v12", |i, _, _| keep(h(i[0]).max(h(i[1])).max(h(i[2])) as u32)),
    (9..=10, "v_mad_i16 v20, v10, v13, v11", |i, _, _| {
        keep((i64::from(h(i[0])) * i64::from(h(i[3])) + i64::from(h(i[1]))) as u32)
    }),
    (11..=11, "v_cndmask_b16 v20.l, v13.l, v14.h, vcc_lo", |i, l, _| {
        keep(if carry(l) == 1 { i[4] >> 16 } else { i[3] })
    }),
    (12..=12, "v_cndmask_b16 v20, v13, v14, vcc_lo", |i, l, _| keep(if carry(l) == 1 { i[4] } else { i[3] })),
    (11..=11, "v_cvt_u32_u16 v20, v13.h", |i, _, _| one(i[3] >> 16)),
    (12..=12, "v_cvt_u32_u16 v20, v13", |i, _, _| one(i[3] % 65536)),
    (9..=9, "v_sat_pk_u8_i16 v20, v13", |i, _, _| {
        one((h(i[3]).clamp(0, 255) + h(i[3] >> 16).clamp(0, 255) * 256) as u32)
    }),
    (10..=10, "v_sat_pk_u8_i16 v20, v14", |i, _, _| {
        keep((h(i[4]).clamp(0, 255) + h(i[4] >> 16).clamp(0, 255) * 256) as u32)
    }),
];

#[test]
fn at_edge_values() {
    check(CASES);
}
