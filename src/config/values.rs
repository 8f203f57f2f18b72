//! What one value means.

use sqtt_format::MarkerEncoding;
use std::fmt;

/// Which functions are marked: those whose size is greater.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Threshold {
    /// In instructions.
    Instructions(u32),
    /// In the specification's cost model.
    Cost(u32),
}

/// Which memory operations share a marker.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Chunks {
    /// Operations per marker.
    pub(crate) size: u32,
    /// The most instructions between two operations of a sequence.
    pub(crate) gap: u32,
}

/// What keeps other code from moving across a marker.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Boundary {
    /// Nothing.
    None,
    /// An empty asm that may touch all memory: holds the compiler, costs nothing.
    Asm,
    /// A workgroup fence for LDS only.
    #[default]
    Fence,
}

/// How a wave outside the filter is led past a marker.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum ScopeForm {
    /// A branch in the control-flow graph.
    Cfg,
    /// A branch inside the marker's own asm.
    #[default]
    Asm,
}

/// Which hardware slots write records, a bit each.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ScopeMasks {
    pub(crate) wave: u32,
    pub(crate) simd: u32,
    pub(crate) cu: u32,
    pub(crate) wg: u32,
}

impl ScopeMasks {
    pub(crate) const WAVE_BITS: u32 = 0xFFFF_FFFF;
    pub(crate) const SIMD_BITS: u32 = 0xF;
    pub(crate) const CU_BITS: u32 = 0xFFFF;
    pub(crate) const WG_BITS: u32 = 0xFFFF_FFFF;
}

impl Default for ScopeMasks {
    /// The specification's: the first two CUs (gfx9) or WGPs, everything on them.
    fn default() -> Self {
        Self { wave: Self::WAVE_BITS, simd: Self::SIMD_BITS, cu: 0x3, wg: Self::WG_BITS }
    }
}

/// Which memory operations record their addresses.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Addresses {
    /// Flat, global and buffer operations.
    pub(crate) memory: bool,
    /// LDS operations and permutes.
    pub(crate) lds: bool,
}

impl Addresses {
    /// Whether there is anything to record.
    pub(crate) fn any(self) -> bool {
        self.memory || self.lds
    }
}

impl fmt::Display for Addresses {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match (self.memory, self.lds) {
            (true, true) => "memory,lds",
            (true, false) => "memory",
            (false, true) => "lds",
            (false, false) => "off",
        })
    }
}

impl fmt::Display for Threshold {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Instructions(above) => write!(out, "{above}"),
            Self::Cost(above) => write!(out, "cost:{above}"),
        }
    }
}

impl fmt::Display for Chunks {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}:{}", self.size, self.gap)
    }
}

impl fmt::Display for Boundary {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::None => "none",
            Self::Asm => "asm",
            Self::Fence => "fence",
        })
    }
}

impl fmt::Display for ScopeForm {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Cfg => "cfg",
            Self::Asm => "asm",
        })
    }
}

/// A setting as one value makes it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Setting {
    Functions(Option<Threshold>),
    Barriers(bool),
    Memory(Option<Chunks>),
    ClockBits(u32),
    ClockShift(u32),
    Boundary(Boundary),
    ScopeWave(u32),
    ScopeSimd(u32),
    ScopeCu(u32),
    ScopeWg(u32),
    Form(ScopeForm),
    Addresses(Addresses),
    Verbose(bool),
}

/// What a value means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Meaning {
    /// This.
    Is(Setting),
    /// Not a value of this variable.
    Wrong,
}

fn is_off(text: &str) -> bool {
    matches!(text.to_ascii_lowercase().as_str(), "0" | "off" | "none" | "-1" | "false" | "no")
}

fn is_on(text: &str) -> bool {
    matches!(text.to_ascii_lowercase().as_str(), "1" | "on" | "true" | "yes")
}

pub(super) fn barriers(text: &str) -> Meaning {
    match (is_on(text), is_off(text)) {
        (true, _) => Meaning::Is(Setting::Barriers(true)),
        (_, true) => Meaning::Is(Setting::Barriers(false)),
        _ => Meaning::Wrong,
    }
}

pub(super) fn verbose(text: &str) -> Meaning {
    match (is_on(text), is_off(text)) {
        (true, _) => Meaning::Is(Setting::Verbose(true)),
        (_, true) => Meaning::Is(Setting::Verbose(false)),
        _ => Meaning::Wrong,
    }
}

