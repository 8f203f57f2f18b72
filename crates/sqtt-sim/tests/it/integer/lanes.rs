//! Vector integers: Across lanes and registers.

use super::*;

const CASES: &[Case] = &[
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
    (9..=12, "v_mov_b32 v20, v13\n\tv_mov_b32 v21, v14\n\tv_swap_b32 v20, v21", |i, _, _| [i[4], i[3]]),
    (10..=12, "v_permlanex16_b32 v20, v13, -1, -1", |_, l, a| int(a[(l & 16 ^ 16) + 15][3])),
    (12..=12, "v_permlane16_var_b32 v20, v13, v0", |i, _, _| int(i[3])),
    (11..=12, "v_permlane64_b32 v20, v13", |i, _, _| int(i[3])),
    (10..=12, "s_mov_b32 m0, 2\n\tv_movreld_b32 v18, v13", |i, _, _| int(i[3])),
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
];

#[test]
fn at_edge_values() {
    check(CASES);
}
