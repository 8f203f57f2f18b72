//! Sums of absolute differences, faces of cubes, and the bits of 2/π that reduce large angles.

use super::{Class, Table, def};
use crate::inst::{Inst, Src};
use crate::lanes::{f, finish64, rd, rd64, u3, wr, wr64};
use crate::ops::f32::ldexp;
use crate::wave::{Wave, ZERO, ZERO64};

/// Differences of four bytes; with `masked`, of those whose byte of `b` is not zero.
fn sad(a: u32, b: u32, start: u32, masked: bool) -> u32 {
    (0..4).fold(start, |sum, k| {
        let (x, y) = (a >> (8 * k) & 0xff, b >> (8 * k) & 0xff);
        if masked && y == 0 { sum } else { sum.wrapping_add(x.abs_diff(y)) }
    })
}

fn sad_u16(a: u32, b: u32, c: u32) -> u32 {
    c.wrapping_add((a & 0xffff).abs_diff(b & 0xffff)).wrapping_add((a >> 16).abs_diff(b >> 16))
}

/// The four bytes at each of four places of a pair of registers against the same four, onto four sums.
fn quad(w: &mut Wave, i: &Inst, masked: bool, wide: bool) {
    let (mut a, mut b) = (ZERO64, ZERO);
    rd64(w, &i.ops[1], &mut a, false);
    let b = *rd(w, &i.ops[2], &mut b);
    let at = |a: u64, k: usize| (a >> (8 * k)) as u32;
    if wide {
        for k in 0..4u16 {
            let mut out = ZERO;
            let start = Src { reg: i.ops[3].reg + k, ..i.ops[3] };
            let mut buffer = ZERO;
            let start = rd(w, &start, &mut buffer);
            for l in 0..w.n {
                out[l] = sad(at(a[l], usize::from(k)), b[l], start[l], masked);
            }
            wr(w, &Src { reg: i.ops[0].reg + k, ..i.ops[0] }, &out);
        }
        return;
    }
    let (mut c, mut out) = (ZERO64, ZERO64);
    rd64(w, &i.ops[3], &mut c, false);
    for l in 0..w.n {
        out[l] = (0..4).fold(0, |sum, k| {
            let one = sad(at(a[l], k), b[l], (c[l] >> (16 * k)) as u32 & 0xffff, masked);
            sum | u64::from(one & 0xffff) << (16 * k)
        });
    }
    wr64(w, &i.ops[0], &out);
}

/// The axis of the largest magnitude, z before y before x.
fn axis([x, y, z]: [f32; 3]) -> usize {
    match () {
        () if z.abs() >= x.abs() && z.abs() >= y.abs() => 2,
        () if y.abs() >= x.abs() => 1,
        () => 0,
    }
}

fn cube_id(v: [f32; 3]) -> f32 {
    let axis = axis(v);
    (2 * axis) as f32 + if v[axis] < 0.0 { 1.0 } else { 0.0 }
}

fn cube_s(v: [f32; 3]) -> f32 {
    let [x, _, z] = v;
    match axis(v) {
        2 => {
            if z < 0.0 {
                -x
            } else {
                x
            }
        }
        1 => x,
        _ => {
            if x < 0.0 {
                z
            } else {
                -z
            }
        }
    }
}

fn cube_t(v: [f32; 3]) -> f32 {
    let [_, y, z] = v;
    match axis(v) {
        1 => {
            if y < 0.0 {
                -z
            } else {
                z
            }
        }
        _ => -y,
    }
}

/// The first 1216 binary places of 2/π.
const TWO_OVER_PI: [u64; 19] = [
    0xa2f9_836e_4e44_1529,
    0xfc27_57d1_f534_ddc0,
    0xdb62_9599_3c43_9041,
    0xfe51_63ab_debb_c561,
    0xb724_6e3a_424d_d2e0,
    0x0649_2eea_09d1_921c,
    0xfe1d_eb1c_b129_a73e,
    0xe882_35f5_2ebb_4484,
    0xe99c_7026_b45f_7e41,
    0x3991_d639_8353_39f4,
    0x9c84_5f8b_bdf9_283b,
    0x1ff8_97ff_de05_980f,
    0xef2f_118b_5a0a_6d1f,
    0x6d36_7ecf_27cb_09b7,
    0x4f46_3f66_9e5f_ea2d,
    0x7527_bac7_ebe5_f17b,
    0x3d07_39f7_8a52_92ea,
    0x6bfb_5fb1_1f8d_5d08,
    0x5603_3046_fc7b_6bab,
];

/// 53 bits of 2/π from the binary place that the argument's size leaves, and their exponent.
fn trig_preop(x: u64, segment: u32) -> f64 {
    let exponent = (x >> 52 & 0x7ff) as i32;
    let shift = (segment & 31) as i32 * 53 + (exponent - 1077).max(0);
    let place = |k: i32| match usize::try_from(k) {
        // Behind the 1201 places that the hardware has come zeros.
        Ok(k) if k < 1201 => TWO_OVER_PI[k / 64] >> (63 - k % 64) & 1,
        _ => 0,
    };
    let bits = (shift..shift + 53).fold(0u64, |bits, k| bits << 1 | place(k));
    let scale = -53 - shift + if exponent >= 1968 { 128 } else { 0 };
    ldexp(bits as f64, scale)
}

