//! Integer instructions and lane swaps that came with gfx950.

use super::narrow::next_random;
use super::{Class, Table, def};
use crate::error::Fault;
use crate::inst::{Inst, Res};
use crate::lanes::{h, rd, u1, u3, wr16};
use crate::wave::{Wave, ZERO};

/// Any function of three bits: bit `4a + 2b + c` of the table is its value.
fn bitop3(table: i64, a: u32, b: u32, c: u32) -> u32 {
    let pick = |bit: u32, x: u32| if bit != 0 { x } else { !x };
    (0..8u32)
        .filter(|row| table >> row & 1 != 0)
        .fold(0, |out, row| out | pick(row & 4, a) & pick(row & 2, b) & pick(row & 1, c))
}

/// Two shifted integers, saturated to bytes.
fn shifted_bytes(w: &mut Wave, i: &Inst, low: i32, high: i32) {
    let (mut b0, mut b1, mut b2, mut out) = (ZERO, ZERO, ZERO, ZERO);
    {
        let (a, b, by) = (rd(w, &i.ops[1], &mut b0), rd(w, &i.ops[2], &mut b1), rd(w, &i.ops[3], &mut b2));
        for l in 0..w.n {
            let byte = |x: u32| ((x.cast_signed() >> (by[l] & 31)).clamp(low, high) & 0xff).cast_unsigned();
            out[l] = byte(a[l]) | byte(b[l]) << 8;
        }
    }
    wr16(w, i, &out);
}

/// Rows of `size` lanes change places: those of the source at even places, those of the destination at odd ones.
fn swap(w: &mut Wave, i: &Inst, size: usize) -> Res {
    if w.exec() != w.full {
        return Err(Fault::unknown("lane swaps with inactive lanes are not simulated"));
    }
    let (d, s) = (usize::from(i.ops[0].reg), usize::from(i.ops[1].reg));
    for l in (0..w.n).filter(|l| (l / size).is_multiple_of(2)) {
        let (from, to) = (w.v[s][l], w.v[d][l + size]);
        w.v[s][l] = to;
        w.v[d][l + size] = from;
    }
    Ok(())
}

pub(super) const TABLE: Table = &[
    (
        "v_bitop3_b32",
        def(Class::Valu, |w, _, i| {
            u3(w, i, |a, b, c| bitop3(i.imm, a, b, c));
            Ok(())
        }),
    ),
    (
        "v_bitop3_b16",
        def(Class::Valu, |w, _, i| {
            h(w, i, |[a, b, c]| bitop3(i.imm, a, b, c) & 0xffff);
            Ok(())
        }),
    ),
    (
        "v_prng_b32",
        def(Class::Valu, |w, _, i| {
            u1(w, i, next_random);
            Ok(())
        }),
    ),
    (
        "v_ashr_pk_i8_i32",
        def(Class::Valu, |w, _, i| {
            shifted_bytes(w, i, -128, 127);
            Ok(())
        }),
    ),
    (
        "v_ashr_pk_u8_i32",
        def(Class::Valu, |w, _, i| {
            shifted_bytes(w, i, 0, 255);
            Ok(())
        }),
    ),
    ("v_permlane16_swap_b32", def(Class::Valu, |w, _, i| swap(w, i, 16))),
    ("v_permlane32_swap_b32", def(Class::Valu, |w, _, i| swap(w, i, 32))),
];
