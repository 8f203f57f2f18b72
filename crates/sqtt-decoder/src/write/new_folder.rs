//! A folder that appears when it is whole.

use std::fs;
use std::path::{Path, PathBuf};

use super::WriteError;

/// A folder that is built beside its place and moved there when it is done. Dropped before that, it
/// leaves nothing behind.
#[derive(Debug)]
pub struct NewFolder {
    target: PathBuf,
    /// Only its owner may look into a temporary folder, so the new one is a folder in it.
    aside: tempfile::TempDir,
    path: PathBuf,
}

impl NewFolder {
    /// Starts a folder that is to be at `target`, whose parent must be there.
    ///
    /// # Errors
    ///
    /// Fails where something is at `target`, or its parent cannot be written to.
    pub fn create(target: &Path) -> Result<Self, WriteError> {
        refuse_existing(target)?;
        let parent = match target.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        let aside =
            tempfile::Builder::new().prefix(".sqtt-").tempdir_in(parent).map_err(WriteError::io(parent))?;
        let path = aside.path().join("new");
        fs::create_dir(&path).map_err(WriteError::io(&path))?;
        Ok(Self { target: target.to_owned(), aside, path })
    }

    /// Its path until it is published.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The folder that it is in until then, and nothing else: what is to be removed where the program ends before.
    #[must_use]
    pub fn aside(&self) -> &Path {
        self.aside.path()
    }

    /// Moves it to its place.
    ///
    /// # Errors
    ///
    /// Fails where something came to be at its place in the meantime, or the system does not let us.
    pub fn publish(self) -> Result<(), WriteError> {
        refuse_existing(&self.target)?;
        fs::rename(&self.path, &self.target).map_err(WriteError::io(&self.target))?;
        let path = self.aside.path().to_owned();
        self.aside.close().map_err(WriteError::io(&path))
    }
}

fn refuse_existing(path: &Path) -> Result<(), WriteError> {
    match fs::symlink_metadata(path) {
        Ok(_) => Err(WriteError::Exists { path: path.to_owned() }),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(WriteError::io(path)(error)),
    }
}
