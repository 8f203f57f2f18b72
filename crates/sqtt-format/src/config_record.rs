//! The text of a `.sqtt_config` section: what a code object's markers were compiled with.
//!
//! ```text
//! plugin=0.1.0
//! llvm=22.1.8
//! SQTT_SCOPE_CU=0x3
//! …
//! access_bytes=5:4 6:16
//! numeric=40-41
//! hash=cbf29ce484222325
//! ```
//!
//! `access_bytes`, where addresses are traced, says per marker id how many bytes a lane accesses there; `numeric` which
//! ids the program's own numeric markers use ([`NumericIds`]). Records of earlier plugins do not say. The hash is of the
//! configuration alone and leaves both out.
//!
//! One NUL ends a record; linking several objects puts their records one behind the other.

use crate::{NumericIds, NumericIdsError};
use std::collections::BTreeMap;

/// The plugin that made the markers, and its settings.
///
/// ```
/// use sqtt_format::ConfigRecord;
/// let mut record = ConfigRecord::new("0.1.0", "22.1.8");
/// record.set("SQTT_SCOPE_CU", "0x3");
/// let read = ConfigRecord::parse_all(&record.to_bytes());
/// assert_eq!(read, [Ok(record)]);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ConfigRecord {
    plugin: String,
    llvm: String,
    settings: BTreeMap<String, String>,
    access_bytes: BTreeMap<u32, u32>,
    numeric: Option<NumericIds>,
}

/// Why a record could not be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ConfigRecordError {
    /// The bytes are no UTF-8.
    #[error("the record is not text")]
    NotText,
    /// A line is no `name=value`.
    #[error("line {line}: {text:?} is no name=value")]
    Line {
        /// From 1.
        line: usize,
        /// The line.
        text: String,
    },
    /// The value of `access_bytes` is no list of `id:bytes`.
    #[error("access_bytes: {0:?} is no id:bytes, two decimal numbers")]
    AccessBytes(String),
    /// The value of `numeric` says no ids.
    #[error("numeric: {0}")]
    Numeric(#[from] NumericIdsError),
    /// A line that every record has is not there.
    #[error("the record has no line {0:?}")]
    Missing(&'static str),
    /// The hash is not that of the settings: the record was changed or cut.
    #[error("the record says hash={found}, its lines give {computed}")]
    Hash {
        /// The hash as written.
        found: String,
        /// The hash as computed.
        computed: String,
    },
}

const PLUGIN: &str = "plugin";
const LLVM: &str = "llvm";
const HASH: &str = "hash";
const ACCESS_BYTES: &str = "access_bytes";
const NUMERIC: &str = "numeric";

impl ConfigRecord {
    /// A record without settings.
    #[must_use]
    pub fn new(plugin: &str, llvm: &str) -> Self {
        Self { plugin: plugin.to_owned(), llvm: llvm.to_owned(), ..Self::default() }
    }

    /// Adds a setting by the name of its variable. Neither may hold a line end, nor the name a `=`.
    pub fn set(&mut self, name: &str, value: &str) {
        self.settings.insert(name.to_owned(), value.to_owned());
    }

    /// Says how many bytes a lane accesses at the operation whose address trace has this marker id.
    pub fn set_access_bytes(&mut self, id: u32, bytes: u32) {
        self.access_bytes.insert(id, bytes);
    }

    /// Marker id → bytes that a lane accesses there. An id that is not listed has no known width.
    #[must_use]
    pub fn access_bytes(&self) -> &BTreeMap<u32, u32> {
        &self.access_bytes
    }

    /// Says which ids the program's own numeric markers use.
    pub fn set_numeric(&mut self, ids: NumericIds) {
        self.numeric = Some(ids);
    }

    /// The ids that the program's own numeric markers use; `None` where the record does not say.
    #[must_use]
    pub fn numeric(&self) -> Option<&NumericIds> {
        self.numeric.as_ref()
    }

    /// The plugin's version.
    #[must_use]
    pub fn plugin(&self) -> &str {
        &self.plugin
    }

    /// The LLVM that the plugin was built for.
    #[must_use]
    pub fn llvm(&self) -> &str {
        &self.llvm
    }

    /// The settings in effect, by the names of their variables.
    #[must_use]
    pub fn settings(&self) -> &BTreeMap<String, String> {
        &self.settings
    }

    /// A hash of the configuration, 16 hexadecimal digits (FNV-1a, 64 bits): plugin, LLVM and settings.
    #[must_use]
    pub fn hash(&self) -> String {
        let hash = self.lines().bytes().fold(0xCBF2_9CE4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
        });
        format!("{hash:016x}")
    }

    fn lines(&self) -> String {
        let mut text = format!("{PLUGIN}={}\n{LLVM}={}\n", self.plugin, self.llvm);
        for (name, value) in &self.settings {
            text.push_str(&format!("{name}={value}\n"));
        }
        text
    }

    /// The section's bytes, with the NUL at the end.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut text = self.lines();
        if !self.access_bytes.is_empty() {
            let widths: Vec<String> =
                self.access_bytes.iter().map(|(id, bytes)| format!("{id}:{bytes}")).collect();
            text.push_str(&format!("{ACCESS_BYTES}={}\n", widths.join(" ")));
        }
        if let Some(ids) = &self.numeric {
            text.push_str(&format!("{NUMERIC}={ids}\n"));
        }
        format!("{text}{HASH}={}\n\0", self.hash()).into_bytes()
    }

    /// Reads every record of a section.
    #[must_use]
    pub fn parse_all(section: &[u8]) -> Vec<Result<Self, ConfigRecordError>> {
        section.split(|byte| *byte == 0).filter(|record| !record.is_empty()).map(Self::parse).collect()
    }

    fn parse(record: &[u8]) -> Result<Self, ConfigRecordError> {
        let text = std::str::from_utf8(record).map_err(|_| ConfigRecordError::NotText)?;
        let mut settings = BTreeMap::new();
        for (index, line) in text.lines().enumerate() {
            let (name, value) = line
                .split_once('=')
                .ok_or_else(|| ConfigRecordError::Line { line: index + 1, text: line.to_owned() })?;
            settings.insert(name.to_owned(), value.to_owned());
        }
        let mut take = |name| settings.remove(name).ok_or(ConfigRecordError::Missing(name));
        let (plugin, llvm, found) = (take(PLUGIN)?, take(LLVM)?, take(HASH)?);
        let access_bytes = settings.remove(ACCESS_BYTES).unwrap_or_default();
        let access_bytes =
            access_bytes.split_ascii_whitespace().map(access_width).collect::<Result<_, _>>()?;
        let numeric = settings.remove(NUMERIC).map(|ids| ids.parse()).transpose()?;
        let record = Self { plugin, llvm, settings, access_bytes, numeric };
        let computed = record.hash();
        if found == computed { Ok(record) } else { Err(ConfigRecordError::Hash { found, computed }) }
    }
}

