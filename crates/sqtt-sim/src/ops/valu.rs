//! Vector ALU, 32-bit integers and bits.

use super::{Class, Def, Table, def};
use crate::inst::{Inst, Src};
use crate::lanes::{rd, rd16, u1, u2, u2c, u3, wr, wr64};
use crate::wave::{Wave, ZERO, ZERO64};

macro_rules! v1 {
    ($f:expr) => {
        def(Class::Valu, |w, _, i| {
            u1(w, i, $f);
            Ok(())
        })
    };
}
macro_rules! v2 {
    ($f:expr) => {
        def(Class::Valu, |w, _, i| {
            u2(w, i, $f);
            Ok(())
        })
    };
}
macro_rules! v3 {
    ($f:expr) => {
        def(Class::Valu, |w, _, i| {
            u3(w, i, $f);
            Ok(())
        })
    };
}
/// Two sources with a saturating form.
macro_rules! sat {
    ($f:expr, $s:expr) => {
        def(Class::Sat, |w, _, i| {
            u2c(w, i, $f, $s);
            Ok(())
        })
    };
}

const fn s(x: u32) -> i32 {
    x.cast_signed()
}

fn mul_u24(a: u32, b: u32) -> u64 {
    u64::from(a & 0xff_ffff) * u64::from(b & 0xff_ffff)
}

fn sext24(a: u32) -> i64 {
    i64::from(s(a << 8) >> 8)
}

fn bfe_i32(a: u32, offset: u32, width: u32) -> u32 {
    let (offset, width) = (offset & 31, width & 31);
    if width == 0 { 0 } else { (s(a) >> offset << (32 - width) >> (32 - width)).cast_unsigned() }
}

fn bfe_u32(a: u32, offset: u32, width: u32) -> u32 {
    a >> (offset & 31) & ((1u32 << (width & 31)) - 1)
}

fn clz(a: u32) -> u32 {
    if a == 0 { u32::MAX } else { a.leading_zeros() }
}

fn cls(a: u32) -> u32 {
    clz(if s(a) < 0 { !a } else { a })
}

fn ctz(a: u32) -> u32 {
    if a == 0 { u32::MAX } else { a.trailing_zeros() }
}

fn med3<T: Ord + Copy>(a: T, b: T, c: T) -> T {
    a.max(b).min(c).max(a.min(b))
}

fn sad_u8(a: u32, b: u32, c: u32) -> u32 {
    (0..4).fold(c, |sum, k| {
        let (x, y) = (a >> (8 * k) & 0xff, b >> (8 * k) & 0xff);
        sum.wrapping_add(x.abs_diff(y))
    })
}

/// Byte permute: selector bytes 0–7 pick from `{a, b}` (b low), 8–11 replicate signs, 12 zero, above ones.
fn perm(a: u32, b: u32, selector: u32) -> u32 {
    let data = u64::from(a) << 32 | u64::from(b);
    (0..4).fold(0, |r, k| {
        let byte = match selector >> (8 * k) & 0xff {
            n @ 0..=7 => (data >> (8 * n)) as u32 & 0xff,
            n @ 8..=11 => ((data >> (16 * (n - 8) + 15)) as u32 & 1) * 0xff,
            12 => 0,
            _ => 0xff,
        };
        r | byte << (8 * k)
    })
}

fn i64p(a: u32, b: u32) -> i64 {
    i64::from(s(a)) * i64::from(s(b))
}

fn u64p(a: u32, b: u32) -> u64 {
    u64::from(a) * u64::from(b)
}

/// Add or subtract with carry out and, with a fifth operand, carry in.
fn carry(w: &mut Wave, i: &Inst, f: impl Fn(u32, u32, bool) -> (u32, bool)) {
    let (mut b0, mut b1, mut out) = (ZERO, ZERO, ZERO);
    let a = rd(w, &i.ops[2], &mut b0);
    let b = rd(w, &i.ops[3], &mut b1);
    let cin = i.op(4).map_or(0, |s| w.mask(s));
    let mut cout = 0u64;
    for l in 0..w.n {
        let (r, c) = f(a[l], b[l], cin >> l & 1 != 0);
        out[l] = if i.clamp && c { u32::MAX } else { r };
        cout |= u64::from(c) << l;
    }
    let cout = cout & w.exec();
    wr(w, &i.ops[0], &out);
    w.set_mask(&i.ops[1], cout);
}

