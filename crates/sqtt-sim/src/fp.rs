//! Floating point as the hardware does it: single roundings, NaN rules, denormal modes, f16 in software.
//!
//! Rounding is to nearest even; a program that sets another rounding mode is refused.
//! A NaN result is the first NaN operand, quieted; without a NaN operand it is the positive quiet NaN.

use crate::inst::Inst;
use crate::wave::Wave;

pub(crate) const QNAN32: u32 = 0x7fc0_0000;
pub(crate) const QNAN64: u64 = 0x7ff8_0000_0000_0000;

pub(crate) fn flush32(x: f32) -> f32 {
    if x.abs() < f32::MIN_POSITIVE { f32::from_bits(x.to_bits() & 0x8000_0000) } else { x }
}

pub(crate) fn flush64(x: f64) -> f64 {
    if x.abs() < f64::MIN_POSITIVE { f64::from_bits(x.to_bits() & 1 << 63) } else { x }
}

/// Clamp to `[0, 1]`; NaN becomes 0 with DX10_CLAMP.
pub(crate) fn clamp32(x: f32, dx10: bool) -> f32 {
    if x.is_nan() {
        return if dx10 { 0.0 } else { x };
    }
    if x > 1.0 {
        1.0
    } else if x > 0.0 {
        x
    } else {
        0.0
    }
}

/// Clamps like [`clamp32`], for f64.
pub(crate) fn clamp64(x: f64, dx10: bool) -> f64 {
    if x.is_nan() {
        return if dx10 { 0.0 } else { x };
    }
    if x > 1.0 {
        1.0
    } else if x > 0.0 {
        x
    } else {
        0.0
    }
}

pub(crate) fn quiet32(x: f32) -> f32 {
    if x.is_nan() { f32::from_bits(x.to_bits() | 0x0040_0000) } else { x }
}

pub(crate) fn quiet64(x: f64) -> f64 {
    if x.is_nan() { f64::from_bits(x.to_bits() | 1 << 51) } else { x }
}

/// Gives a NaN result its operand's payload.
#[inline(always)]
fn nan<const N: usize>(r: f32, src: [f32; N]) -> f32 {
    if r.is_nan() {
        for x in src {
            if x.is_nan() {
                return quiet32(x);
            }
        }
        return f32::from_bits(QNAN32);
    }
    r
}

#[inline(always)]
fn nan_d<const N: usize>(r: f64, src: [f64; N]) -> f64 {
    if r.is_nan() {
        for x in src {
            if x.is_nan() {
                return quiet64(x);
            }
        }
        return f64::from_bits(QNAN64);
    }
    r
}

#[inline(always)]
pub(crate) fn add([a, b]: [f32; 2]) -> f32 {
    nan(a + b, [a, b])
}

#[inline(always)]
pub(crate) fn sub([a, b]: [f32; 2]) -> f32 {
    nan(a - b, [a, b])
}

#[inline(always)]
pub(crate) fn mul([a, b]: [f32; 2]) -> f32 {
    nan(a * b, [a, b])
}

/// Fused multiply-add: the exact product and a sum rounded to odd in f64, then one rounding to f32.
#[inline(always)]
pub(crate) fn fma([a, b, c]: [f32; 3]) -> f32 {
    let sum = add_odd(f64::from(a) * f64::from(b), f64::from(c));
    nan(sum as f32, [a, b, c])
}

/// Multiply, round, add, round (`v_mad_f32`, `v_mac_f32`).
#[inline(always)]
pub(crate) fn mad([a, b, c]: [f32; 3]) -> f32 {
    add([mul([a, b]), c])
}

/// `a + b` rounded to odd: a later rounding to fewer than 52 bits is then correct.
#[inline(always)]
pub(crate) fn add_odd(a: f64, b: f64) -> f64 {
    let s = a + b;
    let t = s - a;
    let error = (a - (s - t)) + (b - t);
    let bits = s.to_bits();
    if error != 0.0 && bits & 1 == 0 && s.is_finite() && error.is_finite() {
        let away = (error > 0.0) == (s > 0.0);
        return f64::from_bits(if away { bits + 1 } else { bits - 1 });
    }
    s
}

pub(crate) fn add_d([a, b]: [f64; 2]) -> f64 {
    nan_d(a + b, [a, b])
}

pub(crate) fn mul_d([a, b]: [f64; 2]) -> f64 {
    nan_d(a * b, [a, b])
}

pub(crate) fn fma_d([a, b, c]: [f64; 3]) -> f64 {
    nan_d(a.mul_add(b, c), [a, b, c])
}

