//! The identity of a process's rows: the guid, and the table suffix made from it.

use crate::error::{Error, Result};

/// A dashed, lower-case UUID. It goes into every row's `guid` column; [`Guid::suffix`] names the tables.
///
/// Files of other writers may hold any text there, so readers take the guid from `rocpd_metadata` and never
/// derive it from a table's name. What this crate writes is always of this form.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Guid(String);

impl Guid {
    /// A fresh UUIDv7: unique, and sorted by time of creation.
    pub fn random() -> Self {
        Self(uuid::Uuid::now_v7().hyphenated().to_string())
    }

    /// One guid for equal bytes, for files made from other files: importing one CSV twice gives one
    /// identity, so that merging both is seen as merging twice.
    pub fn of_content(digest_input: &[u8]) -> Self {
        Self(uuid::Uuid::new_v5(&uuid::Uuid::NAMESPACE_OID, digest_input).hyphenated().to_string())
    }

    /// Takes a dashed UUID in either case.
    ///
    /// # Errors
    /// [`Error::Invalid`] for anything else.
    pub fn parse(text: &str) -> Result<Self> {
        let wrong = || Error::invalid("guid", text, "a UUID like 01890a5d-ac96-774b-bcce-b302099a8057");
        if text.len() != 36 {
            return Err(wrong());
        }
        let id = uuid::Uuid::try_parse(text).map_err(|_| wrong())?;
        Ok(Self(id.hyphenated().to_string()))
    }

    /// The text of the `guid` column.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The suffix of the tables and the metadata tag `uuid`: `_` and the guid with underscores for dashes.
    pub fn suffix(&self) -> String {
        format!("_{}", self.0.replace('-', "_"))
    }
}

impl std::fmt::Display for Guid {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::Guid;

    #[test]
    fn forms() {
        let guid = Guid::parse("01890A5D-AC96-774B-BCCE-B302099A8057").unwrap();
        assert_eq!(guid.as_str(), "01890a5d-ac96-774b-bcce-b302099a8057");
        assert_eq!(guid.suffix(), "_01890a5d_ac96_774b_bcce_b302099a8057");
        for bad in ["", "01890a5dac96774bbcceb302099a8057", "_01890a5d_ac96_774b_bcce_b302099a8057", "{1}"] {
            assert!(Guid::parse(bad).is_err(), "{bad}");
        }
        assert_eq!(Guid::of_content(b"a"), Guid::of_content(b"a"));
        assert_ne!(Guid::of_content(b"a"), Guid::of_content(b"b"));
        assert!(Guid::random() < Guid::random() || Guid::random() != Guid::random());
    }
}
