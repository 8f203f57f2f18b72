//! One file that is written.

use std::fs::{self, File, Metadata};
use std::io::{self, BufWriter, Read as _, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::temporary::{Temporary, temporary};

/// The first bytes of an SQLite database.
const SQLITE: &[u8] = b"SQLite format 3\0";

/// Why an output could not be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OutputError {
    /// The folder is not there.
    #[error("cannot write {}: there is no folder {}", path.display(), folder.display())]
    NoFolder {
        /// The output.
        path: PathBuf,
        /// Its folder.
        folder: PathBuf,
    },
    /// The folder is something else.
    #[error("cannot write {}: {} is no folder", path.display(), folder.display())]
    NotAFolder {
        /// The output.
        path: PathBuf,
        /// The place of its folder.
        folder: PathBuf,
    },
    /// Something has the name already.
    #[error("cannot write {}: it exists", path.display())]
    Exists {
        /// The output.
        path: PathBuf,
    },
    /// The output is read, too.
    #[error("cannot write {}: it is the input {}", path.display(), input.display())]
    IsInput {
        /// The output.
        path: PathBuf,
        /// The input, as it was named.
        input: PathBuf,
    },
    /// A database is there.
    #[error("cannot write {}: it is an SQLite database, which is not replaced", path.display())]
    IsDatabase {
        /// The output.
        path: PathBuf,
    },
    /// The system refused.
    #[error("cannot write {}", path.display())]
    Io {
        /// The output.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
}

impl OutputError {
    fn io(path: &Path) -> impl Fn(io::Error) -> Self + '_ {
        |source| Self::Io { path: path.to_owned(), source }
    }
}

/// A file being written: under its name only once it is finished, so that an error leaves nothing behind.
#[derive(Debug)]
#[must_use = "the file takes its place when it is finished"]
pub struct WholeFile {
    path: PathBuf,
    /// True if a file that is there is replaced.
    replaces: bool,
    out: BufWriter<Target>,
}

#[derive(Debug)]
enum Target {
    Hidden(NamedTempFile, Temporary),
    /// A pipe, a device, or a link to nothing: it is written to as it is.
    Direct(File),
}

impl WholeFile {
    /// A file that takes the place of the one that is there, and its mode.
    ///
    /// # Errors
    ///
    /// All of [`OutputError`] but [`OutputError::Exists`] and [`OutputError::IsInput`].
    pub fn create(path: &Path) -> Result<Self, OutputError> {
        // The file that a link leads to is replaced, never the link: /dev/stdout is one.
        let place = if path.is_symlink() { path.canonicalize().ok() } else { Some(path.to_owned()) };
        let there = path.metadata().ok();
        let is_special = there.as_ref().is_some_and(|there| !there.is_file());
        let target = match &place {
            Some(place) if !is_special => {
                if is_database(place) {
                    return Err(OutputError::IsDatabase { path: path.to_owned() });
                }
                hidden(place, there.as_ref())?
            }
            _ => Target::Direct(File::create(path).map_err(OutputError::io(path))?),
        };
        Ok(Self::of(target, place.as_deref().unwrap_or(path), true))
    }

    /// A file where there must be none.
    ///
    /// # Errors
    ///
    /// All of [`OutputError`] but [`OutputError::IsInput`] and [`OutputError::IsDatabase`].
    pub fn create_new(path: &Path) -> Result<Self, OutputError> {
        if path.symlink_metadata().is_ok() {
            return Err(OutputError::Exists { path: path.to_owned() });
        }
        Ok(Self::of(hidden(path, None)?, path, false))
    }

    fn of(target: Target, path: &Path, replaces: bool) -> Self {
        Self { path: path.to_owned(), replaces, out: BufWriter::with_capacity(1 << 16, target) }
    }

