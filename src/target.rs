//! One table of what differs between AMDGPU targets.
//!
//! Source of the rows: the specification's "Architecture Support" and "Instruction selection", and for the wait
//! states what the existing plugin came to (`s_nop 3` from gfx10 on satisfies the specification's minimum).

use crate::llvm::Function;
use sqtt_format::{WaveSize, processor_of_architecture};

/// Everything in which a target differs, as far as the pass is concerned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Target {
    /// The lanes of a wave where nothing else is asked for.
    pub(crate) wave: WaveSize,
    /// True if `s_ttracedata_imm` exists.
    pub(crate) has_immediate: bool,
    /// The operand of the `s_nop` between the write of M0 and `s_ttracedata`.
    pub(crate) m0_nop: u8,
    /// The instruction that waits for what the wave has under way in LDS.
    pub(crate) lds_wait: &'static str,
    /// The registers in which the hardware says which slots a wave is in.
    pub(crate) slots: Slots,
    /// The way in which a marker reads the shader clock, where it can carry it.
    pub(crate) clock: Option<ClockSource>,
}

/// The way in which the shader clock is read (specification, "GFX12 Shader Clock Packing").
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

const GFX9: Target = Target {
    wave: WaveSize::Wave64,
    has_immediate: false,
    m0_nop: 0,
    lds_wait: LGKMCNT,
    slots: GFX9_SLOTS,
    clock: None,
};
const GFX10: Target = Target {
    wave: WaveSize::Wave32,
    has_immediate: true,
    m0_nop: 3,
    lds_wait: LGKMCNT,
    slots: GFX10_SLOTS,
    clock: None,
};
const GFX12: Target = Target { lds_wait: DSCNT, ..GFX10 };
const GFX1200: Target = Target { clock: Some(ClockSource::Register), ..GFX12 };
const GFX1250: Target = Target { clock: Some(ClockSource::Instruction), ..GFX12 };

/// The values of `target-cpu`: a pattern, the names of today that fit it (for messages; empty where there is none), the
/// target. In a pattern `#` is a digit, or a letter from `a` to `f`. The first row that fits counts.
const TARGETS: [(&str, &str, Target); 13] = [
    ("gfx9##", "gfx900 to gfx950", GFX9),
    ("gfx10##", "gfx1010 to gfx1036", GFX10),
    ("gfx11##", "gfx1100 to gfx1153", GFX10),
    ("gfx120#", "gfx1200, gfx1201", GFX1200),
    ("gfx125#", "gfx1250, gfx1251", GFX1250),
    ("gfx12##", "", GFX12),
    ("gfx9-generic", "gfx9-generic", GFX9),
    ("gfx9-#-generic", "gfx9-4-generic", GFX9),
    ("gfx10-#-generic", "gfx10-1-generic, gfx10-3-generic", GFX10),
    ("gfx11-generic", "gfx11-generic", GFX10),
    ("gfx11-#-generic", "", GFX10),
    ("gfx12-generic", "gfx12-generic", GFX1200),
    ("gfx12-5-generic", "gfx12-5-generic", GFX1250),
];

/// The targets that the table knows by name, for messages.
pub(crate) fn supported() -> String {
    TARGETS
        .map(|(_, names, _)| names)
        .into_iter()
        .filter(|names| !names.is_empty())
        .collect::<Vec<_>>()
        .join(", ")
}

/// The processor of a function: its `target-cpu`, or else the one that the module's triple names.
pub(crate) fn cpu(function: Function) -> Option<String> {
    function.string_attribute("target-cpu").or_else(|| processor_of_architecture(&function.triple()))
}

/// The lanes of a function's waves: those that its target features ask for, or else its target's own. One module may
/// have both.
pub(crate) fn wave_size(function: Function) -> Option<WaveSize> {
    let features = function.string_attribute("target-features").unwrap_or_default();
    let asked = features.split(',').rev().find_map(|feature| match feature.trim() {
        "+wavefrontsize32" => Some(WaveSize::Wave32),
        "+wavefrontsize64" => Some(WaveSize::Wave64),
        _ => None,
    });
    asked.or_else(|| Some(Target::of(function)?.wave))
}

impl Target {
    /// The row for a function; `None` where there is none.
    pub(crate) fn of(function: Function) -> Option<Self> {
        let cpu = cpu(function)?;
        let fits = |pattern: &str| {
            pattern.len() == cpu.len()
                && pattern.bytes().zip(cpu.bytes()).all(|(pattern, byte)| match pattern {
                    b'#' => matches!(byte, b'0'..=b'9' | b'a'..=b'f'),
                    _ => pattern == byte,
                })
        };
        TARGETS.iter().find(|(pattern, ..)| fits(pattern)).map(|(.., target)| *target)
    }
}