fn access_width(text: &str) -> Result<(u32, u32), ConfigRecordError> {
    text.split_once(':')
        .and_then(|(id, bytes)| Some((id.parse().ok()?, bytes.parse().ok()?)))
        .ok_or_else(|| ConfigRecordError::AccessBytes(text.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record() -> ConfigRecord {
        let mut record = ConfigRecord::new("0.1.0", "22.1.8");
        record.set("SQTT_SCOPE_CU", "0x3");
        record.set("SQTT_MEM_BARRIER", "fence");
        record
    }

    #[test]
    fn several_records_in_one_section_are_read_one_by_one() {
        let mut other = record();
        other.set("SQTT_SCOPE_CU", "0xffff");
        let section = [record().to_bytes(), other.to_bytes()].concat();
        assert_eq!(ConfigRecord::parse_all(&section), [Ok(record()), Ok(other.clone())]);
        assert_ne!(record().hash(), other.hash());
    }

    #[test]
    fn access_widths_travel_and_leave_the_hash_alone() {
        let mut wide = record();
        wide.set_access_bytes(5, 4);
        wide.set_access_bytes(12, 16);
        assert_eq!(wide.hash(), record().hash());
        assert_eq!(ConfigRecord::parse_all(&wide.to_bytes()), [Ok(wide.clone())]);
        let text = String::from_utf8(wide.to_bytes()).unwrap();
        assert!(text.contains("\naccess_bytes=5:4 12:16\n"), "{text}");
        for broken in ["5", "5:", ":4", "5:4:3", "-1:4"] {
            let text = text.replace("12:16", broken);
            assert_eq!(
                ConfigRecord::parse_all(text.as_bytes()),
                [Err(ConfigRecordError::AccessBytes(broken.to_owned()))]
            );
        }
    }

    #[test]
    fn numeric_ids_travel_and_leave_the_hash_alone() {
        for text in ["none", "any", "3,40-41"] {
            let mut numbered = record();
            numbered.set_numeric(text.parse().unwrap());
            assert_eq!(numbered.hash(), record().hash());
            let bytes = numbered.to_bytes();
            assert!(String::from_utf8_lossy(&bytes).contains(&format!("\nnumeric={text}\nhash=")));
            assert_eq!(ConfigRecord::parse_all(&bytes), [Ok(numbered)]);
        }
        assert_eq!(record().numeric(), None, "a record that does not say is not one that says none");
        let text = String::from_utf8(record().to_bytes()).unwrap().replace("hash=", "numeric=some\nhash=");
        assert!(matches!(
            &ConfigRecord::parse_all(text.as_bytes())[..],
            [Err(ConfigRecordError::Numeric(_))]
        ));
    }

    #[test]
    fn a_changed_record_does_not_pass() {
        let text = String::from_utf8(record().to_bytes()).unwrap().replace("0x3", "0x4");
        assert!(matches!(
            &ConfigRecord::parse_all(text.as_bytes())[..],
            [Err(ConfigRecordError::Hash { .. })]
        ));
        assert_eq!(ConfigRecord::parse_all(b"plugin=1\nllvm=2\n"), [Err(ConfigRecordError::Missing("hash"))]);
        assert!(matches!(
            &ConfigRecord::parse_all(b"what")[..],
            [Err(ConfigRecordError::Line { line: 1, .. })]
        ));
        assert_eq!(ConfigRecord::parse_all(b"\xFF"), [Err(ConfigRecordError::NotText)]);
    }
}
