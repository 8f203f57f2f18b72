//! Writes IR, decides nothing.

mod marker;

pub(crate) use marker::{Form, Record, marker};
