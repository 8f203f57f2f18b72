//! Dot products of floats: one rounding per step, and the halves that are denormal.

use super::*;
use crate::mnemonics;
use crate::reference::value;

/// The halves of a source, with MI200's flush of denormals.
fn halves(x: u32, flush: bool) -> [f64; 2] {
    [x & 0xffff, x >> 16].map(|h| if flush && h & 0x7c00 == 0 { half(h & 0x8000) } else { half(h) })
}

fn brains(x: u32) -> [f32; 2] {
    [f(x << 16), f(x & 0xffff_0000)]
}

/// `c + x0 y0 + x1 y1`
fn sum(c: f32, x: [f64; 2], y: [f64; 2]) -> f32 {
    (x[1] as f32).mul_add(y[1] as f32, (x[0] as f32).mul_add(y[0] as f32, c))
}

/// 2^24 + 1 + 1: from the left both ones are lost, from the right none.
macro_rules! order {
    ($name:literal, $one:literal) => {
        concat!("v_mov_b32 v2, ", $one, "\n\tv_mov_b32 v3, 0x4b800000\n\t", $name, " v20, v2, v2, v3")
    };
}

const HALVES: &[Case] = &[
    (9..=12, "v_dot2_f32_f16 v20, v13, v14, v10", |i| {
        one(sum(f(i[0]), halves(i[3], false), halves(i[4], false)))
    }),
    (9..=12, "v_dot2_f32_f16 v20, v13, v13, v10 neg_lo:[1,0,1] neg_hi:[0,1,0]", |i| {
        let x = halves(i[3], false);
        one(sum(-f(i[0]), [-x[0], x[1]], [x[0], -x[1]]))
    }),
    (9..=12, "v_dot2_f32_f16 v20, v13, v13, 1.0 clamp", |i| {
        let x = sum(1.0, halves(i[3], false), halves(i[3], false));
        // A NaN is 0, as the tests' DX10_CLAMP has it.
        one(if x.is_nan() { 0.0 } else { x.clamp(0.0, 1.0) })
    }),
];

const OLD_HALVES: &[Case] = &[(9..=9, "v_dot2c_f32_f16 v20, v13, v14", |i| {
    one(sum(f(KEEP), halves(i[3], false), halves(i[4], false)))
})];

const FLUSHED: &[Case] = &[
    (9..=9, "v_dot2_f32_f16 v20, v13, v14, v10", |i| {
        one(flushed(sum(flushed(f(i[0])), halves(i[3], true), halves(i[4], true))))
    }),
    (9..=9, "v_dot2c_f32_f16 v20, v13, v13", |i| one(sum(f(KEEP), halves(i[3], true), halves(i[3], true)))),
];

/// `c + x0 y0 + x1 y1` of bf16 sources 3 and 5.
fn brain(i: &[u32; 8], c: f32) -> f32 {
    let (x, y) = (brains(i[3]), brains(i[5]));
    x[1].mul_add(y[1], x[0].mul_add(y[0], c))
}

const BRAINS: &[Case] = &[
    (11..=12, order!("v_dot2_f32_bf16", "0x3f803f80"), |_| int(0x4b80_0000)),
    (11..=12, order!("v_dot2_f32_f16", "0x3c003c00"), |_| int(0x4b80_0000)),
    (11..=12, "v_dot2_f32_bf16 v20, v13, v15, v10", |i| one(brain(i, f(i[0])))),
    (11..=12, "v_dot2_f32_bf16 v20, v13, v15, v10 neg_lo:[0,0,1]", |i| one(brain(i, -f(i[0])))),
    (12..=12, "v_dual_dot2acc_f32_bf16 v20, v13, v15 :: v_dual_mov_b32 v21, v14", |i| {
        [brain(i, f(KEEP)).to_bits(), i[4]]
    }),
    (11..=12, "v_dual_dot2acc_f32_f16 v20, v13, v15 :: v_dual_mov_b32 v21, v14", |i| {
        [sum(f(KEEP), halves(i[3], false), halves(i[5], false)).to_bits(), i[4]]
    }),
    (11..=12, "v_dot2_f16_f16 v20, v13, v14, v15", |i| int(lo(rounded_halves(i, i[5])))),
    (11..=12, "v_dot2_f16_f16 v20, v13, v14, v15 op_sel:[0,0,1,1]", |i| {
        int(KEEP & 0xffff | rounded_halves(i, i[5] >> 16) << 16)
    }),
    (11..=12, "v_dot2_bf16_bf16 v20, v13, v15, v10", |i| {
        let (x, y) = (brains(i[3]), brains(i[5]));
        let step = |sum: u32, x: f32, y: f32| to_brain(f64::from(x) * f64::from(y), f64::from(f(sum << 16)));
        int(lo(step(step(i[0] & 0xffff, x[0], y[0]), x[1], y[1])))
    }),
];

/// Every step rounds to f16: the product of two halves has 22 bits, which f64 holds beside the sum unless they are
/// more than 30 binary places apart; then the larger decides.
fn rounded_halves(i: &[u32; 8], c: u32) -> u32 {
    let (x, y) = (halves(i[3], false), halves(i[4], false));
    let step = |sum: u32, x: f64, y: f64| to_half(x * y + half(sum & 0xffff));
    step(step(c, x[0], y[0]), x[1], y[1])
}

