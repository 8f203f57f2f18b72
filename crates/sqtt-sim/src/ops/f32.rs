//! Vector f32. Transcendentals are correctly rounded (computed in f64); hardware approximates them to about
//! one unit in the last place, so their low bits may differ from a GPU's.

use super::{Class, Table, def};
use crate::fp;
use crate::inst::Inst;
use crate::lanes::{f, f_plain, finish32, fma, fmac, rd, u1, wr};
use crate::wave::{Wave, ZERO};

macro_rules! f1 {
    ($f:expr) => {
        def(Class::Float, |w, _, i| {
            f(w, i, |[a]| $f(a));
            Ok(())
        })
    };
}
macro_rules! trans {
    ($f:expr) => {
        def(Class::Trans, |w, _, i| {
            f(w, i, |[a]| $f(a));
            Ok(())
        })
    };
}
macro_rules! f2 {
    ($f:expr) => {
        def(Class::Float, |w, _, i| {
            f::<2>(w, i, $f);
            Ok(())
        })
    };
}
/// The operation, and the one that also says which NaN.
macro_rules! plain {
    ($plain:expr, $exact:expr) => {
        def(Class::Float, |w, _, i| {
            f_plain::<2>(w, i, $plain, $exact);
            Ok(())
        })
    };
}
/// Minimum, maximum and median under MODE.IEEE, in f64.
macro_rules! mm {
    (|$s:pat_param, $ieee:ident| $e:expr) => {
        def(Class::Float, |w, _, i| {
            let $ieee = w.mode.ieee;
            f(w, i, |s| fp::widen(s, |$s| $e));
            Ok(())
        })
    };
}
macro_rules! f3 {
    ($f:expr) => {
        def(Class::Float, |w, _, i| {
            f::<3>(w, i, $f);
            Ok(())
        })
    };
}

fn via(x: f32, f: impl Fn(f64) -> f64) -> f32 {
    if x.is_nan() { fp::quiet32(x) } else { canonical(f(f64::from(x)) as f32) }
}

/// An invalid operation yields the positive quiet NaN.
fn canonical(x: f32) -> f32 {
    if x.is_nan() { f32::from_bits(fp::QNAN32) } else { x }
}

pub(super) fn exp2(x: f32) -> f32 {
    via(x, f64::exp2)
}

pub(super) fn log2(x: f32) -> f32 {
    via(x, f64::log2)
}

pub(super) fn rcp(x: f32) -> f32 {
    via(x, |x| 1.0 / x)
}

pub(super) fn rsq(x: f32) -> f32 {
    via(x, |x| if x == 0.0 { 1.0 / x } else { 1.0 / x.sqrt() })
}

pub(super) fn sqrt(x: f32) -> f32 {
    via(x, f64::sqrt)
}

/// Sine of revolutions.
pub(super) fn sin_turns(x: f64) -> f64 {
    if x.is_infinite() { f64::NAN } else { ((x - x.round()) * std::f64::consts::TAU).sin() }
}

/// Cosine of revolutions.
pub(super) fn cos_turns(x: f64) -> f64 {
    if x.is_infinite() { f64::NAN } else { ((x - x.round()) * std::f64::consts::TAU).cos() }
}

fn fract(x: f32) -> f32 {
    if x.is_nan() || x.is_infinite() {
        return if x.is_nan() { fp::quiet32(x) } else { f32::from_bits(fp::QNAN32) };
    }
    (x - x.floor()).min(f32::from_bits(0x3f7f_ffff))
}

/// Exponent such that `x = mantissa · 2^exponent`, mantissa in `[0.5, 1)`; 0 for zero, infinity, NaN.
pub(super) fn frexp_exp(x: f64) -> i32 {
    if x == 0.0 || !x.is_finite() {
        return 0;
    }
    let bits = x.to_bits() >> 52 & 0x7ff;
    if bits == 0 { frexp_exp(x * 2f64.powi(64)) - 64 } else { bits as i32 - 1022 }
}

/// See [`frexp_exp`].
pub(super) fn frexp_mant(x: f64) -> f64 {
    if x == 0.0 || !x.is_finite() {
        return fp::quiet64(x);
    }
    ldexp(x, -frexp_exp(x))
}

