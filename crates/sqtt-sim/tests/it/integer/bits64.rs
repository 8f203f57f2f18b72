//! Vector integers: 64 bits.

use super::*;

const CASES: &[Case] = &[
    (9..=9, "v_lshlrev_b64 v[20:21], v11, v[14:15]", |i, _, _| two(q(i[4], i[5]) << (i[1] % 64))),
    (12..=12, "v_lshlrev_b64 v[20:21], v11, v[14:15]", |i, _, _| two(q(i[4], i[5]) << (i[1] % 64))),
    (9..=12, "v_ashrrev_i64 v[20:21], v11, v[14:15]", |i, _, _| {
        two((i128::from(q(i[4], i[5]) as i64) >> (i[1] % 64)) as u64)
    }),
    (9..=12, "v_lshrrev_b64 v[20:21], v11, v[14:15]", |i, _, _| two(q(i[4], i[5]) >> (i[1] % 64))),
    (9..=9, "v_mad_u64_u32 v[20:21], vcc, v10, v11, v[14:15]", |i, _, _| {
        two((u128::from(i[0]) * u128::from(i[1]) + u128::from(q(i[4], i[5]))) as u64)
    }),
    (11..=11, "v_mad_i64_i32 v[20:21], null, v10, v11, v[14:15]", |i, _, _| {
        two((i128::from(s(i[0]) * s(i[1])) + i128::from(q(i[4], i[5]) as i64)) as u64)
    }),
    (10..=12, "v_cmp_ge_i64 vcc_lo, v[14:15], v[16:17]\n\tv_cndmask_b32 v20, 0, 1, vcc_lo", |i, _, _| {
        one((q(i[4], i[5]) as i64 >= q(i[6], i[7]) as i64).into())
    }),
    (
        9..=12,
        "s_call_b64 s[12:13], .Lcall_a\n\ts_branch .Lback_a\n.Lcall_a:\n\tv_mov_b32 v20, 9\n\ts_setpc_b64 s[12:13]\n.Lback_a:",
        |_, _, _| int(9),
    ),
    // The carry of the signed form is bit 64 of the 65-bit sum.
    (9..=9, "v_mad_i64_i32 v[20:21], vcc, v10, v11, v[14:15]\n\tv_cndmask_b32 v20, 0, 1, vcc", |i, _, _| {
        let sum = i128::from(s(i[0]) * s(i[1])) + i128::from(q(i[4], i[5]) as i64);
        [(sum >> 64) as u32 & 1, (sum >> 32) as u32]
    }),
];

#[test]
fn at_edge_values() {
    check(CASES);
}

const GFX942: &[Case] = &[
    (9..=9, "v_mov_b64 v[20:21], v[14:15]", |i, _, _| two(q(i[4], i[5]))),
    (9..=9, "v_mov_b64 v[20:21], -16", |_, _, _| two(16u64.wrapping_neg())),
    // Three bits of the count.
    (9..=9, "v_lshl_add_u64 v[20:21], v[14:15], v10, v[16:17]", |i, _, _| {
        two((u128::from(q(i[4], i[5])) * (1 << (i[0] % 8)) + u128::from(q(i[6], i[7]))) as u64)
    }),
];

#[test]
fn of_gfx942() {
    check_on(&[("gfx942", 9)], GFX942);
}
