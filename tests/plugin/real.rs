//! Device code of real kernels: the filter spills no register that stays where it is without it.

use crate::compile::stdout;
use commands::{Llvm, command};
use std::path::Path;

type Variables = &'static [(&'static str, &'static str)];

/// The kernels and their targets, with the settings that have many markers in them.
const KERNELS: [(&str, &str, Variables); 4] = [
    ("axhelm", "gfx942", &[("SQTT_INSTRUMENT_MEMORY", "2:5")]),
    ("attention-paged", "gfx942", &[("SQTT_INSTRUMENT_MEMORY", "8:5"), ("SQTT_INSTRUMENT_BARRIERS", "1")]),
    ("ck_gemm_xdl_fp16", "gfx942", &[("SQTT_INSTRUMENT_MEMORY", "2:5"), ("SQTT_INSTRUMENT_BARRIERS", "1")]),
    (
        "cooperative_groups",
        "gfx1100",
        &[("SQTT_INSTRUMENT_FUNCTIONS", "1"), ("SQTT_INSTRUMENT_MEMORY", "2:5")],
    ),
];

/// Vector and scalar registers that are spilled, over all functions with a report.
fn spills(input: &Path, target: &str, variables: &[(&str, &str)]) -> u64 {
    let mut clang = command(Llvm::V22.tool("clang"));
    clang.args([
        "--target=amdgcn-amd-amdhsa",
        "-nogpulib",
        "-O3",
        "-w",
        "-mllvm",
        "-amdgpu-internalize-symbols",
    ]);
    clang.arg(format!("-mcpu={target}")).arg(Llvm::V22.load_plugin()).envs(variables.iter().copied());
    let text = stdout(clang.args(["-x", "ir", "-S", "-o", "-"]).arg(input));
    text.lines()
        .filter_map(|line| line.trim().split_once(':'))
        .filter(|(key, _)| matches!(*key, ".vgpr_spill_count" | ".sgpr_spill_count"))
        .filter_map(|(_, count)| count.trim().parse::<u64>().ok())
        .sum()
}

#[test]
#[ignore = "it reads the shared test data"]
fn the_filter_spills_nothing() {
    let folder = test_data::unpack("real-bitcode.tgz");
    for (name, target, variables) in KERNELS {
        let input = folder.path().join(format!("{name}.{target}.bc"));
        let with = |more: &[(&str, &str)]| spills(&input, target, &[variables, more].concat());
        let unfiltered = with(&[("SQTT_SCOPE_CU", "-1")]);
        for filter in [&[][..], &[("SQTT_SCOPE_SIMD", "0x1")]] {
            let filtered = with(filter);
            assert!(
                filtered <= unfiltered,
                "{name} {filter:?}: {filtered} spills, {unfiltered} without a filter"
            );
        }
    }
}
