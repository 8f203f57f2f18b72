//! The simulator on real code objects: the corpus, assembled instructions, errors.
#![expect(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod asm;
mod atomics;
mod compare;
mod compiled;
mod corpus;
mod errors;
mod float;
mod float_rest;
mod integer;
mod machine;
mod memory;
mod minmax;
mod scalar;
mod scalar_more;
mod scalar_rest;
mod stopped;
mod trace;
mod vector_more;
mod vector_rest;
mod widths;
