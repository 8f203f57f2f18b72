//! Vector integers that the other tables leave out: carries, 16-bit forms, packed, dot products, lanes.

use crate::integer::{self, KEEP, one, q, s, two};

const VCC: u32 = 0xf0f0_f0f0;

fn u(x: u32) -> u32 {
    x & 0xffff
}

fn h(x: u32) -> i32 {
    i32::from(x as i16)
}

/// A 16-bit result with the register's upper half kept.
fn keep(x: u32) -> [u32; 2] {
    one(KEEP & 0xffff_0000 | u(x))
}

fn carry(l: usize) -> i64 {
    i64::from(VCC >> l & 1)
}

/// A value and whether it left the unsigned 32 bits.
fn out(x: i64) -> [u32; 2] {
    [x as u32, u32::from(u32::try_from(x).is_err())]
}

fn sorted<const N: usize>(mut v: [i64; N]) -> [i64; N] {
    v.sort_unstable();
    v
}

/// Both halves of two sources.
fn halves(a: u32, b: u32, f: fn(u32, u32) -> i64) -> [u32; 2] {
    one(u(f(u(a), u(b)) as u32) | (f(a >> 16, b >> 16) as u32) << 16)
}

fn fields(a: u32, b: u32, bits: u32, value: fn(u32, u32) -> [i64; 2]) -> i64 {
    let mask = (1u64 << bits) as u32 - 1;
    let product = |k: u32| {
        let [x, y] = value(a >> k & mask, b >> k & mask);
        x * y
    };
    (0..32).step_by(bits as usize).map(product).sum()
}

fn nibble(x: u32) -> i64 {
    i64::from(x) - if x > 7 { 16 } else { 0 }
}

const WORDS: &[integer::Case] = &[
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
    // The carry of the signed form is bit 64 of the 65-bit sum.
    (9..=9, "v_mad_i64_i32 v[20:21], vcc, v10, v11, v[14:15]\n\tv_cndmask_b32 v20, 0, 1, vcc", |i, _, _| {
        let sum = i128::from(s(i[0]) * s(i[1])) + i128::from(q(i[4], i[5]) as i64);
        [(sum >> 64) as u32 & 1, (sum >> 32) as u32]
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
];

const HALVES: &[integer::Case] = &[
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
    (9..=10, "v_pack_b32_f16 v20, v13, v14 op_sel:[1,0,0]", |i, _, _| one(i[3] >> 16 | i[4] << 16)),
    (12..=12, "v_pack_b32_f16 v20, v13, v14", |i, _, _| one(u(i[3]) | i[4] << 16)),
    (11..=11, "v_cvt_u32_u16 v20, v13.h", |i, _, _| one(i[3] >> 16)),
    (12..=12, "v_cvt_u32_u16 v20, v13", |i, _, _| one(i[3] % 65536)),
    (9..=9, "v_sat_pk_u8_i16 v20, v13", |i, _, _| {
        one((h(i[3]).clamp(0, 255) + h(i[3] >> 16).clamp(0, 255) * 256) as u32)
    }),
    (10..=10, "v_sat_pk_u8_i16 v20, v14", |i, _, _| {
        keep((h(i[4]).clamp(0, 255) + h(i[4] >> 16).clamp(0, 255) * 256) as u32)
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
];

const LANES: &[integer::Case] = &[
    // None of the upper 32 lanes lies below one of the first 32.
    (9..=12, "v_mbcnt_hi_u32_b32 v20, -1, v10", |i, _, _| one(i[0])),
    (12..=12, "v_permlanex16_var_b32 v20, v13, v10", |i, l, a| {
        one(a[(l + 16) % 32 / 16 * 16 + i[0] as usize % 16][3])
    }),
    (10..=12, "s_mov_b32 m0, 3\n\tv_movrels_b32 v20, v10", |i, _, _| one(i[3])),
    (
        9..=9,
        "s_mov_b32 s10, 3\n\ts_set_gpr_idx_on s10, gpr_idx(DST)\n\ts_set_gpr_idx_mode gpr_idx(SRC0)\n\tv_mov_b32 v20, v10\n\ts_set_gpr_idx_off",
        |i, _, _| one(i[3]),
    ),
    // Half of the lanes fetch from the other, inactive half; the plain form gives 0 there.
    (
        12..=12,
        "v_lshlrev_b32 v2, 2, v0\n\tv_xor_b32 v2, 64, v2\n\ts_mov_b32 exec_lo, 0xffff\n\tds_bpermute_fi_b32 v20, v2, v13\n\tds_bpermute_b32 v21, v2, v13\n\ts_mov_b32 exec_lo, -1",
        |_, l, a| if l < 16 { [a[l + 16][3], 0] } else { [KEEP, KEEP] },
    ),
    (9..=9, "v_pk_mov_b32 v[20:21], v[10:11], v[14:15] op_sel:[1,0]", |i, _, _| [i[1], i[4]]),
    (9..=9, "v_pk_mov_b32 v[20:21], v[10:11], v[14:15] op_sel:[0,1]", |i, _, _| [i[0], i[5]]),
    (
        9..=9,
        "v_accvgpr_write_b32 a2, v13\n\tv_accvgpr_mov_b32 a3, a2\n\tv_accvgpr_read_b32 v20, a3",
        |i, _, _| one(i[3]),
    ),
];

const GFX942: &[integer::Case] = &[
    (9..=9, "v_mov_b64 v[20:21], v[14:15]", |i, _, _| two(q(i[4], i[5]))),
    (9..=9, "v_mov_b64 v[20:21], -16", |_, _, _| two(16u64.wrapping_neg())),
    // Three bits of the count.
    (9..=9, "v_lshl_add_u64 v[20:21], v[14:15], v10, v[16:17]", |i, _, _| {
        two((u128::from(q(i[4], i[5])) * (1 << (i[0] % 8)) + u128::from(q(i[6], i[7]))) as u64)
    }),
];

#[test]
fn words_and_carries() {
    integer::check(WORDS);
}

#[test]
fn halves_packed_and_dot_products() {
    integer::check(HALVES);
}

#[test]
fn across_lanes_and_registers() {
    integer::check(LANES);
}

#[test]
fn pairs_of_gfx942() {
    integer::check_on(&[("gfx942", 9)], GFX942);
}
