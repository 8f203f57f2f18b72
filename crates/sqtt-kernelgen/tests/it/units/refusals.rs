//! Links and compiles that fail, and what they say; those of the same units that do not.

use super::{Bench, DRIVERS, Done, PARTS, PLUGIN, Rows, UNITS};
use sqtt_kernelgen::toolchain::Llvm;
use sqtt_sim::Target;
use std::path::PathBuf;

/// The error of a link that lacks the plugin.
const LACKING: [&str; 2] = ["undefined hidden symbol", "link with -Xoffload-linker --load-pass-plugin="];

fn refused(what: &str, result: Done, parts: &[&str]) {
    let said = result.expect_err(what);
    for part in parts {
        assert!(said.contains(part), "{what}: {part:?} is not in\n{said}");
    }
}

/// Options of a compile without a named marker: functions and barriers are what is asked for.
const UNNAMED: &str = "-DSQTT_ENABLED=0";

#[test]
fn a_link_without_the_plugin() {
    for llvm in Llvm::ALL {
        let bench = Bench::new(llvm, Target::Gfx1100);
        for (tag, options) in [
            ("named.bc", &[][..]),
            ("unnamed.bc", &[UNNAMED]),
            ("named.O0.bc", &["-O0"]),
            ("unnamed.O0.bc", &[UNNAMED, "-O0"]),
            ("functions.bc", &[UNNAMED, "SQTT_INSTRUMENT_BARRIERS=0"]),
            ("barriers.bc", &[UNNAMED, "SQTT_INSTRUMENT_FUNCTIONS=off"]),
            ("barriers.O0.bc", &[UNNAMED, "-O0", "SQTT_INSTRUMENT_FUNCTIONS=off"]),
        ] {
            let what = format!("LLVM {} {tag}", llvm.major());
            let units = UNITS.map(|unit| bench.unit(unit, "link", tag, options));
            refused(&what, bench.link("linked.co", &units, &[PARTS]), &LACKING);
            // LLVM 19 crashes at this level, also without markers: "Function register usage analysis".
            if llvm == Llvm::V22 {
                refused(&what, bench.link("linked.co", &units, &["--lto-O0"]), &LACKING);
                let linked = bench.link("linked.co", &units, &["--lto-O0", PLUGIN]);
                linked.as_ref().unwrap_or_else(|said| panic!("{what}: {said}"));
                if tag.starts_with("named") {
                    bench.check_streams(&format!("{what} --lto-O0"), &linked, &["ka", "kb"], &[]);
                }
            }
            let objects = bench.objects(&units);
            refused(&what, bench.link("linked.co", &objects, &[]), &LACKING);
            refused(&what, bench.link("linked.co", &objects, &["--gc-sections"]), &LACKING);
            let joined =
                bench.link("joined.o", &objects, &["-r"]).unwrap_or_else(|said| panic!("{what}: {said}"));
            refused(&what, bench.link("linked.co", &[joined], &[]), &LACKING);
            // Nothing of it is in the way of the link that has the plugin.
            if tag.starts_with("named") {
                let linked = bench.link("linked.co", &units, &[PARTS, PLUGIN]);
                bench.check(&what, &linked, Rows::Kept);
            } else {
                bench
                    .link("linked.co", &units, &[PARTS, PLUGIN])
                    .unwrap_or_else(|said| panic!("{what}: {said}"));
            }
        }
        for driver in DRIVERS {
            let units = UNITS.map(|unit| {
                bench
                    .compile(unit, "link", &format!("{driver}.o"), &[driver])
                    .unwrap_or_else(|said| panic!("{said}"))
            });
            refused(driver, bench.program(&units, &[driver], false), &LACKING);
            let options = [driver, "-foffload-lto=thin", "-DINLINED"];
            let units = UNITS.map(|unit| {
                bench
                    .compile(unit, "link", &format!("{driver}.thin.o"), &options)
                    .unwrap_or_else(|said| panic!("{said}"))
            });
            for plugin in [false, true] {
                let parts = [&LACKING[..], &["not as ThinLTO"]].concat();
                refused(driver, bench.program(&units, &options, plugin), &parts);
            }
        }
    }
}

#[test]
fn settings_of_a_link() {
    for bench in Bench::both() {
        let units = bench.bitcode("link");
        let linked = bench.link(
            "linked.co",
            &units,
            &[
                PARTS,
                PLUGIN,
                "SQTT_INSTRUMENT_FUNCTIONS=off",
                "SQTT_INSTRUMENT_BARRIERS=0",
                "SQTT_SCOPE_WAVE=0",
            ],
        );
        bench.check("another environment at the link", &linked, Rows::Kept);
        let [a, b, _] = units;
        let c = bench.unit("c", "link", "other.bc", &["SQTT_INSTRUMENT_BARRIERS=0"]);
        let parts = ["SQTT_INSTRUMENT_BARRIERS is 1 for ", "/a.hip and 0 for ", "/c.hip"];
        refused("other settings", bench.link("linked.co", &[a, b, c], &[PARTS, PLUGIN]), &parts);
    }
}

#[test]
fn a_shader_clock() {
    for llvm in Llvm::ALL {
        let bench = Bench::new(llvm, Target::Gfx1201);
        let options = ["--cuda-device-only", "SQTT_SHADER_CLOCK_BITS=12", "-DWITHOUT_VALUES"];
        for mode in ["unit", "auto"] {
            let parts = ["SQTT_SHADER_CLOCK_BITS=12", "SQTT_ID_SPACE=link"];
            refused(mode, bench.compile("a", mode, "clock.bc", &options), &parts);
        }
        let units: Vec<PathBuf> =
            UNITS.map(|unit| bench.unit(unit, "link", "clock.bc", &options[1..])).to_vec();
        for more in [&[][..], &["--gc-sections"]] {
            let linked = bench.link("linked.co", &units, &[&[PARTS, PLUGIN], more].concat());
            let values = [(" c_value:71", ""), (" b_value:5", ""), (" a_lane:0", ""), (" a_lane:32", "")];
            bench.check_streams("clock", &linked, &["ka", "kb"], &values);
            let funcmaps =
                sqtt_decoder::codeobj::Binary::open(linked.expect("it ran")).expect("a file").funcmaps();
            let map = funcmaps.maps[0].map.as_ref().expect("a map");
            assert!(map.marker_encoding().has_shader_clock());
        }
    }
}
