//! `cargo xtask fuzz readers`: the targets of `fuzz/` under libFuzzer, one after the other.
//!
//! The corpus starts with real files: code objects, bundles, hosts and archives that LLVM's tools make
//! here. A finding ends the run with an error that names the file with the input.

use crate::setup;
use crate::shell::{self, announce};
use crate::workspace::{cargo, root, target_dir, work_dir};
use anyhow::{Context as _, Result, ensure};
use commands::llvm;
use std::path::{Path, PathBuf};
use std::process::Command;

const TARGETS: [&str; 4] = ["elf", "bundle", "ccob", "funcmap"];

/// Program that the seeds are made of.
const SOURCE: &str = r#"
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
struct dim3 { unsigned x, y, z; };
typedef struct hipStream *hipStream_t;
extern "C" int hipLaunchKernel(const void *, dim3, dim3, void **, SIZE, hipStream_t);
extern "C" int __hipPushCallConfiguration(dim3, dim3, SIZE, hipStream_t);
#ifdef __HIP_DEVICE_COMPILE__
__device__ __attribute__((section(".sqtt_funcmap"), used)) static const char map[] =
    "W:32\nF:1:_Z6helperPi@k.hip:9\nK:_Z4workPi@k.hip:12\nU:3:load\nP:4:sum\nR:4:extra_payload_count=1\n\0K:other\nU:1:x\n";
#endif
__device__ __attribute__((noinline, used)) void helper(int *p) { *p = 1; }
__global__ void work(int *p) { helper(p); }
"#;

/// Runs every target, for `seconds` in all.
pub(crate) fn run(seconds: u64) -> Result<()> {
    announce("packages");
    setup::install(&["device", "demo"])?;
    let fuzz = root().join("fuzz");
    let corpus = seeds(&fuzz)?;
    let tool = cargo_fuzz()?;
    let each = (seconds / TARGETS.len() as u64).max(1);
    for target in TARGETS {
        announce(&format!("{target}: {each} s"));
        run_target(&tool, &fuzz, &corpus, target, each)?;
    }
    announce("no finding");
    Ok(())
}

/// Runs one target. Its last lines say how many inputs it took.
fn run_target(tool: &Path, fuzz: &Path, corpus: &Path, target: &str, seconds: u64) -> Result<()> {
    let mut command = Command::new(tool);
    command.args(["fuzz", "run", "--fuzz-dir"]).arg(fuzz).arg(target).arg(corpus.join(target)).arg("--");
    command.arg(format!("-max_total_time={seconds}"));
    // An input that takes ten seconds or a gigabyte is a finding.
    command.args(["-timeout=10", "-rss_limit_mb=1024", "-print_final_stats=1", "-verbosity=0"]);
    command.current_dir(root()).env("CARGO_TARGET_DIR", target_dir()?.join("fuzz"));
    // cargo-fuzz asks the compiler for a sanitizer, which is unstable.
    command.env("RUSTC_BOOTSTRAP", "1");
    shell::run(&mut command).with_context(|| format!("{target}: a finding, or it does not build"))
}

/// cargo-fuzz: the one that is there, or one of our own.
fn cargo_fuzz() -> Result<PathBuf> {
    let installed = Command::new("cargo-fuzz").arg("--version").output();
    if installed.is_ok_and(|output| output.status.success()) {
        return Ok("cargo-fuzz".into());
    }
    let tools = target_dir()?.join("tools");
    let tool = tools.join("bin/cargo-fuzz");
    if !tool.is_file() {
        announce("cargo-fuzz is not there: building it");
        let mut install = cargo()?;
        install.args(["install", "cargo-fuzz", "--locked", "--root"]).arg(&tools);
        shell::run(&mut install)?;
    }
    Ok(tool)
}

/// Writes what each corpus starts with.
fn seeds(fuzz: &Path) -> Result<PathBuf> {
    announce("seeds");
    let (work, corpus) = (work_dir("fuzz-seeds")?, fuzz.join("corpus"));
    for target in TARGETS {
        std::fs::create_dir_all(corpus.join(target))?;
    }
    let seed = |target: &str, name: &str, parts: &[&[u8]]| {
        std::fs::write(corpus.join(target).join(name), parts.concat())
    };
    let llvm = |name: &str, args: &[&str]| shell::capture(llvm(name).args(args).current_dir(&work));
    std::fs::write(work.join("k.hip"), SOURCE)?;
    let compile = |output: &str, more: &[&str]| {
        let usual =
            ["-x", "hip", "-nogpuinc", "-nogpulib", "-O1", "--offload-arch=gfx1030", "-DSIZE=__SIZE_TYPE__"];
        llvm("clang", &[&usual[..], &["-c", "k.hip", "-o", output], more].concat())
    };
    let device = ["--cuda-device-only", "--no-gpu-bundle-output"];
    let bundle = ["--cuda-device-only", "--gpu-bundle-output", "--offload-arch=gfx90a"];
    compile("k.co", &device)?;
    compile("k.hipfb", &bundle)?;
    compile("k.ccob", &[&bundle[..], &["--offload-compress"]].concat())?;
    compile("k.o", &[])?;
    compile("k.obj", &["--target=x86_64-pc-windows-msvc"])?;
    compile("rdc.o", &["-fgpu-rdc", "--offload-new-driver"])?;
    llvm("llvm-ar", &["rcs", "k.a", "k.co", "k.o"])?;
    let read = |name: &str| std::fs::read(work.join(name));
    for name in ["k.co", "k.o", "rdc.o"] {
        seed("elf", name, &[&read(name)?])?;
    }
    for name in ["k.hipfb", "k.obj", "k.a", "rdc.o", "k.ccob"] {
        // 8: no magic number goes in front.
        seed("bundle", name, &[&[8], &read(name)?])?;
    }
    let compressed = read("k.ccob")?;
    ensure!(compressed.starts_with(b"CCOB"), "clang did not compress");
    seed("ccob", "raw", &[&[1], &compressed[4..]])?;
    let plain = read("k.hipfb")?;
    for choice in [1, 2, 3, 5, 6, 7] {
        seed("ccob", &format!("made{choice}"), &[&[0, choice], &plain[..plain.len().min(0xFFFF)]])?;
    }
    let maps: [&[u8]; 4] = [
        b"W:32\nK:KernelA\nU:1:loop\nP:2:signal\n\0W:32\nK:KernelB\nU:1:loop\nP:2:wait\n\0",
        b"M:shader_clock_bits=12;shader_clock_shift=4\nF:7:scope@a.cpp:1\nU:8:%:a%0Ab\nR:8:extra_payload_count=1\n",
        b"K:A\nU:1:x\nK:B\nU:1:y\nR:9:extra_payload_count=2\nW:64\nP:3:addr_trace_load@x:1 -> y:2\n\0",
        b"plugin=0.1.0\nllvm=22.1.8\nSQTT_SCOPE_CU=0x3\nhash=05ae829ec706491b\n\0",
    ];
    for (index, map) in maps.iter().enumerate() {
        seed("funcmap", &format!("map{index}"), &[map])?;
    }
    Ok(corpus)
}
