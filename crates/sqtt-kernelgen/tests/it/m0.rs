//! M0 is the program's, too: elements of vectors chosen through it are the same with markers between, and no record is
//! an index; and what asm writes to it other asm finds there. On every simulated machine, at four optimization levels,
//! with both compilers, forms and two boundaries.

use crate::{compiled, launched};
use sqtt_kernelgen::setting::{Functions, Machine, Masks, Setting};
use sqtt_kernelgen::toolchain::{Build, Llvm};
use sqtt_sim::{Arg, Launch, RunResult};

const INDEXED: &str = include_str!("m0/indexed.hip");
const ASM: &str = include_str!("m0/asm.hip");
const GROUPS: u32 = 2;
const BLOCK: u32 = 64;
const ROUNDS: u32 = 5;

fn input() -> Vec<u32> {
    (0..GROUPS * BLOCK).map(|k| k.wrapping_mul(2_654_435_761) >> 7).collect()
}

fn run(source: &str, build: &Build) -> RunResult {
    let args = vec![Arg::words(&input()), Arg::words(&vec![0; (GROUPS * BLOCK) as usize]), Arg::u32(ROUNDS)];
    launched(&compiled(source, build), &Launch::new("kern", GROUPS, BLOCK, args), build)
}

/// The words of a wave, as `indexed.hip` says.
fn expected() -> Vec<u32> {
    let round = [400 << 2 | 2, 401 << 2, 401 << 2, 1, 402 << 2];
    (0..ROUNDS).flat_map(|_| round).collect()
}

fn check_indexed(plain: &Build, setting: &Setting) {
    let plugin = plain.llvm.plugin().to_owned();
    let build = setting.build(plain, &plugin);
    let (without, with) = (run(INDEXED, plain), run(INDEXED, &build));
    assert!(without.buffers == with.buffers, "{build:?}: results differ");
    for wave in &with.waves {
        let words: Vec<u32> = wave.markers.iter().map(|record| record.value).collect();
        let expected = if setting.masks.admit(wave) { expected() } else { Vec::new() };
        assert_eq!(words, expected, "{build:?}");
    }
}

/// The sum of a lane, as `asm.hip` says.
fn sum(id: u32) -> u32 {
    let rounds = input().into_iter().take(ROUNDS as usize);
    rounds.fold(id, |sum, value| sum.wrapping_mul(31).wrapping_add(value.wrapping_add(12)) ^ value ^ 5)
}

fn check_asm(plain: &Build, setting: &Setting) {
    let plugin = plain.llvm.plugin().to_owned();
    let build = setting.build(plain, &plugin);
    let with = run(ASM, &build);
    let sums: Vec<u32> = (0..GROUPS * BLOCK).map(sum).collect();
    let out = with.buffers.iter().find(|buffer| buffer.arg == 1).expect("the second argument");
    assert_eq!(out.words(), sums, "{build:?}");
    for wave in &with.waves {
        let written = wave.markers.iter().filter(|record| record.value == 401 << 2).count();
        let expected = if setting.masks.admit(wave) { ROUNDS as usize } else { 0 };
        assert_eq!(written, expected, "{build:?}");
    }
}

/// Every machine meets every setting, with one of the levels.
fn everywhere(settings: &[Setting], check: fn(&Build, &Setting)) {
    let work: Vec<(Build, &Setting)> = Machine::all()
        .into_iter()
        .flat_map(|machine| [Llvm::V22, Llvm::V19].map(|llvm| (machine, llvm)))
        .filter(|(machine, llvm)| machine.is_known_to(*llvm))
        .flat_map(|(machine, llvm)| (0..4).map(move |opt| machine.build(llvm, opt)))
        .zip(settings.iter().cycle())
        .collect();
    std::thread::scope(|scope| {
        for half in work.chunks(work.len().div_ceil(2)) {
            scope.spawn(|| half.iter().for_each(|(build, setting)| check(build, setting)));
        }
    });
}

/// Not every workgroup is on the first of the compute units.
const FILTERED: Masks = Masks { cu: 0xFFFD, ..Masks::ALL };

#[test]
fn elements_chosen_through_m0_are_the_same_with_markers_between() {
    let settings: Vec<Setting> = ["cfg", "asm"]
        .into_iter()
        .flat_map(|form| ["none", "fence"].map(|boundary| (form, boundary)))
        .flat_map(|(form, boundary)| {
            [Masks::ALL, FILTERED].map(|masks| Setting { masks, form, boundary, ..Setting::PLAIN })
        })
        .collect();
    everywhere(&settings, check_indexed);
}

#[test]
fn asm_finds_m0_as_asm_left_it() {
    let asm = Setting { form: "asm", masks: FILTERED, ..Setting::PLAIN };
    let settings = [
        Setting { masks: Masks::ALL, ..asm.clone() },
        Setting { form: "cfg", ..asm.clone() },
        Setting {
            functions: Functions::Instructions(1),
            barriers: true,
            memory: Some((1, 0)),
            ..asm.clone()
        },
        Setting { addresses: "memory,lds", ..asm.clone() },
        Setting { masks: Masks { simd: 0x5, ..FILTERED }, boundary: "none", ..asm.clone() },
        Setting { functions: Functions::Instructions(1), form: "cfg", boundary: "asm", ..asm.clone() },
        Setting { addresses: "memory,lds", masks: Masks::ALL, barriers: true, ..asm },
    ];
    everywhere(&settings, check_asm);
}
