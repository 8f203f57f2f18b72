//! The instructions that the hardware runs: no phantoms, M0 with its waits, and nothing of the user's overwritten.

use crate::compile::{Source, device, device_without_plugin, knows, pairs, stdout};
use crate::isa::{Body, Finding, Inst};
use commands::Llvm;
use std::process::Command;

/// A kernel for each kind of marker, all with the same control flow.
const KERNELS: &str = r#"
#include "markers.hpp"
#define KERNEL(name, marker)                                                                                          \
  __global__ void name(int *p, int n) {                                                                               \
    int lane = __lane();                                                                                              \
    if (lane < n) { marker; }                                                                                         \
    if (p[lane] == 1) { marker; p[1] = n; }                                                                           \
    if (__builtin_expect(p[lane] == 2, 0)) { marker; p[2] = n; }                                                      \
    if (__builtin_expect(p[lane] == 3, 1)) { marker; }                                                                \
    if (p[lane] == 4) { marker; } else { marker; p[4] = n; }                                                          \
    if (p[lane] == 5) { if (p[lane + 1] == 6) { marker; } }                                                           \
    p[5] = n;                                                                                                         \
  }
#ifdef NAMED
KERNEL(scope, sqtt_marker_enter("scope"); sqtt_marker_exit("scope"))
KERNEL(event, sqtt_marker_point("event"))
KERNEL(value, sqtt_marker_data("value", 5))
KERNEL(value_lane, sqtt_marker_data("value", lane))
KERNEL(chosen, sqtt_marker_point(p[lane + 2] ? "one" : "other"))
KERNEL(guarded, sqtt_scope guard("guard"))
KERNEL(built_in, __builtin_amdgcn_s_ttracedata(0x50))
KERNEL(built_in_lane, __builtin_amdgcn_s_ttracedata(p[lane + 3]))
#ifdef IMMEDIATE
KERNEL(built_in_immediate, __builtin_amdgcn_s_ttracedata_imm(0x54))
#endif
#endif
KERNEL(number, sqtt_marker_enter(5); sqtt_marker_exit(5))
KERNEL(number_lane, sqtt_marker_point(lane))
KERNEL(number_guard, sqtt_scope guard(6))
"#;

/// Records per kernel: seven markers, each of so many records.
const NAMED: [(&str, usize); 8] = [
    ("scope", 14),
    ("event", 7),
    ("value", 14),
    ("value_lane", 14),
    ("chosen", 7),
    ("guarded", 14),
    ("built_in", 7),
    ("built_in_lane", 7),
];
const NUMBERED: [(&str, usize); 3] = [("number", 14), ("number_lane", 7), ("number_guard", 14)];

fn has_immediate(target: &str) -> bool {
    !target.starts_with("gfx9")
}

fn assembly(clang: &mut Command, source: &Source) -> String {
    stdout(clang.args(["-S", "-o", "-"]).arg(source.path()))
}

/// Mangled as C++ does.
fn symbol(kernel: &str) -> String {
    format!("_Z{}{kernel}Pii", kernel.len())
}

fn check_kernels(assembly: &str, kernels: &[(&str, usize)], level: u32, what: &str) {
    for (kernel, records) in kernels {
        let body = Body::of(assembly, &symbol(kernel));
        // At -O0 guards and the header's numeric markers are calls.
        if level > 0 || !(kernel.starts_with("number") || *kernel == "guarded") {
            assert_eq!(body.records(), *records, "{what} {kernel}:\n{assembly}");
        }
        assert_eq!(body.phantoms(), Vec::<Finding>::new(), "{what} {kernel}:\n{assembly}");
    }
}

fn with_plugin(llvm: Llvm, target: &str, level: u32, more: &[&str]) {
    let source = Source::hip(KERNELS);
    let mut clang = device(llvm, target, level);
    clang.arg("-DNAMED").args(more);
    let mut kernels = [&NAMED[..], &NUMBERED[..]].concat();
    if has_immediate(target) {
        clang.arg("-DIMMEDIATE");
        kernels.push(("built_in_immediate", 7));
    }
    let text = assembly(&mut clang, &source);
    check_kernels(&text, &kernels, level, &format!("LLVM {} {target} -O{level} {more:?}", llvm.major()));
}

#[test]
fn no_phantoms_at_o0() {
    pairs().for_each(|(llvm, target)| with_plugin(llvm, target, 0, &[]));
}

#[test]
fn no_phantoms_at_o1() {
    pairs().for_each(|(llvm, target)| with_plugin(llvm, target, 1, &[]));
}

#[test]
fn no_phantoms_at_o2() {
    pairs().for_each(|(llvm, target)| with_plugin(llvm, target, 2, &[]));
}

