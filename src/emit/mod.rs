//! Writes IR, decides nothing.

mod boundary;
mod clock;
mod marker;
mod scope;

pub(crate) use clock::Clock;
pub(crate) use marker::{Form, Marker, Placement, Record, markers};
pub(crate) use scope::ScopeCache;
