//! Every vector compare: all conditions of all types, classes, `v_cmp` and `v_cmpx`.

use std::cmp::Ordering;

use crate::asm::{self, LANES};
use crate::float::{d, half};

type Outcome = fn(&[u32; 8]) -> Option<Ordering>;

/// Type, its operands (before gfx11 and on gfx12; on gfx11), how they compare.
const TYPES: [(&str, &str, &str, Outcome); 9] = [
    ("i32", "v10, v11", "v10, v11", |i| (i[0] as i32).partial_cmp(&(i[1] as i32))),
    ("u32", "v10, v11", "v10, v11", |i| i[0].partial_cmp(&i[1])),
    ("f32", "v10, v11", "v10, v11", |i| f32::from_bits(i[0]).partial_cmp(&f32::from_bits(i[1]))),
    ("i16", "v12, v13", "v12.l, v13.l", |i| (i[2] as i16).partial_cmp(&(i[3] as i16))),
    ("u16", "v12, v13", "v12.l, v13.l", |i| (i[2] as u16).partial_cmp(&(i[3] as u16))),
    ("f16", "v12, v13", "v12.l, v13.l", |i| half(i[2] & 0xffff).partial_cmp(&half(i[3] & 0xffff))),
    ("i64", "v[14:15], v[16:17]", "v[14:15], v[16:17]", |i| wide(i).map(u64::cast_signed).ordering()),
    ("u64", "v[14:15], v[16:17]", "v[14:15], v[16:17]", |i| wide(i).ordering()),
    ("f64", "v[14:15], v[16:17]", "v[14:15], v[16:17]", |i| d(i[4], i[5]).partial_cmp(&d(i[6], i[7]))),
];

fn wide(i: &[u32; 8]) -> [u64; 2] {
    [u64::from(i[4]) | u64::from(i[5]) << 32, u64::from(i[6]) | u64::from(i[7]) << 32]
}

trait Ordered {
    fn ordering(self) -> Option<Ordering>;
}

impl<T: PartialOrd> Ordered for [T; 2] {
    fn ordering(self) -> Option<Ordering> {
        self[0].partial_cmp(&self[1])
    }
}

