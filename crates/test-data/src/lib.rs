//! The test data that is shared with other projects, and stands beside this one.
//!
//! A test that reads it is `#[ignore]`d: a machine may lack the data. `cargo xtask test` runs such tests where the data
//! is there, and so does `cargo test -- --include-ignored`.

#![forbid(unsafe_code)]

use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

/// The environment variable with the folder of the test data, where that is not beside the project.
const FOLDER: &str = "SQTT_TEST_DATA";

/// The folder of the test data. It may not be there.
#[must_use]
pub fn folder() -> PathBuf {
    let project = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2);
    let beside = || project.and_then(Path::parent).unwrap_or(Path::new("/")).join("shared/data");
    let named = std::env::var_os(FOLDER).filter(|folder| !folder.is_empty());
    named.map_or_else(beside, PathBuf::from)
}

/// A file or folder of the test data.
///
/// # Panics
///
/// When it is not there.
#[must_use]
pub fn find(name: &str) -> PathBuf {
    let path = folder().join(name);
    assert!(path.exists(), "the test data {} is not there ({FOLDER} names another folder)", path.display());
    path
}

/// The contents of an archive (`.tgz`) of the test data.
///
/// # Panics
///
/// When it is not there, or `tar` cannot unpack it.
#[must_use]
pub fn unpack(archive: &str) -> TempDir {
    let archive = find(archive);
    let folder = tempfile::tempdir().unwrap_or_else(|error| panic!("a temporary folder: {error}"));
    let mut tar = Command::new("tar");
    let output = tar.arg("xzf").arg(&archive).arg("-C").arg(folder.path()).output();
    let output = output.unwrap_or_else(|error| panic!("tar: {error}"));
    assert!(output.status.success(), "{}: {}", archive.display(), String::from_utf8_lossy(&output.stderr));
    folder
}

/// Compares a text with a golden file. Only `BLESS=1` writes it; a golden that is missing fails.
///
/// # Panics
///
/// When they differ.
pub fn golden(path: &Path, got: &str) {
    let failed = |error: std::io::Error| -> ! { panic!("{}: {error}; BLESS=1 writes it", path.display()) };
    if std::env::var_os("BLESS").is_some_and(|value| value == "1") {
        std::fs::write(path, got).unwrap_or_else(|error| failed(error));
    }
    let expected = std::fs::read_to_string(path).unwrap_or_else(|error| failed(error));
    let differs = expected.lines().zip(got.lines()).enumerate().find(|(_, (expected, got))| expected != got);
    if let Some((number, (expected, got))) = differs {
        panic!("{}:{}: expected {expected}\n     got {got}", path.display(), number + 1);
    }
    assert!(expected == got, "{} has another end; BLESS=1 writes it anew. Got:\n{got}", path.display());
}
