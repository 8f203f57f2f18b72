//! Address blocks carry, lane by lane, the addresses that the simulator saw the operation behind them use: every kind of
//! operation, at -O0 and -O2 and both compilers, on every simulated machine in its wave sizes, with and without the filter.
//! Results are the same bits as without the plugin.

use crate::{compiled, launched};
use sqtt_format::AddressKind;
use sqtt_kernelgen::addresses::{Compared, Points};
use sqtt_kernelgen::setting::{Machine, Masks, Setting};
use sqtt_kernelgen::toolchain::{Build, Llvm};
use sqtt_sim::{Access, AccessKind, Arg, Launch, RunResult, Target, WaveTrace};
use std::collections::BTreeSet;

const POINTERS: &str = include_str!("addresses/pointers.hip");
const BUFFERS: &str = include_str!("addresses/buffers.hip");
const MIXED: &str = include_str!("addresses/mixed.hip");
const GROUPS: u32 = 2;
const BLOCK: u32 = 64;
const N: u32 = 37;

fn run(text: &str, build: &Build) -> (Vec<u8>, RunResult) {
    run_kernel(text, build, "kern")
}

fn run_kernel(text: &str, build: &Build, kernel: &str) -> (Vec<u8>, RunResult) {
    let object = compiled(text, build);
    let input: Vec<u32> = (0..1024_u32).map(|k| k.wrapping_mul(2_654_435_761) >> 3).collect();
    let args = vec![Arg::words(&input), Arg::words(&vec![0; 8192]), Arg::u32(N)];
    let result = launched(&object, &Launch::new(kernel, GROUPS, BLOCK, args), build);
    (object, result)
}

/// Compares one build with the same without plugin. Returns what was compared, and the kinds.
fn check(text: &str, plain: &Build, setting: &Setting) -> (Compared, BTreeSet<&'static str>) {
    let plugin = plain.llvm.plugin().to_owned();
    let build = setting.build(plain, &plugin);
    let (_, without) = run(text, plain);
    let (object, result) = run(text, &build);
    assert!(without.buffers == result.buffers, "{build:?}: results differ");
    let points = Points::read(&object).unwrap_or_else(|error| panic!("{build:?}: {error}"));
    let operations = points.operations();
    assert_eq!(points.wave, Some(plain.wave), "{build:?}");
    assert!(operations.iter().all(|(_, _, wave, _)| wave.lanes() == plain.wave), "{build:?}");
    assert!(operations.iter().all(|(id, ..)| points.bytes(*id).is_some()), "{build:?}");
    let mut all = Compared::default();
    for wave in &result.waves {
        if !setting.masks.admit(wave) {
            assert!(wave.markers.is_empty(), "{build:?}");
            continue;
        }
        let compared = points.check(wave, &result.buffers, setting.traced()).unwrap_or_else(|error| {
            panic!("{build:?}: workgroup {:?} wave {}: {error}", wave.workgroup, wave.wave)
        });
        all.blocks += compared.blocks;
        all.lanes += compared.lanes;
        all.dropped += compared.dropped;
    }
    (all, operations.iter().map(|(_, kind, ..)| kind.name()).collect())
}

/// Every machine at -O0 and -O2, one in four with LLVM 19, on two threads.
fn everywhere(work: impl Fn(Build, Setting) + Sync) {
    let builds: Vec<(Build, Setting)> = Machine::all()
        .into_iter()
        .flat_map(|machine| [(machine, 0), (machine, 2)])
        .enumerate()
        .flat_map(|(k, (machine, opt))| {
            let llvm = if k % 4 == 3 && machine.is_known_to(Llvm::V19) { Llvm::V19 } else { Llvm::V22 };
            let all = Setting { addresses: "memory,lds", debug: k % 2 == 0, ..Setting::PLAIN };
            let form = if opt == 0 { "asm" } else { "cfg" };
            let filtered = Setting {
                masks: Masks { cu: 1, ..Masks::ALL },
                form,
                boundary: if k % 2 == 0 { "none" } else { "asm" },
                addresses: "memory,lds",
                ..Setting::PLAIN
            };
            [(machine.build(llvm, opt), all), (machine.build(llvm, opt), filtered)]
        })
        .collect();
    let work = &work;
    std::thread::scope(|scope| {
        for half in builds.chunks(builds.len().div_ceil(2)) {
            scope
                .spawn(move || half.iter().for_each(|(build, setting)| work(build.clone(), setting.clone())));
        }
    });
}

fn names(kinds: &[AddressKind]) -> BTreeSet<&'static str> {
    kinds.iter().map(|kind| kind.name()).collect()
}

