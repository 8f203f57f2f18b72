//! The shader clock in the final code: nothing stands between sample and record, on any target that has one, with either
//! instruction selector, in both forms of the filter.

use crate::compile::{Source, device, knows, stdout};
use crate::isa::Body;
use commands::Llvm;

const KERNEL: &str = r#"
#include "markers.hpp"
__shared__ int tile[64];
__device__ __noinline__ int step(int *p, int v) { return p[v & 31] * 3 + p[v & 15] + v; }
extern "C" __global__ void k(int *p, int n) {
  sqtt_scope all("all");
  int lane = __lane();
  for (int i = 0; i < n; ++i) {
    sqtt_marker_enter(i & 1 ? "odd" : "even");
    tile[lane] = step(p, p[lane] + i);
    __builtin_amdgcn_s_barrier();
    if (tile[63 - lane] > n) sqtt_marker_point("large");
    p[lane] = tile[63 - lane];
    sqtt_marker_exit("");
  }
  sqtt_marker_point(100);
  sqtt_marker_exit();
}
"#;

/// The instructions before a packed record, last first, by what they begin with.
fn sequence(target: &str) -> &'static [&'static str] {
    match target {
        "gfx1250" => &["s_nop", "s_or_b32", "s_and_b32", "s_lshl_b32", "s_get_shader_cycles_u64"],
        _ => &["s_nop", "s_or_b32", "s_lshl_b32", "s_getreg_b32"],
    }
}

#[test]
fn nothing_between_sample_and_record() {
    let source = Source::hip(KERNEL);
    for (llvm, target) in [(Llvm::V22, "gfx1201"), (Llvm::V22, "gfx1250"), (Llvm::V19, "gfx1201")] {
        assert!(knows(llvm, target));
        for level in [0, 2] {
            for form in ["cfg", "asm"] {
                for (filter, selector) in [("-1", "0"), ("0x3", "0"), ("0x3", "1")] {
                    let mut clang = device(llvm, target, level);
                    clang
                        .env("SQTT_SHADER_CLOCK_BITS", "12")
                        .env("SQTT_INSTRUMENT_FUNCTIONS", "2")
                        .env("SQTT_INSTRUMENT_BARRIERS", "1")
                        .env("SQTT_INSTRUMENT_MEMORY", "1:0")
                        .env("SQTT_SCOPE_FORM", form)
                        .env("SQTT_SCOPE_CU", filter)
                        .args(["-mllvm", &format!("-global-isel={selector}"), "-S", "-o", "-"]);
                    let text = stdout(clang.arg(source.path()));
                    let what = format!("LLVM {} {target} -O{level} {form} {filter} {selector}", llvm.major());
                    assert!(text.contains("M:shader_clock_bits=12;shader_clock_shift=4"), "{what}");
                    check(&Body::of(&text, "k"), target, &format!("{what}:\n{text}"));
                }
            }
        }
    }
}

fn check(body: &Body, target: &str, what: &str) {
    let (mut packed, mut plain) = (0, 0);
    for (at, record) in body.insts.iter().enumerate().filter(|(_, inst)| inst.is_record()) {
        assert_eq!(record.op, "s_ttracedata", "{what}");
        let before: Vec<&str> =
            body.insts[..at].iter().rev().map(|inst| inst.op.as_str()).take(sequence(target).len()).collect();
        if before[1] == "s_mov_b32" {
            plain += 1;
            continue;
        }
        assert_eq!(before, sequence(target), "{what}");
        let together = body.insts[at - before.len()..=at].iter().all(|inst| inst.asm == record.asm);
        assert!(together && record.asm.is_some(), "{what}");
        packed += 1;
    }
    assert!(packed >= 8, "{packed} packed records: {what}");
    // The point by number.
    assert_eq!(plain, 1, "{what}");
}
