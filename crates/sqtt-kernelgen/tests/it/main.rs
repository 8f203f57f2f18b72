//! Kernels compiled with and without the plugin, and run in the simulator.

mod addresses;
mod examples;
mod first_use;
mod header;
mod m0;
mod memory_findings;
mod pass;
mod patterns;
mod sim;
