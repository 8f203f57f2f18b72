//! Scalar instructions at edge values, result and SCC: an instruction is in the file of the width or type that its name has;
//! `control` has those without a result.

/// EXEC is `s11` before the instruction, whose source is `s10`.
macro_rules! exec32 {
    ($name:literal) => {
        concat!(
            "s_mov_b32 exec_lo, s11\n\t",
            $name,
            " s14, s10\n\ts_pack_ll_b32_b16 s20, s14, exec_lo\n\ts_mov_b32 exec_lo, -1"
        )
    };
}

/// EXEC is `{s11, s10}` (low first) before the instruction, whose source is `{s10, s11}`.
macro_rules! exec64 {
    ($name:literal) => {
        concat!(
            "s_mov_b32 exec_lo, s11\n\ts_mov_b32 exec_hi, s10\n\t",
            $name,
            " s[14:15], s[10:11]\n\ts_pack_ll_b32_b16 s20, s14, exec_hi\n\ts_mov_b64 exec, 0xffffffff"
        )
    };
}

macro_rules! wide {
    ($name:literal) => {
        concat!(
            "s_mov_b32 s12, s11\n\ts_mov_b32 s13, s10\n\t",
            $name,
            " s[14:15], s[10:11], s[12:13]\n\ts_mov_b32 s20, s15"
        )
    };
}

mod bits32;
mod bits64;
mod control;
mod f16;
mod float;

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

fn q(a: u64, b: u64) -> u64 {
    a | b << 32
}

/// The low halves of the old and the new EXEC; SCC tells whether the new one has a bit.
fn saved(old: u64, new: u64) -> (u32, bool) {
    ((old & 0xffff | (new & 0xffff) << 16) as u32, new & 0xffff_ffff != 0)
}

/// The results of [`exec64`]: the low word of the saved EXEC, the high word of the new one, true where any bit is on.
fn saved64(a: u64, b: u64, old: bool, f: fn(u64, u64) -> u64) -> (u32, bool) {
    let (exec, new) = (q(b, a), f(q(a, b), q(b, a)));
    let kept = if old { exec } else { new };
    ((kept & 0xffff | (new >> 32 & 0xffff) << 16) as u32, new != 0)
}

fn high(x: u64) -> (u32, bool) {
    ((x >> 32) as u32, x != 0)
}