pub(super) fn functions(text: &str) -> Meaning {
    if is_off(text) {
        return Meaning::Is(Setting::Functions(None));
    }
    let (number, make): (&str, fn(u32) -> Threshold) = match text.strip_prefix("cost:") {
        Some(number) => (number, Threshold::Cost),
        None => (text, Threshold::Instructions),
    };
    match decimal(number) {
        Some(0) => Meaning::Is(Setting::Functions(None)),
        Some(above) => Meaning::Is(Setting::Functions(Some(make(above)))),
        None => Meaning::Wrong,
    }
}

pub(super) fn memory(text: &str) -> Meaning {
    if is_off(text) {
        return Meaning::Is(Setting::Memory(None));
    }
    match text.split_once(':').and_then(|(size, gap)| Some((decimal(size)?, decimal(gap)?))) {
        Some((size @ 1.., gap)) => Meaning::Is(Setting::Memory(Some(Chunks { size, gap }))),
        _ => Meaning::Wrong,
    }
}

pub(super) fn boundary(text: &str) -> Meaning {
    Meaning::Is(Setting::Boundary(match text.to_ascii_lowercase().as_str() {
        "asm" | "1" | "compiler" | "clobber" => Boundary::Asm,
        "fence" | "2" | "on" | "hw" => Boundary::Fence,
        _ if is_off(text) => Boundary::None,
        _ => return Meaning::Wrong,
    }))
}

pub(super) fn clock_bits(text: &str) -> Meaning {
    match decimal(text) {
        Some(bits @ 0..=MarkerEncoding::MAX_CLOCK_BITS) => Meaning::Is(Setting::ClockBits(bits)),
        _ if is_off(text) => Meaning::Is(Setting::ClockBits(0)),
        _ => Meaning::Wrong,
    }
}

pub(super) fn clock_shift(text: &str) -> Meaning {
    match decimal(text) {
        Some(shift @ 0..=31) => Meaning::Is(Setting::ClockShift(shift)),
        _ if is_off(text) => Meaning::Is(Setting::ClockShift(0)),
        _ => Meaning::Wrong,
    }
}

/// `bits` are the mask's; all of them set, however spelled, is no filter.
pub(super) fn mask(text: &str, bits: u32, setting: fn(u32) -> Setting) -> Meaning {
    let lower = text.to_ascii_lowercase();
    if matches!(lower.as_str(), "off" | "none" | "-1") {
        return Meaning::Is(setting(bits));
    }
    let parsed = match lower.strip_prefix("0x") {
        Some(hex) if !hex.starts_with('+') => u32::from_str_radix(hex, 16).ok(),
        Some(_) => None,
        None => decimal(&lower),
    };
    match parsed {
        Some(u32::MAX) => Meaning::Is(setting(bits)),
        Some(mask) if mask & !bits == 0 => Meaning::Is(setting(mask)),
        _ => Meaning::Wrong,
    }
}

pub(super) fn form(text: &str) -> Meaning {
    match text.to_ascii_lowercase().as_str() {
        "cfg" => Meaning::Is(Setting::Form(ScopeForm::Cfg)),
        "asm" => Meaning::Is(Setting::Form(ScopeForm::Asm)),
        _ => Meaning::Wrong,
    }
}

pub(super) fn addresses(text: &str) -> Meaning {
    if is_off(text) {
        return Meaning::Is(Setting::Addresses(Addresses::default()));
    }
    let mut chosen = Addresses::default();
    for part in text.split(',') {
        match part.trim().to_ascii_lowercase().as_str() {
            "memory" => chosen.memory = true,
            "lds" => chosen.lds = true,
            _ => return Meaning::Wrong,
        }
    }
    Meaning::Is(Setting::Addresses(chosen))
}

/// Whether a decimal number in a value begins with a zero that says nothing.
pub(super) fn has_leading_zero(text: &str) -> bool {
    let is_padded = |number: &str| number.len() > 1 && number.starts_with('0');
    text.split(':').any(|number| is_padded(number) && number.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Digits only: no sign, no blanks, and no leading zeros, which mean eight's powers to some and ten's to others.
fn decimal(text: &str) -> Option<u32> {
    let is_plain = text.bytes().all(|byte| byte.is_ascii_digit()) && !has_leading_zero(text);
    is_plain.then(|| text.parse().ok()).flatten()
}
