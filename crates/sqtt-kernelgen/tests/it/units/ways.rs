//! Links of units compiled in one way.

use super::{Bench, DRIVERS, PARTS, PLUGIN, Rows, SCRIPT, UNITS};
use sqtt_kernelgen::toolchain::Llvm;
use sqtt_sim::Target;
use std::path::PathBuf;

/// Options of a link of bitcode.
const LTO: [(&str, &[&str]); 4] = [
    ("as clang", &[PARTS]),
    ("one partition", &["--lto-partitions=1"]),
    ("gc", &[PARTS, "--gc-sections"]),
    ("version script", &[PARTS, SCRIPT]),
];

#[test]
fn bitcode() {
    for bench in Bench::all() {
        for (mode, rows, plugin) in [
            ("unit", Rows::PerUnit, false),
            ("unit", Rows::PerUnit, true),
            ("link", Rows::Kept, true),
            ("bare", Rows::AtLink, true),
        ] {
            let units = bench.bitcode(mode);
            let links = if bench.wave() == 64 { &LTO[..1] } else { &LTO[..] };
            for &(name, options) in links {
                let options: Vec<&str> = options.iter().copied().chain(plugin.then_some(PLUGIN)).collect();
                let linked = bench.link("linked.co", &units, &options);
                bench.check(&format!("{mode} {name} plugin {plugin}"), &linked, rows);
            }
            let [a, b, c] = units;
            let library = bench.archive("lib.a", &[b, c]);
            let options: Vec<&str> = ["-u", "kb"].into_iter().chain(plugin.then_some(PLUGIN)).collect();
            let linked = bench.link("linked.co", &[a, library], &options);
            bench.check(&format!("{mode} library plugin {plugin}"), &linked, rows);
        }
    }
}

#[test]
fn objects() {
    for bench in Bench::both() {
        let units = bench.objects(&bench.bitcode("unit"));
        for options in [&[][..], &["--gc-sections"], &[SCRIPT]] {
            let linked = bench.link("linked.co", &units, options);
            bench.check(&format!("objects {options:?}"), &linked, Rows::PerUnit);
        }
        let joined = bench.link("joined.o", &units, &["-r"]).unwrap_or_else(|said| panic!("{said}"));
        for options in [&[][..], &["--gc-sections"], &[SCRIPT]] {
            let linked = bench.link("linked.co", std::slice::from_ref(&joined), options);
            bench.check(&format!("joined objects {options:?}"), &linked, Rows::PerUnit);
        }
        let library = bench.archive("lib.a", &units[1..]);
        let linked = bench.link("linked.co", &[units[0].clone(), library], &["-u", "kb"]);
        bench.check("objects of a library", &linked, Rows::PerUnit);
    }
}

#[test]
fn programs() {
    for llvm in Llvm::ALL {
        let bench = Bench::new(llvm, Target::Gfx1100);
        for driver in DRIVERS {
            for (mode, lto, rows) in [
                ("unit", "", Rows::PerUnit),
                ("link", "", Rows::Kept),
                ("unit", "-foffload-lto=full", Rows::PerUnit),
                ("link", "-foffload-lto=full", Rows::Kept),
                ("unit", "-foffload-lto=thin", Rows::PerUnit),
            ] {
                // LLVM 19 imports no function that is not inlined.
                let inlined = if lto.ends_with("thin") { "-DINLINED" } else { "-UINLINED" };
                let options: Vec<&str> =
                    [driver, inlined, lto].into_iter().filter(|word| !word.is_empty()).collect();
                let what = format!("program {mode} {options:?}");
                let tag = format!("{driver}{lto}.o");
                let units = UNITS.map(|unit| {
                    bench.compile(unit, mode, &tag, &options).unwrap_or_else(|said| panic!("{said}"))
                });
                let link = |inputs: &[PathBuf]| bench.program(inputs, &options, mode == "link");
                bench.check(&what, &link(&units), rows);
                if lto.is_empty() {
                    // LLVM 19's wrapper hands the option to clang.
                    let by_clang = llvm == Llvm::V19 && driver == DRIVERS[0];
                    let gc = if by_clang { "-Wl,--gc-sections" } else { "--gc-sections" };
                    let options = [&options[..], &["-Xoffload-linker", gc]].concat();
                    let linked = bench.program(&units, &options, mode == "link");
                    bench.check(&format!("{what} gc"), &linked, rows);
                    let library = bench.archive("lib.a", &units[1..]);
                    bench.check(&format!("{what} library"), &link(&[units[0].clone(), library]), rows);
                }
            }
        }
    }
}
