//! Scalar ALU, 32 bits.

use super::{Class, Table, def};
use crate::inst::{Inst, Kind, Src};
use crate::wave::Wave;

/// `dst = f(a, b)`; the function also sets SCC where the instruction does.
macro_rules! s2 {
    (|$w:ident, $a:ident, $b:ident| $e:expr) => {
        def(Class::Salu, |$w, _, i| {
            let ($a, $b) = ($w.s32(&i.ops[1]), $w.s32(&i.ops[2]));
            let r = $e;
            $w.set32(&i.ops[0], r);
            Ok(())
        })
    };
}

/// `dst = f(a)`
macro_rules! s1 {
    (|$w:ident, $a:ident| $e:expr) => {
        def(Class::Salu, |$w, _, i| {
            let $a = $w.s32(&i.ops[1]);
            let r = $e;
            $w.set32(&i.ops[0], r);
            Ok(())
        })
    };
}

/// `SCC = f(a, b)`
macro_rules! sc {
    (|$a:ident, $b:ident| $e:expr) => {
        def(Class::Salu, |w, _, i| {
            let ($a, $b) = (w.s32(&i.ops[0]), w.s32(&i.ops[1]));
            w.scc = $e;
            Ok(())
        })
    };
}

/// Destination, old value and sign-extended immediate of SOPK.
macro_rules! sk {
    (|$w:ident, $d:ident, $k:ident| $e:expr) => {
        def(Class::Salu, |$w, _, i| {
            let ($d, $k) = ($w.s32(&i.ops[0]), simm(&i.ops[1]));
            let r = $e;
            $w.set32(&i.ops[0], r);
            Ok(())
        })
    };
}

/// `SCC = f(register, immediate)`
macro_rules! ck {
    (|$a:ident, $b:ident| $e:expr) => {
        def(Class::Salu, |w, _, i| {
            let ($a, $b) = (w.s32(&i.ops[0]), i.ops[1].k.b32);
            w.scc = $e;
            Ok(())
        })
    };
}

/// Reads and writes EXEC in 32 bits: `(source, exec) → exec`.
macro_rules! save {
    ($write:ident, |$s:ident, $e:ident| $f:expr) => {
        def(Class::Salu, |w, _, i| {
            let ($s, $e) = (w.s32(&i.ops[1]), w.s[crate::inst::sreg::EXEC as usize]);
            let r: u32 = $f;
            w.s[crate::inst::sreg::EXEC as usize] = r;
            w.set32(&i.ops[0], if stringify!($write) == "old" { $e } else { r });
            w.scc = r != 0;
            Ok(())
        })
    };
}

/// A 16-bit immediate, sign-extended.
pub(super) fn simm(s: &Src) -> u32 {
    i32::from(s.k.b32 as u16 as i16).cast_unsigned()
}

fn nz(w: &mut Wave, r: u32) -> u32 {
    w.scc = r != 0;
    r
}

fn carry(w: &mut Wave, (r, c): (u32, bool)) -> u32 {
    w.scc = c;
    r
}

fn signed(w: &mut Wave, (r, o): (i32, bool)) -> u32 {
    w.scc = o;
    r.cast_unsigned()
}

const fn i(x: u32) -> i32 {
    x.cast_signed()
}

fn addc(w: &mut Wave, a: u32, b: u32) -> u32 {
    let t = u64::from(a) + u64::from(b) + u64::from(w.scc);
    carry(w, (t as u32, t >> 32 != 0))
}

fn subb(w: &mut Wave, a: u32, b: u32) -> u32 {
    let t = u64::from(a).wrapping_sub(u64::from(b)).wrapping_sub(u64::from(w.scc));
    carry(w, (t as u32, t >> 63 != 0))
}

fn pick(w: &mut Wave, first: bool, a: u32, b: u32) -> u32 {
    w.scc = first;
    if first { a } else { b }
}

/// Offset in bits 4:0 (5:0 for 64 bits), width in bits 22:16.
pub(super) fn field(control: u32, bits: u32) -> (u32, u32) {
    (control & (bits - 1), control >> 16 & 0x7f)
}

