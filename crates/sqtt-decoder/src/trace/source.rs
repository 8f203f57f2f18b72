//! The files of a folder, opened: plain ones, and those that gzip compressed (`occupancy.json.gz`).

use std::ffi::OsString;
#[cfg(feature = "compressed")]
use std::io::BufReader;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

#[cfg(feature = "compressed")]
use flate2::bufread::MultiGzDecoder;

use super::store::{Opened, Store};

/// Bytes unpacked of any file at most, and as a multiple of its size: a few bytes unpack to gigabytes. Records at
/// equal distances, which compress as no others do, come to 22 times.
#[cfg(feature = "compressed")]
const UNPACKED_LEAST: u64 = 64 << 20;
#[cfg(feature = "compressed")]
const UNPACKED_RATIO: u64 = 64;

/// End of the names of compressed files.
const ENDING: &str = ".gz";

/// A file's bytes, unpacked where it is compressed.
pub(crate) enum Source<'p> {
    Plain(Counted<'p>),
    #[cfg(feature = "compressed")]
    Gzip(Box<Inflating<'p>>),
}

impl Read for Source<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Plain(file) => file.read(buffer),
            #[cfg(feature = "compressed")]
            Self::Gzip(file) => file.read(buffer),
        }
    }
}

/// The file that has what `path` is called for: itself, or where it is not there, the same compressed.
pub(crate) fn present(store: Store<'_>, path: &Path) -> PathBuf {
    let mut compressed = OsString::from(path);
    compressed.push(ENDING);
    let compressed = PathBuf::from(compressed);
    if !store.exists(path) && store.exists(&compressed) { compressed } else { path.to_owned() }
}

/// The name without the ending of compressed files, where it has that.
pub(crate) fn without_ending(name: &str) -> Option<&str> {
    name.strip_suffix(ENDING)
}

/// Opens a file. Its bytes as they are stored are counted in `progress`.
pub(crate) fn open<'p>(
    store: Store<'p>,
    path: &Path,
    progress: Option<&'p AtomicU64>,
) -> io::Result<Source<'p>> {
    let file = store.open(path)?;
    let size = file.len()?;
    let file = Counted { file, progress };
    if path.to_str().and_then(without_ending).is_none() {
        return Ok(Source::Plain(file));
    }
    unpacked(file, size)
}

#[cfg(feature = "compressed")]
fn unpacked(file: Counted<'_>, size: u64) -> io::Result<Source<'_>> {
    let most = size.saturating_mul(UNPACKED_RATIO).max(UNPACKED_LEAST);
    let decoder = MultiGzDecoder::new(BufReader::with_capacity(1 << 16, file));
    Ok(Source::Gzip(Box::new(Inflating { decoder, most, left: most })))
}

#[cfg(not(feature = "compressed"))]
fn unpacked(_: Counted<'_>, _: u64) -> io::Result<Source<'_>> {
    Err(io::Error::other("compressed, and sqtt-decoder was built without its feature `compressed`"))
}

/// Name of a file in messages: where it is compressed, bytes are those of what it unpacks to.
pub(crate) fn label(path: &Path) -> String {
    match path.to_str().and_then(without_ending) {
        Some(_) => format!("{}, unpacked", path.display()),
        None => path.display().to_string(),
    }
}

/// Counts what is read.
pub(crate) struct Counted<'p> {
    file: Opened<'p>,
    progress: Option<&'p AtomicU64>,
}

#[cfg(feature = "write")]
impl<'p> Counted<'p> {
    /// The file itself.
    pub(crate) fn into_file(self) -> Opened<'p> {
        self.file
    }
}

impl Read for Counted<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.file.read(buffer)?;
        if let Some(progress) = self.progress {
            progress.fetch_add(count as u64, Ordering::Relaxed);
        }
        Ok(count)
    }
}

/// Unpacked bytes of a compressed file, up to a limit.
#[cfg(feature = "compressed")]
pub(crate) struct Inflating<'p> {
    decoder: MultiGzDecoder<BufReader<Counted<'p>>>,
    most: u64,
    left: u64,
}

#[cfg(feature = "compressed")]
impl Read for Inflating<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.decoder.read(buffer).map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => {
                io::Error::new(error.kind(), "the compressed file ends here, inside of its stream")
            }
            _ => error,
        })?;
        match self.left.checked_sub(count as u64) {
            Some(left) => self.left = left,
            None => {
                let most = self.most;
                let what =
                    format!("it unpacks to more than {most} bytes, as much as is read of a file of its size");
                return Err(io::Error::other(what));
            }
        }
        Ok(count)
    }
}