#[test]
fn pointers() {
    use AddressKind as K;
    let expected = names(&[
        K::Load,
        K::Store,
        K::Atomic,
        K::LdsLoad,
        K::LdsStore,
        K::LdsAtomic,
        K::DsPermute,
        K::DsBpermute,
    ]);
    everywhere(|build, setting| {
        // Every other build: memory of which LLVM knows that nothing else changes it.
        let restrict = if setting.debug || setting.boundary == "asm" { "__restrict__" } else { "" };
        let text = format!("#define RESTRICT {restrict}\n{POINTERS}");
        let (compared, kinds) = check(&text, &build, &setting);
        assert_eq!(kinds, expected, "{build:?}");
        assert_eq!(compared.dropped, 0, "{build:?} {setting}: {compared:?}");
        assert!(compared.blocks > 40 && compared.lanes > 1000, "{build:?} {setting}: {compared:?}");
    });
}

#[test]
fn buffers() {
    use AddressKind as K;
    let expected = names(&[
        K::BufferLoad,
        K::BufferStore,
        K::BufferAtomic,
        K::StructBufferLoad,
        K::StructBufferStore,
        K::StructBufferAtomic,
    ]);
    everywhere(|build, setting| {
        let (compared, kinds) = check(BUFFERS, &build, &setting);
        // At -O0 a variable of pointers is memory of its own, of which LLVM does not say more.
        let kinds: BTreeSet<_> = kinds.into_iter().filter(|kind| kind.contains("buffer")).collect();
        assert_eq!(kinds, expected, "{build:?}");
        assert_eq!(compared.dropped, 0, "{build:?} {setting}: {compared:?}");
        assert!(compared.blocks > 35 && compared.lanes > 700, "{build:?} {setting}: {compared:?}");
    });
}

/// Each kernel's blocks are as long as its own waves; the `W:` row says the larger size.
#[test]
fn both_wave_sizes_in_one_object() {
    let plugin = Llvm::V22.plugin().to_owned();
    let setting = Setting { addresses: "memory,lds", ..Setting::PLAIN };
    for target in [Target::Gfx1030, Target::Gfx1100, Target::Gfx1201] {
        for opt in [0, 2] {
            let plain = Machine { target, wave: 32 }.build(Llvm::V22, opt);
            for (kernel, lanes) in [("kern", 32), ("wide", 64)] {
                let (_, without) = run_kernel(MIXED, &plain, kernel);
                let (object, result) = run_kernel(MIXED, &setting.build(&plain, &plugin), kernel);
                assert!(without.buffers == result.buffers, "{target} -O{opt} {kernel}: results differ");
                let points = Points::read(&object).unwrap_or_else(|error| panic!("{error}"));
                assert_eq!(points.wave, Some(64));
                assert_eq!(result.waves.len() as u32, GROUPS * BLOCK / lanes, "{target} -O{opt} {kernel}");
                for wave in &result.waves {
                    let compared = points
                        .check(wave, &result.buffers, setting.traced())
                        .unwrap_or_else(|error| panic!("{target} -O{opt} {kernel}: {error}"));
                    assert!(compared.blocks >= 4, "{target} -O{opt} {kernel}: {compared:?}");
                }
            }
        }
    }
}

/// The comparison itself: what is wrong is seen.
#[test]
fn a_wrong_block_is_noticed() {
    let plain = Machine { target: Target::Gfx1100, wave: 32 }.build(Llvm::V22, 2);
    let setting = Setting { addresses: "memory,lds", ..Setting::PLAIN };
    let plugin = Llvm::V22.plugin().to_owned();
    let text = format!("#define RESTRICT\n{POINTERS}");
    let (object, result) = run(&text, &setting.build(&plain, &plugin));
    let points = Points::read(&object).unwrap_or_else(|error| panic!("{error}"));
    let judge = |wave: &WaveTrace| points.check(wave, &result.buffers, setting.traced());
    let right = &result.waves[0];
    let compared = judge(right).unwrap_or_else(|error| panic!("{error}"));
    assert!(compared.blocks > 40, "{compared:?}");

    // The words of the first block: header, EXEC, 32 addresses.
    let mut words = right.clone();
    words.markers[3].value += 4;
    assert!(judge(&words).is_err(), "an address that is another");
    words = right.clone();
    words.markers[1].value &= !1;
    assert!(judge(&words).is_err(), "a lane that is missing");
    words = right.clone();
    words.markers.truncate(60);
    assert!(judge(&words).is_err_and(|what| what.contains("left")), "a block that is cut off");
    words = right.clone();
    words.markers.drain(..67);
    words.accesses.iter_mut().for_each(|access| access.after = access.after.saturating_sub(67));
    assert!(judge(&words).is_err_and(|what| what.contains("has no block")), "an access without a block");

    let stored = |access: &Access| access.kind == AccessKind::LdsStore;
    let mut accesses = right.clone();
    let at = accesses.accesses.iter().position(stored).expect("a store");
    accesses.accesses[at].lanes[5].1 += 4;
    assert!(judge(&accesses).is_err(), "an access that goes elsewhere");
    accesses = right.clone();
    accesses.accesses.remove(at);
    assert!(
        judge(&accesses).is_err_and(|what| what.contains("no access behind it")),
        "a store that is not made"
    );
    accesses = right.clone();
    accesses.accesses[at].after -= 5;
    assert!(
        judge(&accesses).is_err_and(|what| what.contains("between its records")),
        "an access within a block"
    );
}
