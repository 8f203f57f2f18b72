//! Vector compares: one outcome per lane, a condition is the set of outcomes it accepts.

use super::{Class, Def, Table, def};
use crate::fp;
use crate::inst::{Inst, Res, flag};
use crate::lanes::{rd, rd16, rd64};
use crate::wave::{Wave, ZERO, ZERO64};

const LT: i64 = 1;
const EQ: i64 = 2;
const GT: i64 = 4;
const UN: i64 = 8;

/// `v_cmp[x]_<condition>_<type>`
pub(super) fn family(name: &str, inst: &mut Inst) -> Option<Def> {
    let (rest, cmpx) = match name.strip_prefix("v_cmpx_") {
        Some(rest) => (rest, flag::CMPX),
        None => (name.strip_prefix("v_cmp_")?, 0),
    };
    let (condition, kind) = rest.rsplit_once('_')?;
    if condition == "class" {
        let exec = match kind {
            "f32" => class32,
            "f16" => class16,
            "f64" => class64,
            _ => return None,
        };
        return Some(Def { flags: cmpx, ..def(Class::Bits, exec) });
    }
    let float = kind.starts_with('f');
    inst.imm = match condition {
        "f" => 0,
        "lt" => LT,
        "eq" => EQ,
        "le" => LT | EQ,
        "gt" => GT,
        "lg" | "ne" => LT | GT,
        "ge" => GT | EQ,
        "t" | "tru" => LT | EQ | GT | UN,
        "o" if float => LT | EQ | GT,
        "u" if float => UN,
        "nge" if float => LT | UN,
        "nlg" if float => EQ | UN,
        "ngt" if float => LT | EQ | UN,
        "nle" if float => GT | UN,
        "neq" if float => LT | GT | UN,
        "nlt" if float => EQ | GT | UN,
        _ => return None,
    };
    let (class, exec): (Class, crate::inst::Exec) = match kind {
        "u32" => (Class::Valu, |w, _, i| cmp32(w, i, |a| a)),
        "i32" => (Class::Valu, |w, _, i| cmp32(w, i, u32::cast_signed)),
        "u16" => (Class::Valu, |w, _, i| cmp16(w, i, |a| a)),
        "i16" => (Class::Valu, |w, _, i| cmp16(w, i, |a| (a as u16).cast_signed())),
        "u64" => (Class::Valu, |w, _, i| cmp64(w, i, false, |a| a)),
        "i64" => (Class::Valu, |w, _, i| cmp64(w, i, false, u64::cast_signed)),
        "f32" => (Class::Float, |w, _, i| {
            if w.mode.flush_in32 {
                cmp32(w, i, |a| fp::flush32(f32::from_bits(a)))
            } else {
                cmp32(w, i, f32::from_bits)
            }
        }),
        "f16" => (Class::Float, |w, _, i| {
            let flush = w.mode.flush_in64;
            cmp16(w, i, |a| fp::from16(if flush && a & 0x7c00 == 0 { a & 0x8000 } else { a }))
        }),
        "f64" => (Class::Float, |w, _, i| {
            let flush = w.mode.flush_in64;
            cmp64(w, i, true, |a| if flush { fp::flush64(f64::from_bits(a)) } else { f64::from_bits(a) })
        }),
        _ => return None,
    };
    Some(Def { flags: cmpx, ..def(class, exec) })
}

pub(super) const TABLE: Table = &[];

/// Writes the result mask: inactive lanes are zero.
fn finish(w: &mut Wave, i: &Inst, mask: u64) -> Res {
    let mask = mask & w.exec();
    w.set_mask(&i.ops[0], mask);
    if i.has(flag::CMPX) {
        w.set_exec(mask);
    }
    Ok(())
}

fn outcome<T: PartialOrd>(a: &T, b: &T) -> i64 {
    if a < b {
        LT
    } else if a == b {
        EQ
    } else if a > b {
        GT
    } else {
        UN
    }
}

#[inline(always)]
fn mask<S: Copy, T: PartialOrd>(
    n: usize,
    a: &[S],
    b: &[S],
    get: impl Fn(S) -> T,
    f: impl Fn(T, T) -> bool,
) -> u64 {
    a[..n].iter().zip(&b[..n]).enumerate().fold(0, |m, (l, (&a, &b))| m | u64::from(f(get(a), get(b))) << l)
}

