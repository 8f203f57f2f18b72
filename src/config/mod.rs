//! Environment and configuration file → [`Config`]. Every complaint about a setting is made here.
//!
//! - [`values`] reads one value,
//! - [`file`] reads the file that `SQTT_CONFIG` names.

mod file;
mod values;

use sqtt_format::MarkerEncoding;
use std::ffi::OsString;

pub(crate) use values::{Addresses, Boundary, Chunks, IdSpace, ScopeForm, ScopeMasks, Threshold};

/// The settings of a compile.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Config {
    /// `SQTT_INSTRUMENT_FUNCTIONS`: which functions get enter and exit markers; `None`: none.
    pub(crate) functions: Option<Threshold>,
    /// `SQTT_INSTRUMENT_BARRIERS`: whether barriers are marked.
    pub(crate) barriers: bool,
    /// `SQTT_INSTRUMENT_MEMORY`: how memory operations are marked; `None`: not.
    pub(crate) memory: Option<Chunks>,
    /// `SQTT_MEM_BARRIER`: what stands before and after every marker.
    pub(crate) boundary: Boundary,
    /// `SQTT_SHADER_CLOCK_*`: how much of the shader clock headers carry.
    pub(crate) clock: MarkerEncoding,
    /// `SQTT_SCOPE_*`: which waves write records.
    pub(crate) scope: ScopeMasks,
    /// `SQTT_SCOPE_FORM`: how a wave that does not is led past a marker.
    pub(crate) form: ScopeForm,
    /// `SQTT_TRACE_ADDRESSES`: which memory operations record their addresses.
    pub(crate) addresses: Addresses,
    /// `SQTT_ID_SPACE`: which other modules the ids are unique among.
    pub(crate) id_space: IdSpace,
    /// `SQTT_UNIT_SALT`: makes another prefix of ids where two units have one.
    pub(crate) unit_salt: u32,
    /// `SQTT_VERBOSE`: tell what is in effect, and a line per module.
    pub(crate) verbose: bool,
}

/// Everything wrong with the settings, in one message.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("sqtt: {}", problems.join("\nsqtt: "))]
pub(crate) struct ConfigError {
    /// One sentence per problem.
    pub(crate) problems: Vec<String>,
}

/// A setting: all that is particular to it.
struct Setting {
    name: &'static str,
    /// The values that are accepted, for messages.
    accepted: &'static str,
    /// Reads a value into its field. False: it is none of this setting's.
    read: fn(&mut Config, &str) -> bool,
    /// The value in effect, in one spelling; `None` for a setting that changes no more than numbers.
    show: fn(&Config) -> Option<String>,
}

