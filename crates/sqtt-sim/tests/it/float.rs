//! Vector floats at NaN, denormal, infinite and halfway values: an instruction is in the file of the type that its name
//! has.

macro_rules! divide {
    ($vcc:literal) => {
        concat!(
            "v_div_scale_f32 v2, ", $vcc, ", v11, v11, v10\n\tv_div_scale_f32 v3, ", $vcc, ", v10, v11, v10\n\t",
            "v_rcp_f32 v4, v2\n\tv_fma_f32 v5, -v2, v4, 1.0\n\tv_fma_f32 v4, v5, v4, v4\n\tv_mul_f32 v5, v3, v4\n\t",
            "v_fma_f32 v6, -v2, v5, v3\n\tv_fma_f32 v5, v6, v4, v5\n\tv_fma_f32 v2, -v2, v5, v3\n\t",
            "v_div_fmas_f32 v2, v2, v4, v5\n\tv_div_fixup_f32 v20, v2, v11, v10"
        )
    };
}

macro_rules! divide64 {
    ($vcc:literal) => {
        concat!(
            "v_div_scale_f64 v[2:3], ",
            $vcc,
            ", v[16:17], v[16:17], v[14:15]\n\tv_rcp_f64 v[4:5], v[2:3]\n\t",
            "v_fma_f64 v[6:7], -v[2:3], v[4:5], 1.0\n\tv_fma_f64 v[4:5], v[4:5], v[6:7], v[4:5]\n\t",
            "v_fma_f64 v[6:7], -v[2:3], v[4:5], 1.0\n\tv_fma_f64 v[4:5], v[4:5], v[6:7], v[4:5]\n\t",
            "v_div_scale_f64 v[6:7], ",
            $vcc,
            ", v[14:15], v[16:17], v[14:15]\n\tv_mul_f64 v[8:9], v[6:7], v[4:5]\n\t",
            "v_fma_f64 v[2:3], -v[2:3], v[8:9], v[6:7]\n\tv_div_fmas_f64 v[2:3], v[2:3], v[4:5], v[8:9]\n\t",
            "v_div_fixup_f64 v[20:21], v[2:3], v[16:17], v[14:15]"
        )
    };
}

mod convert;
mod cube;
mod dot;
mod f16;
mod f32;
mod f64;
mod packed;

use std::f64::consts::{LN_2, PI};

use crate::asm::{self, LANES};

