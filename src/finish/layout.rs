//! The layout of the module's headers: with the shader clock or without it (specification, "GFX12 Shader Clock
//! Packing").

use crate::ledger::{EntryId, MarkerAction, MarkerLedger, symbol};
use crate::llvm::{Function, Severity, SourcePlace};
use crate::run::{PassError, Run};
use crate::sites::TraceCall;
use crate::target::{Target, cpu};
use sqtt_format::{Funcmap, MarkerEncoding};
use std::collections::BTreeMap;

/// The layout of the module's headers.
///
/// One code object has one layout, so that all functions with markers have a clock or none has: where some have none,
/// or where markers are there already that have another layout, it is an error.
pub(crate) fn layout(run: Run, calls: &[TraceCall], existing: &Funcmap) -> Result<MarkerEncoding, PassError> {
    let wanted = run.config.clock;
    let mut functions: Vec<Function> = calls.iter().map(|traced| traced.function).collect();
    functions.dedup();
    let functions: Vec<(Function, Target)> =
        functions.into_iter().filter_map(|function| Some((function, Target::of(function)?))).collect();
    let without = functions.iter().find(|(_, target)| target.clock.is_none());
    let layout = match without {
        _ if !wanted.has_shader_clock() || functions.is_empty() => MarkerEncoding::PLAIN,
        None => wanted,
        Some((function, _)) => {
            let cpu = cpu(*function).unwrap_or_default();
            let asked = format!("SQTT_SHADER_CLOCK_BITS={}", wanted.shader_clock_bits);
            if functions.iter().any(|(_, target)| target.clock.is_some()) {
                let what = format!(
                    "{asked}: function {} is for {cpu}, whose markers carry no shader clock, and others of the module \
                     are not; accepted: modules for gfx12 alone",
                    function.demangled()
                );
                return Err(PassError::at(SourcePlace::of_function(*function), what));
            }
            let what = format!(
                "sqtt: {asked} has no effect on {cpu}: the markers of gfx12 alone carry a shader clock"
            );
            run.module.diagnose(Severity::Warning, &what);
            MarkerEncoding::PLAIN
        }
    };
    let numbered = existing.entries().iter().any(|entry| entry.id().is_some());
    if !functions.is_empty() && numbered && existing.marker_encoding() != layout {
        return Err(PassError::Module(format!(
            "the module has markers already, with {}, and new ones would have {}; compile all of it with the same \
             SQTT_SHADER_CLOCK_BITS and SQTT_SHADER_CLOCK_SHIFT",
            describe(existing.marker_encoding()),
            describe(layout)
        )));
    }
    Ok(layout)
}

fn describe(layout: MarkerEncoding) -> String {
    match layout.shader_clock_bits {
        0 => "no shader clock".to_owned(),
        bits => format!("{bits} bits of the shader clock from bit {} on", layout.shader_clock_shift),
    }
}

/// Refuses markers with a payload where a clock was asked for: a reader could not tell payload from header.
pub(crate) fn check_payloads(
    run: Run,
    ledger: &MarkerLedger,
    ids: &BTreeMap<EntryId, u32>,
    existing: &Funcmap,
) -> Result<(), PassError> {
    if !run.config.clock.has_shader_clock() {
        return Ok(());
    }
    let complaint = |name: &[u8]| {
        format!(
            "SQTT_SHADER_CLOCK_BITS={}: marker {:?} has a payload, and markers with a payload rule out a shader clock; \
             accepted with them: 0",
            run.config.clock.shader_clock_bits,
            String::from_utf8_lossy(name)
        )
    };
    let mut ours = ledger.entries().filter(|(entry, _)| ids.contains_key(entry));
    if let Some((entry, marker)) = ours.find(|(_, marker)| marker.payload_count() > 0) {
        let symbol = run.module.global(&symbol(entry, MarkerAction::Point));
        // LLVM keeps the latest use first.
        let first = symbol.and_then(|symbol| symbol.users().last().copied());
        return Err(PassError::at(
            first.map(SourcePlace::of_use).unwrap_or_default(),
            complaint(&marker.name),
        ));
    }
    match existing.entries().iter().find(|entry| entry.extra_payload_count() > 0) {
        Some(entry) => Err(PassError::Module(complaint(entry.name()))),
        None => Ok(()),
    }
}
