//! Traced memory operations: a row each, what they come to, and a picture of which addresses were accessed when.

mod heatmap;
mod operations;
mod summary;

pub use heatmap::write_heatmap_svg;
pub use operations::{OperationRow, Operations, operations};
pub use summary::{write_memory_summary_json, write_memory_summary_text};
