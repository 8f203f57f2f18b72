//! Links of units that were compiled differently, or share code.

use super::{Bench, Done, PARTS, PLUGIN, Rows, SCRIPT, Streams, UNITS, code_object, expected};
use std::path::PathBuf;

const OF_C: &str = "+of_c() +of_c c_value:71 +header() +header - - - -";
const ODD: &str = "+odd() +odd - -";

impl Bench {
    /// Runs kernels of a result, whose events are those of the source with some replaced.
    pub(super) fn check_streams(
        &self,
        what: &str,
        linked: &Done,
        kernels: &[&str],
        replaced: &[(&str, &str)],
    ) {
        let what = format!("LLVM {} {} {what}", self.llvm.major(), self.target);
        let object = code_object(linked.as_ref().unwrap_or_else(|said| panic!("{what}: {said}")));
        for kernel in kernels {
            let mut wanted = expected(self, kernel, true);
            for stream in &mut wanted.streams {
                for (from, to) in replaced {
                    *stream = stream.replace(from, to);
                }
                *stream = stream.split_whitespace().collect::<Vec<_>>().join(" ");
            }
            wanted.streams.sort();
            assert_eq!(self.run(&object, kernel, &what), wanted, "{what}");
        }
    }
}

#[test]
fn the_plugin_given_once_and_twice() {
    for bench in Bench::both() {
        let again = bench.llvm.load_plugin();
        for (mode, rows) in [("unit", Rows::PerUnit), ("link", Rows::Kept)] {
            let once = bench.bitcode(mode);
            let twice = UNITS.map(|unit| bench.unit(unit, mode, "twice.bc", &[&again]));
            let is_link = mode == "link";
            for (units, plugins) in [(&once, 2), (&twice, 0), (&twice, 1), (&twice, 2)] {
                if is_link && plugins == 0 {
                    continue;
                }
                let options: Vec<&str> =
                    [PARTS].into_iter().chain([PLUGIN; 2].into_iter().take(plugins)).collect();
                let linked = bench.link("linked.co", units, &options);
                bench.check(&format!("{mode} twice {plugins}"), &linked, rows);
            }
        }
        let linked = bench.link("linked.co", &bench.bitcode("bare"), &[PARTS, PLUGIN, PLUGIN]);
        bench.check("bare twice", &linked, Rows::AtLink);
    }
}

#[test]
fn a_unit_without_the_plugin() {
    for bench in Bench::both() {
        for mode in ["unit", "link"] {
            let [a, b, _] = bench.bitcode(mode);
            let units = [a, b, bench.unit("c", "off", "bc", &[])];
            if mode == "unit" {
                let linked = bench.link("linked.co", &units, &[PARTS]);
                bench.check_streams("c is off", &linked, &["ka", "kb"], &[(OF_C, ""), (ODD, "")]);
                let linked = bench.link("linked.co", &bench.objects(&units), &["--gc-sections"]);
                bench.check_streams("c is off, objects", &linked, &["ka", "kb"], &[(OF_C, ""), (ODD, "")]);
            }
            let linked = bench.link("linked.co", &units, &[PARTS, PLUGIN]);
            let replaced = [(OF_C, "+of_c() -"), (ODD, "+odd() -")];
            bench.check_streams(&format!("{mode}, c at the link"), &linked, &["ka", "kb"], &replaced);
        }
    }
}

#[test]
fn modes_in_one_link() {
    for bench in Bench::both() {
        for modes in [
            ["compact", "unit", "link"],
            ["compact", "link", "unit"],
            ["unit", "compact", "link"],
            ["unit", "link", "compact"],
            ["link", "compact", "unit"],
            ["link", "unit", "compact"],
            ["unit", "compact", "unit"],
            ["auto", "auto", "compact"],
        ] {
            // Ids of the only unit without a prefix are from 1, whatever numbers another one writes.
            let number = if modes[0] == "compact" { "7" } else { "1000" };
            let options = [format!("-DNUMBER={number}")];
            let options = options.each_ref().map(String::as_str);
            let tag = format!("{number}.bc");
            let units: Vec<PathBuf> =
                UNITS.iter().zip(modes).map(|(unit, mode)| bench.unit(unit, mode, &tag, &options)).collect();
            let has_link = modes.contains(&"link");
            let options: Vec<&str> = [PARTS].into_iter().chain(has_link.then_some(PLUGIN)).collect();
            let linked = bench.link("linked.co", &units, &options);
            bench.check_streams(
                &format!("{modes:?}"),
                &linked,
                &["ka", "kb"],
                &[(" 7 ", &format!(" {number} "))],
            );
            let rows = bench.rows(linked.as_ref().expect("it ran"), &format!("{modes:?}"));
            let missing: Vec<String> =
                Rows::Kept.expected().into_iter().filter(|row| !rows.contains(row)).collect();
            assert!(missing.is_empty(), "{modes:?}: {missing:?}");
        }
    }
}

#[test]
fn a_kernel_template_of_two_units() {
    let wanted = "+a_kernel_of_two_units +twice() +twice - - -";
    for bench in Bench::both() {
        for mode in ["unit", "link"] {
            let units = UNITS.map(|unit| bench.unit(unit, mode, "first.bc", &["-DFIRST"]));
            let ways: &[(bool, &[&str])] = if mode == "link" {
                &[(true, &[PARTS, PLUGIN]), (true, &[PARTS, PLUGIN, "--gc-sections"])]
            } else {
                &[
                    (true, &[PARTS]),
                    (true, &[PARTS, "--gc-sections"]),
                    (false, &[]),
                    (false, &["--gc-sections"]),
                    (false, &[SCRIPT]),
                ]
            };
            for (bitcode, options) in ways {
                let inputs = if *bitcode { units.to_vec() } else { bench.objects(&units) };
                let linked = bench.link("linked.co", &inputs, options);
                let what = format!("{mode} {options:?}");
                bench.check_streams(&what, &linked, &["ka", "kb"], &[]);
                if options.contains(&SCRIPT) {
                    continue;
                }
                let object = code_object(linked.as_ref().expect("it ran"));
                let ran = bench.run(&object, "_Z5firstIiEvPT_S0_", &what);
                assert_eq!(ran, Streams { streams: vec![wanted.to_owned(); 4], first: 11 }, "{what}");
            }
        }
    }
}

#[test]
fn a_library_of_two_programs() {
    for bench in Bench::both() {
        for mode in ["unit", "link"] {
            let [a, b, c] = bench.bitcode(mode);
            let bitcode = bench.archive("lib.a", std::slice::from_ref(&c));
            let options: Vec<&str> = [PARTS].into_iter().chain((mode == "link").then_some(PLUGIN)).collect();
            let both = bench.link("both.co", &[a.clone(), b.clone(), bitcode.clone()], &options);
            let one = bench.link("one.co", &[b.clone(), bitcode], &options);
            bench.check_streams(mode, &both, &["ka", "kb"], &[]);
            bench.check_streams(mode, &one, &["kb"], &[]);
            if mode == "unit" {
                let objects = bench.objects(&[a, b, c]);
                let library = bench.archive("objects.a", &objects[2..]);
                let both =
                    bench.link("both.co", &[&objects[..2], std::slice::from_ref(&library)].concat(), &[]);
                let one = bench.link("one.co", &[objects[1].clone(), library], &[]);
                bench.check_streams("objects", &both, &["ka", "kb"], &[]);
                bench.check_streams("objects", &one, &["kb"], &[]);
            }
        }
    }
}
