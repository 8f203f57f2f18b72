//! Environment → [`Config`]. Every complaint about a variable is made here.

use std::ffi::OsString;

/// What the compile asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Config {
    /// `SQTT_VERBOSE`: tell what is in effect, and a line per module.
    pub(crate) verbose: bool,
}

/// Everything wrong with the environment, in one message.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("sqtt: {}", problems.join("\nsqtt: "))]
pub(crate) struct ConfigError {
    /// One sentence per problem.
    pub(crate) problems: Vec<String>,
}

/// What a value means.
enum Meaning {
    /// The feature stays off.
    Off,
    /// The feature is asked for.
    On,
    /// Not a value of this variable.
    Wrong,
}

struct Variable {
    name: &'static str,
    /// What is accepted, for messages.
    accepted: &'static str,
    /// What the variable would turn on; empty where nothing is left to build.
    feature: &'static str,
    read: fn(&str) -> Meaning,
}

const VARIABLES: [Variable; 12] = [
    Variable {
        name: "SQTT_INSTRUMENT_BARRIERS",
        accepted: "0 or 1",
        feature: "barrier markers",
        read: switch,
    },
    Variable {
        name: "SQTT_INSTRUMENT_FUNCTIONS",
        accepted: "0, a number of instructions such as 10, or cost:N",
        feature: "function markers",
        read: threshold,
    },
    Variable {
        name: "SQTT_INSTRUMENT_MEMORY",
        accepted: "off, or N:M (operations per marker, largest gap)",
        feature: "memory markers",
        read: chunk,
    },
    Variable {
        name: "SQTT_MEM_BARRIER",
        accepted: "none, asm or fence (0, 1, 2)",
        feature: "reorder boundaries",
        read: boundary,
    },
    Variable {
        name: "SQTT_SHADER_CLOCK_BITS",
        accepted: "a number from 0 to 29",
        feature: "shader clock packing",
        read: clock_bits,
    },
    Variable {
        name: "SQTT_SHADER_CLOCK_SHIFT",
        accepted: "a number from 0 to 31",
        feature: "",
        read: clock_shift,
    },
    Variable {
        name: "SQTT_SCOPE_WAVE",
        accepted: "a mask of 32 bits such as 0x3, or -1 for all",
        feature: "the scope filter",
        read: |text| mask(text, &[0xFFFF_FFFF]),
    },
    Variable {
        name: "SQTT_SCOPE_SIMD",
        accepted: "a mask of 4 bits such as 0x1, or -1 for all",
        feature: "the scope filter",
        read: |text| mask(text, &[0xF, 0xFFFF_FFFF]),
    },
    Variable {
        name: "SQTT_SCOPE_CU",
        accepted: "a mask such as 0x3, or -1 for all",
        feature: "the scope filter",
        read: |text| mask(text, &[0xFFFF, 0xFFFF_FFFF]),
    },
    Variable {
        name: "SQTT_SCOPE_WG",
        accepted: "a mask of 32 bits such as 0x3, or -1 for all",
        feature: "the scope filter",
        read: |text| mask(text, &[0xFFFF_FFFF]),
    },
    Variable {
        name: "SQTT_TRACE_ADDRESSES",
        accepted: "off, memory, lds, or memory,lds",
        feature: "address traces",
        read: addresses,
    },
    Variable { name: "SQTT_VERBOSE", accepted: "0 or 1", feature: "", read: switch },
];

/// Names with our prefix that are not the plugin's.
const FOREIGN: [&str; 1] = ["SQTT_TEST_DATA"];

impl Config {
    /// Reads the variables that start with `SQTT_`; an empty value is as good as none.
    pub(crate) fn from_environment(
        variables: impl Iterator<Item = (OsString, OsString)>,
    ) -> Result<Self, ConfigError> {
        let mut ours: Vec<(String, OsString)> = variables
            .filter_map(|(name, value)| Some((name.into_string().ok()?, value)))
            .filter(|(name, value)| name.starts_with("SQTT_") && !value.is_empty())
            .filter(|(name, _)| !FOREIGN.contains(&name.as_str()))
            .collect();
        ours.sort();
        let mut config = Self::default();
        let mut problems = Vec::new();
        for (name, value) in &ours {
            let Some(variable) = VARIABLES.iter().find(|variable| variable.name == name) else {
                problems.push(unknown(name));
                continue;
            };
            let Some(text) = value.to_str().map(str::trim) else {
                problems.push(format!("{name}={value:?}: not text; accepted: {}", variable.accepted));
                continue;
            };
            match (variable.read)(text) {
                Meaning::Off => {}
                Meaning::Wrong => problems.push(format!("{name}={text}: accepted: {}", variable.accepted)),
                Meaning::On if name == "SQTT_VERBOSE" => config.verbose = true,
                Meaning::On => problems.push(format!(
                    "{name}={text}: this version has no {} yet; accepted for now: values that leave it off (0, off, \
                     none, -1 or a full mask)",
                    variable.feature
                )),
            }
        }
        if problems.is_empty() { Ok(config) } else { Err(ConfigError { problems }) }
    }

