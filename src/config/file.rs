//! The file that `SQTT_CONFIG` names: TOML, one `SQTT_NAME = value` per line. Build caches can hash it.

use std::ffi::OsStr;

/// A configuration file is a dozen lines; anything larger is something else.
const MAX_BYTES: u64 = 64 * 1024;

/// The settings in the file, in its order of names; or what is wrong with it.
pub(super) fn read(path: &OsStr) -> Result<Vec<(String, String)>, String> {
    let shown = path.to_string_lossy();
    let complain = |problem: &dyn std::fmt::Display| format!("SQTT_CONFIG={shown}: {problem}");
    let size = std::fs::metadata(path).map_err(|error| complain(&error))?.len();
    if size > MAX_BYTES {
        return Err(complain(&format_args!("{size} bytes; a configuration has at most {MAX_BYTES}")));
    }
    let text = std::fs::read_to_string(path).map_err(|error| complain(&error))?;
    let table: toml::Table =
        text.parse().map_err(|error: toml::de::Error| complain(&error.to_string().trim_end()))?;
    table
        .into_iter()
        .map(|(name, value)| {
            let value = match value {
                toml::Value::String(text) => text,
                toml::Value::Integer(number) => number.to_string(),
                toml::Value::Boolean(on) => u8::from(on).to_string(),
                other => {
                    return Err(complain(&format_args!(
                        "{name} is of type {}; a setting is a text, a whole number or true/false",
                        other.type_str()
                    )));
                }
            };
            Ok((name, value))
        })
        .collect()
}
