//! Memory that kernels see.

use sqtt_sim::Memory;

/// Lets kernels see memory until it is unmapped.
pub(crate) fn show(memory: &mut Memory, base: usize, size: usize, label: String, watched: bool) {
    let start = std::ptr::with_exposed_provenance_mut(base);
    // SAFETY: the memory is this library's allocation, or the program registered it. Both are unmapped before they
    // end: by the free functions here, and by the program, which HIP demands. No Rust reference to it exists.
    unsafe { memory.map(start, size, label, true, watched) };
}