    /// What is in effect, for `SQTT_VERBOSE`.
    pub(crate) fn describe(self) -> String {
        format!(
            "SQTT_VERBOSE={}; functions, barriers, memory, addresses, scope filter, boundary, shader clock: off",
            u8::from(self.verbose)
        )
    }
}

fn unknown(name: &str) -> String {
    if name == "SQTT_ENABLED" {
        return "SQTT_ENABLED is no environment variable: compile with -DSQTT_ENABLED=1".to_owned();
    }
    let nearest = VARIABLES
        .iter()
        .map(|variable| (strsim::damerau_levenshtein(name, variable.name), variable.name))
        .min()
        .filter(|(distance, _)| *distance <= 6)
        .map(|(_, nearest)| format!("; did you mean {nearest}?"))
        .unwrap_or_default();
    let known: Vec<&str> = VARIABLES.iter().map(|variable| variable.name).collect();
    format!("{name}: unknown variable{nearest} Known: {}", known.join(", "))
}

fn is_off(text: &str) -> bool {
    matches!(text.to_ascii_lowercase().as_str(), "0" | "off" | "none" | "-1" | "false" | "no")
}

fn switch(text: &str) -> Meaning {
    match text.to_ascii_lowercase().as_str() {
        "0" | "off" | "none" | "-1" | "false" | "no" => Meaning::Off,
        "1" | "on" | "true" | "yes" => Meaning::On,
        _ => Meaning::Wrong,
    }
}

fn threshold(text: &str) -> Meaning {
    if is_off(text) {
        return Meaning::Off;
    }
    let number = text.strip_prefix("cost:").unwrap_or(text);
    match number.parse::<u32>() {
        Ok(0) => Meaning::Off,
        Ok(_) => Meaning::On,
        Err(_) => Meaning::Wrong,
    }
}

fn chunk(text: &str) -> Meaning {
    if is_off(text) {
        return Meaning::Off;
    }
    let parsed = text.split_once(':').map(|(n, m)| (n.parse::<u32>(), m.parse::<u32>()));
    match parsed {
        Some((Ok(1..), Ok(_))) => Meaning::On,
        _ => Meaning::Wrong,
    }
}

fn boundary(text: &str) -> Meaning {
    match text.to_ascii_lowercase().as_str() {
        "asm" | "1" | "compiler" | "clobber" | "fence" | "2" | "on" | "hw" => Meaning::On,
        _ if is_off(text) => Meaning::Off,
        _ => Meaning::Wrong,
    }
}

fn clock_bits(text: &str) -> Meaning {
    match text.parse::<u32>() {
        Ok(1..=29) => Meaning::On,
        _ if is_off(text) => Meaning::Off,
        _ => Meaning::Wrong,
    }
}

fn clock_shift(text: &str) -> Meaning {
    match text.parse::<u32>() {
        Ok(0..=31) => Meaning::Off,
        _ if is_off(text) => Meaning::Off,
        _ => Meaning::Wrong,
    }
}

fn mask(text: &str, all: &[u32]) -> Meaning {
    let lower = text.to_ascii_lowercase();
    if matches!(lower.as_str(), "off" | "none" | "-1") {
        return Meaning::Off;
    }
    let parsed = match lower.strip_prefix("0x") {
        Some(hex) => u32::from_str_radix(hex, 16),
        None => lower.parse(),
    };
    match parsed {
        Ok(value) if all.contains(&value) => Meaning::Off,
        Ok(_) => Meaning::On,
        Err(_) => Meaning::Wrong,
    }
}

fn addresses(text: &str) -> Meaning {
    if is_off(text) {
        return Meaning::Off;
    }
    let known = text.split(',').all(|part| matches!(part.trim(), "memory" | "lds"));
    if known { Meaning::On } else { Meaning::Wrong }
}
