//! Host compiles with the plugin: nothing changes and nothing is said.

use crate::compile::{Source, hip, opt, run, stdout, text};
use commands::{Llvm, command};
use std::process::Command;

const PROGRAM: &str = r#"
extern "C" void __sqtt_named_marker_enter(const char *);
extern "C" void sqtt_marker_point(const char *);
struct Big { double a[64]; };
static double sum(const Big &big) { double s = 0; for (double d : big.a) s += d; return s; }
double run(const Big *many, int n) {
  double total = 0;
  for (int i = 0; i < n; ++i) { sqtt_marker_point("turn"); total += sum(many[i]); }
  __sqtt_named_marker_enter("done");
  return total;
}
"#;

#[test]
fn objects_are_byte_identical() {
    let source = Source::file("host.cpp", PROGRAM);
    for llvm in Llvm::ALL {
        for level in ["-O0", "-O1", "-O2", "-O3"] {
            let plain = object(&source, &mut clang(llvm, level));
            let loaded = object(&source, clang(llvm, level).arg(llvm.load_plugin()));
            assert!(plain == loaded, "LLVM {} {level}: the object differs", llvm.major());
        }
    }
}

/// The configuration is read in device compiles only: whatever is in the environment, a host compile works.
#[test]
fn configuration_is_not_read() {
    let source = Source::file("host.cpp", PROGRAM);
    for llvm in Llvm::ALL {
        let plain = object(&source, &mut clang(llvm, "-O2"));
        for (variable, value) in
            [("SQTT_MEM_BARRIER", "nonsense"), ("SQTT_NO_SUCH_VARIABLE", "1"), ("SQTT_VERBOSE", "1")]
        {
            let mut with = clang(llvm, "-O2");
            with.arg(llvm.load_plugin()).env(variable, value);
            assert!(plain == object(&source, &mut with), "{variable}={value}: the object differs");
        }
        let module = Source::file(
            "host.ll",
            "target triple = \"x86_64-unknown-linux-gnu\"\ndefine i32 @f() { ret i32 1 }\n",
        );
        for passes in ["default<O0>", "default<O2>", "sqtt-early", "sqtt-late"] {
            let output = run(opt(llvm)
                .arg(format!("-passes={passes}"))
                .arg(module.path())
                .env("SQTT_MEM_BARRIER", "nonsense"));
            assert!(output.status.success() && output.stderr.is_empty(), "{}", text(&output.stderr));
        }
    }
}

/// The host half of a HIP source, which the same command compiles with the same plugin.
#[test]
fn host_half_is_byte_identical() {
    let source = Source::hip(
        r#"
#include "markers.hpp"
__device__ int helper(int n) { sqtt_scope guard("helper"); return n * 2; }
int on_host(int n) { return n + 1; }
"#,
    );
    for llvm in Llvm::ALL {
        let compile = |with: bool| {
            let mut clang = hip(llvm);
            clang.args(["--cuda-host-only", "-O2", "-DSQTT_ENABLED=1"]);
            if with {
                clang.arg(llvm.load_plugin()).env("SQTT_MEM_BARRIER", "nonsense").env("SQTT_VERBOSE", "1");
            }
            object(&source, &mut clang)
        };
        assert!(compile(false) == compile(true), "LLVM {}: the object differs", llvm.major());
    }
}

/// A host module and its IR come through opt as they are.
#[test]
fn host_ir_is_identical() {
    let module = Source::file(
        "host.ll",
        "target triple = \"x86_64-unknown-linux-gnu\"\n\
         declare void @__sqtt_named_marker_exit(ptr)\n\
         define void @f(ptr %p) {\n  call void @__sqtt_named_marker_exit(ptr %p)\n  ret void\n}\n",
    );
    for llvm in Llvm::ALL {
        let phases = |passes: &str| stdout(opt(llvm).arg(format!("-passes={passes}")).arg(module.path()));
        assert_eq!(phases("sqtt-early,sqtt-late"), phases("no-op-module"));
    }
}

fn clang(llvm: Llvm, level: &str) -> Command {
    let mut clang = command(llvm.tool("clang"));
    clang.args([level, "-g"]);
    clang
}

/// Compiles to an object, without a word, and reads it.
fn object(source: &Source, clang: &mut Command) -> Vec<u8> {
    let object = source.beside("out.o");
    let output = run(clang.arg("-c").arg(source.path()).arg("-o").arg(&object));
    assert!(output.status.success(), "{clang:?}:\n{}", text(&output.stderr));
    assert!(
        output.stderr.is_empty() && output.stdout.is_empty(),
        "{clang:?} said:\n{}",
        text(&output.stderr)
    );
    std::fs::read(object).expect("an object")
}
