//! A real hipcc: AMD's script and headers from Debian, driving LLVM 22.
//!
//! The script looks for a clang 15; it is shown a folder of links that looks like one. Its device libraries know
//! gfx90a and gfx1030.

use crate::compile::{Source, run, text};
use crate::funcmap::rows;
use commands::{Llvm, command};
use std::path::{Path, PathBuf};
use std::process::Command;

const BITCODE: &str = "/usr/lib/x86_64-linux-gnu/amdgcn/bitcode";

const PROGRAM: &str = r#"
#include <hip/hip_runtime.h>
#include "markers.hpp"
#include <cstdio>

__device__ void stage(const char *name, float *data) {
  sqtt_scope guard(name);
  data[threadIdx.x] *= 2.0f;
}

__global__ void scale(float *data, int n) {
  __shared__ float tile[64];
  sqtt_marker_enter("load");
  tile[threadIdx.x] = data[threadIdx.x];
  sqtt_marker_exit("load");
  sqtt_marker_enter("wait");
  __syncthreads();
  sqtt_marker_exit("wait");
  if (static_cast<int>(threadIdx.x) < n) {
    sqtt_marker_point("active");
    data[threadIdx.x] = tile[63 - threadIdx.x];
  }
  stage("double", data);
  sqtt_marker_data("count", static_cast<uint32_t>(n));
}

int main() {
  float *data = nullptr;
  if (hipMalloc(&data, 64 * sizeof(float)) != hipSuccess) {
    std::puts("no device");
    return 0;
  }
  hipLaunchKernelGGL(scale, dim3(1), dim3(64), 0, 0, data, 32);
  return hipDeviceSynchronize() == hipSuccess ? 0 : 1;
}
"#;

/// hipcc for one target, with `folder` to put the links into.
fn hipcc(folder: &Path, target: &str) -> Command {
    let (script, runtime) = (Path::new("/usr/bin/hipcc"), Path::new("/usr/include/hip/hip_runtime.h"));
    assert!(script.is_file(), "hipcc is missing: apt-get install hipcc");
    assert!(runtime.is_file(), "HIP's headers are missing: apt-get install libamdhip64-dev");
    assert!(Path::new(BITCODE).is_dir(), "device libraries are missing: apt-get install rocm-device-libs");
    Llvm::V22.tool("clang-offload-bundler");
    let mut hipcc = commands::hipcc(folder, target).expect("links to LLVM's programs");
    hipcc.arg("-I").arg(commands::root().join("include")).arg("-DSQTT_ENABLED=1");
    hipcc.arg(Llvm::V22.load_plugin());
    hipcc
}

/// Takes the code object of a target out of an executable, with LLVM's tools.
fn code_object(source: &Source, executable: &Path, target: &str) -> PathBuf {
    let (bundle, object) = (source.beside("fat.hipfb"), source.beside(&format!("{target}.co")));
    let copy = source.beside("copy");
    let mut objcopy = command(Llvm::V22.tool("llvm-objcopy"));
    objcopy.arg(format!("--dump-section=.hip_fatbin={}", bundle.display())).arg(executable).arg(copy);
    crate::compile::stdout(&mut objcopy);
    let mut bundler = command(Llvm::V22.tool("clang-offload-bundler"));
    bundler.args(["--type=o", "--unbundle"]).arg(format!("--input={}", bundle.display()));
    bundler.arg(format!("--targets=hipv4-amdgcn-amd-amdhsa--{target}"));
    bundler.arg(format!("--output={}", object.display()));
    crate::compile::stdout(&mut bundler);
    object
}

const ROWS: [&str; 6] = ["U:load", "U:wait", "U:double", "P:active", "P:count", "R:extra_payload_count=1"];

/// Without the ids, which differ between levels.
fn without_ids(rows: &[String]) -> Vec<String> {
    rows.iter()
        .map(|row| match row.split(':').collect::<Vec<_>>()[..] {
            [kind, _, rest] if kind != "K" => format!("{kind}:{rest}"),
            _ => row.clone(),
        })
        .collect()
}

fn build(target: &str, arguments: &[&str]) -> (Source, PathBuf) {
    build_with(target, arguments, &[])
}

