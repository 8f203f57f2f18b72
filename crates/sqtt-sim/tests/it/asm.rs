//! Assembles small kernels and runs them: what instructions do, lane by lane.

use std::process::Command;

use sqtt_sim::{Arg, Launch, Options, Program, RunResult, SimError, run};

/// Targets with an encoding of their own.
pub(crate) const TARGETS: [(&str, u8); 7] = [
    ("gfx90a", 9),
    ("gfx942", 9),
    ("gfx950", 9),
    ("gfx1030", 10),
    ("gfx1100", 11),
    ("gfx1200", 12),
    ("gfx1201", 12),
];

/// The lanes of a test wave.
pub(crate) const LANES: usize = 32;

/// A clang that assembles for AMDGPU.
pub(crate) fn clang() -> String {
    let candidates = ["clang-22", "/usr/lib/llvm-22/bin/clang", "clang-19", "/opt/rocm/llvm/bin/clang"];
    let named = std::env::var("SIM_TEST_CLANG").ok();
    named
        .into_iter()
        .chain(candidates.map(str::to_owned))
        .find(|c| Command::new(c).arg("--version").output().is_ok_and(|o| o.status.success()))
        .expect("clang-22 assembles for AMDGPU, or what SIM_TEST_CLANG names")
}

/// Kernel attributes of a test.
#[derive(Clone, Copy)]
pub(crate) struct Shape {
    pub(crate) lds: u32,
    pub(crate) private: u32,
    pub(crate) args: u32,
    pub(crate) vgprs: u32,
    /// Wave64 where a target has both sizes.
    pub(crate) wave64: bool,
}

impl Default for Shape {
    fn default() -> Shape {
        Shape { lds: 0, private: 0, args: 2, vgprs: 64, wave64: false }
    }
}

/// Wraps instructions into a kernel `k` with pointer arguments; `s[0:1]` holds the kernarg address.
pub(crate) fn kernel(target: &str, generation: u8, shape: Shape, body: &str) -> String {
    let Shape { lds, private, vgprs, wave64, .. } = shape;
    let wave = if generation == 9 || wave64 { 64 } else { 32 };
    let size32 = match (generation, wave64) {
        (9, _) => "",
        (_, false) => ".amdhsa_wavefront_size32 1",
        _ => ".amdhsa_wavefront_size32 0",
    };
    let accum = if generation == 9 { format!(".amdhsa_accum_offset {vgprs}") } else { String::new() };
    let scratch = match (target, shape.private) {
        (_, 0) => "",
        ("gfx90a" | "gfx1030", _) => ".amdhsa_system_sgpr_private_segment_wavefront_offset 1",
        _ => ".amdhsa_enable_private_segment 1",
    };
    let args: String = (0..shape.args)
        .map(|k| {
            format!(
                "      - {{.address_space: global, .offset: {}, .size: 8, .value_kind: global_buffer}}\n",
                8 * k
            )
        })
        .collect();
    let kernarg = 8 * shape.args;
    format!(
        "\t.amdgcn_target \"amdgcn-amd-amdhsa--{target}\"\n\t.text\n\t.globl k\n\t.p2align 8\n\t.type k,@function\n\
         k:\n{body}\n\ts_endpgm\n.Lend:\n\t.size k, .Lend-k\n\t.section .rodata,\"a\"\n\t.p2align 6\n\
         \t.amdhsa_kernel k\n\t.amdhsa_next_free_vgpr {vgprs}\n\t.amdhsa_next_free_sgpr 96\n\
         \t.amdhsa_user_sgpr_kernarg_segment_ptr 1\n\t.amdhsa_float_denorm_mode_32 3\n\t.amdhsa_group_segment_fixed_size {lds}\n\
         \t.amdhsa_private_segment_fixed_size {private}\n\t.amdhsa_kernarg_size {kernarg}\n\
         \t{size32}\n\t{accum}\n\t{scratch}\n\t.end_amdhsa_kernel\n\
         \t.amdgpu_metadata\n---\namdhsa.version: [1, 2]\namdhsa.target: amdgcn-amd-amdhsa--{target}\n\
         amdhsa.kernels:\n  - .name: k\n    .symbol: k.kd\n    .wavefront_size: {wave}\n\
         \x20   .kernarg_segment_size: {kernarg}\n    .kernarg_segment_align: 8\n\
         \x20   .group_segment_fixed_size: {lds}\n    .private_segment_fixed_size: {private}\n\
         \x20   .max_flat_workgroup_size: 256\n    .sgpr_count: 96\n    .vgpr_count: {vgprs}\n    .args:\n{args}...\n\
         \t.end_amdgpu_metadata\n"
    )
}

/// Assembles and links; panics with the assembler's words.
pub(crate) fn assemble(clang: &str, target: &str, text: &str) -> Program {
    Program::load(&code_object(clang, target, text)).expect("load")
}

