//! 150 triples of kernel, target and configuration from a fixed seed, a part of them with LLVM 19: results as without
//! the plugin, streams as the source and the configuration say.

use sqtt_kernelgen::check::{Kind, check_marked, check_plain, expect};
use sqtt_kernelgen::fuzz::{Plan, fuzz_pass};
use sqtt_kernelgen::generate::{Features, generate};
use sqtt_kernelgen::interp::Expected;
use sqtt_kernelgen::setting::{Machine, Masks, Setting};
use sqtt_kernelgen::toolchain::{Llvm, plugin};
use sqtt_sim::Target;

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

/// The comparison itself: what is wrong is seen.
#[test]
fn a_wrong_expectation_is_noticed() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let plugin = plugin(Llvm::V22).unwrap_or_else(|error| panic!("{error}"));
    let machine = Machine { target: Target::Gfx1100, wave: 32 };
    let plain = machine.build(Llvm::V22, 2);
    // Several workgroups, so that some wave is outside of every mask.
    let kernel = (0..).map(|seed| generate(seed, Features::all(true))).find(|kernel| {
        let expected = expect(kernel, 32);
        kernel.grid >= 4 && expected.waves.iter().all(|nodes| nodes.len() > 2)
    });
    let kernel = kernel.expect("there is no end to seeds");
    let right = expect(&kernel, 32);
    let without = check_plain(&kernel, &right, &plain, folder.path())
        .unwrap_or_else(|error| panic!("{error}"))
        .unwrap_or_else(|wrong| panic!("{wrong:?}"));
    let judge = |expected: &Expected, setting: &Setting| {
        let build = Setting::PLAIN.build(&plain, &plugin);
        check_marked(&kernel, expected, &without, &build, setting, folder.path())
            .unwrap_or_else(|error| panic!("{error}"))
            .map_err(|wrong| wrong.kind)
    };
    assert_eq!(judge(&right, &Setting::PLAIN), Ok(()));
    let filtered = Setting { masks: Masks { cu: 1, ..Masks::ALL }, ..Setting::PLAIN };
    assert_eq!(judge(&right, &filtered), Err(Kind::Stream));
    let mut shorter = right.clone();
    shorter.waves[1].pop();
    assert_eq!(judge(&shorter, &Setting::PLAIN), Err(Kind::Stream));
    let mut other = right.clone();
    other.out[0] ^= 1;
    let plain_again =
        check_plain(&kernel, &other, &plain, folder.path()).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(plain_again.map_err(|wrong| wrong.kind).err(), Some(Kind::Result));
}
