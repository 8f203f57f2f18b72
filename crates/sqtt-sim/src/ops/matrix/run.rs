//! One matrix instruction: all sources are read before the result is written.

use super::multiply::{self, Scales};
use super::shape::{Element, Shape};
use super::{Plan, unpack};
use crate::env::Env;
use crate::error::Fault;
use crate::fp;
use crate::inst::{Inst, Kind, Res, Src, Wrap};
use crate::lanes::rd;
use crate::wave::{Row, Wave, ZERO};
use crate::wide::{self, Fused, Work};

pub(super) fn run(w: &mut Wave, _: &mut Env<'_>, i: &Inst) -> Res {
    let Some(Wrap::Matrix(plan)) = i.wrap.as_deref() else { return Err(Fault::unknown("matrix")) };
    if w.n != plan.lanes {
        return Err(Fault::unknown(format!("this matrix instruction is one of wave{}", plan.lanes)));
    }
    let mut out = rows(w, &i.ops[0])?.to_vec();
    let permuted = pattern(rows(w, &i.ops[2])?, plan.pattern);
    let (a, b) = (rows(w, &i.ops[1])?, permuted.as_deref().unwrap_or(rows(w, &i.ops[2])?));
    if plan.replicated && !(replicated(a, w.n) && replicated(b, w.n)) {
        return Err(Fault::unknown("lanes 16 and up do not repeat lanes 0 to 15 of A and B"));
    }
    let mut job = Job { plan, i, a, b, c: Source::Rows(&[]), index: &ZERO, scales: None, out: &mut out };
    let c = &i.ops[3];
    match (plan.shape.sparse, c.kind) {
        // The accumulator is the destination.
        (true, _) => {
            job.c = Source::Rows(rows(w, &i.ops[0])?);
            job.index = rows(w, c)?.first().unwrap_or(&ZERO);
        }
        (false, Kind::V) => job.c = Source::Rows(rows(w, c)?),
        (false, _) => job.c = Source::Constant(c),
    }
    let scales = plan.scales.map(|bytes| scales(w, i, &plan.shape, bytes));
    job.scales = scales.as_ref();
    match plan.shape.d {
        Element::F64 => job.doubles(),
        _ => wide::dispatch(job),
    }
    let first = usize::from(i.ops[0].reg);
    if let Some(to) = w.v.get_mut(first..first + out.len()) {
        to.copy_from_slice(&out);
    }
    Ok(())
}

/// The registers of an operand.
fn rows<'a>(w: &'a Wave, s: &Src) -> Result<&'a [Row], Fault> {
    let first = usize::from(s.reg);
    w.v.get(first..first + usize::from(s.n)).ok_or_else(|| Fault::unknown("a vector register does not exist"))
}

/// True if every 16 lanes hold the same.
fn replicated(rows: &[Row], lanes: usize) -> bool {
    rows.iter().all(|row| (16..lanes).all(|l| row[l] == row[l % 16]))
}

/// B by its lane pattern: halves or quarters for all, or a rotation by 16.
fn pattern(rows: &[Row], pattern: u8) -> Option<Vec<Row>> {
    let from = |l: usize| match pattern {
        1 => l % 32,
        2 => 32 + l % 32,
        3 => (l + 16) % 64,
        4..=7 => usize::from(pattern - 4) * 16 + l % 16,
        _ => l,
    };
    (pattern != 0).then(|| rows.iter().map(|row| std::array::from_fn(|l| row[from(l)])).collect())
}

/// The scales of 32 elements each: lane `row + block · rows` has them in one of its bytes.
fn scales(w: &Wave, i: &Inst, shape: &Shape, bytes: [u8; 2]) -> Scales {
    [(4, shape.m, bytes[0]), (5, shape.n, bytes[1])].map(|(operand, size, byte)| {
        let mut buffer = ZERO;
        let row = rd(w, &i.ops[operand], &mut buffer);
        let at = |block: usize| std::array::from_fn(|l| (row[(block * size + l) % 64] >> (8 * byte)) as u8);
        (0..shape.k / 32).map(at).collect()
    })
}

/// The accumulator that is read.
enum Source<'a> {
    Rows(&'a [Row]),
    Constant(&'a Src),
}

struct Job<'a> {
    plan: &'a Plan,
    i: &'a Inst,
    a: &'a [Row],
    b: &'a [Row],
    c: Source<'a>,
    index: &'a Row,
    scales: Option<&'a Scales>,
    out: &'a mut [Row],
}