#[test]
fn no_phantoms_at_o3() {
    pairs().for_each(|(llvm, target)| with_plugin(llvm, target, 3, &[]));
}

/// Points behind memory operations: the block that they end is the shortest there is.
#[test]
fn no_phantoms_behind_memory_operations() {
    let source = Source::hip(
        "extern \"C\" __global__ void k(int *p, int n) {\n\
           int lane = __lane();\n\
           if (p[lane] < n) p[lane + 100] = lane;\n\
           if (__builtin_expect(p[lane + 1] == 2, 0)) p[lane + 200] = n;\n\
           if (__builtin_expect(p[lane + 2] == 3, 1)) p[lane + 300] = n;\n\
           if (p[lane + 3] == 4) { if (p[lane + 4] == 5) p[lane + 400] = n; }\n\
           int sum = 0;\n\
           if (p[lane + 5] == 6) sum = p[lane + 6]; else p[lane + 7] = n;\n\
           p[lane] = sum;\n\
         }\n",
    );
    for (llvm, target) in pairs() {
        for level in [0, 2] {
            for boundary in ["none", "fence"] {
                for filter in ["-1", "0x3"] {
                    let mut clang = device(llvm, target, level);
                    clang.env("SQTT_INSTRUMENT_MEMORY", "1:0").env("SQTT_MEM_BARRIER", boundary);
                    let text = assembly(clang.env("SQTT_SCOPE_CU", filter), &source);
                    let body = Body::of(&text, "k");
                    let what = format!("LLVM {} {target} -O{level} {boundary} {filter}", llvm.major());
                    assert_eq!(body.records(), 13, "{what}:\n{text}");
                    assert_eq!(body.phantoms(), Vec::<Finding>::new(), "{what}:\n{text}");
                }
            }
        }
    }
}

/// gfx10 and later also run waves of 64 lanes.
#[test]
fn no_phantoms_in_wave64() {
    for (llvm, target) in pairs().filter(|(_, target)| has_immediate(target) && *target != "gfx1250") {
        with_plugin(llvm, target, 2, &["-mwavefrontsize64"]);
    }
}

/// Numeric markers need no plugin and are no phantoms either.
#[test]
fn no_phantoms_of_numbers_without_the_plugin() {
    let source = Source::hip(KERNELS);
    for (llvm, target) in pairs() {
        for level in 0..4 {
            let mut clang = device_without_plugin(llvm, target, level);
            let text = assembly(clang.arg("-DSQTT_ENABLED=1"), &source);
            let what = format!("LLVM {} {target} -O{level} without plugin", llvm.major());
            check_kernels(&text, &NUMBERED, level, &what);
        }
    }
}

/// The proof can fail: a bare built-in is a phantom when the plugin is not there.
#[test]
fn a_bare_built_in_is_found_out() {
    let source = Source::hip(
        "__global__ void k(int *p, int n) {\n\
           int value = 0;\n\
           if (__lane() < static_cast<unsigned>(n)) { __builtin_amdgcn_s_ttracedata_imm(6); value = 1; }\n\
           p[__lane()] = value;\n\
         }\n",
    );
    for llvm in Llvm::ALL {
        for target in ["gfx1030", "gfx1100", "gfx1201"] {
            let phantoms = |clang: &mut Command| Body::of(&assembly(clang, &source), "_Z1kPii").phantoms();
            let without = phantoms(&mut device_without_plugin(llvm, target, 2));
            assert_eq!(without.len(), 1, "LLVM {} {target}: {without:?}", llvm.major());
            assert_eq!(phantoms(&mut device(llvm, target, 2)), [], "LLVM {} {target}", llvm.major());
        }
    }
}

/// Counts the `s_ttracedata` of kernels. Each has its M0 written right before it, with the wait states of the target
/// between.
fn records_through_m0(assembly: &str, target: &str, kernels: &[(&str, usize)], what: &str) -> usize {
    let wait = if has_immediate(target) { "3" } else { "0" };
    let mut seen = 0;
    for (kernel, _) in kernels {
        let insts = Body::of(assembly, &symbol(kernel)).insts;
        for (at, _) in insts.iter().enumerate().filter(|(_, inst)| inst.op == "s_ttracedata") {
            let [mov, nop] = &insts[at - 2..at] else { panic!("two before") };
            assert!(mov.op == "s_mov_b32" && mov.operands[0] == "m0", "{what}: {mov:?}");
            assert!(nop.op == "s_nop" && nop.operands == [wait], "{what}: {nop:?}");
            seen += 1;
        }
    }
    seen
}

