//! In the final code nothing but the marker's own code, waits and scheduling directives stands between a barrier and
//! its marker, on any path.

use crate::compile::{Source, TARGETS, device, knows, pairs, stdout};
use crate::isa::{Body, Inst};
use commands::Llvm;
use std::collections::BTreeSet;
use std::process::Command;

/// Barriers of every kind that HIP can write, where the compiler has something to move: in loops, in branches, one
/// after the other, beside markers of the user's.
const KERNELS: &str = r#"
#include "markers.hpp"
#define SYNC() (__builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup"), __builtin_amdgcn_s_barrier(), \
                __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup"))
__shared__ float tile[256];
extern "C" __global__ void loop(float *p, int n) {
  int l = __lane();
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    tile[l] = p[i * 64 + l] * 3.0f + sum;
    SYNC();
    for (int k = 0; k < 8; ++k) sum += tile[(l + k) & 63] * p[k];
    SYNC();
  }
  p[l] = sum;
}
extern "C" __global__ void alone(int *p, int n) {
  int l = __lane();
  int a = p[l] + n, b = p[l + 64] * n;
  if (n > 3) { __builtin_amdgcn_s_barrier(); a += b; }
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_s_barrier();
  p[l] = a;
  if (p[l + 1] > n) p[l + 2] = b;
  __builtin_amdgcn_s_barrier();
}
extern "C" __global__ void beside(int *p, int n) {
  int l = __lane();
  sqtt_scope guard("around");
  int a = p[l] * n;
  sqtt_marker_point("here");
  SYNC();
  sqtt_marker_data("value", a);
  p[l] = a;
  sqtt_marker_point("there");
  __builtin_amdgcn_s_barrier();
  p[l + n] = a * n;
}
#ifdef SPLIT
extern "C" __global__ void split(int *p, int n) {
  int l = __lane();
  int a = p[l] * n;
  for (int i = 0; i < n; ++i) {
    __builtin_amdgcn_s_barrier_signal(-1);
    a = a * a + 7 * n;
    p[l + 64] = a;
    __builtin_amdgcn_s_barrier_wait(-1);
  }
  p[l] = a * n;
  __builtin_amdgcn_s_barrier_signal(-1);
  __builtin_amdgcn_s_barrier_wait(-1);
  p[l + 128] = a + n;
  if (__builtin_amdgcn_s_barrier_signal_isfirst(-1)) p[3] = 5;
  __builtin_amdgcn_s_barrier_wait(-1);
}
#endif
"#;

/// Barriers per kernel that arrive and wait in one; all of them have their marker before them.
const WHOLE: [(&str, usize); 3] = [("loop", 2), ("alone", 4), ("beside", 2)];

/// The neighbours of an instruction.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Neighbour {
    Marker,
    Barrier,
    Code(String),
    Nothing,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Forward,
    Back,
}

fn is_wait(inst: &Inst) -> bool {
    inst.op.starts_with("s_wait") || matches!(inst.op.as_str(), "s_nop" | "s_delay_alu")
}

fn is_barrier(inst: &Inst) -> bool {
    inst.op.starts_with("s_barrier")
}

/// The instructions that a marker after a barrier may have before its asm: the result of `s_barrier_signal_isfirst`, which SCC holds; at
/// -O0 the filter's value on its way into the asm, copied or brought back from where it was spilled.
fn brings_operands(inst: &Inst, level: u32) -> bool {
    let filter = matches!(inst.op.as_str(), "s_mov_b32" | "v_readlane_b32")
        || inst.comment.ends_with("Folded Reload")
        || inst.op.starts_with("s_or_saveexec") && inst.operands[1] == "-1"
        || inst.op.starts_with("s_mov") && inst.operands[0].starts_with("exec");
    inst.op.starts_with("s_cselect") || level == 0 && filter
}

/// The neighbours of instruction `at`, on every path.
fn neighbours(body: &Body, level: u32, at: usize, way: Way) -> BTreeSet<Neighbour> {
    let edges: Vec<Vec<usize>> = (0..body.insts.len()).map(|at| body.successors(at)).collect();
    let next = |at: usize| -> Vec<usize> {
        match way {
            Way::Forward => edges[at].clone(),
            Way::Back => (0..edges.len()).filter(|from| edges[*from].contains(&at)).collect(),
        }
    };
    let mut found = BTreeSet::new();
    let mut seen = BTreeSet::new();
    let mut open = vec![at];
    while let Some(at) = open.pop() {
        let next = next(at);
        if next.is_empty() {
            found.insert(Neighbour::Nothing);
        }
        for at in next {
            let inst = &body.insts[at];
            let traces = |asm| body.insts.iter().any(|inst| inst.asm == Some(asm) && inst.is_record());
            if inst.asm.is_some_and(traces) {
                found.insert(Neighbour::Marker);
            } else if is_barrier(inst) {
                found.insert(Neighbour::Barrier);
            } else if is_wait(inst) || (way == Way::Forward && brings_operands(inst, level)) {
                if seen.insert(at) {
                    open.push(at);
                }
            } else {
                found.insert(Neighbour::Code(format!("line {}: {}", inst.line, inst.op)));
            }
        }
    }
    found
}

