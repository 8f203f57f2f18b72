//! The simulator on real code objects: the corpus, assembled instructions, errors.
//!
//! The name of an instruction leads to its tests: `s_` to `scalar/`, `v_` to `integer/` and `float/`, there to the file of
//! its type; compares, minima and medians have files of their own, and so have atomics and memory.
#![expect(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod asm;
mod atomics;
mod compare;
mod compiled;
mod corpus;
mod coverage;
mod errors;
mod float;
mod grid;
mod image;
mod integer;
mod lds_loads;
mod machine;
mod matrix;
mod memory;
mod minmax;
mod mnemonics;
mod narrow;
mod process;
mod reference;
mod scalar;
mod stopped;
mod trace;
mod widths;
