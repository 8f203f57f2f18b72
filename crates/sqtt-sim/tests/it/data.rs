//! Shared by the integration tests.

use std::path::PathBuf;
use std::process::Command;

/// The shared test data, or `None` with a note.
pub(crate) fn data(file: &str) -> Option<PathBuf> {
    let folder = std::env::var_os("SQTT_TEST_DATA").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"),
        PathBuf::from,
    );
    let path = folder.join(file);
    if path.exists() {
        return Some(path);
    }
    eprintln!("skipped: {} is missing (SQTT_TEST_DATA names its folder)", path.display());
    None
}

/// Unpacks an archive of the shared data into a temporary folder.
pub(crate) fn unpack(file: &str) -> Option<tempfile::TempDir> {
    let archive = data(file)?;
    let folder = tempfile::tempdir().expect("temporary folder");
    let status =
        Command::new("tar").arg("xzf").arg(archive).arg("-C").arg(folder.path()).status().expect("tar");
    assert!(status.success(), "tar failed");
    Some(folder)
}
