//! 150 triples of kernel, target and configuration from a fixed seed, a part of them with LLVM 19: results as without
//! the plugin, streams as the source and the configuration say.

use sqtt_kernelgen::check::{Kind, check_marked, check_plain, expect};
use sqtt_kernelgen::events::Node;
use sqtt_kernelgen::fuzz::{Plan, fuzz_pass};
use sqtt_kernelgen::generate::{Features, generate};
use sqtt_kernelgen::interp::Expected;
use sqtt_kernelgen::setting::{Machine, Masks, Setting};
use sqtt_kernelgen::toolchain::{Build, Llvm, plugin};
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
        let always = |nodes: &Vec<Node>| nodes.iter().filter(|node| matches!(node, Node::Event(_))).count();
        kernel.grid >= 4 && expected.waves.iter().all(|nodes| always(nodes) > 2)
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
    let last = shorter.waves[1].iter().rposition(|node| matches!(node, Node::Event(_)));
    shorter.waves[1].remove(last.expect("it has three"));
    assert_eq!(judge(&shorter, &Setting::PLAIN), Err(Kind::Stream));
    let mut other = right.clone();
    other.out[0] ^= 1;
    let plain_again =
        check_plain(&kernel, &other, &plain, folder.path()).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(plain_again.map_err(|wrong| wrong.kind).err(), Some(Kind::Result));
}

/// Barriers, memory operations and the clock: what is asked for and not there is seen, and the other way round.
#[test]
fn missing_points_and_clocks_are_noticed() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let plugin = plugin(Llvm::V22).unwrap_or_else(|error| panic!("{error}"));
    let machine = Machine { target: Target::Gfx1201, wave: 32 };
    // With barriers, and no data marker, which a clock would rule out.
    let kernel = (0..).map(|seed| generate(seed, Features::all(true))).find(|kernel| {
        let barriers = format!("{:?}", kernel.main.body).contains("Exchange");
        barriers && !kernel.restrict && kernel.without_payloads().is_none()
    });
    let kernel = kernel.expect("there is no end to seeds");
    let right = expect(&kernel, 32);
    for opt in [0, 2] {
        let plain = machine.build(Llvm::V22, opt);
        let without = check_plain(&kernel, &right, &plain, folder.path())
            .unwrap_or_else(|error| panic!("{error}"))
            .unwrap_or_else(|wrong| panic!("{wrong:?}"));
        let judge = |build: &Build, setting: &Setting| {
            check_marked(&kernel, &right, &without, build, setting, folder.path())
                .unwrap_or_else(|error| panic!("{error}"))
                .map_err(|wrong| wrong.kind)
        };
        let of = |setting: &Setting| setting.build(&plain, &plugin);
        let barriers = Setting { barriers: true, ..Setting::PLAIN };
        let memory = Setting { memory: Some((1, 0)), ..Setting::PLAIN };
        let clock = Setting { clock: Some((12, 0)), ..Setting::PLAIN };
        for setting in [&barriers, &memory, &clock] {
            assert_eq!(judge(&of(setting), setting), Ok(()), "-O{opt} {setting}");
        }
        assert_eq!(judge(&of(&Setting::PLAIN), &barriers), Err(Kind::Stream), "-O{opt}");
        assert_eq!(judge(&of(&barriers), &Setting::PLAIN), Err(Kind::Stream), "-O{opt}");
        assert_eq!(judge(&of(&Setting::PLAIN), &clock), Err(Kind::Clock), "-O{opt}");
        assert_eq!(judge(&of(&clock), &Setting::PLAIN), Err(Kind::Clock), "-O{opt}");
        // At -O0 the source says how many memory operations there are.
        let chunks = Setting { memory: Some((2, 100)), ..Setting::PLAIN };
        let missing = judge(&of(&chunks), &memory);
        assert_eq!(missing, if opt == 0 { Err(Kind::Stream) } else { Ok(()) }, "-O{opt}");
        assert_eq!(judge(&of(&memory), &chunks), Ok(()), "-O{opt}");
    }
}
