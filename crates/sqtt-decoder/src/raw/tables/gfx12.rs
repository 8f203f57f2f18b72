//! gfx12: gfx11 with more WGPs, and with the trap handler told apart.

use super::{changed, gfx11};
use crate::raw::token::{Field, TokenKind, TokenRow, token};

pub(in crate::raw) use super::gfx10::GRAIN;

const START: &[(Field, u8, u8)] = &[
    (Field::Array, 7, 7),
    (Field::Simd, 9, 8),
    (Field::Unit, 13, 10),
    (Field::Slot, 19, 15),
    (Field::Pipe, 21, 20),
    (Field::Me, 22, 22),
    (Field::Count, 31, 25),
];

/// The fields of `START`, and a byte after them.
const START_EXT: &[(Field, u8, u8)] = &[
    (Field::Array, 7, 7),
    (Field::Simd, 9, 8),
    (Field::Unit, 13, 10),
    (Field::Slot, 19, 15),
    (Field::Pipe, 21, 20),
    (Field::Me, 22, 22),
    (Field::Count, 31, 25),
    (Field::Workgroup, 37, 33),
];

pub(in crate::raw) fn rows() -> Vec<TokenRow> {
    changed(
        gfx11::rows(),
        &[
            token(TokenKind::Inst, "010", 20).delta(5, 3),
            token(TokenKind::ExecPopcount1, "1100110", 24).delta(9, 7),
            token(TokenKind::ExecPopcount3, "010110", 48).delta(8, 6),
            token(TokenKind::NewPc, "0100001", 72).delta(10, 8),
            token(TokenKind::WaveStart, "01100", 32).delta(6, 5).fields(START),
            token(TokenKind::WaveStartExt, "11100", 40).delta(6, 5).fields(START_EXT).grows(),
            token(TokenKind::WaveAlloc, "00101", 24).delta(7, 5),
            token(TokenKind::WaveEnd, "10101", 20).delta(7, 5).fields(&[
                (Field::Array, 8, 8),
                (Field::Simd, 10, 9),
                (Field::Unit, 14, 11),
                (Field::Slot, 19, 15),
            ]),
            token(TokenKind::ShaderData, "0000110", 56).delta(9, 7).fields(&[
                (Field::Array, 10, 10),
                (Field::Simd, 12, 11),
                (Field::Unit, 16, 13),
                (Field::Slot, 21, 17),
                (Field::Data, 53, 22),
                (Field::Trap, 55, 54),
            ]),
            token(TokenKind::ShaderDataShort, "1000110", 32).delta(9, 7).fields(&[
                (Field::Array, 10, 10),
                (Field::Simd, 12, 11),
                (Field::Unit, 16, 13),
                (Field::Slot, 21, 17),
                (Field::Data, 29, 22),
                (Field::Trap, 31, 30),
            ]),
            token(TokenKind::Timestamp, "0000001", 64).fields(&[
                (Field::Real, 7, 7),
                (Field::Lost, 8, 8),
                (Field::Time, 63, 12),
            ]),
        ],
    )
}
