//! The funcmap of one code object.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt;
use std::sync::Arc;

use sqtt_format::{ConfigRecord, ConfigRecordError, Entry, EntryKind, Funcmap, NumericIds, Parsed, Warning};

use super::elf::Elf;
use super::error::Fault;
use super::joined::{self, Lookup, SharedIds};
use super::symbols::{KernelSymbol, Symbols};

/// The section that holds the map. Code objects joined by `ld.lld -r` have several of that name.
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
    /// The map, of all sections as if a link had joined them. `None` where there is no section, without a warning, or
    /// all are empty, with one.
    pub map: Option<Funcmap>,
    /// Configuration of the markers; the first record where a link joined several.
    pub config: Option<ConfigRecord>,
    /// The maps, where there are several: each has its own kernels, ids, layout and wave size, and
    /// their entries one after the other are those of [`map`](Self::map). Empty where there is one.
    pub maps: Vec<Funcmap>,
    /// Marker id → bytes that a lane accesses at the traced operation. An id of which the records of a link
    /// say different things is not here.
    pub access_bytes: BTreeMap<u32, u32>,
    /// Ids of the program's own numeric markers. Any code of the object may call any other, so it is what all
    /// records of a link say together; `None` where one does not say, or a map has no record.
    pub numeric: Option<NumericIds>,
    /// The kernels of the code object, by address; none where its symbols cannot be read.
    pub kernels: Vec<KernelSymbol>,
    /// The widths by map, where there is a record for each.
    each_access_bytes: Vec<BTreeMap<u32, u32>>,
    /// Doubtful parts.
    pub warnings: Vec<FuncmapWarning>,
    /// Ids of rows that are also numeric markers of another unit.
    numbered: BTreeSet<u32>,
    /// By index of the entry in the map.
    vaddrs: Vec<Option<u64>>,
    /// True if a function without an address has none, and was inlined: not known of a stripped file.
    has_symbols: bool,
}

/// A funcmap as the words of some kernels are looked up in it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct LookupMap {
    /// The rows.
    pub map: Funcmap,
    /// Ids that mean different things in different maps of the code object. Those that have a row here have the name that
    /// they have in the kernel's own unit, which is wrong in a function of another.
    pub shared: Arc<BTreeSet<u32>>,
    /// Marker id → bytes that a lane accesses at the traced operation, where that is known.
    pub access_bytes: BTreeMap<u32, u32>,
    /// Ids of the program's own numeric markers, where they are known.
    pub numeric: Option<NumericIds>,
    /// Addresses of functions and kernels by index of the entry.
    pub vaddrs: Vec<Option<u64>>,
    /// True if a function without an address was inlined everywhere.
    pub has_symbols: bool,
}

