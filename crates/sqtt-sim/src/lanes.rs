//! Lane loops: fetch operands with their modifiers, apply one function per lane, write under EXEC.
//!
//! Every vector instruction goes through these helpers, so that modifiers have one meaning everywhere.

use crate::fp;
use crate::inst::{D16, Inst, Kind, Src};
use crate::wave::{Row, Row64, Wave, ZERO, ZERO64};
use crate::wide::{self, Fused, Work};

/// A 32-bit source. `neg` and `abs` mean the sign bit 31.
pub(crate) fn rd<'a>(w: &'a Wave, s: &Src, buf: &'a mut Row) -> &'a Row {
    if s.kind == Kind::V && !s.neg && !s.abs && !s.half {
        return &w.v[s.reg as usize];
    }
    fill(w, s, buf);
    buf
}

#[inline(never)]
fn fill(w: &Wave, s: &Src, buf: &mut Row) {
    let n = w.n;
    match s.kind {
        Kind::V => buf[..n].copy_from_slice(&w.v[s.reg as usize][..n]),
        _ => buf[..n].fill(w.s32(s)),
    }
    if s.half {
        let shift = if s.hi { 16 } else { 0 };
        buf[..n].iter_mut().for_each(|x| *x = *x >> shift & 0xffff);
    }
    if s.abs {
        buf[..n].iter_mut().for_each(|x| *x &= 0x7fff_ffff);
    }
    if s.neg {
        buf[..n].iter_mut().for_each(|x| *x ^= 0x8000_0000);
    }
}

/// A 16-bit source, zero-extended. `neg` and `abs` mean the sign bit 15.
#[inline(never)]
pub(crate) fn rd16(w: &Wave, s: &Src, buf: &mut Row) {
    let n = w.n;
    match s.kind {
        Kind::V => {
            let shift = if s.hi { 16 } else { 0 };
            for (d, x) in buf[..n].iter_mut().zip(&w.v[s.reg as usize][..n]) {
                *d = x >> shift & 0xffff;
            }
        }
        Kind::K => buf[..n].fill(if s.hi { s.k.b32 >> 16 } else { s.k.b16 }),
        _ => buf[..n].fill(w.s32(s) >> (if s.hi { 16 } else { 0 }) & 0xffff),
    }
    if s.abs {
        buf[..n].iter_mut().for_each(|x| *x &= 0x7fff);
    }
    if s.neg {
        buf[..n].iter_mut().for_each(|x| *x ^= 0x8000);
    }
}

/// A 64-bit source; constants as integers or, with `float`, as f64.
#[inline(never)]
pub(crate) fn rd64(w: &Wave, s: &Src, buf: &mut Row64, float: bool) {
    let n = w.n;
    match s.kind {
        Kind::V => {
            let (lo, hi) = (&w.v[s.reg as usize], &w.v[s.reg as usize + 1]);
            for l in 0..n {
                buf[l] = u64::from(lo[l]) | u64::from(hi[l]) << 32;
            }
        }
        Kind::K => buf[..n].fill(if float { s.k.f64 } else { s.k.i64 }),
        _ => buf[..n].fill(w.s64(s)),
    }
    if s.abs {
        buf[..n].iter_mut().for_each(|x| *x &= !(1 << 63));
    }
    if s.neg {
        buf[..n].iter_mut().for_each(|x| *x ^= 1 << 63);
    }
}

/// Writes a 32-bit result to the active lanes.
#[inline(never)]
pub(crate) fn wr(w: &mut Wave, d: &Src, out: &Row) {
    let (n, exec) = (w.n, w.exec());
    let row = &mut w.v[d.reg as usize];
    if exec == w.full {
        row[..n].copy_from_slice(&out[..n]);
    } else {
        for l in 0..n {
            row[l] = if exec >> l & 1 != 0 { out[l] } else { row[l] };
        }
    }
}

