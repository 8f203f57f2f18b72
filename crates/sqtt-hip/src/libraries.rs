//! The names under which programs look for HIP: small libraries that lead to this one.
//!
//! The functions are in `libsqtt_hip.so`, without versions. A program wants them in `libamdhip64.so.5`, `.6` or `.7`,
//! with versions such as `hip_4.2`. A library for each of these names has no function: it needs `libsqtt_hip.so`, and
//! defines all versions. glibc finds the version that a program asks for there, and takes a function of a library
//! without versions for any.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};

/// The library with the functions.
pub const LIBRARY: &str = "libsqtt_hip.so";

/// Names with the bytes that the build made.
const ALIASES: &[(&str, &[u8])] = &include!(concat!(env!("OUT_DIR"), "/aliases.rs"));

/// The variable that names the library with the functions.
pub const VARIABLE: &str = "SQTT_HIP_LIBRARY";

/// Names without a version, for programs that open the library by themselves, and the name that each leads to.
const LINKS: [(&str, &str); 2] = [("libamdhip64.so", "libamdhip64.so.6"), ("libhiprtc.so", "libhiprtc.so.6")];

/// Why the libraries are not at hand.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LibraryError {
    /// The library with the functions is nowhere.
    #[error(
        "{LIBRARY} is in none of {}; it is built with `cargo build -p sqtt-hip`, and {VARIABLE} names it elsewhere",
        .0.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(", ")
    )]
    NotFound(Vec<PathBuf>),
    /// A file cannot be written.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// The loader takes a list that the path would end in the middle.
    #[error("{}: a path with a colon or a space cannot be given to the loader", .0.display())]
    Path(PathBuf),
}

/// Finds the library with the functions: as the variable says, beside the program, or in `../lib/sqtt`.
///
/// # Errors
/// [`LibraryError::NotFound`] with the places.
pub fn find(program: &Path, variable: Option<&OsStr>) -> Result<PathBuf, LibraryError> {
    let folder = program.parent().unwrap_or(Path::new("/"));
    let places: Vec<PathBuf> = match variable {
        Some(path) => vec![path.into()],
        // In cargo's folder the one among the dependencies is that of this program; the other may be older.
        None => ["deps", "", "../lib/sqtt", "../lib"].map(|sub| folder.join(sub).join(LIBRARY)).into(),
    };
    let found = places.iter().find(|path| path.is_file()).and_then(|path| path.canonicalize().ok());
    found.ok_or(LibraryError::NotFound(places))
}

/// The loader's variables that put the libraries of a folder before all others.
///
/// # Errors
/// [`LibraryError::Path`] where the folder's name does not fit into a list.
pub fn loader_variables(
    folder: &Path,
    variable: impl Fn(&str) -> Option<OsString>,
) -> Result<[(&'static str, OsString); 2], LibraryError> {
    if folder.as_os_str().as_encoded_bytes().iter().any(|byte| matches!(byte, b':' | b';' | b' ')) {
        return Err(LibraryError::Path(folder.to_owned()));
    }
    let joined = |own: Vec<PathBuf>, name: &str| {
        let others = variable(name).filter(|others| !others.is_empty());
        let all: Vec<OsString> = own.into_iter().map(PathBuf::into_os_string).chain(others).collect();
        all.join(OsStr::new(":"))
    };
    let preload = joined(names().map(|name| folder.join(name)).collect(), "LD_PRELOAD");
    Ok([("LD_PRELOAD", preload), ("LD_LIBRARY_PATH", joined(vec![folder.to_owned()], "LD_LIBRARY_PATH"))])
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
        move |error| LibraryError::Io { path, error }
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
    // A tree that holds both moves as a whole.
    let above = Path::new("..").join(LIBRARY);
    let is_above = library.parent() == folder.parent() && library.ends_with(LIBRARY);
    let library = if is_above { &above } else { library };
    let links = LINKS.iter().map(|&(name, to)| (name, Path::new(to)));
    for (name, to) in links.chain([(LIBRARY, library)]) {
        let link = folder.join(name);
        if fs::read_link(&link).is_ok_and(|old| old == to) {
            continue;
        }
        let new = folder.join(format!("{name}.{}", std::process::id()));
        std::os::unix::fs::symlink(to, &new).and_then(|()| fs::rename(&new, &link)).map_err(at(&link))?;
    }
    Ok(())
}
