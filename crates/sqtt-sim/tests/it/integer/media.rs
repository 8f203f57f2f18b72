//! Vector integers: sums of absolute differences.

use super::*;

fn bytes(x: u64) -> [u64; 8] {
    x.to_le_bytes().map(u64::from)
}

fn sum(a: &[u64], b: u32, masked: bool) -> u64 {
    let pairs = a.iter().zip(bytes(u64::from(b)));
    pairs.filter(|&(_, y)| !masked || y != 0).map(|(&x, y)| x.abs_diff(y)).sum()
}

const CASES: &[Case] = &[
    (9..=12, "v_sad_u16 v20, v13, v14, v10", |i, _, _| {
        let part = |k: u32| u64::from(i[3] >> k & 0xffff).abs_diff(u64::from(i[4] >> k & 0xffff));
        one((part(0) + part(16) + u64::from(i[0])) as u32)
    }),
    (9..=12, "v_sad_hi_u8 v20, v13, v14, v10", |i, _, _| {
        one(((sum(&bytes(u64::from(i[3]))[..4], i[4], false) << 16) + u64::from(i[0])) as u32)
    }),
    (9..=12, "v_msad_u8 v20, v13, v14, v10", |i, _, _| {
        one((sum(&bytes(u64::from(i[3]))[..4], i[4], true) + u64::from(i[0])) as u32)
    }),
    (9..=12, "v_and_b32 v2, 0xff00ffff, v12\n\tv_msad_u8 v20, v13, v2, v10", |i, _, _| {
        one((sum(&bytes(u64::from(i[3]))[..4], i[2] & 0xff00_ffff, true) + u64::from(i[0])) as u32)
    }),
    (9..=12, "v_qsad_pk_u16_u8 v[20:21], v[14:15], v13, v[10:11]", |i, _, _| {
        let a = bytes(q(i[4], i[5]));
        two((0..4).fold(0, |all, k| {
            let start = q(i[0], i[1]) >> (16 * k) & 0xffff;
            all | ((sum(&a[k..k + 4], i[3], false) + start) & 0xffff) << (16 * k)
        }))
    }),
    (
        9..=12,
        "v_and_b32 v2, 0xff00ff, v13\n\tv_mqsad_pk_u16_u8 v[20:21], v[14:15], v2, v[10:11]",
        |i, _, _| {
            let a = bytes(q(i[4], i[5]));
            two((0..4).fold(0, |all, k| {
                let start = q(i[0], i[1]) >> (16 * k) & 0xffff;
                all | ((sum(&a[k..k + 4], i[3] & 0xff_00ff, true) + start) & 0xffff) << (16 * k)
            }))
        },
    ),
    (
        9..=12,
        "v_and_b32 v8, 0xff00ff, v10\n\tv_mqsad_u32_u8 v[4:7], v[14:15], v8, v[10:13]\n\tv_mov_b32 v20, v4\n\t\
         v_mov_b32 v21, v7",
        |i, _, _| {
            let a = bytes(q(i[4], i[5]));
            let at = |k: usize| (sum(&a[k..k + 4], i[0] & 0xff_00ff, true) + u64::from(i[k])) as u32;
            [at(0), at(3)]
        },
    ),
];

#[test]
fn at_edge_values() {
    check(CASES);
}
