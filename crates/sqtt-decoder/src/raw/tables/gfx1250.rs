//! gfx1250: gfx12's tokens in bytes, with shorter ones for instructions.
//!
//! The time that the instruction tokens INST, LDS_CONFIG and MEDIUM_TIME add is not known;
//! [`CAVEAT`] says so to every reader of such a trace.

use super::{changed, gfx12};
use crate::raw::token::{Field, Grain, TokenKind, TokenRow, token};

pub(in crate::raw) const GRAIN: Grain =
    Grain { bits: 8, scale: 0, resets: false, last_slot: 31, first_me: 0 };

pub(in crate::raw) const CAVEAT: &str = "gfx1250: what INST, LDS_CONFIG and MEDIUM_TIME tokens add to the \
    time is not known: markers and waves are read, their times are too early where such tokens come before";

pub(in crate::raw) fn rows() -> Vec<TokenRow> {
    let mut rows = changed(
        gfx12::rows(),
        &[
            token(TokenKind::Nop, "0000", 8),
            token(TokenKind::Inst, "0010", 24),
            token(TokenKind::Valu, "011", 8).delta(5, 3),
            token(TokenKind::ImmOne, "1101", 16).delta(6, 4),
            token(TokenKind::WaveEnd, "1000001", 24).delta(9, 7).fields(&[
                (Field::Array, 10, 10),
                (Field::Simd, 12, 11),
                (Field::Unit, 16, 13),
                (Field::Slot, 21, 17),
            ]),
            token(TokenKind::LdsConfig, "00100110", 24),
            token(TokenKind::Time, "1110", 8).delta(7, 4).adds(1),
            token(TokenKind::MediumTime, "10100110", 16),
        ],
    );
    // Its pattern is TIME's now.
    rows.retain(|row| row.kind != TokenKind::AluExec);
    rows
}
