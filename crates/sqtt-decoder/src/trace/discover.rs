//! Trace folders and code objects below a path.
//!
//! A folder with record files, `filenames.json` or `occupancy.json` is a trace folder, whatever it is
//! called. A file with `code_object_id` in its name that ends in `.out`, `.co` or `.hsaco` is a code
//! object; in a folder that the user names for code objects, so is any file that ends like that, and any
//! other that holds one. `.att` files are raw traces; those in or beside a trace folder are what it was made
//! from, and are left alone, unless they are named themselves. Links to folders are not followed, so there is
//! no way around in a circle. Only regular files are read: a pipe might never say anything.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::{fs, io};

use super::source::without_ending;
use super::store::{MemoryFiles, Store, not_regular};
use super::{LoadOptions, Trace, TraceError};
use crate::ledger::{Ledger, RemarkKind};
use crate::names::Catalog;
#[cfg(feature = "raw")]
use crate::raw::RawTrace;

/// Files found.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Found {
    /// Trace folders, sorted.
    pub folders: Vec<PathBuf>,
    /// Raw traces, sorted.
    #[cfg(feature = "raw")]
    pub raw: Vec<RawTrace>,
    /// Files of code objects, sorted.
    pub code_objects: Vec<PathBuf>,
    /// Files and folders that the user named in the place of code objects that were found. Where there is
    /// nothing, `code_objects` are those that were found.
    pub chosen: Vec<PathBuf>,
    /// Other files in these folders, which may hold code objects.
    pub programs: Vec<PathBuf>,
    /// Folders that could not be looked into, and what is no file.
    pub ledger: Ledger,
}

/// A trace of either kind.
#[derive(Clone, Copy, Debug)]
pub enum TraceSource<'a> {
    /// A folder of JSON.
    Folder(&'a Path),
    /// `.att` files.
    #[cfg(feature = "raw")]
    Raw(&'a RawTrace),
}

impl<'a> TraceSource<'a> {
    /// Its name: the folder, or what stands for it.
    #[must_use]
    pub fn path(self) -> &'a Path {
        match self {
            TraceSource::Folder(path) => path,
            #[cfg(feature = "raw")]
            TraceSource::Raw(raw) => &raw.path,
        }
    }

    /// Reads what can be read of it.
    #[must_use]
    pub fn load(self, catalog: &Catalog, options: LoadOptions<'_>) -> Trace {
        match self {
            TraceSource::Folder(path) => Trace::load(path, catalog, options),
            #[cfg(feature = "raw")]
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
            #[cfg(feature = "raw")]
            TraceSource::Raw(raw) => {
                raw.engines.iter().flat_map(|engine| &engine.files).map(|file| size(&file.path)).sum()
            }
        }
    }
}

/// Looks for traces and code objects in and below `paths`, which may also be `.att` files; beside a path
/// that is a trace itself, also for code objects.
///
/// # Errors
///
/// Fails where a path can not be read, is neither a folder nor an `.att` file, or holds no trace.
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
        (search.unreadable, search.pc_samples) = (None, None);
        let any = search.below(path);
        let own = search.raw_without_folder();
        if !any && own.is_empty() {
            return Err(match (search.unreadable, search.pc_samples) {
                (Some((folder, error)), _) => TraceError::io(&folder, error),
                (None, Some(file)) => TraceError::PcSamples { file },
                (None, None) => TraceError::NoTrace { path: path.clone() },
            });
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
    Ok(search.found(&raw_files))
}

/// Looks for traces and code objects among files in memory.
pub(super) fn in_memory(files: &MemoryFiles) -> Result<Found, TraceError> {
    let root = Path::new("");
    let mut search = Search { store: Store::Memory(files), ..Search::default() };
    let any = search.below(root);
    let raw_files = search.raw_without_folder();
    match search.pc_samples.take() {
        _ if any || !raw_files.is_empty() => Ok(search.found(&raw_files)),
        Some(file) => Err(TraceError::PcSamples { file }),
        None => Err(TraceError::NoTrace { path: root.to_owned() }),
    }
}

