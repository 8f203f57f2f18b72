//! From the bytes of a code object to something that can be launched.

pub(crate) mod disasm;
pub(crate) mod image;
pub(crate) mod metadata;
