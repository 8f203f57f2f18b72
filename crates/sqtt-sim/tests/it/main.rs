//! The simulator on real code objects: the corpus, assembled instructions, errors.
#![expect(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod asm;
mod compiled;
mod corpus;
mod data;
mod errors;
mod float;
mod integer;
mod machine;
mod memory;
mod scalar;
mod scalar_more;
mod vector_more;
