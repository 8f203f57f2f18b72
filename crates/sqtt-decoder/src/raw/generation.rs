//! The generations that can be read, and how a stream says which one it is of.

use std::fmt;
use std::sync::LazyLock;

use super::tables::{gfx9, gfx10, gfx11, gfx12, gfx1250};
use super::token::{Grain, TokenRow, TokenTable};

/// A generation of GPUs: one table of tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Generation {
    /// MI200, MI300, MI350.
    Gfx9,
    /// RDNA 1 and 2.
    Gfx10,
    /// RDNA 3.
    Gfx11,
    /// RDNA 4.
    Gfx12,
    /// MI400; not all of its tokens are known.
    Gfx1250,
}

struct About {
    generation: Generation,
    name: &'static str,
    gfxip: u32,
    /// Versions in the HEADER token of its streams.
    versions: &'static [u64],
    rows: fn() -> Vec<TokenRow>,
    grain: Grain,
    caveat: Option<&'static str>,
}

/// A generation is a table of tokens and a row here.
static ALL: [About; 5] = [
    About {
        generation: Generation::Gfx9,
        name: "gfx9",
        gfxip: 9,
        versions: &[],
        rows: gfx9::rows,
        grain: gfx9::GRAIN,
        caveat: None,
    },
    About {
        generation: Generation::Gfx10,
        name: "gfx10",
        gfxip: 10,
        versions: &[1, 2],
        rows: gfx10::rows,
        grain: gfx10::GRAIN,
        caveat: None,
    },
    About {
        generation: Generation::Gfx11,
        name: "gfx11",
        gfxip: 11,
        versions: &[3],
        rows: gfx11::rows,
        grain: gfx11::GRAIN,
        caveat: None,
    },
    About {
        generation: Generation::Gfx12,
        name: "gfx12",
        gfxip: 12,
        versions: &[4],
        rows: gfx12::rows,
        grain: gfx12::GRAIN,
        caveat: None,
    },
    About {
        generation: Generation::Gfx1250,
        name: "gfx1250",
        gfxip: 12,
        versions: &[5],
        rows: gfx1250::rows,
        grain: gfx1250::GRAIN,
        caveat: Some(gfx1250::CAVEAT),
    },
];

static TABLES: LazyLock<[TokenTable; ALL.len()]> =
    LazyLock::new(|| std::array::from_fn(|at| TokenTable::new((ALL[at].rows)(), ALL[at].grain)));

impl Generation {
    /// All of them.
    pub const ALL: [Generation; ALL.len()] = {
        let mut all = [Generation::Gfx9; ALL.len()];
        let mut at = 0;
        while at < ALL.len() {
            all[at] = ALL[at].generation;
            at += 1;
        }
        all
    };

    const fn about(self) -> &'static About {
        &ALL[self as usize]
    }

    /// `gfx9`, `gfx1250` and so on.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.about().name
    }

    /// Major version of the GPU, as `filenames.json` has it.
    #[must_use]
    pub const fn gfxip(self) -> u32 {
        self.about().gfxip
    }

    /// Unknowns of its traces, where there are any.
    #[must_use]
    pub const fn caveat(self) -> Option<&'static str> {
        self.about().caveat
    }

    /// Version in its streams; `None` for gfx9, whose files have a header of their own.
    pub(super) fn version(self) -> Option<u64> {
        self.about().versions.first().copied()
    }

    /// Its tokens.
    pub(super) fn table(self) -> &'static TokenTable {
        &TABLES[self as usize]
    }
}

impl fmt::Display for Generation {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}

/// Why the beginning of a stream says nothing that is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum HeaderError {
    /// Neither header.
    #[error(
        "no thread trace: it begins with {0:#018x}, neither gfx9's 8-byte header nor a HEADER token of gfx10 to gfx12"
    )]
    None(u64),
    /// A gfx9 header of no known GPU.
    #[error("gfx9 header {word:#018x}: GPU version {version}; known are 4 (MI200), 5 (MI300) and 6 (MI350)")]
    Gpu {
        /// The header.
        word: u64,
        /// Bits 13 to 15 of it.
        version: u64,
    },
    /// A version of no known generation.
    #[error(
        "HEADER token {word:#018x}: version {version}; known are 1 and 2 (gfx10), 3 (gfx11), 4 (gfx12) and 5 (gfx1250)"
    )]
    Version {
        /// The token.
        word: u64,
        /// Bits 7 to 12 of it.
        version: u64,
    },
}

