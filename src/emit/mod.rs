//! Writes IR, decides nothing.

mod address_block;
mod boundary;
mod clock;
mod marker;
mod records;
mod scope;

pub(crate) use address_block::address_block;
pub(crate) use clock::Clock;
pub(crate) use marker::{MarkerRecords, Placement, markers};
pub(crate) use records::{Form, Record, Word};
pub(crate) use scope::ScopeCache;
