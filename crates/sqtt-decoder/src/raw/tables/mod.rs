//! The tables of tokens, one file per generation.

pub(super) mod gfx10;
pub(super) mod gfx11;
pub(super) mod gfx12;
pub(super) mod gfx1250;
pub(super) mod gfx9;

use super::token::TokenRow;

/// The rows of an older generation with those of a newer one in their places.
fn changed(older: Vec<TokenRow>, rows: &[TokenRow]) -> Vec<TokenRow> {
    let mut all: Vec<TokenRow> =
        older.into_iter().filter(|old| rows.iter().all(|new| new.kind != old.kind)).collect();
    all.extend_from_slice(rows);
    all
}