/// Writes a 16-bit result where the instruction wants it.
#[inline(never)]
pub(crate) fn wr16(w: &mut Wave, i: &Inst, out: &Row) {
    let (n, exec) = (w.n, w.exec());
    let row = &mut w.v[i.ops[0].reg as usize];
    for l in 0..n {
        if exec >> l & 1 != 0 {
            row[l] = match i.d16 {
                D16::Lo => row[l] & 0xffff_0000 | out[l] & 0xffff,
                D16::Hi => row[l] & 0xffff | out[l] << 16,
                D16::Zero => out[l] & 0xffff,
            };
        }
    }
}

/// Writes a 64-bit result to the active lanes.
#[inline(never)]
pub(crate) fn wr64(w: &mut Wave, d: &Src, out: &Row64) {
    let (n, exec) = (w.n, w.exec());
    let r = d.reg as usize;
    for l in 0..n {
        if exec >> l & 1 != 0 {
            w.v[r][l] = out[l] as u32;
            w.v[r + 1][l] = (out[l] >> 32) as u32;
        }
    }
}

macro_rules! lanes {
    ($w:ident, $out:ident, $f:expr; $($a:ident),*) => {
        let n = $w.n;
        $(let $a = &$a[..n];)*
        for (l, o) in $out[..n].iter_mut().enumerate() {
            *o = $f($($a[l]),*);
        }
    };
}

/// 32-bit, one source.
#[inline(always)]
pub(crate) fn u1(w: &mut Wave, i: &Inst, f: impl Fn(u32) -> u32) {
    let (mut b0, mut out) = (ZERO, ZERO);
    let a = rd(w, &i.ops[1], &mut b0);
    lanes!(w, out, f; a);
    wr(w, &i.ops[0], &out);
}

/// 32-bit, two sources.
#[inline(always)]
pub(crate) fn u2(w: &mut Wave, i: &Inst, f: impl Fn(u32, u32) -> u32) {
    let (mut b0, mut b1, mut out) = (ZERO, ZERO, ZERO);
    let a = rd(w, &i.ops[1], &mut b0);
    let b = rd(w, &i.ops[2], &mut b1);
    lanes!(w, out, f; a, b);
    wr(w, &i.ops[0], &out);
}

/// 32-bit, two sources, with a saturating form for `clamp`.
#[inline(always)]
pub(crate) fn u2c(w: &mut Wave, i: &Inst, f: impl Fn(u32, u32) -> u32, sat: impl Fn(u32, u32) -> u32) {
    if i.clamp { u2(w, i, sat) } else { u2(w, i, f) }
}

/// 32-bit, three sources.
#[inline(always)]
pub(crate) fn u3(w: &mut Wave, i: &Inst, f: impl Fn(u32, u32, u32) -> u32) {
    let (mut b0, mut b1, mut b2, mut out) = (ZERO, ZERO, ZERO, ZERO);
    let a = rd(w, &i.ops[1], &mut b0);
    let b = rd(w, &i.ops[2], &mut b1);
    let c = rd(w, &i.ops[3], &mut b2);
    lanes!(w, out, f; a, b, c);
    wr(w, &i.ops[0], &out);
}

/// 16-bit integers, `N` sources zero-extended, result truncated.
#[inline(always)]
pub(crate) fn h<const N: usize>(w: &mut Wave, i: &Inst, f: impl Fn([u32; N]) -> u32) {
    let mut src = [ZERO; N];
    for (k, buf) in src.iter_mut().enumerate() {
        rd16(w, &i.ops[1 + k], buf);
    }
    let mut out = ZERO;
    for l in 0..w.n {
        out[l] = f(std::array::from_fn(|k| src[k][l]));
    }
    wr16(w, i, &out);
}

/// 64-bit result from a 32-bit first and a 64-bit second source (reversed shifts).
#[inline(always)]
pub(crate) fn shift64(w: &mut Wave, i: &Inst, f: impl Fn(u32, u64) -> u64) {
    let (mut a, mut b, mut out) = (ZERO, ZERO64, ZERO64);
    let a = rd(w, &i.ops[1], &mut a);
    rd64(w, &i.ops[2], &mut b, false);
    lanes!(w, out, f; a, b);
    wr64(w, &i.ops[0], &out);
}

