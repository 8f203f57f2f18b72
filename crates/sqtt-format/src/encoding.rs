//! The layout of marker words in one code object (specification, "GFX12 Shader Clock Packing" and
//! "C++ decoder marker encoding").
//!
//! Without a shader clock all bits above the two flags are the id. With `bits` of clock the word is
//! `clock:bits | id:30-bits | enter | exit`, and the clock field holds bits `shift .. shift+bits` of
//! the low word of the shader clock.

use crate::Marker;

/// The layout of marker words: the `M:` row of a funcmap, or no row.
///
/// The default, two zeroes, is the layout without a clock. A layout that is not [valid](Self::is_valid)
/// is treated as the one without a clock by every method here.
///
/// ```
/// use sqtt_format::{Marker, MarkerEncoding};
///
/// let packed = MarkerEncoding::new(12, 4).unwrap();
/// assert_eq!(packed.marker_id_mask(), 0x000F_FFFC);
/// assert_eq!(packed.packed_shader_clock_mask(), 0xFFF0_0000);
/// assert_eq!(packed.shader_clock_source_mask(), 0x0000_FFF0);
///
/// let word = packed.encode(Marker::enter(7), 0xABC).unwrap();
/// assert_eq!(word, 0xABC0_001E);
/// assert_eq!(packed.decode(word), Marker::enter(7));
/// assert_eq!(packed.decode_shader_clock(word), 0xABC);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct MarkerEncoding {
    /// The number of high bits of a header that hold the shader clock; 0 for none.
    pub shader_clock_bits: u32,
    /// The lowest bit of the shader clock's low word that is kept.
    pub shader_clock_shift: u32,
}

/// A marker word with what is known about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Decoded {
    /// The marker.
    pub marker: Marker,
    /// The right-aligned clock field, where the word is a packed header.
    pub shader_clock: Option<u32>,
}

impl MarkerEncoding {
    /// The layout without a shader clock.
    pub const PLAIN: MarkerEncoding = MarkerEncoding { shader_clock_bits: 0, shader_clock_shift: 0 };
    /// The most clock bits there can be: one bit of id is left.
    pub const MAX_CLOCK_BITS: u32 = 29;
    /// The value of `SQTT_SHADER_CLOCK_SHIFT` at compile time when it is not set.
    pub const DEFAULT_SHIFT: u32 = 4;

    /// A layout, or `None` where it is not [valid](Self::is_valid).
    #[must_use]
    pub const fn new(shader_clock_bits: u32, shader_clock_shift: u32) -> Option<Self> {
        let encoding = Self { shader_clock_bits, shader_clock_shift };
        if encoding.is_valid() { Some(encoding) } else { None }
    }

    /// True for a layout that asks for clock bits at all.
    #[must_use]
    pub const fn has_shader_clock(self) -> bool {
        self.shader_clock_bits > 0
    }

    /// True for a layout that can exist: at most 29 clock bits, out of the 32 of the clock's low word.
    #[must_use]
    pub const fn is_valid(self) -> bool {
        self.shader_clock_bits <= Self::MAX_CLOCK_BITS
            && self.shader_clock_shift <= 32
            && self.shader_clock_bits <= 32 - self.shader_clock_shift
    }

    /// Clock bits in effect: 0 for an invalid layout.
    const fn bits(self) -> u32 {
        if self.is_valid() { self.shader_clock_bits } else { 0 }
    }

    /// The bits of the id in a raw word: `0xFFFF_FFFC` without a clock.
    #[must_use]
    pub const fn marker_id_mask(self) -> u32 {
        (u32::MAX >> self.bits()) & !0b11
    }

    /// The bits of the clock in a raw word: 0 without a clock.
    #[must_use]
    pub const fn packed_shader_clock_mask(self) -> u32 {
        !(u32::MAX >> self.bits())
    }

    /// The bits of the shader clock's low word that the clock field holds: 0 without a clock.
    #[must_use]
    pub const fn shader_clock_source_mask(self) -> u32 {
        match self.bits() {
            0 => 0,
            bits => ((1 << bits) - 1) << self.shader_clock_shift,
        }
    }

    /// The largest id that a header has room for.
    #[must_use]
    pub const fn max_id(self) -> u32 {
        self.marker_id_mask() >> 2
    }

    /// The header of `marker` with the right-aligned `clock` in its high bits; bits of `clock` that
    /// there is no room for are left out, as the hardware's field read leaves them out. `None` where
    /// the id has no room.
    #[must_use]
    pub const fn encode(self, marker: Marker, clock: u32) -> Option<u32> {
        if marker.id > self.max_id() {
            return None;
        }
        let clock = match self.bits() {
            0 => 0,
            bits => clock << (32 - bits),
        };
        Some(clock | marker.id << 2 | marker.flags())
    }

