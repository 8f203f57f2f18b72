//! Vector f64.

use super::{Class, Table, def, f32 as single};
use crate::fp;
use crate::inst::Inst;
use crate::lanes::{d, finish64, rd, rd64, wr, wr64};
use crate::wave::{Wave, ZERO, ZERO64};

macro_rules! d1 {
    ($f:expr) => {
        def(Class::Double, |w, _, i| {
            d(w, i, |[a]| $f(a));
            Ok(())
        })
    };
}
macro_rules! d2 {
    ($f:expr) => {
        def(Class::Double, |w, _, i| {
            d::<2>(w, i, $f);
            Ok(())
        })
    };
}
/// Minimum and maximum under MODE.IEEE.
macro_rules! mm {
    ($f:expr) => {
        def(Class::Double, |w, _, i| {
            let ieee = w.mode.ieee;
            d::<2>(w, i, |s| $f(s, ieee));
            Ok(())
        })
    };
}
macro_rules! d3 {
    ($f:expr) => {
        def(Class::Double, |w, _, i| {
            d::<3>(w, i, $f);
            Ok(())
        })
    };
}

fn canonical(a: f64, r: f64) -> f64 {
    match (a.is_nan(), r.is_nan()) {
        (true, _) => fp::quiet64(a),
        (_, true) => f64::from_bits(fp::QNAN64),
        _ => r,
    }
}

fn rsq(x: f64) -> f64 {
    if x == 0.0 { 1.0 / x } else { 1.0 / x.sqrt() }
}

fn fract(x: f64) -> f64 {
    // `f64::min` would lose the NaN that an infinity gives.
    let (r, below_one) = (x - x.floor(), f64::from_bits(0x3fef_ffff_ffff_ffff));
    canonical(x, if r > below_one { below_one } else { r })
}

fn exponent(x: f64) -> i32 {
    (x.to_bits() >> 52 & 0x7ff) as i32
}

/// Scales like the f32 form, with 2^128. From AMD's RDNA4 ISA description, `V_DIV_SCALE_F64`.
fn div_scale([x, d, n]: [f64; 3]) -> (f64, bool) {
    let up = |x: f64| x * 2f64.powi(128);
    let down = |x: f64| x * 2f64.powi(-128);
    // Whether 1/d or n/d is denormal (or vanishes), seen by exponents: the quotients themselves may round.
    let tiny = |q: f64| q.abs() < f64::MIN_POSITIVE;
    if n == 0.0 || d == 0.0 {
        return (f64::from_bits(fp::QNAN64), false);
    }
    if exponent(n) - exponent(d) >= 768 {
        return (if x == d { up(x) } else { x }, true);
    }
    if exponent(d) == 0 {
        return (up(x), false);
    }
    match (tiny(1.0 / d), tiny(n / d)) {
        (true, true) => (if x == d { down(x) } else { x }, true),
        (true, false) => (down(x), false),
        (false, true) => (if x == n { up(x) } else { x }, true),
        _ if exponent(n) <= 53 => (up(x), false),
        _ => (x, false),
    }
}

fn div_fixup([q, d, n]: [f64; 3]) -> f64 {
    let negative = d.is_sign_negative() != n.is_sign_negative();
    let sign = |x: f64| if negative { -x } else { x };
    if n.is_nan() {
        return fp::quiet64(n);
    }
    if d.is_nan() {
        return fp::quiet64(d);
    }
    if d == 0.0 && n == 0.0 || d.is_infinite() && n.is_infinite() {
        return f64::from_bits(0xfff8 << 48);
    }
    if d == 0.0 || n.is_infinite() {
        return sign(f64::INFINITY);
    }
    if d.is_infinite() || n == 0.0 || exponent(n) - exponent(d) < -1075 {
        return sign(0.0);
    }
    // Between finite operands only an overflow makes the estimate a NaN.
    sign(if q.is_nan() { f64::INFINITY } else { q.abs() })
}

fn scale_lanes(w: &mut Wave, i: &Inst) {
    let (mut a, mut b, mut c) = (ZERO64, ZERO64, ZERO64);
    rd64(w, &i.ops[2], &mut a, true);
    rd64(w, &i.ops[3], &mut b, true);
    rd64(w, &i.ops[4], &mut c, true);
    let mut vcc = 0u64;
    for l in 0..w.n {
        let (r, flag) = div_scale([a[l], b[l], c[l]].map(f64::from_bits));
        a[l] = r.to_bits();
        vcc |= u64::from(flag) << l;
    }
    let vcc = vcc & w.exec();
    finish64(w, i, &mut a);
    wr64(w, &i.ops[0], &a);
    w.set_mask(&i.ops[1], vcc);
}

