//! Kernels without markers that have a payload: with a shader clock in the words there may be none.

use crate::ast::{Block, Kernel, Mark, Stmt};
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
