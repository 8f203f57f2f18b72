//! 300 kernels from a fixed seed: -O0 and -O3 give what the host gives, each on two of the simulated machines, which
//! take turns.

use sqtt_kernelgen::fuzz::{Plan, fuzz_sim};
use sqtt_kernelgen::toolchain::Llvm;

#[test]
fn kernels_give_what_the_host_gives() {
    let failures = tempfile::tempdir().expect("a temporary folder").keep();
    let plan = Plan {
        seed: 20_000,
        count: 300 * crate::rounds(),
        jobs: 2,
        machines: 2,
        llvms: vec![Llvm::V22],
        failures: failures.clone(),
        shrink: false,
    };
    let report = fuzz_sim(&plan, &|_| {}).unwrap_or_else(|error| panic!("{error}"));
    let texts: Vec<String> = report.failures.iter().map(ToString::to_string).collect();
    assert!(texts.is_empty(), "{} of {} runs are wrong:\n{}", texts.len(), report.ran, texts.join("\n"));
    assert_eq!((report.kernels, report.ran), (300 * crate::rounds(), 1200 * crate::rounds()));
    // Nothing was put there, so nothing is lost where it cannot be removed.
    let _ = std::fs::remove_dir_all(failures);
}
