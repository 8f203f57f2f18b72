//! The files of a stream, read one behind the other.

use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use super::window::ByteSource;
use crate::trace::store::{Opened, Store};

/// The first 8 bytes of a file, where there are as many.
pub(super) fn first_word(file: &mut Opened<'_>) -> io::Result<Option<u64>> {
    let mut word = Vec::with_capacity(8);
    file.take(8).read_to_end(&mut word)?;
    Ok(word.try_into().ok().map(u64::from_le_bytes))
}

/// A file of a stream.
pub(super) struct StreamPart {
    pub(super) path: PathBuf,
    /// Its length when it was opened first; what is written later is left.
    pub(super) bytes: u64,
}

/// The files of a stream.
pub(super) struct Files<'a> {
    store: Store<'a>,
    parts: Vec<StreamPart>,
    /// Start of each in the stream.
    starts: Vec<u64>,
    end: u64,
    at_hand: Option<(usize, Opened<'a>)>,
    progress: Option<&'a AtomicU64>,
    /// Bytes that `progress` has counted.
    counted: u64,
    /// The file that could not be read to its end, by number, and why. The stream ends there: the first token
    /// of what follows is not known.
    broken: Option<(usize, String)>,
}

impl<'a> Files<'a> {
    pub(super) fn new(store: Store<'a>, parts: Vec<StreamPart>, progress: Option<&'a AtomicU64>) -> Self {
        let mut end = 0;
        let starts = parts
            .iter()
            .map(|part| {
                let start = end;
                end += part.bytes;
                start
            })
            .collect();
        Self { store, parts, starts, end, at_hand: None, progress, counted: 0, broken: None }
    }

    /// Length of the stream, as far as it could be read.
    pub(super) fn len(&self) -> u64 {
        self.end
    }

    /// The file that a byte of the stream is in, and which byte of it it is.
    pub(super) fn place(&self, at: u64) -> (&Path, u64) {
        let part = self.part(at);
        let path = self.parts.get(part).map_or(Path::new("?"), |part| &part.path);
        (path, at - self.starts.get(part).copied().unwrap_or_default())
    }

    /// The file at which the stream ends too early, why it does, and the files behind it.
    pub(super) fn broken(&self) -> Option<(&Path, &str, &[StreamPart])> {
        let (part, why) = self.broken.as_ref()?;
        Some((&self.parts.get(*part)?.path, why, &self.parts[part + 1..]))
    }

    /// Files that are longer now than they were when they were opened, and by how much.
    pub(super) fn grown(&self) -> impl Iterator<Item = (&Path, u64)> {
        self.parts.iter().filter_map(|part| {
            let more = self.store.len(&part.path).ok()?.checked_sub(part.bytes)?;
            (more > 0).then_some((part.path.as_path(), more))
        })
    }

    /// The last file that begins at this byte or before it. Of empty ones no byte is.
    fn part(&self, at: u64) -> usize {
        self.starts.partition_point(|start| *start <= at).saturating_sub(1)
    }

    /// Reads what a file has from a byte of it on; 0 is its end.
    fn read_part(&mut self, part: usize, from: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let file = match &mut self.at_hand {
            Some((at_hand, file)) if *at_hand == part => file,
            at_hand => &mut at_hand.insert((part, self.store.open(&self.parts[part].path)?)).1,
        };
        file.seek(SeekFrom::Start(from))?;
        loop {
            match file.read(buffer) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                result => return result,
            }
        }
    }
}

impl ByteSource for Files<'_> {
    fn read_at(&mut self, at: u64, buffer: &mut [u8]) -> usize {
        let mut filled = 0;
        while filled < buffer.len() && at + (filled as u64) < self.end {
            let now = at + filled as u64;
            let part = self.part(now);
            let (from, bytes) = (now - self.starts[part], self.parts[part].bytes);
            let room = (bytes - from).min((buffer.len() - filled) as u64) as usize;
            let why = match self.read_part(part, from, &mut buffer[filled..filled + room]) {
                Ok(0) => format!("{from:#x} bytes are left of the {bytes:#x} that it had when it was opened"),
                Ok(count) => {
                    filled += count;
                    continue;
                }
                Err(error) => format!("at byte {from:#x}: {error}"),
            };
            self.broken = Some((part, why));
            self.end = now;
        }
        let read = at + filled as u64;
        if let Some(progress) = self.progress {
            progress.fetch_add(read.saturating_sub(self.counted), Ordering::Relaxed);
        }
        self.counted = self.counted.max(read);
        filled
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Files of 40 bytes each, of which the first are 0, 1, 2 and so on; the lengths are what they had when they
    /// were opened.
    fn files(folder: &Path, lengths: &[u64]) -> Files<'static> {
        let part = |(index, &bytes): (usize, &u64)| {
            let path = folder.join(format!("{index}.att"));
            std::fs::write(&path, [index as u8; 40]).unwrap();
            StreamPart { path, bytes }
        };
        Files::new(Store::Disk, lengths.iter().enumerate().map(part).collect(), None)
    }

    #[test]
    fn files_are_one_behind_the_other() {
        let folder = tempfile::tempdir().unwrap();
        let mut files = files(folder.path(), &[40, 0, 40, 40]);
        let whole = [[0; 40], [2; 40], [3; 40]].concat();
        for at in 0..=121 {
            for length in [1, 7, 40, 200] {
                let mut buffer = vec![0xFF; length];
                let count = files.read_at(at as u64, &mut buffer);
                let rest = whole.get(at..).unwrap_or_default();
                assert_eq!(buffer[..count], rest[..length.min(rest.len())], "{at} {length}");
            }
        }
        assert_eq!((files.len(), files.broken().is_none()), (120, true));
        let places = [0, 39, 40, 80, 119].map(|at| {
            let (path, byte) = files.place(at);
            format!("{} {byte}", path.file_name().unwrap().display())
        });
        assert_eq!(places, ["0.att 0", "0.att 39", "2.att 0", "3.att 0", "3.att 39"]);
    }

    /// Bytes that a file has lost since it was opened, and all after them, are no part of the stream.
    #[test]
    fn files_that_change_while_they_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let mut files = files(folder.path(), &[40, 50, 40]);
        let mut buffer = [0xFF; 200];
        assert_eq!(files.read_at(0, &mut buffer), 80);
        assert_eq!(files.len(), 80);
        let (path, why, behind) = files.broken().unwrap();
        assert_eq!((path.file_name().unwrap().to_str(), behind.len()), (Some("1.att"), 1));
        assert_eq!(why, "0x28 bytes are left of the 0x32 that it had when it was opened");
        assert_eq!(files.grown().count(), 0);
        assert_eq!(files.read_at(80, &mut buffer), 0);

        let mut files = self::files(folder.path(), &[40, 30]);
        assert_eq!(files.read_at(0, &mut buffer), 70);
        let grown: Vec<_> = files.grown().collect();
        assert_eq!(grown, [(folder.path().join("1.att").as_path(), 10)]);
        std::fs::remove_file(folder.path().join("0.att")).unwrap();
        assert_eq!(files.read_at(0, &mut buffer), 0);
        assert!(files.broken().unwrap().1.starts_with("at byte 0x0: "), "{:?}", files.broken().unwrap().1);
    }

    #[cfg(unix)]
    #[test]
    fn only_regular_files_are_opened() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.att");
        for target in ["/dev/zero", "/tmp"] {
            std::os::unix::fs::symlink(target, &path).unwrap();
            assert_eq!(Store::Disk.open(&path).unwrap_err().to_string(), "no regular file", "{target}");
            std::fs::remove_file(&path).unwrap();
        }
    }
}
