#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod temporary;
mod whole_file;

pub use temporary::{Removed, Temporary, remove_temporaries, temporary};
pub use whole_file::{OutputError, WholeFile, folder_of, refuse_inputs};
