//! In the final code the work of a scope stands in the scope, and a wave that is led past a marker waits for nothing:
//! on every target, with every boundary, with and without the filter.

use crate::compile::{Source, device, device_without_plugin, pairs, stdout};
use crate::isa::{Body, Inst};
use commands::Llvm;
use std::process::Command;

/// Two scopes of four products each: of lanes, of floats, and of the wave.
const PRODUCTS: &str = r#"
#include "markers.hpp"
#define PRODUCT(x) x = x * x + 3;
#define SCOPE(name, x) sqtt_marker_enter(name); PRODUCT(x) PRODUCT(x) PRODUCT(x) PRODUCT(x) sqtt_marker_exit(name);
template <typename T> __device__ __attribute__((always_inline)) void work(T *to, T x, T y) {
  SCOPE("first", x)
  sqtt_marker_point("between");
  SCOPE("second", y)
  to[__lane()] = x;
  to[__lane() + 64] = y;
}
extern "C" __global__ void integers(int *p) { work(p, p[__lane()], p[__lane() + 64]); }
extern "C" __global__ void floats(float *p) { work(p, p[__lane()], p[__lane() + 64]); }
extern "C" __global__ void uniform(int *p, int n, int m) { work(p, n, m); }
"#;

fn is_product(inst: &Inst) -> bool {
    ["mul", "mad", "fma"].iter().any(|part| inst.op.contains(part))
}

/// Number of products before each record, and after the last.
fn products(body: &Body) -> Vec<usize> {
    body.insts
        .split(Inst::is_record)
        .map(|between| between.iter().filter(|inst| is_product(inst)).count())
        .collect()
}

fn assembly(clang: &mut Command, source: &Source) -> String {
    stdout(clang.args(["-S", "-o", "-"]).arg(source.path()))
}

fn check_products(llvm: Llvm, target: &str, level: u32, variables: &[(&str, &str)]) {
    let source = Source::hip(PRODUCTS);
    let text = assembly(device(llvm, target, level).envs(variables.iter().copied()), &source);
    for kernel in ["integers", "floats", "uniform"] {
        let found = products(&Body::of(&text, kernel));
        // Before the first enter, in the first scope, twice between, in the second, behind.
        let what =
            format!("LLVM {} {target} -O{level} {variables:?} {kernel}: {found:?}\n{text}", llvm.major());
        assert_eq!(found.len(), 6, "{what}");
        assert_eq!([found[0], found[2], found[3], found[5]], [0; 4], "{what}");
        assert!(found[1] >= 4 && found[1] == found[4], "{what}");
    }
}

#[test]
fn products_stand_between_enter_and_exit() {
    for (llvm, target) in pairs() {
        for level in 1..4 {
            check_products(llvm, target, level, &[]);
        }
        for boundary in ["none", "asm", "fence"] {
            for cu in ["-1", "0x3"] {
                check_products(llvm, target, 2, &[("SQTT_MEM_BARRIER", boundary), ("SQTT_SCOPE_CU", cu)]);
            }
        }
        let two_fields = [("SQTT_SCOPE_CU", "0x3"), ("SQTT_SCOPE_SIMD", "0x1")];
        check_products(llvm, target, 2, &two_fields);
    }
}

/// The check can fail: a branch of the program around each marker does not hold arithmetic.
#[test]
fn products_that_leave_are_found_out() {
    let source = Source::hip(PRODUCTS);
    let mut clang = device(Llvm::V22, "gfx1100", 2);
    let text = assembly(clang.env("SQTT_SCOPE_FORM", "cfg"), &source);
    assert_ne!(products(&Body::of(&text, "integers")), [0, 4, 0, 0, 4, 0], "{text}");
}

/// A store to LDS is under way at the first marker; what comes before the store to global memory does not need it.
const UNDER_WAY: &str = r#"
#include "markers.hpp"
__shared__ int tile[64];
extern "C" __global__ void k(int *p, int *q) {
  const int l = __lane(), v = p[l];
  tile[l] = v;
  sqtt_marker_point("here");
  q[l] = l * 3;
  sqtt_marker_data("there", 5);
  p[l] = tile[63 - l];
}
"#;

/// The instructions from the store to LDS to the next store, on the way that every conditional branch takes, or none.
fn way(body: &Body, taken: bool) -> Vec<Inst> {
    let is_store = |inst: &Inst| inst.op.contains("store");
    let mut at = body.insts.iter().position(|inst| inst.op.starts_with("ds_")).expect("a store to LDS") + 1;
    let mut way = Vec::new();
    while !is_store(&body.insts[at]) {
        let inst = &body.insts[at];
        way.push(inst.clone());
        let next = body.successors(at);
        at = if taken { next[0] } else { next[next.len() - 1] };
    }
    way
}

fn is_wait(inst: &Inst) -> bool {
    inst.op.starts_with("s_wait") && inst.op != "s_wait_alu" && inst.op != "s_waitcnt_depctr"
}

#[test]
fn a_wave_that_is_led_past_waits_for_nothing() {
    let source = Source::hip(UNDER_WAY);
    for (llvm, target) in pairs() {
        for form in ["asm", "cfg"] {
            let mut clang = device(llvm, target, 2);
            let text = assembly(clang.env("SQTT_SCOPE_FORM", form), &source);
            let what = format!("LLVM {} {target} {form}\n{text}", llvm.major());
            let body = Body::of(&text, "k");
            let (past, recorded) = (way(&body, true), way(&body, false));
            assert!(past.iter().all(|inst| !inst.is_record() && !is_wait(inst)), "{past:?}\n{what}");
            let waits = |ways: &[Inst]| ways.iter().filter(|inst| is_wait(inst)).count();
            assert_eq!(recorded.iter().filter(|inst| inst.is_record()).count(), 1, "{what}");
            // LLVM 19 waits for nothing at a fence for LDS on gfx12.
            if form == "asm" || llvm == Llvm::V22 {
                assert_eq!(waits(&recorded), 1, "{what}");
                let record = recorded.iter().position(Inst::is_record).expect("a record");
                assert!(recorded[..record].iter().any(is_wait), "the wait comes before the record\n{what}");
            }
        }
        // Without markers the program waits for nothing, so that the test can tell.
        let plain = assembly(&mut device_without_plugin(llvm, target, 2), &source);
        assert!(way(&Body::of(&plain, "k"), true).iter().all(|inst| !is_wait(inst)), "{plain}");
    }
}