/// The beginning of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Header {
    /// Whose tokens follow.
    pub generation: Generation,
    /// Bytes before the first token: 8 on gfx9, where the header is none of the GPU's own.
    pub bytes: usize,
    /// The header, or the first token.
    pub word: u64,
}

/// `gfx9_version2` of MI200, MI300 and MI350.
const GFX9_GPUS: std::ops::RangeInclusive<u64> = 4..=6;

impl Header {
    /// Reads the first 8 bytes of a stream.
    ///
    /// # Errors
    ///
    /// [`HeaderError`], where they are no beginning of a stream that can be read.
    pub fn parse(word: u64) -> Result<Self, HeaderError> {
        let (legacy, gpu) = (word & 0x1FFF, word >> 13 & 7);
        // Of HEADER tokens the low 7 bits are 0x11 too, and never version 0.
        if matches!(legacy, 0 | 0x11) && word >> 33 == 0 && word != 0 {
            if !GFX9_GPUS.contains(&gpu) {
                return Err(HeaderError::Gpu { word, version: gpu });
            }
            return Ok(Self { generation: Generation::Gfx9, bytes: 8, word });
        }
        if word & 0x7F != 0x11 {
            return Err(HeaderError::None(word));
        }
        let version = word >> 7 & 0x3F;
        match ALL.iter().find(|about| about.versions.contains(&version)) {
            Some(about) => Ok(Self { generation: about.generation, bytes: 0, word }),
            None => Err(HeaderError::Version { word, version }),
        }
    }
}

/// Bits in which two headers of one trace may differ. What they say is nearly the same; bits of something
/// else differ in half of their places.
const SIMILAR: u32 = 10;

impl Header {
    /// True if a file that begins with the `other` begins a stream of its own after one that began with this header;
    /// else the other only looks like a header, and the file goes on where that stream stopped.
    pub(super) fn is_followed_by_own(self, other: Self) -> bool {
        other.generation == self.generation && (other.word ^ self.word).count_ones() <= SIMILAR
    }
}

#[cfg(test)]
mod tests {
    use super::super::token::TokenKind;
    use super::*;

    #[test]
    fn generations_and_their_rows_agree() {
        for generation in Generation::ALL {
            assert_eq!(generation.about().generation, generation);
            let table = generation.table();
            // Every token begins where one can begin.
            for low in 0..=255_u8 {
                let entry = table.entries[usize::from(low)];
                assert_eq!(entry.bits % table.grain, 0, "{generation}: {:?}", table.kind(low));
            }
            for kind in [TokenKind::WaveStart, TokenKind::WaveEnd, TokenKind::ShaderData, TokenKind::Reg] {
                assert!(table.row(kind).is_some(), "{generation}: {kind:?}");
            }
        }
    }

    #[test]
    fn headers() {
        let gfx9 = |word| Header::parse(word).map(|header| (header.generation, header.bytes));
        // From real captures.
        assert_eq!(gfx9(0x0000_0000_000F_8011), Ok((Generation::Gfx9, 8)));
        assert_eq!(gfx9(0x0000_0000_6890_0191), Ok((Generation::Gfx11, 0)));
        assert_eq!(gfx9(0x0913_1008_6870_0211), Ok((Generation::Gfx12, 0)));
        for gpu in 4..=6 {
            assert_eq!(gfx9(gpu << 13), Ok((Generation::Gfx9, 8)));
        }
        assert_eq!(gfx9(7 << 13 | 0x11), Err(HeaderError::Gpu { word: 7 << 13 | 0x11, version: 7 }));
        assert_eq!(gfx9(0x11 | 9 << 7), Err(HeaderError::Version { word: 0x11 | 9 << 7, version: 9 }));
        assert_eq!(gfx9(0), Err(HeaderError::None(0)));
        assert!(gfx9(0x11 | 5 << 7).is_ok_and(|(generation, _)| generation.caveat().is_some()));
    }
}