/// IEEE 754-2008 minNum/maxNum in f64 (exact for the narrower formats): a NaN loses, -0 is below +0.
pub(crate) fn min_num([a, b]: [f64; 2]) -> f64 {
    pick(a, b, |a, b| a < b || (a == b && a.is_sign_negative()))
}

/// See [`min_num`].
pub(crate) fn max_num([a, b]: [f64; 2]) -> f64 {
    pick(a, b, |a, b| a > b || (a == b && a.is_sign_positive()))
}

/// `v_min`: as [`min_num`], but with MODE.IEEE (before gfx12) a signalling NaN wins, quieted.
pub(crate) fn lower(src: [f64; 2], ieee: bool) -> f64 {
    signalling(src).filter(|_| ieee).unwrap_or_else(|| min_num(src))
}

/// `v_max`: see [`lower`].
pub(crate) fn higher(src: [f64; 2], ieee: bool) -> f64 {
    signalling(src).filter(|_| ieee).unwrap_or_else(|| max_num(src))
}

/// The first signalling NaN, quieted.
fn signalling(src: [f64; 2]) -> Option<f64> {
    src.into_iter().find(|x| x.is_nan() && x.to_bits() >> 51 & 1 == 0).map(quiet64)
}

/// `v_med3`: the larger of what is left without the largest; with a NaN, the least of the three.
pub(crate) fn med3([a, b, c]: [f64; 3], ieee: bool) -> f64 {
    if a.is_nan() || b.is_nan() || c.is_nan() {
        return lower([lower([a, b], ieee), c], ieee);
    }
    let largest = max_num([max_num([a, b]), c]);
    // Zeros of both signs are equal here, in AMD's description too.
    max_num(if largest == a {
        [b, c]
    } else if largest == b {
        [a, c]
    } else {
        [a, b]
    })
}

fn pick(a: f64, b: f64, first: impl Fn(f64, f64) -> bool) -> f64 {
    match (a.is_nan(), b.is_nan()) {
        (true, true) => quiet64(a),
        (true, false) => b,
        (false, true) => a,
        _ if first(a, b) => a,
        _ => b,
    }
}

/// IEEE 754-2019 minimum: a NaN wins.
pub(crate) fn minimum([a, b]: [f64; 2]) -> f64 {
    if a.is_nan() || b.is_nan() { nan_d(f64::NAN, [a, b]) } else { min_num([a, b]) }
}

/// IEEE 754-2019 maximum: a NaN wins.
pub(crate) fn maximum([a, b]: [f64; 2]) -> f64 {
    if a.is_nan() || b.is_nan() { nan_d(f64::NAN, [a, b]) } else { max_num([a, b]) }
}

/// f32 through an exact f64 function, NaN payloads kept.
pub(crate) fn widen<const N: usize>(src: [f32; N], f: impl Fn([f64; N]) -> f64) -> f32 {
    narrow(f(src.map(wide)))
}

/// f32 to f64, keeping a signalling NaN signalling.
pub(crate) fn wide(x: f32) -> f64 {
    if x.is_nan() {
        let bits = u64::from(x.to_bits());
        return f64::from_bits((bits & 0x8000_0000) << 32 | 0x7ff << 52 | (bits & 0x7f_ffff) << 29);
    }
    f64::from(x)
}

/// f64 to f32, keeping NaN payloads and quieting.
pub(crate) fn narrow(x: f64) -> f32 {
    if x.is_nan() {
        let bits = x.to_bits();
        return f32::from_bits(
            (bits >> 32) as u32 & 0x8000_0000 | 0x7fc0_0000 | (bits >> 29) as u32 & 0x3f_ffff,
        );
    }
    x as f32
}

/// f16 bits to f64: exact.
pub(crate) fn from16(bits: u32) -> f64 {
    let sign = if bits & 0x8000 != 0 { -1.0 } else { 1.0 };
    let (exp, man) = (bits >> 10 & 0x1f, f64::from(bits & 0x3ff));
    match exp {
        0 => sign * man * 2f64.powi(-24),
        31 if man == 0.0 => sign * f64::INFINITY,
        31 => {
            let payload = u64::from(bits & 0x3ff) << 42;
            f64::from_bits(u64::from(bits & 0x8000) << 48 | 0x7ff << 52 | payload)
        }
        _ => sign * (1.0 + man / 1024.0) * 2f64.powi(exp as i32 - 15),
    }
}

