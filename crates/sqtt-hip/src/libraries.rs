//! The names under which programs look for HIP: small libraries that lead to this one.
//!
//! The functions are in `libsqtt_hip.so`, without versions. A program wants them in `libamdhip64.so.5`, `.6` or `.7`,
//! with versions such as `hip_4.2`. A library for each of these names has no function: it needs `libsqtt_hip.so`, and
//! defines all versions. glibc finds the version that a program asks for there, and takes a function of a library
//! without versions for any.

use std::fs;
use std::path::{Path, PathBuf};

/// The library with the functions.
pub const LIBRARY: &str = "libsqtt_hip.so";

/// Names with the bytes that the build made.
const ALIASES: &[(&str, &[u8])] = &include!(concat!(env!("OUT_DIR"), "/aliases.rs"));

/// Why the libraries could not be put into a folder.
#[derive(Debug, thiserror::Error)]
#[error("{}: {error}", path.display())]
#[non_exhaustive]
pub struct LibraryError {
    /// The file.
    pub path: PathBuf,
    /// Why.
    pub error: std::io::Error,
}

/// The names of the libraries that [`install`] puts into a folder, the one with the functions first.
pub fn names() -> impl Iterator<Item = &'static str> {
    std::iter::once(LIBRARY).chain(ALIASES.iter().map(|alias| alias.0))
}

/// Puts the libraries into a folder: the one with the functions as a link to the file given.
///
/// # Errors
/// [`LibraryError`] where a file cannot be written.
pub fn install(folder: &Path, library: &Path) -> Result<(), LibraryError> {
    let at = |path: &Path| {
        let path = path.to_owned();
        move |error| LibraryError { path, error }
    };
    fs::create_dir_all(folder).map_err(at(folder))?;
    for (name, bytes) in ALIASES {
        let path = folder.join(name);
        // Another process may be loading the one that is there.
        if fs::read(&path).is_ok_and(|old| old == *bytes) {
            continue;
        }
        let new = folder.join(format!("{name}.{}", std::process::id()));
        fs::write(&new, bytes).and_then(|()| fs::rename(&new, &path)).map_err(at(&path))?;
    }
    let link = folder.join(LIBRARY);
    if fs::read_link(&link).is_ok_and(|old| old == library) {
        return Ok(());
    }
    let new = folder.join(format!("{LIBRARY}.{}", std::process::id()));
    std::os::unix::fs::symlink(library, &new).and_then(|()| fs::rename(&new, &link)).map_err(at(&link))
}
