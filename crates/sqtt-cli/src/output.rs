//! Output of a command: stdout, a file, or a new folder.

use std::io::{self, BufWriter, StdoutLock, Write};
use std::path::Path;

use sqtt_decoder::write::NewFolder;
use sqtt_files::{OutputError, Temporary, WholeFile, folder_of, temporary};

/// Output of a command. A file is there only once it is finished.
pub(crate) enum Output {
    Standard(BufWriter<StdoutLock<'static>>),
    File(WholeFile),
}

impl Output {
    pub(crate) fn standard() -> Self {
        Self::Standard(BufWriter::with_capacity(1 << 16, io::stdout().lock()))
    }

    pub(crate) fn file(path: &Path) -> Result<Self, OutputError> {
        Ok(Self::File(WholeFile::create(path)?))
    }

    pub(crate) fn finish(self) -> anyhow::Result<()> {
        match self {
            Self::Standard(mut out) => Ok(out.flush()?),
            Self::File(file) => Ok(file.finish()?),
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

/// A folder that is to be at `path`, and is there only once it is finished.
pub(crate) fn new_folder(path: &Path) -> anyhow::Result<(NewFolder, Temporary)> {
    folder_of(path)?;
    temporary(|| {
        let new = NewFolder::create(path)?;
        let aside = new.aside().to_owned();
        Ok((new, aside))
    })
}