impl Found {
    /// All traces: folders, then raw ones.
    pub fn traces(&self) -> impl Iterator<Item = TraceSource<'_>> {
        let folders = self.folders.iter().map(|path| TraceSource::Folder(path));
        #[cfg(feature = "raw")]
        let folders = folders.chain(self.raw.iter().map(TraceSource::Raw));
        folders
    }

    /// Takes these code objects in the place of those that were found.
    ///
    /// # Errors
    ///
    /// Fails where a path cannot be read.
    pub fn replace_code_objects(&mut self, paths: &[PathBuf]) -> Result<(), TraceError> {
        if paths.is_empty() {
            return Ok(());
        }
        let mut search = Search { takes_all: true, ..Search::default() };
        let mut files = Vec::new();
        for path in paths {
            let metadata = fs::metadata(path).map_err(|error| TraceError::io(path, error))?;
            if metadata.is_dir() {
                search.below(path);
            } else if metadata.is_file() {
                files.push(path.clone());
            } else {
                search.skip(path);
            }
        }
        // Named in both ways, it is one.
        search.code_objects.retain(|file| !files.contains(file));
        search.other_files.retain(|file| !files.contains(file));
        files.extend(search.code_objects);
        self.code_objects = files;
        self.programs = search.other_files.into_iter().collect();
        self.chosen = paths.to_vec();
        self.ledger.merge(&search.ledger);
        Ok(())
    }

    /// Reads the code objects.
    #[must_use]
    pub fn catalog(&self) -> Catalog {
        let mut catalog = Catalog::read(&self.code_objects);
        self.programs.iter().for_each(|file| catalog.look_into(file));
        catalog.are_chosen = !self.chosen.is_empty();
        for folder in self.chosen.iter().filter(|path| path.is_dir()) {
            if !catalog.objects.iter().any(|object| object.file.starts_with(folder)) {
                let what = "no code object in it: neither one that ends in .co, .out or .hsaco, nor a program with one";
                catalog.ledger.add(RemarkKind::SkippedCodeObject, 1, format!("{}: {what}", folder.display()));
            }
        }
        catalog
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

/// Name of a path whatever way leads to it: a trace that is named twice is one.
pub(crate) fn canonical(path: &Path) -> PathBuf {
    let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

#[derive(Default)]
struct Search<'a> {
    store: Store<'a>,
    folders: BTreeSet<PathBuf>,
    /// The folders, canonical.
    known: BTreeSet<PathBuf>,
    code_objects: BTreeSet<PathBuf>,
    /// `.att` files below the path at hand.
    raw_files: Vec<PathBuf>,
    /// True if code objects are looked for in other files as well.
    takes_all: bool,
    other_files: BTreeSet<PathBuf>,
    /// One of the files that `rocprofv3` writes samples of program counters to.
    pc_samples: Option<PathBuf>,
    /// The first folder that could not be looked into.
    unreadable: Option<(PathBuf, io::Error)>,
    ledger: Ledger,
}

impl Search<'_> {
    fn found(mut self, raw_files: &[PathBuf]) -> Found {
        #[cfg(not(feature = "raw"))]
        for file in raw_files {
            let why = "sqtt-decoder was built without its feature `raw`";
            self.ledger.add(RemarkKind::SkippedFile, 1, format!("{}: {why}", file.display()));
        }
        Found {
            #[cfg(feature = "raw")]
            raw: crate::raw::group(self.store, raw_files, &mut self.ledger),
            folders: self.folders.into_iter().collect(),
            code_objects: self.code_objects.into_iter().collect(),
            chosen: Vec::new(),
            programs: Vec::new(),
            ledger: self.ledger,
        }
    }

    /// True if there was a trace folder.
    fn below(&mut self, path: &Path) -> bool {
        let mut any = false;
        let mut waiting = vec![path.to_owned()];
        while let Some(folder) = waiting.pop() {
            let mut is_trace = false;
            for (entry, is_folder) in self.entries(&folder) {
                if is_folder {
                    waiting.push(entry);
                } else if is_code_object(&entry) || self.takes_all && ends_like_one(&entry) {
                    self.take_code_object(entry);
                } else if is_trace_file(&entry) {
                    is_trace = true;
                } else if is_raw_file(&entry) {
                    // One that is no file is missing between the others: its reader says so.
                    self.raw_files.push(entry);
                } else {
                    if has_pc_samples(&entry) {
                        self.pc_samples = Some(entry.clone());
                    }
                    if self.takes_all && self.store.is_there(&entry) {
                        self.other_files.insert(entry);
                    }
                }
            }
            any |= is_trace;
            if is_trace && self.known.insert(self.store.canonical(&folder)) {
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
        files.retain(|file| {
            file.parent().is_none_or(|parent| !made.contains(self.store.canonical(parent).as_path()))
        });
        files
    }

    fn code_objects_in(&mut self, folder: &Path) {
        for (entry, is_folder) in self.entries(folder) {
            if !is_folder && is_code_object(&entry) {
                self.take_code_object(entry);
            }
        }
    }

    fn take_code_object(&mut self, file: PathBuf) {
        if self.store.is_there(&file) {
            self.code_objects.insert(file);
        } else {
            self.skip(&file);
        }
    }

    /// Leaves alone what is no regular file, and says so.
    fn skip(&mut self, path: &Path) {
        let what = format!("{}: {}", path.display(), not_regular());
        self.ledger.add(RemarkKind::SkippedCodeObject, 1, what);
    }

    /// Contents of a folder, and which of them are folders.
    fn entries(&mut self, folder: &Path) -> Vec<(PathBuf, bool)> {
        let listing = match self.store.entries(folder) {
            Ok(listing) => listing,
            Err(error) => {
                self.ledger.add(RemarkKind::SkippedFile, 1, format!("{}: {error}", folder.display()));
                self.unreadable.get_or_insert_with(|| (folder.to_owned(), error));
                return Vec::new();
            }
        };
        let mut entries = Vec::new();
        for entry in listing {
            match entry {
                Ok(entry) => entries.push(entry),
                Err(error) => {
                    self.ledger.add(RemarkKind::SkippedFile, 1, format!("{}: {error}", folder.display()));
                }
            }
        }
        entries
    }
}

fn is_code_object(file: &Path) -> bool {
    ends_like_one(file)
        && file.file_name().is_some_and(|name| name.to_string_lossy().contains("code_object_id"))
}

fn ends_like_one(file: &Path) -> bool {
    let extension = file.extension().and_then(|extension| extension.to_str());
    matches!(extension, Some("out" | "co" | "hsaco"))
}

fn is_trace_file(file: &Path) -> bool {
    let Some(name) = file.file_name().and_then(|name| name.to_str()) else { return false };
    let plain = without_ending(name).unwrap_or(name);
    matches!(plain, "filenames.json" | "occupancy.json") || is_record_file(name)
}

fn is_raw_file(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension == "att")
}

/// `…_pc_sampling_host_trap.csv`, `…_pc_sampling_stochastic.json`.
fn has_pc_samples(file: &Path) -> bool {
    file.file_name().is_some_and(|name| name.to_string_lossy().contains("pc_sampling"))
}

/// `shaderdata_….json`, also compressed.
pub(super) fn is_record_file(name: &str) -> bool {
    name.starts_with("shaderdata_") && without_ending(name).unwrap_or(name).ends_with(".json")
}