const SETTINGS: [Setting; 15] = [
    Setting {
        name: "SQTT_ID_SPACE",
        accepted: "auto, compact, unit or link",
        read: |config, text| put(&mut config.id_space, values::id_space(text)),
        show: |_| None,
    },
    Setting {
        name: "SQTT_INSTRUMENT_BARRIERS",
        accepted: "0 or 1",
        read: |config, text| put(&mut config.barriers, values::switch(text)),
        show: |config| Some(u8::from(config.barriers).to_string()),
    },
    Setting {
        name: "SQTT_INSTRUMENT_FUNCTIONS",
        accepted: "0 (off), a number of instructions such as 10, or cost:N",
        read: |config, text| put(&mut config.functions, values::threshold(text)),
        show: |config| Some(config.functions.map_or("0".to_owned(), |it| it.to_string())),
    },
    Setting {
        name: "SQTT_INSTRUMENT_MEMORY",
        accepted: "off, or N:M (operations per marker, largest gap)",
        read: |config, text| put(&mut config.memory, values::chunks(text)),
        show: |config| Some(config.memory.map_or("off".to_owned(), |it| it.to_string())),
    },
    Setting {
        name: "SQTT_MEM_BARRIER",
        accepted: "none, asm or fence (0, 1, 2)",
        read: |config, text| put(&mut config.boundary, values::boundary(text)),
        show: |config| Some(config.boundary.to_string()),
    },
    Setting {
        name: "SQTT_SCOPE_CU",
        accepted: "a mask of 16 bits such as 0x3, or -1 for all",
        read: |config, text| put(&mut config.scope.cu, values::mask(text, ScopeMasks::CU_BITS)),
        show: |config| Some(format!("{:#x}", config.scope.cu)),
    },
    Setting {
        name: "SQTT_SCOPE_FORM",
        accepted: "cfg or asm",
        read: |config, text| put(&mut config.form, values::form(text)),
        show: |config| Some(config.form.to_string()),
    },
    Setting {
        name: "SQTT_SCOPE_SIMD",
        accepted: "a mask of 4 bits such as 0x1, or -1 for all",
        read: |config, text| put(&mut config.scope.simd, values::mask(text, ScopeMasks::SIMD_BITS)),
        show: |config| Some(format!("{:#x}", config.scope.simd)),
    },
    Setting {
        name: "SQTT_SCOPE_WAVE",
        accepted: "a mask of 32 bits such as 0x3, or -1 for all",
        read: |config, text| put(&mut config.scope.wave, values::mask(text, ScopeMasks::WAVE_BITS)),
        show: |config| Some(format!("{:#x}", config.scope.wave)),
    },
    Setting {
        name: "SQTT_SCOPE_WG",
        accepted: "a mask of 32 bits such as 0x3, or -1 for all",
        read: |config, text| put(&mut config.scope.wg, values::mask(text, ScopeMasks::WG_BITS)),
        show: |config| Some(format!("{:#x}", config.scope.wg)),
    },
    Setting {
        name: "SQTT_SHADER_CLOCK_BITS",
        accepted: "a number from 0 to 29",
        read: |config, text| {
            let bits = values::number(text, MarkerEncoding::MAX_CLOCK_BITS);
            put(&mut config.clock.shader_clock_bits, bits)
        },
        show: |config| Some(config.clock.shader_clock_bits.to_string()),
    },
    Setting {
        name: "SQTT_SHADER_CLOCK_SHIFT",
        accepted: "a number from 0 to 31",
        read: |config, text| put(&mut config.clock.shader_clock_shift, values::number(text, 31)),
        show: |config| Some(config.clock.shader_clock_shift.to_string()),
    },
    Setting {
        name: "SQTT_TRACE_ADDRESSES",
        accepted: "off, memory, lds, or memory,lds",
        read: |config, text| put(&mut config.addresses, values::addresses(text)),
        show: |config| Some(config.addresses.to_string()),
    },
    Setting {
        name: "SQTT_UNIT_SALT",
        accepted: "a number from 0 to 4294967295",
        read: |config, text| put(&mut config.unit_salt, values::decimal(text)),
        show: |_| None,
    },
    Setting {
        name: "SQTT_VERBOSE",
        accepted: "0 or 1",
        read: |config, text| put(&mut config.verbose, values::switch(text)),
        show: |_| None,
    },
];

/// Sets a field to a value that could be read.
fn put<T>(field: &mut T, value: Option<T>) -> bool {
    value.map(|value| *field = value).is_some()
}

/// Names the file with the settings that the environment does not make.
const CONFIG_FILE: &str = "SQTT_CONFIG";

/// Names with our prefix that are not the plugin's: of the tests, and of `sqtt run`, under which programs may compile.
const FOREIGN: [&str; 3] = ["SQTT_TEST_DATA", "SQTT_HIP_LIBRARY", "SQTT_CLANG"];
const FOREIGN_PREFIX: &str = "SQTT_RUN_";

impl Config {
    /// Reads the variables that start with `SQTT_`, and the file that `SQTT_CONFIG` names for those not set.
    /// An empty value counts as unset.
    pub(crate) fn from_environment(
        variables: impl Iterator<Item = (OsString, OsString)>,
    ) -> Result<Self, ConfigError> {
        let mut environment: Vec<(String, OsString)> = variables
            .filter_map(|(name, value)| Some((name.into_string().ok()?, value)))
            .filter(|(name, value)| name.starts_with("SQTT_") && !value.is_empty())
            .filter(|(name, _)| !FOREIGN.contains(&name.as_str()) && !name.starts_with(FOREIGN_PREFIX))
            .collect();
        environment.sort();
        let mut config = Self::default();
        config.clock.shader_clock_shift = MarkerEncoding::DEFAULT_SHIFT;
        let mut problems = Vec::new();
        if let Some((_, path)) = environment.iter().find(|(name, _)| name == CONFIG_FILE) {
            match file::read(path) {
                Ok(settings) => {
                    for (name, value) in settings {
                        if !environment.iter().any(|(set, _)| *set == name) {
                            let origin = format!("{}: ", path.to_string_lossy());
                            config.set(&name, Some(&value), &origin, &mut problems);
                        }
                    }
                }
                Err(problem) => problems.push(problem),
            }
        }
        for (name, value) in environment.iter().filter(|(name, _)| name != CONFIG_FILE) {
            config.set(name, value.to_str(), "", &mut problems);
        }
        problems.extend(config.window_problem());
        if config.clock.has_shader_clock() && config.addresses.any() {
            problems.push(format!(
                "SQTT_TRACE_ADDRESSES={}: excludes SQTT_SHADER_CLOCK_BITS={}: records with a payload rule out a shader \
                 clock; accepted: one of the two, the other off",
                config.addresses, config.clock.shader_clock_bits
            ));
        }
        if let (Some(chunks), true) = (config.memory, config.addresses.any()) {
            problems.push(format!(
                "SQTT_TRACE_ADDRESSES={}: excludes SQTT_INSTRUMENT_MEMORY={chunks}, whose markers it would repeat; \
                 accepted: one of the two, the other off",
                config.addresses
            ));
        }
        if problems.is_empty() { Ok(config) } else { Err(ConfigError { problems }) }
    }

