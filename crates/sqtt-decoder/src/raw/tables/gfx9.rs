//! gfx9 (MI200, MI300, MI350): units of 16 bits, the kind in the low 4; time in steps of 4 cycles.
//!
//! Every token but MISC adds its bit 4 to the time. Which pipe register tokens are of (bits 5 to 8) rests
//! on captures alone: there the only micro engine is 1 in register tokens and 0 in those of waves.

use crate::raw::token::{Field, Grain, TokenKind, TokenRow, token};

pub(in crate::raw) const GRAIN: Grain = Grain { bits: 16, scale: 2, resets: true, last_slot: 9, first_me: 1 };

const PLACE: &[(Field, u8, u8)] = &[(Field::Unit, 9, 6), (Field::Slot, 13, 10), (Field::Simd, 15, 14)];

const fn step(kind: TokenKind, pattern: &str, bits: u8) -> TokenRow {
    token(kind, pattern, bits).delta(4, 4)
}

pub(in crate::raw) fn rows() -> Vec<TokenRow> {
    vec![
        token(TokenKind::Misc, "0000", 16).delta(11, 4).fields(&[(Field::Subtype, 15, 13)]),
        step(TokenKind::Time, "0001", 64).fields(&[(Field::Time, 63, 16)]),
        step(TokenKind::Reg, "0010", 64).fields(&[
            (Field::Pipe, 6, 5),
            (Field::Me, 8, 7),
            (Field::Address, 31, 16),
            (Field::Data, 63, 32),
        ]),
        step(TokenKind::WaveStart, "0011", 32).fields(&[
            (Field::Unit, 9, 6),
            (Field::Slot, 13, 10),
            (Field::Simd, 15, 14),
            (Field::Pipe, 17, 16),
            (Field::Me, 19, 18),
            (Field::Count, 28, 22),
        ]),
        step(TokenKind::WaveAlloc, "0100", 16).fields(PLACE),
        step(TokenKind::RegCs, "0101", 48).fields(REG_CS),
        step(TokenKind::WaveEnd, "0110", 16).fields(PLACE),
        step(TokenKind::Event, "0111", 16),
        step(TokenKind::EventCs, "1000", 16),
        step(TokenKind::EventGfx, "1001", 16),
        step(TokenKind::Inst, "1010", 16),
        step(TokenKind::InstPc, "1011", 64),
        step(TokenKind::ShaderData, "1100", 48).fields(&[
            (Field::Unit, 9, 6),
            (Field::Slot, 13, 10),
            (Field::Simd, 15, 14),
            (Field::Data, 47, 16),
        ]),
        step(TokenKind::Issue, "1101", 32),
        step(TokenKind::Perf, "1110", 64),
        step(TokenKind::RegCsPriv, "1111", 48).fields(REG_CS),
    ]
}

const REG_CS: &[(Field, u8, u8)] =
    &[(Field::Pipe, 6, 5), (Field::Me, 8, 7), (Field::Address, 15, 9), (Field::Data, 47, 16)];
