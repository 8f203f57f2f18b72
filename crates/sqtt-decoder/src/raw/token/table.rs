//! All tokens of a generation, as the walker looks them up.

use std::ops::RangeInclusive;

use super::{Bits, Field, TokenKind, TokenLayout, TokenRow, mask};

/// Action of the walker at a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub(in crate::raw) enum Action {
    /// Goes on.
    Skip,
    /// Skips, with a part of the delta beyond the bits that the entry was found by. On gfx9, where all of
    /// these are MISC tokens, only if the subtype is 0.
    SkipWide,
    /// Skips a run of zeros. On gfx9, where they are MISC tokens, maybe one that is not all zeros.
    Zeros,
    /// Counts a place where no token is.
    Unknown,
    Start,
    /// A start, and more bytes while the next has its lowest bit set.
    StartGrowing,
    End,
    Register,
    Timestamp,
    /// gfx10: packets may be lost.
    Misc,
    /// A traced word; these two are the last, so that both are asked for at once.
    Data,
    DataShort,
}

/// Data that the walker needs at every token: 8 bytes, looked up by the token's low 8 bits.
#[derive(Clone, Copy, Debug)]
pub(in crate::raw) struct Entry {
    /// Length of the token.
    pub(in crate::raw) bits: u8,
    /// Cycles to add that the low 8 bits say.
    pub(in crate::raw) adds: u8,
    pub(in crate::raw) action: Action,
    /// Right shift that brings down further cycles to add, from bits beyond the low 8.
    pub(in crate::raw) shift: u8,
    pub(in crate::raw) mask: u32,
}

const _: () = assert!(size_of::<Entry>() == 8);

/// All tokens of a generation, made ready for walking and for writing.
#[derive(Debug)]
pub(in crate::raw) struct TokenTable {
    pub(in crate::raw) entries: [Entry; 256],
    kinds: [TokenKind; 256],
    layouts: [TokenLayout; TokenKind::COUNT],
    rows: Vec<TokenRow>,
    /// Unit of a stream, in bits: tokens start at multiples of it.
    pub(in crate::raw) grain: u8,
    /// log2 of the cycles that a unit of time is.
    pub(in crate::raw) scale: u8,
    /// True if the stream counts time in gfx9's way: MISC tokens, and TIME tokens that set it anew.
    pub(in crate::raw) resets: bool,
    /// The highest wave slot.
    pub(in crate::raw) last_slot: u8,
    /// Number in registers of the micro engine that waves call 0.
    pub(in crate::raw) first_me: u64,
    /// Counts of wave starts where a context switch saves or restores them.
    pub(in crate::raw) restored: RangeInclusive<u64>,
    /// True if AMD's decoder ends a wave whose end was lost one cycle before its slot's next start.
    pub(in crate::raw) ends_before_restart: bool,
}

/// Properties of all tokens of a generation.
#[derive(Clone, Copy, Debug)]
pub(in crate::raw) struct Grain {
    pub(in crate::raw) bits: u8,
    pub(in crate::raw) scale: u8,
    pub(in crate::raw) resets: bool,
    pub(in crate::raw) last_slot: u8,
    pub(in crate::raw) first_me: u64,
}

impl TokenTable {
    pub(in crate::raw) fn new(rows: Vec<TokenRow>, grain: Grain) -> Self {
        let unknown = Entry { mask: 0, shift: 0, adds: 0, bits: grain.bits, action: Action::Unknown };
        let mut table = Self {
            entries: [unknown; 256],
            kinds: [TokenKind::Nop; 256],
            layouts: [TokenLayout::NONE; TokenKind::COUNT],
            rows,
            grain: grain.bits,
            scale: grain.scale,
            resets: grain.resets,
            last_slot: grain.last_slot,
            first_me: grain.first_me,
            restored: if grain.resets { 65..=u64::MAX } else { 66..=89 },
            ends_before_restart: !grain.resets,
        };
        // The longest pattern wins: it is entered last.
        table.rows.sort_by_key(|row| row.pattern_bits);
        for row in &table.rows {
            let layout = &mut table.layouts[row.kind as usize];
            layout.kind = row.kind;
            for &(field, high, low) in row.fields {
                layout.places[field as usize] = Bits { shift: low, mask: mask(high + 1 - low) };
            }
            let slot = row.fields.iter().filter(|(field, ..)| {
                matches!(field, Field::Array | Field::Unit | Field::Simd | Field::Slot)
            });
            let (low, high) =
                slot.fold((u8::MAX, 0), |(least, most), &(_, high, low)| (least.min(low), most.max(high)));
            if low <= high {
                layout.slot_bits = Bits { shift: low, mask: mask(high + 1 - low) };
            }
            let (low, bits) = row.delta;
            let delta = mask(bits) << low;
            let (near, far) = (delta & 0xFF, delta & !0xFF);
            let action = match action(row, layout) {
                Action::Skip if far != 0 => Action::SkipWide,
                action => action,
            };
            for index in 0..256_usize {
                if index & mask(row.pattern_bits) as usize != usize::from(row.pattern) {
                    continue;
                }
                // A delta of the lowest bits would be the pattern; so there are bits below it to shift less.
                let shift = low.saturating_sub(grain.scale);
                let known = (index as u64 & near) >> shift;
                table.entries[index] = Entry {
                    bits: row.bits,
                    adds: known as u8 + row.adds,
                    action,
                    shift,
                    mask: (far >> shift) as u32,
                };
                table.kinds[index] = row.kind;
            }
        }
        table.entries[0].action = Action::Zeros;
        table
    }

    /// Layout of the fields of a kind of token.
    #[inline]
    pub(in crate::raw) fn layout(&self, kind: TokenKind) -> &TokenLayout {
        &self.layouts[kind as usize]
    }

    /// The kind of token that begins with these 8 bits.
    #[inline]
    pub(in crate::raw) fn kind(&self, low: u8) -> TokenKind {
        self.kinds[usize::from(low)]
    }

    /// The row of a kind of token, where the generation has it.
    pub(in crate::raw) fn row(&self, kind: TokenKind) -> Option<&TokenRow> {
        self.rows.iter().find(|row| row.kind == kind)
    }
}

fn action(row: &TokenRow, layout: &TokenLayout) -> Action {
    match row.kind {
        TokenKind::WaveStart | TokenKind::WaveStartExt if row.grows => Action::StartGrowing,
        TokenKind::WaveStart | TokenKind::WaveStartExt => Action::Start,
        TokenKind::WaveEnd => Action::End,
        TokenKind::ShaderData => Action::Data,
        TokenKind::ShaderDataShort => Action::DataShort,
        TokenKind::Reg | TokenKind::RegCs | TokenKind::RegCsPriv => Action::Register,
        TokenKind::Timestamp => Action::Timestamp,
        TokenKind::Misc if layout.has(Field::Lost) => Action::Misc,
        _ => Action::Skip,
    }
}
