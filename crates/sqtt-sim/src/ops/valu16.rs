//! Vector ALU, 16-bit integers and bits.

use super::{Class, Def, Table, def};
use crate::lanes::h;

macro_rules! h2 {
    (|$a:ident, $b:ident| $e:expr) => {
        def(Class::Valu, |w, _, i| {
            h(w, i, |[$a, $b]: [u32; 2]| $e);
            Ok(())
        })
    };
}
macro_rules! h3 {
    (|$a:ident, $b:ident, $c:ident| $e:expr) => {
        def(Class::Valu, |w, _, i| {
            h(w, i, |[$a, $b, $c]: [u32; 3]| $e);
            Ok(())
        })
    };
}
/// Two sources with a saturating form.
macro_rules! sat {
    (|$a:ident, $b:ident| $e:expr, $s:expr) => {
        def(Class::Sat, |w, _, i| {
            if i.clamp {
                h(w, i, |[$a, $b]: [u32; 2]| $s);
            } else {
                h(w, i, |[$a, $b]: [u32; 2]| $e);
            }
            Ok(())
        })
    };
}

const fn s(x: u32) -> i16 {
    (x as u16).cast_signed()
}

const fn u(x: i16) -> u32 {
    x.cast_unsigned() as u32
}

const fn t(x: u32) -> u16 {
    x as u16
}

fn med(a: u32, b: u32, c: u32) -> u32 {
    a.max(b).min(c).max(a.min(b))
}

fn med_s(a: i16, b: i16, c: i16) -> u32 {
    u(a.max(b).min(c).max(a.min(b)))
}

pub(super) const TABLE: Table = &[
    (
        "v_mov_b16",
        Def {
            class: Class::Bits,
            ..def(Class::Bits, |w, _, i| {
                h(w, i, |[a]| a);
                Ok(())
            })
        },
    ),
    (
        "v_not_b16",
        def(Class::Valu, |w, _, i| {
            h(w, i, |[a]| !a);
            Ok(())
        }),
    ),
    ("v_add_u16 v_add_nc_u16", sat!(|a, b| a.wrapping_add(b), t(a).saturating_add(t(b)).into())),
    ("v_sub_u16 v_sub_nc_u16", sat!(|a, b| a.wrapping_sub(b), t(a).saturating_sub(t(b)).into())),
    ("v_subrev_u16", sat!(|a, b| b.wrapping_sub(a), t(b).saturating_sub(t(a)).into())),
    ("v_add_i16 v_add_nc_i16", sat!(|a, b| a.wrapping_add(b), u(s(a).saturating_add(s(b))))),
    ("v_sub_i16 v_sub_nc_i16", sat!(|a, b| a.wrapping_sub(b), u(s(a).saturating_sub(s(b))))),
    ("v_mul_lo_u16", h2!(|a, b| a.wrapping_mul(b))),
    ("v_lshlrev_b16", h2!(|a, b| b << (a & 15))),
    ("v_lshrrev_b16", h2!(|a, b| b >> (a & 15))),
    ("v_ashrrev_i16", h2!(|a, b| u(s(b) >> (a & 15)))),
    ("v_and_b16", h2!(|a, b| a & b)),
    ("v_or_b16", h2!(|a, b| a | b)),
    ("v_xor_b16", h2!(|a, b| a ^ b)),
    ("v_min_u16", h2!(|a, b| a.min(b))),
    ("v_max_u16", h2!(|a, b| a.max(b))),
    ("v_min_i16", h2!(|a, b| u(s(a).min(s(b))))),
    ("v_max_i16", h2!(|a, b| u(s(a).max(s(b))))),
    ("v_min3_u16", h3!(|a, b, c| a.min(b).min(c))),
    ("v_max3_u16", h3!(|a, b, c| a.max(b).max(c))),
    ("v_med3_u16", h3!(|a, b, c| med(a, b, c))),
    ("v_min3_i16", h3!(|a, b, c| u(s(a).min(s(b)).min(s(c))))),
    ("v_max3_i16", h3!(|a, b, c| u(s(a).max(s(b)).max(s(c))))),
    ("v_med3_i16", h3!(|a, b, c| med_s(s(a), s(b), s(c)))),
    ("v_mad_u16 v_mad_legacy_u16", h3!(|a, b, c| a.wrapping_mul(b).wrapping_add(c))),
    ("v_mad_i16 v_mad_legacy_i16", h3!(|a, b, c| a.wrapping_mul(b).wrapping_add(c))),
    (
        "v_cndmask_b16",
        Def {
            class: Class::Bits,
            ..def(Class::Bits, |w, _, i| {
                let mask = i.op(3).map_or_else(|| w.vcc(), |s| w.mask(s));
                let (mut a, mut b) = (crate::wave::ZERO, crate::wave::ZERO);
                crate::lanes::rd16(w, &i.ops[1], &mut a);
                crate::lanes::rd16(w, &i.ops[2], &mut b);
                for l in 0..w.n {
                    if mask >> l & 1 != 0 {
                        a[l] = b[l];
                    }
                }
                crate::lanes::wr16(w, i, &a);
                Ok(())
            })
        },
    ),
    (
        "v_pack_b32_f16",
        Def {
            class: Class::Bits,
            ..def(Class::Bits, |w, _, i| {
                let (mut a, mut b) = (crate::wave::ZERO, crate::wave::ZERO);
                crate::lanes::rd16(w, &i.ops[1], &mut a);
                crate::lanes::rd16(w, &i.ops[2], &mut b);
                for l in 0..w.n {
                    a[l] |= b[l] << 16;
                }
                crate::lanes::wr(w, &i.ops[0], &a);
                Ok(())
            })
        },
    ),
    (
        "v_cvt_i32_i16",
        def(Class::Valu, |w, _, i| {
            let mut a = crate::wave::ZERO;
            crate::lanes::rd16(w, &i.ops[1], &mut a);
            a.iter_mut().for_each(|x| *x = i32::from(s(*x)).cast_unsigned());
            crate::lanes::wr(w, &i.ops[0], &a);
            Ok(())
        }),
    ),
    (
        "v_cvt_u32_u16",
        def(Class::Valu, |w, _, i| {
            let mut a = crate::wave::ZERO;
            crate::lanes::rd16(w, &i.ops[1], &mut a);
            crate::lanes::wr(w, &i.ops[0], &a);
            Ok(())
        }),
    ),
    (
        "v_sat_pk_u8_i16",
        def(Class::Valu, |w, _, i| {
            let mut buf = crate::wave::ZERO;
            let mut out = *crate::lanes::rd(w, &i.ops[1], &mut buf);
            let clamp = |x: u32| u32::from(s(x).clamp(0, 255).cast_unsigned());
            out.iter_mut().for_each(|x| *x = clamp(*x & 0xffff) | clamp(*x >> 16) << 8);
            crate::lanes::wr16(w, i, &out);
            Ok(())
        }),
    ),
];
