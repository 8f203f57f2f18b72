//! The examples, compiled with the plugin and run in the simulator, leave traces that are sound: numeric markers and
//! names behind wrappers are no losses.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::compiled;
use sqtt_decoder::RemarkKind;
use sqtt_decoder::check::{Severity, check};
use sqtt_decoder::names::Catalog;
use sqtt_decoder::trace::{LoadOptions, discover};
use sqtt_decoder::write::NewFolder;
use sqtt_kernelgen::toolchain::{Build, Llvm, Plugin};
use sqtt_sim::{Arg, Launch, Options, Program, Target, run, write_trace};

struct Example {
    file: &'static str,
    kernel: &'static str,
    block: [u32; 3],
    args: fn() -> Vec<Arg>,
    /// True where it has markers with numbers.
    is_numeric: bool,
}

const EXAMPLES: [Example; 3] = [
    Example {
        file: "tiles.hip",
        kernel: "multiply_tiles",
        block: [16, 16, 1],
        args: || vec![Arg::words(&[1; 1024]), Arg::words(&[2; 1024]), Arg::words(&[0; 1024]), Arg::u32(32)],
        is_numeric: false,
    },
    Example {
        file: "divergent.hip",
        kernel: "collatz",
        block: [64, 1, 1],
        args: || {
            let numbers: Vec<u32> = (0..256).collect();
            vec![Arg::words(&numbers), Arg::words(&[0; 256]), Arg::u32(120)]
        },
        is_numeric: false,
    },
    Example {
        file: "wrappers.hip",
        kernel: "smooth",
        block: [256, 1, 1],
        args: || vec![Arg::words(&[1; 1024]), Arg::words(&[0; 1024]), Arg::u32(500)],
        is_numeric: true,
    },
];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples")
}

/// The source with its own include in it, for a compile without HIP.
fn source(file: &str) -> String {
    let read = |file: &str| std::fs::read_to_string(folder().join(file)).expect("an example");
    let kernel = read("kernel.hpp").replace("#pragma once", "");
    let text = read(file).replace("#include \"kernel.hpp\"", &kernel);
    format!("#define WITHOUT_HIP_RUNTIME\n{text}")
}

#[test]
fn every_example_leaves_a_sound_trace() {
    let shipped: BTreeSet<String> = std::fs::read_dir(folder())
        .expect("the examples")
        .map(|entry| entry.expect("a file").file_name().to_string_lossy().into_owned())
        .filter(|name| name.ends_with(".hip"))
        .collect();
    let known: BTreeSet<String> = EXAMPLES.iter().map(|example| example.file.to_owned()).collect();
    assert_eq!(shipped, known, "an example that is not run");
    for llvm in Llvm::ALL {
        for (target, wave, opt) in
            [(Target::Gfx1100, 32, 2), (Target::Gfx942, 64, 3), (Target::Gfx1200, 32, 0)]
        {
            for example in &EXAMPLES {
                sound(example, llvm, target, wave, opt);
            }
        }
    }
}

fn sound(example: &Example, llvm: Llvm, target: Target, wave: u32, opt: u8) {
    let what = format!("{} on {target}, LLVM {} -O{opt}", example.file, llvm.major());
    let path = llvm.plugin().to_owned();
    let settings = vec![("SQTT_SCOPE_CU", "-1".to_owned())];
    let plugin = Some(Plugin { path, settings });
    let build = Build { llvm, target, wave, opt, debug: true, markers: true, plugin };
    let root = tempfile::tempdir().expect("a folder");
    let object = compiled(&source(example.file), &build);
    let program = Program::load(&object).expect("an object that the simulator can run");
    let grid = [2, if example.block[1] > 1 { 2 } else { 1 }, 1];
    let launch = Launch::over(example.kernel, grid, example.block, (example.args)());
    let result =
        run(&program, &launch, &Options::default()).unwrap_or_else(|error| panic!("{what}: {error}"));
    let traced = root.path().join("traced");
    let new = NewFolder::create(&traced).expect("a new folder");
    write_trace(new, &object, &program, example.kernel, &result).expect("a trace folder");
    let found = discover(&[traced]).expect("what was written");
    let catalog = Catalog::read(&found.code_objects);
    let folder = found.traces().next().expect("a trace").load(&catalog, LoadOptions::default());
    let (findings, ledger) = check(&folder);
    let losses: Vec<_> = findings.iter().filter(|finding| finding.severity == Severity::Loss).collect();
    assert!(losses.is_empty() && ledger.is_lossless(), "{what}: {losses:?}");
    assert_eq!(ledger.count(RemarkKind::NumericMarker) > 0, example.is_numeric, "{what}: {ledger}");
    assert!(folder.waves().map(|wave| wave.record_count()).sum::<usize>() > 50, "{what}");
}
