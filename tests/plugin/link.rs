//! Objects with markers through the linker and the tools that come after it.

use crate::compile::{Source, device, pairs, stdout};
use crate::funcmap::rows;
use commands::{Llvm, command};
use std::path::{Path, PathBuf};

const SOURCE: &str = r#"
#include "markers.hpp"
__device__ __noinline__ int helper(int n) { sqtt_marker_point("helper"); return n * 3; }
__global__ void k(int *p, int n) {
  sqtt_marker_enter("scope");
  p[0] = helper(n);
  sqtt_marker_data("value", n);
  sqtt_marker_exit("scope");
}
"#;

/// The object of one compile.
fn object(llvm: Llvm, target: &str, level: u32, source: &Source) -> PathBuf {
    // clang links what it compiles; to look between, the code generator and the linker are run by hand.
    let (ir, object) = (source.beside("out.ll"), source.beside("out.o"));
    stdout(
        device(llvm, target, level).args(["-g", "-S", "-emit-llvm"]).arg(source.path()).arg("-o").arg(&ir),
    );
    let mut llc = command(llvm.tool("llc"));
    llc.arg(format!("-O{level}"))
        .args(["-verify-machineinstrs", "-filetype=obj"])
        .arg(&ir)
        .arg("-o")
        .arg(&object);
    stdout(&mut llc);
    object
}

fn link(llvm: Llvm, objects: &[&Path], output: &Path) {
    let mut lld = command(llvm.tool("ld.lld"));
    lld.args(["--no-undefined", "-shared"]).args(objects).arg("-o").arg(output);
    stdout(&mut lld);
}

fn expect_rows(path: &Path, what: &str) {
    let found = rows(path);
    assert!(found[0].starts_with("K:_Z1kPii@") && found[0].contains("source.hip:"), "{what}: {found:?}");
    let mut kinds: Vec<String> = found[1..]
        .iter()
        .map(|row| {
            row.split(':')
                .enumerate()
                .filter(|(at, _)| *at != 1)
                .map(|(_, part)| part)
                .collect::<Vec<_>>()
                .join(":")
        })
        .collect();
    kinds.sort();
    assert_eq!(kinds, ["P:helper", "P:value", "R:extra_payload_count=1", "U:scope"], "{what}: {found:?}");
}

#[test]
fn the_map_survives_link_and_strip() {
    let source = Source::hip(SOURCE);
    for (llvm, target) in pairs() {
        for level in 0..4 {
            let what = format!("LLVM {} {target} -O{level}", llvm.major());
            let object = object(llvm, target, level, &source);
            expect_rows(&object, &what);
            let linked = source.beside("out.co");
            link(llvm, &[&object], &linked);
            expect_rows(&linked, &format!("{what} linked"));
            stdout(command(llvm.tool("llvm-strip")).arg("--strip-debug").arg(&linked));
            expect_rows(&linked, &format!("{what} stripped of debug information"));
            stdout(command(llvm.tool("llvm-strip")).arg(&linked));
            expect_rows(&linked, &format!("{what} stripped"));
        }
    }
}

/// Links by clang itself, with either offload driver.
#[test]
fn clang_links_the_map_in_once() {
    let source = Source::hip(SOURCE);
    for (llvm, target) in pairs() {
        for driver in ["--offload-new-driver", "--no-offload-new-driver"] {
            let linked = source.beside("out.co");
            let mut clang = device(llvm, target, 2);
            clang.args(["-gline-tables-only", driver, "-c", "--no-gpu-bundle-output"]);
            stdout(clang.arg(source.path()).arg("-o").arg(&linked));
            expect_rows(&linked, &format!("LLVM {} {target} {driver}", llvm.major()));
        }
    }
}

