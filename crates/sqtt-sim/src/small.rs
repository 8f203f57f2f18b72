//! Floating-point formats of 8, 6 and 4 bits: their values, and rounding to them.
//!
//! FP8 is E4M3 and BF8 E5M2. The OCP's forms (gfx950, gfx12) have a NaN and, in BF8, infinities; the FNUZ forms
//! (gfx942) have one NaN in the place of the negative zero, no infinity, and an exponent bias that is larger by
//! one. FP6 is E2M3, BF6 E3M2, FP4 E2M1: all their codes are finite.

/// A format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Small {
    Fp8,
    Bf8,
    Fp8Fnuz,
    Bf8Fnuz,
    Fp6,
    Bf6,
    Fp4,
}

impl Small {
    pub(crate) const fn bits(self) -> u32 {
        match self {
            Small::Fp6 | Small::Bf6 => 6,
            Small::Fp4 => 4,
            _ => 8,
        }
    }

    /// Bits of the mantissa.
    const fn mantissa(self) -> u32 {
        match self {
            Small::Fp8 | Small::Fp8Fnuz | Small::Fp6 => 3,
            Small::Bf8 | Small::Bf8Fnuz | Small::Bf6 => 2,
            Small::Fp4 => 1,
        }
    }

    const fn bias(self) -> i32 {
        match self {
            Small::Fp8 => 7,
            Small::Bf8 => 15,
            Small::Fp8Fnuz => 8,
            Small::Bf8Fnuz => 16,
            Small::Fp6 | Small::Fp4 => 1,
            Small::Bf6 => 3,
        }
    }

    const fn sign(self) -> u32 {
        1 << (self.bits() - 1)
    }

    const fn is_fnuz(self) -> bool {
        matches!(self, Small::Fp8Fnuz | Small::Bf8Fnuz)
    }

    /// The code of the largest finite value.
    const fn largest(self) -> u32 {
        match self {
            Small::Fp8 => 0x7e,
            Small::Bf8 => 0x7b,
            _ => self.sign() - 1,
        }
    }

    /// The code of a NaN, where there is one.
    const fn nan(self) -> Option<u32> {
        match self {
            Small::Fp8 | Small::Bf8 => Some(0x7f),
            Small::Fp8Fnuz | Small::Bf8Fnuz => Some(0x80),
            _ => None,
        }
    }

    /// The value of a code as the bits of an f32: every format's values are among f32's.
    const fn decode(self, code: u32) -> u32 {
        let magnitude = code & (self.sign() - 1);
        let sign = if code & self.sign() != 0 { 1 << 31 } else { 0 };
        if self.is_fnuz() && code == self.sign() {
            return crate::fp::QNAN32;
        }
        if let (false, Some(_)) = (self.is_fnuz(), self.nan())
            && magnitude > self.largest()
        {
            let infinite = matches!(self, Small::Bf8) && magnitude == 0x7c;
            return if infinite { sign | 0x7f80_0000 } else { sign | crate::fp::QNAN32 };
        }
        let (width, mut mantissa) = (self.mantissa(), magnitude & ((1 << self.mantissa()) - 1));
        let mut exponent = (magnitude >> width) as i32;
        if exponent == 0 {
            if mantissa == 0 {
                return sign;
            }
            exponent = 1;
            while mantissa >> width == 0 {
                mantissa <<= 1;
                exponent -= 1;
            }
        }
        let fraction = (mantissa & ((1 << width) - 1)) << (23 - width);
        sign | ((exponent - self.bias() + 127) as u32) << 23 | fraction
    }

    const fn values(self) -> [u32; 256] {
        let mut table = [0; 256];
        let mut code = 0;
        while code < 256 {
            table[code] = self.decode(code as u32 & ((1 << self.bits()) - 1));
            code += 1;
        }
        table
    }

    /// The values of all codes, as bits of f32.
    pub(crate) fn table(self) -> &'static [u32; 256] {
        static FP8: [u32; 256] = Small::Fp8.values();
        static BF8: [u32; 256] = Small::Bf8.values();
        static FP8_FNUZ: [u32; 256] = Small::Fp8Fnuz.values();
        static BF8_FNUZ: [u32; 256] = Small::Bf8Fnuz.values();
        static FP6: [u32; 256] = Small::Fp6.values();
        static BF6: [u32; 256] = Small::Bf6.values();
        static FP4: [u32; 256] = Small::Fp4.values();
        match self {
            Small::Fp8 => &FP8,
            Small::Bf8 => &BF8,
            Small::Fp8Fnuz => &FP8_FNUZ,
            Small::Bf8Fnuz => &BF8_FNUZ,
            Small::Fp6 => &FP6,
            Small::Bf6 => &BF6,
            Small::Fp4 => &FP4,
        }
    }

    /// The value of a code.
    pub(crate) fn value(self, code: u32) -> f32 {
        f32::from_bits(self.table()[(code & ((1 << self.bits()) - 1)) as usize])
    }
}

