//! The pass plugin: named markers in AMDGPU code become `s_ttracedata` instructions and rows of `.sqtt_funcmap`.
//!
//! The folders follow a marker on its way:
//!
//! - [`phases`] is where LLVM calls in: panics stop here, errors become diagnostics. A phase is a page of steps.
//! - [`sites`] finds what to mark and changes nothing.
//! - [`mark`] brings markers into the code, as trace calls of symbols ([`calls`]); [`ledger`] says what each is.
//! - [`finish`] gives numbers and final places, and writes the two sections.
//! - [`emit`] writes the final form and decides nothing.
//!
//! Below them are [`config`], which reads the environment, [`target`], the table of targets, and [`known`], what it
//! says of a module, [`units`], what linked modules leave for each other, [`run`], what a phase works with, [`notes`], what the pass leaves in a module, and [`llvm`], the
//! layer over LLVM.

mod calls;
mod config;
mod emit;
mod finish;
mod known;
mod ledger;
mod llvm;
mod mark;
mod notes;
mod phases;
mod run;
mod sites;
mod target;
mod units;

/// The host's `PassPluginLibraryInfo`, as so many words; the shim asserts the size.
#[repr(C)]
pub struct PluginInfo([usize; PLUGIN_INFO_WORDS]);

const PLUGIN_INFO_WORDS: usize = parse_words(env!("MARKERS_PLUGIN_INFO_WORDS"));

/// The description that LLVM asks a plugin for. The one exported symbol.
#[unsafe(no_mangle)]
pub extern "C" fn llvmGetPassPluginInfo() -> PluginInfo {
    phases::entry::plugin_info()
}

impl PluginInfo {
    const EMPTY: Self = Self([0; PLUGIN_INFO_WORDS]);
}

const fn parse_words(text: &str) -> usize {
    let bytes = text.as_bytes();
    assert!(bytes.len() == 1 && bytes[0].is_ascii_digit(), "one digit of words");
    (bytes[0] - b'0') as usize
}
