//! Scalar instructions at edge values: result and SCC.

use crate::asm::{self, LANES};
use sqtt_sim::Arg;

/// `(a, b, d) → (result, SCC)`: `a` and `b` in `s10`, `s11`, `d` the old destination `s20`; SCC starts as 1.
pub(crate) type Expect = fn(u64, u64, u32) -> (u32, bool);
pub(crate) type Case = (std::ops::RangeInclusive<u8>, &'static str, Expect);

const OLD: u32 = 0x0123_4567;

pub(crate) fn s(x: u64) -> i64 {
    i64::from(x as u32 as i32)
}

pub(crate) fn w(x: i64) -> u32 {
    x as u32
}

pub(crate) fn nz(x: u64) -> (u32, bool) {
    (x as u32, x as u32 != 0)
}

fn fits(x: i64) -> bool {
    i32::try_from(x).is_err()
}

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
    (10..=12, "s_and_saveexec_b32 s20, s10\n\ts_mov_b32 exec_lo, s20", |a, _, _| (u32::MAX, a != 0)),
    (12..=12, "s_cvt_f32_u32 s20, s10", |a, _, _| ((a as f32).to_bits(), true)),
    (12..=12, "s_cvt_i32_f32 s20, s10", |a, _, _| (f32::from_bits(a as u32) as i32 as u32, true)),
    (12..=12, "s_cmp_nlt_f32 s10, s11", |a, b, d| {
        (d, !f32::from_bits(a as u32).lt(&f32::from_bits(b as u32)))
    }),
];

fn pairs() -> [[u32; 8]; LANES] {
    const EDGES: [u32; 16] = [
        0,
        1,
        2,
        31,
        32,
        33,
        63,
        0x80,
        0x7fff,
        0x8000,
        0xffff,
        0x7fff_ffff,
        0x8000_0000,
        0xffff_ffff,
        0x7fc0_0000,
        0x8765_4321,
    ];
    std::array::from_fn(|l| {
        let mut row = [0; 8];
        row[0] = EDGES[l % 16];
        row[1] = EDGES[(l * 5 + 3 + l / 16) % 16];
        row
    })
}

#[test]
fn scalar_instructions_at_edge_values() {
    check(CASES);
}

/// Runs the cases of each target and compares.
pub(crate) fn check(all: &[Case]) {
    let clang = asm::clang();
    let inputs = pairs();
    let mut failures = Vec::new();
    for (target, generation) in asm::TARGETS {
        let cases: Vec<&Case> = all.iter().filter(|c| c.0.contains(&generation)).collect();
        let mut body = asm::spell(asm::prologue(), generation);
        body += "\ts_mov_b32 s30, 0x01234567\n";
        let add = if generation == 9 { "v_add_u32" } else { "v_add_nc_u32" };
        for case in &cases {
            for l in 0..LANES {
                body += &format!(
                    "\tv_readlane_b32 s10, v10, {l}\n\tv_readlane_b32 s11, v11, {l}\n\ts_mov_b32 s20, s30\n\
                     \ts_cmp_eq_u32 s30, s30\n\t{}\n\tv_writelane_b32 v20, s20, {l}\n\ts_cselect_b32 s21, 1, 0\n\
                     \tv_writelane_b32 v21, s21, {l}\n",
                    case.1
                );
            }
            body += &asm::spell("\tglobal_store_b64 v1, v[20:21], s[6:7]\n", generation);
            body += &format!("\t{add} v1, 0x100, v1\n");
        }
        let program =
            asm::assemble(&clang, target, &asm::kernel(target, generation, asm::Shape::default(), &body));
        let words: Vec<u32> = inputs.iter().flatten().copied().collect();
        let args = vec![Arg::words(&words), Arg::words(&vec![0; cases.len() * LANES * 2])];
        let out = asm::launch(&program, LANES as u32, args).unwrap().buffers[1].words();
        for (c, case) in cases.iter().enumerate() {
            for (l, i) in inputs.iter().enumerate() {
                let got = (out[(c * LANES + l) * 2], out[(c * LANES + l) * 2 + 1] != 0);
                let want = (case.2)(u64::from(i[0]), u64::from(i[1]), OLD);
                let nan = |x: u32| f32::from_bits(x).is_nan() || x & 0x7fff > 0x7c00 && x >> 16 == 0;
                let float = case.1.contains("_f32") || case.1.contains("_f16");
                if got != want && !(float && nan(got.0) && nan(want.0) && got.1 == want.1) {
                    failures.push(format!(
                        "{target} `{}` {:x?}: {got:x?}, expected {want:x?}",
                        case.1,
                        &i[..2]
                    ));
                    break;
                }
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
