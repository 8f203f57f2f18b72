//! Code objects and the funcmaps in them.
//!
//! A [`Binary`] is a file with code objects in it, in any of these, nested as deep as eight:
//!
//! - a bare AMDGPU code object (ELF);
//! - a clang offload bundle, plain or compressed (`CCOB` versions 1 to 3, zlib or zstd), or several with gaps;
//! - an offload binary of clang-offload-packager;
//! - a host program, library or object: the sections `.hip_fatbin`, `.llvm.offloading` and those of bundled
//!   object files, in ELF, COFF, PE, Mach-O and universal Mach-O files;
//! - an archive of all these.
//!
//! Its [`Contents`] are the code objects found in it and what could not be read; one broken code object does
//! not hide the others. From a [`CodeObject`] comes its [`CodeObjectFuncmap`].
//!
//! Dependencies of the parts: `input` (file to bytes) → `binary` → `walk` (from container to
//! container: `bundle`, `ccob`, `packager`, `host`, all at a `place`) → `code_object` (one ELF, with `elf`,
//! `target` and `symbols`) → `funcmap`.

mod binary;
mod bundle;
mod ccob;
mod code_object;
mod elf;
mod error;
mod funcmap;
mod host;
#[cfg_attr(not(feature = "compressed"), path = "no_inflate.rs")]
mod inflate;
mod input;
mod joined;
mod packager;
mod place;
mod symbols;
mod target;
mod walk;

pub use binary::{Binary, Contents, Funcmaps};
pub use code_object::CodeObject;
pub use error::{Error, Reason};
pub use funcmap::{CodeObjectFuncmap, FuncmapWarning, LookupMap};
pub use joined::SharedIds;
pub use symbols::KernelSymbol;
