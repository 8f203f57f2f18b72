//! The state that code runs on: a wave's place and the variables of a call.

use crate::ast::{ARRAY_WORDS, Function, Kernel};
use std::cell::Cell;

/// Lanes of the widest wave.
pub(super) const LANES: usize = 64;

/// A value per lane.
pub(super) type Row = [u64; LANES];

/// The place of a wave.
pub(super) struct Place<'k> {
    pub(super) kernel: &'k Kernel,
    /// The workgroup.
    pub(super) group: u32,
    /// The work-item in lane 0.
    pub(super) first: u32,
    /// The wave's M0.
    pub(super) m0: Cell<u32>,
}

/// The variables of one call in one wave.
pub(super) struct Frame {
    pub(super) vars: Vec<Row>,
    pub(super) array: [[u32; LANES]; ARRAY_WORDS],
    /// Lanes that have returned, with what they return.
    pub(super) returned: u64,
    pub(super) value: Row,
    /// Lanes that will come back in the next iteration, per loop.
    pub(super) continued: Vec<u64>,
}

impl Frame {
    pub(super) fn new(function: &Function) -> Self {
        Self {
            vars: vec![[0; LANES]; function.vars.len()],
            array: [[0; LANES]; ARRAY_WORDS],
            returned: 0,
            value: [0; LANES],
            continued: Vec::new(),
        }
    }
}

/// The lanes of a mask.
pub(super) fn lanes(mask: u64) -> impl Iterator<Item = usize> {
    (0..LANES).filter(move |lane| mask >> lane & 1 == 1)
}
