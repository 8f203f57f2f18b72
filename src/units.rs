//! Units: modules that are linked with others, how their ids stay apart, and what they leave for a plugin at the link.

use crate::config::{Config, ConfigError, IdSpace};
use crate::ledger::{EntryId, LedgerEntry, MarkerAction, MarkerLedger, symbol};
use crate::llvm::write::Writer;
use crate::llvm::{Function, MetadataField, Module, internalizes_symbols};
use crate::notes;
use crate::run::{PassError, Run};
use sqtt_format::UnitIds;
use std::collections::{BTreeMap, BTreeSet};

/// Start of the name of the variable by which clang tells units apart.
const CUID: &[u8] = b"__hip_cuid_";
/// The start of the symbols that a user is shown whose link goes without the plugin.
const LINK_OPTION: &str =
    "sqtt.marker: link with -Xoffload-linker --load-pass-plugin=libsqttinstrumentpass.so, not as ThinLTO: ";

/// The way in which a module's markers are numbered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Numbering {
    /// From 1, for a module that is all there is of a code object.
    Compact,
    /// Behind the unit's prefix.
    Unit(Unit),
    /// By the plugin at the link.
    Link(Unit),
}

/// A number that tells a unit from those it may be linked with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Unit(u64);

impl Unit {
    /// The unit of a module, by names that no other unit may have: those of its strong external definitions. Where it
    /// has none, by clang's name for it (which the command line changes), or else by its source file and all it defines.
    pub(crate) fn of(module: Module, salt: u32) -> Self {
        let functions = module.definitions().into_iter();
        let functions = functions.map(|function| (function.symbol(), function.value().is_strong_external()));
        let variables = module.globals().into_iter().filter(|global| global.has_initializer());
        let variables = variables.map(|global| (global.name(), global.is_strong_external()));
        let mut names: Vec<(Vec<u8>, bool)> = functions.chain(variables).collect();
        names.retain(|(name, _)| !name.starts_with(b".sqtt_") && !name.starts_with(b"llvm."));
        names.sort();
        let is_cuid = |name: &[u8]| name.len() > CUID.len() && name.starts_with(CUID);
        let strong = names.iter().filter(|(name, strong)| *strong && !name.starts_with(CUID));
        let mut chosen: Vec<&[u8]> = strong.map(|(name, _)| &name[..]).collect();
        if chosen.is_empty() {
            chosen = names.iter().map(|(name, _)| &name[..]).filter(|name| is_cuid(name)).collect();
        }
        let source = module.source_name();
        if chosen.is_empty() {
            chosen = names.iter().map(|(name, _)| &name[..]).collect();
            chosen.push(&source);
        }
        let salt = salt.to_le_bytes();
        let bytes = chosen.into_iter().flat_map(|name| name.iter().chain(&[0])).chain(&salt);
        let hash = bytes.fold(0xCBF2_9CE4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01B3)
        });
        Self(mixed(hash))
    }

    /// At least so many ids of the unit alone.
    pub(crate) fn ids(self, count: usize) -> UnitIds {
        UnitIds::new(self.0, count)
    }

    /// The end of the names of the unit's sections. Two units whose ids have one prefix have one name, which no linker
    /// takes twice.
    pub(crate) fn suffix(self, ids: Option<UnitIds>) -> String {
        match ids {
            Some(ids) => format!("ids-{:#x}-{}.if-twice-set-SQTT_UNIT_SALT", ids.prefix, ids.prefix_bits()),
            None => format!("{:016x}", self.0),
        }
    }
}

/// Spreads what a simple hash leaves in the low bits.
fn mixed(hash: u64) -> u64 {
    let hash = (hash ^ (hash >> 33)).wrapping_mul(0xFF51_AFD7_ED55_8CCD);
    let hash = (hash ^ (hash >> 33)).wrapping_mul(0xC4CE_B9FE_1A85_EC53);
    hash ^ (hash >> 33)
}

/// The numbering of the running phase's module.
pub(crate) fn numbering(run: Run) -> Result<Numbering, PassError> {
    let unit = Unit::of(run.module, run.config.unit_salt);
    // Clang tells LLVM to internalize where nothing else is linked in, and at the link of everything.
    let is_linked_later = !run.at_link && !internalizes_symbols();
    Ok(match run.config.id_space {
        // The modules of a link are one.
        _ if run.at_link => Numbering::Compact,
        IdSpace::Compact => Numbering::Compact,
        IdSpace::Auto if !(is_linked_later && run.module.is_hip()) => Numbering::Compact,
        IdSpace::Auto | IdSpace::Unit => {
            let bits = run.config.clock.shader_clock_bits;
            if bits > 0 {
                return Err(PassError::Module(format!(
                    "SQTT_SHADER_CLOCK_BITS={bits}: a shader clock leaves no room for ids that are unique among units; \
                     accepted with it: SQTT_ID_SPACE=link, or compact where one unit alone has markers"
                )));
            }
            Numbering::Unit(unit)
        }
        IdSpace::Link if !is_linked_later => {
            return Err(PassError::Module(
                "SQTT_ID_SPACE=link: this compile makes code, which is not numbered at a link any more; accepted \
                 without -fgpu-rdc: auto, compact or unit"
                    .to_owned(),
            ));
        }
        IdSpace::Link => Numbering::Link(unit),
    })
}

