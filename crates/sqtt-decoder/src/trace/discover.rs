//! Trace folders and code objects below a path.
//!
//! A folder with record files, `filenames.json` or `occupancy.json` is a trace folder, whatever it is
//! called. A file with `code_object_id` in its name that ends in `.out`, `.co` or `.hsaco` is a code
//! object. Links to folders are not followed, so there is no way around in a circle.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::TraceError;
use crate::ledger::{Ledger, LossKind};

/// What was found.
#[derive(Debug, Default)]
pub struct Found {
    /// Trace folders, sorted.
    pub folders: Vec<PathBuf>,
    /// Files of code objects, sorted.
    pub code_objects: Vec<PathBuf>,
    /// Folders that could not be looked into.
    pub ledger: Ledger,
}

/// Looks for trace folders and code objects in and below `paths`; beside a path that is a trace folder
/// itself, also for code objects.
///
/// # Errors
///
/// Where a path is no folder that can be read, or holds no trace folder.
pub fn discover(paths: &[PathBuf]) -> Result<Found, TraceError> {
    let mut search = Search::default();
    for path in paths {
        let metadata = fs::metadata(path).map_err(|error| TraceError::io(path, error))?;
        if !metadata.is_dir() {
            return Err(TraceError::NotAFolder { path: path.clone() });
        }
        let before = search.folders.len();
        let already = search.folders.contains(path);
        search.below(path);
        if search.folders.len() == before && !already {
            return Err(TraceError::NoTrace { path: path.clone() });
        }
        if search.folders.contains(path)
            && let Some(parent) = parent(path)
        {
            search.code_objects_in(&parent);
        }
    }
    Ok(Found {
        folders: search.folders.into_iter().collect(),
        code_objects: search.code_objects.into_iter().collect(),
        ledger: search.ledger,
    })
}

/// Code objects that the user names: files, and folders to look for them in.
///
/// # Errors
///
/// Where a path cannot be read.
pub(super) fn code_objects(paths: &[PathBuf]) -> Result<Vec<PathBuf>, TraceError> {
    let mut files = Vec::new();
    for path in paths {
        let metadata = fs::metadata(path).map_err(|error| TraceError::io(path, error))?;
        if metadata.is_dir() {
            let mut search = Search::default();
            search.below(path);
            files.extend(search.code_objects);
        } else {
            files.push(path.clone());
        }
    }
    Ok(files)
}

impl Found {
    /// Takes these code objects in the place of those that were found.
    ///
    /// # Errors
    ///
    /// Where a path cannot be read.
    pub fn replace_code_objects(&mut self, paths: &[PathBuf]) -> Result<(), TraceError> {
        if !paths.is_empty() {
            self.code_objects = code_objects(paths)?;
        }
        Ok(())
    }
}

/// The folder that `path` is in, also for a path such as `.`.
fn parent(path: &Path) -> Option<PathBuf> {
    match path.parent() {
        Some(parent) if parent.as_os_str().is_empty() => Some(PathBuf::from(".")),
        Some(parent) if path.file_name().is_some() => Some(parent.to_owned()),
        _ => fs::canonicalize(path).ok()?.parent().map(Path::to_owned),
    }
}

#[derive(Default)]
struct Search {
    folders: BTreeSet<PathBuf>,
    code_objects: BTreeSet<PathBuf>,
    ledger: Ledger,
}

impl Search {
    fn below(&mut self, path: &Path) {
        let mut waiting = vec![path.to_owned()];
        while let Some(folder) = waiting.pop() {
            for (entry, is_folder) in self.entries(&folder) {
                if is_folder {
                    waiting.push(entry);
                } else if is_code_object(&entry) {
                    self.code_objects.insert(entry);
                } else if is_trace_file(&entry) {
                    self.folders.insert(folder.clone());
                }
            }
        }
    }

    fn code_objects_in(&mut self, folder: &Path) {
        for (entry, is_folder) in self.entries(folder) {
            if !is_folder && is_code_object(&entry) {
                self.code_objects.insert(entry);
            }
        }
    }

    /// What is in a folder, and which of it are folders.
    fn entries(&mut self, folder: &Path) -> Vec<(PathBuf, bool)> {
        let listing = match fs::read_dir(folder) {
            Ok(listing) => listing,
            Err(error) => {
                self.ledger.add(LossKind::SkippedFile, 1, format!("{}: {error}", folder.display()));
                return Vec::new();
            }
        };
        let mut entries = Vec::new();
        for entry in listing {
            match entry.and_then(|entry| Ok((entry.path(), entry.file_type()?.is_dir()))) {
                Ok(entry) => entries.push(entry),
                Err(error) => {
                    self.ledger.add(LossKind::SkippedFile, 1, format!("{}: {error}", folder.display()));
                }
            }
        }
        entries
    }
}

fn is_code_object(file: &Path) -> bool {
    let extension = file.extension().and_then(|extension| extension.to_str());
    matches!(extension, Some("out" | "co" | "hsaco"))
        && file.file_name().is_some_and(|name| name.to_string_lossy().contains("code_object_id"))
}

fn is_trace_file(file: &Path) -> bool {
    let Some(name) = file.file_name().and_then(|name| name.to_str()) else { return false };
    matches!(name, "filenames.json" | "occupancy.json") || is_record_file(name)
}

/// `shaderdata_….json`.
pub(super) fn is_record_file(name: &str) -> bool {
    name.starts_with("shaderdata_") && name.ends_with(".json")
}