#[test]
fn m0_is_written_and_waited_for() {
    let source = Source::hip(KERNELS);
    for (llvm, target) in pairs() {
        for level in 0..4 {
            let what = format!("LLVM {} {target} -O{level}", llvm.major());
            let text = assembly(device(llvm, target, level).arg("-DNAMED"), &source);
            let seen = records_through_m0(&text, target, &NAMED, &what);
            assert!(seen > 7, "{what}: {seen} records through M0");
        }
    }
}

/// So has that of numeric markers without the plugin.
#[test]
fn m0_of_numbers_without_the_plugin_is_waited_for() {
    let source = Source::hip(KERNELS);
    for (llvm, target) in pairs() {
        for level in 1..4 {
            let what = format!("LLVM {} {target} -O{level} without plugin", llvm.major());
            let text = assembly(device_without_plugin(llvm, target, level).arg("-DSQTT_ENABLED=1"), &source);
            let seen = records_through_m0(&text, target, &NUMBERED, &what);
            assert!(seen >= 21, "{what}: {seen} records through M0");
        }
    }
}

/// On gfx9 nothing has an immediate form; elsewhere ids up to 63 have.
#[test]
fn immediates_where_the_target_has_them() {
    let source = Source::hip(KERNELS);
    for (llvm, target) in pairs() {
        let text = assembly(device(llvm, target, 2).arg("-DNAMED"), &source);
        let body = Body::of(&text, &symbol("scope"));
        let (immediate, through_m0): (Vec<_>, Vec<_>) =
            body.insts.iter().filter(|inst| inst.is_record()).partition(|inst| inst.op.ends_with("_imm"));
        let expected = if has_immediate(target) { (14, 0) } else { (0, 14) };
        assert_eq!((immediate.len(), through_m0.len()), expected, "LLVM {} {target}", llvm.major());
    }
}

/// A compare of the user's keeps its result across a marker: the marker compares in both forms of the filter.
#[test]
fn scc_survives() {
    let source = Source::file(
        "scc.ll",
        &ir("define amdgpu_kernel void @k(ptr addrspace(1) %p, i32 %a, i32 %b, i32 %v) #0 {\n\
               %c = icmp slt i32 %a, %b\n\
               call void @__sqtt_named_marker_data(ptr addrspacecast (ptr addrspace(4) @a to ptr), i32 %v)\n\
               call void @__sqtt_named_marker_enter(ptr addrspacecast (ptr addrspace(4) @a to ptr))\n\
               br i1 %c, label %yes, label %no\n\
             yes:\n\
               store i32 1, ptr addrspace(1) %p\n\
               br label %no\n\
             no:\n\
               call void @__sqtt_named_marker_exit(ptr addrspacecast (ptr addrspace(4) @a to ptr))\n\
               ret void\n\
             }\n"),
    );
    for (llvm, target) in pairs() {
        for (level, form) in (0..4).flat_map(|level| ["cfg", "asm"].map(|form| (level, form))) {
            let text = llc(llvm, target, level, form, &source, &[]);
            let body = Body::of(&text, "k");
            // The only signed compare is the user's: what it found is read before anything writes SCC again.
            let signed = |inst: &Inst| inst.op.starts_with("s_cmp") && inst.op.ends_with("_i32");
            let compare = body.insts.iter().position(signed).expect("a compare");
            let reader = body.insts[compare + 1..]
                .iter()
                .find(|inst| reads_scc(&inst.op) || writes_scc(&inst.op))
                .expect("what was compared is used");
            assert!(
                reads_scc(&reader.op),
                "LLVM {} {target} -O{level} {form}: {reader:?}\n{text}",
                llvm.major()
            );
        }
    }
}

/// Instructions that depend on SCC.
fn reads_scc(op: &str) -> bool {
    ["s_cbranch_scc", "s_cselect", "s_cmov"].iter().any(|operation| op.starts_with(operation))
}

/// Scalar arithmetic and compares.
fn writes_scc(op: &str) -> bool {
    const OPERATIONS: &str =
        "add sub and or xor nand nor xnor not lsh ash bfe bcnt abs min max cmp bitcmp wqm quadmask";
    OPERATIONS.split(' ').any(|operation| op.strip_prefix("s_").is_some_and(|op| op.starts_with(operation)))
}