fn build_with(target: &str, arguments: &[&str], settings: &[(&str, &str)]) -> (Source, PathBuf) {
    let source = Source::hip(PROGRAM);
    let executable = source.beside("app");
    let mut hipcc = hipcc(&source.beside("clang"), target);
    hipcc.envs(settings.iter().copied()).args(arguments);
    let output = run(hipcc.arg(source.path()).arg("-o").arg(&executable));
    assert!(output.status.success(), "{hipcc:?}:\n{}", text(&output.stderr));
    let said = text(&output.stderr);
    assert!(!said.contains("sqtt") && !said.contains("unnamed"), "{said}");
    (source, executable)
}

fn check(target: &str, arguments: &[&str]) {
    let (source, executable) = build(target, arguments);
    let found = rows(&code_object(&source, &executable, target));
    let names = without_ids(&found);
    assert_eq!(names.iter().filter(|row| row.starts_with("K:_Z5scalePfi")).count(), 1, "{found:?}");
    for row in ROWS {
        assert_eq!(
            names.iter().filter(|name| *name == row).count(),
            1,
            "{target} {arguments:?}: {row} in {found:?}"
        );
    }
    assert_eq!(names.len(), ROWS.len() + 1, "{target} {arguments:?}: {found:?}");
}

#[test]
fn gfx1030_executable_has_the_map() {
    check("gfx1030", &["-O2"]);
}

#[test]
fn gfx90a_executable_has_the_map() {
    check("gfx90a", &["-O2"]);
}

#[test]
fn unoptimized_executable_has_the_map() {
    check("gfx1030", &["-O0"]);
}

#[test]
fn debug_executable_has_the_map() {
    check("gfx90a", &["-O3", "-g"]);
}

#[test]
fn new_offload_driver_has_the_map() {
    let (source, executable) = build("gfx1030", &["-O2", "--offload-new-driver"]);
    let found = without_ids(&rows(&code_object(&source, &executable, "gfx1030")));
    assert!(ROWS.iter().all(|row| found.iter().any(|name| name == row)), "{found:?}");
}

/// `__syncthreads` is one barrier, and the kernel's accesses have their points; at -O0 private memory has none.
#[test]
fn barriers_and_memory_operations_are_marked() {
    let settings =
        [("SQTT_INSTRUMENT_BARRIERS", "1"), ("SQTT_INSTRUMENT_MEMORY", "1:0"), ("SQTT_SCOPE_CU", "-1")];
    for (target, level) in [("gfx1030", "-O2"), ("gfx90a", "-O0")] {
        let (source, executable) = build_with(target, &[level], &settings);
        let object = code_object(&source, &executable, target);
        let found = without_ids(&rows(&object));
        for row in ["P:barrier", "P:vmem_load", "P:vmem_store"] {
            assert_eq!(found.iter().filter(|name| *name == row).count(), 1, "{target} {level}: {found:?}");
        }
        let mut objdump = command(Llvm::V22.tool("llvm-objdump"));
        let code = crate::compile::stdout(objdump.arg("--disassemble-symbols=_Z5scalePfi").arg(&object));
        // Of the kernel: two scopes in three records, a point, a header with payload, a load and a store. At -O2 also what was inlined: a
        // scope, a barrier, a load and a store more.
        let records = code.matches("s_ttracedata").count();
        assert_eq!(records, if level == "-O0" { 8 } else { 13 }, "{target} {level}:\n{code}");
    }
}

/// A wrong variable fails the whole command, and only its device half speaks of it.
#[test]
fn a_wrong_variable_fails_the_command() {
    let source = Source::hip(PROGRAM);
    let mut hipcc = hipcc(&source.beside("clang"), "gfx1030");
    hipcc
        .arg("-O2")
        .arg(source.path())
        .arg("-o")
        .arg(source.beside("app"))
        .env("SQTT_MEM_BARRIER", "nonsense");
    let output = run(&mut hipcc);
    let said = text(&output.stderr);
    assert!(!output.status.success(), "{said}");
    assert_eq!(said.matches("SQTT_MEM_BARRIER=nonsense").count(), 1, "{said}");
}

/// The executable starts: what the plugin left in the host half is nothing.
#[test]
fn the_executable_runs() {
    let (_source, executable) = build("gfx1030", &["-O2"]);
    let output = run(&mut command(&executable));
    assert!(output.status.code().is_some(), "{output:?}");
}