/// Assembles a text into the bytes of a code object.
pub(crate) fn code_object(clang: &str, target: &str, text: &str) -> Vec<u8> {
    code_object_with(clang, target, &[], text)
}

/// Assembles with further arguments for the assembler.
pub(crate) fn code_object_with(clang: &str, target: &str, more: &[&str], text: &str) -> Vec<u8> {
    let folder = tempfile::tempdir().expect("temporary folder");
    let (source, object) = (folder.path().join("k.s"), folder.path().join("k.co"));
    std::fs::write(&source, text).expect("write");
    let output = Command::new(clang)
        .args(["-target", "amdgcn-amd-amdhsa", "-mcode-object-version=5"])
        .arg(format!("-mcpu={target}"))
        .args(more)
        .args(["-x", "assembler"])
        .arg(&source)
        .arg("-o")
        .arg(&object)
        .output()
        .expect("clang");
    assert!(output.status.success(), "{target}: {}", String::from_utf8_lossy(&output.stderr));
    std::fs::read(object).expect("read")
}

/// Runs `k` with one workgroup.
pub(crate) fn launch(program: &Program, block: u32, args: Vec<Arg>) -> Result<RunResult, SimError> {
    run(program, &Launch::new("k", 1, block, args), &Options::default().threads(1).max_steps(1 << 20))
}

/// Renames RDNA3 memory mnemonics for older targets.
pub(crate) fn spell(text: &str, generation: u8) -> String {
    if generation >= 11 {
        return text.to_owned();
    }
    let names = [
        ("ds_store_b64", "ds_write_b64"),
        ("ds_load_b64", "ds_read_b64"),
        ("s_load_b128", "s_load_dwordx4"),
        ("s_load_b64", "s_load_dwordx2"),
        ("global_load_b128", "global_load_dwordx4"),
        ("global_load_b64", "global_load_dwordx2"),
        ("global_store_b128", "global_store_dwordx4"),
        ("global_store_b64", "global_store_dwordx2"),
        ("global_store_b32", "global_store_dword"),
        ("global_load_b32", "global_load_dword"),
        ("ds_store_b32", "ds_write_b32"),
        ("ds_load_b32", "ds_read_b32"),
        ("scratch_store_b32", "scratch_store_dword"),
        ("scratch_load_b32", "scratch_load_dword"),
    ];
    names.iter().fold(text.to_owned(), |t, (new, old)| t.replace(new, old))
}

/// Loads `v[10:17]` of each lane from the first argument; `v1` and `s[6:7]` address the second.
pub(crate) fn prologue() -> &'static str {
    "\ts_load_b128 s[4:7], s[0:1], 0x0\n\tv_lshlrev_b32 v1, 5, v0\n\tglobal_load_b128 v[10:13], v1, s[4:5]\n\
     \tglobal_load_b128 v[14:17], v1, s[4:5] offset:16\n\tv_lshlrev_b32 v1, 3, v0\n"
}

/// Runs instruction by instruction: each starts from `v20 = v21 = 0x55aa55aa`, `VCC = 0xf0f0f0f0`, and gives
/// `v[20:21]`. Returns the results `[case][lane]`.
pub(crate) fn run_cases(
    clang: &str,
    (target, generation): (&str, u8),
    inputs: &[[u32; 8]; LANES],
    cases: &[String],
) -> Vec<[[u32; 2]; LANES]> {
    let vcc = if generation == 9 { "\ts_mov_b32 vcc_hi, 0\n" } else { "" };
    let add = if generation == 9 { "v_add_u32" } else { "v_add_nc_u32" };
    let shape = Shape { lds: 1024, private: 64, ..Shape::default() };
    let mut body = spell(prologue(), generation);
    for case in cases {
        body += &format!(
            "\tv_mov_b32 v20, 0x55aa55aa\n\tv_mov_b32 v21, 0x55aa55aa\n\ts_mov_b32 vcc_lo, 0xf0f0f0f0\n{vcc}\t{}\n\
             {}\n\t{add} v1, 0x100, v1\n",
            spell(case, generation),
            spell("\tglobal_store_b64 v1, v[20:21], s[6:7]", generation)
        );
    }
    let program = assemble(clang, target, &kernel(target, generation, shape, &body));
    let words: Vec<u32> = inputs.iter().flatten().copied().collect();
    let out = vec![0; cases.len() * LANES * 2];
    let result = launch(&program, LANES as u32, vec![Arg::words(&words), Arg::words(&out)]).expect("run");
    let words = result.buffers[1].words();
    let lane = |case: usize, l: usize| {
        let at = (case * LANES + l) * 2;
        [words[at], words[at + 1]]
    };
    (0..cases.len()).map(|c| std::array::from_fn(|l| lane(c, l))).collect()
}