/// Something odd about a code object's funcmap, which was read all the same.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FuncmapWarning {
    /// The section is there and has no bytes.
    EmptySection,
    /// One of several such sections cannot be read: names are missing.
    Section(String),
    /// Addresses may be missing, because symbols could not be read.
    Symbols(String),
    /// A row of the map.
    Row(Warning),
    /// Maps give ids different names.
    SharedIds(SharedIds),
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
            FuncmapWarning::Section(what) => write!(out, "names are missing: {what}"),
            FuncmapWarning::Symbols(what) => write!(out, "addresses may be missing: {what}"),
            FuncmapWarning::Row(warning) => write!(out, "{SECTION} {warning}"),
            FuncmapWarning::SharedIds(shared) => shared.fmt(out),
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
    /// names: `None` for what is no function, for a function that was inlined everywhere, and in a stripped file.
    pub fn entries(&self) -> impl Iterator<Item = (&Entry, Option<u64>)> {
        let entries = self.map.as_ref().map_or(&[][..], Funcmap::entries);
        entries.iter().zip(self.vaddrs.iter().copied())
    }

    /// True if an entry with that address is a function of which no code of its own is left: it was inlined
    /// everywhere. Never in a file without a symbol table, which does not say so, nor in one of several units, where the
    /// link may have dropped it.
    #[must_use]
    pub fn is_inlined(&self, entry: &Entry, vaddr: Option<u64>) -> bool {
        self.has_symbols && entry.kind() == EntryKind::Function && vaddr.is_none()
    }

    /// The maps one by one, each with its entries as [`entries`](Self::entries) gives them: the only one, or
    /// those that the section holds.
    pub fn each_map(&self) -> impl Iterator<Item = (&Funcmap, Vec<(&Entry, Option<u64>)>)> {
        let only = self.map.as_ref().filter(|_| self.maps.is_empty());
        let mut vaddrs = self.vaddrs.iter().copied();
        only.into_iter().chain(&self.maps).map(move |map| {
            let entries = map.entries();
            (map, entries.iter().zip(vaddrs.by_ref().take(entries.len())).collect())
        })
    }

    /// The maps that words are looked up in, each for the waves of its own kernels.
    ///
    /// One map where no id means different things in different maps: code of one object may call that of another,
    /// and all names are right. Otherwise a kernel's map has the rows of its own unit, and of all other maps those whose
    /// ids mean one thing in all of them. Where the units of a kernel cannot be told apart, as it is in several, an id
    /// has the meaning on which these agree, or no row.
    #[must_use]
    pub fn lookup_maps(&self) -> Vec<LookupMap> {
        let Some(map) = &self.map else { return Vec::new() };
        let same = |a: &Funcmap, b: &Funcmap| {
            a.marker_encoding() == b.marker_encoding() && a.wave_size() == b.wave_size()
        };
        let agree = self.maps.windows(2).all(|maps| same(&maps[0], &maps[1]));
        if agree && SharedIds::of(&self.maps).is_none() {
            return vec![LookupMap {
                map: map.clone(),
                shared: Arc::new(self.numbered.clone()),
                access_bytes: self.access_bytes.clone(),
                numeric: self.numeric.clone(),
                vaddrs: self.vaddrs.clone(),
                has_symbols: self.has_symbols,
            }];
        }
        let (lookups, mut shared) = joined::lookup_maps(&self.maps);
        shared.extend(&self.numbered);
        let shared = Arc::new(shared);
        // One name is one function, in whatever map it is.
        let by_name: BTreeMap<(EntryKind, &[u8]), Option<u64>> =
            self.entries().map(|(entry, vaddr)| ((entry.kind(), entry.name()), vaddr)).collect();
        let new = |Lookup { map, own }: Lookup| {
            let own = own.and_then(|index| self.each_access_bytes.get(index));
            let width = |id: u32| {
                let known = if shared.contains(&id) { own? } else { &self.access_bytes };
                Some((id, *known.get(&id)?))
            };
            let access_bytes = map.entries().iter().filter_map(Entry::id).filter_map(width).collect();
            let vaddr = |entry: &Entry| by_name.get(&(entry.kind(), entry.name())).copied().flatten();
            let vaddrs = map.entries().iter().map(vaddr).collect();
            let (shared, numeric) = (Arc::clone(&shared), self.numeric.clone());
            LookupMap { map, shared, access_bytes, numeric, vaddrs, has_symbols: self.has_symbols }
        };
        lookups.into_iter().map(new).collect()
    }

    /// The one of these maps that the waves of a kernel use, by its mangled name; `None` where it cannot be told.
    #[must_use]
    pub fn lookup_map(&self, kernel: &[u8]) -> Option<LookupMap> {
        let mut maps = self.lookup_maps();
        let has = |lookup: &LookupMap| {
            let mut entries = lookup.map.entries().iter();
            entries.any(|entry| entry.kind() == EntryKind::Kernel && entry.name() == kernel)
        };
        if maps.len() > 1 {
            maps.retain(has);
        }
        let map = maps.pop();
        map.filter(|_| maps.is_empty())
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
        maps: Vec::new(),
        access_bytes: BTreeMap::new(),
        numeric: None,
        kernels: Vec::new(),
        each_access_bytes: Vec::new(),
        warnings: Vec::new(),
        numbered: BTreeSet::new(),
        vaddrs: Vec::new(),
        has_symbols: false,
    };
    let symbols = Symbols::read(elf);
    named.kernels = symbols.kernels();
    let records = read_config(elf, &mut named);
    named.access_bytes = common_widths(&records);
    let mut sections = Vec::new();
    let mut faults = VecDeque::new();
    for section in elf.all_contents(SECTION)? {
        match section {
            Ok(data) => sections.push(data),
            Err(fault) => faults.push_back(fault),
        }
    }
    let is_empty = |section: &&[u8]| section.is_empty();
    if sections.iter().all(is_empty)
        && let Some(fault) = faults.pop_front()
    {
        return Err(fault);
    }
    // A link pairs them; where one is missing, which record belongs to which map is not known.
    let is_whole = faults.is_empty();
    let broken = faults.into_iter().map(|fault| fault.reason.to_string());
    named.warnings.extend(broken.map(FuncmapWarning::Section));
    if sections.iter().any(is_empty) {
        named.warnings.push(FuncmapWarning::EmptySection);
        sections.retain(|section| !is_empty(section));
    }
    if sections.is_empty() {
        return Ok(named);
    }
    let Parsed { map, maps, warnings, .. } = Funcmap::parse_all(sections);
    named.warnings.extend(warnings.into_iter().map(FuncmapWarning::Row));

    let several = !maps.is_empty() || symbols.is_of_units;
    let is_doubtful =
        |entry: &Entry| entry.kind() == EntryKind::Function && symbols.is_doubtful(entry.name(), several);
    let vaddr = |entry: &Entry| match entry.kind() {
        EntryKind::Function | EntryKind::Kernel if !is_doubtful(entry) => symbols.address(entry.name()),
        _ => None,
    };
    named.vaddrs = map.entries().iter().map(vaddr).collect();
    // A link of several units drops functions, and may name them anew.
    named.has_symbols = symbols.has_all && !several && !map.entries().iter().any(is_doubtful);
    let faults = symbols.faults.iter();
    named.warnings.extend(faults.map(|fault| FuncmapWarning::Symbols(fault.reason.to_string())));
    let fixed = records.iter().filter_map(ConfigRecord::numeric).filter(|ids| **ids != NumericIds::any());
    let fixed = fixed.fold(NumericIds::default(), |all, ids| all.union(ids));
    named.numbered = map.entries().iter().filter_map(Entry::id).filter(|id| fixed.contains(*id)).collect();
    let shared = SharedIds::of(&maps).or_else(|| SharedIds::with_numbers(&map, &maps, &named.numbered));
    named.warnings.extend(shared.map(FuncmapWarning::SharedIds));
    // A link puts both sections together in the order of its files.
    if is_whole && records.len() == maps.len() {
        named.each_access_bytes = records.iter().map(|record| record.access_bytes().clone()).collect();
    }
    named.numeric = common_numeric(&records, maps.len());
    named.maps = maps;
    named.map = Some(map);
    Ok(named)
}