fn adc(a: u32, b: u32, c: bool) -> (u32, bool) {
    let t = u64::from(a) + u64::from(b) + u64::from(c);
    (t as u32, t >> 32 != 0)
}

fn sbb(a: u32, b: u32, c: bool) -> (u32, bool) {
    let t = u64::from(a).wrapping_sub(u64::from(b)).wrapping_sub(u64::from(c));
    (t as u32, t >> 63 != 0)
}

/// 32×32 plus 64 bits, with carry out.
fn mad64(w: &mut Wave, i: &Inst, f: impl Fn(u32, u32, u64) -> (u64, bool)) {
    let (mut b0, mut b1, mut c, mut out) = (ZERO, ZERO, ZERO64, ZERO64);
    crate::lanes::rd64(w, &i.ops[4], &mut c, false);
    let a = rd(w, &i.ops[2], &mut b0);
    let b = rd(w, &i.ops[3], &mut b1);
    let mut cout = 0u64;
    for l in 0..w.n {
        let (r, o) = f(a[l], b[l], c[l]);
        out[l] = r;
        cout |= u64::from(o) << l;
    }
    let cout = cout & w.exec();
    wr64(w, &i.ops[0], &out);
    w.set_mask(&i.ops[1], cout);
}

/// Select by lane mask: the fourth operand, or VCC where the text leaves it out (VOPD).
fn cndmask(w: &mut Wave, i: &Inst) {
    let mask = i.op(3).map_or_else(|| w.vcc(), |s| w.mask(s));
    let (mut b0, mut b1, mut out) = (ZERO, ZERO, ZERO);
    let a = rd(w, &i.ops[1], &mut b0);
    let b = rd(w, &i.ops[2], &mut b1);
    for l in 0..w.n {
        out[l] = if mask >> l & 1 != 0 { b[l] } else { a[l] };
    }
    wr(w, &i.ops[0], &out);
}

/// `op_sel` of 32-bit operands: not simulated. Halves that are named (`v0.h`) are.
fn refuse_half(i: &mut Inst, _: crate::target::Target) -> Option<()> {
    (!i.ops.iter().any(|s| s.hi && !s.half)).then_some(())
}

const fn no_half(d: Def) -> Def {
    Def { fix: Some(refuse_half), ..d }
}

pub(super) const CARRY: Table = &[
    (
        "v_add_co_u32",
        def(Class::Sat, |w, _, i| {
            carry(w, i, |a, b, _| adc(a, b, false));
            Ok(())
        }),
    ),
    (
        "v_sub_co_u32",
        def(Class::Sat, |w, _, i| {
            carry(w, i, |a, b, _| sbb(a, b, false));
            Ok(())
        }),
    ),
    (
        "v_subrev_co_u32",
        def(Class::Sat, |w, _, i| {
            carry(w, i, |a, b, _| sbb(b, a, false));
            Ok(())
        }),
    ),
    (
        "v_addc_co_u32 v_add_co_ci_u32",
        def(Class::Valu, |w, _, i| {
            carry(w, i, adc);
            Ok(())
        }),
    ),
    (
        "v_subb_co_u32 v_sub_co_ci_u32",
        def(Class::Valu, |w, _, i| {
            carry(w, i, sbb);
            Ok(())
        }),
    ),
    (
        "v_subbrev_co_u32 v_subrev_co_ci_u32",
        def(Class::Valu, |w, _, i| {
            carry(w, i, |a, b, c| sbb(b, a, c));
            Ok(())
        }),
    ),
    (
        "v_mad_u64_u32 v_mad_co_u64_u32",
        def(Class::Valu, |w, _, i| {
            mad64(w, i, |a, b, c| u64p(a, b).overflowing_add(c));
            Ok(())
        }),
    ),
    (
        "v_mad_i64_i32 v_mad_co_i64_i32",
        def(Class::Valu, |w, _, i| {
            // The carry is bit 64 of the 65-bit sum, its sign.
            mad64(w, i, |a, b, c| {
                let sum = i128::from(i64p(a, b)) + i128::from(c.cast_signed());
                (sum as u64, sum < 0)
            });
            Ok(())
        }),
    ),
];

