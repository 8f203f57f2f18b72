//! Statements as text.

use super::PrintOptions;
use super::expr::expr;
use crate::ast::{ARRAY_WORDS, AtomicOp, Exit, Expr, Function, Kernel, LoopShape, M0, Size, Stmt, Ty};
use std::fmt::Write as _;

pub(super) struct Printer<'a> {
    out: &'a mut String,
    kernel: &'a Kernel,
    pub(super) options: PrintOptions,
    depth: usize,
    /// Gives local names their numbers.
    next: usize,
}

impl<'a> Printer<'a> {
    pub(super) fn new(out: &'a mut String, kernel: &'a Kernel, options: PrintOptions) -> Self {
        Self { out, kernel, options, depth: 1, next: 0 }
    }

    /// True if lambdas are for the host, too.
    pub(super) fn of_host(&self) -> bool {
        self.kernel.host
    }

    pub(super) fn expr(&self, e: &Expr) -> String {
        expr(e, self.kernel.block)
    }

    pub(super) fn line(&mut self, text: impl AsRef<str>) {
        let _ = writeln!(self.out, "{:1$}{2}", "", self.depth * 2, text.as_ref());
    }

    /// A number that no local name has.
    pub(super) fn number(&mut self) -> usize {
        self.next += 1;
        self.next
    }

    pub(super) fn shared_memory(&mut self) {
        self.line(format!("__shared__ u32 lds[{}];", self.kernel.block));
        self.line("__shared__ u32 sums[8];");
    }

    pub(super) fn locals(&mut self, function: &Function) {
        for slot in function.params..function.vars.len() {
            if !function.counters.contains(&slot) {
                self.line(format!("{} v{slot} = 0;", function.vars[slot].text()));
            }
        }
        if function.array {
            self.line(format!("u32 array[{ARRAY_WORDS}] = {{}};"));
        }
    }

    pub(super) fn give_back(&mut self, value: &Expr) {
        let value = self.expr(value);
        self.line(format!("return {value};"));
    }

    pub(super) fn block(&mut self, block: &[Stmt]) {
        for stmt in block {
            self.stmt(stmt);
        }
    }

    pub(super) fn nested(&mut self, head: impl AsRef<str>, block: &[Stmt], tail: &str) {
        self.line(format!("{} {{", head.as_ref()).trim_start());
        self.inner(block);
        self.line(format!("}}{tail}"));
    }

