//! One table of what differs between AMDGPU targets.
//!
//! Source of the rows: the specification's "Architecture Support" and "Instruction selection", and for the wait
//! states what the existing plugin came to (`s_nop 3` from gfx10 on satisfies the specification's minimum).

use crate::llvm::Function;
use sqtt_format::WaveSize;

/// What the pass needs to know of a target.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Target {
    /// Whether `s_ttracedata_imm` exists.
    pub(crate) has_immediate: bool,
    /// The operand of the `s_nop` between the write of M0 and `s_ttracedata`.
    pub(crate) m0_nop: u8,
    /// The instruction that waits for what the wave has under way in LDS.
    pub(crate) lds_wait: &'static str,
    /// Where the hardware says which slots a wave is in.
    pub(crate) slots: Slots,
    /// How a marker reads the shader clock, where it can carry it.
    pub(crate) clock: Option<ClockSource>,
}

/// How the shader clock is read (specification, "GFX12 Shader Clock Packing").
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ClockSource {
    /// `s_getreg_b32` of `HW_REG_SHADER_CYCLES_LO`.
    Register,
    /// `s_get_shader_cycles_u64`.
    Instruction,
}

/// The hardware-id fields of the scope filter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Slots {
    pub(crate) wave: Field,
    pub(crate) simd: Field,
    /// CU on gfx9, WGP from gfx10 on.
    pub(crate) cu: Field,
    pub(crate) wg: Field,
}

/// A bit field of a hardware register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Field {
    register: u32,
    offset: u32,
    width: u32,
}

impl Field {
    const fn new(register: u32, high: u32, low: u32) -> Self {
        Self { register, offset: low, width: high - low + 1 }
    }

    /// The operand of `s_getreg`.
    pub(crate) const fn getreg_operand(self) -> u32 {
        self.register | (self.offset << 6) | ((self.width - 1) << 11)
    }
}

/// `HW_ID` of gfx9; `HW_ID1` and `HW_ID2` from gfx10 on.
const HW_ID: u32 = 4;
const HW_ID1: u32 = 23;
const HW_ID2: u32 = 24;

const GFX9_SLOTS: Slots = Slots {
    wave: Field::new(HW_ID, 3, 0),
    simd: Field::new(HW_ID, 5, 4),
    cu: Field::new(HW_ID, 11, 8),
    wg: Field::new(HW_ID, 19, 16),
};

const GFX10_SLOTS: Slots = Slots {
    wave: Field::new(HW_ID1, 4, 0),
    simd: Field::new(HW_ID1, 9, 8),
    cu: Field::new(HW_ID1, 13, 10),
    wg: Field::new(HW_ID2, 20, 16),
};

/// One counter for LDS and scalar memory, up to gfx11.
const LGKMCNT: &str = "s_waitcnt lgkmcnt(0)";
const DSCNT: &str = "s_wait_dscnt 0x0";

const GFX9: Target =
    Target { has_immediate: false, m0_nop: 0, lds_wait: LGKMCNT, slots: GFX9_SLOTS, clock: None };
const GFX10: Target =
    Target { has_immediate: true, m0_nop: 3, lds_wait: LGKMCNT, slots: GFX10_SLOTS, clock: None };
const GFX12: Target = Target { lds_wait: DSCNT, ..GFX10 };
const GFX1200: Target = Target { clock: Some(ClockSource::Register), ..GFX12 };
const GFX1250: Target = Target { clock: Some(ClockSource::Instruction), ..GFX12 };

/// What `target-cpu` may be: `#` is a digit, or a letter from `a` to `f`. The first row that fits counts.
const TARGETS: [(&str, Target); 13] = [
    ("gfx9##", GFX9),
    ("gfx9-generic", GFX9),
    ("gfx9-#-generic", GFX9),
    ("gfx10##", GFX10),
    ("gfx10-#-generic", GFX10),
    ("gfx11##", GFX10),
    ("gfx11-generic", GFX10),
    ("gfx11-#-generic", GFX10),
    ("gfx120#", GFX1200),
    ("gfx12-generic", GFX1200),
    ("gfx125#", GFX1250),
    ("gfx12-5-generic", GFX1250),
    ("gfx12##", GFX12),
];

/// How many lanes the waves of a function have: what its target features say, or else what its generation does by
/// itself (64 on gfx9, 32 from gfx10 on). One module may have both.
pub(crate) fn wave_size(function: Function) -> WaveSize {
    let features = function.string_attribute("target-features").unwrap_or_default();
    let asked = features.split(',').rev().find_map(|feature| match feature.trim() {
        "+wavefrontsize32" => Some(WaveSize::Wave32),
        "+wavefrontsize64" => Some(WaveSize::Wave64),
        _ => None,
    });
    asked.unwrap_or_else(|| {
        let cpu = function.string_attribute("target-cpu").unwrap_or_default();
        if cpu.starts_with("gfx9") { WaveSize::Wave64 } else { WaveSize::Wave32 }
    })
}

impl Target {
    /// The row for a `target-cpu`; `None` where there is none.
    pub(crate) fn from_cpu(cpu: &str) -> Option<Self> {
        let fits = |pattern: &str| {
            pattern.len() == cpu.len()
                && pattern.bytes().zip(cpu.bytes()).all(|(pattern, byte)| match pattern {
                    b'#' => matches!(byte, b'0'..=b'9' | b'a'..=b'f'),
                    _ => pattern == byte,
                })
        };
        TARGETS.iter().find(|(pattern, _)| fits(pattern)).map(|(_, target)| *target)
    }

    /// The row for a function.
    pub(crate) fn of(function: Function) -> Option<Self> {
        Self::from_cpu(&function.string_attribute("target-cpu")?)
    }
}
