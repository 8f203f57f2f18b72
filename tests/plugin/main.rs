//! The plugin in the programs it is made for: opt, clang, ld.lld and hipcc, of LLVM 22 and 19.

mod addresses;
mod barriers;
mod clock;
mod compile;
mod config;
mod forgotten;
mod funcmap;
mod header;
mod held;
mod hipcc;
mod host;
mod inlining;
mod isa;
mod link;
mod machine;
mod markers;
mod real;
mod shim;
mod symbols;
mod targets;
