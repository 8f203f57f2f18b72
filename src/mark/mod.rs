//! Markers come into the code, as trace calls of symbols.

pub(crate) mod announce;
pub(crate) mod fuse;
pub(crate) mod instrument;
pub(crate) mod lower;
mod names;
pub(crate) mod numbers;
pub(crate) mod points;
mod size;
mod table;
pub(crate) mod wrappers;
