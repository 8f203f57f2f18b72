//! The header from a kernel's source to its records: values of every type, names from tables, exits and enters in one
//! word, and the same in C and OpenCL C. The words are compared with what the sources beside this file say.

use crate::{compiled, launched};
use sqtt_decoder::sqtt_format::{Funcmap, Marker};
use sqtt_kernelgen::toolchain::{Build, Llvm, Plugin};
use sqtt_sim::{Arg, Launch, RunResult, Target};
use std::path::{Path, PathBuf};

const BLOCK: u32 = 64;
const N: u32 = 5;
const INPUT: u32 = 6;

fn run(object: &[u8], what: &str) -> RunResult {
    let args = vec![Arg::words(&[INPUT; 64]), Arg::words(&[0; 64]), Arg::u32(N)];
    launched(object, &Launch::new("kern", 1, BLOCK, args), &what)
}

fn funcmap(object: &[u8], folder: &Path) -> Funcmap {
    let path = folder.join("object.co");
    std::fs::write(&path, object).expect("a file");
    let binary = sqtt_decoder::codeobj::Binary::open(&path).expect("a code object");
    binary.funcmaps().maps.remove(0).map.expect("a map")
}

/// The events of a wave's words: `+name`, `-`, `-+name`, `name`, numbers for names, payload in brackets.
fn events(words: &[u32], map: &Funcmap) -> Vec<String> {
    let mut events = Vec::new();
    let mut words = words.iter().copied();
    while let Some(word) = words.next() {
        let marker = Marker::from_word(word);
        if marker == Marker::EXIT {
            events.push("-".to_owned());
            continue;
        }
        let entry = map.find(marker.id);
        let name =
            entry.map_or(marker.id.to_string(), |entry| String::from_utf8_lossy(entry.name()).into_owned());
        let flags = format!("{}{}", if marker.exit { "-" } else { "" }, if marker.enter { "+" } else { "" });
        let payload: Vec<String> = (0..map.payload_count(marker.id))
            .map(|_| format!("{:#x}", words.next().expect("a payload")))
            .collect();
        let payload =
            if payload.is_empty() { String::new() } else { format!(" {payload:?}").replace('"', "") };
        events.push(format!("{flags}{name}{payload}"));
    }
    events
}

fn data(name: &str, words: &[u32]) -> String {
    format!("{name} {:?}", words.iter().map(|word| format!("{word:#x}")).collect::<Vec<_>>()).replace('"', "")
}

fn wide(name: &str, bits: u64) -> String {
    data(name, &[bits as u32, (bits >> 32) as u32])
}

/// The events of a wave of `values.hip` whose first lane is work-item `first`, with its buffer at `out`.
fn expected(first: u32, out: u64) -> Vec<String> {
    let mut events = vec![
        data("float", &[1.5_f32.to_bits()]),
        wide("pi", std::f64::consts::PI.to_bits()),
        wide("double", 0.75_f64.to_bits()),
        data("half", &[1.5_f32.to_bits()]),
        data("half class", &[1.5_f32.to_bits()]),
        wide("long", (i64::from(INPUT) - 0x1_0000_0000).cast_unsigned()),
        wide("unsigned long long", u64::from(INPUT) << 32 | u64::from(INPUT)),
        wide("pointer", out),
        data("short", &[(-7_i32).cast_unsigned()]),
        data("bool", &[1]),
        data("plain", &[3]),
        data("scoped", &[(-2_i32).cast_unsigned()]),
        wide("wide", 0x1_0000_0002),
        data("lane", &[((first + 1) as f32).to_bits()]),
        data("doubled", &[INPUT]),
    ];
    for turn in 0..N {
        events.push(format!("+{}", ["load", "multiply", "add", "store"][turn as usize & 3]));
        events.push("-".to_owned());
    }
    let lane = format!("-+{}", first + 1000);
    events.extend(
        ["three", "+first", "-+second", "-+100", "-+named", &lane, "-"].iter().map(|&event| event.to_owned()),
    );
    events
}

