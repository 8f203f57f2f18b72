//! Selection of waves.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use crate::names::Kernel;
use crate::stream::Wave;
use crate::trace::SlotId;

/// Numbers such as `0,2,4-7`. Empty lets everything through.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Numbers(Vec<RangeInclusive<u32>>);

/// A list of numbers that is none.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("\"{0}\" is no list of numbers such as 3 or 0,2,4-7")]
pub struct NotNumbers(String);

impl Numbers {
    /// True if a number is let through.
    #[must_use]
    pub fn takes(&self, number: u32) -> bool {
        self.0.is_empty() || self.0.iter().any(|range| range.contains(&number))
    }
}

impl FromStr for Numbers {
    type Err = NotNumbers;

    fn from_str(text: &str) -> Result<Self, NotNumbers> {
        let range = |part: &str| {
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            let (first, last) = (first.trim().parse().ok()?, last.trim().parse().ok()?);
            (first <= last).then_some(first..=last)
        };
        let ranges: Option<Vec<_>> = text.split(',').map(range).collect();
        ranges.map(Self).ok_or_else(|| NotNumbers(text.to_owned()))
    }
}

impl fmt::Display for Numbers {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, range) in self.0.iter().enumerate() {
            let comma = if index > 0 { "," } else { "" };
            write!(out, "{comma}{}-{}", range.start(), range.end())?;
        }
        Ok(())
    }
}

/// Selection of waves. Clock correction always looks at all waves of a SIMD.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Filter {
    /// Shader engines.
    pub se: Numbers,
    /// CUs, or WGPs with their shader array times 128.
    pub cu: Numbers,
    /// SIMDs.
    pub simd: Numbers,
    /// Wave slots.
    pub wave: Numbers,
    /// Parts of kernel names, as they are or demangled; any of them is enough.
    pub kernels: Vec<String>,
}

impl Filter {
    /// Lets through these shader engines.
    #[must_use]
    pub fn se(self, se: Numbers) -> Self {
        Self { se, ..self }
    }

    /// Lets through these CUs, or WGPs with their shader array times 128.
    #[must_use]
    pub fn cu(self, cu: Numbers) -> Self {
        Self { cu, ..self }
    }

    /// Lets through these SIMDs.
    #[must_use]
    pub fn simd(self, simd: Numbers) -> Self {
        Self { simd, ..self }
    }

    /// Lets through these wave slots.
    #[must_use]
    pub fn wave(self, wave: Numbers) -> Self {
        Self { wave, ..self }
    }

    /// Lets through kernels with any of these parts in their names.
    #[must_use]
    pub fn kernels(self, kernels: Vec<String>) -> Self {
        Self { kernels, ..self }
    }

    /// True if everything is let through.
    #[must_use]
    pub fn takes_all(&self) -> bool {
        let Self { se, cu, simd, wave, kernels } = self;
        [se, cu, simd, wave].iter().all(|numbers| numbers.0.is_empty()) && kernels.is_empty()
    }

    /// True if the waves of a slot are let through.
    #[must_use]
    pub fn takes_slot(&self, slot: SlotId) -> bool {
        self.se.takes(slot.se)
            && self.cu.takes(slot.cu.into())
            && self.simd.takes(slot.simd.into())
            && self.wave.takes(slot.slot.into())
    }

    /// True if a wave is let through.
    #[must_use]
    pub fn takes_wave(&self, wave: &Wave<'_>) -> bool {
        self.takes_slot(wave.slot)
            && (self.kernels.is_empty() || wave.kernel.is_some_and(|kernel| self.takes_kernel(kernel)))
    }

    fn takes_kernel(&self, kernel: &Kernel) -> bool {
        let name = String::from_utf8_lossy(kernel.name.as_bytes());
        let demangled = crate::names::demangle(kernel.name.as_bytes());
        self.kernels.iter().any(|part| {
            name.contains(part.as_str())
                || demangled.as_deref().is_some_and(|name| name.contains(part.as_str()))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_numbers() {
        let numbers: Numbers = "0,2,4-7".parse().unwrap();
        let taken: Vec<u32> = (0..10).filter(|&number| numbers.takes(number)).collect();
        assert_eq!(taken, [0, 2, 4, 5, 6, 7]);
        assert!(Numbers::default().takes(9));
        for bad in ["", "a", "1,", "3-1", "-1", "4294967296"] {
            assert!(bad.parse::<Numbers>().is_err(), "{bad}");
        }
    }
}
