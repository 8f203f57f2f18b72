//! The shader clock in a header (specification, "GFX12 Shader Clock Packing"): sampled inside the marker's own asm,
//! right before the record.

use crate::target::ClockSource;
use sqtt_format::MarkerEncoding;

/// The part of the clock that a header carries, and the way in which it is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Clock {
    pub(crate) source: ClockSource,
    pub(crate) encoding: MarkerEncoding,
}

impl Clock {
    /// True if the lines overwrite VCC: the instruction writes 64 bits, of which the low half needs a name.
    pub(super) fn overwrites_vcc(self) -> bool {
        self.source == ClockSource::Instruction
    }

    /// The lines that put the clock's field and `word` into M0. They overwrite SCC.
    pub(super) fn into_m0(self, word: &str) -> Vec<String> {
        let MarkerEncoding { shader_clock_bits: bits, shader_clock_shift: shift } = self.encoding;
        let mut lines = match self.source {
            ClockSource::Register => vec![
                format!("s_getreg_b32 m0, hwreg(HW_REG_SHADER_CYCLES_LO, {shift}, {bits})"),
                format!("s_lshl_b32 m0, m0, {}", 32 - bits),
            ],
            ClockSource::Instruction => {
                let mask = self.encoding.packed_shader_clock_mask();
                vec![
                    "s_get_shader_cycles_u64 vcc".to_owned(),
                    // The window's top bit becomes the word's; what is below the window makes place for the marker.
                    format!("s_lshl_b32 m0, vcc_lo, {}", 32 - bits - shift),
                    format!("s_and_b32 m0, m0, {mask:#x}"),
                ]
            }
        };
        lines.push(format!("s_or_b32 m0, m0, {word}"));
        lines
    }
}
