//! Names of each wave: code objects, their funcmaps, and the kernels in them.
//!
//! A wave names its kernel by a number, the trace names the kernel, and a code object has that kernel
//! and the funcmap. No step guesses: a name that several different maps could mean is
//! [`Resolution::Ambiguous`], and says which.

mod catalog;
mod code_object;
mod demangle;
mod kernel_name;
mod marker_map;
mod resolve;

pub use catalog::{Catalog, NamedObject};
pub use code_object::NumberedObject;
pub use demangle::{demangle, shown};
pub use kernel_name::{CodeAddress, KernelName};
pub use marker_map::MarkerMap;
pub(crate) use marker_map::Shape;
#[cfg(feature = "raw")]
pub(crate) use resolve::Near;
pub use resolve::{Kernel, Resolution};
pub(crate) use resolve::{Resolver, Sources};

/// Name of a marker of an unknown id.
#[must_use]
pub fn unknown_name(id: u32) -> String {
    format!("event#{id}")
}
