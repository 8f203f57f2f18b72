//! Address blocks in the final ISA and at the link. That they carry the right addresses is proved by execution
//! (`crates/sqtt-kernelgen/tests/it/addresses.rs`).

use crate::compile::{Source, device, pairs, stdout};
use crate::funcmap::rows;
use crate::isa::{Body, Finding};
use commands::{Llvm, command};
use std::path::Path;
use std::process::Command;

/// One kind of operation each, in control flow of every kind.
const KERNELS: &str = r#"
typedef unsigned u32x4 __attribute__((ext_vector_type(4)));
__device__ unsigned raw_load(u32x4, unsigned, unsigned, unsigned) __asm("llvm.amdgcn.raw.buffer.load.i32");
__device__ void struct_store(unsigned, u32x4, unsigned, unsigned, unsigned, unsigned) __asm("llvm.amdgcn.struct.buffer.store.i32");
// At -O0 the masks of divergent loops are spilled, where this test does not follow them.
#ifdef __OPTIMIZE__
#define LOOP
#else
#define LOOP if (0)
#endif
#define KERNEL(name, shared, operation)                                                                               \
  extern "C" __global__ void name(unsigned *p, unsigned n, u32x4 resource) {                                          \
    shared;                                                                                                           \
    unsigned lane = __lane(), value = n;                                                                              \
    if (lane < n) { operation; }                                                                                      \
    if (value == 1) { operation; value += n; }                                                                        \
    if (__builtin_expect(lane * n == 2, 0)) { operation; }                                                            \
    if (lane * n & 4) { operation; value *= 3; } else { operation; }                                                  \
    LOOP for (unsigned k = 0; k < (lane & 3); ++k) { operation; }                                                     \
    p[lane] = value;                                                                                                  \
  }
KERNEL(load, , value += p[lane * 2 + value])
KERNEL(store, , p[lane * 2 + 99] = value)
KERNEL(atomic, , value += __atomic_fetch_add(p + 7 + value, 1u, __ATOMIC_RELAXED))
KERNEL(lds, __shared__ unsigned s[256], s[lane] = value; value += s[lane ^ 1])
KERNEL(permute, , value += __builtin_amdgcn_ds_bpermute(lane * 4, value))
KERNEL(buffer, , value += raw_load(resource, lane * 4, n, 0))
KERNEL(structure, , struct_store(value, resource, lane, n, 0, 0))
"#;

/// Kernels, their operations (the last store aside), records that stand in a block's text.
const EXPECTED: [(&str, usize, usize); 7] = [
    ("load", 6, 5),
    ("store", 6, 5),
    ("atomic", 6, 5),
    ("lds", 12, 4),
    ("permute", 6, 4),
    ("buffer", 6, 7),
    ("structure", 6, 8),
];

/// Boundary, mask of CUs, form of the filter.
const SETTINGS: [[&str; 3]; 4] =
    [["fence", "-1", "cfg"], ["none", "0x3", "cfg"], ["asm", "-1", "cfg"], ["fence", "0x3", "asm"]];

fn assembly(clang: &mut Command, source: &Source) -> String {
    stdout(clang.args(["-S", "-o", "-"]).arg(source.path()))
}

fn traced(llvm: Llvm, target: &str, level: u32, [boundary, cu, form]: [&str; 3]) -> Command {
    let mut clang = device(llvm, target, level);
    clang
        .env("SQTT_TRACE_ADDRESSES", "memory,lds")
        .env("SQTT_MEM_BARRIER", boundary)
        .env("SQTT_SCOPE_CU", cu)
        .env("SQTT_SCOPE_FORM", form);
    clang
}

/// Every pair at -O0 and -O2, the settings in turn; in waves of 64 lanes too, where there are both.
fn each(work: impl Fn(&str, &str, u32, bool)) {
    let source = Source::hip(KERNELS);
    let mut turn = 0;
    for (llvm, target) in pairs() {
        for level in [0, 2] {
            for wide in [false, true] {
                if wide && (target.starts_with("gfx9") || target == "gfx1250") {
                    continue;
                }
                let setting = SETTINGS[turn % SETTINGS.len()];
                turn += 1;
                let mut clang = traced(llvm, target, level, setting);
                if wide {
                    clang.arg("-mwavefrontsize64");
                }
                let text = assembly(&mut clang, &source);
                let what = format!("LLVM {} {target} -O{level} {setting:?} wide: {wide}", llvm.major());
                work(&text, &what, level, wide || target.starts_with("gfx9"));
            }
        }
    }
}

