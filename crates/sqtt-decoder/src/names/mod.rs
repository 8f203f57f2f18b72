//! Names of each wave: code objects, their funcmaps, and the kernels in them.
//!
//! A wave names its kernel by a number, the trace names the kernel, and a code object has that kernel
//! and the funcmap. No step guesses: a name that several different maps could mean is
//! [`Resolution::Ambiguous`], and says which.

mod catalog;
mod code_object;
mod demangle;
mod id_table;
mod kernel_name;
mod marker_map;
mod resolve;

use serde::{Serialize as _, Serializer};
use sqtt_format::Name;

pub use catalog::{Catalog, NamedObject};
pub use code_object::NumberedObject;
pub use demangle::demangle;
pub use kernel_name::{CodeAddress, KernelName};
pub use marker_map::MarkerMap;
pub(crate) use marker_map::Shape;
#[cfg(feature = "raw")]
pub(crate) use resolve::Near;
pub use resolve::{Kernel, Resolution};
pub(crate) use resolve::{Resolver, Sources};

/// A name in JSON.
pub(crate) fn as_text<S: Serializer>(name: &Name, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(name)
}

/// A name in JSON, or `null`.
pub(crate) fn as_text_if_any<S: Serializer>(name: &Option<Name>, serializer: S) -> Result<S::Ok, S::Error> {
    name.as_ref().map(Name::to_string).serialize(serializer)
}

/// Name of a marker of an unknown id.
#[must_use]
pub fn unknown_name(id: u32) -> String {
    format!("event#{id}")
}