pub(super) const TABLE: Table = &[
    ("v_mov_b32", Def { class: Class::Bits, ..v1!(|a| a) }),
    ("v_accvgpr_read_b32 v_accvgpr_write_b32 v_accvgpr_mov_b32 v_accvgpr_read v_accvgpr_write", v1!(|a| a)),
    (
        "v_cndmask_b32",
        Def {
            class: Class::Bits,
            ..def(Class::Bits, |w, _, i| {
                cndmask(w, i);
                Ok(())
            })
        },
    ),
    ("v_add_u32 v_add_nc_u32", sat!(u32::wrapping_add, u32::saturating_add)),
    ("v_sub_u32 v_sub_nc_u32", sat!(u32::wrapping_sub, u32::saturating_sub)),
    ("v_subrev_u32 v_subrev_nc_u32", sat!(|a, b| b.wrapping_sub(a), |a, b| b.saturating_sub(a))),
    ("v_add_i32 v_add_nc_i32", sat!(u32::wrapping_add, |a, b| s(a).saturating_add(s(b)).cast_unsigned())),
    ("v_sub_i32 v_sub_nc_i32", sat!(u32::wrapping_sub, |a, b| s(a).saturating_sub(s(b)).cast_unsigned())),
    ("v_and_b32", v2!(|a, b| a & b)),
    ("v_or_b32", v2!(|a, b| a | b)),
    ("v_xor_b32", v2!(|a, b| a ^ b)),
    ("v_xnor_b32", v2!(|a, b| !(a ^ b))),
    ("v_not_b32", v1!(|a| !a)),
    ("v_lshlrev_b32", v2!(|a, b| b << (a & 31))),
    ("v_lshrrev_b32", v2!(|a, b| b >> (a & 31))),
    ("v_ashrrev_i32", v2!(|a, b| (s(b) >> (a & 31)).cast_unsigned())),
    ("v_min_u32", v2!(u32::min)),
    ("v_max_u32", v2!(u32::max)),
    ("v_min_i32", v2!(|a, b| s(a).min(s(b)).cast_unsigned())),
    ("v_max_i32", v2!(|a, b| s(a).max(s(b)).cast_unsigned())),
    ("v_mul_u32_u24", v2!(|a, b| mul_u24(a, b) as u32)),
    ("v_mul_hi_u32_u24", v2!(|a, b| (mul_u24(a, b) >> 32) as u32)),
    ("v_mul_i32_i24", v2!(|a, b| (sext24(a) * sext24(b)) as u32)),
    ("v_mul_hi_i32_i24", v2!(|a, b| ((sext24(a) * sext24(b)) >> 32) as u32)),
    ("v_mul_lo_u32 v_mul_lo_i32", v2!(u32::wrapping_mul)),
    ("v_mul_hi_u32", v2!(|a, b| (u64p(a, b) >> 32) as u32)),
    ("v_mul_hi_i32", v2!(|a, b| (i64p(a, b) >> 32) as u32)),
    ("v_mad_u32_u24", v3!(|a, b, c| (mul_u24(a, b) as u32).wrapping_add(c))),
    ("v_mad_i32_i24", v3!(|a, b, c| ((sext24(a) * sext24(b)) as u32).wrapping_add(c))),
    ("v_bfe_u32", v3!(bfe_u32)),
    ("v_bfe_i32", v3!(bfe_i32)),
    ("v_bfi_b32", v3!(|a, b, c| a & b | !a & c)),
    ("v_bfm_b32", v2!(|a, b| ((1u32 << (a & 31)) - 1) << (b & 31))),
    ("v_bcnt_u32_b32", v2!(|a, b| a.count_ones().wrapping_add(b))),
    ("v_bfrev_b32", v1!(|a: u32| a.reverse_bits())),
    ("v_ffbh_u32 v_clz_i32_u32", v1!(clz)),
    ("v_ffbh_i32 v_cls_i32", v1!(cls)),
    ("v_ffbl_b32 v_ctz_i32_b32", v1!(ctz)),
    ("v_alignbit_b32", no_half(v3!(|a, b, c| ((u64::from(a) << 32 | u64::from(b)) >> (c & 31)) as u32))),
    (
        "v_alignbyte_b32",
        no_half(v3!(|a, b, c| ((u64::from(a) << 32 | u64::from(b)) >> (8 * (c & 3))) as u32)),
    ),
    ("v_perm_b32", v3!(perm)),
    ("v_add3_u32", v3!(|a, b, c| a.wrapping_add(b).wrapping_add(c))),
    ("v_lshl_add_u32", v3!(|a, b, c| (a << (b & 31)).wrapping_add(c))),
    ("v_add_lshl_u32", v3!(|a, b, c| a.wrapping_add(b) << (c & 31))),
    ("v_lshl_or_b32", v3!(|a, b, c| a << (b & 31) | c)),
    ("v_and_or_b32", v3!(|a, b, c| a & b | c)),
    ("v_or3_b32", v3!(|a, b, c| a | b | c)),
    ("v_xor3_b32", v3!(|a, b, c| a ^ b ^ c)),
    ("v_xad_u32", v3!(|a, b, c| (a ^ b).wrapping_add(c))),
    ("v_min3_u32", v3!(|a, b, c| a.min(b).min(c))),
    ("v_max3_u32", v3!(|a, b, c| a.max(b).max(c))),
    ("v_med3_u32", v3!(med3)),
    ("v_min3_i32", v3!(|a, b, c| s(a).min(s(b)).min(s(c)).cast_unsigned())),
    ("v_max3_i32", v3!(|a, b, c| s(a).max(s(b)).max(s(c)).cast_unsigned())),
    ("v_med3_i32", v3!(|a, b, c| med3(s(a), s(b), s(c)).cast_unsigned())),
    ("v_maxmin_u32", v3!(|a, b, c| a.max(b).min(c))),
    ("v_minmax_u32", v3!(|a, b, c| a.min(b).max(c))),
    ("v_maxmin_i32", v3!(|a, b, c| s(a).max(s(b)).min(s(c)).cast_unsigned())),
    ("v_minmax_i32", v3!(|a, b, c| s(a).min(s(b)).max(s(c)).cast_unsigned())),
    ("v_sad_u32", v3!(|a, b, c| a.abs_diff(b).wrapping_add(c))),
    ("v_sad_u8", v3!(sad_u8)),
    ("v_cvt_pk_u16_u32", v2!(|a, b| a.min(0xffff) | b.min(0xffff) << 16)),
    ("v_cvt_pk_i16_i32", v2!(|a, b| clamp16(a) | clamp16(b) << 16)),
    (
        "v_mad_u32_u16",
        def(Class::Valu, |w, _, i| {
            mad16(w, i, |a, b| a * b);
            Ok(())
        }),
    ),
    (
        "v_mad_i32_i16",
        def(Class::Valu, |w, _, i| {
            mad16(w, i, |a, b| (i32::from(a as u16 as i16) * i32::from(b as u16 as i16)).cast_unsigned());
            Ok(())
        }),
    ),
    (
        "v_swap_b32",
        def(Class::Valu, |w, _, i| {
            swap(w, &i.ops[0], &i.ops[1]);
            Ok(())
        }),
    ),
];

fn clamp16(a: u32) -> u32 {
    (s(a).clamp(-0x8000, 0x7fff) as u32) & 0xffff
}

/// 16×16 plus 32 bits.
fn mad16(w: &mut Wave, i: &Inst, f: impl Fn(u32, u32) -> u32) {
    let (mut a, mut b, mut b2, mut out) = (ZERO, ZERO, ZERO, ZERO);
    rd16(w, &i.ops[1], &mut a);
    rd16(w, &i.ops[2], &mut b);
    let c = rd(w, &i.ops[3], &mut b2);
    for l in 0..w.n {
        out[l] = f(a[l], b[l]).wrapping_add(c[l]);
    }
    wr(w, &i.ops[0], &out);
}

fn swap(w: &mut Wave, a: &Src, b: &Src) {
    let (x, y) = (w.v[a.reg as usize], w.v[b.reg as usize]);
    wr(w, a, &y);
    wr(w, b, &x);
}
