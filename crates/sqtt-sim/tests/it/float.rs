//! Floating-point instructions at NaN, denormal, infinite and halfway values.

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

const CASES: &[Case] = &[
    (9..=12, "v_add_f32 v20, v10, v11", |i| one(f(i[0]) + f(i[1]))),
    (9..=12, "v_sub_f32 v20, v10, v11", |i| one(f(i[0]) - f(i[1]))),
    (9..=12, "v_mul_f32 v20, v10, v11", |i| one(f(i[0]) * f(i[1]))),
    (9..=12, "v_fma_f32 v20, v10, v11, v12", |i| one(f(i[0]).mul_add(f(i[1]), f(i[2])))),
    (9..=12, "v_fma_f32 v20, -v10, |v11|, v12", |i| one((-f(i[0])).mul_add(f(i[1]).abs(), f(i[2])))),
    (9..=12, "v_mov_b32 v20, v12\n\tv_fmac_f32 v20, v10, v11", |i| one(f(i[0]).mul_add(f(i[1]), f(i[2])))),
    (9..=12, "v_add_f32_e64 v20, v10, v11 clamp", |i| {
        let x = f(i[0]) + f(i[1]);
        one(if x.is_nan() {
            0.0
        } else if x > 1.0 {
            1.0
        } else if x > 0.0 {
            x
        } else {
            0.0
        })
    }),
    (9..=12, "v_mul_f32_e64 v20, v12, v12 mul:4", |i| one(f(i[2]) * f(i[2]) * 4.0)),
    (9..=11, "v_min_f32 v20, v10, v11", |i| minmax(i, true, true)),
    (9..=11, "v_max_f32 v20, v10, v11", |i| minmax(i, false, true)),
    (12..=12, "v_min_num_f32 v20, v10, v11", |i| minmax(i, true, false)),
    (12..=12, "v_maximum_f32 v20, v10, v11", |i| {
        if f(i[0]).is_nan() || f(i[1]).is_nan() { one(f32::NAN) } else { minmax(i, false, false) }
    }),
    (9..=11, "v_med3_f32 v20, v10, v12, 1.0", |i| {
        let mut v = [f(i[0]), f(i[2]), 1.0];
        if v.iter().any(|x| x.is_nan()) {
            let low = |a: f32, b: f32| {
                if a.is_nan() {
                    b
                } else if b.is_nan() {
                    a
                } else {
                    least(a, b)
                }
            };
            return one(low(low(v[0], v[1]), v[2]));
        }
        v.sort_by(f32::total_cmp);
        one(v[1])
    }),
    (9..=12, "v_floor_f32 v20, v10", |i| one(f(i[0]).floor())),
    (9..=12, "v_rndne_f32 v20, v10", |i| one(f(i[0]).round_ties_even())),
    (9..=12, "v_trunc_f32 v20, v10", |i| one(f(i[0]).trunc())),
    (9..=12, "v_rcp_f32 v20, v10", |i| one(1.0 / f(i[0]))),
    (9..=12, "v_sqrt_f32 v20, v10", |i| one(f(i[0]).sqrt())),
    (9..=12, "v_exp_f32 v20, v12", |i| one(f64::from(f(i[2])).exp2() as f32)),
    (9..=12, "v_ldexp_f32 v20, v10, -3", |i| one(f(i[0]) * 0.125)),
    (9..=12, "v_frexp_exp_i32_f32 v20, v10", |i| {
        let x = f(i[0]).abs();
        if x == 0.0 || !x.is_finite() {
            return int(0);
        }
        int((-200..200i32).find(|&e| f64::from(x) < 2f64.powi(e)).unwrap() as u32)
    }),
    (9..=12, "v_cvt_i32_f32 v20, v10", |i| {
        let x = f64::from(f(i[0]));
        int(if x.is_nan() { 0 } else { x.trunc().clamp(-2147483648.0, 2147483647.0) as i32 as u32 })
    }),
    (9..=12, "v_cvt_u32_f32 v20, v10", |i| {
        let x = f64::from(f(i[0]));
        int(if x.is_nan() { 0 } else { x.trunc().clamp(0.0, 4294967295.0) as u32 })
    }),
    (9..=12, "v_cvt_f32_u32 v20, v12", |i| one(i[2] as f32)),
    (9..=12, "v_cvt_f32_ubyte3 v20, v10", |i| one((i[0] >> 24) as f32)),
    (9..=10, "v_cvt_pkrtz_f16_f32 v20, v12, 1.0", |i| {
        let x = f64::from(f(i[2]));
        let near = to_half(x);
        let over = half(near).abs() > x.abs();
        int((if x.is_finite() && over { near - 1 } else { near }) | 0x3c00 << 16)
    }),
    (9..=9, "v_cvt_f16_f32 v20, v10", |i| {
        let r = to_half(f64::from(f(i[0])));
        int(r)
    }),
    (10..=12, "v_cmp_nlt_f32 vcc_lo, v10, v11\n\tv_cndmask_b32 v20, 0, 1, vcc_lo", |i| {
        int(u32::from(!f(i[0]).lt(&f(i[1]))))
    }),
    (10..=12, "v_cmp_lg_f32 vcc_lo, v10, v11\n\tv_cndmask_b32 v20, 0, 1, vcc_lo", |i| {
        int(u32::from(f(i[0]) < f(i[1]) || f(i[0]) > f(i[1])))
    }),
    (10..=12, "v_cmp_u_f32 vcc_lo, v10, v11\n\tv_cndmask_b32 v20, 0, 1, vcc_lo", |i| {
        int(u32::from(f(i[0]).is_nan() || f(i[1]).is_nan()))
    }),
    // Signalling NaN, negative denormal, positive denormal.
    (10..=12, "v_cmp_class_f32 vcc_lo, v10, 0x91\n\tv_cndmask_b32 v20, 0, 1, vcc_lo", |i| {
        let x = f(i[0]);
        int(u32::from(x.is_subnormal() || x.is_nan() && i[0] & 0x40_0000 == 0))
    }),
    (9..=12, "v_add_f64 v[20:21], v[14:15], v[16:17]", |i| two(d(i[4], i[5]) + d(i[6], i[7]))),
    (9..=12, "v_mul_f64 v[20:21], v[14:15], v[16:17]", |i| two(d(i[4], i[5]) * d(i[6], i[7]))),
    (9..=12, "v_fma_f64 v[20:21], v[14:15], -v[16:17], 1.0", |i| {
        two(d(i[4], i[5]).mul_add(-d(i[6], i[7]), 1.0))
    }),
    (9..=12, "v_cvt_i32_f64 v20, v[14:15]", |i| {
        let x = d(i[4], i[5]);
        int(if x.is_nan() { 0 } else { x.trunc().clamp(-2147483648.0, 2147483647.0) as i32 as u32 })
    }),
    (9..=12, "v_cvt_f32_f64 v20, v[14:15]", |i| one(d(i[4], i[5]) as f32)),
    (9..=12, "v_cvt_f64_f32 v[20:21], v10", |i| two(f64::from(f(i[0])))),
    (9..=12, "v_rcp_f64 v[20:21], v[14:15]", |i| two(1.0 / d(i[4], i[5]))),
    (10..=12, "v_add_f64 v[20:21], v[14:15], 0x40490fdb", |i| {
        two(d(i[4], i[5]) + f64::from_bits(0x4049_0fdb_0000_0000))
    }),
    (9..=9, "v_add_f16 v20, v13, v13", |i| int(to_half(half(i[3] & 0xffff) * 2.0))),
    (10..=10, "v_mul_f16 v20, v13, v13", |i| int(lo(to_half(half(i[3] & 0xffff) * half(i[3] & 0xffff))))),
    (11..=11, "v_add_f16 v20.l, v13.l, v13.h", |i| int(lo(to_half(half(i[3] & 0xffff) + half(i[3] >> 16))))),
    (12..=12, "v_add_f16 v20, v13, v13", |i| int(lo(to_half(half(i[3] & 0xffff) * 2.0)))),
    (9..=12, "v_pk_add_f16 v20, v13, v13 op_sel:[0,1] op_sel_hi:[0,1] neg_lo:[0,1]", |i| {
        let (a, b) = (half(i[3] & 0xffff), half(i[3] >> 16));
        int(to_half(a - b) | to_half(a + b) << 16)
    }),
    (9..=12, "v_pk_mul_f16 v20, v13, 2.0 op_sel_hi:[1,0]", |i| {
        int(to_half(half(i[3] & 0xffff) * 2.0) | to_half(half(i[3] >> 16) * 2.0) << 16)
    }),
    (9..=12, "v_fma_mix_f32 v20, v13, v13, v10 op_sel:[0,1,0] op_sel_hi:[1,1,0]", |i| {
        one((half(i[3] & 0xffff) as f32).mul_add(half(i[3] >> 16) as f32, f(i[0])))
    }),
    (9..=9, "v_pk_fma_f32 v[20:21], v[10:11], v[10:11], v[12:13] op_sel:[0,1,0] op_sel_hi:[1,0,0]", |i| {
        let r = f(i[0]).mul_add(f(i[1]), f(i[2]));
        [r.to_bits(), r.to_bits()]
    }),
    (9..=9, "v_pk_mul_f32 v[20:21], v[10:11], v[12:13] op_sel_hi:[0,0] neg_hi:[1,0]", |i| {
        [(f(i[0]) * f(i[2])).to_bits(), (-f(i[0]) * f(i[2])).to_bits()]
    }),
    // Flushed denormals: MODE bits 5:4 off around the instruction.
    (10..=12, "s_denorm_mode 12\n\tv_mul_f32 v20, v10, 1.0\n\ts_denorm_mode 15", |i| {
        let x = f(i[0]);
        one(if x.is_subnormal() { x * 0.0 } else { x })
    }),
    (
        9..=9,
        "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 4, 2), 0\n\tv_add_f32 v20, v10, -0.5\n\ts_setreg_imm32_b32 hwreg(HW_REG_MODE, 4, 2), 3",
        |i| {
            let x = f(i[0]);
            one((if x.is_subnormal() { 0.0 } else { x }) - 0.5)
        },
    ),
];

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

#[test]
fn float_instructions_at_edge_values() {
    check(CASES);
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
