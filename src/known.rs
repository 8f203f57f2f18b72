//! True if the table of targets knows those of a module's functions.

use crate::llvm::{Function, SourcePlace};
use crate::run::{PassError, Run};
use crate::sites::LiveFunctions;
use crate::target::{Target, cpu, supported};

/// The error for a function with markers on a target that the table does not know.
pub(crate) fn unsupported(place: SourcePlace, function: Function) -> PassError {
    unknown(place, function, "has named markers")
}

fn unknown(place: SourcePlace, function: Function, what: &str) -> PassError {
    PassError::at(place, format!("function {} {what}, but {}", function.demangled(), complaint(function)))
}

fn complaint(function: Function) -> String {
    let cpu = cpu(function).map_or("missing".to_owned(), |cpu| format!("{cpu:?}"));
    format!("its target-cpu is {cpu}; markers are built for {}", supported())
}

/// The knowledge of the table about a module's functions.
pub(crate) struct Known {
    /// True if it knows the target of any.
    pub(crate) any: bool,
    /// The warning about those it does not know: they are left alone.
    pub(crate) warning: Option<(SourcePlace, String)>,
}

/// Looks whether the table knows the targets of the module's functions. An unknown one is an error where
/// instrumentation is asked for. (Named markers there are an error too, when they are lowered.)
pub(crate) fn check(run: Run) -> Result<Known, PassError> {
    let functions: Vec<Function> =
        run.module.definitions().into_iter().filter(|function| !function.is_available_externally()).collect();
    let strangers: Vec<Function> =
        functions.iter().copied().filter(|function| Target::of(*function).is_none()).collect();
    let mut warning = None;
    if let Some(first) = strangers.first() {
        if run.config.instruments() {
            let live = LiveFunctions::of(run.module);
            if let Some(stranger) = strangers.iter().find(|function| live.contains(**function)) {
                let place = SourcePlace::of_function(*stranger);
                return Err(unknown(place, *stranger, "is to be instrumented"));
            }
        }
        let what = format!("function {} is left alone: {}", first.demangled(), complaint(*first));
        warning = Some((SourcePlace::of_function(*first), what));
    }
    Ok(Known { any: functions.is_empty() || strangers.len() < functions.len(), warning })
}
