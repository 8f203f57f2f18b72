//! gfx10: units of 4 bits, the low ones first; time in cycles.

use crate::raw::token::{Field, Grain, TokenKind, TokenRow, token};

pub(in crate::raw) const GRAIN: Grain =
    Grain { bits: 4, scale: 0, resets: false, last_slot: 31, first_me: 0 };

const START: &[(Field, u8, u8)] = &[
    (Field::Array, 7, 7),
    (Field::Simd, 9, 8),
    (Field::Unit, 12, 10),
    (Field::Slot, 17, 13),
    (Field::Pipe, 22, 21),
    (Field::Me, 23, 23),
    (Field::Count, 31, 25),
];

pub(in crate::raw) fn rows() -> Vec<TokenRow> {
    vec![
        token(TokenKind::Nop, "0000", 4),
        token(TokenKind::Time, "1000", 8).delta(7, 4).adds(4),
        token(TokenKind::Inst, "010", 20).delta(6, 4),
        token(TokenKind::Valu, "011", 12).delta(5, 3),
        token(TokenKind::ImmOne, "1101", 12).delta(6, 4),
        token(TokenKind::Immediate, "00100", 24).delta(7, 5),
        token(TokenKind::WaveReady, "10100", 24).delta(7, 5),
        token(TokenKind::VmemExec, "1111", 8).delta(5, 4),
        token(TokenKind::AluExec, "1110", 8).delta(5, 4),
        token(TokenKind::NewPc, "0100001", 64).delta(10, 8),
        token(TokenKind::WaveStart, "01100", 32).delta(6, 5).fields(START),
        token(TokenKind::WaveStartExt, "11100", 48).delta(6, 5).fields(START),
        token(TokenKind::WaveAlloc, "00101", 20).delta(7, 5),
        token(TokenKind::WaveEnd, "10101", 20).delta(7, 5).fields(&[
            (Field::Array, 8, 8),
            (Field::Simd, 10, 9),
            (Field::Unit, 13, 11),
            (Field::Slot, 19, 15),
        ]),
        token(TokenKind::ShaderData, "00110", 52).delta(7, 5).fields(&[
            (Field::Array, 8, 8),
            (Field::Simd, 10, 9),
            (Field::Unit, 13, 11),
            (Field::Slot, 19, 15),
            (Field::Data, 51, 20),
        ]),
        token(TokenKind::ShaderDataShort, "10110", 28).delta(7, 5).fields(&[
            (Field::Array, 8, 8),
            (Field::Simd, 10, 9),
            (Field::Unit, 13, 11),
            (Field::Slot, 19, 15),
            (Field::Data, 27, 20),
        ]),
        token(TokenKind::UtilCounter, "0110001", 64).delta(8, 7),
        token(TokenKind::Misc, "1010001", 24).delta(15, 7).fields(&[(Field::Lost, 16, 16)]),
        token(TokenKind::Event, "01100001", 24).delta(10, 8),
        token(TokenKind::EventSync, "11100001", 32).delta(10, 8),
        token(TokenKind::Reg, "1001", 64).delta(6, 4).fields(&[
            (Field::Pipe, 8, 7),
            (Field::Me, 10, 9),
            (Field::Compute, 15, 15),
            (Field::Address, 31, 16),
            (Field::Data, 63, 32),
        ]),
        token(TokenKind::RegInit, "1110001", 64).delta(9, 7),
        // Type 1 adds to the time, type 2 is real time.
        token(TokenKind::Timestamp, "0000001", 64).fields(&[
            (Field::Adds, 14, 14),
            (Field::Real, 15, 15),
            (Field::Time, 63, 16),
        ]),
        token(TokenKind::Header, "0010001", 64),
    ]
}
