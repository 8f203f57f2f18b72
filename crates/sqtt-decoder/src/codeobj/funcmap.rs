//! The funcmap of one code object.

use std::collections::BTreeMap;
use std::fmt;

use sqtt_format::{ConfigRecord, ConfigRecordError, Entry, EntryKind, Funcmap, Parsed, Warning, WarningKind};

use super::elf::Elf;
use super::error::Fault;
use super::symbols::Symbols;

/// The section that holds the map.
const SECTION: &str = ".sqtt_funcmap";

/// The section that says what the markers were compiled with.
const CONFIG_SECTION: &str = ".sqtt_config";

/// A funcmap, whose it is, and where its functions and kernels are.
#[derive(Clone, Debug)]
pub struct CodeObjectFuncmap {
    /// [`CodeObject::name`](super::CodeObject::name).
    pub code_object: String,
    /// [`CodeObject::target`](super::CodeObject::target).
    pub target: Option<String>,
    /// The map. `None` where the section is not there, without a warning, or is empty, with one.
    pub map: Option<Funcmap>,
    /// What the markers were compiled with; the first record where a link joined several.
    pub config: Option<ConfigRecord>,
    /// The maps that a linker joined in the section, each with its own kernels, where they give one id
    /// different names; empty where [`map`](Self::map) says it all.
    pub joined_maps: Vec<Funcmap>,
    /// Marker id → bytes that a lane accesses at the traced operation. An id of which the records of a link
    /// say different things is not here; none is where ids have several names.
    pub access_bytes: BTreeMap<u32, u32>,
    /// The same for each of the joined maps, where there is a record for each.
    pub joined_access_bytes: Vec<BTreeMap<u32, u32>>,
    /// What looks wrong.
    pub warnings: Vec<FuncmapWarning>,
    /// By index of the entry in the map.
    vaddrs: Vec<Option<u64>>,
}

/// Something odd about a code object's funcmap, which was read all the same.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FuncmapWarning {
    /// The section is there and has no bytes.
    EmptySection,
    /// There are several such sections, and only the first is read.
    SeveralSections(usize),
    /// Addresses may be missing, because symbols could not be read.
    Symbols(String),
    /// A row of the map.
    Row(Warning),
    /// The section with the record of the configuration cannot be read.
    ConfigSection(String),
    /// A record of the configuration cannot be read.
    Config(ConfigRecordError),
    /// Parts of the code object were compiled with different configurations: by their hashes.
    DifferentConfigs(Vec<String>),
}

impl fmt::Display for FuncmapWarning {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FuncmapWarning::EmptySection => write!(out, "the {SECTION} section is empty"),
            FuncmapWarning::SeveralSections(count) => {
                write!(out, "{count} sections are called {SECTION}, only the first is read")
            }
            FuncmapWarning::Symbols(what) => write!(out, "addresses may be missing: {what}"),
            FuncmapWarning::Row(warning) => write!(out, "{SECTION} {warning}"),
            FuncmapWarning::ConfigSection(what) => write!(out, "{CONFIG_SECTION}: {what}"),
            FuncmapWarning::Config(error) => write!(out, "{CONFIG_SECTION}: {error}"),
            FuncmapWarning::DifferentConfigs(hashes) => write!(
                out,
                "the parts of this code object were compiled with different configurations ({}); the first is shown",
                hashes.join(", ")
            ),
        }
    }
}

impl CodeObjectFuncmap {
    /// The entries in the order of their rows, each with the address of the function or kernel it
    /// names: `None` for what is no function, and for a function that was inlined everywhere.
    pub fn entries(&self) -> impl Iterator<Item = (&Entry, Option<u64>)> {
        let entries = self.map.as_ref().map_or(&[][..], Funcmap::entries);
        entries.iter().zip(self.vaddrs.iter().copied())
    }
}

