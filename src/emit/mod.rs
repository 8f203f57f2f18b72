//! Writes IR, decides nothing.

mod address_block;
mod boundary;
mod clock;
mod marker;
mod scope;

pub(crate) use address_block::address_block;
pub(crate) use clock::Clock;
pub(crate) use marker::{Form, Marker, Placement, Record, markers};
pub(crate) use scope::ScopeCache;
