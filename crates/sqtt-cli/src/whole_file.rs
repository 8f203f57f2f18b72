//! Files and folders that appear when they are whole.

use std::fs::File;
use std::io::{self, BufWriter, StdoutLock, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use sqtt_decoder::export::ui::NewFolder;
use tempfile::NamedTempFile;

use crate::interrupt::{self, Temporary};

/// A file being written: under its name only once it is finished, so that an error leaves nothing behind.
pub(crate) struct WholeFile {
    path: PathBuf,
    /// Whether a file that is there is replaced.
    replaces: bool,
    out: BufWriter<Target>,
}

/// What a command writes to.
pub(crate) enum Output {
    Standard(BufWriter<StdoutLock<'static>>),
    File(WholeFile),
}

impl Output {
    pub(crate) fn finish(self) -> anyhow::Result<()> {
        match self {
            Self::Standard(mut out) => Ok(out.flush()?),
            Self::File(file) => file.finish(),
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Standard(out) => out.write(bytes),
            Self::File(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Standard(out) => out.flush(),
            Self::File(file) => file.flush(),
        }
    }
}

enum Target {
    Hidden(NamedTempFile, Temporary),
    /// What is there is no file (a pipe, a device), or a link to nothing: it is written to as it is.
    Direct(File),
}

impl WholeFile {
    /// A file that takes the place of what is there.
    pub(crate) fn create(path: &Path) -> anyhow::Result<Self> {
        // The file that a link leads to is replaced, never the link: /dev/stdout is one.
        let place = if path.is_symlink() { path.canonicalize().ok() } else { Some(path.to_owned()) };
        let is_special = path.metadata().is_ok_and(|there| !there.is_file());
        let target = match &place {
            Some(place) if !is_special => hidden(place)?,
            _ => Target::Direct(
                File::create(path).with_context(|| format!("cannot write {}", path.display()))?,
            ),
        };
        Ok(Self::of(target, place.as_deref().unwrap_or(path), true))
    }

    /// A file where there must be none.
    pub(crate) fn create_new(path: &Path) -> anyhow::Result<Self> {
        Ok(Self::of(hidden(path)?, path, false))
    }

    fn of(target: Target, path: &Path, replaces: bool) -> Self {
        Self { path: path.to_owned(), replaces, out: BufWriter::with_capacity(1 << 16, target) }
    }

    pub(crate) fn finish(self) -> anyhow::Result<()> {
        let cannot = || format!("cannot write {}", self.path.display());
        match self.out.into_inner().map_err(io::IntoInnerError::into_error).with_context(cannot)? {
            Target::Hidden(file, _temporary) => {
                let named =
                    if self.replaces { file.persist(&self.path) } else { file.persist_noclobber(&self.path) };
                named.map_err(|error| error.error).with_context(cannot)?;
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

/// The folder that something new goes into, which must be there.
pub(crate) fn folder_of(path: &Path) -> anyhow::Result<&Path> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    match folder.metadata() {
        Ok(there) if !there.is_dir() => {
            bail!("cannot write {}: {} is no folder", path.display(), folder.display())
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            bail!("cannot write {}: there is no folder {}", path.display(), folder.display())
        }
        _ => Ok(folder),
    }
}

/// A folder that is to be at `path`, and is there only once it is finished.
pub(crate) fn new_folder(path: &Path) -> anyhow::Result<(NewFolder, Temporary)> {
    folder_of(path)?;
    interrupt::temporary(|| {
        let new = NewFolder::create(path)?;
        let aside = new.aside().to_owned();
        Ok((new, aside))
    })
}

fn hidden(path: &Path) -> anyhow::Result<Target> {
    let place = folder_of(path)?;
    let mut builder = tempfile::Builder::new();
    builder.prefix(".sqtt-");
    // The mode of a new file: the process's mask applies.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let made = interrupt::temporary(|| {
        let file = builder.tempfile_in(place)?;
        let path = file.path().to_owned();
        Ok((file, path))
    });
    // What it is called is nobody's concern, whatever is wrong with its folder.
    let made = made.map_err(|error: io::Error| io::Error::from(error.kind()));
    let (file, temporary) = made.with_context(|| format!("cannot write {}", path.display()))?;
    Ok(Target::Hidden(file, temporary))
}