/// `x · 2^e` with one rounding for results in the f64 range.
pub(super) fn ldexp(mut x: f64, e: i32) -> f64 {
    let mut e = e.clamp(-4400, 4400);
    while e > 1000 {
        x *= 2f64.powi(1000);
        e -= 1000;
    }
    // Going down through the normal range first keeps a single rounding at the last step.
    while e < -1000 {
        let step = (-e).min(960);
        if x.abs() < 2f64.powi(-60) {
            break;
        }
        x *= 2f64.powi(-step);
        e += step;
    }
    if e < -1022 { x * 0.0 } else { x * 2f64.powi(e) }
}

fn mul_legacy([a, b]: [f32; 2]) -> f32 {
    if a == 0.0 || b == 0.0 { 0.0 } else { fp::mul([a, b]) }
}

fn exponent(x: f32) -> i32 {
    (x.to_bits() >> 23 & 0xff) as i32
}

/// Scales a division's operand so that the following Newton steps neither overflow nor lose bits; VCC tells
/// `v_div_fmas` to undo it. From AMD's RDNA4 ISA description, `V_DIV_SCALE_F32`.
pub(super) fn div_scale([x, d, n]: [f32; 3]) -> (f32, bool) {
    let denormal = |q: f64| q != 0.0 && q.abs() < f64::from(f32::MIN_POSITIVE);
    let up = |x: f32| (f64::from(x) * 2f64.powi(64)) as f32;
    let down = |x: f32| (f64::from(x) * 2f64.powi(-64)) as f32;
    let (reciprocal, quotient) = (1.0 / f64::from(d), f64::from(n) / f64::from(d));
    if n == 0.0 || d == 0.0 {
        return (f32::from_bits(fp::QNAN32), false);
    }
    if exponent(n) - exponent(d) >= 96 {
        return (if x == d { up(x) } else { x }, true);
    }
    if exponent(d) == 0 {
        return (up(x), false);
    }
    match (denormal(reciprocal), denormal(quotient)) {
        // Scaling the denominator down scales the quotient up, out of the denormals.
        (true, true) => (if x == d { down(x) } else { x }, true),
        (true, false) => (down(x), false),
        (false, true) => (if x == n { up(x) } else { x }, true),
        _ if exponent(n) <= 23 => (up(x), false),
        _ => (x, false),
    }
}

fn div_fixup([q, d, n]: [f32; 3]) -> f32 {
    let negative = d.is_sign_negative() != n.is_sign_negative();
    let sign = |x: f32| if negative { -x } else { x };
    if n.is_nan() {
        return fp::quiet32(n);
    }
    if d.is_nan() {
        return fp::quiet32(d);
    }
    if d == 0.0 && n == 0.0 || d.is_infinite() && n.is_infinite() {
        return f32::from_bits(0xffc0_0000);
    }
    if d == 0.0 || n.is_infinite() {
        return sign(f32::INFINITY);
    }
    if d.is_infinite() || n == 0.0 || exponent(n) - exponent(d) < -150 {
        return sign(0.0);
    }
    // Between finite operands only an overflow makes the estimate a NaN.
    sign(if q.is_nan() { f32::INFINITY } else { q.abs() })
}

fn div_scale_lanes(w: &mut Wave, i: &Inst) {
    let mut buf = [ZERO; 3];
    let mut out = ZERO;
    let mut vcc = 0u64;
    {
        let [b0, b1, b2] = &mut buf;
        let (a, b, c) = (rd(w, &i.ops[2], b0), rd(w, &i.ops[3], b1), rd(w, &i.ops[4], b2));
        for l in 0..w.n {
            let (r, flag) = div_scale([a[l], b[l], c[l]].map(f32::from_bits));
            out[l] = r.to_bits();
            vcc |= u64::from(flag) << l;
        }
    }
    let vcc = vcc & w.exec();
    finish32(w, i, &mut out);
    wr(w, &i.ops[0], &out);
    w.set_mask(&i.ops[1], vcc);
}

