//! 150 triples of kernel, target and configuration from a fixed seed, a part of them with LLVM 19: results as without
//! the plugin, streams as the source and the configuration say.

use sqtt_kernelgen::fuzz::{Plan, fuzz_pass};
use sqtt_kernelgen::toolchain::Llvm;

#[test]
fn kernels_trace_what_their_source_says() {
    let failures = tempfile::tempdir().expect("a temporary folder").keep();
    let plan = Plan {
        seed: 30_000,
        count: 150,
        jobs: 2,
        machines: 0,
        llvms: vec![Llvm::V22, Llvm::V19],
        failures: failures.clone(),
        shrink: false,
    };
    let report = fuzz_pass(&plan, &|_| {}).unwrap_or_else(|error| panic!("{error}"));
    let texts: Vec<String> = report.failures.iter().map(ToString::to_string).collect();
    assert!(texts.is_empty(), "{} of {} triples are wrong:\n{}", texts.len(), report.ran, texts.join("\n"));
    assert_eq!((report.kernels, report.ran), (25, 150));
    // Nothing was put there, so nothing is lost where it cannot be removed.
    let _ = std::fs::remove_dir_all(failures);
}
