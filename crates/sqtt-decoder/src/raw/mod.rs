//! Raw thread traces, `.att` files: what markers need, without AMD's library.
//!
//! A stream is a sequence of tokens, each known by its low bits, each moving the time on. There is a
//! table of tokens per [`Generation`] and one walker for all; adding a generation is adding a table. What
//! the tokens say becomes the same records, waves and names that the JSON of a trace becomes, so
//! everything downstream is the same. An [`Encoder`] writes streams with the same tables.
//!
//! Facts about the tokens, their sources, and what is not known: `docs/raw.md`.

mod encode;
mod engine;
mod files;
mod generation;
mod kernels;
mod load;
mod packets;
mod source;
mod tables;
#[cfg(test)]
mod tests;
mod token;
mod walk;
mod window;

pub use encode::{EncodeError, Encoder};
pub(crate) use files::group;
pub use files::{RawEngine, RawFile, RawTrace};
pub use generation::{Generation, Header, HeaderError};
pub use packets::LoadedObject;
pub use token::{Field, TokenKind};
