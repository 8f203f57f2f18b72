//! Registers → f32 or i32, an array of lanes per element; every format but f64 is among them.

use super::shape::Element;
use crate::wave::Row;

/// The bits of element `item` of a lane.
#[inline(always)]
fn raw(rows: &[Row], item: usize, bits: usize, lane: usize) -> u32 {
    let (word, shift) = (item * bits / 32, item * bits % 32);
    let low = rows[word][lane] >> shift;
    // Elements of six bits cross from register to register.
    let bits_here = 32 - shift;
    let high = if bits_here < bits { rows[word + 1][lane] << bits_here } else { 0 };
    (low | high) & (u32::MAX >> (32 - bits))
}

/// The value of an f16, without a branch: a multiplication puts the exponent right, also of denormals.
#[inline(always)]
pub(super) fn half(bits: u32) -> f32 {
    let magnitude = (bits & 0x7fff) << 13;
    let scaled = (f32::from_bits(magnitude) * f32::from_bits(0x7780_0000)).to_bits();
    // The exponent of infinities and NaNs is the largest of f32's, too.
    let value = if magnitude >= 0x0f80_0000 { magnitude | 0x7f80_0000 } else { scaled };
    f32::from_bits(value | (bits & 0x8000) << 16)
}

#[inline(always)]
fn each(lanes: usize, f: impl Fn(usize) -> f32) -> [f32; 64] {
    let mut out = [0.0; 64];
    if lanes == 64 {
        for lane in 0..64 {
            out[lane] = f(lane);
        }
    } else {
        for lane in 0..32 {
            out[lane] = f(lane);
        }
    }
    out
}

/// Floats. `negate` are the sign masks of elements at even and odd places.
#[inline(always)]
pub(super) fn floats(
    rows: &[Row],
    items: usize,
    element: Element,
    lanes: usize,
    flush: bool,
    negate: [u32; 2],
) -> Vec<[f32; 64]> {
    let flushed = |x: f32, least: f32| if flush && x.abs() < least { 0.0f32.copysign(x) } else { x };
    let signed = |x: f32, item: usize| f32::from_bits(x.to_bits() ^ negate[item & 1]);
    (0..items)
        .map(|item| match element {
            Element::F16 => {
                let (row, shift) = (&rows[item / 2], item % 2 * 16);
                each(lanes, |l| signed(flushed(half(row[l] >> shift & 0xffff), 6.103_515_6e-5), item))
            }
            Element::Bf16 => {
                let (row, shift) = (&rows[item / 2], item % 2 * 16);
                each(lanes, |l| {
                    signed(flushed(f32::from_bits(row[l] >> shift << 16), f32::MIN_POSITIVE), item)
                })
            }
            Element::Xf32 => each(lanes, |l| f32::from_bits(rows[item][l] & !0x1fff)),
            Element::Small(small) => {
                let table = small.table();
                each(lanes, |l| {
                    f32::from_bits(table[raw(rows, item, small.bits() as usize, l) as usize & 0xff])
                })
            }
            _ => each(lanes, |l| f32::from_bits(rows[item][l])),
        })
        .collect()
}

/// Integers.
#[inline(always)]
pub(super) fn integers(rows: &[Row], items: usize, element: Element) -> Vec<[i32; 64]> {
    let Element::Int { bits, signed } = element else { return Vec::new() };
    let bits = usize::from(bits);
    (0..items)
        .map(|item| {
            std::array::from_fn(|lane| {
                let up = (raw(rows, item, bits, lane) << (32 - bits)).cast_signed();
                if signed { up >> (32 - bits) } else { (up.cast_unsigned() >> (32 - bits)).cast_signed() }
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fp;

    #[test]
    fn every_f16_has_its_value() {
        for bits in 0..0x1_0000 {
            let (got, want) = (half(bits), fp::from16(bits) as f32);
            assert!(got.to_bits() == want.to_bits() || got.is_nan() && want.is_nan(), "{bits:#x}");
        }
    }

    #[test]
    fn six_bits_cross_registers() {
        let mut rows = [[0; 64]; 6];
        // Element 5 is bits 30 to 35.
        rows[0][3] = 0b01 << 30;
        rows[1][3] = 0b1011;
        assert_eq!(raw(&rows, 5, 6, 3), 0b10_1101);
    }
}
