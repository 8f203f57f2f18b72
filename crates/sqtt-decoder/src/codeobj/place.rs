//! Bytes of a file or of what was unpacked from it, and where they are.

use std::ops::{Deref, Range};
use std::path::Path;
use std::sync::Arc;

use super::error::{Error, Fault};

/// Bytes that are mapped, or a part of something that was unpacked.
#[derive(Clone, Debug)]
pub(super) enum Bytes<'a> {
    Mapped(&'a [u8]),
    Unpacked { whole: Arc<Vec<u8>>, range: Range<usize> },
}

impl Bytes<'_> {
    /// A part of these bytes; the range has to lie in them.
    pub(super) fn part(&self, part: Range<usize>) -> Self {
        match self {
            Bytes::Mapped(bytes) => Bytes::Mapped(&bytes[part]),
            Bytes::Unpacked { whole, range } => Bytes::Unpacked {
                whole: Arc::clone(whole),
                range: range.start + part.start..(range.start + part.end).min(range.end),
            },
        }
    }
}

impl Deref for Bytes<'_> {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Bytes::Mapped(bytes) => bytes,
            Bytes::Unpacked { whole, range } => &whole[range.clone()],
        }
    }
}

/// Start of some bytes, and the way there.
#[derive(Clone, Debug)]
pub(super) struct FilePlace<'f> {
    /// The file on disk.
    pub(super) file: &'f Path,
    /// Byte of the file; for unpacked bytes, that of the outermost compressed bundle.
    pub(super) offset: u64,
    /// For unpacked bytes, where they start in what the innermost compressed bundle unpacks to.
    pub(super) unpacked: Option<u64>,
    /// Members of archives: `(a.o)`.
    pub(super) member: String,
    /// Members and the ids of bundle entries: `(a.o)#hipv4-amdgcn-amd-amdhsa--gfx1030`.
    pub(super) trail: String,
    /// Number of containers around.
    pub(super) depth: usize,
}

impl<'f> FilePlace<'f> {
    pub(super) fn start(file: &'f Path) -> Self {
        Self { file, offset: 0, unpacked: None, member: String::new(), trail: String::new(), depth: 0 }
    }

    /// So many bytes on, one container deeper.
    pub(super) fn inside(&self, offset: usize) -> Self {
        let mut place = self.clone();
        match &mut place.unpacked {
            Some(unpacked) => *unpacked += offset as u64,
            None => place.offset += offset as u64,
        }
        place.depth += 1;
        place
    }

    /// The entry of a bundle.
    pub(super) fn entry(&self, offset: usize, id: &str) -> Self {
        let mut place = self.inside(offset);
        place.trail.push('#');
        place.trail.push_str(id);
        place
    }

    /// The member of an archive, or one half of a universal binary.
    pub(super) fn member(&self, offset: usize, name: &str) -> Self {
        let mut place = self.inside(offset);
        let member = format!("({name})");
        place.member.push_str(&member);
        place.trail.push_str(&member);
        place
    }

    /// The start of what the compressed bundle at `offset` unpacks to.
    pub(super) fn unpacked(&self, offset: usize) -> Self {
        let mut place = self.inside(offset);
        place.unpacked = Some(0);
        place
    }

    /// A fault in these bytes as an error of the file.
    pub(super) fn error(&self, fault: Fault) -> Error {
        let Fault { offset, reason } = fault;
        let (file, member) = (self.file.to_owned(), self.member.as_str().into());
        match self.unpacked {
            Some(base) => Error {
                file,
                member,
                offset: Some(self.offset),
                unpacked: Some(base.saturating_add(offset)),
                reason,
            },
            None => {
                let offset = Some(self.offset.saturating_add(offset));
                Error { file, member, offset, unpacked: None, reason }
            }
        }
    }
}
