//! Records to markers: one state machine per wave.
//!
//! A [`Wave`] is one generation of one slot: the records from its launch to the slot's next one. Its
//! [`MarkerStream`] reads words by the funcmap of its kernel, takes payload off, follows scopes, and
//! counts what was lost. Nothing that consumes a stream looks at raw words.
//!
//! The rule: words are read plainly from a border to the next one. A header is followed by as many words
//! as its row says, and then by the next header. Borders are the start of a wave and every reported loss.
//! Only where that contradicts itself, or behind a loss, is the next header searched for. The reasons are
//! in `docs/decoding.md`.
//!
//! One file per concern: `wave` (which records are a wave's), `machine` (what a record does), `search` (the
//! next header that is sure), `event` (what comes out), `order` (all waves of a folder by time), `normalise`
//! (records as they would be without a clock in them).

mod event;
mod losses;
mod machine;
mod normalise;
mod order;
mod search;
mod visit;
mod wave;

pub use event::{CloseReason, Closed, Event, EventKind};
pub use losses::StreamLosses;
pub use machine::MarkerStream;
pub use normalise::{Normalised, Words, normalised};
pub use wave::Wave;
