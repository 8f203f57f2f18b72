//! Vector f16: every operation exact in f64 (or rounded to odd), then one rounding.

use super::{Class, Table, def, f32 as single};
use crate::fp;
use crate::inst::Inst;
use crate::lanes::{hf, rd16, wr16};
use crate::wave::{Wave, ZERO};

macro_rules! h1 {
    ($f:expr) => {
        def(Class::Float, |w, _, i| {
            hf(w, i, |[a]| $f(a));
            Ok(())
        })
    };
}
macro_rules! trans {
    ($f:expr) => {
        def(Class::Trans, |w, _, i| {
            hf(w, i, |[a]| $f(a));
            Ok(())
        })
    };
}
macro_rules! h2 {
    ($f:expr) => {
        def(Class::Float, |w, _, i| {
            hf::<2>(w, i, $f);
            Ok(())
        })
    };
}
/// Minimum, maximum and median under MODE.IEEE.
macro_rules! mm {
    (|$s:pat_param, $ieee:ident| $e:expr) => {
        def(Class::Float, |w, _, i| {
            let $ieee = w.mode.ieee;
            hf(w, i, |$s| $e);
            Ok(())
        })
    };
}
macro_rules! h3 {
    ($f:expr) => {
        def(Class::Float, |w, _, i| {
            hf::<3>(w, i, $f);
            Ok(())
        })
    };
}

/// The product of two f16 is exact in f64; the sum is rounded to odd.
pub(super) fn fma([a, b, c]: [f64; 3]) -> f64 {
    let r = fp::add_odd(a * b, c);
    if r.is_nan() { fp::fma_d([a, b, c]) } else { r }
}

pub(super) fn canonical(a: f64, r: f64) -> f64 {
    match (a.is_nan(), r.is_nan()) {
        (true, _) => fp::quiet64(a),
        (_, true) => f64::from_bits(fp::QNAN64),
        _ => r,
    }
}

pub(super) fn rsq(x: f64) -> f64 {
    if x == 0.0 { 1.0 / x } else { 1.0 / x.sqrt() }
}

fn fract(x: f64) -> f64 {
    // The largest f16 below one.
    let r = x - x.floor();
    canonical(x, if r > 1.0 - 2f64.powi(-11) { 1.0 - 2f64.powi(-11) } else { r })
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
    if d.is_infinite() || n == 0.0 {
        return sign(0.0);
    }
    sign(q.abs())
}

/// The destination is the third source.
fn fmac(w: &mut Wave, i: &Inst) {
    let (mut a, mut b, mut c, mut out) = (ZERO, ZERO, ZERO, ZERO);
    rd16(w, &i.ops[1], &mut a);
    rd16(w, &i.ops[2], &mut b);
    rd16(w, &crate::inst::Src { neg: false, abs: false, ..i.ops[0] }, &mut c);
    for l in 0..w.n {
        out[l] = fp::out16(w, i, fma([fp::in16(w, a[l]), fp::in16(w, b[l]), fp::in16(w, c[l])]));
    }
    wr16(w, i, &out);
}

pub(super) const TABLE: Table = &[
    ("v_add_f16", h2!(fp::add_d)),
    ("v_sub_f16", h2!(|[a, b]| fp::add_d([a, -b]))),
    ("v_subrev_f16", h2!(|[a, b]| fp::add_d([b, -a]))),
    ("v_mul_f16", h2!(fp::mul_d)),
    ("v_min_f16 v_min_num_f16", mm!(|s, m| fp::lower(s, m))),
    ("v_max_f16 v_max_num_f16", mm!(|s, m| fp::higher(s, m))),
    ("v_minimum_f16", h2!(fp::minimum)),
    ("v_maximum_f16", h2!(fp::maximum)),
    ("v_min3_f16 v_min3_num_f16", mm!(|[a, b, c], m| fp::lower([fp::lower([a, b], m), c], m))),
    ("v_max3_f16 v_max3_num_f16", mm!(|[a, b, c], m| fp::higher([fp::higher([a, b], m), c], m))),
    ("v_med3_f16 v_med3_num_f16", mm!(|s, m| fp::med3(s, m))),
    ("v_maxmin_f16 v_maxmin_num_f16", mm!(|[a, b, c], m| fp::lower([fp::higher([a, b], m), c], m))),
    ("v_minmax_f16 v_minmax_num_f16", mm!(|[a, b, c], m| fp::higher([fp::lower([a, b], m), c], m))),
    ("v_minimum3_f16", h3!(|[a, b, c]| fp::minimum([fp::minimum([a, b]), c]))),
    ("v_maximum3_f16", h3!(|[a, b, c]| fp::maximum([fp::maximum([a, b]), c]))),
    ("v_minimummaximum_f16", h3!(|[a, b, c]| fp::maximum([fp::minimum([a, b]), c]))),
    ("v_maximumminimum_f16", h3!(|[a, b, c]| fp::minimum([fp::maximum([a, b]), c]))),
    ("v_fma_f16 v_fmaak_f16 v_fmamk_f16", h3!(fma)),
    (
        "v_fmac_f16",
        def(Class::Float, |w, _, i| {
            fmac(w, i);
            Ok(())
        }),
    ),
    ("v_ceil_f16", h1!(|a: f64| fp::quiet64(a.ceil()))),
    ("v_floor_f16", h1!(|a: f64| fp::quiet64(a.floor()))),
    ("v_trunc_f16", h1!(|a: f64| fp::quiet64(a.trunc()))),
    ("v_rndne_f16", h1!(|a: f64| fp::quiet64(a.round_ties_even()))),
    ("v_fract_f16", h1!(fract)),
    ("v_rcp_f16", trans!(|a: f64| canonical(a, 1.0 / a))),
    ("v_sqrt_f16", trans!(|a: f64| canonical(a, a.sqrt()))),
    ("v_rsq_f16", trans!(|a: f64| canonical(a, rsq(a)))),
    ("v_exp_f16", trans!(|a: f64| canonical(a, a.exp2()))),
    ("v_log_f16", trans!(|a: f64| canonical(a, a.log2()))),
    ("v_sin_f16", trans!(|a: f64| canonical(a, single::sin_turns(a)))),
    ("v_cos_f16", trans!(|a: f64| canonical(a, single::cos_turns(a)))),
    ("v_frexp_mant_f16", h1!(single::frexp_mant)),
    (
        "v_frexp_exp_i16_f16",
        def(Class::Float, |w, _, i| {
            let mut a = ZERO;
            rd16(w, &i.ops[1], &mut a);
            a.iter_mut().for_each(|x| *x = single::frexp_exp(fp::from16(*x)).cast_unsigned());
            wr16(w, i, &a);
            Ok(())
        }),
    ),
    (
        "v_ldexp_f16",
        def(Class::Float, |w, _, i| {
            let (mut a, mut b) = (ZERO, ZERO);
            rd16(w, &i.ops[1], &mut a);
            rd16(w, &i.ops[2], &mut b);
            for l in 0..w.n {
                let e = i32::from((b[l] as u16).cast_signed());
                a[l] = fp::out16(w, i, single::ldexp(fp::in16(w, a[l]), e));
            }
            wr16(w, i, &a);
            Ok(())
        }),
    ),
    ("v_div_fixup_f16", h3!(div_fixup)),
];