fn bfe_u(a: u32, c: u32) -> u32 {
    let (offset, width) = field(c, 32);
    if width == 0 { 0 } else { a >> offset & u32::MAX >> (32 - width.min(32)) }
}

fn bfe_i(a: u32, c: u32) -> u32 {
    let (offset, width) = field(c, 32);
    let width = width.min(32 - offset);
    if width == 0 { 0 } else { (i(a << (32 - width - offset)) >> (32 - width)).cast_unsigned() }
}

fn shift_add(w: &mut Wave, a: u32, b: u32, by: u32) -> u32 {
    let t = (u64::from(a) << by) + u64::from(b);
    carry(w, (t as u32, t >> 32 != 0))
}

/// Highest bit that differs from the sign, counted from the top; -1 if none.
fn flbit_i32(a: u32) -> u32 {
    let x = if i(a) < 0 { !a } else { a };
    if x == 0 { u32::MAX } else { x.leading_zeros() }
}

fn first_one(found: u32, none: bool) -> u32 {
    if none { u32::MAX } else { found }
}

fn wqm(a: u32) -> u32 {
    let any = (a | a >> 1 | a >> 2 | a >> 3) & 0x1111_1111;
    any * 15
}

fn bit(i: &Inst, w: &Wave) -> u32 {
    1 << (w.s32(&i.ops[1]) & 31)
}

