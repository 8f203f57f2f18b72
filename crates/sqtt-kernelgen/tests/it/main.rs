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

/// Factor of random kernels asked for.
fn rounds() -> usize {
    std::env::var("FUZZ_ROUNDS").map_or(1, |rounds| rounds.parse().expect("a number"))
}
