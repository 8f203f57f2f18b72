//! Assumptions about a GPU. Nothing in a trace says them, so every summary does.

use serde::Serialize;

/// Sizes that decide what an access costs.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[non_exhaustive]
pub struct Hardware {
    /// The GPU, such as `gfx942`; `None` where the trace has no code object that says it.
    pub target: Option<String>,
    /// Bytes of a cache line: of L2 where L1 has another size.
    pub line_bytes: u32,
    /// Bytes of the least part of a line that is fetched by itself.
    pub sector_bytes: u32,
    /// Banks of LDS, of 4 bytes each, where a user says them. Else they are those of
    /// [`LdsAccess`](super::LdsAccess).
    pub lds_banks: Option<u32>,
}

/// Settings of a user that replace what is assumed of the hardware.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct HardwareOptions {
    /// Bytes of a cache line.
    pub line_bytes: Option<u32>,
    /// Bytes of a sector.
    pub sector_bytes: Option<u32>,
    /// Banks of LDS.
    pub lds_banks: Option<u32>,
}

impl HardwareOptions {
    /// Sets the bytes of a cache line.
    #[must_use]
    pub fn line_bytes(self, line_bytes: impl Into<Option<u32>>) -> Self {
        Self { line_bytes: line_bytes.into(), ..self }
    }

    /// Sets the bytes of a sector.
    #[must_use]
    pub fn sector_bytes(self, sector_bytes: impl Into<Option<u32>>) -> Self {
        Self { sector_bytes: sector_bytes.into(), ..self }
    }

    /// Sets the banks of LDS.
    #[must_use]
    pub fn lds_banks(self, lds_banks: impl Into<Option<u32>>) -> Self {
        Self { lds_banks: lds_banks.into(), ..self }
    }
}

impl Hardware {
    /// Assumptions about a GPU: lines of 64 bytes on gfx900 to gfx906 and gfx909, gfx90c, of 128 bytes on
    /// MI100 (gfx908) and later CDNA, whose L1 has lines of 64 bytes up to gfx90a, and on gfx10 and later;
    /// sectors of 64 bytes.
    #[must_use]
    pub fn assumed(target: Option<&str>, options: HardwareOptions) -> Self {
        let processor = target.map(processor);
        let has_short_lines = matches!(
            processor,
            Some("gfx900" | "gfx902" | "gfx904" | "gfx906" | "gfx909" | "gfx90c" | "gfx9-generic")
        );
        Self {
            target: target.map(str::to_owned),
            line_bytes: options.line_bytes.unwrap_or(if has_short_lines { 64 } else { 128 }).max(1),
            sector_bytes: options.sector_bytes.unwrap_or(64).max(1),
            lds_banks: options.lds_banks,
        }
    }
}

/// `gfx90a` of `gfx90a:sramecc+:xnack-`.
pub(super) fn processor(target: &str) -> &str {
    target.split(':').next().unwrap_or(target)
}

/// Layout of the first two words of a buffer descriptor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DescriptorLayout {
    /// gfx9, gfx10: base in bits 47 to 0, stride in 61 to 48, cache swizzle in 62 (which moves no address),
    /// swizzle in 63.
    SwizzleBit,
    /// gfx11, gfx1200, gfx1201: the same, and swizzle in bits 63 and 62.
    SwizzleBits,
    /// gfx1250: base in bits 56 to 0; the stride is in a word that is not traced.
    LongBase,
    /// The GPU is not known well enough.
    Unknown,
}

impl DescriptorLayout {
    /// By the code object's target, or the major version that the trace folder says. A folder that says 12
    /// may be of gfx1200 or of gfx1250.
    #[must_use]
    pub fn of(target: Option<&str>, gfxip: Option<u32>) -> Self {
        let Some(processor) = target.map(processor) else {
            return match gfxip {
                Some(9 | 10) => Self::SwizzleBit,
                Some(11) => Self::SwizzleBits,
                _ => Self::Unknown,
            };
        };
        let number = processor.strip_prefix("gfx").unwrap_or_default();
        match number {
            "9-generic" | "9-4-generic" | "10-1-generic" | "10-3-generic" => Self::SwizzleBit,
            "11-generic" | "12-generic" => Self::SwizzleBits,
            _ if number.len() == 3 && number.starts_with('9') => Self::SwizzleBit,
            _ if number.len() == 4 && number.starts_with("10") => Self::SwizzleBit,
            _ if number.len() == 4 && (number.starts_with("11") || number.starts_with("120")) => {
                Self::SwizzleBits
            }
            _ if number.len() == 4 && number.starts_with("125") => Self::LongBase,
            _ => Self::Unknown,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layouts_by_target_and_version() {
        use DescriptorLayout::*;
        for (target, layout) in [
            ("gfx90a:sramecc+:xnack-", SwizzleBit),
            ("gfx942", SwizzleBit),
            ("gfx1030", SwizzleBit),
            ("gfx10-3-generic", SwizzleBit),
            ("gfx1151", SwizzleBits),
            ("gfx1201", SwizzleBits),
            ("gfx12-generic", SwizzleBits),
            ("gfx1250", LongBase),
            ("gfx803", Unknown),
            ("gfx1300", Unknown),
            ("", Unknown),
        ] {
            assert_eq!(DescriptorLayout::of(Some(target), Some(9)), layout, "{target}");
        }
        assert_eq!(DescriptorLayout::of(None, Some(10)), SwizzleBit);
        assert_eq!(DescriptorLayout::of(None, Some(11)), SwizzleBits);
        assert_eq!(DescriptorLayout::of(None, Some(12)), Unknown);
        assert_eq!(DescriptorLayout::of(None, None), Unknown);
    }

    #[test]
    fn lines_by_target_and_by_word() {
        let assumed = |target| Hardware::assumed(Some(target), HardwareOptions::default());
        assert_eq!((assumed("gfx906").line_bytes, assumed("gfx90a:xnack-").line_bytes), (64, 128));
        let options = HardwareOptions { line_bytes: Some(32), sector_bytes: Some(16), lds_banks: Some(8) };
        let said = Hardware::assumed(None, options);
        assert_eq!((said.line_bytes, said.sector_bytes, said.lds_banks), (32, 16, Some(8)));
    }
}
