//! Filters of the markers in given objects: what they were compiled with says so.

use std::path::PathBuf;

use serde::Serialize;
use sqtt_decoder::codeobj::{Binary, CodeObjectFuncmap};
use sqtt_format::ConfigRecord;

use crate::{Finding, Level};

/// One code object.
#[derive(Debug, Serialize)]
pub(crate) struct Object {
    code_object: String,
    target: Option<String>,
    /// True if some waves do not record; `null` where the object does not say.
    filtered: Option<bool>,
    filters: Vec<Filter>,
    /// Hash of all settings.
    config: Option<String>,
}

/// One mask that lets not all waves record.
#[derive(Debug, Serialize)]
struct Filter {
    variable: &'static str,
    mask: u32,
    /// The slots whose waves record.
    slots: Vec<u32>,
}

/// Variable, what it counts, and how many bits its mask has.
const MASKS: [(&str, &str, u32); 4] = [
    ("SQTT_SCOPE_CU", "CU (from gfx10 on: WGP)", 16),
    ("SQTT_SCOPE_SIMD", "SIMD", 4),
    ("SQTT_SCOPE_WAVE", "wave slot", 32),
    ("SQTT_SCOPE_WG", "workgroup slot", 32),
];

/// Reads every code object of these files.
pub(crate) fn read(files: &[PathBuf], findings: &mut Vec<Finding>) -> Vec<Object> {
    let mut objects = Vec::new();
    for file in files {
        let binary = match Binary::open(file) {
            Ok(binary) => binary,
            Err(error) => {
                findings.push(Finding::new("markers", Level::Problem, error.to_string()));
                continue;
            }
        };
        let found = binary.funcmaps();
        for error in found.errors {
            findings.push(Finding::new("markers", Level::Problem, error.to_string()));
        }
        for named in &found.maps {
            objects.push(judge(named, findings));
        }
    }
    objects
}

fn judge(named: &CodeObjectFuncmap, findings: &mut Vec<Finding>) -> Object {
    let name = &named.code_object;
    let mut object = Object {
        code_object: name.clone(),
        target: named.target.clone(),
        filtered: None,
        filters: Vec::new(),
        config: named.config.as_ref().map(ConfigRecord::hash),
    };
    let has_markers =
        named.map.as_ref().is_some_and(|map| map.entries().iter().any(|entry| entry.id().is_some()));
    let Some(record) = &named.config else {
        let what = if has_markers {
            "named markers, and no record of"
        } else {
            "neither named markers nor a record of"
        };
        let says = format!("{name}: {what} what it was compiled with");
        let level = if has_markers { Level::Unknown } else { Level::Warning };
        findings.push(
            Finding::new("markers", level, says).mended_by("compile with the plugin: -fpass-plugin=PLUGIN"),
        );
        return object;
    };
    let mut unread = Vec::new();
    for (variable, _, bits) in MASKS {
        let all = u32::MAX >> (32 - bits);
        match record.settings().get(variable).map(|text| mask(text)) {
            Some(Some(mask)) if mask & all == all => {}
            Some(Some(mask)) => {
                let slots = (0..bits).filter(|bit| mask >> bit & 1 == 1).collect();
                object.filters.push(Filter { variable, mask, slots });
            }
            Some(None) | None => unread.push(variable),
        }
    }
    object.filtered = Some(!object.filters.is_empty()).filter(|_| unread.is_empty());
    let says = if !unread.is_empty() {
        format!("{name}: the record does not say {}", unread.join(", "))
    } else if object.filters.is_empty() {
        format!("{name}: no filter, every wave records")
    } else {
        let one = |filter: &Filter| {
            let Filter { variable, mask, slots } = filter;
            let what = MASKS.iter().find(|(name, ..)| name == variable).map_or("slot", |(_, what, _)| what);
            if slots.is_empty() {
                return format!("none at all ({variable}={mask:#x})");
            }
            let slots: Vec<String> = slots.iter().map(u32::to_string).collect();
            format!("{what} {} ({variable}={mask:#x})", slots.join(","))
        };
        let filters: Vec<String> = object.filters.iter().map(one).collect();
        format!("{name}: filtered, only these waves record: {}", filters.join(", and "))
    };
    let level = match object.filtered {
        Some(false) => Level::Ok,
        Some(true) => Level::Warning,
        None => Level::Unknown,
    };
    let finding = Finding::new("markers", level, says);
    findings.push(match object.filtered {
        Some(true) => {
            let variables: Vec<String> =
                object.filters.iter().map(|filter| format!("{}=-1", filter.variable)).collect();
            finding.mended_by(format!("compile with {} for records of every wave", variables.join(" ")))
        }
        _ => finding,
    });
    object
}

/// `0x3` or `3`.
fn mask(text: &str) -> Option<u32> {
    match text.strip_prefix("0x") {
        Some(digits) => u32::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}
