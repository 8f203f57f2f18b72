//! One trace folder, read.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicU64;

use super::assemble::{FileInfo, Trace, TraceParts};
use super::faults::Faults;
use super::record_files::{ListedFile, record_files};
use super::shaderdata::{self, ShaderData};
use super::source::{self, Source};
use super::store::{MemoryFiles, Store};
use super::{code_json, filenames, occupancy, realtime};
use crate::json::JsonError;
use crate::ledger::{Ledger, RemarkKind};
use crate::names::Catalog;
use crate::parallel::{self, Threads};

/// Why a trace could not be read at all.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TraceError {
    /// The system did not let us read.
    #[error("{}", path.display())]
    Io {
        /// The path.
        path: PathBuf,
        /// Error of the system.
        #[source]
        error: io::Error,
    },
    /// A file that is neither a folder nor a raw trace.
    #[error("{}: not a folder, and no .att file: give the folder that rocprofv3 --att wrote, a ui_* folder in it, or .att files", path.display())]
    NotAFolder {
        /// The path.
        path: PathBuf,
    },
    /// Samples of program counters, and nothing else.
    #[error("{}: PC samples, and no thread trace beside them, so that there are neither waves nor markers: capture with rocprofv3 --att", file.display())]
    PcSamples {
        /// A file of them.
        file: PathBuf,
    },
    /// No trace folder below a path.
    #[error("{}: no trace: neither it nor a folder in it has shaderdata_*.json, filenames.json, occupancy.json or *.att", path.display())]
    NoTrace {
        /// The path.
        path: PathBuf,
    },
}

impl TraceError {
    pub(super) fn io(path: &Path, error: io::Error) -> Self {
        Self::Io { path: path.to_owned(), error }
    }
}

/// Choices for reading a folder.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct LoadOptions<'a> {
    /// Files that are read at a time.
    pub threads: Threads,
    /// Counts the bytes of records as they are read.
    pub progress: Option<&'a AtomicU64>,
    /// Files to read in the place of the system's.
    pub files: Option<&'a MemoryFiles>,
}

impl<'a> LoadOptions<'a> {
    /// Sets the number of files that are read at a time.
    #[must_use]
    pub fn threads(self, threads: Threads) -> Self {
        Self { threads, ..self }
    }

    /// Sets where the bytes of records are counted as they are read.
    #[must_use]
    pub fn progress(self, progress: impl Into<Option<&'a AtomicU64>>) -> Self {
        Self { progress: progress.into(), ..self }
    }

    /// Sets the files to read in the place of the system's.
    #[must_use]
    pub fn files(self, files: &'a MemoryFiles) -> Self {
        Self { files: Some(files), ..self }
    }

    pub(crate) fn store(self) -> Store<'a> {
        self.files.map_or(Store::Disk, Store::Memory)
    }
}

impl Trace {
    /// Reads what can be read of the folder at `path`, with the names of `catalog`.
    #[must_use]
    pub fn load(path: &Path, catalog: &Catalog, options: LoadOptions<'_>) -> Self {
        let store = options.store();
        let mut ledger = Ledger::new();
        let names = read_part(store, path, "filenames.json", &mut ledger, true, filenames::read);
        let files = record_files(store, path, names.as_ref(), &mut ledger);
        let read = parallel::map(options.threads, &files, |file| read_records(path, file, options));
        let occupancy = read_part(store, path, "occupancy.json", &mut ledger, true, occupancy::read);
        if names.as_ref().is_some_and(|(names, _)| names.pc_sampling && names.thread_trace != Some(true))
            && read.iter().all(|(info, ..)| info.records == 0)
            && occupancy.as_ref().is_none_or(|(occupancy, _)| !occupancy.has_waves())
        {
            let why = "PC samples, and no thread trace, so that there are neither waves nor markers: capture \
                       with rocprofv3 --att";
            ledger.add(RemarkKind::NoWaveData, 1, format!("{}: {why}", path.display()));
        }
        let real_time = read_part(store, path, "realtime.json", &mut ledger, false, realtime::read);
        let code = read_part(store, path, "code.json", &mut ledger, false, code_json::read);
        let parts = TraceParts {
            path: path.to_owned(),
            gfxip: names.as_ref().and_then(|(names, _)| names.gfxip),
            is_raw: false,
            version: names
                .and_then(|(names, _)| names.version)
                .map(|version| String::from_utf8_lossy(&version).into_owned()),
            records: read,
            occupancy: occupancy.map(|(occupancy, _)| occupancy),
            real_time: real_time.map(|(real, _)| real),
            code: code.map(|(code, _)| code).unwrap_or_default(),
            ledger,
        };
        Self::assemble(parts, catalog)
    }
}

/// Reads one of the small files. `None` where it is not there or not even its start can be read.
fn read_part<'f, T>(
    store: Store<'f>,
    folder: &Path,
    name: &str,
    ledger: &mut Ledger,
    needed: bool,
    read: impl FnOnce(Source<'f>, &mut Faults) -> (T, Result<(), JsonError>),
) -> Option<(T, bool)> {
    let path = source::present(store, &folder.join(name));
    let file = match source::open(store, &path, None) {
        Ok(file) => file,
        Err(error) => {
            if needed || error.kind() != io::ErrorKind::NotFound {
                ledger.add(RemarkKind::SkippedFile, 1, format!("{}: {error}", path.display()));
            }
            return None;
        }
    };
    let mut faults = Faults::new(source::label(&path));
    let (part, result) = read(file, &mut faults);
    let complete = result.is_ok();
    if let Err(error) = result {
        faults.ended_by(&error);
    }
    ledger.merge(&faults.into_ledger());
    Some((part, complete))
}

fn read_records(
    folder: &Path,
    file: &ListedFile,
    options: LoadOptions<'_>,
) -> (FileInfo, ShaderData, Ledger) {
    let path = folder.join(&file.name);
    let mut info =
        FileInfo { path: path.clone(), se: file.se, listed_times: file.listed_times, ..FileInfo::default() };
    let mut faults = Faults::new(source::label(&path));
    let source = match source::open(options.store(), &path, options.progress) {
        Ok(source) => source,
        Err(error) => {
            let mut ledger = faults.into_ledger();
            ledger.add(RemarkKind::SkippedFile, 1, format!("{}: {error}", path.display()));
            return (info, ShaderData::default(), ledger);
        }
    };
    let (data, result) = shaderdata::read(source, &mut faults);
    if let Err(error) = &result {
        faults.ended_by(error);
    }
    info.records = data.records;
    info.records_count = data.records_count;
    info.first_time = data.first_time;
    info.times = data.begin_time.zip(data.end_time);
    info.complete = result.is_ok();
    (info, data, faults.into_ledger())
}
