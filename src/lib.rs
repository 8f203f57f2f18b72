//! The pass plugin: named markers in AMDGPU code become `s_ttracedata` instructions and rows of `.sqtt_funcmap`.
//!
//! - [`boundary`] is where LLVM calls in: panics stop here, errors become diagnostics.
//! - [`early`] and [`late`] are the two phases, each a page of steps; [`start`] prepares the first.
//! - [`sites`] finds what to mark and changes nothing; [`emit`] writes IR and decides nothing.
//! - [`fuse`] makes one word of an exit and the enter behind it; [`wrappers`], [`names`] and [`lower`] turn named markers
//!   into trace calls, [`numbers`] those with numbers; [`instrument`] marks functions,
//!   [`points`] barriers and memory operations, [`addresses`] memory operations whose addresses are recorded.
//! - [`ledger`] says what each marker is; [`number`] gives the numbers, [`clock`] the layout of the words, [`place`] the
//!   final places.
//! - [`funcmap`] and [`record`] write the two sections.
//! - [`config`] reads the environment, [`target`] is the table of targets, [`llvm`] the layer over LLVM.

mod addresses;
mod boundary;
mod clock;
mod config;
mod early;
mod emit;
mod funcmap;
mod fuse;
mod instrument;
mod late;
mod ledger;
mod llvm;
mod lower;
mod names;
mod number;
mod numbers;
mod place;
mod points;
mod record;
mod sites;
mod size;
mod start;
mod table;
mod target;
mod wrappers;

/// As many words as the host's `PassPluginLibraryInfo` has; the shim asserts the size.
#[repr(C)]
pub struct PluginInfo([usize; PLUGIN_INFO_WORDS]);

const PLUGIN_INFO_WORDS: usize = parse_words(env!("MARKERS_PLUGIN_INFO_WORDS"));

/// What LLVM asks a plugin for. The one exported symbol.
#[unsafe(no_mangle)]
pub extern "C" fn llvmGetPassPluginInfo() -> PluginInfo {
    boundary::plugin_info()
}

impl PluginInfo {
    const EMPTY: Self = Self([0; PLUGIN_INFO_WORDS]);
}

const fn parse_words(text: &str) -> usize {
    let bytes = text.as_bytes();
    assert!(bytes.len() == 1 && bytes[0].is_ascii_digit(), "one digit of words");
    (bytes[0] - b'0') as usize
}