/// In a wave without active lanes nothing is recorded; every block is whole, and its loop is a loop.
#[test]
fn blocks_are_whole_and_no_phantoms() {
    each(|text, what, level, wide| {
        for (kernel, blocks, records) in EXPECTED {
            let body = Body::of(text, kernel);
            // At -O0 resources are variables that lanes may disagree about, and blocks have their subsets; the hardware's
            // own loop over these is there too, whose masks this test does not follow.
            if level == 0 && ["buffer", "structure"].contains(&kernel) {
                assert!(body.records() > blocks / 6 * 5 * records, "{what} {kernel}:\n{text}");
                continue;
            }
            assert_eq!(body.phantoms(), Vec::<Finding>::new(), "{what} {kernel}:\n{text}");
            let heads = heads(&body);
            // The store at the end has a block too.
            let stored = body.records() - 5;
            assert_eq!(stored, (heads.len() - 1) * records, "{what} {kernel}:\n{text}");
            // The optimizer makes one operation of several.
            assert!((2..=blocks + 1).contains(&heads.len()), "{what} {kernel}:\n{text}");
            for head in heads {
                check_block(&body, head, wide, &format!("{what} {kernel}"));
            }
        }
    });
}

/// The records of EXEC's low half.
fn heads(body: &Body) -> Vec<usize> {
    (0..body.insts.len())
        .filter(|at| body.insts[*at].operands == ["m0", "exec_lo"] && body.insts[*at].asm.is_some())
        .collect()
}

/// The branch that ends the first loop of lanes behind a head: it leads back to between the two.
fn end_of_loop(body: &Body, head: usize, what: &str) -> usize {
    let asm = body.insts[head].asm;
    let record = (head..body.insts.len())
        .find(|at| body.insts[*at].is_record() && body.insts[*at].asm != asm)
        .unwrap_or_else(|| panic!("{what}: no lanes behind line {}", body.insts[head].line));
    (record..body.insts.len())
        .find(|at| body.successors(*at).iter().any(|to| (head..=record).contains(to)))
        .unwrap_or_else(|| panic!("{what}: no loop behind line {}", body.insts[head].line))
}

/// From the record of EXEC's low half: its high half, then nothing that touches memory until the loop has ended.
fn check_block(body: &Body, head: usize, wide: bool, what: &str) {
    let asm = body.insts[head].asm;
    let high = body.insts[head + 1..].iter().find(|inst| inst.operand(0) == "m0").expect("the high half");
    let expected = if wide { "exec_hi" } else { "0x0" };
    assert!(high.asm == asm && high.operand(1) == expected, "{what}: {high:?}");
    for inst in &body.insts[head..end_of_loop(body, head, what)] {
        let memory = ["global_", "flat_", "ds_", "buffer_atomic", "s_barrier"]
            .iter()
            .any(|it| inst.op.starts_with(it));
        assert!(!memory, "{what}: {inst:?} stands in a block");
    }
    for at in (head..body.insts.len()).filter(|at| body.insts[*at].op == "s_ttracedata") {
        let [mov, nop] = &body.insts[at - 2..at] else { panic!("two before") };
        assert!(
            mov.op == "s_mov_b32" && mov.operand(0) == "m0" && nop.op == "s_nop",
            "{what}: {mov:?} {nop:?}"
        );
    }
}

