//! M0 is the program's, too: elements of vectors chosen through it are the same with markers between, and no record is
//! an index. On every simulated machine, at four optimization levels, with both compilers, forms and two boundaries.

use sqtt_kernelgen::setting::{Machine, Masks, Setting};
use sqtt_kernelgen::toolchain::{Build, Llvm, plugin};
use sqtt_sim::{Arg, Launch, Options, Program, RunResult};

const SOURCE: &str = include_str!("m0/indexed.hip");
const GROUPS: u32 = 2;
const BLOCK: u32 = 64;
const ROUNDS: u32 = 5;

fn run(build: &Build) -> RunResult {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let object = build
        .compile_text(SOURCE, folder.path())
        .unwrap_or_else(|error| panic!("{error}"))
        .unwrap_or_else(|error| panic!("{build:?}: {error}"));
    let input: Vec<u32> = (0..GROUPS * BLOCK).map(|k| k.wrapping_mul(2_654_435_761) >> 7).collect();
    let args = vec![Arg::words(&input), Arg::words(&vec![0; (GROUPS * BLOCK) as usize]), Arg::u32(ROUNDS)];
    let launch = Launch::new("kern", GROUPS, BLOCK, args);
    let program = Program::load(&object).unwrap_or_else(|error| panic!("{build:?}: {error}"));
    sqtt_sim::run(&program, &launch, &Options { threads: 1, ..Options::default() })
        .unwrap_or_else(|error| panic!("{build:?}: {error}"))
}

/// The words of a wave, as `indexed.hip` says.
fn expected() -> Vec<u32> {
    let round = [400 << 2 | 2, 401 << 2, 401 << 2, 1, 402 << 2];
    (0..ROUNDS).flat_map(|_| round).collect()
}

fn check(plain: &Build, setting: &Setting) {
    let plugin = plugin(plain.llvm).unwrap_or_else(|error| panic!("{error}"));
    let build = setting.build(plain, &plugin);
    let (without, with) = (run(plain), run(&build));
    assert!(without.buffers == with.buffers, "{build:?}: results differ");
    for wave in &with.waves {
        let words: Vec<u32> = wave.markers.iter().map(|record| record.value).collect();
        let expected = if setting.masks.admit(wave) { expected() } else { Vec::new() };
        assert_eq!(words, expected, "{build:?}");
    }
}

#[test]
fn elements_chosen_through_m0_are_the_same_with_markers_between() {
    let settings: Vec<Setting> = ["cfg", "asm"]
        .into_iter()
        .flat_map(|form| ["none", "fence"].map(|boundary| (form, boundary)))
        .flat_map(|(form, boundary)| {
            // Not every workgroup is on the first of the compute units.
            let filtered = Masks { cu: 0xFFFD, ..Masks::ALL };
            [Masks::ALL, filtered].map(|masks| Setting { masks, form, boundary, ..Setting::PLAIN })
        })
        .collect();
    let work: Vec<(Build, &Setting)> = Machine::all()
        .into_iter()
        .flat_map(|machine| [Llvm::V22, Llvm::V19].map(|llvm| (machine, llvm)))
        .flat_map(|(machine, llvm)| (0..4).map(move |opt| machine.build(llvm, opt)))
        // Every machine meets every setting, with one of the levels.
        .zip(settings.iter().cycle())
        .collect();
    std::thread::scope(|scope| {
        for half in work.chunks(work.len().div_ceil(2)) {
            scope.spawn(|| half.iter().for_each(|(build, setting)| check(build, setting)));
        }
    });
}
