//! Vector integers: instructions and lane swaps of gfx950.

use super::*;

const CASES: &[Case] = &[
    (9..=9, "v_bitop3_b32 v20, v13, v14, v15 bitop3:0x2d", |i, _, _| {
        // Row by row of the table, bit by bit.
        one((0..32).fold(0, |out, k| {
            let row = (i[3] >> k & 1) << 2 | (i[4] >> k & 1) << 1 | i[5] >> k & 1;
            out | (0x2d >> row & 1) << k
        }))
    }),
    (9..=9, "v_bitop3_b32 v20, v13, 7, v15 bitop3:0xe8", |i, _, _| one(i[3] & 7 | i[3] & i[5] | 7 & i[5])),
    (9..=9, "v_bitop3_b16 v20, v13, v14, v15 bitop3:0x96 op_sel:[0,1,0,1]", |i, _, _| {
        one(KEEP & 0xffff | (i[3] ^ i[4] >> 16 ^ i[5]) << 16)
    }),
    (9..=9, "v_prng_b32 v20, v13", |i, _, _| one((i[3] << 1) ^ ((i[3] >> 31) * 197))),
    (9..=9, "v_ashr_pk_i8_i32 v20, v13, v14, v15", |i, _, _| {
        let byte = |x: u32| (s(x) >> (i[5] % 32)).clamp(-128, 127) as u8;
        one(KEEP & 0xffff_0000 | u32::from(byte(i[4])) << 8 | u32::from(byte(i[3])))
    }),
    (9..=9, "v_ashr_pk_u8_i32 v20, v10, v14, 9 op_sel:[0,0,0,1]", |i, _, _| {
        let byte = |x: u32| (s(x) >> 9).clamp(0, 255) as u32;
        one(KEEP & 0xffff | byte(i[4]) << 24 | byte(i[0]) << 16)
    }),
    (
        9..=9,
        "s_mov_b32 exec_hi, -1\n\tv_mov_b32 v20, v13\n\tv_mov_b32 v21, v14\n\tv_permlane16_swap_b32 v20, v21\n\t\
         s_mov_b32 exec_hi, 0",
        |i, l, all| if l < 16 { [i[3], all[l + 16][3]] } else { [all[l - 16][4], i[4]] },
    ),
    (
        9..=9,
        "s_mov_b32 exec_hi, -1\n\tv_mov_b32 v20, v13\n\tv_mov_b32 v21, v14\n\tv_permlane32_swap_b32 v20, v21\n\t\
         s_mov_b32 exec_hi, 0",
        |i, _, _| [i[3], 0],
    ),
];

#[test]
fn at_edge_values() {
    check_on(&[("gfx950", 9)], CASES);
}
