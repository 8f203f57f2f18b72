//! One table of what differs between AMDGPU targets.
//!
//! Source of the rows: the specification's "Architecture Support" and "Instruction selection", and for the wait
//! states what the existing plugin came to (`s_nop 3` from gfx10 on satisfies the specification's minimum).

use crate::run::{PassError, Run};
use crate::llvm::{Function, Place};
use crate::sites::LiveFunctions;
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

/// The error for a function with markers on a target that the table does not know.
pub(crate) fn unsupported(place: Place, function: Function, cpu: Option<&str>) -> PassError {
    unknown(place, function, "has named markers", cpu)
}

fn unknown(place: Place, function: Function, what: &str, cpu: Option<&str>) -> PassError {
    PassError::at(place, format!("function {} {what}, but {}", function.demangled(), complaint(cpu)))
}

fn complaint(cpu: Option<&str>) -> String {
    let cpu = cpu.map_or("missing".to_owned(), |cpu| format!("{cpu:?}"));
    format!("its target-cpu is {cpu}; markers are built for {SUPPORTED}")
}

/// What the table knows of a module's functions.
pub(crate) struct Known {
    /// Whether it knows the target of any.
    pub(crate) any: bool,
    /// What to tell of those it does not know: they are left alone.
    pub(crate) warning: Option<(Place, String)>,
}

/// Looks whether the table knows the targets of the module's functions. An unknown one is an error where
/// instrumentation is asked for. (Named markers there are an error too, when they are lowered.)
pub(crate) fn check(run: Run) -> Result<Known, PassError> {
    let functions: Vec<Function> =
        run.module.definitions().into_iter().filter(|function| !function.is_available_externally()).collect();
    let strangers: Vec<Function> =
        functions.iter().copied().filter(|function| Target::of(*function).is_none()).collect();
    let mut warning = None;
    if let Some(first) = strangers.first() {
        let cpu = |function: &Function| function.string_attribute("target-cpu");
        if run.config.instruments() {
            let live = LiveFunctions::of(run.module);
            if let Some(stranger) = strangers.iter().find(|function| live.contains(**function)) {
                let place = Place::of_function(*stranger);
                return Err(unknown(place, *stranger, "is to be instrumented", cpu(stranger).as_deref()));
            }
        }
        let complaint = complaint(cpu(first).as_deref());
        let what = format!("function {} is left alone: {complaint}", first.demangled());
        warning = Some((Place::of_function(*first), what));
    }
    Ok(Known { any: functions.is_empty() || strangers.len() < functions.len(), warning })
}

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

/// What may stand in `target-cpu`, for messages.
const SUPPORTED: &str = "gfx900 to gfx950, gfx1010 to gfx1036, gfx1100 to gfx1153, gfx1200 to gfx1251, \
                                    gfx9-generic, gfx9-4-generic, gfx10-1-generic, gfx10-3-generic, gfx11-generic, \
                                    gfx12-generic";

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
