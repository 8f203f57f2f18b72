//! Kernels without markers that have a payload: with a shader clock in the words there may be none.

use crate::ast::{Block, Kernel, Mark, Stmt};
use crate::generate::inner_blocks;

impl Kernel {
    /// The kernel with points in place of data markers; `None` when it has none.
    #[must_use]
    pub fn without_payloads(&self) -> Option<Self> {
        let mut kernel = self.clone();
        let functions = kernel.functions.iter_mut().map(|function| &mut function.body);
        let changed =
            functions.chain([&mut kernel.main.body]).fold(false, |changed, body| replace(body) || changed);
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