/// The rounding of a value between two others.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Rounding {
    /// To the nearest, halfway to the even one.
    Even,
    /// Away from zero where the fraction and the number's upper bits, as a fraction, reach 1.
    Random(u32),
}

/// Rounds to a format of `mantissa` bits below the leading one and a least exponent, as if it had no largest value.
pub(crate) fn round(x: f64, mantissa: u32, least: i32, rounding: Rounding) -> f64 {
    if x == 0.0 || !x.is_finite() {
        return x;
    }
    let exponent = ((x.to_bits() >> 52 & 0x7ff) as i32 - 1023).max(least);
    let step = 2f64.powi(exponent - mantissa as i32);
    let steps = x.abs() / step;
    let (whole, rest) = (steps.floor(), steps.fract());
    let up = match rounding {
        Rounding::Even => rest > 0.5 || rest == 0.5 && whole % 2.0 == 1.0,
        Rounding::Random(bits) => {
            let places = 23 - mantissa;
            rest + f64::from(bits >> (32 - places)) / 2f64.powi(places as i32) >= 1.0
        }
    };
    ((whole + f64::from(u8::from(up))) * step).copysign(x)
}

impl Small {
    /// The code of a value. Overflow gives what the format has for it: an infinity, a NaN, or its largest value.
    /// `None` for a NaN in a format that has none.
    pub(crate) fn encode(self, x: f64, rounding: Rounding) -> Option<u32> {
        let sign = if x.is_sign_negative() && !self.is_fnuz() { self.sign() } else { 0 };
        if x.is_nan() {
            return self.nan().map(|code| code | sign);
        }
        let (mantissa, least) = (self.mantissa(), 1 - self.bias());
        let rounded = round(x.abs(), mantissa, least, rounding);
        if rounded > f64::from(self.value(self.largest())) {
            return Some(match self {
                Small::Bf8 => sign | 0x7c,
                _ => self.nan().map_or(sign | self.largest(), |code| code | sign),
            });
        }
        let exponent = ((rounded.to_bits() >> 52 & 0x7ff) as i32 - 1023).max(least);
        let steps = (rounded / 2f64.powi(exponent - mantissa as i32)) as u32;
        let magnitude = ((exponent - least) as u32) * (1 << mantissa) + steps;
        let negative = if x.is_sign_negative() && magnitude != 0 { self.sign() } else { sign };
        Some(negative | magnitude)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_survives_the_round_trip() {
        let all =
            [Small::Fp8, Small::Bf8, Small::Fp8Fnuz, Small::Bf8Fnuz, Small::Fp6, Small::Bf6, Small::Fp4];
        for format in all {
            for code in 0..1 << format.bits() {
                let x = f64::from(format.value(code));
                if !x.is_nan() {
                    assert_eq!(format.encode(x, Rounding::Even), Some(code), "{format:?} {code:#x}");
                }
            }
        }
    }

    #[test]
    fn landmarks_of_each_format() {
        let v = |f: Small, code| f.value(code);
        assert_eq!([v(Small::Fp8, 0x38), v(Small::Fp8, 0x7e), v(Small::Fp8, 1)], [1.0, 448.0, 2f32.powi(-9)]);
        assert_eq!(
            [v(Small::Bf8, 0x3c), v(Small::Bf8, 0x7b), v(Small::Bf8, 1)],
            [1.0, 57344.0, 2f32.powi(-16)]
        );
        assert_eq!([v(Small::Fp8Fnuz, 0x40), v(Small::Fp8Fnuz, 0xff)], [1.0, -240.0]);
        assert_eq!([v(Small::Bf8Fnuz, 0x40), v(Small::Bf8Fnuz, 0x7f)], [1.0, 57344.0]);
        assert_eq!([v(Small::Fp6, 0x1f), v(Small::Fp6, 1), v(Small::Fp6, 0x28)], [7.5, 0.125, -1.0]);
        assert_eq!([v(Small::Bf6, 0x1f), v(Small::Bf6, 1)], [28.0, 0.0625]);
        assert_eq!([1, 2, 7, 15].map(|c| v(Small::Fp4, c)), [0.5, 1.0, 6.0, -6.0]);
        assert_eq!(v(Small::Bf8, 0xfc), f32::NEG_INFINITY);
        let nans = [(Small::Fp8, 0xff), (Small::Fp8Fnuz, 0x80), (Small::Bf8Fnuz, 0x80), (Small::Bf8, 0x7d)];
        assert!(nans.iter().all(|&(f, c)| v(f, c).is_nan()));
        assert_eq!(v(Small::Fp8, 0x80).to_bits(), 1 << 31);
    }
}