    pub(super) fn inner(&mut self, block: &[Stmt]) {
        self.depth += 1;
        self.block(block);
        self.depth -= 1;
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Assign(slot, value) => self.assign(*slot, value),
            Stmt::ArraySet(index, value) => {
                let (index, value) = (self.expr(index), self.expr(value));
                self.line(format!("array[{index} & 7u] = {value};"));
            }
            Stmt::Store(column, value) => {
                let (columns, value) = (self.kernel.columns, self.expr(value));
                let item = self.expr(&Expr::Global);
                self.line(format!("out[{item} * {columns}u + {column}u] = {value};"));
            }
            Stmt::Atomic(op, index, value) => self.atomic(*op, index, value),
            Stmt::If(c, then, otherwise) => {
                let c = self.expr(c);
                self.nested(format!("if ({c} != 0u)"), then, "");
                if !otherwise.is_empty() {
                    self.nested("else", otherwise, "");
                }
            }
            Stmt::Switch(on, arms, default) => {
                let on = self.expr(on);
                self.line(format!("switch ({on}) {{"));
                for (values, block) in arms {
                    let labels: Vec<String> = values.iter().map(|v| format!("case {v}u:")).collect();
                    self.nested(labels.join(" "), block, " break;");
                }
                self.nested("default:", default, "");
                self.line("}");
            }
            Stmt::Loop { shape, counter, bound, body } => self.repeat(*shape, *counter, bound, body),
            Stmt::Leave(exit, c, arm) => {
                let c = self.expr(c);
                self.line(format!("if ({c} != 0u) {{"));
                self.inner(arm);
                self.depth += 1;
                match exit {
                    Exit::Break => self.line("break;"),
                    Exit::Continue => self.line("continue;"),
                    Exit::Return(None) => self.line("return;"),
                    Exit::Return(Some(value)) => self.give_back(value),
                }
                self.depth -= 1;
                self.line("}");
            }
            Stmt::Call(dst, function, args) => {
                let callee = &self.kernel.functions[*function];
                let mut args: Vec<String> = args.iter().map(|arg| self.expr(arg)).collect();
                if callee.size != Size::Small {
                    args.insert(0, "in, n".to_owned());
                }
                self.line(format!("v{dst} = {}({});", callee.name, args.join(", ")));
            }
            Stmt::Exchange { dst, value, shift, points } => self.exchange(*dst, value, *shift, points),
            Stmt::Reduce(dst, index, value) => {
                let (index, value) = (self.expr(index), self.expr(value));
                let lid = self.expr(&Expr::Local);
                self.line(format!("if ({lid} < 8u) sums[{lid}] = 0;"));
                self.line("sync_workgroup();");
                self.line(format!(
                    "__hip_atomic_fetch_add(&sums[{index} & 7u], {value}, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);"
                ));
                self.line("sync_workgroup();");
                self.line(format!("v{dst} = sums[{index} & 7u];"));
                self.line("sync_workgroup();");
            }
            Stmt::Scope(style, name, body) => self.scope(*style, name, body),
            Stmt::Chain(parts) => self.chain(parts),
            Stmt::Mark(mark) => self.mark(mark),
            Stmt::M0(op) => self.m0(op),
        }
    }

    /// Floats are kept in bounds, so that no expression reaches infinity.
    pub(super) fn assign(&mut self, slot: usize, value: &Expr) {
        let text = self.expr(value);
        match value.ty() {
            Ty::F32 => self.line(format!("v{slot} = lesser(f32, greater(f32, {text}, -4096.0f), 4096.0f);")),
            Ty::F64 => {
                self.line(format!("v{slot} = lesser(f64, greater(f64, {text}, -1048576.0), 1048576.0);"));
            }
            _ => self.line(format!("v{slot} = {text};")),
        }
    }

    fn m0(&mut self, op: &M0) {
        match op {
            M0::Set(value) => self.line(format!("m0_set({});", self.expr(value))),
            M0::Advance(by) => self.line(format!("m0_advance({});", self.expr(by))),
            M0::Get(dst) => self.line(format!("v{dst} = m0_get();")),
        }
    }

    fn atomic(&mut self, op: AtomicOp, index: &Expr, value: &Expr) {
        let name = match op {
            AtomicOp::Add => "add",
            AtomicOp::Max => "max",
            AtomicOp::Or => "or",
            AtomicOp::Xor => "xor",
            AtomicOp::Min => "min",
        };
        let first = AtomicOp::ALL.iter().position(|other| *other == op).unwrap_or(0) * 8;
        let (index, value) = (self.expr(index), self.expr(value));
        self.line(format!(
            "__hip_atomic_fetch_{name}(&acc[{first}u + ({index} & 7u)], {value}, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);"
        ));
    }

    fn repeat(&mut self, shape: LoopShape, counter: usize, bound: &Expr, body: &[Stmt]) {
        let (k, bound) = (self.number(), self.expr(bound));
        self.line(format!("const u32 bound{k} = {bound};"));
        match shape {
            LoopShape::For => {
                self.nested(
                    format!("for (u32 v{counter} = 0; v{counter} < bound{k}; ++v{counter})"),
                    body,
                    "",
                );
            }
            LoopShape::While => {
                self.line(format!("u32 v{counter} = 0;"));
                self.nested(format!("while (v{counter}++ < bound{k})"), body, "");
            }
            LoopShape::DoWhile => {
                self.line(format!("u32 v{counter} = 0;"));
                self.nested("do", body, &format!(" while (++v{counter} < bound{k});"));
            }
        }
    }

    fn exchange(&mut self, dst: usize, value: &Expr, shift: usize, points: &[Option<String>; 2]) {
        let (lid, value) = (self.expr(&Expr::Local), self.expr(value));
        self.line(format!("lds[{lid}] = {value};"));
        if let Some(name) = &points[0] {
            self.direct_point(name);
        }
        self.line("sync_workgroup();");
        if let Some(name) = &points[1] {
            self.direct_point(name);
        }
        self.line(format!("v{dst} = lds[({lid} + {shift}u) % {}u];", self.kernel.block));
        // LLVM 19 and 22 sink a load of which only a loop's last round needs the value out of the loop, past the
        // barrier: without the plugin's doing, and wrong. Whoever uses the value here holds the load.
        self.line(format!("asm volatile(\"\" : \"+v\"(v{dst}));"));
        self.line("sync_workgroup();");
    }
}
