//! Identity of units: many in one link, two of one prefix, and the same one built again.

use super::{Bench, Done, PARTS, Streams};
use crate::rounds;
use sqtt_decoder::codeobj::Binary;
use sqtt_format::Entry;
use sqtt_kernelgen::toolchain::Llvm;
use sqtt_sim::Target;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

impl Bench {
    /// A source text as a unit of a folder of its own, where the compiler runs.
    fn text(&self, folder: &str, text: &str, more: &[&str]) -> Done {
        let folder = self.path(folder);
        std::fs::create_dir_all(&folder).expect("a folder");
        std::fs::write(folder.join("unit.hip"), text).expect("a file");
        let mut clang = self.clang("unit");
        self.apply(clang.current_dir(&folder).args(["--cuda-device-only", "unit.hip"]), more);
        super::done(&mut clang, folder.join("unit.bc"))
    }

    /// The ids of a file's maps.
    fn ids(&self, file: &Path) -> Vec<Vec<u32>> {
        let funcmaps = Binary::open(file).expect("a file").funcmaps();
        let map = &funcmaps.maps[0];
        assert_eq!(map.warnings, []);
        map.each_map().map(|(map, _)| map.entries().iter().filter_map(Entry::id).collect()).collect()
    }
}

fn unit(number: usize) -> String {
    format!(
        "#include \"shared.hpp\"\n\
         extern \"C\" __device__ __noinline__ int f{number}(int x) {{\n\
           sqtt_scope guard(\"scope {number}\");\n\
           sqtt_marker_data(\"value {number}\", x);\n\
           return x + {number} + 1;\n\
         }}\n"
    )
}

#[test]
fn many_units() {
    let (llvms, count) = if rounds() > 1 { (&Llvm::ALL[..], 300) } else { (&Llvm::ALL[..1], 40) };
    let called: Vec<usize> = (0..20).map(|call| call * (count / 20)).collect();
    let mut kernel = "#include \"shared.hpp\"\n".to_owned();
    for number in &called {
        let _ = writeln!(kernel, "extern \"C\" __device__ int f{number}(int x);");
    }
    kernel.push_str("extern \"C\" __global__ void all(int *out, int x) {\n");
    for number in &called {
        let _ = writeln!(kernel, "  x = f{number}(x);");
    }
    kernel.push_str("  out[__lane()] = x;\n}\n");
    let mut value = 5;
    let mut wanted = Vec::new();
    for number in &called {
        wanted.push(format!("+f{number}() +scope_{number} value_{number}:{value} - -"));
        value += *number as u32 + 1;
    }
    for &llvm in llvms {
        let bench = Bench::new(llvm, Target::Gfx1100);
        let compile = |range: &[usize]| -> Vec<PathBuf> {
            let one = |&number: &usize| bench.text(&format!("unit{number}"), &unit(number), &["-O1"]);
            range.iter().map(one).map(|done| done.unwrap_or_else(|said| panic!("{said}"))).collect()
        };
        let numbers: Vec<usize> = (0..count).collect();
        let (left, right) = numbers.split_at(count / 2);
        let mut units = std::thread::scope(|scope| {
            let other = scope.spawn(|| compile(right));
            [compile(left), other.join().expect("the other half")].concat()
        });
        units.push(bench.text("kernel", &kernel, &["-O1"]).unwrap_or_else(|said| panic!("{said}")));
        let objects = bench.objects(&units);
        for (what, inputs, options) in [
            ("bitcode", &units, &[PARTS][..]),
            ("bitcode, gc", &units, &[PARTS, "--gc-sections"]),
            ("objects", &objects, &[]),
            ("objects, gc", &objects, &["--gc-sections"]),
        ] {
            let what = format!("LLVM {} {what}", llvm.major());
            let linked =
                bench.link("linked.co", inputs, options).unwrap_or_else(|said| panic!("{what}: {said}"));
            let ids = bench.ids(&linked);
            // The kernel's own unit has no marker.
            let own: Vec<&Vec<u32>> = ids.iter().filter(|ids| !ids.is_empty()).collect();
            assert!(own.iter().all(|ids| ids.len() == 3), "{what}: {own:?}");
            // Three markers take two bits.
            let prefixes: BTreeSet<u32> = own.iter().flat_map(|ids| ids.iter().map(|id| id >> 2)).collect();
            assert_eq!((own.len(), prefixes.len()), (count, count), "{what}");
            let names = bench.rows(&linked, &what);
            for number in 0..count {
                for name in [format!("f{number}()"), format!("scope {number}"), format!("value {number}")] {
                    assert_eq!(names.iter().filter(|row| **row == name).count(), 1, "{what}: {name}");
                }
            }
            let ran = bench.run(&std::fs::read(&linked).expect("a file"), "all", &what);
            assert_eq!(ran, Streams { streams: vec![wanted.join(" "); 4], first: value }, "{what}");
        }
    }
}

