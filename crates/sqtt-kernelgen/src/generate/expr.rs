//! Expressions.

use super::Maker;
use crate::ast::{Bin, Cmp, Expr, Slot, Ty, Un};

fn boxed(e: Expr) -> Box<Expr> {
    Box::new(e)
}

fn binary(op: Bin, a: Expr, b: Expr) -> Expr {
    Expr::Binary(op, a.ty(), boxed(a), boxed(b))
}

/// `e & mask`
pub(super) fn masked(e: Expr, mask: u32) -> Expr {
    binary(Bin::And, e, Expr::u32(mask))
}

fn compare(op: Cmp, a: Expr, b: Expr) -> Expr {
    Expr::Compare(op, a.ty(), boxed(a), boxed(b))
}

impl Maker<'_> {
    fn var(&mut self, ty: Ty) -> Option<Expr> {
        let fitting: Vec<Slot> =
            self.readable.iter().copied().filter(|slot| self.vars[*slot] == ty).collect();
        (!fitting.is_empty()).then(|| Expr::Var(ty, self.rng.pick(&fitting)))
    }

    /// A value of a type.
    pub(super) fn expr(&mut self, ty: Ty, depth: usize) -> Expr {
        if depth == 0 || self.rng.percent(20) {
            return self.leaf(ty, depth);
        }
        let below = depth - 1;
        if self.rng.percent(8) {
            let c = self.condition(below.min(1));
            let (a, b) = (self.expr(ty, below), self.expr(ty, below));
            return Expr::Select(ty, Box::new([c, a, b]));
        }
        match ty {
            Ty::F32 | Ty::F64 => self.float(ty, below),
            _ => self.integer(ty, below),
        }
    }

    fn integer(&mut self, ty: Ty, below: usize) -> Expr {
        if ty == Ty::U32 && self.rng.percent(15) {
            let op = self.rng.pick(&[
                Un::Not,
                Un::PopCount,
                Un::LeadingZeros,
                Un::TrailingZeros,
                Un::ReverseBits,
                Un::ReverseBytes,
                Un::Neg,
            ]);
            return Expr::Unary(op, ty, boxed(self.expr(ty, below)));
        }
        if self.rng.percent(6) {
            let op = self.rng.pick(&[Un::Not, Un::Neg]);
            return Expr::Unary(op, ty, boxed(self.expr(ty, below)));
        }
        if self.rng.percent(12) {
            let from = match ty {
                Ty::U32 => self.rng.pick(&[Ty::I32, Ty::U64]),
                Ty::I32 => Ty::U32,
                _ => self.rng.pick(&[Ty::U32, Ty::I32]),
            };
            if from != Ty::U64 || self.features.wide {
                return Expr::Cast(ty, boxed(self.expr(from, below)));
            }
        }
        if ty == Ty::I32 && self.features.floats && self.rng.percent(10) {
            let from = self.rng.pick(&[Ty::F32, Ty::F64]);
            return Expr::Cast(ty, boxed(self.expr(from, below)));
        }
        if ty == Ty::U32 && self.rng.percent(6) {
            return self.condition(below.min(1));
        }
        let op = if self.rng.percent(4) {
            self.rng.pick(&[Bin::Div, Bin::Rem])
        } else {
            self.rng.pick(&[
                Bin::Add,
                Bin::Add,
                Bin::Sub,
                Bin::Mul,
                Bin::And,
                Bin::Or,
                Bin::Xor,
                Bin::Xor,
                Bin::Shl,
                Bin::Shr,
                Bin::MulHigh,
                Bin::Min,
                Bin::Max,
            ])
        };
        let op = match op {
            Bin::MulHigh if ty == Ty::U64 => Bin::Mul,
            // SI Fold Operands of LLVM 19 and 22 makes `x` of `x | -1` (llvm/llvm-project, pull request 189655). It comes
            // to see all ones in halves of 64 bits, as those of `~(u64)x`: what is whole is folded before.
            Bin::Or if ty == Ty::U64 => Bin::And,
            op => op,
        };
        let (a, b) = (self.expr(ty, below), self.expr(ty, below));
        if self.features.markers && matches!(op, Bin::Div | Bin::Rem) && ty != Ty::I32 {
            // LLVM 19, which takes part where there are markers, divides by fewer bits where the upper ones are
            // all ones, as if the operands were signed.
            let half = |e: Expr| binary(Bin::Shr, e, Expr::Const(ty, 1));
            return binary(op, half(a), half(b));
        }
        binary(op, a, b)
    }

    fn float(&mut self, ty: Ty, below: usize) -> Expr {
        match self.rng.below(10) {
            0 => {
                let op = self.rng.pick(&[Un::Neg, Un::Abs, Un::Sqrt, Un::Floor, Un::Truncate]);
                Expr::Unary(op, ty, boxed(self.expr(ty, below)))
            }
            1 => {
                let parts = [self.expr(ty, below), self.expr(ty, below), self.expr(ty, below)];
                Expr::Fma(ty, Box::new(parts))
            }
            _ => {
                let op = self.rng.pick(&[
                    Bin::Add,
                    Bin::Add,
                    Bin::Sub,
                    Bin::Mul,
                    Bin::Mul,
                    Bin::Div,
                    Bin::Min,
                    Bin::Max,
                ]);
                let (a, b) = (self.expr(ty, below), self.expr(ty, below));
                binary(op, a, b)
            }
        }
    }

    fn leaf(&mut self, ty: Ty, depth: usize) -> Expr {
        if self.rng.percent(65)
            && let Some(var) = self.var(ty)
        {
            return var;
        }
        match ty {
            Ty::U32 => match self.rng.below(8) {
                0 | 1 => Expr::u32(self.constant()),
                2 => Expr::Global,
                3 => Expr::Local,
                4 => Expr::Group,
                5 if self.input => Expr::Number,
                6 if self.input && !self.features.uniform => {
                    let index = self.expr(Ty::U32, depth.saturating_sub(1).min(1));
                    Expr::Load(boxed(index))
                }
                7 if self.array => {
                    let index = self.expr(Ty::U32, depth.saturating_sub(1).min(1));
                    Expr::Array(boxed(index))
                }
                _ => Expr::Global,
            },
            Ty::I32 => match self.rng.below(3) {
                0 => Expr::Const(ty, self.constant().into()),
                _ => Expr::Cast(ty, boxed(self.leaf(Ty::U32, 0))),
            },
            Ty::U64 => match self.rng.below(3) {
                0 => Expr::Const(ty, self.rng.bits()),
                _ => Expr::Cast(ty, boxed(self.leaf(Ty::U32, 0))),
            },
            Ty::F32 | Ty::F64 => self.float_leaf(ty),
        }
    }

    fn float_leaf(&mut self, ty: Ty) -> Expr {
        match self.rng.below(4) {
            0 => {
                let value = self.rng.pick(&[0.5, 1.0, -1.5, 2.0, 0.1, 3.25, -0.75, 10.0, 1e-3, 0.0]);
                let bits = if ty == Ty::F32 { (value as f32).to_bits().into() } else { f64::to_bits(value) };
                Expr::Const(ty, bits)
            }
            1 => {
                let other = if ty == Ty::F32 { Ty::F64 } else { Ty::F32 };
                match self.var(other) {
                    Some(var) => Expr::Cast(ty, boxed(var)),
                    None => self.float_of_bits(ty),
                }
            }
            _ => self.float_of_bits(ty),
        }
    }

    /// Twelve bits of an integer, or thirteen with a sign.
    fn float_of_bits(&mut self, ty: Ty) -> Expr {
        let bits = self.leaf(Ty::U32, 0);
        if self.rng.percent(50) {
            return Expr::Cast(ty, boxed(masked(bits, 0xFFF)));
        }
        let signed = Expr::Cast(Ty::I32, boxed(bits));
        Expr::Cast(ty, boxed(binary(Bin::Shr, signed, Expr::Const(Ty::I32, 19))))
    }

    fn constant(&mut self) -> u32 {
        match self.rng.below(4) {
            0 => self.rng.below(8) as u32,
            1 => self.rng.below(100) as u32,
            2 => self.rng.pick(&[0, 1, u32::MAX, 0x8000_0000, 0x7FFF_FFFF, 0xFFFF, 64, 63, 31, 32]),
            _ => self.rng.bits() as u32,
        }
    }

    /// A condition on which lanes may disagree.
    pub(super) fn condition(&mut self, depth: usize) -> Expr {
        match self.rng.below(6) {
            0 => masked(Expr::Local, self.rng.pick(&[1, 2, 3, 4, 8, 16])),
            // Whole waves agree.
            1 => masked(Expr::Local, self.rng.pick(&[32, 64, 96])),
            2 => {
                let bound = self.rng.within(0, 130) as u32;
                let op = self.rng.pick(&[Cmp::Less, Cmp::LessEqual]);
                compare(op, Expr::Local, Expr::u32(bound))
            }
            3 => compare(Cmp::Equal, Expr::Local, Expr::u32(self.rng.below(70) as u32)),
            _ => {
                let types = self.types();
                let ty = self.rng.pick(&types);
                let (a, b) = (self.expr(ty, depth), self.expr(ty, depth));
                let op = self.rng.pick(&[Cmp::Less, Cmp::LessEqual, Cmp::Equal, Cmp::NotEqual]);
                compare(op, a, b)
            }
        }
    }

    /// A value on which all active lanes agree, and the workgroup, where the control flow does.
    pub(super) fn uniform(&mut self) -> Expr {
        let counters = self.uniform.clone();
        if !counters.is_empty() && self.rng.percent(50) {
            return Expr::Var(Ty::U32, self.rng.pick(&counters));
        }
        match self.rng.below(3) {
            0 if self.input => Expr::Number,
            1 if self.input && !self.features.uniform => {
                Expr::Load(boxed(Expr::u32(self.rng.below(256) as u32)))
            }
            _ => Expr::Group,
        }
    }

    /// Neighbours in memory, from an address that all active lanes agree on.
    pub(super) fn uniform_loads(&mut self) -> Expr {
        let counters = self.uniform.clone();
        let start = match self.rng.below(4) {
            0 if !counters.is_empty() => Expr::Var(Ty::U32, self.rng.pick(&counters)),
            1 => Expr::Number,
            2 => Expr::Group,
            _ => Expr::u32(self.rng.below(64) as u32),
        };
        let start = if self.rng.percent(30) { binary(Bin::Add, start, Expr::Number) } else { start };
        (0..self.rng.within(1, 4))
            .map(|k| {
                let index = binary(Bin::Add, start.clone(), Expr::u32(k as u32));
                Expr::Load(boxed(index))
            })
            .reduce(|sum, load| binary(Bin::Add, sum, load))
            .unwrap_or(Expr::Number)
    }

    /// A condition of which LLVM can know nothing.
    pub(super) fn unknown_condition(&mut self, uniform: bool) -> Expr {
        let uniform = uniform || self.features.uniform;
        let index = if uniform { Expr::u32(self.rng.below(256) as u32) } else { self.expr(Ty::U32, 1) };
        let bits = self.rng.pick(&[1, 2, 3, 4, 0x1000, 0x10000]);
        masked(Expr::Load(boxed(index)), bits)
    }

    /// A condition on which all active lanes agree.
    pub(super) fn uniform_condition(&mut self) -> Expr {
        let value = self.uniform();
        if self.rng.percent(50) {
            return masked(value, self.rng.pick(&[1, 2, 3, 4]));
        }
        compare(Cmp::Less, masked(value, 7), Expr::u32(self.rng.within(1, 6) as u32))
    }
}
