//! Files that appear when they are whole.
//!
//! A [`WholeFile`] is written beside its place and takes it when it is finished. Links are followed; devices and pipes
//! are written to as they are; a file that is replaced keeps its mode. Three things are refused before anything is
//! written: a folder that is not there, an output that is also an input ([`refuse_inputs`]), and a database in the place
//! of the output.
//!
//! ```
//! use std::io::Write as _;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = tempfile::tempdir()?;
//! let path = folder.path().join("rows.csv");
//! let mut out = sqtt_files::WholeFile::create(&path)?;
//! writeln!(out, "a,b")?;
//! assert!(!path.exists());
//! out.finish()?;
//! assert_eq!(std::fs::read(&path)?, b"a,b\n");
//! # Ok(())
//! # }
//! ```

#![forbid(unsafe_code)]

mod temporary;
mod whole_file;

pub use temporary::{Removed, Temporary, remove_temporaries, temporary};
pub use whole_file::{OutputError, WholeFile, folder_of, refuse_inputs};