/// A unit that has no definition of its own.
fn shared_alone(name: &str) -> String {
    format!(
        "#include \"shared.hpp\"\n\
         template <class Type> __global__ void weak(Type *out, Type x) {{\n\
           sqtt_scope guard(\"{name}\");\n\
           out[__lane()] = x;\n\
         }}\n\
         template __global__ void weak(int *, int);\n"
    )
}

#[test]
fn two_units_of_one_prefix() {
    for bench in Bench::both() {
        // HIP's units are never taken for one but by chance: clang names each, and no linker takes two of one name.
        // OpenCL C has no such name, and all that these define is weak.
        let compile = |folder: &str, more: &[&str]| {
            let text = format!(
                "#include \"markers.h\"\n\
                 __attribute__((weak)) kernel void weak(global int *out, int x) {{\n\
                   sqtt_marker_point(\"{folder}\");\n\
                   out[get_local_id(0)] = x;\n\
                 }}\n"
            )
            .replace("get_local_id(0)", "__builtin_amdgcn_workitem_id_x()");
            let place = bench.path(folder);
            std::fs::create_dir_all(&place).expect("a folder");
            std::fs::write(place.join("unit.cl"), text).expect("a file");
            let mut clang = bench.tool("clang");
            clang.args([
                "-x",
                "cl",
                "--target=amdgcn-amd-amdhsa",
                "-nogpulib",
                "-O2",
                "-c",
                "-emit-llvm",
                "unit.cl",
            ]);
            clang.arg(format!("-mcpu={}", bench.target)).arg("-I").arg(commands::root().join("include"));
            clang.arg("-DSQTT_ENABLED=1").arg(bench.llvm.load_plugin()).env("SQTT_ID_SPACE", "unit");
            bench.apply(clang.current_dir(&place), more);
            super::done(&mut clang, place.join("unit.bc")).unwrap_or_else(|said| panic!("{said}"))
        };
        let [one, two] = ["one", "two"].map(|folder| compile(folder, &[]));
        let salted = compile("salted", &["SQTT_UNIT_SALT=1"]);
        let (both, cured) = (vec![one.clone(), two], vec![one, salted]);
        let (both_objects, cured_objects) = (bench.objects(&both), bench.objects(&cured));
        for (both, cured, options) in [
            (&both, &cured, &[PARTS][..]),
            (&both_objects, &cured_objects, &[]),
            (&both_objects, &cured_objects, &["--gc-sections"]),
        ] {
            let said = bench.link("linked.co", both, options).expect_err("one prefix");
            assert!(said.contains("duplicate symbol: ") && said.contains("SQTT_UNIT_SALT"), "{said}");
            let linked = bench.link("linked.co", cured, options).unwrap_or_else(|said| panic!("{said}"));
            let [first, second] = &bench.ids(&linked)[..] else { panic!("two maps are expected") };
            assert!(!first.is_empty() && first.iter().all(|id| !second.contains(id)), "{first:?} {second:?}");
            let ran = bench.run(&std::fs::read(&linked).expect("a file"), "weak", "salted");
            assert_eq!(ran.streams, ["one"; 4]);
        }
    }
}

#[test]
fn ids_of_another_build() {
    for bench in Bench::both() {
        let ids = |folder: &str, text: &str, more: &[&str]| {
            let unit = bench.text(folder, text, more).unwrap_or_else(|said| panic!("{said}"));
            bench.ids(&bench.object(&unit).unwrap_or_else(|said| panic!("{said}"))).concat()
        };
        let text = unit(1);
        let first = ids("here", &text, &[]);
        assert!(first.len() == 3 && first.iter().all(|id| *id > 1 << 20), "{first:?}");
        for (folder, more) in
            [("here", &[][..]), ("there", &[]), ("here", &["-DANYTHING"]), ("there", &["-fuse-cuid=none"])]
        {
            assert_eq!(ids(folder, &text, more), first, "{folder} {more:?}");
        }
        assert_ne!(ids("here", &text, &["SQTT_UNIT_SALT=1"]), first);
        assert_ne!(ids("here", &unit(2), &[]), first);
        // Without a name of its own, clang's for a command is all there is.
        let weak = shared_alone("weak");
        let first = ids("here", &weak, &[]);
        assert_eq!(ids("here", &weak, &[]), first);
        assert_ne!(ids("there", &weak, &[]), first);
        assert_eq!(ids("here", &weak, &["-fuse-cuid=none"]), ids("there", &weak, &["-fuse-cuid=none"]));
    }
}