/// The bf16 nearest to a sum, by comparing with both neighbours in exact parts.
fn to_brain(a: f64, b: f64) -> u32 {
    let sum = a + b;
    if sum.is_nan() {
        return 0x7fc0;
    }
    if sum.is_infinite() {
        return if sum > 0.0 { 0x7f80 } else { 0xff80 };
    }
    // Cut towards zero, then up where the rest is more than half a step, or half and odd.
    let cut = (sum.abs() as f32).to_bits() >> 16;
    let cut = if f64::from(f(cut << 16)) > sum.abs() { cut - 1 } else { cut };
    let (low, high) = (f64::from(f(cut << 16)), f64::from(f((cut + 1) << 16)));
    let high = if high.is_infinite() { 2f64.powi(128) } else { high };
    let middle = low + (high - low) / 2.0;
    // What the f64 sum lost.
    let back = sum - a;
    let lost = ((a - (sum - back)) + (b - back)) * sum.signum();
    let up = sum.abs() > middle || sum.abs() == middle && (lost > 0.0 || lost == 0.0 && cut & 1 == 1);
    (cut + u32::from(up)) | if sum.is_sign_negative() { 0x8000 } else { 0 }
}

const GFX950: &[Case] = &[
    (9..=9, order!("v_dot2_f32_bf16", "0x3f803f80"), |_| int(0x4b80_0001)),
    // AMD's text of this one adds the accumulator last.
    (9..=9, "v_dot2_f32_bf16 v20, v13, v15, v10", |i| {
        let (x, y) = (brains(i[3]), brains(i[5]));
        one(x[1].mul_add(y[1], x[0] * y[0]) + f(i[0]))
    }),
    (9..=9, "v_dot2c_f32_bf16 v20, v13, v15", |i| one(brain(i, f(KEEP)))),
    (9..=9, "v_pk_minimum3_f16 v20, v13, v13, v13 op_sel:[0,1,0] op_sel_hi:[0,1,1]", |i| {
        let least = h0(i).min(h1(i));
        let least = if h0(i).is_nan() || h1(i).is_nan() { f64::NAN } else { least };
        let zero = h0(i) == 0.0 && h1(i) == 0.0;
        let bits = if zero { (i[3] | i[3] >> 16) & 0x8000 } else { to_half(least) };
        int(bits | bits << 16)
    }),
    (9..=9, "v_pk_maximum3_f16 v20, v13, 1.0, v13 op_sel_hi:[1,0,1]", |i| {
        let most = |x: f64| to_half(if x.is_nan() { x } else { x.max(1.0) });
        int(most(h0(i)) | most(h1(i)) << 16)
    }),
];

fn bytes(i: &[u32; 8], a: &str, b: &str, c: f32) -> f32 {
    (0..4).fold(c, |sum, k| {
        let byte = |x: u32, kind: &str| value(kind, u64::from(x >> (8 * k) & 0xff), false, false) as f32;
        byte(i[3], a).mul_add(byte(i[5], b), sum)
    })
}

const BYTES: &[Case] = &[
    (12..=12, "v_dot4_f32_fp8_fp8 v20, v13, v15, v10", |i| one(bytes(i, "fp8", "fp8", f(i[0])))),
    (12..=12, "v_dot4_f32_fp8_bf8 v20, v13, v15, v10", |i| one(bytes(i, "fp8", "bf8", f(i[0])))),
    (12..=12, "v_dot4_f32_bf8_fp8 v20, v13, v15, v10 neg_lo:[0,0,1]", |i| {
        one(bytes(i, "bf8", "fp8", -f(i[0])))
    }),
    (12..=12, "v_dot4_f32_bf8_bf8 v20, v13, v15, v10", |i| one(bytes(i, "bf8", "bf8", f(i[0])))),
];

#[test]
fn at_edge_values() {
    let newer: Vec<_> = asm::TARGETS.into_iter().filter(|t| t.0 != "gfx90a" && t.0 != "gfx1030").collect();
    check_on(&newer, HALVES);
    check_on(&[("gfx942", 9), ("gfx950", 9)], OLD_HALVES);
    check_on(&[("gfx90a", 9)], FLUSHED);
    check_on(&[("gfx1100", 11), ("gfx1200", 12)], BRAINS);
    check_on(&[("gfx950", 9)], GFX950);
    check_on(&[("gfx1200", 12)], BYTES);
}

/// gfx11 has the accumulating form as an instruction of its own.
#[test]
fn accumulating_on_gfx11() {
    const CASES: &[Case] = &[(11..=11, "v_dot2acc_f32_f16 v20, v13, v15", |i| {
        one(sum(f(KEEP), halves(i[3], false), halves(i[5], false)))
    })];
    check_on(&[("gfx1100", 11)], CASES);
}

/// Every dot product that the assembler knows is simulated.
#[test]
fn none_is_refused() {
    let clang = asm::clang();
    let names = mnemonics::names(&clang, &["v_dot"]);
    for (target, generation) in asm::TARGETS {
        let forms = names
            .iter()
            .flat_map(|name| [format!("{name} v20, v13, v14, v10"), format!("{name} v20, v13, v14")]);
        let lines: Vec<String> = forms.collect();
        let taken = mnemonics::accepted(&clang, target, &[], &lines);
        let body: Vec<_> = taken.iter().map(|&k| format!("\t{}\n", lines[k])).collect();
        let text = asm::kernel(target, generation, asm::Shape::default(), &body.concat());
        let program = asm::assemble(&clang, target, &text);
        let count = [("gfx90a", 11), ("gfx942", 11), ("gfx950", 13), ("gfx1030", 9), ("gfx1100", 12)];
        let known = count.into_iter().find(|row| row.0 == target).map_or(14, |row| row.1);
        assert_eq!(body.len(), known, "{target}: {body:?}");
        assert_eq!(program.unsupported().collect::<Vec<_>>(), [], "{target}");
    }
}
