//! Statements in one wave.

use super::Memory;
use super::eval::{eval, loads};
use super::frame::{Frame, LANES, Place, lanes};
use super::payload;
use crate::ast::{AtomicOp, Exit, Expr, LoopShape, M0, Mark, Name, Stmt, Ty};
use crate::events::{Event, Label, Node, add_arms};
use sqtt_format::SystemPoint;

impl LoopShape {
    /// The number of a loop's iterations, unless it is left.
    pub(super) fn iterations(self, bound: u32) -> u32 {
        if self == Self::DoWhile { bound.max(1) } else { bound }
    }

    /// The value of its counter in iteration `k`.
    pub(super) fn counter(self, k: u32) -> u32 {
        if self == Self::While { k + 1 } else { k }
    }
}

pub(super) fn named_point(name: &str) -> Node {
    Node::Event(Event::Point(Label::Named(name.to_owned())))
}

/// The marker at the start of a chain's part.
pub(super) fn chain_enter(name: &str, part: usize) -> Node {
    let label = Label::Named(name.to_owned());
    Node::Event(if part == 0 { Event::Enter(label) } else { Event::ExitEnter(label) })
}

/// A wave at work.
pub(super) struct Exec<'a, 'k> {
    pub(super) place: &'a Place<'k>,
    pub(super) memory: &'a mut Memory,
}

impl Exec<'_, '_> {
    fn row(&self, value: &Expr, mask: u64, frame: &Frame) -> [u64; LANES] {
        let mut row = [0; LANES];
        for lane in lanes(mask) {
            row[lane] = eval(value, self.place, frame, lane);
        }
        row
    }

    /// The lanes of `mask` in which a condition holds.
    fn holds(&self, c: &Expr, mask: u64, frame: &Frame) -> u64 {
        lanes(mask)
            .filter(|lane| eval(c, self.place, frame, *lane) != 0)
            .fold(0, |taken, lane| taken | 1 << lane)
    }

    /// The value in the first active lane.
    fn first(&self, value: &Expr, mask: u64, frame: &Frame) -> u32 {
        self.first_bits(value, mask, frame) as u32
    }

    fn first_bits(&self, value: &Expr, mask: u64, frame: &Frame) -> u64 {
        lanes(mask).next().map_or(0, |lane| eval(value, self.place, frame, lane))
    }

