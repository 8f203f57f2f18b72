//! The word that a data marker records of a value.

use crate::ast::{Form, Payload, Ty};

/// The words of a value with these bits, the low one first.
pub(super) fn words(payload: &Payload, bits: u64) -> Vec<u32> {
    let word = bits as u32;
    match (payload.form, payload.value.ty()) {
        (Form::I16, _) => vec![i32::from(word as i16).cast_unsigned()],
        (Form::U16, _) => vec![word & 0xFFFF],
        (Form::F16, _) => vec![f32_of_half(word & Form::F16_MASK).to_bits()],
        (Form::BF16, _) => vec![(word & Form::BF16_MASK) << 16],
        (Form::Own, Ty::F32) if f32::from_bits(word) == 0.0 => vec![0],
        (Form::Own, Ty::F64) if f64::from_bits(bits) == 0.0 => vec![0, 0],
        (Form::I64 | Form::Pointer, _) | (_, Ty::U64 | Ty::F64) => vec![word, (bits >> 32) as u32],
        (Form::Own, _) => vec![word],
    }
}

/// A finite number of 16 bits.
fn f32_of_half(half: u32) -> f32 {
    let (exponent, fraction) = (half >> 10 & 0x1F, (half & 0x3FF) as f32);
    let scaled = |fraction: f32, exponent: i32| fraction * 2.0_f32.powi(exponent);
    let size =
        if exponent == 0 { scaled(fraction, -24) } else { scaled(1024.0 + fraction, exponent as i32 - 25) };
    if half & 0x8000 == 0 { size } else { -size }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_are_what_they_are_as_float() {
        for (half, float) in [
            (0, 0.0),
            (0x8000, -0.0),
            (1, 2.0_f32.powi(-24)),
            (0x3FF, 1023.0 * 2.0_f32.powi(-24)),
            (0x400, 2.0_f32.powi(-14)),
            (0x3C00, 1.0),
            (0xC100, -2.5),
            (0x7BFF, 65504.0),
        ] {
            assert_eq!(f32_of_half(half).to_bits(), f32::to_bits(float), "{half:#x}");
        }
    }
}
