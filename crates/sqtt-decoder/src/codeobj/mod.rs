//! Code objects and the funcmaps in them.
//!
//! A [`Binary`] is a file: a bare AMDGPU code object, a clang offload bundle, or a host program or
//! library whose `.hip_fatbin` section holds bundles. Its [`Contents`] are the code objects found in
//! it and what could not be read; one broken code object does not hide the others. From a
//! [`CodeObject`] comes its [`CodeObjectFuncmap`].
//!
//! How the parts depend on each other: `input` (file to bytes) → `binary` (bytes to code objects,
//! with `bundle` for the container format) → `code_object` (one ELF, with `elf`, `target` and
//! `symbols`) → `funcmap`.

mod binary;
mod bundle;
mod code_object;
mod elf;
mod error;
mod funcmap;
mod input;
mod symbols;
mod target;

pub use binary::{Binary, Contents};
pub use code_object::CodeObject;
pub use error::{Error, Reason};
pub use funcmap::{CodeObjectFuncmap, FuncmapWarning};
pub use symbols::KernelSymbol;
