//! Paths to remove where the process is told to end.
//!
//! A file or a folder is made and registered under one lock, which is held while things are removed, so that none is
//! made behind the remover's back.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

static TEMPORARIES: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn temporaries() -> MutexGuard<'static, Vec<PathBuf>> {
    TEMPORARIES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Something temporary. Once the value is dropped, [`remove_temporaries`] leaves the path alone.
#[derive(Debug)]
#[must_use = "the path is removed only as long as this lives"]
pub struct Temporary(PathBuf);

impl Drop for Temporary {
    fn drop(&mut self) {
        temporaries().retain(|path| *path != self.0);
    }
}

/// Makes something temporary and registers its path.
///
/// # Errors
///
/// The errors of `make`.
pub fn temporary<T, E>(make: impl FnOnce() -> Result<(T, PathBuf), E>) -> Result<(T, Temporary), E> {
    let mut all = temporaries();
    let (made, path) = make()?;
    all.push(path.clone());
    Ok((made, Temporary(path)))
}

/// Everything temporary is removed. As long as the value lives, nothing new is made.
#[derive(Debug)]
#[must_use = "new temporary paths are held off only as long as this lives"]
pub struct Removed(#[expect(dead_code, reason = "holds the lock")] MutexGuard<'static, Vec<PathBuf>>);

/// Removes everything temporary.
pub fn remove_temporaries() -> Removed {
    let all = temporaries();
    all.iter().for_each(|path| remove(path));
    Removed(all)
}

/// The number of times that a folder is emptied into which something was written meanwhile.
const ATTEMPTS: usize = 100;

fn remove(path: &Path) {
    if !path.is_dir() {
        // It may have got its own name in this moment.
        let _ = fs::remove_file(path);
        return;
    }
    // Under another name nobody finds it, to write more into it.
    let mut gone = path.as_os_str().to_owned();
    gone.push(".gone");
    let path = if fs::rename(path, &gone).is_ok() { Path::new(&gone) } else { path };
    for _ in 0..ATTEMPTS {
        if fs::remove_dir_all(path).is_ok() || !path.exists() {
            break;
        }
    }
}