    /// Brings what was written so far to the disk.
    ///
    /// # Errors
    ///
    /// [`OutputError::Io`].
    pub fn sync(&mut self) -> Result<(), OutputError> {
        let synced = self.out.flush().and_then(|()| match self.out.get_ref() {
            Target::Hidden(file, _) => file.as_file().sync_all(),
            Target::Direct(_) => Ok(()),
        });
        synced.map_err(OutputError::io(&self.path))
    }

    /// Gives the file its name.
    ///
    /// # Errors
    ///
    /// [`OutputError::Io`], and [`OutputError::Exists`] where something got the name of a new file meanwhile.
    pub fn finish(self) -> Result<(), OutputError> {
        let cannot = OutputError::io(&self.path);
        match self.out.into_inner().map_err(|error| cannot(error.into_error()))? {
            Target::Hidden(file, _temporary) if self.replaces => {
                file.persist(&self.path).map_err(|error| cannot(error.error))?;
            }
            Target::Hidden(file, _temporary) => {
                file.persist_noclobber(&self.path).map_err(|error| match error.error.kind() {
                    io::ErrorKind::AlreadyExists => OutputError::Exists { path: self.path.clone() },
                    _ => cannot(error.error),
                })?;
            }
            Target::Direct(_) => {}
        }
        Ok(())
    }
}

impl Write for WholeFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Hidden(file, _) => file.write(bytes),
            Self::Direct(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Hidden(file, _) => file.flush(),
            Self::Direct(file) => file.flush(),
        }
    }
}

fn is_database(path: &Path) -> bool {
    let mut head = Vec::new();
    let read = File::open(path).and_then(|file| file.take(SQLITE.len() as u64).read_to_end(&mut head));
    read.is_ok() && head == SQLITE
}

/// Refuses an output that is one of the inputs, also by another name.
///
/// # Errors
///
/// [`OutputError::IsInput`].
pub fn refuse_inputs<'a>(path: &Path, inputs: impl IntoIterator<Item = &'a Path>) -> Result<(), OutputError> {
    let Some(output) = path.metadata().ok().filter(Metadata::is_file) else { return Ok(()) };
    for input in inputs {
        if input.metadata().is_ok_and(|input_there| is_same(path, &output, input, &input_there)) {
            return Err(OutputError::IsInput { path: path.to_owned(), input: input.to_owned() });
        }
    }
    Ok(())
}

#[cfg(unix)]
fn is_same(_: &Path, one: &Metadata, _: &Path, other: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

#[cfg(not(unix))]
fn is_same(one: &Path, _: &Metadata, other: &Path, _: &Metadata) -> bool {
    matches!((one.canonicalize(), other.canonicalize()), (Ok(one), Ok(other)) if one == other)
}

/// The folder that something new goes into, which must be there.
///
/// # Errors
///
/// [`OutputError::NoFolder`], [`OutputError::NotAFolder`].
pub fn folder_of(path: &Path) -> Result<&Path, OutputError> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    match folder.metadata() {
        Ok(there) if !there.is_dir() => {
            Err(OutputError::NotAFolder { path: path.to_owned(), folder: folder.to_owned() })
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            Err(OutputError::NoFolder { path: path.to_owned(), folder: folder.to_owned() })
        }
        _ => Ok(folder),
    }
}

/// A file without its name yet, in the same folder, with the mode of the one that it replaces.
fn hidden(path: &Path, replaced: Option<&Metadata>) -> Result<Target, OutputError> {
    let place = folder_of(path)?;
    let mut builder = tempfile::Builder::new();
    builder.prefix(".sqtt-");
    // The mode of a new file: the process's mask applies.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let made = temporary(|| {
        let file = builder.tempfile_in(place)?;
        let path = file.path().to_owned();
        Ok((file, path))
    });
    // The name of the hidden file says nothing to anybody.
    let made = made.map_err(|error: io::Error| io::Error::from(error.kind()));
    let (file, temporary) = made.map_err(OutputError::io(path))?;
    if let Some(replaced) = replaced {
        fs::set_permissions(file.path(), replaced.permissions()).map_err(OutputError::io(path))?;
    }
    Ok(Target::Hidden(file, temporary))
}