/// Bitcode carries the map and the markers.
#[test]
fn bitcode_keeps_the_map() {
    let source = Source::hip(SOURCE);
    for llvm in Llvm::ALL {
        let (ir, bitcode, again) = (source.beside("a.ll"), source.beside("a.bc"), source.beside("b.ll"));
        stdout(device(llvm, "gfx1100", 2).args(["-S", "-emit-llvm"]).arg(source.path()).arg("-o").arg(&ir));
        stdout(command(llvm.tool("llvm-as")).arg(&ir).arg("-o").arg(&bitcode));
        stdout(command(llvm.tool("llvm-dis")).arg(&bitcode).arg("-o").arg(&again));
        let read = |path: &Path| {
            let text = std::fs::read_to_string(path).expect("IR");
            // Reading numbers the metadata anew.
            let lines = text.lines().filter(|line| !line.starts_with("; ModuleID") && !line.starts_with('!'));
            lines.map(without_metadata_numbers).collect::<Vec<_>>().join("\n")
        };
        assert_eq!(read(&ir), read(&again));
        assert!(read(&ir).contains(".sqtt_funcmap"));
    }
}

/// A line of IR with every `!17` as `!`, and without the list of a block's predecessors.
fn without_metadata_numbers(line: &str) -> String {
    let line = line.split("; preds").next().unwrap_or_default();
    let mut parts = line.split('!');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| text + "!" + part.trim_start_matches(|digit: char| digit.is_ascii_digit()))
}

/// Relocatable device code: bitcode of two sources, the plugin in each compile, one link. The map of each is there.
#[test]
fn relocatable_device_code_links() {
    let first = Source::hip(SOURCE);
    let second = Source::hip(
        "#include \"markers.hpp\"\n__global__ void l(int *p) { sqtt_scope guard(\"other\"); p[0] = 1; }\n",
    );
    for llvm in Llvm::ALL {
        for level in [0, 2] {
            let bitcode: Vec<PathBuf> = [&first, &second]
                .into_iter()
                .map(|source| {
                    let path = source.beside("out.bc");
                    let mut clang = device(llvm, "gfx1100", level);
                    // A symbol made of the source's path, as without -fuse-cuid=none.
                    clang.args(["-fuse-cuid=hash", "-fgpu-rdc", "-c"]);
                    stdout(clang.arg(source.path()).arg("-o").arg(&path));
                    path
                })
                .collect();
            let linked = first.beside("out.co");
            link(llvm, &[&bitcode[0], &bitcode[1]], &linked);
            let found = rows(&linked);
            for row in ["K:_Z1kPii", "K:_Z1lPi"] {
                assert_eq!(found.iter().filter(|found| *found == row).count(), 1, "{found:?}");
            }
            assert!(found.iter().any(|row| row.ends_with(":other")), "{found:?}");
        }
    }
}

/// ThinLTO: no unit's functions may be ones that another cannot import.
#[test]
fn thin_lto_links() {
    let first = Source::hip(
        "#include \"markers.hpp\"\nextern __device__ int apart(int n);\n\
         __global__ void k(int *p, int n) { sqtt_scope guard(\"outer\"); p[0] = apart(n); }\n",
    );
    let second = Source::hip(
        "#include \"markers.hpp\"\n\
         __device__ int apart(int n) { sqtt_marker_point(\"apart\"); return n * n + 3; }\n\
         __global__ void l(int *p) { sqtt_marker_point(7); p[0] = apart(1); }\n",
    );
    for llvm in Llvm::ALL {
        let bitcode = [&first, &second].map(|source| {
            let path = source.beside("out.bc");
            let mut clang = device(llvm, "gfx1100", 2);
            clang.args(["-fuse-cuid=hash", "-fgpu-rdc", "-foffload-lto=thin", "-c"]);
            stdout(clang.arg(source.path()).arg("-o").arg(&path));
            path
        });
        let linked = first.beside("out.co");
        let mut lld = command(llvm.tool("ld.lld"));
        // As clang calls it.
        lld.args([
            "-m",
            "elf64_amdgpu",
            "--no-undefined",
            "-shared",
            "-plugin-opt=-amdgpu-internalize-symbols",
        ]);
        lld.args(["-plugin-opt=mcpu=gfx1100", "-plugin-opt=thinlto", "-plugin-opt=-force-import-all"]);
        lld.args(["-plugin-opt=-avail-extern-to-local"]);
        stdout(lld.arg("--whole-archive").args(&bitcode).arg("-o").arg(&linked));
        let found = rows(&linked);
        for row in ["K:_Z1kPii", "K:_Z1lPi", ":outer", ":apart"] {
            assert!(
                found.iter().any(|found| found.ends_with(row)),
                "LLVM {}: {row} in {found:?}",
                llvm.major()
            );
        }
    }
}
