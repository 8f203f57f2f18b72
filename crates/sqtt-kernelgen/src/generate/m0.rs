//! Asm on M0, as loops of `buffer_load … lds` have it: set, advanced, read.
//!
//! LLVM does not look into asm, and holds M0 only where it has no use for it itself: kernels with such asm have no array,
//! which the code generator may turn into a vector indexed by M0, and no built-in that writes M0. M0 is the wave's: what
//! is set is read in the same block, so that the order of a branch's arms does not matter, and what stands between sets
//! nothing. One of three times setter and reader are functions of their own.

use super::expr::masked;
use super::stmt::Spot;
use super::{Features, Maker};
use crate::ast::{Block, Expr, Function, Inlining, LoopShape, M0, Name, ScopeStyle, Size, Slot, Stmt, Ty};
use crate::payloads::any;
use crate::rng::Rng;

/// The functions on M0, by their place in the kernel's list: set, advance, get.
const SET: usize = 0;
const ADVANCE: usize = 1;
const GET: usize = 2;

fn is_m0(stmt: &Stmt) -> bool {
    matches!(stmt, Stmt::M0(_))
}

/// True if a function has asm on M0, in itself or in what it calls.
pub(super) fn uses_m0(function: &Function, before: &[Function]) -> bool {
    let calls = |stmt: &Stmt| match stmt {
        Stmt::Call(_, index, _) => before.get(*index).is_some_and(|callee| callee.uses_m0),
        _ => false,
    };
    any(&mut function.body.clone(), &|stmt| is_m0(stmt) || calls(stmt))
}

/// The three functions.
pub(super) fn functions(rng: &mut Rng, features: Features) -> Vec<Function> {
    let value = || Expr::Var(Ty::U32, 0);
    [("put_m0_", 1, M0::Set(value())), ("advance_m0_", 1, M0::Advance(value())), ("get_m0_", 0, M0::Get(0))]
        .map(|(name, params, op)| {
            let mut maker = Maker::new(rng, features, &[]);
            let slot = maker.new_var(Ty::U32);
            if params > 0 {
                maker.readable.push(slot);
            }
            let mut body = Vec::new();
            for stmt in [None, Some(Stmt::M0(op)), None] {
                match stmt {
                    Some(stmt) => body.push(stmt),
                    None if maker.rng.percent(50) => body.push(Stmt::Mark(maker.event())),
                    None => {}
                }
            }
            let inlining =
                maker.rng.pick(&[Inlining::Free, Inlining::Never, Inlining::Never, Inlining::Always]);
            Function {
                name: name.to_owned(),
                params,
                vars: maker.vars,
                counters: maker.counters,
                array: false,
                body,
                value: Some(value()),
                size: Size::Between,
                inlining,
                uses_m0: true,
            }
        })
        .into()
}

impl Maker<'_> {
    /// M0 set, advanced and read, with something between.
    pub(super) fn through_m0(&mut self, spot: Spot, mut between: impl FnMut(&mut Self) -> Block) -> Block {
        let own = self.rng.percent(33);
        let value = self.expr(Ty::U32, 2);
        let mut block = vec![self.m0_set(own, value)];
        for _ in 0..self.rng.within(1, 3) {
            block.extend(between(self));
            match self.rng.below(4) {
                0 => block.push(self.m0_advance(own)),
                1 => block.push(self.m0_get(own)),
                2 if spot.depth < 4 => block.push(self.m0_loop(own)),
                _ => {}
            }
        }
        block.extend(self.beside_m0());
        block.push(self.m0_get(own));
        block
    }

    /// Advanced as often as all active lanes say, and read.
    fn m0_loop(&mut self, own: bool) -> Stmt {
        let bound = if self.rng.percent(50) {
            Expr::u32(self.rng.within(1, 4) as u32)
        } else {
            masked(self.uniform(), 3)
        };
        let shape = self.rng.pick(&[LoopShape::For, LoopShape::While, LoopShape::DoWhile]);
        let (counter, body) = self.with_counter(|maker| {
            let mut body = maker.beside_m0();
            body.push(maker.m0_advance(own));
            body.extend(maker.beside_m0());
            body.push(maker.m0_get(own));
            body
        });
        Stmt::Loop { shape, counter, bound, body }
    }

    fn target(&mut self) -> Slot {
        let targets: Vec<Slot> =
            self.assignable.iter().copied().filter(|slot| self.vars[*slot] == Ty::U32).collect();
        self.rng.pick(&targets)
    }

    fn m0_set(&mut self, own: bool, value: Expr) -> Stmt {
        if own && self.callees.len() > SET {
            Stmt::Call(self.target(), SET, vec![value])
        } else {
            Stmt::M0(M0::Set(value))
        }
    }

    fn m0_advance(&mut self, own: bool) -> Stmt {
        let by = Expr::u32(self.rng.pick(&[1, 4, 64, 256, 4096, 0x10001]));
        if own && self.callees.len() > ADVANCE {
            Stmt::Call(self.target(), ADVANCE, vec![by])
        } else {
            Stmt::M0(M0::Advance(by))
        }
    }

    /// Puts the value read where it reaches memory: into a variable that is stored in the end.
    fn m0_get(&mut self, own: bool) -> Stmt {
        let dst = self.target();
        if own && self.callees.len() > GET {
            Stmt::Call(dst, GET, Vec::new())
        } else {
            Stmt::M0(M0::Get(dst))
        }
    }

    /// Statements that leave M0 alone: markers, operations on memory, branches, calls.
    pub(super) fn beside_m0(&mut self) -> Block {
        (0..self.rng.below(3)).map(|_| self.one_beside_m0()).collect()
    }

    fn one_beside_m0(&mut self) -> Stmt {
        match self.rng.below(10) {
            0..=3 => Stmt::Mark(self.event()),
            4 => {
                let name = self.name();
                let body = vec![self.assign(), Stmt::Mark(self.event())];
                Stmt::Scope(self.rng.pick(&[ScopeStyle::Guard, ScopeStyle::Pair]), name, body)
            }
            5 => {
                let c = self.condition(1);
                Stmt::If(c, vec![Stmt::Mark(self.event()), self.assign()], Vec::new())
            }
            6 if self.main => Stmt::Store(self.rng.below(self.columns), self.expr(Ty::U32, 1)),
            7 => {
                let name = Name::Literal(self.text());
                Stmt::Scope(ScopeStyle::Lambda, name, vec![self.assign()])
            }
            8 => self.call(false).unwrap_or_else(|| self.assign()),
            _ => self.assign(),
        }
    }
}
