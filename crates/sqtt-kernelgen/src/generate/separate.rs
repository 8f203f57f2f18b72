//! Keeps exits and enters apart that are not meant to be one record.
//!
//! The pass makes one record of an exit that is directly followed by an enter. What is directly followed by what
//! depends on the optimizer where assignments stand in between, or branches that it can decide. So there is either
//! nothing in between, in [`Stmt::Chain`], or another marker.

use crate::ast::{Block, Kernel, Mark, Name, Stmt, Via};

pub(super) fn separate(kernel: &mut Kernel) {
    for function in &mut kernel.functions {
        block(&mut function.body);
    }
    block(&mut kernel.main.body);
}

fn block(stmts: &mut Block) {
    for stmt in stmts.iter_mut() {
        inner_blocks(stmt).into_iter().for_each(block);
    }
    let mut at = 1;
    while at < stmts.len() {
        let meets = starts_with_enter(&stmts[at])
            && stmts[..at].iter().rev().find(|stmt| !is_soft(stmt)).is_some_and(ends_with_exit);
        if meets {
            stmts.insert(at, Stmt::Mark(Mark::Point(Name::Literal("between".to_owned()), Via::Direct)));
        }
        at += 1;
    }
}

/// The blocks of a statement.
pub(crate) fn inner_blocks(stmt: &mut Stmt) -> Vec<&mut Block> {
    match stmt {
        Stmt::If(_, then, otherwise) => vec![then, otherwise],
        Stmt::Switch(_, arms, default) => {
            arms.iter_mut().map(|(_, arm)| arm).chain(std::iter::once(default)).collect()
        }
        Stmt::Loop { body, .. } | Stmt::Scope(_, _, body) | Stmt::Leave(_, _, body) => vec![body],
        Stmt::Chain(parts) => parts.iter_mut().map(|(_, body)| body).collect(),
        _ => Vec::new(),
    }
}

/// True for a statement that the optimizer may take out of the way.
fn is_soft(stmt: &Stmt) -> bool {
    matches!(stmt, Stmt::Assign(..) | Stmt::ArraySet(..))
}

/// True where an exit may be the last marker of a statement.
fn ends_with_exit(stmt: &Stmt) -> bool {
    let last = |block: &Block| block.iter().rev().find(|stmt| !is_soft(stmt)).is_some_and(ends_with_exit);
    match stmt {
        Stmt::Scope(..) | Stmt::Chain(_) => true,
        Stmt::If(_, then, otherwise) => last(then) || last(otherwise),
        Stmt::Switch(_, arms, default) => arms.iter().any(|(_, arm)| last(arm)) || last(default),
        Stmt::Loop { body, .. } => last(body),
        Stmt::Leave(_, _, arm) => last(arm),
        _ => false,
    }
}

/// True where an enter may be the first marker of a statement.
fn starts_with_enter(stmt: &Stmt) -> bool {
    let first = |block: &Block| block.iter().find(|stmt| !is_soft(stmt)).is_some_and(starts_with_enter);
    match stmt {
        Stmt::Scope(..) | Stmt::Chain(_) => true,
        Stmt::If(_, then, otherwise) => first(then) || first(otherwise),
        Stmt::Switch(_, arms, default) => arms.iter().any(|(_, arm)| first(arm)) || first(default),
        Stmt::Loop { body, .. } => first(body),
        Stmt::Leave(_, _, arm) => first(arm),
        _ => false,
    }
}
