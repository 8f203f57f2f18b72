//! The entry for LLVM. No panic passes, and none vanishes: it becomes an error diagnostic.

use super::{early, late, start};
use crate::PluginInfo;
use crate::config::Config;
use crate::finish::ids::give_up_symbols;
use crate::llvm::{Analyses, Module, Severity, SourcePlace, shim};
use crate::notes;
use crate::run::{PassError, Run};
use crate::sites::{Sentinels, give_up_sentinels};
use crate::units;
use inkwell::llvm_sys::prelude::LLVMModuleRef;
use sqtt_format::is_gpu_triple;
use std::any::Any;
use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The phases by number; see `shim.h`. Every other number is the late phase.
const START: u32 = 0;
const EARLY: u32 = 1;
const LINK_EARLY: u32 = 3;
const LINK_LATE: u32 = 4;

pub(crate) fn plugin_info() -> PluginInfo {
    let mut info = PluginInfo::EMPTY;
    // SAFETY: `info` has the size and alignment that the shim asserts.
    unsafe { shim::sqtt_shim_plugin_info((&raw mut info).cast(), run_phase_for_shim) };
    info
}

/// Runs a phase for the shim; see `shim.h`.
///
/// # Safety
/// `module` and `analyses` are those of the pass that is running.
unsafe extern "C" fn run_phase_for_shim(module: LLVMModuleRef, phase: u32, analyses: *mut c_void) -> bool {
    // SAFETY: by the caller.
    let module = unsafe { Module::borrow(module) };
    if let Err(panic) = catch_unwind(AssertUnwindSafe(|| run_phase(module, phase, Analyses(analyses)))) {
        module.diagnose(
            Severity::Error,
            &format!("sqtt: internal error: {}; please report it with this module", panic_text(&*panic)),
        );
        give_up_sentinels(module);
    }
    module.is_changed()
}

fn run_phase(module: Module, phase: u32, analyses: Analyses) {
    if module.named_metadata(notes::FAILED).is_some() {
        return;
    }
    if !is_gpu_triple(&module.triple()) {
        return refuse_spirv(module);
    }
    // The tests see by this that a panic is reported; not in release builds.
    assert!(
        !cfg!(debug_assertions) || module.named_metadata(notes::TEST_PANIC).is_none(),
        "asked for by a test"
    );
    let at_link = matches!(phase, LINK_EARLY | LINK_LATE);
    if !at_link && module.named_metadata(notes::UNIT_SETTINGS).is_some() {
        // A second run at the compile, or a link of each module by itself: both leave it to the link of all.
        return;
    }
    let config = Config::from_environment(std::env::vars_os());
    let config = config.and_then(|own| if at_link { units::settings(module, own) } else { Ok(own) });
    let result = config.map_err(PassError::from).and_then(|config| {
        let run = Run { module, config, analyses, at_link };
        if at_link {
            units::join(run);
        }
        match phase {
            START => start::run(run),
            EARLY | LINK_EARLY => early::run(run)?,
            _ => late::run(run)?,
        }
        if module.is_changed() {
            module.unify_convergence();
        }
        Ok(())
    });
    if let Err(error) = result {
        fail(module, &error);
    }
}

/// Reports an error, and leaves nothing in the module that would make the compiler complain about its consequences.
fn fail(module: Module, error: &PassError) {
    match error {
        PassError::At { place, what } => module.diagnose_at(Severity::Error, place, what),
        PassError::Config(_) | PassError::Module(_) => module.diagnose(Severity::Error, &error.to_string()),
    }
    // The compiler goes on to the code generator, which knows no symbol in place of a word.
    give_up_symbols(module);
    give_up_sentinels(module);
    module.set_named_metadata(notes::FAILED, &[]);
}

/// A named marker in code for no GPU in particular is an error: it is compiled later, where no plugin is. Other modules
/// that are not AMDGPU's are none of ours.
fn refuse_spirv(module: Module) {
    if !module.triple().starts_with("spirv") {
        return;
    }
    let Some(call) = Sentinels::find(module).calls(module).into_iter().next() else { return };
    let what = format!(
        "a marker in code for {}, which is no GPU; name the GPUs to compile for, such as --offload-arch=gfx942",
        module.triple()
    );
    fail(module, &PassError::at(SourcePlace::of(call), what));
}

fn panic_text(panic: &(dyn Any + Send)) -> &str {
    panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("no message")
}