pub(super) const TABLE: Table = &[
    ("s_add_u32 s_add_co_u32", s2!(|w, a, b| carry(w, a.overflowing_add(b)))),
    ("s_sub_u32 s_sub_co_u32", s2!(|w, a, b| carry(w, a.overflowing_sub(b)))),
    ("s_add_i32 s_add_co_i32", s2!(|w, a, b| signed(w, i(a).overflowing_add(i(b))))),
    ("s_sub_i32 s_sub_co_i32", s2!(|w, a, b| signed(w, i(a).overflowing_sub(i(b))))),
    ("s_addc_u32 s_add_co_ci_u32", s2!(|w, a, b| addc(w, a, b))),
    ("s_subb_u32 s_sub_co_ci_u32", s2!(|w, a, b| subb(w, a, b))),
    ("s_min_i32", s2!(|w, a, b| pick(w, i(a) < i(b), a, b))),
    ("s_max_i32", s2!(|w, a, b| pick(w, i(a) >= i(b), a, b))),
    ("s_min_u32", s2!(|w, a, b| pick(w, a < b, a, b))),
    ("s_max_u32", s2!(|w, a, b| pick(w, a >= b, a, b))),
    ("s_cselect_b32", s2!(|w, a, b| if w.scc { a } else { b })),
    ("s_and_b32", s2!(|w, a, b| nz(w, a & b))),
    ("s_or_b32", s2!(|w, a, b| nz(w, a | b))),
    ("s_xor_b32", s2!(|w, a, b| nz(w, a ^ b))),
    ("s_andn2_b32 s_and_not1_b32", s2!(|w, a, b| nz(w, a & !b))),
    ("s_orn2_b32 s_or_not1_b32", s2!(|w, a, b| nz(w, a | !b))),
    ("s_nand_b32", s2!(|w, a, b| nz(w, !(a & b)))),
    ("s_nor_b32", s2!(|w, a, b| nz(w, !(a | b)))),
    ("s_xnor_b32", s2!(|w, a, b| nz(w, !(a ^ b)))),
    ("s_lshl_b32", s2!(|w, a, b| nz(w, a << (b & 31)))),
    ("s_lshr_b32", s2!(|w, a, b| nz(w, a >> (b & 31)))),
    ("s_ashr_i32", s2!(|w, a, b| nz(w, (i(a) >> (b & 31)).cast_unsigned()))),
    ("s_bfm_b32", s2!(|_w, a, b| ((1u32 << (a & 31)) - 1) << (b & 31))),
    ("s_mul_i32", s2!(|_w, a, b| a.wrapping_mul(b))),
    ("s_mul_hi_u32", s2!(|_w, a, b| ((u64::from(a) * u64::from(b)) >> 32) as u32)),
    ("s_mul_hi_i32", s2!(|_w, a, b| ((i64::from(i(a)) * i64::from(i(b))) >> 32) as u32)),
    ("s_bfe_u32", s2!(|w, a, b| nz(w, bfe_u(a, b)))),
    ("s_bfe_i32", s2!(|w, a, b| nz(w, bfe_i(a, b)))),
    (
        "s_absdiff_i32",
        s2!(|w, a, b| nz(w, i(i(a).wrapping_sub(i(b)).cast_unsigned()).wrapping_abs().cast_unsigned())),
    ),
    ("s_lshl1_add_u32", s2!(|w, a, b| shift_add(w, a, b, 1))),
    ("s_lshl2_add_u32", s2!(|w, a, b| shift_add(w, a, b, 2))),
    ("s_lshl3_add_u32", s2!(|w, a, b| shift_add(w, a, b, 3))),
    ("s_lshl4_add_u32", s2!(|w, a, b| shift_add(w, a, b, 4))),
    ("s_pack_ll_b32_b16", s2!(|_w, a, b| a & 0xffff | b << 16)),
    ("s_pack_lh_b32_b16", s2!(|_w, a, b| a & 0xffff | b & 0xffff_0000)),
    ("s_pack_hl_b32_b16", s2!(|_w, a, b| a >> 16 | b << 16)),
    ("s_pack_hh_b32_b16", s2!(|_w, a, b| a >> 16 | b & 0xffff_0000)),
    ("s_mov_b32", s1!(|_w, a| a)),
    (
        "s_cmov_b32",
        def(Class::Salu, |w, _, i| {
            if w.scc {
                let a = w.s32(&i.ops[1]);
                w.set32(&i.ops[0], a);
            }
            Ok(())
        }),
    ),
    ("s_not_b32", s1!(|w, a| nz(w, !a))),
    ("s_wqm_b32", s1!(|w, a| nz(w, wqm(a)))),
    ("s_brev_b32", s1!(|_w, a| a.reverse_bits())),
    ("s_bcnt0_i32_b32", s1!(|w, a| nz(w, a.count_zeros()))),
    ("s_bcnt1_i32_b32", s1!(|w, a| nz(w, a.count_ones()))),
    ("s_ff0_i32_b32", s1!(|_w, a| first_one(a.trailing_ones(), a == u32::MAX))),
    ("s_ff1_i32_b32 s_ctz_i32_b32", s1!(|_w, a| first_one(a.trailing_zeros(), a == 0))),
    ("s_flbit_i32_b32 s_clz_i32_u32", s1!(|_w, a| first_one(a.leading_zeros(), a == 0))),
    ("s_flbit_i32 s_cls_i32", s1!(|_w, a| flbit_i32(a))),
    ("s_sext_i32_i8", s1!(|_w, a| i32::from(a as u8 as i8).cast_unsigned())),
    ("s_sext_i32_i16", s1!(|_w, a| i32::from(a as u16 as i16).cast_unsigned())),
    ("s_abs_i32", s1!(|w, a| nz(w, i(a).wrapping_abs().cast_unsigned()))),
    (
        "s_bitset0_b32",
        def(Class::Salu, |w, _, i| {
            let r = w.s32(&i.ops[0]) & !bit(i, w);
            w.set32(&i.ops[0], r);
            Ok(())
        }),
    ),
    (
        "s_bitset1_b32",
        def(Class::Salu, |w, _, i| {
            let r = w.s32(&i.ops[0]) | bit(i, w);
            w.set32(&i.ops[0], r);
            Ok(())
        }),
    ),
    ("s_and_saveexec_b32", save!(old, |s, e| s & e)),
    ("s_or_saveexec_b32", save!(old, |s, e| s | e)),
    ("s_xor_saveexec_b32", save!(old, |s, e| s ^ e)),
    ("s_nand_saveexec_b32", save!(old, |s, e| !(s & e))),
    ("s_nor_saveexec_b32", save!(old, |s, e| !(s | e))),
    ("s_xnor_saveexec_b32", save!(old, |s, e| !(s ^ e))),
    ("s_andn1_saveexec_b32 s_and_not0_saveexec_b32", save!(old, |s, e| !s & e)),
    ("s_orn1_saveexec_b32 s_or_not0_saveexec_b32", save!(old, |s, e| !s | e)),
    ("s_andn2_saveexec_b32 s_and_not1_saveexec_b32", save!(old, |s, e| s & !e)),
    ("s_orn2_saveexec_b32 s_or_not1_saveexec_b32", save!(old, |s, e| s | !e)),
    ("s_andn1_wrexec_b32 s_and_not0_wrexec_b32", save!(new, |s, e| !s & e)),
    ("s_andn2_wrexec_b32 s_and_not1_wrexec_b32", save!(new, |s, e| s & !e)),
    ("s_cmp_eq_u32 s_cmp_eq_i32", sc!(|a, b| a == b)),
    ("s_cmp_lg_u32 s_cmp_lg_i32", sc!(|a, b| a != b)),
    ("s_cmp_gt_i32", sc!(|a, b| i(a) > i(b))),
    ("s_cmp_ge_i32", sc!(|a, b| i(a) >= i(b))),
    ("s_cmp_lt_i32", sc!(|a, b| i(a) < i(b))),
    ("s_cmp_le_i32", sc!(|a, b| i(a) <= i(b))),
    ("s_cmp_gt_u32", sc!(|a, b| a > b)),
    ("s_cmp_ge_u32", sc!(|a, b| a >= b)),
    ("s_cmp_lt_u32", sc!(|a, b| a < b)),
    ("s_cmp_le_u32", sc!(|a, b| a <= b)),
    ("s_bitcmp0_b32", sc!(|a, b| a >> (b & 31) & 1 == 0)),
    ("s_bitcmp1_b32", sc!(|a, b| a >> (b & 31) & 1 == 1)),
    ("s_movk_i32", sk!(|_w, _d, k| k)),
    ("s_cmovk_i32", sk!(|w, d, k| if w.scc { k } else { d })),
    ("s_addk_i32 s_addk_co_i32", sk!(|w, d, k| signed(w, i(d).overflowing_add(i(k))))),
    ("s_mulk_i32", sk!(|_w, d, k| d.wrapping_mul(k))),
    ("s_cmpk_eq_i32", ck!(|a, b| a == sext16(b))),
    ("s_cmpk_lg_i32", ck!(|a, b| a != sext16(b))),
    ("s_cmpk_gt_i32", ck!(|a, b| i(a) > i(sext16(b)))),
    ("s_cmpk_ge_i32", ck!(|a, b| i(a) >= i(sext16(b)))),
    ("s_cmpk_lt_i32", ck!(|a, b| i(a) < i(sext16(b)))),
    ("s_cmpk_le_i32", ck!(|a, b| i(a) <= i(sext16(b)))),
    ("s_cmpk_eq_u32", ck!(|a, b| a == b & 0xffff)),
    ("s_cmpk_lg_u32", ck!(|a, b| a != b & 0xffff)),
    ("s_cmpk_gt_u32", ck!(|a, b| a > b & 0xffff)),
    ("s_cmpk_ge_u32", ck!(|a, b| a >= b & 0xffff)),
    ("s_cmpk_lt_u32", ck!(|a, b| a < b & 0xffff)),
    ("s_cmpk_le_u32", ck!(|a, b| a <= b & 0xffff)),
    (
        "s_movrels_b32",
        def(Class::Salu, |w, _, i| {
            let index = relative(w, &i.ops[1])?;
            let r = w.s[index];
            w.set32(&i.ops[0], r);
            Ok(())
        }),
    ),
    (
        "s_movreld_b32",
        def(Class::Salu, |w, _, i| {
            let index = relative(w, &i.ops[0])?;
            w.s[index] = w.s32(&i.ops[1]);
            Ok(())
        }),
    ),
];

fn sext16(x: u32) -> u32 {
    i32::from(x as u16 as i16).cast_unsigned()
}

fn relative(w: &Wave, s: &Src) -> Result<usize, crate::error::Fault> {
    let index = u64::from(s.reg) + u64::from(w.s[crate::inst::sreg::M0 as usize]);
    if s.kind == Kind::S && index < 106 {
        return Ok(index as usize);
    }
    Err(crate::error::Fault::unknown(format!("relative scalar register {index} does not exist")))
}
