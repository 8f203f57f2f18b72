//! Operations across lanes.

use super::{Class, Def, Table, def};
use crate::error::Fault;
use crate::inst::{Inst, Res};
use crate::lanes::{rd, wr};
use crate::wave::{Wave, ZERO};

/// Copies within rows of 16 lanes (or from the other row of each pair) by 64 bits of nibble selectors.
fn permlane(w: &mut Wave, i: &Inst, other: usize, selector: impl Fn(usize) -> usize) {
    let (fetch_inactive, bound_zero) = (i.op_sel & 1 != 0, i.op_sel & 2 != 0);
    let mut buf = ZERO;
    let mut out = w.v[i.ops[0].reg as usize];
    let exec = w.exec();
    let a = rd(w, &i.ops[1], &mut buf);
    for l in 0..w.n {
        let from = (l & !15 ^ other) + (selector(l) & 15);
        if fetch_inactive || exec >> from & 1 != 0 {
            out[l] = a[from];
        } else if bound_zero {
            out[l] = 0;
        }
    }
    wr(w, &i.ops[0], &out);
}

fn scalar_selector(w: &Wave, i: &Inst) -> impl Fn(usize) -> usize + use<> {
    let bits = u64::from(w.s32(&i.ops[2])) | u64::from(w.s32(&i.ops[3])) << 32;
    move |l| (bits >> (4 * (l & 15)) & 15) as usize
}

/// Counts the bits of a mask below each lane, 32 lanes at a time.
fn mbcnt(w: &mut Wave, i: &Inst, shift: u32, first: usize) {
    let (mut b0, mut b1, mut out) = (ZERO, ZERO, ZERO);
    let (a, b) = (rd(w, &i.ops[1], &mut b0), rd(w, &i.ops[2], &mut b1));
    for l in 0..w.n {
        let below: u64 = (1u64 << l) - 1;
        let mask = (below >> shift) as u32;
        let mask = if l < first { 0 } else { mask };
        out[l] = (a[l] & mask).count_ones().wrapping_add(b[l]);
    }
    wr(w, &i.ops[0], &out);
}

fn read_lane(w: &mut Wave, i: &Inst) -> Res {
    let lane = w.s32(&i.ops[2]) as usize & (w.n - 1);
    let value = if i.ops[1].is_v() { w.v[i.ops[1].reg as usize][lane] } else { w.s32(&i.ops[1]) };
    w.set32(&i.ops[0], value);
    Ok(())
}

/// The register of an operand whose row is read as it is.
const fn vector<const N: usize>(exec: crate::inst::Exec) -> Def {
    Def { fix: Some(|i, _| i.ops[N].is_v().then_some(())), ..def(Class::Valu, exec) }
}

pub(super) const TABLE: Table = &[
    ("v_readlane_b32", def(Class::Valu, |w, _, i| read_lane(w, i))),
    (
        "v_readfirstlane_b32",
        def(Class::Valu, |w, _, i| {
            let lane = w.first_lane();
            let value = if i.ops[1].is_v() { w.v[i.ops[1].reg as usize][lane] } else { w.s32(&i.ops[1]) };
            w.set32(&i.ops[0], value);
            Ok(())
        }),
    ),
    (
        "v_writelane_b32",
        def(Class::Valu, |w, _, i| {
            let lane = w.s32(&i.ops[2]) as usize & (w.n - 1);
            w.v[i.ops[0].reg as usize][lane] = w.s32(&i.ops[1]);
            Ok(())
        }),
    ),
    (
        "v_mbcnt_lo_u32_b32",
        def(Class::Valu, |w, _, i| {
            mbcnt(w, i, 0, 0);
            Ok(())
        }),
    ),
    (
        "v_mbcnt_hi_u32_b32",
        def(Class::Valu, |w, _, i| {
            mbcnt(w, i, 32, 32);
            Ok(())
        }),
    ),
    (
        "v_permlane16_b32",
        def(Class::Valu, |w, _, i| {
            let selector = scalar_selector(w, i);
            permlane(w, i, 0, selector);
            Ok(())
        }),
    ),
    (
        "v_permlanex16_b32",
        def(Class::Valu, |w, _, i| {
            let selector = scalar_selector(w, i);
            permlane(w, i, 16, selector);
            Ok(())
        }),
    ),
    (
        "v_permlane16_var_b32",
        vector::<2>(|w, _, i| {
            let lanes = w.v[i.ops[2].reg as usize];
            permlane(w, i, 0, |l| lanes[l] as usize);
            Ok(())
        }),
    ),
    (
        "v_permlanex16_var_b32",
        vector::<2>(|w, _, i| {
            let lanes = w.v[i.ops[2].reg as usize];
            permlane(w, i, 16, |l| lanes[l] as usize);
            Ok(())
        }),
    ),
    (
        "v_permlane64_b32",
        vector::<1>(|w, _, i| {
            // In wave32 it moves nothing.
            let a = w.v[i.ops[1].reg as usize];
            let half = if w.n == 64 { 32 } else { 0 };
            let out = std::array::from_fn(|l| a[l ^ half]);
            wr(w, &i.ops[0], &out);
            Ok(())
        }),
    ),
    (
        "v_movrels_b32",
        vector::<1>(|w, _, i| {
            let row = w.row(i64::from(i.ops[1].reg) + i64::from(w.s[crate::inst::sreg::M0 as usize]))?;
            let a = w.v[row];
            wr(w, &i.ops[0], &a);
            Ok(())
        }),
    ),
    (
        "v_movreld_b32",
        def(Class::Valu, |w, _, i| {
            let row = w.row(i64::from(i.ops[0].reg) + i64::from(w.s[crate::inst::sreg::M0 as usize]))?;
            let mut buf = ZERO;
            let a = *rd(w, &i.ops[1], &mut buf);
            let to = u16::try_from(row).map_err(|_| Fault::unknown("relative register"))?;
            wr(w, &crate::inst::Src { reg: to, ..i.ops[0] }, &a);
            Ok(())
        }),
    ),
];