pub(super) fn read(
    elf: &Elf<'_>,
    code_object: String,
    target: Option<String>,
) -> Result<CodeObjectFuncmap, Fault> {
    let mut named = CodeObjectFuncmap {
        code_object,
        target,
        map: None,
        config: None,
        joined_maps: Vec::new(),
        access_bytes: BTreeMap::new(),
        joined_access_bytes: Vec::new(),
        warnings: Vec::new(),
        vaddrs: Vec::new(),
    };
    let records = read_config(elf, &mut named);
    named.access_bytes = common_widths(&records);
    let sections = elf.sections(SECTION)?;
    let Some(first) = sections.first() else { return Ok(named) };
    if sections.len() > 1 {
        named.warnings.push(FuncmapWarning::SeveralSections(sections.len()));
    }
    let section = elf.contents(SECTION, first)?;
    if section.data.is_empty() {
        named.warnings.push(FuncmapWarning::EmptySection);
        return Ok(named);
    }
    let Parsed { map, warnings } = Funcmap::parse(section.data);
    let warnings_collide =
        warnings.iter().any(|warning| matches!(warning.kind, WarningKind::DuplicateId { .. }));
    named.warnings.extend(warnings.into_iter().map(FuncmapWarning::Row));

    let symbols = Symbols::read(elf);
    let vaddr = |entry: &Entry| match entry.kind() {
        EntryKind::Function | EntryKind::Kernel => symbols.function(entry.name()),
        EntryKind::User | EntryKind::Point => None,
    };
    named.vaddrs = map.entries().iter().map(vaddr).collect();
    let faults = symbols.faults.iter();
    named.warnings.extend(faults.map(|fault| FuncmapWarning::Symbols(fault.reason.to_string())));
    if warnings_collide {
        named.joined_maps = joined(section.data);
        // A link puts both sections together in the order of its files.
        if !named.joined_maps.is_empty() {
            named.access_bytes.clear();
            let widths = records.iter().map(|record| record.access_bytes().clone());
            named.joined_access_bytes = widths.collect();
            if records.len() != named.joined_maps.len() {
                named.joined_access_bytes.clear();
            }
        }
    }
    named.map = Some(map);
    Ok(named)
}

/// The map does not depend on the record: what cannot be read of it is a warning.
fn read_config(elf: &Elf<'_>, named: &mut CodeObjectFuncmap) -> Vec<ConfigRecord> {
    let mut records: Vec<ConfigRecord> = Vec::new();
    for section in elf.sections(CONFIG_SECTION).unwrap_or_default() {
        let data = match elf.contents(CONFIG_SECTION, section) {
            Ok(section) => section.data,
            Err(fault) => {
                named.warnings.push(FuncmapWarning::ConfigSection(fault.reason.to_string()));
                continue;
            }
        };
        for record in ConfigRecord::parse_all(data) {
            match record {
                Ok(record) => records.push(record),
                Err(error) => named.warnings.push(FuncmapWarning::Config(error)),
            }
        }
    }
    let mut hashes: Vec<String> = Vec::new();
    for hash in records.iter().map(ConfigRecord::hash) {
        if !hashes.contains(&hash) {
            hashes.push(hash);
        }
    }
    if hashes.len() > 1 {
        named.warnings.push(FuncmapWarning::DifferentConfigs(hashes));
    }
    named.config = records.first().cloned();
    records
}

/// What the records say of widths, without what they disagree about.
fn common_widths(records: &[ConfigRecord]) -> BTreeMap<u32, u32> {
    let mut widths: BTreeMap<u32, Option<u32>> = BTreeMap::new();
    for (&id, &bytes) in records.iter().flat_map(ConfigRecord::access_bytes) {
        let known = widths.entry(id).or_insert(Some(bytes));
        *known = known.filter(|&other| other == bytes);
    }
    widths.into_iter().filter_map(|(id, bytes)| Some((id, bytes?))).collect()
}

/// The maps of a section that several were linked into: each ends with a NUL and has kernels. Where
/// they do not, they were no maps of their own.
fn joined(section: &[u8]) -> Vec<Funcmap> {
    let parts = section.split(|&byte| byte == 0).filter(|part| !part.is_empty());
    let maps: Vec<Funcmap> = parts.map(|part| Funcmap::parse(part).map).collect();
    let has_kernel = |map: &Funcmap| map.entries().iter().any(|entry| entry.kind() == EntryKind::Kernel);
    if maps.len() > 1 && maps.iter().all(has_kernel) { maps } else { Vec::new() }
}
