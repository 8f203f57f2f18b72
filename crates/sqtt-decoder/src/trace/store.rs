//! Places that the files of traces are read from: the system, or memory.
//!
//! Only regular files are opened. A pipe without a writer would keep whoever opens it waiting.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use super::{Found, TraceError, discover};
use crate::codeobj::Binary;
use crate::names::Catalog;

/// Files in memory, by path: traces of an archive, of a network, or of a browser, which has no files.
///
/// ```
/// use sqtt_decoder::{LoadOptions, MemoryFiles};
///
/// # let root = tempfile::tempdir()?;
/// # sqtt_decoder::generate::write(root.path(), &sqtt_decoder::generate::Plan::default())?;
/// # let disk = sqtt_decoder::discover(&[root.path().to_owned()])?;
/// # let folder = &disk.folders[0];
/// let mut files = MemoryFiles::new();
/// for name in ["filenames.json", "occupancy.json", "shaderdata_0_0.json"] {
///     files.read(name, std::fs::File::open(folder.join(name))?)?;
/// }
/// let found = files.discover()?;
/// let catalog = files.catalog(&found);
/// for source in found.traces() {
///     let trace = source.load(&catalog, LoadOptions::default().files(&files));
///     assert!(trace.record_count() > 0);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct MemoryFiles {
    files: BTreeMap<PathBuf, Vec<u8>>,
}

impl MemoryFiles {
    /// No files.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a file, in the place of one that had its path.
    pub fn add(&mut self, path: impl Into<PathBuf>, bytes: Vec<u8>) {
        self.files.insert(path.into(), bytes);
    }

    /// Adds all that `source` has as a file.
    ///
    /// # Errors
    ///
    /// Errors of `source`.
    pub fn read(&mut self, path: impl Into<PathBuf>, mut source: impl Read) -> io::Result<()> {
        let mut bytes = Vec::new();
        source.read_to_end(&mut bytes)?;
        self.add(path, bytes);
        Ok(())
    }

    /// Looks for traces and code objects among the files, as [`discover`](discover::discover) does below a path.
    ///
    /// # Errors
    ///
    /// Fails where there is no trace.
    pub fn discover(&self) -> Result<Found, TraceError> {
        discover::in_memory(self)
    }

    /// Reads the code objects that were found.
    #[must_use]
    pub fn catalog(&self, found: &Found) -> Catalog {
        let mut catalog = Catalog::default();
        for path in &found.code_objects {
            if let Some(bytes) = self.files.get(path) {
                catalog.add_binary(&Binary::from_bytes(path, bytes.clone()));
            }
        }
        catalog
    }
}

/// The place that files are read from.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) enum Store<'a> {
    #[default]
    Disk,
    Memory(&'a MemoryFiles),
}

impl<'a> Store<'a> {
    /// Opens a regular file.
    pub(crate) fn open(self, path: &Path) -> io::Result<Opened<'a>> {
        match self {
            Self::Disk if fs::metadata(path)?.is_file() => Ok(Opened::File(File::open(path)?)),
            Self::Disk => Err(not_regular()),
            Self::Memory(memory) => {
                let bytes = memory.files.get(path).ok_or(io::ErrorKind::NotFound)?;
                Ok(Opened::Bytes(Cursor::new(bytes)))
            }
        }
    }

    /// True if there is something at a path.
    pub(crate) fn exists(self, path: &Path) -> bool {
        match self {
            Self::Disk => path.exists(),
            Self::Memory(memory) => memory.files.contains_key(path),
        }
    }

    /// Length of what is at a path.
    #[cfg(feature = "raw")]
    pub(crate) fn len(self, path: &Path) -> io::Result<u64> {
        match self {
            Self::Disk => Ok(fs::metadata(path)?.len()),
            Self::Memory(_) => self.open(path)?.len(),
        }
    }

    /// True if it is a regular file, or a link to nothing, of which whoever opens it says so.
    pub(crate) fn is_there(self, file: &Path) -> bool {
        match self {
            Self::Disk => fs::metadata(file).map_or(true, |there| there.is_file()),
            Self::Memory(_) => true,
        }
    }

    /// Name of a path whatever way leads to it: a trace that is named twice is one.
    pub(crate) fn canonical(self, path: &Path) -> PathBuf {
        match self {
            Self::Disk => discover::canonical(path),
            Self::Memory(_) => path.to_owned(),
        }
    }

    /// Contents of a folder, and which of them are folders.
    pub(crate) fn entries(self, folder: &Path) -> io::Result<Vec<io::Result<(PathBuf, bool)>>> {
        match self {
            Self::Disk => {
                let entry = |entry: fs::DirEntry| Ok((entry.path(), entry.file_type()?.is_dir()));
                Ok(fs::read_dir(folder)?.map(|result| result.and_then(entry)).collect())
            }
            Self::Memory(memory) => {
                let inside = memory.files.keys().filter_map(|path| path.strip_prefix(folder).ok());
                let entry = |inner: &Path| {
                    let mut parts = inner.components();
                    let first = parts.next()?;
                    Some((folder.join(first), parts.next().is_some()))
                };
                let entries: BTreeSet<(PathBuf, bool)> = inside.filter_map(entry).collect();
                Ok(entries.into_iter().map(Ok).collect())
            }
        }
    }
}

/// Error of a file that is none.
pub(crate) fn not_regular() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, "no regular file")
}

/// A file, opened.
#[derive(Debug)]
pub(crate) enum Opened<'a> {
    File(File),
    Bytes(Cursor<&'a Vec<u8>>),
}

impl Opened<'_> {
    /// Its length.
    pub(crate) fn len(&self) -> io::Result<u64> {
        match self {
            Self::File(file) => Ok(file.metadata()?.len()),
            Self::Bytes(bytes) => Ok(bytes.get_ref().len() as u64),
        }
    }
}

impl Read for Opened<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::File(file) => file.read(buffer),
            Self::Bytes(bytes) => bytes.read(buffer),
        }
    }
}

impl Seek for Opened<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        match self {
            Self::File(file) => file.seek(to),
            Self::Bytes(bytes) => bytes.seek(to),
        }
    }
}