fn trig(w: &mut Wave, i: &Inst) {
    let (mut a, mut b, mut out) = (ZERO64, ZERO, ZERO64);
    rd64(w, &i.ops[1], &mut a, true);
    let b = *rd(w, &i.ops[2], &mut b);
    for l in 0..w.n {
        out[l] = trig_preop(a[l], b[l]).to_bits();
    }
    finish64(w, i, &mut out);
    wr64(w, &i.ops[0], &out);
}

macro_rules! cube {
    ($f:expr) => {
        def(Class::Float, |w, _, i| {
            f::<3>(w, i, $f);
            Ok(())
        })
    };
}
macro_rules! sum {
    ($f:expr) => {
        def(Class::Valu, |w, _, i| {
            u3(w, i, $f);
            Ok(())
        })
    };
}
macro_rules! quad {
    ($masked:literal, $wide:literal) => {
        def(Class::Valu, |w, _, i| {
            quad(w, i, $masked, $wide);
            Ok(())
        })
    };
}

pub(super) const TABLE: Table = &[
    ("v_sad_u16", sum!(sad_u16)),
    ("v_sad_hi_u8", sum!(|a, b, c| (sad(a, b, 0, false) << 16).wrapping_add(c))),
    ("v_msad_u8", sum!(|a, b, c| sad(a, b, c, true))),
    ("v_qsad_pk_u16_u8", quad!(false, false)),
    ("v_mqsad_pk_u16_u8", quad!(true, false)),
    ("v_mqsad_u32_u8", quad!(true, true)),
    ("v_cubeid_f32", cube!(cube_id)),
    ("v_cubesc_f32", cube!(cube_s)),
    ("v_cubetc_f32", cube!(cube_t)),
    ("v_cubema_f32", cube!(|v| 2.0 * v[axis(v)])),
    (
        "v_trig_preop_f64",
        def(Class::Double, |w, _, i| {
            trig(w, i);
            Ok(())
        }),
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    /// A fixed-point number: limbs of 32 bits, the first before the point.
    type Fixed = Vec<u64>;

    const LIMBS: usize = 40;

    fn divided(x: &Fixed, by: u64) -> Fixed {
        let mut rest = 0;
        x.iter()
            .map(|limb| {
                let all = rest << 32 | limb;
                rest = all % by;
                all / by
            })
            .collect()
    }

    fn add(x: &mut Fixed, y: &Fixed, negative: bool) {
        let mut carry = 0i64;
        for k in (0..LIMBS).rev() {
            let sum = x[k] as i64 + if negative { -(y[k] as i64) } else { y[k] as i64 } + carry;
            carry = sum >> 32;
            x[k] = (sum & 0xffff_ffff) as u64;
        }
    }

    /// `scale · arctan(1/x)` by its series.
    fn arctan(x: u64, scale: u64) -> Fixed {
        let mut power: Fixed = vec![0; LIMBS];
        power[0] = scale;
        power = divided(&power, x);
        let mut sum = power.clone();
        for n in 1..1000 {
            power = divided(&power, x * x);
            add(&mut sum, &divided(&power, 2 * n + 1), n % 2 == 1);
        }
        sum
    }

    /// The table times π, which Machin's formula gives, is 2 but for the last places.
    #[test]
    fn the_table_is_two_over_pi() {
        let mut pi = arctan(5, 16);
        add(&mut pi, &arctan(239, 4), true);
        assert_eq!(pi[..3], [3, 0x243f_6a88, 0x85a3_08d3]);
        let table: Vec<u64> =
            std::iter::once(0).chain(TWO_OVER_PI.iter().flat_map(|w| [w >> 32, w & 0xffff_ffff])).collect();
        let mut product = vec![0u128; 2 * LIMBS];
        for (a, x) in table.iter().enumerate() {
            for (b, y) in pi.iter().enumerate() {
                product[a + b] += u128::from(*x) * u128::from(*y);
            }
        }
        for k in (1..product.len()).rev() {
            let carry = product[k] >> 32;
            product[k] &= 0xffff_ffff;
            product[k - 1] += carry;
        }
        assert_eq!(product[0], 1);
        assert!(product[1..38].iter().all(|&limb| limb == 0xffff_ffff), "{product:x?}");
    }

    #[test]
    fn first_segments_add_up_to_two_over_pi() {
        let one = 1f64.to_bits();
        assert_eq!(trig_preop(one, 0), 0.636_619_772_367_581_3);
        let sum = trig_preop(one, 0) + trig_preop(one, 1);
        assert_eq!(sum, std::f64::consts::FRAC_2_PI);
        // A large angle's exponent moves the place: 2^55 has 1078, one more than the least that does.
        let large = trig_preop(2f64.powi(55).to_bits(), 0);
        assert_eq!(large, trig_preop(one, 0) - 0.5 + 2f64.powi(-54) * (TWO_OVER_PI[0] >> 10 & 1) as f64);
    }
}
