//! Statements, and what may stand where.
//!
//! Markers in `if (c) { …; return; }` and its like are on a path that control takes out of a block. Whether the wave
//! runs that path before or after what else is in the block is LLVM's choice, and where the path leaves a loop it may
//! even wait for the loop to end. They are made only where that leaves nothing but a choice between two orders:
//! - directly in a guard's block, whose end both ways pass: anything;
//! - directly in a function's outermost block: returns; directly in a loop's: `continue`;
//! - where control flow is uniform (since the function's start for a return outside of loops, since the loop's for
//!   the others): on a uniform condition.
//!
//! Conditions of the ways out are then words of the input: LLVM must not find out that one is always taken.

use super::Maker;
use super::expr::masked;
use crate::ast::{
    ARRAY_WORDS, AtomicOp, Bin, Block, Exit, Expr, Function, LoopShape, Mark, Name, ScopeStyle, Slot, Stmt,
    Ty,
};

/// The surroundings of a statement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts")]
pub(super) struct Spot {
    pub(super) depth: usize,
    /// Loops around it.
    pub(super) loops: usize,
    /// True where the function may be left from here without leaving a scope open.
    pub(super) may_return: bool,
    pub(super) may_break: bool,
    pub(super) may_continue: bool,
    /// Directly in a function's block, a loop's, a guard's.
    pub(super) in_function: bool,
    pub(super) in_loop: bool,
    pub(super) in_guard: bool,
    /// No divergent branch around it, since the function's start and since the loop's.
    pub(super) uniform: bool,
    pub(super) uniform_in_loop: bool,
}

impl Spot {
    pub(super) const TOP: Self = Self {
        depth: 0,
        loops: 0,
        may_return: true,
        may_break: false,
        may_continue: false,
        in_function: true,
        in_loop: false,
        in_guard: false,
        uniform: true,
        uniform_in_loop: true,
    };

    fn inside(self) -> Self {
        Self { depth: self.depth + 1, in_function: false, in_loop: false, in_guard: false, ..self }
    }

    /// An arm of a branch.
    fn arm(self, uniform: bool) -> Self {
        let inside = self.inside();
        Self {
            uniform: inside.uniform && uniform,
            uniform_in_loop: inside.uniform_in_loop && uniform,
            ..inside
        }
    }

    /// Surroundings in which nothing may be left: a scope would stay open.
    fn closed(self) -> Self {
        Self { may_return: false, may_break: false, may_continue: false, ..self.inside() }
    }

    fn guard(self) -> Self {
        Self { in_guard: true, ..self.inside() }
    }

    fn body_of_loop(self) -> Self {
        Self {
            loops: self.loops + 1,
            in_loop: true,
            may_break: true,
            may_continue: true,
            uniform_in_loop: true,
            ..self.inside()
        }
    }
}

