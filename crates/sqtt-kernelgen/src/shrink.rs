//! Makes a kernel that fails smaller, as long as it fails in the same way.

use crate::ast::{Block, Expr, Kernel, Stmt};
use crate::generate::inner_blocks;
use std::time::{Duration, Instant};

/// A change that is tried on one statement.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Edit {
    Remove,
    Unwrap,
    Simplify,
}

/// Shrinks a kernel for which `fails` holds, for at most so long.
pub fn shrink(kernel: &Kernel, limit: Duration, mut fails: impl FnMut(&Kernel) -> bool) -> Kernel {
    let start = Instant::now();
    let mut best = kernel.clone();
    for (grid, block) in [(1, kernel.block), (1, 32), (1, 64)] {
        let smaller = Kernel { grid, block, ..best.clone() };
        if fails(&smaller) {
            best = smaller;
            break;
        }
    }
    loop {
        let mut progress = false;
        for edit in [Edit::Remove, Edit::Unwrap, Edit::Simplify] {
            let mut at = 0;
            while start.elapsed() < limit {
                let mut candidate = best.clone();
                if !apply(&mut candidate, edit, at) {
                    break;
                }
                if candidate != best && fails(&candidate) {
                    best = candidate;
                    progress = true;
                } else {
                    at += 1;
                }
            }
        }
        if !progress || start.elapsed() >= limit {
            return best;
        }
    }
}

/// Edits the statement of that number; false where there is none.
fn apply(kernel: &mut Kernel, edit: Edit, at: usize) -> bool {
    let mut left = at;
    let mut counters = Vec::new();
    // The kernel first: what it does not call needs no body.
    if edit_block(&mut kernel.main.body, edit, &mut left, &mut counters, false) {
        kernel.main.counters.retain(|slot| !counters.contains(slot));
        return true;
    }
    for function in &mut kernel.functions {
        // Without its end, or with another depth, it would not come back.
        let recursive = function.name.starts_with("again");
        if edit_block(&mut function.body, edit, &mut left, &mut counters, recursive) {
            function.counters.retain(|slot| !counters.contains(slot));
            return true;
        }
    }
    false
}

fn edit_block(
    block: &mut Block,
    edit: Edit,
    left: &mut usize,
    counters: &mut Vec<usize>,
    recursive: bool,
) -> bool {
    for k in 0..block.len() {
        if recursive && matches!(block[k], Stmt::Leave(..) | Stmt::Call(..)) {
            continue;
        }
        if *left == 0 {
            match edit {
                Edit::Remove => {
                    if let Stmt::Loop { counter, .. } = &block[k] {
                        counters.push(*counter);
                    }
                    block.remove(k);
                }
                Edit::Unwrap => {
                    if let Stmt::Loop { counter, .. } = &block[k] {
                        counters.push(*counter);
                    }
                    let inner: Block =
                        inner_blocks(&mut block[k]).into_iter().flat_map(std::mem::take).collect();
                    if !inner.is_empty() {
                        block.splice(k..=k, inner);
                    }
                }
                Edit::Simplify => simplify(&mut block[k]),
            }
            return true;
        }
        *left -= 1;
        for inner in inner_blocks(&mut block[k]) {
            if edit_block(inner, edit, left, counters, recursive) {
                return true;
            }
        }
    }
    false
}

/// A value that is as simple as can be.
fn simplify(stmt: &mut Stmt) {
    match stmt {
        Stmt::Assign(_, value)
        | Stmt::Store(_, value)
        | Stmt::Atomic(_, _, value)
        | Stmt::ArraySet(_, value) => {
            *value = simpler(value);
        }
        // The first may be how deep a recursion goes.
        Stmt::Call(_, _, args) => args.iter_mut().skip(1).for_each(|arg| *arg = simpler(arg)),
        _ => {}
    }
}

fn simpler(value: &Expr) -> Expr {
    match value {
        Expr::Unary(_, ty, a) | Expr::Cast(ty, a) if a.ty() == *ty => (**a).clone(),
        Expr::Binary(_, _, a, _) => (**a).clone(),
        Expr::Select(_, parts) => parts[1].clone(),
        Expr::Fma(_, parts) => parts[0].clone(),
        Expr::Var(ty, _) => Expr::Const(*ty, 0),
        other => other.clone(),
    }
}