    /// True if functions, barriers or memory operations are to be marked, or addresses recorded.
    pub(crate) fn instruments(self) -> bool {
        self.functions.is_some() || self.barriers || self.memory.is_some() || self.addresses.any()
    }

    fn window_problem(self) -> Option<String> {
        let MarkerEncoding { shader_clock_bits: bits, shader_clock_shift: shift } = self.clock;
        (self.clock.has_shader_clock() && !self.clock.is_valid()).then(|| {
            format!(
                "SQTT_SHADER_CLOCK_BITS={bits} with SQTT_SHADER_CLOCK_SHIFT={shift}: the window ends at bit {} of the \
                 clock's 32; accepted: bits and shift of at most 32 together (the shift is {} when it is not set)",
                bits + shift,
                MarkerEncoding::DEFAULT_SHIFT
            )
        })
    }

    fn set(&mut self, name: &str, value: Option<&str>, origin: &str, problems: &mut Vec<String>) {
        let Some(setting) = SETTINGS.iter().find(|setting| setting.name == name) else {
            problems.push(format!("{origin}{}", unknown(name)));
            return;
        };
        let accepted = setting.accepted;
        let Some(text) = value.map(str::trim) else {
            problems.push(format!("{origin}{name}: not text; accepted: {accepted}"));
            return;
        };
        if !(setting.read)(self, text) {
            let zeros = if values::has_leading_zero(text) { ", without leading zeros" } else { "" };
            problems.push(format!("{origin}{name}={text}: accepted: {accepted}{zeros}"));
        }
    }

    /// The configuration with these settings in place of its own.
    pub(crate) fn with<'a>(
        mut self,
        settings: impl Iterator<Item = (&'a str, &'a str)>,
    ) -> Result<Self, ConfigError> {
        let mut problems = Vec::new();
        for (name, value) in settings {
            self.set(name, Some(value), "", &mut problems);
        }
        if problems.is_empty() { Ok(self) } else { Err(ConfigError { problems }) }
    }

    /// Every setting that shapes the code, with its value in one fixed spelling.
    pub(crate) fn effective(self) -> impl Iterator<Item = (&'static str, String)> {
        SETTINGS.iter().filter_map(move |setting| Some((setting.name, (setting.show)(&self)?)))
    }

    /// The settings in effect, on one line, for `SQTT_VERBOSE`.
    pub(crate) fn describe(self) -> String {
        let settings: Vec<String> = self.effective().map(|(name, value)| format!("{name}={value}")).collect();
        settings.join(" ")
    }
}

fn unknown(name: &str) -> String {
    if name == "SQTT_ENABLED" {
        return "SQTT_ENABLED is no setting of the plugin: compile with -DSQTT_ENABLED=1".to_owned();
    }
    let known: Vec<&str> = SETTINGS.iter().map(|setting| setting.name).chain([CONFIG_FILE]).collect();
    let nearest = known
        .iter()
        .map(|known| (strsim::damerau_levenshtein(name, known), known))
        .min()
        .filter(|(distance, _)| *distance <= 6)
        .map(|(_, nearest)| format!("did you mean {nearest}? "))
        .unwrap_or_default();
    format!("{name}: unknown setting; {nearest}known are {}", known.join(", "))
}
