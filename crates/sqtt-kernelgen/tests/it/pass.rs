//! 150 triples of kernel, target and configuration from a fixed seed, a part of them with LLVM 19: results as without
//! the plugin, streams as the source and the configuration say.

use sqtt_kernelgen::ast::{Expr, Inlining, Kernel, M0, Stmt, Ty, Un};
use sqtt_kernelgen::check::{Judgement, Kind, check_marked, check_plain, counts_loads, expect};
use sqtt_kernelgen::events::{Event, Node};
use sqtt_kernelgen::fuzz::{Plan, fuzz_pass};
use sqtt_kernelgen::generate::{Features, generate};
use sqtt_kernelgen::host::check_host;
use sqtt_kernelgen::interp::Expected;
use sqtt_kernelgen::setting::{Functions, Machine, Masks, Setting};
use sqtt_kernelgen::silent::check_silent;
use sqtt_kernelgen::toolchain::{Build, Llvm};
use sqtt_sim::Target;

#[test]
fn kernels_trace_what_their_source_says() {
    let failures = tempfile::tempdir().expect("a temporary folder").keep();
    let plan = Plan {
        seed: 30_000,
        count: 150 * crate::rounds(),
        jobs: 2,
        machines: 0,
        llvms: vec![Llvm::V22, Llvm::V19],
        failures: failures.clone(),
        shrink: false,
    };
    let report = fuzz_pass(&plan, &|_| {}).unwrap_or_else(|error| panic!("{error}"));
    let texts: Vec<String> = report.failures.iter().map(ToString::to_string).collect();
    assert!(texts.is_empty(), "{} of {} triples are wrong:\n{}", texts.len(), report.ran, texts.join("\n"));
    assert_eq!((report.kernels, report.ran), (25 * crate::rounds(), 150 * crate::rounds()));
    let subjects: Vec<&str> = report.subjects.keys().copied().collect();
    assert_eq!(
        subjects,
        [
            "M0 asm",
            "host and device",
            "no marker left",
            "scalar loads that are counted",
            "the host's half",
            "values of 16 and 64 bits, floats"
        ]
    );
    // Nothing was put there, so nothing is lost where it cannot be removed.
    let _ = std::fs::remove_dir_all(failures);
}

/// The comparison itself: what is wrong is seen.
#[test]
fn a_wrong_expectation_is_noticed() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let plugin = Llvm::V22.plugin().to_owned();
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
    let plugin = Llvm::V22.plugin().to_owned();
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

/// A kernel of which `is` says that it will do.
fn kernel(is: impl Fn(&Kernel) -> bool) -> Kernel {
    (0..).map(|seed| generate(seed, Features::all(true))).find(is).expect("there is no end to seeds")
}

/// Loads that are scalar no longer, code that is another, a half that does not compile.
#[test]
fn changes_of_the_program_are_noticed() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let plugin = Llvm::V22.plugin().to_owned();
    let plain = Machine { target: Target::Gfx942, wave: 64 }.build(Llvm::V22, 2);
    let of = |setting: &Setting| setting.build(&plain, &plugin);
    let kind = |judged: Judgement<()>| {
        judged.unwrap_or_else(|error| panic!("{error}")).map_err(|wrong| wrong.kind).err()
    };

    // An event before the loads of a loop or a later statement, which for a boundary of asm writes all memory.
    let fence = Setting { boundary: "fence", ..Setting::PLAIN };
    let asm = Setting { boundary: "asm", ..Setting::PLAIN };
    let mut seen = 0;
    for kernel in (0..400).map(|seed| generate(seed, Features::all(true))).filter(|kernel| kernel.uniform) {
        let right = expect(&kernel, 64);
        let without = check_plain(&kernel, &right, &plain, folder.path())
            .unwrap_or_else(|error| panic!("{error}"))
            .unwrap_or_else(|wrong| panic!("{wrong:?}"));
        let judge =
            |build: &Build| kind(check_marked(&kernel, &right, &without, build, &fence, folder.path()));
        assert_eq!(judge(&of(&fence)), None);
        match judge(&of(&asm)) {
            None => {}
            Some(Kind::Loads) => {
                assert!(counts_loads(&kernel, &without, &fence) && !counts_loads(&kernel, &without, &asm));
                seen += 1;
            }
            other => panic!("{other:?}"),
        }
        if seen > 0 {
            break;
        }
    }
    assert_eq!(seen, 1);

    let silent = Setting { functions: Functions::Instructions(1_000_000), ..Setting::PLAIN };
    let loud = Setting { functions: Functions::Instructions(1), ..Setting::PLAIN };
    let kernel = kernel(|kernel| {
        kernel.host && kernel.functions.iter().any(|function| function.inlining == Inlining::Never)
    });
    let bare = kernel.without_markers();
    assert_eq!(kind(check_silent(&bare, &of(&silent), folder.path())), None);
    assert_eq!(kind(check_silent(&bare, &of(&loud), folder.path())), Some(Kind::Bytes));
    assert_eq!(kind(check_silent(&kernel, &of(&silent), folder.path())), Some(Kind::Bytes));

    assert_eq!(kind(check_host(&kernel, &of(&loud), folder.path())), None);
    // Its kernel has a stub on the host, which asks for HIP's headers.
    let device = Kernel { host: false, ..kernel };
    assert_eq!(kind(check_host(&device, &of(&loud), folder.path())), Some(Kind::Host));
}

/// M0 that is not what asm left there, and a payload whose words are others.
#[test]
fn other_values_are_noticed() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let plugin = Llvm::V22.plugin().to_owned();
    let plain = Machine { target: Target::Gfx942, wave: 64 }.build(Llvm::V22, 1);
    let judge = |kernel: &Kernel, expected: &Expected| {
        let without = check_plain(kernel, &expect(kernel, 64), &plain, folder.path())
            .unwrap_or_else(|error| panic!("{error}"))
            .unwrap_or_else(|wrong| panic!("{wrong:?}"));
        let build = Setting::PLAIN.build(&plain, &plugin);
        check_marked(kernel, expected, &without, &build, &Setting::PLAIN, folder.path())
            .unwrap_or_else(|error| panic!("{error}"))
            .map_err(|wrong| wrong.kind)
    };
    let wide = |node: &&mut Node| matches!(node, Node::Event(Event::Data(_, words)) if words.len() == 2);
    let data = kernel(|kernel| expect(kernel, 64).waves[0].iter_mut().any(|node| wide(&node)));
    let right = expect(&data, 64);
    assert_eq!(judge(&data, &right), Ok(()));
    let mut other = right;
    if let Some(Node::Event(Event::Data(_, words))) = other.waves[0].iter_mut().find(wide) {
        words.reverse();
        words[0] ^= 1;
    }
    assert_eq!(judge(&data, &other), Err(Kind::Stream));

    // The host knows what asm leaves in M0: without the plugin another value is wrong already.
    let m0 = kernel(|kernel| kernel.main.body.iter().any(|stmt| matches!(stmt, Stmt::M0(M0::Set(_)))));
    assert_eq!(judge(&m0, &expect(&m0, 64)), Ok(()));
    let mut changed = m0.clone();
    for stmt in &mut changed.main.body {
        if let Stmt::M0(M0::Set(value)) = stmt {
            *value = Expr::Unary(Un::Not, Ty::U32, Box::new(value.clone()));
        }
    }
    let judged = check_plain(&m0, &expect(&changed, 64), &plain, folder.path());
    let judged = judged.unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(judged.map_err(|wrong| wrong.kind).err(), Some(Kind::Result));
}