fn div_fmas_lanes(w: &mut Wave, i: &Inst) {
    let mut buf = [ZERO; 3];
    let mut out = ZERO;
    {
        let vcc = w.vcc();
        let [b0, b1, b2] = &mut buf;
        let (a, b, c) = (rd(w, &i.ops[1], b0), rd(w, &i.ops[2], b1), rd(w, &i.ops[3], b2));
        for l in 0..w.n {
            let [a, b, c] = [a[l], b[l], c[l]].map(f32::from_bits);
            let x = if vcc >> l & 1 == 0 {
                fp::fma([a, b, c])
            } else {
                // One rounding: the scale is applied to the odd-rounded sum.
                let scale = if exponent(c) > 127 { 2f64.powi(64) } else { 2f64.powi(-64) };
                let sum = fp::add_odd(f64::from(a) * f64::from(b), f64::from(c));
                if sum.is_nan() { fp::fma([a, b, c]) } else { (sum * scale) as f32 }
            };
            out[l] = x.to_bits();
        }
    }
    finish32(w, i, &mut out);
    wr(w, &i.ops[0], &out);
}

pub(super) const TABLE: Table = &[
    ("v_add_f32", plain!(|[a, b]| a + b, fp::add)),
    ("v_sub_f32", plain!(|[a, b]| a - b, fp::sub)),
    ("v_subrev_f32", plain!(|[a, b]| b - a, |[a, b]| fp::sub([b, a]))),
    ("v_mul_f32", plain!(|[a, b]| a * b, fp::mul)),
    ("v_mul_legacy_f32 v_mul_dx9_zero_f32", f2!(mul_legacy)),
    ("v_min_f32 v_min_num_f32", mm!(|s, m| fp::lower(s, m))),
    ("v_max_f32 v_max_num_f32", mm!(|s, m| fp::higher(s, m))),
    ("v_minimum_f32", f2!(|s| fp::widen(s, fp::minimum))),
    ("v_maximum_f32", f2!(|s| fp::widen(s, fp::maximum))),
    ("v_min3_f32 v_min3_num_f32", mm!(|[a, b, c], m| fp::lower([fp::lower([a, b], m), c], m))),
    ("v_max3_f32 v_max3_num_f32", mm!(|[a, b, c], m| fp::higher([fp::higher([a, b], m), c], m))),
    ("v_med3_f32 v_med3_num_f32", mm!(|s, m| fp::med3(s, m))),
    ("v_maxmin_f32 v_maxmin_num_f32", mm!(|[a, b, c], m| fp::lower([fp::higher([a, b], m), c], m))),
    ("v_minmax_f32 v_minmax_num_f32", mm!(|[a, b, c], m| fp::higher([fp::lower([a, b], m), c], m))),
    ("v_minimum3_f32", f3!(|[a, b, c]| fp::widen([fp::widen([a, b], fp::minimum), c], fp::minimum))),
    ("v_maximum3_f32", f3!(|[a, b, c]| fp::widen([fp::widen([a, b], fp::maximum), c], fp::maximum))),
    ("v_minimummaximum_f32", f3!(|[a, b, c]| fp::widen([fp::widen([a, b], fp::minimum), c], fp::maximum))),
    ("v_maximumminimum_f32", f3!(|[a, b, c]| fp::widen([fp::widen([a, b], fp::maximum), c], fp::minimum))),
    (
        "v_fma_f32 v_fmaak_f32 v_fmamk_f32",
        def(Class::Float, |w, _, i| {
            fma(w, i, 3);
            Ok(())
        }),
    ),
    ("v_mad_f32 v_madak_f32 v_madmk_f32", f3!(mad)),
    (
        "v_fmac_f32",
        def(Class::Float, |w, _, i| {
            fma(w, i, 0);
            Ok(())
        }),
    ),
    (
        "v_mac_f32",
        def(Class::Float, |w, _, i| {
            fmac(w, i, mad);
            Ok(())
        }),
    ),
    ("v_ceil_f32", f1!(|a: f32| fp::quiet32(a.ceil()))),
    ("v_floor_f32", f1!(|a: f32| fp::quiet32(a.floor()))),
    ("v_trunc_f32", f1!(|a: f32| fp::quiet32(a.trunc()))),
    ("v_rndne_f32", f1!(|a: f32| fp::quiet32(a.round_ties_even()))),
    ("v_fract_f32", f1!(fract)),
    ("v_exp_f32", trans!(exp2)),
    ("v_log_f32", trans!(log2)),
    ("v_rcp_f32 v_rcp_iflag_f32", trans!(rcp)),
    ("v_rsq_f32", trans!(rsq)),
    ("v_sqrt_f32", trans!(sqrt)),
    ("v_sin_f32", trans!(|a| via(a, sin_turns))),
    ("v_cos_f32", trans!(|a| via(a, cos_turns))),
    ("v_frexp_mant_f32", f1!(|a| fp::narrow(frexp_mant(fp::wide(a))))),
    (
        "v_frexp_exp_i32_f32",
        def(Class::Float, |w, _, i| {
            u1(w, i, |a| frexp_exp(fp::wide(f32::from_bits(a))).cast_unsigned());
            Ok(())
        }),
    ),
    (
        "v_ldexp_f32",
        def(Class::Float, |w, _, i| {
            let flush = w.mode.flush_in32;
            f(w, i, |[a, e]: [f32; 2]| {
                let a = if flush { fp::flush32(a) } else { a };
                fp::narrow(ldexp(fp::wide(a), e.to_bits().cast_signed()))
            });
            Ok(())
        }),
    ),
    (
        "v_div_scale_f32",
        def(Class::Float, |w, _, i| {
            div_scale_lanes(w, i);
            Ok(())
        }),
    ),
    (
        "v_div_fmas_f32",
        def(Class::Float, |w, _, i| {
            div_fmas_lanes(w, i);
            Ok(())
        }),
    ),
    ("v_div_fixup_f32", f3!(div_fixup)),
];

