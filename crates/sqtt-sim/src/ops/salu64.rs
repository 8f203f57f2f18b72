//! Scalar ALU, 64 bits.

use super::salu::field;
use super::{Class, Table, def};
use crate::inst::{Kind, Src};
use crate::wave::Wave;

macro_rules! s2 {
    (|$w:ident, $a:ident, $b:ident| $e:expr) => {
        def(Class::Salu, |$w, _, i| {
            let ($a, $b) = ($w.s64(&i.ops[1]), $w.s64(&i.ops[2]));
            let r = $e;
            $w.set64(&i.ops[0], r);
            Ok(())
        })
    };
}

/// 64-bit value, 32-bit count.
macro_rules! shift {
    (|$w:ident, $a:ident, $b:ident| $e:expr) => {
        def(Class::Salu, |$w, _, i| {
            let ($a, $b) = ($w.s64(&i.ops[1]), $w.s32(&i.ops[2]));
            let r = $e;
            $w.set64(&i.ops[0], r);
            Ok(())
        })
    };
}

macro_rules! s1 {
    (|$w:ident, $a:ident| $e:expr) => {
        def(Class::Salu, |$w, _, i| {
            let $a = $w.s64(&i.ops[1]);
            let r = $e;
            $w.set64(&i.ops[0], r);
            Ok(())
        })
    };
}

/// 64 bits in, 32 out.
macro_rules! count {
    (|$w:ident, $a:ident| $e:expr) => {
        def(Class::Salu, |$w, _, i| {
            let $a = $w.s64(&i.ops[1]);
            let r: u32 = $e;
            $w.set32(&i.ops[0], r);
            Ok(())
        })
    };
}

macro_rules! sc {
    (|$a:ident, $b:ident| $e:expr) => {
        def(Class::Salu, |w, _, i| {
            let ($a, $b) = (w.s64(&i.ops[0]), w.s64(&i.ops[1]));
            w.scc = $e;
            Ok(())
        })
    };
}

macro_rules! save {
    ($write:ident, |$s:ident, $e:ident| $f:expr) => {
        def(Class::Salu, |w, _, i| {
            let ($s, $e) = (w.s64(&i.ops[1]), w.s64(&EXEC));
            let r: u64 = $f;
            w.set64(&EXEC, r);
            w.set64(&i.ops[0], if stringify!($write) == "old" { $e } else { r });
            w.scc = r != 0;
            Ok(())
        })
    };
}

const EXEC: Src = Src { kind: Kind::S, reg: crate::inst::sreg::EXEC, n: 2, ..Src::NONE };

fn nz(w: &mut Wave, r: u64) -> u64 {
    w.scc = r != 0;
    r
}

fn nz32(w: &mut Wave, r: u32) -> u32 {
    w.scc = r != 0;
    r
}

fn bfe_u(a: u64, c: u32) -> u64 {
    let (offset, width) = field(c, 64);
    if width == 0 { 0 } else { a >> offset & u64::MAX >> (64 - width.min(64)) }
}

fn bfe_i(a: u64, c: u32) -> u64 {
    let (offset, width) = field(c, 64);
    let width = width.min(64 - offset);
    if width == 0 { 0 } else { ((a << (64 - width - offset)).cast_signed() >> (64 - width)).cast_unsigned() }
}

fn or_none(found: u32, none: bool) -> u32 {
    if none { u32::MAX } else { found }
}

fn flbit_i64(a: u64) -> u32 {
    let x = if a.cast_signed() < 0 { !a } else { a };
    or_none(x.leading_zeros(), x == 0)
}

fn wqm(a: u64) -> u64 {
    ((a | a >> 1 | a >> 2 | a >> 3) & 0x1111_1111_1111_1111) * 15
}

fn replicate(a: u64) -> u64 {
    (0..32).fold(0, |r, k| r | ((a >> k & 1) * 3) << (2 * k))
}

