//! Records to markers: one state machine per wave.
//!
//! A [`Wave`] is one generation of one slot: the records from its launch to the slot's next one. Its
//! [`MarkerStream`] reads words by the funcmap of its kernel, takes payload off, follows scopes, and
//! counts what was lost. Nothing that consumes a stream looks at raw words.
//!
//! The rules, and why they are so, are in `docs/decoding.md`. One file per concern: `wave` (which
//! records are a wave's), `machine` (what a record does), `sync` (where headers are, after losses),
//! `doubt` (whether a block is one, or was cut off), `progression` (which words are missing), `rows` (what lanes hold), `headerless` (blocks without their header), `pattern` (what payload looks like otherwise), `event` (what comes out), `order` (all waves of a folder by time), `normalise` (records as
//! they would be without a clock in them).

mod doubt;
mod event;
mod headerless;
mod losses;
mod machine;
mod normalise;
mod order;
mod pattern;
mod progression;
mod rows;
mod sync;
mod visit;
mod wave;

pub use event::{CloseReason, Closed, Event, EventKind};
pub use losses::StreamLosses;
pub use machine::MarkerStream;
pub use normalise::{Normalised, normalised};
pub use wave::Wave;