/// A fence waits for LDS, and never touches a cache; the other boundaries add no wait to operations whose addresses are
/// there.
#[test]
fn boundaries_add_no_cache_operation_and_no_wait() {
    let source = Source::hip(
        "extern \"C\" __global__ void k(const int *a, const int *b, int *c, int n) {\n\
           __shared__ int s[64];\n\
           unsigned lane = __lane();\n\
           int x = a[lane], y = b[lane], z = a[lane + n];\n\
           s[lane] = n;\n\
           c[lane] = x + y + z + s[lane ^ 1];\n\
         }\n",
    );
    for (llvm, target) in pairs() {
        for level in [0, 2] {
            for setting in SETTINGS {
                let text = assembly(&mut traced(llvm, target, level, setting), &source);
                let what = format!("LLVM {} {target} -O{level} {setting:?}", llvm.major());
                let body = Body::of(&text, "k");
                assert!(body.records() > 20, "{what}:\n{text}");
                for inst in &body.insts {
                    let cache =
                        ["_inv", "_wb", "gl0", "gl1", "wbl2"].iter().any(|part| inst.op.contains(part));
                    assert!(!cache, "{what}: {inst:?}\n{text}");
                }
                if setting[0] != "fence" {
                    for head in heads(&body) {
                        let end = end_of_loop(&body, head, &what);
                        let waits = body.insts[head..end].iter().find(|inst| waits_for_memory(&inst.op));
                        assert!(waits.is_none() || level == 0, "{what}: {waits:?}\n{text}");
                    }
                }
            }
        }
    }
}

fn waits_for_memory(op: &str) -> bool {
    op.starts_with("s_wait") && op != "s_wait_alu" && op != "s_waitcnt_depctr"
}

/// Map and record survive linker and strip, and an optimizing link neither repeats nor unrolls a block.
#[test]
fn blocks_survive_the_link() {
    let source = Source::hip(
        "__device__ int helper(const int *p) { return *p; }\n\
         extern \"C\" __global__ void k(int *p) { p[__lane()] = helper(p + 64 + __lane()); }\n",
    );
    for llvm in Llvm::ALL {
        for target in ["gfx942", "gfx1100"] {
            let (bitcode, linked) = (source.beside("out.bc"), source.beside("out.co"));
            let mut clang = traced(llvm, target, 2, SETTINGS[1]);
            clang.args(["-fgpu-rdc", "-c", "-gline-tables-only"]).arg(source.path()).arg("-o").arg(&bitcode);
            stdout(&mut clang);
            let mut lld = command(llvm.tool("ld.lld"));
            lld.args(["--no-undefined", "-shared", "--gc-sections", "--lto-O3"]);
            lld.arg(format!("--plugin-opt=mcpu={target}"));
            lld.arg(format!("--load-pass-plugin={}", llvm.plugin().display()));
            lld.env("SQTT_TRACE_ADDRESSES", "memory,lds").arg(&bitcode).arg("-o").arg(&linked);
            stdout(&mut lld);
            stdout(command(llvm.tool("llvm-strip")).arg(&linked));
            let count = if target == "gfx942" { 130 } else { 66 };
            check_rows(&rows(&linked), count, &format!("LLVM {} {target}", llvm.major()));
            let text = stdout(command(llvm.tool("llvm-objdump")).arg("-d").arg(&linked));
            let records = text.lines().filter(|line| line.contains("s_ttracedata")).count();
            // Also where a copy of the helper stays beside the kernel.
            assert!(records == 10 || records == 15, "LLVM {} {target}: {records}\n{text}", llvm.major());
            assert!(config(&linked).contains("access_bytes="), "LLVM {} {target}", llvm.major());
        }
    }
}

fn check_rows(found: &[String], count: u32, what: &str) {
    let points: Vec<&String> = found.iter().filter(|row| row.starts_with("P:")).collect();
    assert!(points.len() == 2 || points.len() == 3, "{what}: {found:?}");
    assert!(
        points.iter().all(|row| row.contains(":addr_trace_") && row.contains("source.hip:")),
        "{what}: {found:?}"
    );
    let payloads: Vec<&String> = found.iter().filter(|row| row.starts_with("R:")).collect();
    assert_eq!(payloads.len(), points.len(), "{what}: {found:?}");
    assert!(
        payloads.iter().all(|row| row.ends_with(&format!("extra_payload_count={count}"))),
        "{what}: {found:?}"
    );
    assert!(found.iter().any(|row| *row == format!("W:{}", (count - 2) / 2)), "{what}: {found:?}");
}

fn config(path: &Path) -> String {
    let bytes = std::fs::read(path).expect("the code object");
    String::from_utf8_lossy(&bytes).into_owned()
}
