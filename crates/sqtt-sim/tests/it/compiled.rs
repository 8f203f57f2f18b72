//! Compiled kernels give the same at every optimization level, on every target, in both wave sizes.

use std::path::Path;
use std::process::Command;

use crate::asm;
use sqtt_sim::{Arg, Launch, Options, Program, Target, run};

/// Everything that `kernels.hip` is compiled as.
fn variants() -> Vec<(Target, Vec<&'static str>)> {
    let mut list = Vec::new();
    for target in Target::ALL {
        for level in ["-O0", "-O1", "-O2", "-O3"] {
            list.push((target, vec![level]));
        }
        if target.generation() >= 10 {
            list.push((target, vec!["-O0", "-mwavefrontsize64"]));
            list.push((target, vec!["-O3", "-mwavefrontsize64"]));
        }
    }
    list
}

fn compile(clang: &str, source: &Path, folder: &Path, target: Target, flags: &[&str]) -> Program {
    let object = folder.join("kernels.co");
    let output = Command::new(clang)
        .args(["-x", "hip", "--cuda-device-only", "-nogpuinc", "-nogpulib", "--no-gpu-bundle-output", "-w"])
        .args(["-ffp-contract=off", &format!("--offload-arch={target}")])
        .args(flags)
        .arg(source)
        .arg("-o")
        .arg(&object)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Program::load(&std::fs::read(object).unwrap()).unwrap()
}

fn inputs() -> Vec<u32> {
    let edges = [0, 1, 2, 0xffff_ffff, 0x8000_0000, 0x7fff_ffff, 0xffff, 0x8000, 31, 64];
    (0..64u32)
        .map(|k| if k % 3 == 0 { edges[k as usize / 3 % 10] } else { k.wrapping_mul(0x9e37_79b9) })
        .collect()
}

fn float_inputs() -> Vec<u32> {
    let edges = [0.0, -0.0, 1.0, f32::INFINITY, 1e-45, -1e-39, 3e38, 1e-20, 0.1, -7.5, 65504.0, 2.5];
    let value = |k: usize| if k.is_multiple_of(2) { edges[k / 2 % 12] } else { (k as f32 - 31.5) * 1.37 };
    (0..64).map(|k| value(k).to_bits()).collect()
}

/// Kernel, grid, block, arguments.
fn launches() -> Vec<Launch> {
    let launch = Launch::over;
    let zeros = |n| Arg::words(&vec![0; n]);
    vec![
        launch("calls", [2, 2, 1], [4, 16, 1], vec![Arg::words(&inputs()), zeros(256)]),
        launch("ints", [1, 1, 1], [64, 1, 1], vec![Arg::words(&inputs()), zeros(2048)]),
        launch("floats", [1, 1, 1], [64, 1, 1], vec![Arg::words(&float_inputs()), zeros(2048)]),
        launch("shared", [6, 1, 1], [64, 1, 1], vec![Arg::words(&inputs()), zeros(384), zeros(16)]),
    ]
}

/// A NaN's sign and payload follow the order of operands, which compilers choose.
fn canonical(word: u32) -> u32 {
    if f32::from_bits(word).is_nan() { 0x7fc0_0000 } else { word }
}

#[test]
fn results_agree_across_targets_levels_and_wave_sizes() {
    let clang = asm::clang();
    let folder = tempfile::tempdir().unwrap();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/kernels.hip");
    let mut first: Option<Vec<Vec<u32>>> = None;
    let mut failures = Vec::new();
    for (target, flags) in variants() {
        let program = compile(&clang, &source, folder.path(), target, &flags);
        let unsupported: Vec<_> = program.unsupported().collect();
        assert!(unsupported.is_empty(), "{target} {flags:?}: {unsupported:?}");
        let mut results = Vec::new();
        for launch in launches() {
            let result = run(&program, &launch, &Options::default().threads(2))
                .unwrap_or_else(|e| panic!("{target} {flags:?}: {e}"));
            let float = launch.kernel == "floats";
            for buffer in &result.buffers[1..] {
                results.push(buffer.words().iter().map(|&w| if float { canonical(w) } else { w }).collect());
            }
        }
        let first = first.get_or_insert_with(|| results.clone());
        for (k, (a, b)) in first.iter().zip(&results).enumerate() {
            if let Some(at) = (0..a.len()).find(|&at| a[at] != b[at]) {
                failures.push(format!(
                    "{target} {flags:?}: result {k} word {at}: {:#x}, first {:#x}",
                    b[at], a[at]
                ));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    // And they are right: spot checks computed here.
    let (first, input) = (first.unwrap(), float_inputs());
    for t in 0..64 {
        let [a, b] = [t, (t + 1) & 63].map(|k| f32::from_bits(input[k]));
        let got = f32::from_bits(first[2][t * 32]);
        assert!(got == a / b || got.is_nan() && (a / b).is_nan(), "{a} / {b} = {got}");
        let double = f32::from_bits(first[2][t * 32 + 3]);
        let want = (f64::from(a) / f64::from(b)) as f32;
        assert!(double == want || double.is_nan() && want.is_nan(), "{a} / {b} = {double} in f64");
    }
}

/// The crossbar in wave64: whole waves on gfx9 and gfx12, halves on gfx10 and gfx11.
#[test]
fn lanes_of_wave64_reach_their_half_or_their_wave() {
    let clang = asm::clang();
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("cross.hip");
    let text = "extern \"C\" __attribute__((global)) void k(const int *in, int *out) {\n\
                int t = __builtin_amdgcn_workitem_id_x();\n\
                out[t] = __builtin_amdgcn_ds_bpermute((t ^ 33) * 4, in[t]);\n\
                out[t + 64] = __builtin_amdgcn_readlane(in[t], 40);\n\
                unsigned m = __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0));\n\
                out[t + 128] = m; }\n";
    std::fs::write(&source, text).unwrap();
    for target in Target::ALL {
        let flags: &[&str] = if target.generation() == 9 { &["-O1"] } else { &["-O1", "-mwavefrontsize64"] };
        let program = compile(&clang, &source, folder.path(), target, flags);
        let input: Vec<u32> = (1000..1064).collect();
        let launch = Launch::new("k", 1, 64, vec![Arg::words(&input), Arg::words(&[0; 192])]);
        let result = run(&program, &launch, &Options::default()).unwrap();
        assert_eq!(result.waves.len(), 1);
        let words = result.buffers[1].words();
        let other = if matches!(target.generation(), 10 | 11) { 1 } else { 33 };
        for l in 0..64 {
            assert_eq!(words[l], input[l ^ other], "{target} lane {l}");
            assert_eq!((words[64 + l], words[128 + l]), (1040, l as u32), "{target} lane {l}");
        }
    }
}