#[expect(clippy::double_comparisons, reason = "an unordered pair satisfies neither")]
#[inline(always)]
fn select<S: Copy, T: PartialOrd>(n: usize, i: &Inst, a: &[S], b: &[S], get: impl Fn(S) -> T) -> u64 {
    const LE: i64 = LT | EQ;
    const GE: i64 = GT | EQ;
    const LG: i64 = LT | GT;
    match i.imm {
        LT => mask(n, a, b, get, |a, b| a < b),
        EQ => mask(n, a, b, get, |a, b| a == b),
        GT => mask(n, a, b, get, |a, b| a > b),
        LE => mask(n, a, b, get, |a, b| a <= b),
        GE => mask(n, a, b, get, |a, b| a >= b),
        LG => mask(n, a, b, get, |a, b| a < b || a > b),
        set => mask(n, a, b, get, |a, b| outcome(&a, &b) & set != 0),
    }
}

#[inline(always)]
fn cmp32<T: PartialOrd>(w: &mut Wave, i: &Inst, get: impl Fn(u32) -> T) -> Res {
    let (mut b0, mut b1) = (ZERO, ZERO);
    let m = select(w.n, i, rd(w, &i.ops[1], &mut b0), rd(w, &i.ops[2], &mut b1), get);
    finish(w, i, m)
}

#[inline(always)]
fn cmp16<T: PartialOrd>(w: &mut Wave, i: &Inst, get: impl Fn(u32) -> T) -> Res {
    let (mut a, mut b) = (ZERO, ZERO);
    rd16(w, &i.ops[1], &mut a);
    rd16(w, &i.ops[2], &mut b);
    let m = select(w.n, i, &a, &b, get);
    finish(w, i, m)
}

#[inline(always)]
fn cmp64<T: PartialOrd>(w: &mut Wave, i: &Inst, float: bool, get: impl Fn(u64) -> T) -> Res {
    let (mut a, mut b) = (ZERO64, ZERO64);
    rd64(w, &i.ops[1], &mut a, float);
    rd64(w, &i.ops[2], &mut b, float);
    let m = select(w.n, i, &a, &b, get);
    finish(w, i, m)
}

fn class32(w: &mut Wave, _: &mut crate::env::Env<'_>, i: &Inst) -> Res {
    let (mut b0, mut b1) = (ZERO, ZERO);
    let (a, b) = (rd(w, &i.ops[1], &mut b0), rd(w, &i.ops[2], &mut b1));
    let of = |x: u32| {
        let (exp, man) = (x >> 23 & 0xff, u64::from(x & 0x7f_ffff));
        fp::class(x >> 31 != 0, exp == 0xff, exp == 0, man, x >> 22 & 1 != 0)
    };
    let m = (0..w.n).fold(0, |m, l| m | u64::from(of(a[l]) & b[l] != 0) << l);
    finish(w, i, m)
}

fn class16(w: &mut Wave, _: &mut crate::env::Env<'_>, i: &Inst) -> Res {
    let (mut a, mut b) = (ZERO, ZERO);
    rd16(w, &i.ops[1], &mut a);
    rd16(w, &i.ops[2], &mut b);
    let of = |x: u32| {
        let (exp, man) = (x >> 10 & 0x1f, u64::from(x & 0x3ff));
        fp::class(x >> 15 != 0, exp == 0x1f, exp == 0, man, x >> 9 & 1 != 0)
    };
    let m = (0..w.n).fold(0, |m, l| m | u64::from(of(a[l]) & b[l] != 0) << l);
    finish(w, i, m)
}

fn class64(w: &mut Wave, _: &mut crate::env::Env<'_>, i: &Inst) -> Res {
    let (mut a, mut b) = (ZERO64, ZERO);
    rd64(w, &i.ops[1], &mut a, true);
    let b = rd(w, &i.ops[2], &mut b);
    let of = |x: u64| {
        let (exp, man) = (x >> 52 & 0x7ff, x & ((1 << 52) - 1));
        fp::class(x >> 63 != 0, exp == 0x7ff, exp == 0, man, x >> 51 & 1 != 0)
    };
    let m = (0..w.n).fold(0, |m, l| m | u64::from(of(a[l]) & b[l] != 0) << l);
    finish(w, i, m)
}
