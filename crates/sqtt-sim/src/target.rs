//! The simulated targets: one table of what differs between generations.

use std::fmt;
use std::str::FromStr;

/// A simulated processor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Target {
    /// CDNA 2 (MI200).
    Gfx90a,
    /// CDNA 3 (MI300).
    Gfx942,
    /// CDNA 4 (MI350).
    Gfx950,
    /// RDNA 2.
    Gfx1030,
    /// RDNA 3.
    Gfx1100,
    /// RDNA 4 (Navi 44).
    Gfx1200,
    /// RDNA 4 (Navi 48).
    Gfx1201,
}

/// The ways of a target to name, place and start waves.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Traits {
    pub(crate) name: &'static str,
    /// The generation: 9, 10, 11 or 12.
    pub(crate) generation: u8,
    /// Value of `e_flags & 0xff` (`EF_AMDGPU_MACH_*`).
    pub(crate) mach: u32,
    /// Work-item ids arrive packed in `v0` instead of in `v0`, `v1`, `v2`.
    pub(crate) packed_ids: bool,
    /// Scratch needs no initialisation by the kernel (architected flat scratch).
    pub(crate) architected_scratch: bool,
    /// Workgroup ids arrive in `ttmp9` and `ttmp7` instead of in SGPRs.
    pub(crate) ids_in_ttmp: bool,
    /// Wave slots of one SIMD.
    pub(crate) slots: u32,
    /// Workgroup slots that the hardware-id field can name.
    pub(crate) workgroup_slots: u32,
}

const fn traits(name: &'static str, generation: u8, mach: u32, slots: u32) -> Traits {
    Traits {
        name,
        generation,
        mach,
        packed_ids: generation != 10,
        architected_scratch: generation >= 11,
        ids_in_ttmp: generation >= 12,
        slots,
        workgroup_slots: if generation == 9 { 16 } else { 32 },
    }
}

static GFX90A: Traits = traits("gfx90a", 9, 0x3f, 8);
static GFX942: Traits = Traits { architected_scratch: true, ..traits("gfx942", 9, 0x4c, 8) };
static GFX950: Traits = Traits { architected_scratch: true, ..traits("gfx950", 9, 0x4f, 8) };
static GFX1030: Traits = traits("gfx1030", 10, 0x36, 16);
static GFX1100: Traits = traits("gfx1100", 11, 0x41, 16);
static GFX1200: Traits = traits("gfx1200", 12, 0x48, 16);
static GFX1201: Traits = traits("gfx1201", 12, 0x4e, 16);

impl Target {
    /// Every simulated target.
    pub const ALL: [Target; 7] = [
        Target::Gfx90a,
        Target::Gfx942,
        Target::Gfx950,
        Target::Gfx1030,
        Target::Gfx1100,
        Target::Gfx1200,
        Target::Gfx1201,
    ];

    /// The name that compilers use (`gfx1100`).
    pub fn name(self) -> &'static str {
        self.traits().name
    }

    /// The instruction-set generation: 9, 10, 11 or 12.
    pub fn generation(self) -> u8 {
        self.traits().generation
    }

    pub(crate) fn traits(self) -> &'static Traits {
        match self {
            Target::Gfx90a => &GFX90A,
            Target::Gfx942 => &GFX942,
            Target::Gfx950 => &GFX950,
            Target::Gfx1030 => &GFX1030,
            Target::Gfx1100 => &GFX1100,
            Target::Gfx1200 => &GFX1200,
            Target::Gfx1201 => &GFX1201,
        }
    }

    /// The target of a code object by its ELF `e_flags`.
    pub(crate) fn from_mach(flags: u32) -> Option<Target> {
        Target::ALL.into_iter().find(|t| t.traits().mach == flags & 0xff)
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Target {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Target::ALL.into_iter().find(|t| t.name() == text).ok_or_else(|| {
            let names: Vec<_> = Target::ALL.iter().map(|t| t.name()).collect();
            format!("target `{text}` is not simulated; simulated are {}", names.join(", "))
        })
    }
}