/// f32 in, f32 out, `N` sources: denormals by MODE, output modifiers.
#[inline(always)]
pub(crate) fn f<const N: usize>(w: &mut Wave, i: &Inst, f: impl Fn([f32; N]) -> f32) {
    let mut buf = [ZERO; N];
    let mut out = ZERO;
    {
        let mut rows: [&Row; N] = [&ZERO; N];
        for (k, b) in buf.iter_mut().enumerate() {
            rows[k] = rd(w, &i.ops[1 + k], b);
        }
        f_rows(w, rows, &mut out, f);
    }
    finish32(w, i, &mut out);
    wr(w, &i.ops[0], &out);
}

/// Computes like [`f`] for operations whose `plain` form differs from the `exact` one in NaNs alone. A loop over
/// the plain form has no branch, so that it becomes vector instructions of the host.
#[inline(always)]
pub(crate) fn f_plain<const N: usize>(
    w: &mut Wave,
    i: &Inst,
    plain: impl Fn([f32; N]) -> f32,
    exact: impl Fn([f32; N]) -> f32,
) {
    let mut buf = [ZERO; N];
    let mut out = ZERO;
    {
        let mut rows: [&Row; N] = [&ZERO; N];
        for (k, b) in buf.iter_mut().enumerate() {
            rows[k] = rd(w, &i.ops[1 + k], b);
        }
        plain_rows(w, rows, &mut out, plain, exact);
    }
    finish32(w, i, &mut out);
    wr(w, &i.ops[0], &out);
}

/// The rows of [`f_plain`].
#[inline(always)]
pub(crate) fn plain_rows<const N: usize>(
    w: &Wave,
    rows: [&Row; N],
    out: &mut Row,
    plain: impl Fn([f32; N]) -> f32,
    exact: impl Fn([f32; N]) -> f32,
) {
    let mut nan = w.mode.flush_in32;
    if !nan {
        let rows = rows.map(|r| &r[..w.n]);
        for (l, o) in out[..w.n].iter_mut().enumerate() {
            let x = plain(std::array::from_fn(|k| f32::from_bits(rows[k][l])));
            nan |= x.is_nan();
            *o = x.to_bits();
        }
    }
    if nan {
        f_rows(w, rows, out, exact);
    }
}

/// Fused multiply-add of rows, by the host's instruction where it has one.
pub(crate) fn fma_rows(w: &Wave, rows: [&Row; 3], out: &mut Row) {
    struct Rows<'a> {
        rows: [&'a [u32]; 3],
        out: &'a mut [u32],
        nan: &'a mut bool,
    }
    impl Work for Rows<'_> {
        #[inline(always)]
        fn run<F: Fused>(self, fused: F) {
            let [a, b, c] = self.rows;
            for (((o, &a), &b), &c) in self.out.iter_mut().zip(a).zip(b).zip(c) {
                let x = fused.single(f32::from_bits(a), f32::from_bits(b), f32::from_bits(c));
                *self.nan |= x.is_nan();
                *o = x.to_bits();
            }
        }
    }
    let mut nan = w.mode.flush_in32;
    if !nan {
        wide::dispatch(Rows { rows: rows.map(|r| &r[..w.n]), out: &mut out[..w.n], nan: &mut nan });
    }
    if nan {
        f_rows(w, rows, out, fp::fma);
    }
}

/// A fused multiply-add, the third source being the destination for `fmac`.
#[inline(always)]
pub(crate) fn fma(w: &mut Wave, i: &Inst, third: usize) {
    let (mut b0, mut b1, mut b2, mut out) = (ZERO, ZERO, ZERO, ZERO);
    let rows = [rd(w, &i.ops[1], &mut b0), rd(w, &i.ops[2], &mut b1), rd(w, &i.ops[third], &mut b2)];
    fma_rows(w, rows, &mut out);
    finish32(w, i, &mut out);
    wr(w, &i.ops[0], &out);
}