/// M0 is the user's too: a load to LDS that needs it finds it written again after a marker.
#[test]
fn m0_of_the_user_is_written_again() {
    let source = Source::file(
        "m0.ll",
        &ir("@lds = internal addrspace(3) global [64 x i32] poison\n\
             declare void @llvm.amdgcn.raw.ptr.buffer.load.lds(ptr addrspace(8), ptr addrspace(3), i32, i32, i32, i32, i32)\n\
             define amdgpu_kernel void @k(ptr addrspace(8) %r, ptr addrspace(1) %p, i32 %v) #0 {\n\
               call void @llvm.amdgcn.raw.ptr.buffer.load.lds(ptr addrspace(8) %r, ptr addrspace(3) @lds, i32 4, i32 0, i32 0, i32 0, i32 0)\n\
               call void @__sqtt_named_marker_data(ptr addrspacecast (ptr addrspace(4) @a to ptr), i32 %v)\n\
               call void @llvm.amdgcn.raw.ptr.buffer.load.lds(ptr addrspace(8) %r, ptr addrspace(3) @lds, i32 4, i32 0, i32 0, i32 4, i32 0)\n\
               ret void\n\
             }\n"),
    );
    for llvm in Llvm::ALL {
        for target in ["gfx90a", "gfx942", "gfx1030"] {
            for level in 0..4 {
                let text = llc(llvm, target, level, "cfg", &source, &[]);
                let body = Body::of(&text, "k");
                let last_record =
                    body.insts.iter().rposition(|inst| inst.op == "s_ttracedata").expect("a record");
                let load =
                    body.insts.iter().rposition(|inst| inst.op.starts_with("buffer_load")).expect("a load");
                assert!(last_record < load, "{text}");
                let again = body.insts[last_record..load]
                    .iter()
                    .any(|inst| inst.op.starts_with("s_mov") && inst.operands[0] == "m0");
                assert!(again, "LLVM {} {target} -O{level}: M0 is the marker's\n{text}", llvm.major());
            }
        }
    }
}

/// The other instruction selector.
#[test]
fn global_isel_selects_markers() {
    let source = Source::file(
        "gisel.ll",
        &ir("define amdgpu_kernel void @k(ptr addrspace(1) %p, i32 %n) #0 {\n\
               %lane = call i32 @llvm.amdgcn.workitem.id.x()\n\
               %c = icmp slt i32 %lane, %n\n\
               br i1 %c, label %yes, label %no\n\
             yes:\n\
               call void @__sqtt_named_marker_enter(ptr addrspacecast (ptr addrspace(4) @a to ptr))\n\
               call void @__sqtt_named_marker_data(ptr addrspacecast (ptr addrspace(4) @a to ptr), i32 %lane)\n\
               call void @__sqtt_named_marker_exit(ptr addrspacecast (ptr addrspace(4) @a to ptr))\n\
               br label %no\n\
             no:\n\
               ret void\n\
             }\n"),
    );
    for (llvm, target) in pairs() {
        for (level, form) in [(0, "cfg"), (0, "asm"), (2, "cfg"), (2, "asm")] {
            let text = llc(llvm, target, level, form, &source, &["-global-isel"]);
            let body = Body::of(&text, "k");
            assert_eq!(body.records(), 4, "{text}");
            assert_eq!(
                body.phantoms(),
                Vec::<Finding>::new(),
                "LLVM {} {target} -O{level} {form}\n{text}",
                llvm.major()
            );
        }
    }
}

/// A module of IR with the sentinels declared.
fn ir(functions: &str) -> String {
    format!(
        "target triple = \"amdgcn-amd-amdhsa\"\n\
         @a = private unnamed_addr addrspace(4) constant [2 x i8] c\"a\\00\"\n\
         declare void @__sqtt_named_marker_enter(ptr)\n\
         declare void @__sqtt_named_marker_exit(ptr)\n\
         declare void @__sqtt_named_marker_data(ptr, i32)\n\
         declare i32 @llvm.amdgcn.workitem.id.x()\n\
         {functions}\n\
         attributes #0 = {{ \"target-cpu\"=\"TARGET\" }}\n"
    )
}

/// The pipeline of a level, then the code generator at the same level, both with their verifiers on.
fn llc(llvm: Llvm, target: &str, level: u32, form: &str, source: &Source, more: &[&str]) -> String {
    assert!(knows(llvm, target));
    let text = std::fs::read_to_string(source.path()).expect("the module").replace("TARGET", target);
    let input = source.beside("target.ll");
    std::fs::write(&input, text).expect("a file");
    let optimized = source.beside("optimized.ll");
    let mut opt = crate::compile::opt(llvm);
    opt.env("SQTT_SCOPE_FORM", form);
    opt.arg(format!("-passes=default<O{level}>")).arg(&input).arg("-o").arg(&optimized);
    stdout(&mut opt);
    let mut llc = commands::command(llvm.tool("llc"));
    llc.arg(format!("-O{level}")).args(["-verify-machineinstrs", "-o", "-"]).args(more).arg(&optimized);
    stdout(&mut llc)
}