    /// Reads a word that is known to be a header of this layout.
    #[must_use]
    pub const fn decode(self, raw: u32) -> Marker {
        Marker::from_word(raw & (self.marker_id_mask() | 0b11))
    }

    /// The right-aligned clock field of a word that is known to be a header; 0 without a clock.
    #[must_use]
    pub const fn decode_shader_clock(self, raw: u32) -> u32 {
        match self.bits() {
            0 => 0,
            bits => raw >> (32 - bits),
        }
    }

    /// Reads a word of which only the layout of its code object is known. It is a packed header when
    /// its packed id is `known` (a funcmap row other than a kernel's has it) or when it is a bare
    /// exit; any other word is a numeric marker of the user's, which has no clock. A numeric marker
    /// whose low bits look like a known id cannot be told from that header.
    #[must_use]
    pub fn decode_known(self, raw: u32, known: impl FnOnce(u32) -> bool) -> Decoded {
        let packed = self.decode(raw);
        let bare_exit = packed == Marker::EXIT;
        if self.bits() > 0 && (bare_exit || known(packed.id)) {
            Decoded { marker: packed, shader_clock: Some(self.decode_shader_clock(raw)) }
        } else {
            Decoded { marker: Marker::from_word(raw), shader_clock: None }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn without_a_clock_all_is_id() {
        let plain = MarkerEncoding::default();
        assert!(plain.is_valid() && !plain.has_shader_clock());
        assert_eq!(plain.marker_id_mask(), 0xFFFF_FFFC);
        assert_eq!(plain.packed_shader_clock_mask(), 0);
        assert_eq!(plain.shader_clock_source_mask(), 0);
        assert_eq!(plain.decode_shader_clock(u32::MAX), 0);
        assert_eq!(plain.decode_known(u32::MAX, |_| true).shader_clock, None);
    }

    #[test]
    fn an_impossible_layout_reads_like_none() {
        for (bits, shift) in [(30, 0), (12, 21), (1, 32), (0, 33), (u32::MAX, u32::MAX)] {
            let bad = MarkerEncoding { shader_clock_bits: bits, shader_clock_shift: shift };
            assert!(!bad.is_valid(), "{bits} {shift}");
            assert_eq!(MarkerEncoding::new(bits, shift), None);
            assert_eq!(bad.marker_id_mask(), 0xFFFF_FFFC);
            assert_eq!(bad.packed_shader_clock_mask(), 0);
            assert_eq!(bad.shader_clock_source_mask(), 0);
            assert_eq!(bad.decode(0xFFF0_001E), Marker::from_word(0xFFF0_001E));
        }
        assert!(MarkerEncoding::new(29, 3).is_some() && MarkerEncoding::new(0, 32).is_some());
    }

    #[test]
    fn numeric_markers_keep_their_value_and_bare_exits_do_not() {
        let packed = MarkerEncoding { shader_clock_bits: 12, shader_clock_shift: 4 };
        let known = |id| id == 7;
        let numeric = packed.decode_known(0x1230_0026, known);
        assert_eq!(numeric, Decoded { marker: Marker::from_word(0x1230_0026), shader_clock: None });
        let header = packed.decode_known(0x1230_001E, known);
        assert_eq!(header, Decoded { marker: Marker::enter(7), shader_clock: Some(0x123) });
        let exit = packed.decode_known(0x1230_0001, known);
        assert_eq!(exit, Decoded { marker: Marker::EXIT, shader_clock: Some(0x123) });
        // Id 0 with another pair of flags is no bare exit.
        assert_eq!(packed.decode_known(0x1230_0003, known).shader_clock, None);
    }

    proptest! {
        #[test]
        fn headers_read_back(bits in 0u32..=29, shift in 0u32..=32, id: u32, flags in 0u32..4, clock: u32) {
            prop_assume!(bits + shift <= 32);
            let encoding = MarkerEncoding::new(bits, shift).unwrap();
            let marker = Marker { id: id & encoding.max_id(), ..Marker::from_word(flags) };
            let word = encoding.encode(marker, clock).unwrap();
            prop_assert_eq!(encoding.decode(word), marker);
            let field = if bits == 0 { 0 } else { clock & ((1 << bits) - 1) };
            prop_assert_eq!(encoding.decode_shader_clock(word), field);
            prop_assert_eq!(encoding.marker_id_mask() & encoding.packed_shader_clock_mask(), 0);
            prop_assert_eq!(encoding.marker_id_mask() | encoding.packed_shader_clock_mask() | 3, u32::MAX);
            prop_assert_eq!(encoding.shader_clock_source_mask().count_ones(), bits);
        }

        #[test]
        fn an_id_without_room_has_no_header(bits in 0u32..=29, extra in 1u32..1000) {
            let encoding = MarkerEncoding::new(bits, 0).unwrap();
            prop_assert_eq!(encoding.encode(Marker::enter(encoding.max_id() + extra), 0), None);
        }
    }
}