/// The map does not depend on the record: what cannot be read of it is a warning.
fn read_config(elf: &Elf<'_>, named: &mut CodeObjectFuncmap) -> Vec<ConfigRecord> {
    let mut records: Vec<ConfigRecord> = Vec::new();
    for section in elf.all_contents(CONFIG_SECTION).unwrap_or_default() {
        let data = match section {
            Ok(data) => data,
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

/// Numeric markers by all records together, where each of the maps has one (`maps` is 0 for a single one).
fn common_numeric(records: &[ConfigRecord], maps: usize) -> Option<NumericIds> {
    let said: Option<Vec<&NumericIds>> = records.iter().map(ConfigRecord::numeric).collect();
    let said = said.filter(|said| said.len() >= maps.max(1))?;
    Some(said.into_iter().fold(NumericIds::default(), |all, ids| all.union(ids)))
}

/// Widths by all records, without those that they disagree about.
fn common_widths(records: &[ConfigRecord]) -> BTreeMap<u32, u32> {
    let mut widths: BTreeMap<u32, Option<u32>> = BTreeMap::new();
    for (&id, &bytes) in records.iter().flat_map(ConfigRecord::access_bytes) {
        let known = widths.entry(id).or_insert(Some(bytes));
        *known = known.filter(|&other| other == bytes);
    }
    widths.into_iter().filter_map(|(id, bytes)| Some((id, bytes?))).collect()
}