impl Work for Job<'_> {
    #[inline(always)]
    fn run<F: Fused>(mut self, fused: F) {
        match (self.plan.shape.d, self.plan.shape.n) {
            (Element::I32, 4) => self.integers::<4>(),
            (Element::I32, 16) => self.integers::<16>(),
            (Element::I32, _) => self.integers::<32>(),
            (_, 4) => self.floats::<4, F>(fused),
            (_, 16) => self.floats::<16, F>(fused),
            (..) => self.floats::<32, F>(fused),
        }
    }
}

impl Job<'_> {
    /// Elements in the registers of A and of B.
    fn items(&self) -> [usize; 2] {
        let shape = &self.plan.shape;
        let last =
            |lines: &[super::layout::Line]| lines.iter().map(|l| usize::from(l.item)).max().unwrap_or(0) + 1;
        let lines = &self.plan.lines;
        [
            last(&lines.a).min(self.a.len() * 32 / shape.a.bits()),
            last(&lines.b).min(self.b.len() * 32 / shape.b.bits()),
        ]
    }

    #[inline(always)]
    fn floats<const N: usize, F: Fused>(&mut self, fused: F) {
        let (plan, shape, i) = (self.plan, &self.plan.shape, self.i);
        let [a_items, b_items] = self.items();
        let sign = |k: u8| [i.neg_lo, i.neg_hi].map(|bits| u32::from(bits >> k & 1) << 31);
        let a = unpack::floats(self.a, a_items, shape.a, plan.lanes, plan.flush, sign(0));
        let b = unpack::floats(self.b, b_items, shape.b, plan.lanes, plan.flush, sign(1));
        let mut c = self.accumulator::<N>();
        let size = (shape.m, shape.k);
        if shape.open {
            multiply::scaled(&plan.lines, &a, &b, self.scales, &mut c);
        } else if shape.sparse {
            multiply::sparse(&plan.lines, &a, &b, self.index, &mut c, |a, b, c| fused.single(a, b, c));
        } else if shape.a.has_exact_products() && shape.b.has_exact_products() {
            multiply::dense(&plan.lines, size, &a, &b, &mut c, |a, b, c| fused.exact(a, b, c));
        } else {
            multiply::dense(&plan.lines, size, &a, &b, &mut c, |a, b, c| fused.single(a, b, c));
        }
        self.write(&c);
    }

    /// The accumulator's rows, of all blocks.
    #[inline(always)]
    fn accumulator<const N: usize>(&self) -> Vec<[f32; N]> {
        let (plan, shape) = (self.plan, &self.plan.shape);
        let (neg, abs) = (self.i.neg_lo >> 2 & 1 != 0, self.i.neg_hi >> 2 & 1 != 0);
        let finish = |x: f32| {
            let x = if plan.flush && x.abs() < f32::MIN_POSITIVE { 0.0f32.copysign(x) } else { x };
            let x = if abs { x.abs() } else { x };
            if neg { -x } else { x }
        };
        let value = |bits: u32| match shape.d {
            Element::F16 => unpack::half(bits),
            Element::Bf16 => f32::from_bits(bits << 16),
            _ => f32::from_bits(bits),
        };
        match self.c {
            Source::Constant(c) => {
                let k = if shape.d.bits() == 16 { sixteen(c, shape.d) } else { c.k.b32 };
                vec![[finish(value(k)); N]; plan.lines.d.len()]
            }
            Source::Rows(rows) => {
                let halves = 32 / shape.d.bits();
                let read = |line: &super::layout::Line| {
                    let (item, lane) = (usize::from(line.item), usize::from(line.lane));
                    let (word, shift) = (item / halves, item % halves * 16);
                    let mask = if halves == 2 { 0xffff } else { u32::MAX };
                    let row = rows.get(word).and_then(|row| row.get(lane..)?.first_chunk::<N>());
                    row.map_or([0.0; N], |row| row.map(|x| finish(value(x >> shift & mask))))
                };
                plan.lines.d.iter().map(read).collect()
            }
        }
    }

    #[inline(always)]
    fn write<const N: usize>(&mut self, c: &[[f32; N]]) {
        let (plan, d) = (self.plan, self.plan.shape.d);
        for (line, sums) in plan.lines.d.iter().zip(c) {
            let (item, lane) = (usize::from(line.item), usize::from(line.lane));
            let halves = 32 / d.bits();
            let row =
                self.out.get_mut(item / halves).and_then(|row| row.get_mut(lane..)?.first_chunk_mut::<N>());
            let Some(row) = row else { continue };
            if halves == 1 {
                for j in 0..N {
                    row[j] = result(sums[j], plan.flush);
                }
            } else {
                let shift = item % 2 * 16;
                for j in 0..N {
                    let x = f32::from_bits(result(sums[j], false));
                    let bits = if d == Element::F16 { fp::to16(f64::from(x), false) } else { fp::to_bf16(x) };
                    row[j] = row[j] & !(0xffff << shift) | (bits & 0xffff) << shift;
                }
            }
        }
    }

    #[inline(always)]
    fn integers<const N: usize>(&mut self) {
        let (plan, shape) = (self.plan, &self.plan.shape);
        let [a_items, b_items] = self.items();
        let a = unpack::integers(self.a, a_items, shape.a);
        let b = unpack::integers(self.b, b_items, shape.b);
        // The products alone never overflow: the accumulator is added last, so that it can saturate.
        let mut sums = vec![[0i32; N]; plan.lines.d.len()];
        let step = |a: i32, b: i32, c: i32| a.wrapping_mul(b).wrapping_add(c);
        if shape.sparse {
            multiply::sparse(&plan.lines, &a, &b, self.index, &mut sums, step);
        } else {
            multiply::dense(&plan.lines, (shape.m, shape.k), &a, &b, &mut sums, step);
        }
        for (line, sums) in plan.lines.d.iter().zip(&sums) {
            let (item, lane) = (usize::from(line.item), usize::from(line.lane));
            let c: [i32; N] = match self.c {
                Source::Constant(c) => [c.k.b32.cast_signed(); N],
                Source::Rows(rows) => {
                    let row = rows.get(item).and_then(|row| row.get(lane..)?.first_chunk::<N>());
                    row.map_or([0; N], |row| row.map(u32::cast_signed))
                }
            };
            let row = self.out.get_mut(item).and_then(|row| row.get_mut(lane..)?.first_chunk_mut::<N>());
            let Some(row) = row else { continue };
            for j in 0..N {
                let sum =
                    if self.i.clamp { c[j].saturating_add(sums[j]) } else { c[j].wrapping_add(sums[j]) };
                row[j] = sum.cast_unsigned();
            }
        }
    }

    /// f64: a register pair per element.
    fn doubles(self) {
        let (plan, shape) = (self.plan, &self.plan.shape);
        let read = |rows: &[Row], item: u8, lane: usize| {
            let at = 2 * usize::from(item);
            match rows.get(at..at + 2) {
                Some([lo, hi]) => f64::from_bits(u64::from(lo[lane]) | u64::from(hi[lane]) << 32),
                _ => 0.0,
            }
        };
        let sign = |k: u8, x: f64| if self.i.neg_lo >> k & 1 != 0 { -x } else { x };
        for block in 0..plan.blocks {
            let (from, to) = (block * shape.k, (block + 1) * shape.k);
            for (row, d) in plan.lines.d[block * shape.m..(block + 1) * shape.m].iter().enumerate() {
                for j in 0..shape.n {
                    let lane = usize::from(d.lane) + j;
                    let mut sum = match self.c {
                        Source::Constant(c) => f64::from_bits(c.k.f64),
                        Source::Rows(rows) => read(rows, d.item, lane),
                    };
                    sum = sign(2, sum);
                    for (la, lb) in plan.lines.a[from..to].iter().zip(&plan.lines.b[from..to]) {
                        let a = sign(0, read(self.a, la.item, usize::from(la.lane) + row));
                        sum = a.mul_add(sign(1, read(self.b, lb.item, usize::from(lb.lane) + j)), sum);
                    }
                    let bits = if sum.is_nan() { fp::QNAN64 } else { sum.to_bits() };
                    let at = 2 * usize::from(d.item);
                    if let Some([lo, hi]) = self.out.get_mut(at..at + 2) {
                        (lo[lane], hi[lane]) = (bits as u32, (bits >> 32) as u32);
                    }
                }
            }
        }
    }
}

/// A constant as f16 or bf16.
fn sixteen(c: &Src, d: Element) -> u32 {
    if d == Element::F16 { c.k.b16 } else { c.k.b32 >> 16 }
}

/// The bits of a result: NaNs are the one quiet NaN.
#[inline(always)]
fn result(x: f32, flush: bool) -> u32 {
    if x.is_nan() {
        fp::QNAN32
    } else if flush && x.abs() < f32::MIN_POSITIVE {
        x.to_bits() & 1 << 31
    } else {
        x.to_bits()
    }
}
