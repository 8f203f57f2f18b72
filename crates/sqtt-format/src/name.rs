//! Names as bytes.

use std::borrow::Borrow;
use std::fmt;
use std::ops::Deref;

use crate::Printable;

/// A name as the compiler has it: bytes that are mostly UTF-8 and may hold anything.
///
/// `Display` replaces bytes that are not UTF-8; [`Printable`] shows them, and is fit for a terminal.
///
/// ```
/// use sqtt_format::Name;
/// let name = Name::from(b"caf\xE9".to_vec());
/// assert_eq!(name.to_string(), "caf\u{FFFD}");
/// assert!(name.starts_with(b"caf"));
/// ```
#[derive(Clone, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Name(Vec<u8>);

impl Name {
    /// The bytes themselves.
    #[must_use]
    pub fn into_bytes(self) -> Vec<u8> {
        self.0
    }
}

impl<B: Into<Vec<u8>>> From<B> for Name {
    fn from(bytes: B) -> Self {
        Self(bytes.into())
    }
}

impl Deref for Name {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

impl AsRef<[u8]> for Name {
    fn as_ref(&self) -> &[u8] {
        self
    }
}

impl Borrow<[u8]> for Name {
    fn borrow(&self) -> &[u8] {
        self
    }
}

impl fmt::Display for Name {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        String::from_utf8_lossy(self).fmt(out)
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "\"{}\"", Printable(self))
    }
}
