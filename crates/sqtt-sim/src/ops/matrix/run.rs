//! One matrix instruction: all sources are read before the result is written.

use super::Plan;
use super::layout::Line;
use super::multiply::{self, Scales};
use super::shape::{Element, Shape};
use super::unpack::{self, Reading};
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
    wide::dispatch(job);
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
            (Element::F64, 4) => self.doubles::<4, F>(fused),
            (Element::F64, _) => self.doubles::<16, F>(fused),
            (_, 4) => self.floats::<4, 4, F>(fused),
            (_, 16) => self.floats::<16, 4, F>(fused),
            (..) => self.floats::<32, 2, F>(fused),
        }
    }
}

impl Job<'_> {
    /// Elements in the registers of A and of B.
    fn items(&self) -> [usize; 2] {
        let shape = &self.plan.shape;
        let last = |lines: &[Line]| lines.iter().map(|l| usize::from(l.item)).max().unwrap_or(0) + 1;
        let lines = &self.plan.lines;
        [
            last(&lines.a).min(self.a.len() * 32 / shape.a.bits()),
            last(&lines.b).min(self.b.len() * 32 / shape.b.bits()),
        ]
    }

    #[inline(always)]
    fn floats<const N: usize, const TOGETHER: usize, F: Fused>(&mut self, fused: F) {
        let (plan, shape, i) = (self.plan, &self.plan.shape, self.i);
        let [a_items, b_items] = self.items();
        let how = |k: u8| {
            let sign = |bits: u8| u32::from(bits >> k & 1) << 31;
            Reading { lanes: plan.lanes, flush: plan.flush, negate: [sign(i.neg_lo), sign(i.neg_hi)] }
        };
        let a = unpack::floats(self.a, a_items, shape.a, how(0));
        let b = unpack::floats(self.b, b_items, shape.b, how(1));
        let mut c = self.accumulator::<N>();
        let size = (shape.m, shape.k);
        if shape.open {
            multiply::scaled(&plan.lines, &a, &b, self.scales, &mut c);
        } else if shape.sparse {
            multiply::sparse(&plan.lines, &a, &b, self.index, &mut c, |a, b, c| fused.single(a, b, c));
        } else if shape.a.has_exact_products() && shape.b.has_exact_products() {
            multiply::dense::<_, N, TOGETHER>(&plan.lines, size, &a, &b, &mut c, |a, b, c| {
                fused.exact(a, b, c)
            });
        } else {
            multiply::dense::<_, N, TOGETHER>(&plan.lines, size, &a, &b, &mut c, |a, b, c| {
                fused.single(a, b, c)
            });
        }
        self.write(&c);
    }

    /// The accumulator's rows, of all blocks.
    #[inline(always)]
    fn accumulator<const N: usize>(&self) -> Vec<[f32; N]> {
        let (plan, d) = (self.plan, self.plan.shape.d);
        let mut sums = Vec::with_capacity(plan.lines.d.len());
        match self.c {
            Source::Constant(c) => {
                let value = match d {
                    Element::F16 => unpack::half(c.k.b16),
                    Element::Bf16 => f32::from_bits(c.k.b32 & 0xffff_0000),
                    _ => f32::from_bits(c.k.b32),
                };
                sums.resize(plan.lines.d.len(), [value; N]);
            }
            Source::Rows(rows) => {
                for line in &plan.lines.d {
                    let mut sum = [0.0; N];
                    if let Some((row, shift)) = lanes_of::<N>(rows, *line, d.bits()) {
                        for j in 0..N {
                            sum[j] = match d {
                                Element::F16 => unpack::half(row[j] >> shift & 0xffff),
                                Element::Bf16 => f32::from_bits(row[j] >> shift << 16),
                                _ => f32::from_bits(row[j]),
                            };
                        }
                    }
                    sums.push(sum);
                }
            }
        }
        let (neg, abs) = (self.i.neg_lo >> 2 & 1 != 0, self.i.neg_hi >> 2 & 1 != 0);
        if plan.flush || neg || abs {
            for x in sums.as_flattened_mut() {
                let value = if plan.flush { fp::flush32(*x) } else { *x };
                let value = if abs { value.abs() } else { value };
                *x = if neg { -value } else { value };
            }
        }
        sums
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
            multiply::dense::<_, N, 2>(&plan.lines, (shape.m, shape.k), &a, &b, &mut sums, step);
        }
        for (line, sums) in plan.lines.d.iter().zip(&sums) {
            let (item, lane) = (usize::from(line.item), usize::from(line.lane));
            let mut c = [0i32; N];
            match self.c {
                Source::Constant(k) => c.fill(k.k.b32.cast_signed()),
                Source::Rows(rows) => {
                    if let Some((row, _)) = lanes_of::<N>(rows, *line, 32) {
                        for j in 0..N {
                            c[j] = row[j].cast_signed();
                        }
                    }
                }
            }
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
    #[inline(always)]
    fn doubles<const N: usize, F: Fused>(&mut self, fused: F) {
        let (plan, shape, i) = (self.plan, &self.plan.shape, self.i);
        let negated = |k: u8| i.neg_lo >> k & 1 != 0;
        let (a, b) = (unpack::doubles(self.a, negated(0)), unpack::doubles(self.b, negated(1)));
        let mut sums = vec![[0.0; N]; plan.lines.d.len()];
        match self.c {
            Source::Constant(c) => {
                let value = f64::from_bits(c.k.f64);
                sums.fill([if negated(2) { -value } else { value }; N]);
            }
            Source::Rows(rows) => {
                let c = unpack::doubles(rows, negated(2));
                for (line, sum) in plan.lines.d.iter().zip(&mut sums) {
                    let from = c
                        .get(usize::from(line.item))
                        .and_then(|x| x.get(usize::from(line.lane)..)?.first_chunk());
                    *sum = *from.unwrap_or(&[0.0; N]);
                }
            }
        }
        let step = |a: f64, b: f64, c: f64| fused.double(a, b, c);
        multiply::dense::<_, N, 4>(&plan.lines, (shape.m, shape.k), &a, &b, &mut sums, step);
        for (line, sum) in plan.lines.d.iter().zip(&sums) {
            let (at, lane) = (2 * usize::from(line.item), usize::from(line.lane));
            let Some([lo, hi]) = self.out.get_mut(at..at + 2) else { continue };
            for (j, x) in sum.iter().enumerate() {
                let bits = if x.is_nan() { fp::QNAN64 } else { x.to_bits() };
                (lo[lane + j], hi[lane + j]) = (bits as u32, (bits >> 32) as u32);
            }
        }
    }
}

/// A line's lanes in its register, and the shift of its element there.
#[inline(always)]
fn lanes_of<const N: usize>(rows: &[Row], line: Line, bits: usize) -> Option<(&[u32; N], usize)> {
    let bit = usize::from(line.item) * bits;
    let lanes = rows.get(bit / 32)?.get(usize::from(line.lane)..)?.first_chunk()?;
    Some((lanes, bit % 32))
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
