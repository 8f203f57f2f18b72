//! Files that appear when they are whole.

use std::fs::File;
use std::io::{self, BufWriter, StdoutLock, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use tempfile::NamedTempFile;

/// A file being written: under its name only once it is finished, so that an error leaves nothing behind.
pub(crate) struct WholeFile {
    path: PathBuf,
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
    Hidden(NamedTempFile),
    /// What is there is no file (a pipe, a device), or a link to nothing: it is written to as it is.
    Direct(File),
}

impl WholeFile {
    pub(crate) fn create(path: &Path) -> anyhow::Result<Self> {
        // The file that a link leads to is replaced, never the link: /dev/stdout is one.
        let place = if path.is_symlink() { path.canonicalize().ok() } else { Some(path.to_owned()) };
        let is_special = path.metadata().is_ok_and(|there| !there.is_file());
        let target = match &place {
            Some(place) if !is_special => hidden(place),
            _ => File::create(path).map(Target::Direct),
        };
        let target = target.with_context(|| format!("cannot write {}", path.display()))?;
        let path = place.unwrap_or_else(|| path.to_owned());
        Ok(Self { path, out: BufWriter::with_capacity(1 << 16, target) })
    }

    pub(crate) fn finish(self) -> anyhow::Result<()> {
        let cannot = || format!("cannot write {}", self.path.display());
        match self.out.into_inner().map_err(io::IntoInnerError::into_error).with_context(cannot)? {
            Target::Hidden(file) => {
                file.persist(&self.path).map_err(|error| error.error).with_context(cannot)?;
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
            Self::Hidden(file) => file.write(bytes),
            Self::Direct(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Hidden(file) => file.flush(),
            Self::Direct(file) => file.flush(),
        }
    }
}

fn hidden(path: &Path) -> io::Result<Target> {
    let place = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    builder.prefix(".sqtt-");
    // The mode of a new file: the process's mask applies.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    // What it is called is nobody's concern, whatever is wrong with its folder.
    builder.tempfile_in(place).map(Target::Hidden).map_err(|error| error.kind().into())
}
