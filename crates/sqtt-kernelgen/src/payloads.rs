//! Kernels without some of their markers: without those that have a payload, which a shader clock in the words rules out,
//! and without any.

use crate::ast::{Bin, Block, Expr, Kernel, Mark, Stmt, Ty};
use crate::generate::inner_blocks;

impl Kernel {
    /// The kernel with points in place of data markers; `None` when it has none.
    #[must_use]
    pub fn without_payloads(&self) -> Option<Self> {
        let mut kernel = self.clone();
        let mut changed = replace(&mut kernel.main.body);
        for function in &mut kernel.functions {
            changed |= replace(&mut function.body);
        }
        changed.then_some(kernel)
    }

    /// The kernel with no marker at all, and what else it does.
    #[must_use]
    pub fn without_markers(&self) -> Self {
        let mut kernel = self.clone();
        strip(&mut kernel.main.body);
        for function in &mut kernel.functions {
            strip(&mut function.body);
        }
        kernel
    }

    /// True if any statement of its is one that `is` says, or has one in it.
    #[must_use]
    pub fn has(&self, is: impl Fn(&Stmt) -> bool) -> bool {
        let mut kernel = self.clone();
        let mut bodies = vec![&mut kernel.main.body];
        bodies.extend(kernel.functions.iter_mut().map(|function| &mut function.body));
        bodies.into_iter().any(|body| any(body, &is))
    }
}

/// True if one statement of a block is one that `is` says, or has one in it.
pub(crate) fn any(block: &mut Block, is: &impl Fn(&Stmt) -> bool) -> bool {
    block.iter_mut().any(|stmt| is(stmt) || inner_blocks(stmt).into_iter().any(|inner| any(inner, is)))
}

fn strip(block: &mut Block) {
    for mut stmt in std::mem::take(block) {
        for inner in inner_blocks(&mut stmt) {
            strip(inner);
        }
        match stmt {
            Stmt::Scope(_, _, body) => block.extend(body),
            Stmt::Chain(parts) => block.extend(parts.into_iter().flat_map(|(_, body)| body)),
            Stmt::Mark(Mark::Wrapped(_, dst, value)) => {
                let binary = |op, a, b| Expr::Binary(op, Ty::U32, Box::new(a), Box::new(Expr::u32(b)));
                block.push(Stmt::Assign(dst, binary(Bin::Add, binary(Bin::Mul, value, 5), 3)));
            }
            Stmt::Mark(_) => {}
            Stmt::Exchange { dst, value, shift, .. } => {
                block.push(Stmt::Exchange { dst, value, shift, points: [None, None] });
            }
            other => block.push(other),
        }
    }
}

fn replace(block: &mut Block) -> bool {
    let mut changed = false;
    for stmt in block {
        if let Stmt::Mark(mark) = stmt
            && let Mark::Data(name, _, via) = mark
        {
            *mark = Mark::Point(name.clone(), *via);
            changed = true;
        }
        for inner in inner_blocks(stmt) {
            changed |= replace(inner);
        }
    }
    changed
}
