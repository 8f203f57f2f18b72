//! The phases, each a page of steps, and where LLVM calls them.

mod early;
pub(crate) mod entry;
mod late;
mod start;
