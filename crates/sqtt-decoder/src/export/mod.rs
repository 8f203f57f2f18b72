//! What was read, for people and for programs. Every exporter takes what to write and a writer.

mod demangle;
mod funcmap_json;
mod funcmap_text;

pub use demangle::demangle;
pub use funcmap_json::FuncmapJson;
pub use funcmap_text::write_funcmap_text;

/// How names are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FuncmapOptions {
    /// Functions and kernels by their C++ names, where their names are mangled ones.
    pub demangle: bool,
}