fn fmas_lanes(w: &mut Wave, i: &Inst) {
    let (mut a, mut b, mut c) = (ZERO64, ZERO64, ZERO64);
    rd64(w, &i.ops[1], &mut a, true);
    rd64(w, &i.ops[2], &mut b, true);
    rd64(w, &i.ops[3], &mut c, true);
    let vcc = w.vcc();
    for l in 0..w.n {
        let src = [a[l], b[l], c[l]].map(f64::from_bits);
        let mut x = fp::fma_d(src);
        if vcc >> l & 1 != 0 {
            x = single::ldexp(x, if exponent(src[2]) > 1023 { 128 } else { -128 });
        }
        a[l] = x.to_bits();
    }
    finish64(w, i, &mut a);
    wr64(w, &i.ops[0], &a);
}

fn fmac(w: &mut Wave, i: &Inst) {
    let (mut a, mut b, mut c) = (ZERO64, ZERO64, ZERO64);
    rd64(w, &i.ops[1], &mut a, true);
    rd64(w, &i.ops[2], &mut b, true);
    rd64(w, &i.ops[0], &mut c, true);
    for l in 0..w.n {
        c[l] = fp::fma_d([fp::in64(w, a[l]), fp::in64(w, b[l]), fp::in64(w, c[l])]).to_bits();
    }
    finish64(w, i, &mut c);
    wr64(w, &i.ops[0], &c);
}

pub(super) const TABLE: Table = &[
    ("v_add_f64", d2!(fp::add_d)),
    ("v_mul_f64", d2!(fp::mul_d)),
    ("v_min_f64 v_min_num_f64", mm!(fp::lower)),
    ("v_max_f64 v_max_num_f64", mm!(fp::higher)),
    ("v_minimum_f64", d2!(fp::minimum)),
    ("v_maximum_f64", d2!(fp::maximum)),
    ("v_fma_f64", d3!(fp::fma_d)),
    (
        "v_fmac_f64",
        def(Class::Double, |w, _, i| {
            fmac(w, i);
            Ok(())
        }),
    ),
    ("v_ceil_f64", d1!(|a: f64| fp::quiet64(a.ceil()))),
    ("v_floor_f64", d1!(|a: f64| fp::quiet64(a.floor()))),
    ("v_trunc_f64", d1!(|a: f64| fp::quiet64(a.trunc()))),
    ("v_rndne_f64", d1!(|a: f64| fp::quiet64(a.round_ties_even()))),
    ("v_fract_f64", d1!(fract)),
    ("v_rcp_f64", d1!(|a: f64| canonical(a, 1.0 / a))),
    ("v_rsq_f64", d1!(|a: f64| canonical(a, rsq(a)))),
    ("v_sqrt_f64", d1!(|a: f64| canonical(a, a.sqrt()))),
    ("v_frexp_mant_f64", d1!(single::frexp_mant)),
    (
        "v_frexp_exp_i32_f64",
        def(Class::Double, |w, _, i| {
            let (mut a, mut out) = (ZERO64, ZERO);
            rd64(w, &i.ops[1], &mut a, true);
            for l in 0..w.n {
                out[l] = single::frexp_exp(f64::from_bits(a[l])).cast_unsigned();
            }
            wr(w, &i.ops[0], &out);
            Ok(())
        }),
    ),
    (
        "v_ldexp_f64",
        def(Class::Double, |w, _, i| {
            let (mut a, mut b) = (ZERO64, ZERO);
            rd64(w, &i.ops[1], &mut a, true);
            {
                let e = rd(w, &i.ops[2], &mut b);
                for l in 0..w.n {
                    let x = single::ldexp(fp::in64(w, a[l]), e[l].cast_signed());
                    a[l] = fp::quiet64(x).to_bits();
                }
            }
            finish64(w, i, &mut a);
            wr64(w, &i.ops[0], &a);
            Ok(())
        }),
    ),
    (
        "v_div_scale_f64",
        def(Class::Double, |w, _, i| {
            scale_lanes(w, i);
            Ok(())
        }),
    ),
    (
        "v_div_fmas_f64",
        def(Class::Double, |w, _, i| {
            fmas_lanes(w, i);
            Ok(())
        }),
    ),
    ("v_div_fixup_f64", d3!(div_fixup)),
];
