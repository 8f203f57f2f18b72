//! Values of settings: their types, how each is read from a text, and its one spelling. A reader gives `None` for a
//! text that is no value.

use std::fmt;

/// The size from which functions are marked: theirs is greater.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Threshold {
    /// A number of instructions.
    Instructions(u32),
    /// A cost in the specification's model.
    Cost(u32),
}

/// The memory operations that share a marker.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Chunks {
    /// Operations per marker.
    pub(crate) size: u32,
    /// The most instructions between two operations of a sequence.
    pub(crate) gap: u32,
}

/// The means that keeps other code from moving across a marker.
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

/// The way in which a wave outside the filter is led past a marker.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum ScopeForm {
    /// A branch in the control-flow graph.
    Cfg,
    /// A branch inside the marker's own asm.
    #[default]
    Asm,
}

/// The modules that a module's ids are unique among.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum IdSpace {
    /// [`Unit`](Self::Unit) for a module that others are linked to, [`Compact`](Self::Compact) for any other.
    #[default]
    Auto,
    /// The module itself.
    Compact,
    /// All: a prefix tells the unit.
    Unit,
    /// All that are linked with it: the link numbers them.
    Link,
}

/// The hardware slots that write records, a bit each.
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

/// The memory operations that record their addresses.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Addresses {
    /// Flat, global and buffer operations.
    pub(crate) memory: bool,
    /// LDS operations and permutes.
    pub(crate) lds: bool,
}

impl Addresses {
    /// True if there is anything to record.
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

fn is_off(text: &str) -> bool {
    matches!(text.to_ascii_lowercase().as_str(), "0" | "off" | "none" | "-1" | "false" | "no")
}

fn is_on(text: &str) -> bool {
    matches!(text.to_ascii_lowercase().as_str(), "1" | "on" | "true" | "yes")
}

pub(super) fn switch(text: &str) -> Option<bool> {
    if is_on(text) { Some(true) } else { is_off(text).then_some(false) }
}

pub(super) fn threshold(text: &str) -> Option<Option<Threshold>> {
    if is_off(text) {
        return Some(None);
    }
    let (number, make): (&str, fn(u32) -> Threshold) = match text.strip_prefix("cost:") {
        Some(number) => (number, Threshold::Cost),
        None => (text, Threshold::Instructions),
    };
    decimal(number).map(|above| (above > 0).then(|| make(above)))
}

pub(super) fn chunks(text: &str) -> Option<Option<Chunks>> {
    if is_off(text) {
        return Some(None);
    }
    let (size, gap) = text.split_once(':')?;
    let chunks = Chunks { size: decimal(size)?, gap: decimal(gap)? };
    (chunks.size > 0).then_some(Some(chunks))
}

pub(super) fn boundary(text: &str) -> Option<Boundary> {
    match text.to_ascii_lowercase().as_str() {
        "asm" | "1" | "compiler" | "clobber" => Some(Boundary::Asm),
        "fence" | "2" | "on" | "hw" => Some(Boundary::Fence),
        _ => is_off(text).then_some(Boundary::None),
    }
}

/// A number up to `most`; 0 has all the spellings of off.
pub(super) fn number(text: &str, most: u32) -> Option<u32> {
    if is_off(text) { Some(0) } else { decimal(text).filter(|number| *number <= most) }
}

/// A mask of `bits`; all of them set, however spelled, is no filter.
pub(super) fn mask(text: &str, bits: u32) -> Option<u32> {
    let lower = text.to_ascii_lowercase();
    if matches!(lower.as_str(), "off" | "none" | "-1") {
        return Some(bits);
    }
    let mask = match lower.strip_prefix("0x") {
        Some(hex) if !hex.starts_with('+') => u32::from_str_radix(hex, 16).ok(),
        Some(_) => None,
        None => decimal(&lower),
    }?;
    if mask == u32::MAX { Some(bits) } else { (mask & !bits == 0).then_some(mask) }
}

pub(super) fn form(text: &str) -> Option<ScopeForm> {
    match text.to_ascii_lowercase().as_str() {
        "cfg" => Some(ScopeForm::Cfg),
        "asm" => Some(ScopeForm::Asm),
        _ => None,
    }
}

pub(super) fn id_space(text: &str) -> Option<IdSpace> {
    match text.to_ascii_lowercase().as_str() {
        "auto" => Some(IdSpace::Auto),
        "compact" => Some(IdSpace::Compact),
        "unit" => Some(IdSpace::Unit),
        "link" => Some(IdSpace::Link),
        _ => None,
    }
}

pub(super) fn addresses(text: &str) -> Option<Addresses> {
    let mut chosen = Addresses::default();
    if is_off(text) {
        return Some(chosen);
    }
    for part in text.split(',') {
        match part.trim().to_ascii_lowercase().as_str() {
            "memory" => chosen.memory = true,
            "lds" => chosen.lds = true,
            _ => return None,
        }
    }
    Some(chosen)
}

/// True if a decimal number in a value begins with a zero that says nothing.
pub(super) fn has_leading_zero(text: &str) -> bool {
    let is_padded = |number: &str| number.len() > 1 && number.starts_with('0');
    text.split(':').any(|number| is_padded(number) && number.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Digits only: no sign, no blanks, and no leading zeros, which mean eight's powers to some and ten's to others.
pub(super) fn decimal(text: &str) -> Option<u32> {
    let is_plain = text.bytes().all(|byte| byte.is_ascii_digit()) && !has_leading_zero(text);
    is_plain.then(|| text.parse().ok()).flatten()
}
