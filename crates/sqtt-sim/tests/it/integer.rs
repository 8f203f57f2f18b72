//! Vector integers at edge values, against expectations computed another way: an instruction is in the file of the width
//! that its name has.

mod bits16;
mod bits32;
mod bits64;
mod gfx950;
mod lanes;
mod media;
mod packed;

use crate::asm::{self, LANES};
use crate::float::{int, lo};

/// The result of an instruction: the sources of the lane, the lane, all inputs → `[v20, v21]`.
pub(crate) type Expect = fn(&[u32; 8], usize, &[[u32; 8]; LANES]) -> [u32; 2];

/// Generations, text, expectation.
pub(crate) type Case = (std::ops::RangeInclusive<u8>, &'static str, Expect);

pub(crate) const KEEP: u32 = 0x55aa_55aa;
const VCC: u32 = 0xf0f0_f0f0;

/// Pairs of edge values in the first two sources, a third that walks through them.
fn inputs() -> [[u32; 8]; LANES] {
    const EDGES: [u32; 16] = [
        0,
        1,
        2,
        31,
        32,
        33,
        63,
        0x7f,
        0x80,
        0xff,
        0x7fff,
        0x8000,
        0xffff,
        0x7fff_ffff,
        0x8000_0000,
        0xffff_ffff,
    ];
    std::array::from_fn(|l| {
        std::array::from_fn(|k| match k {
            0 => EDGES[l % 16],
            1 => EDGES[(l * 7 + l / 16 * 3 + 5) % 16],
            2 => EDGES[(l * 3 + 1) % 16],
            _ => (l as u32 + 1).wrapping_mul(0x9e37_79b9).rotate_left(k as u32 * 5) ^ EDGES[(l + k) % 16],
        })
    })
}

pub(crate) fn one(x: u32) -> [u32; 2] {
    [x, KEEP]
}

pub(crate) fn two(x: u64) -> [u32; 2] {
    [x as u32, (x >> 32) as u32]
}

pub(crate) fn s(x: u32) -> i64 {
    i64::from(x as i32)
}

pub(crate) fn q(lo: u32, hi: u32) -> u64 {
    u64::from(lo) | u64::from(hi) << 32
}

fn bit(mask: u32, l: usize) -> bool {
    mask >> l & 1 != 0
}

/// Counts of the bits of the 32-bit two's complement number, the slow way.
fn top_run(x: u32) -> u32 {
    let sign = x >> 31;
    let run = (0..32).rev().take_while(|&k| x >> k & 1 == sign).count() as u32;
    if run == 32 { u32::MAX } else { run }
}

/// Runs the cases of each target and compares.
pub(crate) fn check(all: &[Case]) {
    check_on(&asm::TARGETS, all);
}

/// Checks like [`check`], on some targets.
pub(crate) fn check_on(targets: &[(&str, u8)], all: &[Case]) {
    let clang = asm::clang();
    let inputs = inputs();
    let mut failures = Vec::new();
    for &target in targets {
        let cases: Vec<&Case> = all.iter().filter(|c| c.0.contains(&target.1)).collect();
        let texts: Vec<String> = cases.iter().map(|c| c.1.to_owned()).collect();
        let results = asm::run_cases(&clang, target, &inputs, &texts);
        for (case, lanes) in cases.iter().zip(&results) {
            for (l, got) in lanes.iter().enumerate() {
                let want = (case.2)(&inputs[l], l, &inputs);
                if *got != want {
                    let sources = &inputs[l];
                    failures.push(format!(
                        "{} `{}` lane {l} sources {sources:x?}: {got:x?}, expected {want:x?}",
                        target.0, case.1
                    ));
                    break;
                }
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

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