/// `v_mad_f32` flushes denormals whatever the mode says.
fn mad(src: [f32; 3]) -> f32 {
    fp::flush32(fp::mad(src.map(fp::flush32)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The compiler's division sequence on these pieces gives the correctly rounded quotient.
    fn divide(n: f32, d: f32) -> f32 {
        let (ds, _) = div_scale([d, d, n]);
        let (ns, vcc) = div_scale([n, d, n]);
        let r = rcp(ds);
        let e = fp::fma([-ds, r, 1.0]);
        let r = fp::fma([e, r, r]);
        let q = fp::mul([ns, r]);
        let e = fp::fma([-ds, q, ns]);
        let q = fp::fma([e, r, q]);
        let e = fp::fma([-ds, q, ns]);
        let scale = if exponent(q) > 127 { 64 } else { -64 };
        let q = if vcc {
            (fp::add_odd(f64::from(e) * f64::from(r), f64::from(q)) * 2f64.powi(scale)) as f32
        } else {
            fp::fma([e, r, q])
        };
        div_fixup([q, d, n])
    }

    #[test]
    fn division_is_correctly_rounded_at_the_edges() {
        let values = [
            1.0,
            3.0,
            -7.5,
            1e-38,
            1e-45,
            3e-39,
            1.7e38,
            f32::MAX,
            f32::MIN_POSITIVE,
            1e10,
            1e-10,
            0.1,
            2.0,
            f32::from_bits(0x007f_ffff),
            5e-42,
            -1e30,
            9.9e-30,
        ];
        for n in values {
            for d in values {
                assert_eq!(divide(n, d).to_bits(), (n / d).to_bits(), "{n:e} / {d:e}");
            }
        }
        assert_eq!(divide(1.0, 0.0), f32::INFINITY);
        assert_eq!(divide(-0.0, 5.0).to_bits(), 0x8000_0000);
        assert!(divide(0.0, 0.0).is_nan());
    }

    #[test]
    fn ldexp_and_frexp() {
        assert_eq!(ldexp(1.0, 1023), 2f64.powi(1023));
        assert_eq!(ldexp(1.0, 5000), f64::INFINITY);
        assert_eq!(ldexp(1.0, -1074), f64::from_bits(1));
        assert_eq!(ldexp(2f64.powi(1000), -2000), 2f64.powi(-1000));
        assert_eq!(ldexp(-1.0, -5000).to_bits(), 1 << 63);
        assert_eq!((frexp_exp(8.0), frexp_mant(8.0)), (4, 0.5));
        assert_eq!(frexp_exp(f64::from_bits(1)), -1073);
    }
}