pub(super) const TABLE: Table = &[
    ("s_and_b64", s2!(|w, a, b| nz(w, a & b))),
    ("s_or_b64", s2!(|w, a, b| nz(w, a | b))),
    ("s_xor_b64", s2!(|w, a, b| nz(w, a ^ b))),
    ("s_andn2_b64 s_and_not1_b64", s2!(|w, a, b| nz(w, a & !b))),
    ("s_orn2_b64 s_or_not1_b64", s2!(|w, a, b| nz(w, a | !b))),
    ("s_nand_b64", s2!(|w, a, b| nz(w, !(a & b)))),
    ("s_nor_b64", s2!(|w, a, b| nz(w, !(a | b)))),
    ("s_xnor_b64", s2!(|w, a, b| nz(w, !(a ^ b)))),
    ("s_cselect_b64", s2!(|w, a, b| if w.scc { a } else { b })),
    ("s_add_u64 s_add_nc_u64", s2!(|_w, a, b| a.wrapping_add(b))),
    ("s_sub_u64 s_sub_nc_u64", s2!(|_w, a, b| a.wrapping_sub(b))),
    ("s_mul_u64", s2!(|_w, a, b| a.wrapping_mul(b))),
    ("s_lshl_b64", shift!(|w, a, b| nz(w, a << (b & 63)))),
    ("s_lshr_b64", shift!(|w, a, b| nz(w, a >> (b & 63)))),
    ("s_ashr_i64", shift!(|w, a, b| nz(w, (a.cast_signed() >> (b & 63)).cast_unsigned()))),
    ("s_bfe_u64", shift!(|w, a, b| nz(w, bfe_u(a, b)))),
    ("s_bfe_i64", shift!(|w, a, b| nz(w, bfe_i(a, b)))),
    ("s_bfm_b64", s2!(|_w, a, b| ((1u64 << (a & 63)) - 1) << (b & 63))),
    ("s_mov_b64", s1!(|_w, a| a)),
    (
        "s_cmov_b64",
        def(Class::Salu, |w, _, i| {
            if w.scc {
                let a = w.s64(&i.ops[1]);
                w.set64(&i.ops[0], a);
            }
            Ok(())
        }),
    ),
    ("s_not_b64", s1!(|w, a| nz(w, !a))),
    ("s_wqm_b64", s1!(|w, a| nz(w, wqm(a)))),
    ("s_brev_b64", s1!(|_w, a| a.reverse_bits())),
    (
        "s_bitreplicate_b64_b32",
        def(Class::Salu, |w, _, i| {
            let a = u64::from(w.s32(&i.ops[1]));
            w.set64(&i.ops[0], replicate(a));
            Ok(())
        }),
    ),
    ("s_bcnt0_i32_b64", count!(|w, a| nz32(w, a.count_zeros()))),
    ("s_bcnt1_i32_b64", count!(|w, a| nz32(w, a.count_ones()))),
    ("s_ff0_i32_b64", count!(|_w, a| or_none(a.trailing_ones(), a == u64::MAX))),
    ("s_ff1_i32_b64 s_ctz_i32_b64", count!(|_w, a| or_none(a.trailing_zeros(), a == 0))),
    ("s_flbit_i32_b64 s_clz_i32_u64", count!(|_w, a| or_none(a.leading_zeros(), a == 0))),
    ("s_flbit_i32_i64 s_cls_i32_i64", count!(|_w, a| flbit_i64(a))),
    (
        "s_bitset0_b64",
        def(Class::Salu, |w, _, i| {
            let r = w.s64(&i.ops[0]) & !(1 << (w.s32(&i.ops[1]) & 63));
            w.set64(&i.ops[0], r);
            Ok(())
        }),
    ),
    (
        "s_bitset1_b64",
        def(Class::Salu, |w, _, i| {
            let r = w.s64(&i.ops[0]) | 1 << (w.s32(&i.ops[1]) & 63);
            w.set64(&i.ops[0], r);
            Ok(())
        }),
    ),
    ("s_and_saveexec_b64", save!(old, |s, e| s & e)),
    ("s_or_saveexec_b64", save!(old, |s, e| s | e)),
    ("s_xor_saveexec_b64", save!(old, |s, e| s ^ e)),
    ("s_nand_saveexec_b64", save!(old, |s, e| !(s & e))),
    ("s_nor_saveexec_b64", save!(old, |s, e| !(s | e))),
    ("s_xnor_saveexec_b64", save!(old, |s, e| !(s ^ e))),
    ("s_andn1_saveexec_b64 s_and_not0_saveexec_b64", save!(old, |s, e| !s & e)),
    ("s_orn1_saveexec_b64 s_or_not0_saveexec_b64", save!(old, |s, e| !s | e)),
    ("s_andn2_saveexec_b64 s_and_not1_saveexec_b64", save!(old, |s, e| s & !e)),
    ("s_orn2_saveexec_b64 s_or_not1_saveexec_b64", save!(old, |s, e| s | !e)),
    ("s_andn1_wrexec_b64 s_and_not0_wrexec_b64", save!(new, |s, e| !s & e)),
    ("s_andn2_wrexec_b64 s_and_not1_wrexec_b64", save!(new, |s, e| s & !e)),
    ("s_cmp_eq_u64", sc!(|a, b| a == b)),
    ("s_cmp_lg_u64", sc!(|a, b| a != b)),
    (
        "s_bitcmp0_b64",
        def(Class::Salu, |w, _, i| {
            w.scc = w.s64(&i.ops[0]) >> (w.s32(&i.ops[1]) & 63) & 1 == 0;
            Ok(())
        }),
    ),
    (
        "s_bitcmp1_b64",
        def(Class::Salu, |w, _, i| {
            w.scc = w.s64(&i.ops[0]) >> (w.s32(&i.ops[1]) & 63) & 1 == 1;
            Ok(())
        }),
    ),
];