    /// Notes the loads that the evaluation of expressions takes.
    pub(super) fn reads<'e>(
        &self,
        expressions: impl IntoIterator<Item = &'e Expr>,
        mask: u64,
        frame: &Frame,
        nodes: &mut Vec<Node>,
    ) {
        let count: usize = expressions.into_iter().map(|e| loads(e, self.place, frame, mask)).sum();
        nodes.extend(std::iter::repeat_n(Node::System(SystemPoint::VmemLoad), count));
    }

    /// Notes a store or an atomic.
    fn writes(mask: u64, nodes: &mut Vec<Node>) {
        if mask != 0 {
            nodes.push(Node::System(SystemPoint::VmemStore));
        }
    }

    pub(super) fn label(&self, name: &Name, mask: u64, frame: &Frame) -> Label {
        match name {
            Name::Literal(text) | Name::Offset(_, text) | Name::Member(text) => Label::Named(text.clone()),
            Name::Choice(c, yes, no) | Name::Variable(c, yes, no) => {
                Label::Named(if self.first(c, mask, frame) != 0 { yes.clone() } else { no.clone() })
            }
            Name::Number(id, _) => Label::Number(*id),
            Name::Computed(value) => Label::Number(0x10000 + (self.first(value, mask, frame) & 255)),
        }
    }

    /// Runs a block in the lanes of `mask`; gives those that reach its end.
    pub(super) fn block(
        &mut self,
        block: &[Stmt],
        mask: u64,
        frame: &mut Frame,
        nodes: &mut Vec<Node>,
    ) -> u64 {
        self.block_and(block, None, mask, frame, nodes)
    }

    /// Does the same with a function's body and the result at its end, which lanes that returned before do not compute.
    fn block_and(
        &mut self,
        block: &[Stmt],
        result: Option<&Expr>,
        mut mask: u64,
        frame: &mut Frame,
        nodes: &mut Vec<Node>,
    ) -> u64 {
        for (k, stmt) in block.iter().enumerate() {
            if mask == 0 {
                return 0;
            }
            let Stmt::Leave(exit, c, arm) = stmt else {
                mask = self.stmt(stmt, mask, frame, nodes);
                continue;
            };
            self.reads([c], mask, frame, nodes);
            let taken = self.holds(c, mask, frame);
            if taken == 0 {
                continue;
            }
            let mut on_the_way = Vec::new();
            let leaving = self.block(arm, taken, frame, &mut on_the_way);
            if let Exit::Return(Some(value)) = exit {
                self.reads([value], leaving, frame, &mut on_the_way);
            }
            self.leave(exit, leaving, frame);
            let mut rest = Vec::new();
            let through = match mask & !taken {
                0 => 0,
                staying => self.block_and(&block[k + 1..], result, staying, frame, &mut rest),
            };
            add_arms(nodes, vec![on_the_way, rest]);
            return through;
        }
        if mask != 0 {
            self.reads(result, mask, frame, nodes);
        }
        mask
    }

    fn leave(&self, exit: &Exit, mask: u64, frame: &mut Frame) {
        match exit {
            Exit::Break => {}
            Exit::Continue => {
                if let Some(continued) = frame.continued.last_mut() {
                    *continued |= mask;
                }
            }
            Exit::Return(value) => {
                if let Some(value) = value {
                    let row = self.row(value, mask, frame);
                    lanes(mask).for_each(|lane| frame.value[lane] = row[lane]);
                }
                frame.returned |= mask;
            }
        }
    }

    fn assign(&self, slot: usize, value: &Expr, mask: u64, frame: &mut Frame) {
        let row = self.row(value, mask, frame);
        for lane in lanes(mask) {
            frame.vars[slot][lane] = match value.ty() {
                Ty::F32 => u64::from(f32::from_bits(row[lane] as u32).clamp(-4096.0, 4096.0).to_bits()),
                Ty::F64 => f64::from_bits(row[lane]).clamp(-1_048_576.0, 1_048_576.0).to_bits(),
                _ => row[lane],
            };
        }
    }

    /// Runs a statement that is no [`Stmt::Leave`].
    fn stmt(&mut self, stmt: &Stmt, mask: u64, frame: &mut Frame, nodes: &mut Vec<Node>) -> u64 {
        match stmt {
            Stmt::Assign(slot, value) => {
                self.reads([value], mask, frame, nodes);
                self.assign(*slot, value, mask, frame);
            }
            Stmt::ArraySet(index, value) => {
                self.reads([index, value], mask, frame, nodes);
                let (index, value) = (self.row(index, mask, frame), self.row(value, mask, frame));
                lanes(mask).for_each(|lane| frame.array[index[lane] as usize & 7][lane] = value[lane] as u32);
            }
            Stmt::Store(column, value) => {
                self.reads([value], mask, frame, nodes);
                Self::writes(mask, nodes);
                let row = self.row(value, mask, frame);
                let kernel = self.place.kernel;
                let first = (self.place.group * kernel.block + self.place.first) as usize;
                for lane in lanes(mask) {
                    self.memory.out[(first + lane) * kernel.columns + column] = row[lane] as u32;
                }
            }
            Stmt::Atomic(op, index, value) => {
                self.reads([index, value], mask, frame, nodes);
                Self::writes(mask, nodes);
                self.atomic(*op, index, value, mask, frame);
            }
            Stmt::If(c, then, otherwise) => {
                self.reads([c], mask, frame, nodes);
                let taken = self.holds(c, mask, frame);
                let mut arms = vec![Vec::new(), Vec::new()];
                let through = self.block(then, taken, frame, &mut arms[0])
                    | self.block(otherwise, mask & !taken, frame, &mut arms[1]);
                add_arms(nodes, arms);
                return through;
            }
            Stmt::Switch(on, arms, default) => return self.switch(on, arms, default, mask, frame, nodes),
            Stmt::Loop { shape, counter, bound, body } => {
                self.reads([bound], mask, frame, nodes);
                let bound = self.row(bound, mask, frame);
                return self.repeat((*shape, *counter), &bound, body, mask, frame, nodes);
            }
            Stmt::Call(dst, function, args) => self.call(*dst, *function, args, mask, frame, nodes),
            Stmt::Scope(_, name, body) => {
                self.reads(name.values(), mask, frame, nodes);
                nodes.push(Node::Event(Event::Enter(self.label(name, mask, frame))));
                let through = self.block(body, mask, frame, nodes);
                nodes.push(Node::Event(Event::Exit));
                return through;
            }
            Stmt::Chain(parts) => {
                for (k, (name, body)) in parts.iter().enumerate() {
                    nodes.push(chain_enter(name, k));
                    self.block(body, mask, frame, nodes);
                }
                nodes.push(Node::Event(Event::Exit));
            }
            Stmt::Mark(mark) => self.mark(mark, mask, frame, nodes),
            Stmt::M0(op) => self.m0(op, mask, frame, nodes),
            // Barriers are the workgroup's, and leaving is the block's.
            Stmt::Exchange { .. } | Stmt::Reduce(..) | Stmt::Leave(..) => {}
        }
        mask
    }

    fn atomic(&mut self, op: AtomicOp, index: &Expr, value: &Expr, mask: u64, frame: &Frame) {
        let first = AtomicOp::ALL.iter().position(|other| *other == op).unwrap_or(0) * 8;
        let (index, value) = (self.row(index, mask, frame), self.row(value, mask, frame));
        for lane in lanes(mask) {
            let (word, value) =
                (&mut self.memory.acc[first + (index[lane] as usize & 7)], value[lane] as u32);
            *word = match op {
                AtomicOp::Add => word.wrapping_add(value),
                AtomicOp::Max => value.max(*word),
                AtomicOp::Min => value.min(*word),
                AtomicOp::Or => *word | value,
                AtomicOp::Xor => *word ^ value,
            };
        }
    }

    fn switch(
        &mut self,
        on: &Expr,
        arms: &[(Vec<u32>, Vec<Stmt>)],
        default: &[Stmt],
        mask: u64,
        frame: &mut Frame,
        nodes: &mut Vec<Node>,
    ) -> u64 {
        self.reads([on], mask, frame, nodes);
        let on = self.row(on, mask, frame);
        let (mut left, mut through, mut traced) = (mask, 0, Vec::new());
        for (values, block) in arms {
            let here = lanes(left)
                .filter(|lane| values.contains(&(on[*lane] as u32)))
                .fold(0, |here, lane| here | 1 << lane);
            left &= !here;
            let mut arm = Vec::new();
            through |= self.block(block, here, frame, &mut arm);
            traced.push(arm);
        }
        let mut arm = Vec::new();
        through |= self.block(default, left, frame, &mut arm);
        traced.push(arm);
        add_arms(nodes, traced);
        through
    }

    fn repeat(
        &mut self,
        (shape, counter): (LoopShape, usize),
        bound: &[u64; LANES],
        body: &[Stmt],
        mask: u64,
        frame: &mut Frame,
        nodes: &mut Vec<Node>,
    ) -> u64 {
        let mut active = mask;
        frame.continued.push(0);
        for k in 0.. {
            active = lanes(active)
                .filter(|lane| k < shape.iterations(bound[*lane] as u32))
                .fold(0, |active, lane| active | 1 << lane);
            if active == 0 {
                break;
            }
            lanes(active).for_each(|lane| frame.vars[counter][lane] = shape.counter(k).into());
            let through = self.block(body, active, frame, nodes);
            active = through | frame.continued.last_mut().map_or(0, std::mem::take);
        }
        frame.continued.pop();
        mask & !frame.returned
    }

    fn call(
        &mut self,
        dst: usize,
        function: usize,
        args: &[Expr],
        mask: u64,
        frame: &mut Frame,
        nodes: &mut Vec<Node>,
    ) {
        let callee = &self.place.kernel.functions[function];
        self.memory.called[function] = true;
        let mut inner = Frame::new(callee);
        self.reads(args, mask, frame, nodes);
        for (slot, arg) in args.iter().enumerate() {
            inner.vars[slot] = self.row(arg, mask, frame);
        }
        let label = Label::Function(callee.name.clone());
        nodes.push(Node::Function(callee.name.clone(), Event::Enter(label)));
        let through = self.block_and(&callee.body, callee.value.as_ref(), mask, &mut inner, nodes);
        self.leave(&Exit::Return(callee.value.clone()), through, &mut inner);
        nodes.push(Node::Function(callee.name.clone(), Event::Exit));
        lanes(mask).for_each(|lane| frame.vars[dst][lane] = inner.value[lane]);
    }

    fn m0(&self, op: &M0, mask: u64, frame: &mut Frame, nodes: &mut Vec<Node>) {
        match op {
            M0::Set(value) => {
                self.reads([value], mask, frame, nodes);
                self.place.m0.set(self.first(value, mask, frame));
            }
            M0::Advance(by) => {
                self.reads([by], mask, frame, nodes);
                let sum = self.place.m0.get().wrapping_add(self.first(by, mask, frame));
                self.place.m0.set(sum);
            }
            M0::Get(dst) => lanes(mask).for_each(|lane| frame.vars[*dst][lane] = self.place.m0.get().into()),
        }
    }

    fn mark(&mut self, mark: &Mark, mask: u64, frame: &mut Frame, nodes: &mut Vec<Node>) {
        let values: Vec<&Expr> = match mark {
            Mark::Point(name, _) => name.values().collect(),
            Mark::Data(name, payload, _) => name.values().chain([&payload.value]).collect(),
            Mark::Wrapped(name, _, value) => name.values().chain([value]).collect(),
            Mark::Builtin(word) => vec![word],
        };
        self.reads(values, mask, frame, nodes);
        let event = match mark {
            Mark::Point(name, _) => Event::Point(self.label(name, mask, frame)),
            Mark::Data(name, payload, _) => {
                let bits = self.first_bits(&payload.value, mask, frame);
                Event::Data(self.label(name, mask, frame), payload::words(payload, bits))
            }
            Mark::Builtin(word) => {
                Event::Point(Label::Number(0x20000 + (self.first(word, mask, frame) & 255)))
            }
            Mark::Wrapped(name, dst, value) => {
                nodes.push(Node::Event(Event::Enter(self.label(name, mask, frame))));
                let row = self.row(value, mask, frame);
                for lane in lanes(mask) {
                    let step = (row[lane] as u32).wrapping_mul(5).wrapping_add(3);
                    frame.vars[*dst][lane] = step.into();
                }
                Event::Exit
            }
        };
        nodes.push(Node::Event(event));
    }
}