impl Maker<'_> {
    /// A block of about so many statements.
    pub(super) fn block(&mut self, spot: Spot, most: usize) -> Block {
        let count = self.rng.within(1, most);
        let mut block = Vec::new();
        for _ in 0..count {
            if self.budget == 0 {
                break;
            }
            self.budget -= 1;
            if self.features.m0 && self.rng.percent(20) {
                block.extend(self.through_m0(spot, Self::beside_m0));
            } else {
                block.push(self.stmt(spot));
            }
        }
        block
    }

    fn stmt(&mut self, spot: Spot) -> Stmt {
        if self.features.markers && self.rng.percent(35) {
            return self.marked(spot);
        }
        // LLVM moves a function's load to its caller, but not past the function's markers.
        let loads = !self.features.uniform || (self.main && spot.uniform && spot.uniform_in_loop);
        if self.features.uniform && loads && self.rng.percent(30) {
            let targets: Vec<Slot> =
                self.assignable.iter().copied().filter(|slot| self.vars[*slot] == Ty::U32).collect();
            let slot = self.rng.pick(&targets);
            let old = Expr::Var(Ty::U32, slot);
            let sum = self.uniform_loads();
            return Stmt::Assign(slot, Expr::Binary(Bin::Xor, Ty::U32, Box::new(old), Box::new(sum)));
        }
        let nested = spot.depth < 4;
        match self.rng.below(20) {
            0..=2 if nested => self.branch(spot),
            3 if nested => self.switch(spot),
            4 | 5 if nested && spot.loops < self.loops => self.repeat(spot),
            6 | 7 if loads && (spot.may_return || spot.may_break || spot.may_continue) => self.leave(spot),
            8..=10 => self.call(true).unwrap_or_else(|| self.assign()),
            11 if self.main && !self.features.uniform => {
                let column = self.rng.below(self.columns);
                Stmt::Store(column, self.expr(Ty::U32, 2))
            }
            12 if self.main && self.features.atomics => {
                let op = self.rng.pick(&AtomicOp::ALL);
                let index = if self.rng.percent(50) { self.uniform() } else { self.expr(Ty::U32, 1) };
                Stmt::Atomic(op, index, self.expr(Ty::U32, 2))
            }
            13 if self.array => {
                let index = masked(self.expr(Ty::U32, 1), ARRAY_WORDS as u32 - 1);
                Stmt::ArraySet(index, self.expr(Ty::U32, 2))
            }
            _ => self.assign(),
        }
    }

    pub(super) fn assign(&mut self) -> Stmt {
        let targets = self.assignable.clone();
        let slot = self.rng.pick(&targets);
        Stmt::Assign(slot, self.expr(self.vars[slot], 3))
    }

    fn branch(&mut self, spot: Spot) -> Stmt {
        let uniform = self.rng.percent(30);
        let c = if uniform { self.uniform_condition() } else { self.condition(2) };
        let spot = spot.arm(uniform);
        let then = self.block(spot, 4);
        let otherwise = if self.rng.percent(50) { self.block(spot, 3) } else { Vec::new() };
        Stmt::If(c, then, otherwise)
    }

    fn switch(&mut self, spot: Spot) -> Stmt {
        let uniform = self.rng.percent(25);
        let on = if uniform { self.uniform() } else { self.expr(Ty::U32, 2) };
        let mut spot = spot.arm(uniform);
        // It would leave the switch.
        spot.may_break = false;
        let mut arms = vec![(vec![0], self.block(spot, 2))];
        if self.rng.percent(50) {
            arms.push((vec![1, 2], self.block(spot, 2)));
        } else {
            arms.push((vec![2], self.block(spot, 2)));
            arms.push((vec![1], self.block(spot, 2)));
        }
        let default = if self.rng.percent(60) { self.block(spot, 2) } else { Vec::new() };
        Stmt::Switch(masked(on, self.rng.pick(&[3, 7])), arms, default)
    }

    /// The number of a loop's iterations: a constant, a uniform value, or a value per lane.
    fn bound(&mut self) -> Expr {
        match self.rng.below(4) {
            0 => Expr::u32(self.rng.within(1, 4) as u32),
            1 => masked(self.uniform(), 3),
            _ if self.features.uniform => masked(self.uniform(), 3),
            _ => masked(self.expr(Ty::U32, 2), 3),
        }
    }

    /// A counter in scope while `body` is made.
    pub(super) fn with_counter(&mut self, body: impl FnOnce(&mut Self) -> Block) -> (Slot, Block) {
        let counter = self.new_var(Ty::U32);
        self.counters.push(counter);
        self.readable.push(counter);
        self.uniform.push(counter);
        let body = body(self);
        self.readable.retain(|slot| *slot != counter);
        self.uniform.retain(|slot| *slot != counter);
        (counter, body)
    }

    fn repeat(&mut self, spot: Spot) -> Stmt {
        let bound = self.bound();
        let shape = self.rng.pick(&[LoopShape::For, LoopShape::For, LoopShape::While, LoopShape::DoWhile]);
        let (counter, body) = self.with_counter(|maker| maker.block(spot.body_of_loop(), 4));
        Stmt::Loop { shape, counter, bound, body }
    }

    fn leave(&mut self, spot: Spot) -> Stmt {
        let mut ways = Vec::new();
        if spot.may_return {
            ways.push(Exit::Return(None));
        }
        if spot.may_break {
            ways.extend([Exit::Break, Exit::Break]);
        }
        if spot.may_continue {
            ways.push(Exit::Continue);
        }
        let mut exit = self.rng.pick(&ways);
        let uniform = self.rng.percent(30);
        // Where LLVM can tell that the way out is always taken, what comes before it on an arm is on the way out too.
        let c = match (self.features.markers, uniform) {
            (true, _) => self.unknown_condition(uniform),
            (false, true) => self.uniform_condition(),
            (false, false) => self.condition(1),
        };
        let marked = self.features.markers
            && (spot.in_guard
                || match exit {
                    Exit::Return(_) => spot.in_function || (spot.uniform && spot.loops == 0 && uniform),
                    Exit::Continue => spot.in_loop || (spot.uniform_in_loop && uniform),
                    Exit::Break => spot.uniform_in_loop && uniform,
                });
        // Memory operations can be marked, too.
        let input = self.input;
        self.input &= marked || !self.features.markers;
        let mut arm = Vec::new();
        if self.rng.percent(40) {
            arm.push(self.assign());
        }
        if marked && self.rng.percent(60) {
            arm.push(Stmt::Mark(self.event()));
        }
        if let (Exit::Return(value), false) = (&mut exit, self.main) {
            *value = Some(self.expr(Ty::U32, 2));
        }
        self.input = input;
        Stmt::Leave(exit, c, arm)
    }

    /// A call of some function, also of one that sets M0 and reads it.
    pub(super) fn call(&mut self, m0: bool) -> Option<Stmt> {
        // What only sets or only reads it stands where the other is.
        let whole = |function: &Function| !function.name.contains("_m0_") && (m0 || !function.uses_m0);
        let fitting: Vec<usize> =
            (0..self.callees.len()).filter(|index| whole(&self.callees[*index])).collect();
        (!fitting.is_empty()).then(|| {
            let function = self.rng.pick(&fitting);
            self.call_of(function)
        })
    }

    fn call_of(&mut self, function: usize) -> Stmt {
        let callee: &Function = &self.callees[function];
        let types = callee.vars[..callee.params].to_vec();
        let recursive = callee.name.contains("again");
        let mut args: Vec<Expr> = types.into_iter().map(|ty| self.expr(ty, 1)).collect();
        if recursive {
            args[0] = masked(args[0].clone(), 3);
        }
        let targets: Vec<Slot> =
            self.assignable.iter().copied().filter(|slot| self.vars[*slot] == Ty::U32).collect();
        Stmt::Call(self.rng.pick(&targets), function, args)
    }

    /// A statement with markers.
    fn marked(&mut self, spot: Spot) -> Stmt {
        let nested = spot.depth < 4;
        match self.rng.below(10) {
            0..=2 if nested => {
                let name = self.name();
                Stmt::Scope(ScopeStyle::Guard, name, self.block(spot.guard(), 4))
            }
            3 | 4 if nested => {
                let name = self.name();
                Stmt::Scope(ScopeStyle::Pair, name, self.block(spot.closed(), 3))
            }
            5 if nested => {
                // A number would need no wrapper.
                let name = match self.name() {
                    Name::Number(..) | Name::Computed(_) => Name::Literal(self.text()),
                    name => name,
                };
                Stmt::Scope(ScopeStyle::Lambda, name, self.block(spot.closed(), 3))
            }
            6 if nested => {
                let count = self.rng.within(2, 3);
                let parts = (0..count)
                    .map(|_| {
                        let body =
                            if self.rng.percent(60) { self.block(spot.closed(), 2) } else { Vec::new() };
                        (self.text(), body)
                    })
                    .collect();
                Stmt::Chain(parts)
            }
            7 => {
                let targets: Vec<Slot> =
                    self.assignable.iter().copied().filter(|slot| self.vars[*slot] == Ty::U32).collect();
                let (name, dst) = (self.string_name(), self.rng.pick(&targets));
                Stmt::Mark(Mark::Wrapped(name, dst, self.expr(Ty::U32, 1)))
            }
            _ => Stmt::Mark(self.event()),
        }
    }
}