/// Computes like [`f`], the destination being the third source (`fmac`).
#[inline(always)]
pub(crate) fn fmac(w: &mut Wave, i: &Inst, f: impl Fn([f32; 3]) -> f32) {
    let (mut b0, mut b1, mut out) = (ZERO, ZERO, ZERO);
    {
        let rows = [rd(w, &i.ops[1], &mut b0), rd(w, &i.ops[2], &mut b1), &w.v[i.ops[0].reg as usize]];
        f_rows(w, rows, &mut out, f);
    }
    finish32(w, i, &mut out);
    wr(w, &i.ops[0], &out);
}

#[inline(always)]
fn f_rows<const N: usize>(w: &Wave, rows: [&Row; N], out: &mut Row, f: impl Fn([f32; N]) -> f32) {
    if w.mode.flush_in32 {
        for l in 0..w.n {
            out[l] = f(std::array::from_fn(|k| fp::flush32(f32::from_bits(rows[k][l])))).to_bits();
        }
    } else {
        let rows = rows.map(|r| &r[..w.n]);
        for (l, o) in out[..w.n].iter_mut().enumerate() {
            *o = f(std::array::from_fn(|k| f32::from_bits(rows[k][l]))).to_bits();
        }
    }
}

/// Output denormals, `omod`, `clamp`.
pub(crate) fn finish32(w: &Wave, i: &Inst, out: &mut Row) {
    if !w.mode.flush_out32 && i.omod == 0 && !i.clamp {
        return;
    }
    for o in &mut out[..w.n] {
        let mut x = f32::from_bits(*o);
        if w.mode.flush_out32 || i.omod != 0 {
            x = fp::flush32(x);
        }
        x = match i.omod {
            1 => x * 2.0,
            2 => x * 4.0,
            3 => fp::flush32(x * 0.5),
            _ => x,
        };
        *o = if i.clamp { fp::clamp32(x, w.mode.dx10_clamp) } else { x }.to_bits();
    }
}

/// f64 in, f64 out.
#[inline(always)]
pub(crate) fn d<const N: usize>(w: &mut Wave, i: &Inst, f: impl Fn([f64; N]) -> f64) {
    let mut src = [ZERO64; N];
    for (k, b) in src.iter_mut().enumerate() {
        rd64(w, &i.ops[1 + k], b, true);
    }
    let mut out = ZERO64;
    for l in 0..w.n {
        out[l] = f(std::array::from_fn(|k| fp::in64(w, src[k][l]))).to_bits();
    }
    finish64(w, i, &mut out);
    wr64(w, &i.ops[0], &out);
}

/// Output denormals, `omod`, `clamp` of f64.
pub(crate) fn finish64(w: &Wave, i: &Inst, out: &mut Row64) {
    for o in &mut out[..w.n] {
        let mut x = f64::from_bits(*o);
        if w.mode.flush_out64 || i.omod != 0 {
            x = fp::flush64(x);
        }
        x = match i.omod {
            1 => x * 2.0,
            2 => x * 4.0,
            3 => fp::flush64(x * 0.5),
            _ => x,
        };
        *o = if i.clamp { fp::clamp64(x, w.mode.dx10_clamp) } else { x }.to_bits();
    }
}

/// f16 in, f16 out, computed in f64 and rounded once.
#[inline(always)]
pub(crate) fn hf<const N: usize>(w: &mut Wave, i: &Inst, f: impl Fn([f64; N]) -> f64) {
    let mut src = [ZERO; N];
    for (k, b) in src.iter_mut().enumerate() {
        rd16(w, &i.ops[1 + k], b);
    }
    let mut out = ZERO;
    for l in 0..w.n {
        out[l] = fp::out16(w, i, f(std::array::from_fn(|k| fp::in16(w, src[k][l]))));
    }
    wr16(w, i, &out);
}