/// Leaves ledger, symbols and settings in the module for the plugin at the link, under names of the unit's own.
pub(crate) fn leave(run: Run, ledger: &MarkerLedger, unit: Unit) {
    let (module, writer) = (run.module, Writer::new(run.module));
    let unit = unit.suffix(None);
    let mut rows = Vec::new();
    for (entry, marker) in ledger.entries() {
        for action in MarkerAction::ALL {
            if let Some(global) = module.global(&symbol(entry, action)) {
                writer.replace_symbol(global, writer.link_word(&link_symbol(&unit, entry, action)));
            }
        }
        let place = [text(&unit), MetadataField::Number(number(entry))];
        rows.push(place.into_iter().chain(marker.row()).collect());
    }
    for function in module.definitions() {
        if let Some(entry) = function.number(notes::FUNCTION_ID) {
            function.set_string_attribute(notes::UNIT_FUNCTION, &format!("{unit} {entry}"));
            function.clear_number(notes::FUNCTION_ID);
        }
    }
    module.set_named_metadata(notes::UNITS, &rows);
    if !rows.is_empty() || run.config.instruments() {
        writer.demand(&demand(&unit), &format!("{LINK_OPTION}{unit}"));
    }
    let name = module.name();
    let settings = run.config.effective();
    let settings: Vec<Vec<MetadataField>> =
        settings.map(|(setting, value)| [&unit, &name, setting, &value[..]].map(text).to_vec()).collect();
    module.set_named_metadata(notes::UNIT_SETTINGS, &settings);
    module.erase_named_metadata(notes::MARKERS);
}

/// Makes one ledger of those that the units of a link left: the module is then as any that the early phase has seen.
pub(crate) fn join(run: Run) {
    let module = run.module;
    let Some(settings) = module.named_metadata(notes::UNIT_SETTINGS) else { return };
    let writer = Writer::new(module);
    for row in &settings {
        let Some(MetadataField::Text(unit)) = row.first() else { continue };
        let unit = String::from_utf8_lossy(unit);
        writer.withdraw(&demand(&unit), &format!("{LINK_OPTION}{unit}"));
    }
    let Some(rows) = module.named_metadata(notes::UNITS) else { return };
    let mut ledger = MarkerLedger::load(module).unwrap_or_default();
    let mut entries: BTreeMap<String, EntryId> = BTreeMap::new();
    for row in rows {
        let [MetadataField::Text(unit), MetadataField::Number(index), row @ ..] = &row[..] else { continue };
        let Some(entry) = LedgerEntry::from_row(row) else { continue };
        let (unit, own, entry) =
            (String::from_utf8_lossy(unit), EntryId(*index as usize), ledger.join(entry));
        for action in MarkerAction::ALL {
            if let Some(global) = module.global(&link_symbol(&unit, own, action)) {
                writer.replace_symbol(global, writer.symbol_word(&symbol(entry, action)));
            }
        }
        entries.insert(format!("{unit} {index}"), entry);
    }
    let mut with_code = BTreeSet::new();
    for function in module.definitions() {
        if let Some(entry) = function.string_attribute(notes::UNIT_FUNCTION) {
            function.remove_string_attribute(notes::UNIT_FUNCTION);
            if let Some(entry) = entries.get(&entry) {
                function.set_number(notes::FUNCTION_ID, number(*entry));
                with_code.insert(*entry);
                if function.is_local() {
                    ledger.rename(*entry, function.symbol());
                }
            }
        }
    }
    // A static function that was inlined is not the one of its name that another unit has.
    let names: BTreeSet<Vec<u8>> = module.definitions().into_iter().map(Function::symbol).collect();
    let gone: Vec<(EntryId, Vec<u8>)> = ledger
        .entries()
        .filter(|(entry, marker)| marker.local && !with_code.contains(entry) && names.contains(&marker.name))
        .map(|(entry, marker)| (entry, [&marker.name[..], b".inlined"].concat()))
        .collect();
    for (entry, name) in gone {
        ledger.rename(entry, name);
    }
    module.erase_named_metadata(notes::UNITS);
    ledger.store(module);
}

/// The settings for a link: those that its units were compiled with, which have to agree. The link's own count where no
/// unit waits for it.
pub(crate) fn settings(module: Module, own: Config) -> Result<Config, ConfigError> {
    let Some(rows) = module.named_metadata(notes::UNIT_SETTINGS) else { return Ok(own) };
    let mut first: BTreeMap<String, (String, String)> = BTreeMap::new();
    let mut problems = Vec::new();
    for row in &rows {
        let texts = row.iter().map(|field| match field {
            MetadataField::Text(text) => String::from_utf8_lossy(text).into_owned(),
            MetadataField::Number(number) => number.to_string(),
        });
        let [_, name, setting, value] = &texts.collect::<Vec<_>>()[..] else { continue };
        let (other, other_value) =
            first.entry(setting.clone()).or_insert_with(|| (name.clone(), value.clone()));
        if other_value != value {
            problems.push(format!(
                "{setting} is {other_value} for {other} and {value} for {name}; accepted with SQTT_ID_SPACE=link: one \
                 value for all units"
            ));
        }
    }
    if !problems.is_empty() {
        return Err(ConfigError { problems });
    }
    own.with(first.iter().map(|(setting, (_, value))| (setting.as_str(), value.as_str())))
}

/// The name of a symbol between compile and link.
fn link_symbol(unit: &str, entry: EntryId, action: MarkerAction) -> String {
    format!("{LINK_OPTION}{unit}.{}", symbol(entry, action))
}

/// The name of the variable that no link takes without the plugin.
fn demand(unit: &str) -> String {
    format!(".sqtt_link.{unit}")
}

fn text(text: &str) -> MetadataField {
    MetadataField::Text(text.into())
}

fn number(entry: EntryId) -> u32 {
    u32::try_from(entry.0).unwrap_or(u32::MAX)
}
