#![doc = include_str!("../README.md")]
//! # How it works
//!
//! Instructions come as text from `llvm-objdump -d`; there are no encoding tables. A program is decoded once
//! into operands and function pointers, then executed. What is not understood is an error where it is executed:
//! nothing is guessed.
#![deny(unsafe_code)]
#![expect(clippy::needless_range_loop, reason = "lane loops index several rows by one lane")]

mod args;
mod code;
mod counts;
mod coverage;
mod decode;
mod dispatch;
mod env;
mod error;
mod fp;
mod group;
mod image;
mod inst;
mod lanes;
mod launch;
mod load;
mod machine;
mod memory;
mod ops;
mod program;
mod refusal;
mod result;
mod rounds;
mod run;
mod small;
mod summary;
mod target;
mod trace;
mod wave;
mod wide;

pub use args::parse_arg;
pub use counts::{Counter, Counts};
pub use coverage::{CoveredInstruction, Fidelity, coverage_json, write_coverage};
pub use error::{ExecutionError, Fault, SimError};
pub use image::{AddressMode, Image, ImageShape, Numbers, Sampler, TexelBuffer, TexelFormat};
pub use launch::{Arg, Launch, Services};
pub use load::metadata::{KernelArg, KernelInfo};
pub use memory::{Memory, Module};
pub use program::Program;
pub use result::{Access, AccessKind, BufferOut, MarkerRecord, RunResult, WaveTrace};
pub use run::{Host, Options, Outcome, launch, run, run_as_far_as_possible};
pub use summary::write_summary;
pub use target::Target;
pub use trace::{TraceFolderError, raw_streams, write_trace};
