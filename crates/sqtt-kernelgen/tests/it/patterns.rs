//! Traces of kernels with real access patterns, and of the shipped examples, as the simulator writes them: every marker is
//! read as it was recorded, every block is whole, its addresses are those of the accesses, and `check` finds nothing.

use crate::compiled;
use sqtt_decoder::check::{Severity, check};
use sqtt_decoder::names::Catalog;
use sqtt_decoder::trace::{LoadOptions, Trace, discover};
use sqtt_decoder::write::NewFolder;
use sqtt_decoder::{Filter, Record};
use sqtt_kernelgen::addresses::{Compared, Points};
use sqtt_kernelgen::setting::{Machine, Setting};
use sqtt_kernelgen::toolchain::Llvm;
use sqtt_sim::{Arg, Launch, Options, Program, RunResult, Target, WaveTrace, write_trace};
use std::collections::HashMap;
use std::path::Path;

const PATTERNS: &str = include_str!("patterns/patterns.hip");
const KERNEL_HPP: &str = include_str!("../../../../examples/kernel.hpp");

const MACHINES: [Machine; 5] = [
    Machine { target: Target::Gfx90a, wave: 64 },
    Machine { target: Target::Gfx942, wave: 64 },
    Machine { target: Target::Gfx1100, wave: 32 },
    Machine { target: Target::Gfx1100, wave: 64 },
    Machine { target: Target::Gfx1201, wave: 32 },
];

fn compile(text: &str, machine: Machine) -> Vec<u8> {
    let plugin = Llvm::V22.plugin().to_owned();
    let setting = Setting { addresses: "memory,lds", debug: true, ..Setting::PLAIN };
    let build = setting.build(&machine.build(Llvm::V22, 2), &plugin);
    compiled(text, &build)
}

/// Runs a kernel, writes its trace, reads that in both forms, and compares. Gives what was compared in one of them, and how
/// many markers have a payload.
fn check_kernel(object: &[u8], launch: &Launch, machine: Machine) -> (Compared, usize) {
    let name = format!("{} {} on {machine:?}", launch.kernel, launch.grid[0]);
    let program = Program::load(object).unwrap_or_else(|error| panic!("{name}: {error}"));
    let options = Options::default().threads(1).accesses(true);
    let result = sqtt_sim::run(&program, launch, &options).unwrap_or_else(|error| panic!("{name}: {error}"));
    let root = tempfile::tempdir().expect("a temporary folder");
    let traced = root.path().join("traced");
    let folder = NewFolder::create(&traced).unwrap_or_else(|error| panic!("{name}: {error}"));
    write_trace(folder, object, &program, &launch.kernel, &result)
        .unwrap_or_else(|error| panic!("{name}: {error}"));
    let points = Points::read(object).unwrap_or_else(|error| panic!("{name}: {error}"));
    let [json, raw] = [traced.join("ui_output_agent_1_dispatch_1"), raw_alone(&traced, root.path())]
        .map(|path| check_trace(&load(&path, &traced), &points, &result, &name));
    assert_eq!(json, raw, "{name}");
    json
}

/// A folder with the raw streams of a trace.
fn raw_alone(traced: &Path, root: &Path) -> std::path::PathBuf {
    let folder = root.join("raw");
    std::fs::create_dir(&folder).expect("a new folder");
    for entry in std::fs::read_dir(traced).expect("a trace").flatten() {
        if entry.path().extension().is_some_and(|extension| extension == "att") {
            std::fs::rename(entry.path(), folder.join(entry.file_name())).expect("a file of the trace");
        }
    }
    folder
}

fn load(trace: &Path, code_objects: &Path) -> Trace {
    let find = |path: &Path| discover(&[path.to_owned()]).expect("a trace");
    let catalog = Catalog::read(&find(code_objects).code_objects);
    let found = find(trace);
    let source = found.traces().next().expect("a trace");
    source.load(&catalog, LoadOptions::default())
}

