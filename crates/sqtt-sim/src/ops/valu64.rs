//! Vector ALU, 64-bit integers and moves.

use super::{Class, Table, def};
use crate::lanes::{rd, rd64, shift64, wr64};
use crate::wave::{ZERO, ZERO64};

macro_rules! shift {
    ($f:expr) => {
        def(Class::Valu, |w, _, i| {
            shift64(w, i, $f);
            Ok(())
        })
    };
}

pub(super) const TABLE: Table = &[
    ("v_lshlrev_b64", shift!(|a, b| b << (a & 63))),
    ("v_lshrrev_b64", shift!(|a, b| b >> (a & 63))),
    ("v_ashrrev_i64", shift!(|a, b| (b.cast_signed() >> (a & 63)).cast_unsigned())),
    (
        "v_mov_b64",
        def(Class::Valu, |w, _, i| {
            let mut a = ZERO64;
            rd64(w, &i.ops[1], &mut a, false);
            wr64(w, &i.ops[0], &a);
            Ok(())
        }),
    ),
    (
        "v_lshl_add_u64",
        def(Class::Valu, |w, _, i| {
            let (mut a, mut b, mut c) = (ZERO64, ZERO, ZERO64);
            rd64(w, &i.ops[1], &mut a, false);
            rd64(w, &i.ops[3], &mut c, false);
            let b = rd(w, &i.ops[2], &mut b);
            for l in 0..w.n {
                // The count is limited to 4; larger ones shift by nothing defined and are not produced.
                c[l] = (a[l] << (b[l] & 7)).wrapping_add(c[l]);
            }
            wr64(w, &i.ops[0], &c);
            Ok(())
        }),
    ),
    // Quad byte SAD and friends are media instructions that compilers do not emit: refused as unknown.
];