type Condition = (&'static str, fn(Option<Ordering>) -> bool);

const INTEGER: [Condition; 6] = [
    ("lt", |o| o == Some(Ordering::Less)),
    ("eq", |o| o == Some(Ordering::Equal)),
    ("le", |o| o.is_some_and(Ordering::is_le)),
    ("gt", |o| o == Some(Ordering::Greater)),
    ("ne", |o| o != Some(Ordering::Equal)),
    ("ge", |o| o.is_some_and(Ordering::is_ge)),
];

const FLOAT: [Condition; 14] = [
    ("lt", |o| o == Some(Ordering::Less)),
    ("eq", |o| o == Some(Ordering::Equal)),
    ("le", |o| o.is_some_and(Ordering::is_le)),
    ("gt", |o| o == Some(Ordering::Greater)),
    ("lg", |o| o.is_some_and(Ordering::is_ne)),
    ("ge", |o| o.is_some_and(Ordering::is_ge)),
    ("o", |o| o.is_some()),
    ("u", |o| o.is_none()),
    ("nge", |o| !o.is_some_and(Ordering::is_ge)),
    ("nlg", |o| !o.is_some_and(Ordering::is_ne)),
    ("ngt", |o| o != Some(Ordering::Greater)),
    ("nle", |o| !o.is_some_and(Ordering::is_le)),
    ("neq", |o| o != Some(Ordering::Equal)),
    ("nlt", |o| o != Some(Ordering::Less)),
];

/// Equal and unequal pairs of each type: the second source repeats the first in some lanes.
fn inputs() -> [[u32; 8]; LANES] {
    const F32: [u32; 8] =
        [0, 0x8000_0000, 0x3f80_0000, 0xff80_0000, 0x7fc0_1234, 0x7fa0_0001, 1, 0xbf80_0001];
    const F16: [u32; 8] = [0, 0x8000, 0x3c00, 0xfc00, 0x7e12, 0x7d01, 1, 0xffff_bc01];
    const F64: [u32; 8] =
        [0, 0x8000_0000, 0x3ff0_0000, 0xfff0_0000, 0x7ff8_0000, 0x7ff4_0000, 1, 0xbff0_0000];
    std::array::from_fn(|l| {
        let (a, b) = (l % 8, if l < 8 { l } else { (l * 3 + l / 8) % 8 });
        let low = if l % 3 == 0 { 0 } else { 7 };
        [F32[a], F32[b], F16[a], F16[b] | (l as u32) << 20, low, F64[a], 7, F64[b]]
    })
}

/// Text, and what lane `l` gets.
type Case = (String, Box<dyn Fn(&[u32; 8]) -> u32>);

fn cases(generation: u8) -> Vec<Case> {
    let vcc = if generation == 9 { "vcc" } else { "vcc_lo" };
    let mut cases: Vec<Case> = Vec::new();
    for (kind, plain, named, outcome) in TYPES {
        let operands = if generation == 11 { named } else { plain };
        let conditions = if kind.starts_with('f') { FLOAT.to_vec() } else { INTEGER.to_vec() };
        for (name, accepts) in conditions {
            let text = format!("v_cmp_{name}_{kind} {vcc}, {operands}\n\tv_cndmask_b32 v20, 0, 1, {vcc}");
            cases.push((text, Box::new(move |i| u32::from(accepts(outcome(i))))));
            let (save, restore, to) = if generation == 9 {
                ("s_mov_b64 s[12:13], exec", "s_mov_b64 exec, s[12:13]", "vcc, ")
            } else {
                ("s_mov_b32 s12, exec_lo", "s_mov_b32 exec_lo, s12", "")
            };
            let text = format!(
                "v_mov_b32 v20, 0\n\t{save}\n\tv_cmpx_{name}_{kind} {to}{operands}\n\tv_mov_b32 v20, 1\n\t{restore}"
            );
            cases.push((text, Box::new(move |i| u32::from(accepts(outcome(i))))));
        }
        // Since gfx12 (16 bits: gfx10) there is none that is always or never so.
        let always = if kind.starts_with('f') { "tru" } else { "t" };
        if generation == 9 || generation < 12 && !kind.ends_with("16") {
            for (name, value) in [("f", 0), (if generation < 11 { always } else { "t" }, 1)] {
                let text = format!("v_cmp_{name}_{kind} {vcc}, {operands}\n\tv_cndmask_b32 v20, 0, 1, {vcc}");
                cases.push((text, Box::new(move |_| value)));
            }
        }
    }
    for bit in 0..10u32 {
        let class = |sign: bool, x: std::num::FpCategory, quiet: bool| match (x, sign) {
            (std::num::FpCategory::Nan, _) => u32::from(quiet),
            (std::num::FpCategory::Infinite, true) => 2,
            (std::num::FpCategory::Normal, true) => 3,
            (std::num::FpCategory::Subnormal, true) => 4,
            (std::num::FpCategory::Zero, true) => 5,
            (std::num::FpCategory::Zero, false) => 6,
            (std::num::FpCategory::Subnormal, false) => 7,
            (std::num::FpCategory::Normal, false) => 8,
            (std::num::FpCategory::Infinite, false) => 9,
        };
        let text = |kind: &str, operand: &str| {
            format!(
                "v_mov_b32 v2, {:#x}\n\tv_cmp_class_{kind} {vcc}, {operand}\n\tv_cndmask_b32 v20, 0, 1, {vcc}",
                1 << bit
            )
        };
        cases.push((
            text("f32", "v10, v2"),
            Box::new(move |i| {
                let x = f32::from_bits(i[0]);
                u32::from(class(x.is_sign_negative(), x.classify(), i[0] & 0x40_0000 != 0) == bit)
            }),
        ));
        cases.push((
            text("f64", "v[14:15], v2"),
            Box::new(move |i| {
                let x = d(i[4], i[5]);
                u32::from(class(x.is_sign_negative(), x.classify(), i[5] & 0x8_0000 != 0) == bit)
            }),
        ));
        cases.push((
            text("f16", if generation == 11 { "v12.l, v2.l" } else { "v12, v2" }),
            Box::new(move |i| {
                let x = half(i[2] & 0xffff);
                let small = x != 0.0 && x.abs() < 2f64.powi(-14);
                let category = if small { std::num::FpCategory::Subnormal } else { x.classify() };
                u32::from(class(i[2] & 0x8000 != 0, category, i[2] & 0x200 != 0) == bit)
            }),
        ));
    }
    cases
}

#[test]
fn all_conditions_of_all_types() {
    let clang = asm::clang();
    let inputs = inputs();
    let mut failures = Vec::new();
    for (target, generation) in asm::TARGETS {
        let cases = cases(generation);
        let texts: Vec<String> = cases.iter().map(|c| c.0.clone()).collect();
        let results = asm::run_cases(&clang, (target, generation), &inputs, &texts);
        for ((text, expect), lanes) in cases.iter().zip(&results) {
            if let Some(l) = (0..LANES).find(|&l| lanes[l][0] != expect(&inputs[l])) {
                failures.push(format!("{target} `{text}` lane {l} {:x?}: {}", inputs[l], lanes[l][0]));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