pub(crate) type Expect = fn(&[u32; 8]) -> [u32; 2];
pub(crate) type Case = (std::ops::RangeInclusive<u8>, &'static str, Expect);

pub(crate) const KEEP: u32 = 0x55aa_55aa;

/// Sources 0 to 2 are f32 edge values, 3 f16 pairs, 4 to 7 two f64.
fn inputs() -> [[u32; 8]; LANES] {
    const F32: [u32; 16] = [
        0,
        0x8000_0000,
        0x3f80_0000,
        0xbf80_0001,
        0x7f80_0000,
        0xff80_0000,
        0x7fc0_1234,
        0x7fa0_0001,
        1,
        0x807f_ffff,
        0x0080_0000,
        0x7f7f_ffff,
        0x3fc0_0000,
        0xc020_0000,
        0x4b00_0001,
        0x4f80_0000,
    ];
    const F16: [u32; 16] = [
        0, 0x8000, 0x3c00, 0xbc01, 0x7c00, 0xfc00, 0x7e12, 0x7d01, 1, 0x83ff, 0x0400, 0x7bff, 0x3e00, 0xc100,
        0x6801, 0x3555,
    ];
    const F64: [u64; 8] = [
        0x3ff0_0000_0000_0001,
        0x8000_0000_0000_0000,
        0x7ff0_0000_0000_0000,
        0x7ff8_0000_0000_0007,
        1,
        0xc1e0_0000_0020_0000,
        0x41ef_ffff_fff0_0000,
        0x3ca0_0000_0000_0001,
    ];
    std::array::from_fn(|l| {
        let (d, e) = (F64[l % 8], F64[(l / 2 + 3) % 8]);
        [
            F32[l % 16],
            F32[(l * 5 + l / 16 * 2 + 7) % 16],
            F32[(l * 3 + 2) % 16],
            F16[l % 16] | F16[(l * 3 + 1 + l / 16) % 16] << 16,
            d as u32,
            (d >> 32) as u32,
            e as u32,
            (e >> 32) as u32,
        ]
    })
}

pub(crate) fn f(x: u32) -> f32 {
    f32::from_bits(x)
}

pub(crate) fn one(x: f32) -> [u32; 2] {
    [x.to_bits(), KEEP]
}

pub(crate) fn int(x: u32) -> [u32; 2] {
    [x, KEEP]
}

pub(crate) fn d(lo: u32, hi: u32) -> f64 {
    f64::from_bits(u64::from(lo) | u64::from(hi) << 32)
}

pub(crate) fn two(x: f64) -> [u32; 2] {
    [x.to_bits() as u32, (x.to_bits() >> 32) as u32]
}

/// The other format's rules, written out: f16 by table of exponents.
pub(crate) fn half(x: u32) -> f64 {
    let (s, e, m) = (x >> 15 & 1, (x >> 10 & 31) as i32, f64::from(x & 1023));
    let v = match e {
        0 => m * 2f64.powi(-24),
        31 if m == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        _ => (1024.0 + m) * 2f64.powi(e - 25),
    };
    if s == 1 { -v } else { v }
}

/// Nearest f16 by search over all of them.
pub(crate) fn to_half(x: f64) -> u32 {
    if x.is_nan() {
        return 0x7e00;
    }
    let sign = if x.is_sign_negative() { 0x8000 } else { 0 };
    let a = x.abs();
    if a >= 65520.0 {
        return sign | 0x7c00;
    }
    let below = (0..0x7c00u32).rev().find(|&h| half(h) <= a).unwrap();
    let (lo, hi) = (half(below), if below == 0x7bff { 65536.0 } else { half(below + 1) });
    let up = a - lo > hi - a || (a - lo == hi - a && below & 1 == 1);
    sign | (below + u32::from(up))
}

pub(crate) fn lo(x: u32) -> u32 {
    KEEP & 0xffff_0000 | x & 0xffff
}

fn least(a: f32, b: f32) -> f32 {
    if a.total_cmp(&b).is_le() { a } else { b }
}

/// A NaN loses; -0 is below +0.
fn minmax(i: &[u32; 8], min: bool, ieee: bool) -> [u32; 2] {
    let (a, b) = (f(i[0]), f(i[1]));
    let signalling = |x: u32| f(x).is_nan() && x & 0x40_0000 == 0;
    if ieee && (signalling(i[0]) || signalling(i[1])) {
        return one(f32::NAN);
    }
    one(match (a.is_nan(), b.is_nan()) {
        (true, _) => b,
        (_, true) => a,
        _ if min => least(a, b),
        _ => -least(-a, -b),
    })
}

/// Equal bits, or a NaN where one is expected: payloads are a choice of their own.
fn same(text: &str, got: [u32; 2], want: [u32; 2]) -> bool {
    if got == want {
        return true;
    }
    let wide = text.contains("v[20:21]") && text.contains("f64");
    let packed = text.contains("_f16") && !text.contains("f32_f16");
    if wide {
        return d(got[0], got[1]).is_nan() && d(want[0], want[1]).is_nan();
    }
    if packed {
        let nan = |x: u32| half(x & 0xffff).is_nan();
        let ok = |a: u32, b: u32| a & 0xffff == b & 0xffff || nan(a) && nan(b);
        return ok(got[0], want[0]) && ok(got[0] >> 16, want[0] >> 16) && got[1] == want[1];
    }
    (0..2).all(|k| got[k] == want[k] || f(got[k]).is_nan() && f(want[k]).is_nan())
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
            let bad = (0..LANES).find(|&l| !same(case.1, lanes[l], (case.2)(&inputs[l])));
            if let Some(l) = bad {
                let (got, want) = (lanes[l], (case.2)(&inputs[l]));
                failures.push(format!(
                    "{} `{}` lane {l} sources {:x?}: {got:x?}, expected {want:x?}",
                    target.0, case.1, inputs[l]
                ));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

fn h0(i: &[u32; 8]) -> f64 {
    half(i[3] & 0xffff)
}

fn h1(i: &[u32; 8]) -> f64 {
    half(i[3] >> 16)
}

fn h(x: f64) -> [u32; 2] {
    int(lo(to_half(x)))
}

/// The rest of a turn, in `[-0.5, 0.5]`; none of an infinity.
fn turn(x: f64) -> f64 {
    x - x.round()
}

fn sine(x: f64) -> f64 {
    2.0 * (PI * turn(x)).sin() * (PI * turn(x)).cos()
}

fn cosine(x: f64) -> f64 {
    1.0 - 2.0 * (PI * turn(x)).sin().powi(2)
}

fn flushed(x: f32) -> f32 {
    if x.is_subnormal() { 0f32.copysign(x) } else { x }
}

/// Halved or doubled until it lies in `[0.5, 1)`.
fn mantissa(mut x: f64) -> f64 {
    if x != 0.0 && x.is_finite() {
        while x.abs() >= 1.0 {
            x /= 2.0;
        }
        while x.abs() < 0.5 {
            x *= 2.0;
        }
    }
    x
}

/// A NaN loses, -0 is below +0; under MODE.IEEE a signalling NaN wins.
fn least64(a: f64, b: f64) -> f64 {
    match (a.is_nan(), b.is_nan()) {
        (true, _) => b,
        (_, true) => a,
        _ if a.total_cmp(&b).is_le() => a,
        _ => b,
    }
}

fn most64(a: f64, b: f64) -> f64 {
    -least64(-a, -b)
}

fn signalling(i: &[u32; 8]) -> bool {
    [i[3] & 0xffff, i[3] >> 16].iter().any(|&h| half(h).is_nan() && h & 0x200 == 0)
}
