//! Scalar floating point (gfx11.5 and gfx12): f32 and f16 in SGPRs.

use super::f16::{canonical, rsq};
use super::{Class, Table, def, f32 as vf};
use crate::fp;
use crate::inst::Src;
use crate::wave::Wave;

fn x32(w: &Wave, s: &Src) -> f32 {
    let x = f32::from_bits(signs(w.s32(s), s, 31));
    if w.mode.flush_in32 { fp::flush32(x) } else { x }
}

fn x16(w: &Wave, s: &Src) -> f64 {
    let bits = match s.kind {
        crate::inst::Kind::K => s.k.b16,
        _ => w.s32(s) & 0xffff,
    };
    fp::in16(w, signs(bits, s, 15))
}

fn signs(bits: u32, s: &Src, sign: u32) -> u32 {
    let bits = if s.abs { bits & !(1 << sign) } else { bits };
    if s.neg { bits ^ 1 << sign } else { bits }
}

fn out32(w: &Wave, x: f32) -> u32 {
    if w.mode.flush_out32 { fp::flush32(x) } else { x }.to_bits()
}

fn out16(w: &Wave, x: f64) -> u32 {
    let bits = fp::to16(x, false);
    if w.mode.flush_out64 && bits & 0x7c00 == 0 { bits & 0x8000 } else { bits }
}

macro_rules! f2 {
    (|$a:ident, $b:ident| $e:expr) => {
        def(Class::Salu, |w, _, i| {
            let ($a, $b) = (x32(w, &i.ops[1]), x32(w, &i.ops[2]));
            let r = out32(w, $e);
            w.set32(&i.ops[0], r);
            Ok(())
        })
    };
}

macro_rules! f1 {
    (|$a:ident| $e:expr) => {
        def(Class::Salu, |w, _, i| {
            let $a = x32(w, &i.ops[1]);
            let r = out32(w, $e);
            w.set32(&i.ops[0], r);
            Ok(())
        })
    };
}

/// f32 in, integer or f16 bits out.
macro_rules! c1 {
    (|$w:ident, $a:ident| $e:expr) => {
        def(Class::Salu, |$w, _, i| {
            let $a = x32($w, &i.ops[1]);
            let r: u32 = $e;
            $w.set32(&i.ops[0], r);
            Ok(())
        })
    };
}

/// Integer in, f32 out.
macro_rules! u1 {
    (|$a:ident| $e:expr) => {
        def(Class::Salu, |w, _, i| {
            let $a = w.s32(&i.ops[1]);
            let r = out32(w, $e);
            w.set32(&i.ops[0], r);
            Ok(())
        })
    };
}

macro_rules! h2 {
    (|$a:ident, $b:ident| $e:expr) => {
        def(Class::Salu, |w, _, i| {
            let ($a, $b) = (x16(w, &i.ops[1]), x16(w, &i.ops[2]));
            let r = out16(w, $e);
            w.set32(&i.ops[0], r);
            Ok(())
        })
    };
}

macro_rules! h1 {
    (|$a:ident| $e:expr) => {
        def(Class::Salu, |w, _, i| {
            let $a = x16(w, &i.ops[1]);
            let r = out16(w, $e);
            w.set32(&i.ops[0], r);
            Ok(())
        })
    };
}

macro_rules! cmp32 {
    (|$a:ident, $b:ident| $e:expr) => {
        def(Class::Salu, |w, _, i| {
            let ($a, $b) = (x32(w, &i.ops[0]), x32(w, &i.ops[1]));
            w.scc = $e;
            Ok(())
        })
    };
}

macro_rules! cmp16 {
    (|$a:ident, $b:ident| $e:expr) => {
        def(Class::Salu, |w, _, i| {
            let ($a, $b) = (x16(w, &i.ops[0]), x16(w, &i.ops[1]));
            w.scc = $e;
            Ok(())
        })
    };
}

fn trunc_zero(x: f64, even: bool) -> f64 {
    fp::quiet64(if even { x.round_ties_even() } else { x.trunc() })
}

