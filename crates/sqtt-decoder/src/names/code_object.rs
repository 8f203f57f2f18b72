//! The markers of a code object that a trace numbers.

use std::collections::BTreeMap;

use sqtt_format::{Funcmap, NumericIds};

/// The markers of one code object.
#[derive(Clone, Debug, Default)]
pub struct NumberedObject {
    /// Its number in the trace.
    pub id: u64,
    /// Its funcmap.
    pub funcmap: Funcmap,
    /// By index of the entry in the map, the address of the function or kernel; may be shorter.
    pub addresses: Vec<Option<u64>>,
    /// Marker id → bytes that a lane accesses at the traced operation.
    pub access_bytes: BTreeMap<u32, u32>,
    /// Ids of the program's own numeric markers; `None` where they are not known.
    pub numeric: Option<NumericIds>,
    /// The GPU it is for, such as `gfx942`.
    pub target: Option<String>,
    /// True if nothing says which markers have payload, so that every word but an immediate may be some.
    pub lacks_payloads: bool,
}
