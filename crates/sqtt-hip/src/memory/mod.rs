//! Memory: allocations, copies, fills, arrays, textures.

pub(crate) mod allocate;
pub(crate) mod allocations;
pub(crate) mod array_copies;
pub(crate) mod arrays;
pub(crate) mod copies;
pub(crate) mod copy_api;
pub(crate) mod copy_structs;
pub(crate) mod fills;
pub(crate) mod info;
pub(crate) mod pools;
pub(crate) mod symbols;
pub(crate) mod textures;