/// Every barrier of the kind has this, and nothing else, next to it. Returns how many there are.
fn check(body: &Body, level: u32, ops: &[&str], way: Way, expected: &Neighbour, what: &str) -> usize {
    let barriers: Vec<usize> =
        (0..body.insts.len()).filter(|at| ops.contains(&body.insts[*at].op.as_str())).collect();
    for at in &barriers {
        let found = neighbours(body, level, *at, way);
        assert_eq!(found, BTreeSet::from([expected.clone()]), "{what} at {:?}", body.insts[*at]);
    }
    barriers.len()
}

fn markers(body: &Body) -> usize {
    body.insts
        .iter()
        .filter(|inst| inst.is_record())
        .filter_map(|inst| inst.asm)
        .collect::<BTreeSet<_>>()
        .len()
}

fn compile(clang: &mut Command, source: &Source) -> String {
    stdout(clang.env("SQTT_INSTRUMENT_BARRIERS", "1").args(["-S", "-o", "-"]).arg(source.path()))
}

fn check_all(llvm: Llvm, target: &str, level: u32) {
    let source = Source::hip(KERNELS);
    let splits = target.starts_with("gfx12");
    for boundary in ["none", "asm", "fence"] {
        for filter in ["-1", "0x3"] {
            let what = format!("LLVM {} {target} -O{level} {boundary} CU={filter}", llvm.major());
            let mut clang = device(llvm, target, level);
            clang.env("SQTT_MEM_BARRIER", boundary).env("SQTT_SCOPE_CU", filter);
            if splits {
                clang.arg("-DSPLIT");
            }
            let text = compile(&mut clang, &source);
            for (kernel, count) in WHOLE {
                let body = Body::of(&text, kernel);
                let what = format!("{what} {kernel}:\n{text}");
                let arrivals = check(
                    &body,
                    level,
                    &["s_barrier", "s_barrier_signal"],
                    Way::Back,
                    &Neighbour::Marker,
                    &what,
                );
                assert_eq!(arrivals, count, "{what}");
                check(&body, level, &["s_barrier_wait"], Way::Back, &Neighbour::Barrier, &what);
                if kernel != "beside" {
                    assert_eq!(markers(&body), count, "{what}");
                }
            }
            if splits {
                let body = Body::of(&text, "split");
                let what = format!("{what} split:\n{text}");
                let signals = ["s_barrier_signal", "s_barrier_signal_isfirst"];
                assert_eq!(
                    check(&body, level, &signals, Way::Forward, &Neighbour::Marker, &what),
                    3,
                    "{what}"
                );
                assert_eq!(
                    check(&body, level, &["s_barrier_wait"], Way::Back, &Neighbour::Marker, &what),
                    3,
                    "{what}"
                );
                // Two apart, one between signal and wait, two around the last.
                assert_eq!(markers(&body), 5, "{what}");
            }
        }
    }
}

#[test]
fn barriers_and_markers_touch_at_o0() {
    pairs().for_each(|(llvm, target)| check_all(llvm, target, 0));
}

#[test]
fn barriers_and_markers_touch_at_o2() {
    pairs().for_each(|(llvm, target)| check_all(llvm, target, 2));
}

/// The check can fail: without the plugin's pins a marker that the user wrote drifts from its barrier.
#[test]
fn code_between_is_found_out() {
    let source = Source::hip(
        "extern \"C\" __global__ void k(int *p, int n) {\n\
           asm volatile(\"s_ttracedata_imm 4\");\n\
           p[__lane()] = n;\n\
           __builtin_amdgcn_s_barrier();\n\
         }\n",
    );
    for target in TARGETS.into_iter().filter(|target| knows(Llvm::V22, target) && !target.starts_with("gfx9"))
    {
        let text = stdout(
            crate::compile::device_without_plugin(Llvm::V22, target, 2)
                .args(["-S", "-o", "-"])
                .arg(source.path()),
        );
        let body = Body::of(&text, "k");
        let barrier = body.insts.iter().position(is_barrier).expect("a barrier");
        let found = neighbours(&body, 2, barrier, Way::Back);
        assert!(found.iter().all(|it| matches!(it, Neighbour::Code(_))), "{target}: {found:?}");
    }
}