/// f64 to f16 bits, to nearest even, or towards zero.
pub(crate) fn to16(x: f64, toward_zero: bool) -> u32 {
    let bits = x.to_bits();
    let sign = (bits >> 48) as u32 & 0x8000;
    let man = bits & ((1 << 52) - 1);
    let exp = (bits >> 52 & 0x7ff) as i32;
    if exp == 0x7ff {
        return if man == 0 { sign | 0x7c00 } else { sign | 0x7e00 | (man >> 42) as u32 & 0x1ff };
    }
    let e = exp - 1023 + 15;
    if e >= 31 {
        return sign | if toward_zero { 0x7bff } else { 0x7c00 };
    }
    if e < -11 {
        return sign;
    }
    let full = man | 1 << 52;
    let shift = if e <= 0 { 43 - e } else { 42 } as u32;
    let kept = full >> shift;
    let rest = full & ((1u64 << shift) - 1);
    let half = 1u64 << (shift - 1);
    let up = !toward_zero && (rest > half || rest == half && kept & 1 != 0);
    let base = if e <= 0 { 0 } else { (e as u64 - 1) << 10 };
    sign | (base + kept + u64::from(up)) as u32
}

/// An f16 operand, denormals by MODE.
pub(crate) fn in16(w: &Wave, bits: u32) -> f64 {
    if w.mode.flush_in64 && bits & 0x7c00 == 0 { from16(bits & 0x8000) } else { from16(bits) }
}

/// An f64 operand, denormals by MODE.
pub(crate) fn in64(w: &Wave, bits: u64) -> f64 {
    let x = f64::from_bits(bits);
    if w.mode.flush_in64 { flush64(x) } else { x }
}

/// Rounds to f16 and applies output modifiers.
pub(crate) fn out16(w: &Wave, i: &Inst, x: f64) -> u32 {
    let mut bits = to16(x, false);
    if (w.mode.flush_out64 || i.omod != 0) && bits & 0x7c00 == 0 {
        bits &= 0x8000;
    }
    if i.omod != 0 {
        bits = to16(from16(bits) * [1.0, 2.0, 4.0, 0.5][i.omod as usize & 3], false);
    }
    if i.clamp {
        bits = to16(clamp64(from16(bits), w.mode.dx10_clamp), false);
    }
    bits
}

/// bf16 bits of an f32, to nearest even.
pub(crate) fn to_bf16(x: f32) -> u32 {
    let bits = x.to_bits();
    if x.is_nan() {
        return bits >> 16 | 0x40;
    }
    (bits + 0x7fff + (bits >> 16 & 1)) >> 16
}

/// Class bits of `v_cmp_class`: signalling NaN, quiet NaN, -inf, -normal, -denormal, -0, +0, …, +inf.
pub(crate) fn class(negative: bool, exp_ones: bool, exp_zero: bool, man: u64, quiet: bool) -> u32 {
    match (exp_ones, exp_zero, man != 0) {
        (true, _, true) => 1 << u32::from(quiet),
        (true, _, false) => 1 << if negative { 2 } else { 9 },
        (_, true, true) => 1 << if negative { 4 } else { 7 },
        (_, true, false) => 1 << if negative { 5 } else { 6 },
        _ => 1 << if negative { 3 } else { 8 },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_f16_survives_the_round_trip() {
        for bits in 0..0x1_0000u32 {
            let nan = bits & 0x7c00 == 0x7c00 && bits & 0x3ff != 0;
            let expected = if nan { bits | 0x200 } else { bits };
            assert_eq!(to16(from16(bits), false), expected, "{bits:#x}");
        }
    }

    #[test]
    fn f16_rounds_to_nearest_even_and_overflows() {
        assert_eq!(to16(2049.0, false), 0x6800);
        assert_eq!(to16(2051.0, false), 0x6802);
        assert_eq!(to16(65519.0, false), 0x7bff);
        assert_eq!(to16(65520.0, false), 0x7c00);
        assert_eq!(to16(65520.0, true), 0x7bff);
        assert_eq!(to16(2f64.powi(-25), false), 0);
        assert_eq!(to16(2f64.powi(-25) * 1.0001, false), 1);
        assert_eq!(to16(-(2f64.powi(-14) - 2f64.powi(-26)), false), 0x8400);
    }

    #[test]
    fn fma_rounds_once() {
        let cases = [
            (1.0 + f32::EPSILON, 1.0 + f32::EPSILON, -1.0),
            (f32::MIN_POSITIVE, 0.5, f32::from_bits(1)),
            (f32::from_bits(0x3f80_0001), f32::from_bits(0x3f7f_ffff), f32::from_bits(0x0d00_0001)),
            (f32::MAX, 2.0, -f32::MAX),
        ];
        for (a, b, c) in cases {
            assert_eq!(fma([a, b, c]).to_bits(), a.mul_add(b, c).to_bits());
        }
    }
}
