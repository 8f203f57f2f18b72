//! gfx11: gfx10 with shorter counters, and with SHADER_DATA tokens that are none.
//!
//! Real captures have such tokens: bit 14 is set in them, and AMD's decoder leaves them out from gfx11
//! on.

use super::{changed, gfx10};
use crate::raw::token::{Field, TokenKind, TokenRow, token};

pub(in crate::raw) use super::gfx10::GRAIN;

pub(in crate::raw) fn rows() -> Vec<TokenRow> {
    changed(
        gfx10::rows(),
        &[
            token(TokenKind::UtilCounter, "0110001", 48).delta(8, 7),
            token(TokenKind::Misc, "1010001", 24).delta(15, 7),
            token(TokenKind::Timestamp, "0000001", 48).fields(&[
                (Field::Lost, 8, 8),
                (Field::Real, 9, 9),
                (Field::Time, 47, 12),
            ]),
            token(TokenKind::ShaderData, "00110", 52).delta(7, 5).fields(&[
                (Field::Array, 8, 8),
                (Field::Simd, 10, 9),
                (Field::Unit, 13, 11),
                (Field::Exec, 14, 14),
                (Field::Slot, 19, 15),
                (Field::Data, 51, 20),
            ]),
            token(TokenKind::ShaderDataShort, "10110", 28).delta(7, 5).fields(&[
                (Field::Array, 8, 8),
                (Field::Simd, 10, 9),
                (Field::Unit, 13, 11),
                (Field::Exec, 14, 14),
                (Field::Slot, 19, 15),
                (Field::Data, 27, 20),
            ]),
        ],
    )
}
