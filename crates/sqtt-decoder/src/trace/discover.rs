//! Trace folders and code objects below a path.
//!
//! A folder with record files, `filenames.json` or `occupancy.json` is a trace folder, whatever it is
//! called. A file with `code_object_id` in its name that ends in `.out`, `.co` or `.hsaco` is a code
//! object. `.att` files are raw traces; those in or beside a trace folder are what it was made from, and
//! are left alone, unless they are named themselves. Links to folders are not followed, so there is no
//! way around in a circle.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::{Folder, LoadOptions, TraceError};
use crate::ledger::{Ledger, LossKind};
use crate::names::Catalog;
use crate::raw::RawTrace;

/// What was found.
#[derive(Debug, Default)]
pub struct Found {
    /// Trace folders, sorted.
    pub folders: Vec<PathBuf>,
    /// Raw traces, sorted.
    pub raw: Vec<RawTrace>,
    /// Files of code objects, sorted.
    pub code_objects: Vec<PathBuf>,
    /// Whether the user named these code objects.
    pub are_chosen: bool,
    /// Folders that could not be looked into.
    pub ledger: Ledger,
}

/// A trace of either kind.
#[derive(Clone, Copy, Debug)]
pub enum TraceSource<'a> {
    /// A folder of JSON.
    Folder(&'a Path),
    /// `.att` files.
    Raw(&'a RawTrace),
}

impl<'a> TraceSource<'a> {
    /// What it is called: the folder, or what stands for it.
    #[must_use]
    pub fn path(self) -> &'a Path {
        match self {
            TraceSource::Folder(path) => path,
            TraceSource::Raw(raw) => &raw.path,
        }
    }

    /// Reads what can be read of it.
    #[must_use]
    pub fn load(self, catalog: &Catalog, options: LoadOptions<'_>) -> Folder {
        match self {
            TraceSource::Folder(path) => Folder::load(path, catalog, options),
            TraceSource::Raw(raw) => raw.load(catalog, options),
        }
    }

    /// Bytes of its records.
    #[must_use]
    pub fn size(self) -> u64 {
        let size = |path: &Path| fs::metadata(path).map_or(0, |metadata| metadata.len());
        match self {
            TraceSource::Folder(path) => {
                let Ok(entries) = fs::read_dir(path) else { return 0 };
                let files = entries.filter_map(Result::ok);
                let records = files.filter(|entry| entry.file_name().to_str().is_some_and(is_record_file));
                records.map(|entry| size(&entry.path())).sum()
            }
            TraceSource::Raw(raw) => {
                raw.engines.iter().flat_map(|engine| &engine.files).map(|f| size(f)).sum()
            }
        }
    }
}

/// Looks for traces and code objects in and below `paths`, which may also be `.att` files; beside a path
/// that is a trace itself, also for code objects.
///
/// # Errors
///
/// Where a path can not be read, is neither a folder nor an `.att` file, or holds no trace.
pub fn discover(paths: &[PathBuf]) -> Result<Found, TraceError> {
    let mut search = Search::default();
    let mut raw_files = Vec::new();
    for path in paths {
        let metadata = fs::metadata(path).map_err(|error| TraceError::io(path, error))?;
        if !metadata.is_dir() {
            if !is_raw_file(path) {
                return Err(TraceError::NotAFolder { path: path.clone() });
            }
            raw_files.push(path.clone());
            if let Some(parent) = parent(path) {
                search.code_objects_in(&parent);
            }
            continue;
        }
        let any = search.below(path);
        let own = search.raw_without_folder();
        if !any && own.is_empty() {
            return Err(TraceError::NoTrace { path: path.clone() });
        }
        raw_files.extend(own);
        if search.known.contains(&canonical(path))
            && let Some(parent) = parent(path)
        {
            search.code_objects_in(&parent);
        }
    }
    raw_files.sort();
    raw_files.dedup();
    Ok(Found {
        raw: crate::raw::group(&raw_files, &mut search.ledger),
        folders: search.folders.into_iter().collect(),
        code_objects: search.code_objects.into_iter().collect(),
        are_chosen: false,
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
    /// All traces: folders, then raw ones.
    pub fn traces(&self) -> impl Iterator<Item = TraceSource<'_>> {
        let folders = self.folders.iter().map(|path| TraceSource::Folder(path));
        folders.chain(self.raw.iter().map(TraceSource::Raw))
    }

    /// Takes these code objects in the place of those that were found.
    ///
    /// # Errors
    ///
    /// Where a path cannot be read.
    pub fn replace_code_objects(&mut self, paths: &[PathBuf]) -> Result<(), TraceError> {
        if !paths.is_empty() {
            self.code_objects = code_objects(paths)?;
            self.are_chosen = true;
        }
        Ok(())
    }

    /// Reads the code objects.
    #[must_use]
    pub fn catalog(&self) -> Catalog {
        Catalog { are_chosen: self.are_chosen, ..Catalog::read(&self.code_objects) }
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

/// What a path is called whatever way leads to it: a trace that is named twice is one.
pub(crate) fn canonical(path: &Path) -> PathBuf {
    let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

#[derive(Default)]
struct Search {
    folders: BTreeSet<PathBuf>,
    /// The same, canonical.
    known: BTreeSet<PathBuf>,
    code_objects: BTreeSet<PathBuf>,
    /// `.att` files below the path at hand.
    raw_files: Vec<PathBuf>,
    ledger: Ledger,
}

impl Search {
    /// Whether there was a trace folder.
    fn below(&mut self, path: &Path) -> bool {
        let mut any = false;
        let mut waiting = vec![path.to_owned()];
        while let Some(folder) = waiting.pop() {
            let mut is_trace = false;
            for (entry, is_folder) in self.entries(&folder) {
                if is_folder {
                    waiting.push(entry);
                } else if is_code_object(&entry) {
                    self.code_objects.insert(entry);
                } else if is_trace_file(&entry) {
                    is_trace = true;
                } else if is_raw_file(&entry) {
                    self.raw_files.push(entry);
                }
            }
            any |= is_trace;
            if is_trace && self.known.insert(canonical(&folder)) {
                self.folders.insert(folder);
            }
        }
        any
    }

    /// The raw files that no trace folder was made from: none is beside them, and they are in none.
    fn raw_without_folder(&mut self) -> Vec<PathBuf> {
        let made: BTreeSet<&Path> = self
            .known
            .iter()
            .flat_map(|folder| [Some(folder.as_path()), folder.parent()])
            .flatten()
            .collect();
        let mut files = std::mem::take(&mut self.raw_files);
        files.retain(|file| file.parent().is_none_or(|parent| !made.contains(canonical(parent).as_path())));
        files
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

fn is_raw_file(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension == "att")
}

/// `shaderdata_….json`.
pub(super) fn is_record_file(name: &str) -> bool {
    name.starts_with("shaderdata_") && name.ends_with(".json")
}