fn check_trace(folder: &Trace, points: &Points, result: &RunResult, name: &str) -> (Compared, usize) {
    let (findings, ledger) = check(folder);
    assert!(findings.iter().all(|finding| finding.severity == Severity::Remark), "{name}: {ledger}");
    let place = |wave: &WaveTrace| (wave.se, wave.cu, wave.simd, wave.slot, wave.start);
    let mut ran: HashMap<_, &WaveTrace> = result.waves.iter().map(|wave| (place(wave), wave)).collect();
    let (mut compared, mut whole) = (Compared::default(), 0);
    folder.decode(&Filter::default(), |wave, stream| {
        let slot = wave.slot;
        let start = wave.launch.map_or(0, |launch| launch.time) as u64;
        let place = (slot.se, slot.cu.into(), slot.simd.into(), slot.slot.into(), start);
        let ran = ran.remove(&place).unwrap_or_else(|| panic!("{name}: no wave {place:?}"));
        let immediates = wave.records().map(Record::is_immediate);
        // Each header with its payload, as events have them.
        let mut words: Vec<u32> = Vec::new();
        while let Some(event) = stream.next() {
            let Some(raw) = event.raw else { continue };
            assert!(!event.truncated, "{name}: {event:?}");
            assert_eq!(event.time, ran.markers[words.len()].time as i64, "{name}: {event:?}");
            whole += usize::from(!event.payload.is_empty());
            words.push(raw);
            words.extend(event.payload);
        }
        assert!(words.into_iter().eq(ran.markers.iter().map(|marker| marker.value)), "{name}: {place:?}");
        assert!(immediates.eq(ran.markers.iter().map(|marker| marker.immediate)), "{name}: {place:?}");
        let traced = Setting { addresses: "memory,lds", ..Setting::PLAIN }.traced();
        let own = points
            .check(ran, &result.buffers, traced)
            .unwrap_or_else(|error| panic!("{name}: {place:?}: {error}"));
        compared.blocks += own.blocks;
        compared.lanes += own.lanes;
        compared.dropped += own.dropped;
    });
    assert!(ran.is_empty(), "{name}: {} waves are missing", ran.len());
    (compared, whole)
}

/// The kernels of a source.
fn kernels(text: &str) -> Vec<&str> {
    let named = text.split("\nKERNEL ").skip(1);
    named.filter_map(|rest| rest.split_once('(')).map(|(name, _)| name).collect()
}

#[test]
fn real_access_patterns_are_read_whole() {
    let kernels = kernels(PATTERNS);
    assert!(kernels.len() > 15, "{kernels:?}");
    let input: Vec<u32> = (0..2048_u32).map(|k| k.wrapping_mul(2_654_435_761) >> 3).collect();
    let args = [Arg::words(&input), Arg::words(&[0; 8192]), Arg::u32(37)];
    for machine in MACHINES {
        let object = compile(PATTERNS, machine);
        for &kernel in &kernels {
            let (compared, _) = check_kernel(&object, &Launch::new(kernel, 2, 128, args.to_vec()), machine);
            assert!(compared.blocks > 3 && compared.lanes > 40, "{kernel} on {machine:?}: {compared:?}");
        }
    }
}

#[test]
fn the_shipped_examples_are_sound() {
    let examples = [
        include_str!("../../../../examples/tiles.hip"),
        include_str!("../../../../examples/wrappers.hip"),
        include_str!("../../../../examples/divergent.hip"),
    ];
    let numbers: Vec<u32> = (1..=4096).collect();
    let buffer = || Arg::words(&numbers);
    let two = |kernel: &str| Launch::new(kernel, 8, 64, vec![buffer(), buffer(), Arg::u32(500)]);
    let args = vec![buffer(), buffer(), buffer(), Arg::u32(64)];
    let tiles = Launch::over("multiply_tiles", [4, 4, 1], [16, 16, 1], args);
    let launches = [tiles, two("smooth"), two("collatz")];
    for machine in [MACHINES[1], MACHINES[2]] {
        for (source, launch) in examples.iter().zip(&launches) {
            let source = source.replace("#include \"kernel.hpp\"", KERNEL_HPP);
            let object = compile(&format!("#define WITHOUT_HIP_RUNTIME\n{source}"), machine);
            let (compared, whole) = check_kernel(&object, launch, machine);
            if launch.kernel == "multiply_tiles" && machine == MACHINES[2] {
                // A data marker in each of four rounds of 128 waves, and blocks.
                assert_eq!((whole, compared.blocks), (19_072, 19_072 - 512));
            }
        }
    }
}
