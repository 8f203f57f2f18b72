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

/// An array of lanes, by a loop that the compiler makes wide.
#[inline(always)]
fn each<T: Copy + Default>(out: &mut Vec<[T; 64]>, lanes: usize, f: impl Fn(usize) -> T) {
    let mut array = [T::default(); 64];
    if lanes == 64 {
        for lane in 0..64 {
            array[lane] = f(lane);
        }
    } else {
        for lane in 0..32 {
            array[lane] = f(lane);
        }
    }
    out.push(array);
}

/// The way to read floats.
#[derive(Clone, Copy)]
pub(super) struct Reading {
    pub(super) lanes: usize,
    /// Denormals are zero.
    pub(super) flush: bool,
    /// Sign masks of elements at even and odd places.
    pub(super) negate: [u32; 2],
}

/// Floats.
#[inline(always)]
pub(super) fn floats(rows: &[Row], items: usize, element: Element, how: Reading) -> Vec<[f32; 64]> {
    let Reading { lanes, flush, negate } = how;
    let flushed = |x: f32, least: f32| if flush && x.abs() < least { 0.0f32.copysign(x) } else { x };
    let mut out = Vec::with_capacity(items);
    for item in 0..items {
        let sign = negate[item & 1];
        let signed = |x: f32| f32::from_bits(x.to_bits() ^ sign);
        match element {
            Element::F16 => {
                let (row, shift) = (&rows[item / 2], item % 2 * 16);
                each(&mut out, lanes, |l| signed(flushed(half(row[l] >> shift & 0xffff), 6.103_515_6e-5)));
            }
            Element::Bf16 => {
                let (row, shift) = (&rows[item / 2], item % 2 * 16);
                let read = |l: usize| f32::from_bits(row[l] >> shift << 16);
                each(&mut out, lanes, |l| signed(flushed(read(l), f32::MIN_POSITIVE)));
            }
            Element::Xf32 => {
                let row = &rows[item];
                each(&mut out, lanes, |l| f32::from_bits(row[l] & !0x1fff));
            }
            Element::Small(small) => {
                let (table, bits) = (small.table(), small.bits() as usize);
                each(&mut out, lanes, |l| f32::from_bits(table[(raw(rows, item, bits, l) & 0xff) as usize]));
            }
            _ => {
                let row = &rows[item];
                each(&mut out, lanes, |l| f32::from_bits(row[l]));
            }
        }
    }
    out
}

/// Integers.
#[inline(always)]
pub(super) fn integers(rows: &[Row], items: usize, element: Element) -> Vec<[i32; 64]> {
    let mut out = Vec::with_capacity(items);
    let Element::Int { bits, signed } = element else { return out };
    let bits = usize::from(bits);
    for item in 0..items {
        let (row, shift) = (&rows[item * bits / 32], item * bits % 32);
        let up = |l: usize| row[l] >> shift << (32 - bits);
        if signed {
            each(&mut out, 64, |l| up(l).cast_signed() >> (32 - bits));
        } else {
            each(&mut out, 64, |l| (up(l) >> (32 - bits)).cast_signed());
        }
    }
    out
}

/// f64, each in a pair of registers.
#[inline(always)]
pub(super) fn doubles(rows: &[Row], negate: bool) -> Vec<[f64; 64]> {
    let sign = u64::from(negate) << 63;
    let mut out = Vec::with_capacity(rows.len() / 2);
    for pair in rows.as_chunks::<2>().0 {
        let [lo, hi] = pair;
        each(&mut out, 64, |l| f64::from_bits((u64::from(lo[l]) | u64::from(hi[l]) << 32) ^ sign));
    }
    out
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
