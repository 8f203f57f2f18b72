//! The shared test data: beside the project, or where `SQTT_TEST_DATA` says.

use std::path::PathBuf;

/// A file or folder of the test data, or `None` with a word on stderr that a test was skipped.
pub(crate) fn test_data(name: &str) -> Option<PathBuf> {
    let folder = std::env::var_os("SQTT_TEST_DATA").map_or_else(
        || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data")),
        PathBuf::from,
    );
    let path = folder.join(name);
    if path.exists() {
        return Some(path);
    }
    eprintln!("skipped: {} does not exist; set SQTT_TEST_DATA to the folder of test data", path.display());
    None
}

/// A JSON file of the test data.
pub(crate) fn test_json(name: &str) -> Option<serde_json::Value> {
    let text = std::fs::read_to_string(test_data(name)?).unwrap();
    Some(serde_json::from_str(&text).unwrap())
}