#[expect(
    clippy::neg_cmp_op_on_partial_ord,
    clippy::double_comparisons,
    reason = "an unordered pair satisfies the negated conditions"
)]
pub(super) const TABLE: Table = &[
    ("s_add_f32", f2!(|a, b| fp::add([a, b]))),
    ("s_sub_f32", f2!(|a, b| fp::sub([a, b]))),
    ("s_mul_f32", f2!(|a, b| fp::mul([a, b]))),
    ("s_min_f32 s_min_num_f32", f2!(|a, b| fp::widen([a, b], fp::min_num))),
    ("s_max_f32 s_max_num_f32", f2!(|a, b| fp::widen([a, b], fp::max_num))),
    ("s_minimum_f32", f2!(|a, b| fp::widen([a, b], fp::minimum))),
    ("s_maximum_f32", f2!(|a, b| fp::widen([a, b], fp::maximum))),
    (
        "s_fmac_f32",
        def(Class::Salu, |w, _, i| {
            let r = fp::fma([x32(w, &i.ops[1]), x32(w, &i.ops[2]), x32(w, &i.ops[0])]);
            let r = out32(w, r);
            w.set32(&i.ops[0], r);
            Ok(())
        }),
    ),
    (
        "s_fmaak_f32",
        def(Class::Salu, |w, _, i| {
            let r = fp::fma([x32(w, &i.ops[1]), x32(w, &i.ops[2]), x32(w, &i.ops[3])]);
            let r = out32(w, r);
            w.set32(&i.ops[0], r);
            Ok(())
        }),
    ),
    (
        "s_fmamk_f32",
        def(Class::Salu, |w, _, i| {
            let r = fp::fma([x32(w, &i.ops[1]), x32(w, &i.ops[2]), x32(w, &i.ops[3])]);
            let r = out32(w, r);
            w.set32(&i.ops[0], r);
            Ok(())
        }),
    ),
    ("s_ceil_f32", f1!(|a| fp::quiet32(a.ceil()))),
    ("s_floor_f32", f1!(|a| fp::quiet32(a.floor()))),
    ("s_trunc_f32", f1!(|a| fp::quiet32(a.trunc()))),
    ("s_rndne_f32", f1!(|a| fp::quiet32(a.round_ties_even()))),
    ("v_s_exp_f32", f1!(|a| vf::exp2(a))),
    ("v_s_log_f32", f1!(|a| vf::log2(a))),
    ("v_s_rcp_f32", f1!(|a| vf::rcp(a))),
    ("v_s_rsq_f32", f1!(|a| vf::rsq(a))),
    ("v_s_sqrt_f32", f1!(|a| vf::sqrt(a))),
    ("s_cvt_f32_i32", u1!(|a| a.cast_signed() as f32)),
    ("s_cvt_f32_u32", u1!(|a| a as f32)),
    ("s_cvt_f32_f16", u1!(|a| fp::narrow(fp::from16(a & 0xffff)))),
    ("s_cvt_hi_f32_f16", u1!(|a| fp::narrow(fp::from16(a >> 16)))),
    ("s_cvt_i32_f32", c1!(|_w, a| (a as i32).cast_unsigned())),
    ("s_cvt_u32_f32", c1!(|_w, a| a as u32)),
    ("s_cvt_f16_f32", c1!(|w, a| out16(w, fp::wide(a)))),
    (
        "s_cvt_pk_rtz_f16_f32",
        def(Class::Salu, |w, _, i| {
            let (a, b) = (x32(w, &i.ops[1]), x32(w, &i.ops[2]));
            w.set32(&i.ops[0], fp::to16(fp::wide(a), true) | fp::to16(fp::wide(b), true) << 16);
            Ok(())
        }),
    ),
    ("s_add_f16", h2!(|a, b| fp::add_d([a, b]))),
    ("s_sub_f16", h2!(|a, b| fp::add_d([a, -b]))),
    ("s_mul_f16", h2!(|a, b| fp::mul_d([a, b]))),
    ("s_min_f16 s_min_num_f16", h2!(|a, b| fp::min_num([a, b]))),
    ("s_max_f16 s_max_num_f16", h2!(|a, b| fp::max_num([a, b]))),
    ("s_minimum_f16", h2!(|a, b| fp::minimum([a, b]))),
    ("s_maximum_f16", h2!(|a, b| fp::maximum([a, b]))),
    (
        "s_fmac_f16",
        def(Class::Salu, |w, _, i| {
            let (a, b, c) = (x16(w, &i.ops[1]), x16(w, &i.ops[2]), x16(w, &i.ops[0]));
            let r = out16(w, super::f16::fma([a, b, c]));
            w.set32(&i.ops[0], r);
            Ok(())
        }),
    ),
    ("v_s_exp_f16", h1!(|a| canonical(a, a.exp2()))),
    ("v_s_log_f16", h1!(|a| canonical(a, a.log2()))),
    ("v_s_rcp_f16", h1!(|a| canonical(a, 1.0 / a))),
    ("v_s_rsq_f16", h1!(|a| canonical(a, rsq(a)))),
    ("v_s_sqrt_f16", h1!(|a| canonical(a, a.sqrt()))),
    ("s_ceil_f16", h1!(|a| fp::quiet64(a.ceil()))),
    ("s_floor_f16", h1!(|a| fp::quiet64(a.floor()))),
    ("s_trunc_f16", h1!(|a| trunc_zero(a, false))),
    ("s_rndne_f16", h1!(|a| trunc_zero(a, true))),
    ("s_cmp_lt_f32", cmp32!(|a, b| a < b)),
    ("s_cmp_eq_f32", cmp32!(|a, b| a == b)),
    ("s_cmp_le_f32", cmp32!(|a, b| a <= b)),
    ("s_cmp_gt_f32", cmp32!(|a, b| a > b)),
    ("s_cmp_lg_f32", cmp32!(|a, b| a < b || a > b)),
    ("s_cmp_ge_f32", cmp32!(|a, b| a >= b)),
    ("s_cmp_o_f32", cmp32!(|a, b| !a.is_nan() && !b.is_nan())),
    ("s_cmp_u_f32", cmp32!(|a, b| a.is_nan() || b.is_nan())),
    ("s_cmp_nge_f32", cmp32!(|a, b| !(a >= b))),
    ("s_cmp_nlg_f32", cmp32!(|a, b| !(a < b || a > b))),
    ("s_cmp_ngt_f32", cmp32!(|a, b| !(a > b))),
    ("s_cmp_nle_f32", cmp32!(|a, b| !(a <= b))),
    ("s_cmp_neq_f32", cmp32!(|a, b| a != b)),
    ("s_cmp_nlt_f32", cmp32!(|a, b| !(a < b))),
    ("s_cmp_lt_f16", cmp16!(|a, b| a < b)),
    ("s_cmp_eq_f16", cmp16!(|a, b| a == b)),
    ("s_cmp_le_f16", cmp16!(|a, b| a <= b)),
    ("s_cmp_gt_f16", cmp16!(|a, b| a > b)),
    ("s_cmp_lg_f16", cmp16!(|a, b| a < b || a > b)),
    ("s_cmp_ge_f16", cmp16!(|a, b| a >= b)),
    ("s_cmp_o_f16", cmp16!(|a, b| !a.is_nan() && !b.is_nan())),
    ("s_cmp_u_f16", cmp16!(|a, b| a.is_nan() || b.is_nan())),
    ("s_cmp_nge_f16", cmp16!(|a, b| !(a >= b))),
    ("s_cmp_nlg_f16", cmp16!(|a, b| !(a < b || a > b))),
    ("s_cmp_ngt_f16", cmp16!(|a, b| !(a > b))),
    ("s_cmp_nle_f16", cmp16!(|a, b| !(a <= b))),
    ("s_cmp_neq_f16", cmp16!(|a, b| a != b)),
    ("s_cmp_nlt_f16", cmp16!(|a, b| !(a < b))),
];
