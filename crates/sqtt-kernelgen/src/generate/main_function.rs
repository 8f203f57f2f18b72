//! The kernel.

use super::stmt::Spot;
use super::{Features, Maker};
use crate::ast::{
    Block, Expr, Function, Inlining, LoopShape, Mark, Name, ScopeStyle, Size, Slot, Stmt, Ty, Via,
};
use crate::rng::Rng;

/// Makes the kernel; gives with it how many words of output a work-item has.
pub(super) fn main_function(rng: &mut Rng, features: Features, functions: &[Function]) -> (Function, usize) {
    let mut maker = Maker::new(rng, features, functions);
    maker.main = true;
    let types = maker.types();
    let mut all = vec![Ty::U32, Ty::U32, Ty::U32];
    for _ in 0..maker.rng.within(1, 4) {
        all.push(maker.rng.pick(&types));
    }
    maker.columns = all.len() + 1;
    maker.array = maker.rng.percent(20) && !features.m0 && !features.uniform;
    maker.budget = maker.rng.within(8, 40);
    maker.loops = 2;
    let mut body = Vec::new();
    for ty in all {
        let value = if ty == Ty::U32 && maker.rng.percent(60) {
            if features.uniform { maker.uniform_loads() } else { Expr::Load(Box::new(Expr::Global)) }
        } else {
            maker.expr(ty, 2)
        };
        let slot = maker.local(ty);
        body.push(Stmt::Assign(slot, value));
    }
    let slots = maker.assignable.clone();
    if features.lds {
        let count = maker.rng.within(1, 4);
        for _ in 0..count {
            body.extend(maker.shared(0));
        }
    }
    if !features.uniform {
        maker.store_all(&slots, &mut body);
    }
    body.extend(maker.block(Spot::TOP, 12));
    maker.store_all(&slots, &mut body);
    if features.markers && maker.rng.percent(8) {
        // More names than the immediate form has room for.
        for k in 0..70 {
            let name = Name::Literal(format!("many {k}"));
            body.push(Stmt::Mark(Mark::Point(name, Via::Direct)));
        }
    }
    let function = Function {
        name: crate::print::KERNEL_NAME.to_owned(),
        params: 0,
        vars: maker.vars.clone(),
        counters: maker.counters.clone(),
        array: maker.array,
        body,
        value: None,
        size: Size::Between,
        inlining: Inlining::Free,
        uses_m0: false,
    };
    (function, maker.columns)
}

impl Maker<'_> {
    fn store_all(&mut self, slots: &[Slot], body: &mut Block) {
        for (column, slot) in slots.iter().enumerate() {
            let var = Expr::Var(self.vars[*slot], *slot);
            body.push(Stmt::Store(column, Expr::Bits(Box::new(var))));
        }
    }

    /// Something before a barrier, the barrier, and something around them.
    fn shared(&mut self, depth: usize) -> Block {
        let mut block = Vec::new();
        if self.rng.percent(40) {
            let spot = Spot { may_return: false, in_function: false, ..Spot::TOP };
            block.extend(self.block(spot, 2));
        }
        let inner = |maker: &mut Self| maker.shared(depth + 1);
        let around = if depth < 2 { self.rng.below(12) } else { 12 };
        block.push(match around {
            0 | 1 => {
                let bound = if self.rng.percent(50) {
                    Expr::u32(self.rng.within(1, 3) as u32)
                } else {
                    super::expr::masked(self.uniform(), 3)
                };
                let shape = self.rng.pick(&[LoopShape::For, LoopShape::While, LoopShape::DoWhile]);
                let (counter, body) = self.with_counter(inner);
                Stmt::Loop { shape, counter, bound, body }
            }
            2 => {
                let c = self.uniform_condition();
                let then = inner(self);
                Stmt::If(c, then, if self.rng.percent(50) { inner(self) } else { Vec::new() })
            }
            3 | 4 if self.features.markers => {
                let name = Name::Literal(self.text());
                let style = self.rng.pick(&[ScopeStyle::Guard, ScopeStyle::Pair, ScopeStyle::Lambda]);
                Stmt::Scope(style, name, inner(self))
            }
            5 if self.features.markers => {
                let parts = (0..2).map(|_| (self.text(), inner(self))).collect();
                Stmt::Chain(parts)
            }
            _ if self.features.m0 && self.rng.percent(40) => {
                block.extend(self.through_m0(Spot::TOP, |maker| vec![maker.through_lds()]));
                return block;
            }
            _ => self.through_lds(),
        });
        block
    }

    fn through_lds(&mut self) -> Stmt {
        let targets: Vec<Slot> =
            self.assignable.iter().copied().filter(|slot| self.vars[*slot] == Ty::U32).collect();
        let dst = self.rng.pick(&targets);
        let value = self.expr(Ty::U32, 2);
        if self.rng.percent(25) {
            return Stmt::Reduce(dst, self.expr(Ty::U32, 1), value);
        }
        let markers = self.features.markers;
        let mut point = || (markers && self.rng.percent(30)).then(|| self.text());
        let points = [point(), point()];
        Stmt::Exchange { dst, value, shift: self.rng.within(1, 40), points }
    }
}
