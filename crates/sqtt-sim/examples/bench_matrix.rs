//! Speed of simulated matrix instructions: a loop of one instruction each, on one thread.
//!
//! Prints GFLOP/s (2 M N K for an instruction) of the time that the thread has a core. The goal is 5 with `v_mfma_f32_32x32x8_f16` and
//! `v_mfma_f32_16x16x16_f16`. Needs clang-22 and llvm-objdump.
#![expect(clippy::unwrap_used, reason = "a measurement that cannot go on stops")]

use std::process::Command;
use std::time::Instant;

use sqtt_sim::{Arg, Launch, Options, Program, run};

/// An instruction, its target, and M N K.
const CASES: [(&str, &str, u64); 9] = [
    ("gfx942", "v_mfma_f32_32x32x8_f16 a[0:15], v[2:3], v[4:5], a[0:15]", 32 * 32 * 8),
    ("gfx942", "v_mfma_f32_16x16x16_f16 a[0:3], v[2:3], v[4:5], a[0:3]", 16 * 16 * 16),
    ("gfx942", "v_mfma_f32_32x32x8_bf16 a[0:15], v[2:3], v[4:5], a[0:15]", 32 * 32 * 8),
    ("gfx942", "v_mfma_f32_32x32x2_f32 a[0:15], v2, v4, a[0:15]", 32 * 32 * 2),
    ("gfx942", "v_mfma_f32_32x32x16_fp8_fp8 a[0:15], v[2:3], v[4:5], a[0:15]", 32 * 32 * 16),
    ("gfx942", "v_mfma_i32_32x32x16_i8 a[0:15], v[2:3], v[4:5], a[0:15]", 32 * 32 * 16),
    ("gfx942", "v_mfma_f64_16x16x4_f64 a[0:7], v[2:3], v[4:5], a[0:7]", 16 * 16 * 4),
    ("gfx950", "v_mfma_f32_32x32x64_f8f6f4 a[0:15], v[2:9], v[10:17], a[0:15]", 32 * 32 * 64),
    ("gfx1200", "v_wmma_f32_16x16x16_f16 v[20:27], v[2:5], v[6:9], v[20:27]", 16 * 16 * 16),
];

/// Instructions in a loop's body, and turns of the loop.
const UNROLLED: u64 = 32;
const TURNS: u64 = 2000;

fn source(target: &str, text: &str) -> String {
    let wave = if target.starts_with("gfx9") { 64 } else { 32 };
    let extra = if wave == 64 { ".amdhsa_accum_offset 64" } else { ".amdhsa_wavefront_size32 1" };
    let body = format!("\t{text}\n").repeat(UNROLLED as usize);
    format!(
        "\t.amdgcn_target \"amdgcn-amd-amdhsa--{target}\"\n\t.text\n\t.globl k\n\t.p2align 8\n\t.type k,@function\nk:\n\
         \tv_cvt_f32_u32 v1, v0\n\tv_mov_b32 v2, 0x3c003555\n\tv_mov_b32 v3, 0x35553c00\n\tv_mov_b32 v4, 0x2e663555\n\
         \tv_mov_b32 v5, 0x35552e66\n\ts_movk_i32 s4, {TURNS}\n1:\n{body}\ts_sub_u32 s4, s4, 1\n\ts_cmp_lg_u32 s4, 0\n\
         \ts_cbranch_scc1 1b\n\ts_endpgm\n.Lend:\n\t.size k, .Lend-k\n\t.section .rodata,\"a\"\n\t.p2align 6\n\
         \t.amdhsa_kernel k\n\t.amdhsa_next_free_vgpr 128\n\t.amdhsa_next_free_sgpr 16\n\t{extra}\n\
         \t.amdhsa_float_denorm_mode_32 3\n\t.end_amdhsa_kernel\n\
         \t.amdgpu_metadata\n---\namdhsa.version: [1, 2]\namdhsa.target: amdgcn-amd-amdhsa--{target}\namdhsa.kernels:\n\
         \x20 - .name: k\n    .symbol: k.kd\n    .wavefront_size: {wave}\n    .kernarg_segment_size: 0\n\
         \x20   .kernarg_segment_align: 8\n    .group_segment_fixed_size: 0\n    .private_segment_fixed_size: 0\n\
         \x20   .max_flat_workgroup_size: 64\n    .sgpr_count: 16\n    .vgpr_count: 128\n    .args: []\n...\n\
         \t.end_amdgpu_metadata\n"
    )
}

/// Seconds that this thread has had a core: on Linux alone.
fn on_core() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(text.split(' ').next()?.parse::<f64>().ok()? / 1e9)
}

fn main() {
    let folder = tempfile::tempdir().unwrap();
    for (target, text, products) in CASES {
        let (assembly, object) = (folder.path().join("k.s"), folder.path().join("k.co"));
        std::fs::write(&assembly, source(target, text)).unwrap();
        let status = Command::new("clang-22")
            .args(["-target", "amdgcn-amd-amdhsa", "-mcode-object-version=5", "-x", "assembler"])
            .arg(format!("-mcpu={target}"))
            .arg(&assembly)
            .arg("-o")
            .arg(&object)
            .status()
            .unwrap();
        assert!(status.success());
        let program = Program::load(&std::fs::read(&object).unwrap()).unwrap();
        let launch = Launch::new("k", 1, 32, Vec::<Arg>::new());
        let options = Options::default().threads(1);
        // The best of three, as other work on the machine only slows down.
        let seconds = (0..3).map(|_| {
            let (start, used) = (Instant::now(), on_core());
            run(&program, &launch, &options).unwrap();
            let waited = start.elapsed().as_secs_f64();
            on_core().zip(used).map_or(waited, |(now, used)| now - used)
        });
        let best = seconds.fold(f64::INFINITY, f64::min);
        let name = text.split(' ').next().unwrap();
        let gflops = 2.0 * (products * UNROLLED * TURNS) as f64 / best / 1e9;
        println!("{target:8} {name:32} {gflops:6.1} GFLOP/s");
    }
}
