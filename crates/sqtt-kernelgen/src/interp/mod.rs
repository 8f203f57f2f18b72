//! Runs a kernel on the host: what its buffers hold afterwards, and what every wave has to trace.
//!
//! The model is a wave in lockstep: a branch on which lanes disagree runs one arm, then the other; a loop runs until
//! its last lane is through; lanes that leave early wait for the others where control meets again. Only where the
//! source leaves the order open, between the arms of a divergent branch, does the expectation leave it open too.

mod eval;
mod exec;
mod frame;
mod group;
mod payload;

use crate::ast::{Kernel, initial_acc};
use crate::events::Node;

/// The results that a run has to give.
#[derive(Clone, PartialEq, Debug)]
pub struct Expected {
    /// The output buffer.
    pub out: Vec<u32>,
    /// The accumulators.
    pub acc: Vec<u32>,
    /// Per wave, workgroup by workgroup.
    pub waves: Vec<Vec<Node>>,
    /// Functions that were called.
    pub called: Vec<bool>,
}

/// The buffers of a launch while it runs.
struct Memory {
    out: Vec<u32>,
    acc: Vec<u32>,
    called: Vec<bool>,
}

/// Runs the kernel with waves of so many lanes.
#[must_use]
pub fn run(kernel: &Kernel, wave_size: u32) -> Expected {
    let mut memory = Memory {
        out: vec![0; (kernel.grid * kernel.block) as usize * kernel.columns],
        acc: initial_acc(),
        called: vec![false; kernel.functions.len()],
    };
    let mut waves = Vec::new();
    for group in 0..kernel.grid {
        waves.extend(group::run(kernel, group, wave_size, &mut memory));
    }
    Expected { out: memory.out, acc: memory.acc, waves, called: memory.called }
}