#[test]
fn values_tables_and_pairs() {
    for llvm in Llvm::ALL {
        for (target, wave) in [(Target::Gfx1100, 32), (Target::Gfx942, 64)] {
            for opt in [0, 2] {
                let path = llvm.plugin().to_owned();
                let settings = vec![("SQTT_SCOPE_CU", "-1".to_owned())];
                let plain = Build { llvm, target, wave, opt, debug: false, markers: false, plugin: None };
                let build = Build { markers: true, plugin: Some(Plugin { path, settings }), ..plain.clone() };
                let what = format!("LLVM {} {target} -O{opt}", llvm.major());
                let folder = tempfile::tempdir().expect("a folder");
                let compile = |build: &Build| compiled(include_str!("header/values.hip"), build);
                let (object, without) = (compile(&build), run(&compile(&plain), &what));
                let result = run(&object, &what);
                let bytes =
                    |result: &RunResult| result.buffers.iter().map(|it| it.bytes.clone()).collect::<Vec<_>>();
                assert_eq!(bytes(&result), bytes(&without), "{what}");
                let map = funcmap(&object, folder.path());
                for traced in &result.waves {
                    let words: Vec<u32> = traced.markers.iter().map(|marker| marker.value).collect();
                    let made = events(&words, &map);
                    // Where the simulator puts the buffer is its own affair, below 2^48.
                    let address = made[7].clone();
                    let mut wanted = expected(traced.wave * wave, 0);
                    assert!(
                        address.starts_with("pointer [0x") && address.contains(", 0x"),
                        "{what}: {address}"
                    );
                    wanted[7] = address;
                    assert_eq!(made, wanted, "{what} wave {}", traced.wave);
                }
                assert_eq!(result.waves.len() as u32, BLOCK / wave);
            }
        }
    }
}

#[test]
fn c_and_opencl() {
    let expected = || -> Vec<String> {
        let mut events = vec![
            "+scope".to_owned(),
            "7".to_owned(),
            data("float", &[1.5_f32.to_bits()]),
            wide("double", (-0.1_f64).to_bits()),
            data("unsigned", &[INPUT]),
            wide("long", (-2_i64).cast_unsigned()),
        ];
        events.extend(["-+100", "-", "some"].map(str::to_owned));
        events
    };
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/header");
    let include = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../include");
    for llvm in Llvm::ALL {
        let clang = PathBuf::from(format!("/usr/lib/llvm-{}/bin/clang", llvm.major()));
        let path = llvm.plugin().to_owned();
        for target in ["gfx1100", "gfx942"] {
            for (file, language) in [
                ("markers.c", &["-x", "c", "-std=c99"][..]),
                ("markers.c", &["-x", "c", "-std=c23"]),
                ("markers.cl", &["-x", "cl", "-cl-std=CL1.2"]),
                ("markers.cl", &["-x", "cl", "-cl-std=CL2.0"]),
                ("markers.cl", &["-x", "cl", "-cl-std=CL3.0"]),
            ] {
                for level in ["-O0", "-O2"] {
                    let what = format!("LLVM {} {target} {language:?} {level}", llvm.major());
                    let folder = tempfile::tempdir().expect("a folder");
                    let object = folder.path().join("kernel.co");
                    let compile = |enabled: &str, plugin: Option<&Path>| {
                        let mut command = commands::command(&clang);
                        command.env("SQTT_SCOPE_CU", "-1").args(language).arg(level);
                        command.args([
                            "--target=amdgcn-amd-amdhsa",
                            "-nogpulib",
                            "-Wall",
                            "-Wextra",
                            "-Werror",
                        ]);
                        command.arg(format!("-mcpu={target}")).arg(enabled).arg("-I").arg(&include);
                        command.args(plugin.map(|path| format!("-fpass-plugin={}", path.display())));
                        command.arg(tests.join(file)).arg("-o").arg(&object);
                        let output = command.output().expect("clang starts");
                        let said = String::from_utf8_lossy(&output.stderr).into_owned();
                        (output.status.success(), said)
                    };
                    // Without the plugin the call is an error at its line; without markers there is nothing.
                    let (done, said) = compile("-DSQTT_ENABLED=1", None);
                    assert!(
                        !done && said.contains(&format!("{file}:")) && said.contains("-fpass-plugin="),
                        "{what}"
                    );
                    assert_eq!(compile("-DSQTT_ENABLED=0", None), (true, String::new()), "{what}");
                    let off = run(&std::fs::read(&object).expect("an object"), &what);
                    assert!(off.waves.iter().all(|wave| wave.markers.is_empty()), "{what}");
                    assert_eq!(compile("-DSQTT_ENABLED=1", Some(&path)), (true, String::new()), "{what}");
                    let object = std::fs::read(&object).expect("an object");
                    let result = run(&object, &what);
                    assert_eq!(result.buffers[1].bytes, off.buffers[1].bytes, "{what}");
                    let map = funcmap(&object, folder.path());
                    for wave in &result.waves {
                        let words: Vec<u32> = wave.markers.iter().map(|marker| marker.value).collect();
                        assert_eq!(events(&words, &map), expected(), "{what}");
                    }
                }
            }
        }
    }
}
