//! Large inputs and whole programs: every record that the source asks for, at every level.

use crate::compile::{Source, device, pairs, stdout};
use crate::funcmap::rows;
use crate::isa::Body;
use commands::Llvm;
use std::fmt::Write;

/// The words that a straight kernel records, in order: constants only.
fn words(assembly: &str, function: &str) -> Vec<u32> {
    let body = Body::of(assembly, function);
    let mut words = Vec::new();
    for (at, inst) in body.insts.iter().enumerate().filter(|(_, inst)| inst.is_record()) {
        let source =
            if inst.op.ends_with("_imm") { &inst.operands[0] } else { &body.insts[at - 2].operands[1] };
        let digits = source.trim_start_matches("0x");
        let radix = if digits.len() == source.len() { 10 } else { 16 };
        words.push(
            u32::from_str_radix(digits, radix).unwrap_or_else(|_| panic!("{source} is no constant word")),
        );
    }
    words
}

/// Five thousand scopes: each record is there, each id is its row's.
#[test]
fn five_thousand_markers() {
    const SCOPES: u32 = 5_000;
    let mut text = "#include \"markers.hpp\"\n__global__ void k(int *p) {\n".to_owned();
    for scope in 0..SCOPES {
        writeln!(text, "sqtt_marker_enter(\"scope {scope}\"); *p = {scope}; sqtt_marker_exit(\"\");")
            .expect("text");
    }
    let source = Source::hip(&(text + "}\n"));
    for llvm in Llvm::ALL {
        for level in [0, 2] {
            let output = source.beside("out.s");
            stdout(device(llvm, "gfx1100", level).arg("-S").arg(source.path()).arg("-o").arg(&output));
            let assembly = std::fs::read_to_string(&output).expect("assembly");
            // An exit and the enter behind it are one record.
            let expected: Vec<u32> =
                (1..=SCOPES).map(|id| id << 2 | if id == 1 { 2 } else { 3 }).chain([1]).collect();
            assert_eq!(words(&assembly, "_Z1kPi"), expected, "LLVM {} -O{level}", llvm.major());
        }
    }
}

/// A name of ten thousand bytes, and one with every byte there is.
#[test]
fn long_and_odd_names() {
    let long = "n".repeat(10_240);
    let every: String = (1..=255).map(|byte| format!("\\{byte:03o}")).collect();
    let source = Source::hip(&format!(
        "#include \"markers.hpp\"\n__global__ void k(int *p) {{\n\
         sqtt_marker_point(\"{long}\");\n*p = 1;\nsqtt_marker_point(\"{every}\");\n}}\n"
    ));
    for llvm in Llvm::ALL {
        for level in 0..4 {
            let object = source.beside("out.co");
            let mut clang = device(llvm, "gfx1100", level);
            stdout(clang.args(["-c", "--no-gpu-bundle-output"]).arg(source.path()).arg("-o").arg(&object));
            let found = rows(&object);
            assert_eq!(found.len(), 3, "LLVM {} -O{level}", llvm.major());
            assert_eq!(found[1], format!("P:1:{long}"));
            assert!(found[2].starts_with("P:2:%:%01") || found[2].starts_with("P:2:%:\u{1}"), "{}", found[2]);
            for escaped in ["%0A", "%0D", "%40", "%25"] {
                assert!(found[2].contains(escaped), "{}", found[2]);
            }
        }
    }
}

/// On every way through a function enters and exits are equal in number: each kind of name keeps both.
#[test]
fn scopes_stay_balanced() {
    let names = [
        "\"literal\"",
        "n ? \"a\" : \"b\"",
        "&\"offset\"[2]",
        "variable",
        "stage.name",
        "table[1]",
        "table[n & 1]",
        "\"\"",
        "static_cast<const char *>(nullptr)",
        "reinterpret_cast<const char *>(p)",
        "give()",
        "parameter(\"through\")",
    ];
    let mut text = "#include \"markers.hpp\"\n\
        struct Stage { int number; const char *name; };\n\
        static __device__ const char *const table[] = {\"zero\", \"one\"};\n\
        __device__ const char *give() { return \"given\"; }\n\
        __device__ const char *parameter(const char *name) { return name; }\n"
        .to_owned();
    for (index, name) in names.iter().enumerate() {
        writeln!(
            text,
            "__global__ void k{index}(int *p, int n) {{ const char *variable = \"variable\"; (void)variable;\n\
             Stage stage{{n, \"member\"}}; (void)stage;\n\
             sqtt_marker_enter({name}); p[0] = n; sqtt_marker_exit({name}); }}"
        )
        .expect("text");
    }
    let source = Source::hip(&text);
    for (llvm, target) in pairs() {
        for level in 0..4 {
            let assembly = stdout(device(llvm, target, level).args(["-S", "-o", "-"]).arg(source.path()));
            for (index, name) in names.iter().enumerate() {
                let body = Body::of(&assembly, &format!("_Z{}k{index}Pii", 1 + index.to_string().len()));
                assert_eq!(body.records(), 2, "LLVM {} {target} -O{level}: {name}", llvm.major());
            }
        }
    }
}

/// A marker in a function that many places call is one record per call, not a copy of the function per level.
#[test]
fn chains_of_wrappers_stay_small() {
    let mut text = "#include \"markers.hpp\"\n\
        __device__ __noinline__ void f0(int *p) { sqtt_marker_enter(\"leaf\"); ++*p; sqtt_marker_exit(\"leaf\"); }\n"
        .to_owned();
    for level in 1..16 {
        let callee = level - 1;
        writeln!(text, "__device__ __noinline__ void f{level}(int *p) {{ f{callee}(p); f{callee}(p + 1); }}")
            .expect("text");
    }
    let source = Source::hip(&(text + "__global__ void k(int *p) { f15(p); }\n"));
    for llvm in Llvm::ALL {
        for level in 0..4 {
            let assembly = stdout(device(llvm, "gfx1100", level).args(["-S", "-o", "-"]).arg(source.path()));
            let records = assembly.lines().filter(|line| line.trim().starts_with("s_ttracedata")).count();
            assert_eq!(records, 2, "LLVM {} -O{level}", llvm.major());
        }
    }
}
