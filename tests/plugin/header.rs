//! `markers.hpp` by itself: warnings, overloads, what is left of it when it is off, and a forgotten plugin.

use crate::compile::{Source, device, device_without_plugin, failure, hip, pairs, run, stdout, text};
use crate::plugins::Llvm;

const STANDARDS: [&str; 4] = ["c++11", "c++14", "c++17", "c++20"];
const WARNINGS: [&str; 3] = ["-Wall", "-Wextra", "-Werror"];

/// Everything the header offers.
const EVERYTHING: &str = r#"
#include "markers.hpp"
enum Plain { plain = 1 };
enum class Scoped : unsigned char { scoped = 2 };
struct Bits { unsigned id : 5; };
template <typename T> __device__ void number(T id) {
  sqtt_marker_enter(id);
  sqtt_marker_point(id);
  sqtt_marker_exit(id);
  sqtt_scope guard(id);
}
__device__ void named(const char *name) {
  sqtt_marker_enter(name);
  sqtt_marker_point(name);
  sqtt_marker_data(name, 1);
  sqtt_marker_data(name, 1u);
  sqtt_marker_exit(name);
}
__global__ void k(int *p, int n) {
  number(true); number('c'); number<signed char>(1); number<unsigned char>(1); number<short>(1);
  number<unsigned short>(1); number(1); number(1u); number(1l); number(1ul); number(1ll); number(1ull);
  number(L'c'); number(u'c'); number(U'c'); number(plain); number(Scoped::scoped);
  sqtt_marker_exit(0); sqtt_marker_exit(0u); sqtt_marker_exit(0l); sqtt_marker_exit();
  sqtt_marker_enter(0); sqtt_marker_point(0);
  Bits bits = {3}; sqtt_marker_point(bits.id);
  const volatile int turning = n; sqtt_marker_point(turning);
  named("name");
  { sqtt_scope first("first"); sqtt_scope second("second"); sqtt_scope third(3); p[0] = n; }
  if (n) sqtt_marker_point("yes"); else sqtt_marker_point("no");
  for (int i = 0; i < n; ++i) sqtt_marker_point(i);
}
"#;

/// The same in a file that has a host half.
fn with_host_half() -> String {
    // Without HIP's headers a launch cannot be compiled; the kernel goes, its device functions stay.
    EVERYTHING.replace("__global__ void k", "__device__ void k") + "\nint on_host(int n) { return n + 1; }\n"
}

#[test]
fn warning_free_in_device_code() {
    let source = Source::hip(EVERYTHING);
    for (llvm, target) in pairs() {
        for standard in STANDARDS {
            for enabled in ["-DSQTT_ENABLED=1", "-DSQTT_ENABLED=0", "-USQTT_ENABLED"] {
                let mut clang = device_without_plugin(llvm, target, 0);
                clang.args(WARNINGS).arg(format!("-std={standard}")).args([enabled, "-fsyntax-only"]);
                silent(clang.arg(source.path()));
            }
        }
    }
}

#[test]
fn warning_free_in_the_host_half() {
    let source = Source::hip(&with_host_half());
    for llvm in Llvm::ALL {
        for standard in STANDARDS {
            for enabled in ["-DSQTT_ENABLED=1", "-DSQTT_ENABLED=0"] {
                let mut clang = hip(llvm);
                clang.arg("--cuda-host-only").args(WARNINGS).arg(format!("-std={standard}"));
                silent(clang.args([enabled, "-O1", "-S", "-o", "/dev/null"]).arg(source.path()));
            }
        }
    }
}

/// Warning-free through the optimizer and with the plugin, too.
#[test]
fn warning_free_with_the_plugin() {
    let source = Source::hip(&EVERYTHING.replace("sqtt_marker_enter(0); sqtt_marker_point(0);", ""));
    for (llvm, target) in pairs() {
        for level in [0, 2] {
            let mut clang = device(llvm, target, level);
            silent(clang.args(WARNINGS).args(["-S", "-o", "/dev/null"]).arg(source.path()));
        }
    }
}

/// Off, the header leaves nothing behind in device code.
#[test]
fn off_is_the_source_without_markers() {
    let source = Source::hip(
        r#"
#ifdef MARKED
#include "markers.hpp"
#define MARK(...) __VA_ARGS__
#else
#define MARK(...)
#endif
struct Stage { int number; const char *name; };
__device__ int side(int *p) { return ++*p; }
template <int N> __device__ int tile(int *p) {
  MARK(sqtt_scope guard("tile");)
  int sum = 0;
  for (int i = 0; i < N; ++i) {
    MARK(sqtt_marker_enter(i);)
    MARK(sqtt_marker_data("turn", side(p));)
    sum += p[i];
    MARK(sqtt_marker_exit(i);)
  }
  return sum;
}
__global__ void k(int *p, int n) {
  MARK(sqtt_marker_enter("all");)
  MARK(sqtt_scope outer("outer"); sqtt_scope inner(2);)
  Stage stage{n, "stage"};
  MARK(sqtt_marker_point(stage.name);)
  if (__lane() < static_cast<unsigned>(n)) {
    MARK(sqtt_marker_point("in");)
    p[__lane()] = tile<4>(p) + stage.number;
  }
  MARK(sqtt_marker_point(n ? "a" : "b");)
  MARK(sqtt_marker_exit("all"); sqtt_marker_exit(); sqtt_marker_exit(0);)
}
"#,
    );
    for (llvm, target) in pairs() {
        for level in 1..4 {
            let ir = |arguments: &[&str]| {
                let mut clang = device_without_plugin(llvm, target, level);
                let text =
                    stdout(clang.args(arguments).args(["-S", "-emit-llvm", "-o", "-"]).arg(source.path()));
                let differs = ["; ModuleID", "source_filename", "!llvm.ident"];
                text.lines()
                    .filter(|line| !differs.iter().any(|start| line.starts_with(start)))
                    .collect::<Vec<_>>()
                    .join("\n")
            };
            let without = ir(&[]);
            assert_eq!(
                ir(&["-DMARKED", "-DSQTT_ENABLED=0"]),
                without,
                "LLVM {} {target} -O{level}",
                llvm.major()
            );
            assert_eq!(ir(&["-DMARKED"]), without, "LLVM {} {target} -O{level}", llvm.major());
            assert_ne!(ir(&["-DMARKED", "-DSQTT_ENABLED=1"]), without, "the markers are in the source");
        }
    }
}

/// A named marker without the plugin does not link, and the linker says which symbol is missing.
#[test]
fn a_forgotten_plugin_is_a_link_error() {
    let source = Source::hip(
        "#include \"markers.hpp\"\n\
         __global__ void k(int *p) { sqtt_marker_enter(\"x\"); p[0] = 1; sqtt_marker_exit(\"x\");\n\
           sqtt_marker_point(\"y\"); sqtt_marker_data(\"z\", 1); }\n",
    );
    for llvm in Llvm::ALL {
        for level in 0..4 {
            let object = source.beside("out.co");
            let mut clang = device_without_plugin(llvm, "gfx1100", level);
            clang
                .args(["-DSQTT_ENABLED=1", "-c", "--no-gpu-bundle-output"])
                .arg(source.path())
                .arg("-o")
                .arg(&object);
            let said = failure(&mut clang);
            for sentinel in ["enter", "exit", "point", "data"] {
                assert!(
                    said.contains(&format!("undefined hidden symbol: __sqtt_named_marker_{sentinel}")),
                    "{said}"
                );
            }
            let mut clang = device(llvm, "gfx1100", level);
            clang.args(["-c", "--no-gpu-bundle-output"]).arg(source.path()).arg("-o").arg(&object);
            silent(&mut clang);
        }
    }
}

/// Numeric markers link without it.
#[test]
fn numbers_need_no_plugin() {
    let source = Source::hip(
        "#include \"markers.hpp\"\n\
         __global__ void k(int *p) { sqtt_scope guard(1); sqtt_marker_point(2); p[0] = 1; }\n",
    );
    for (llvm, target) in pairs() {
        for level in [0, 2] {
            let mut clang = device_without_plugin(llvm, target, level);
            clang.args(["-DSQTT_ENABLED=1", "-c", "--no-gpu-bundle-output"]);
            silent(clang.arg(source.path()).arg("-o").arg(source.beside("out.co")));
        }
    }
}

/// A pointer is no number and a class is neither.
#[test]
fn what_is_no_id_is_refused() {
    for argument in ["p", "1.5f", "nullptr_t{}", "Thing{}"] {
        let source = Source::hip(&format!(
            "#include \"markers.hpp\"\nstruct Thing {{}}; typedef decltype(nullptr) nullptr_t;\n\
             __device__ void f(int *p) {{ (void)p; sqtt_scope guard({argument}); }}\n"
        ));
        let mut clang = device_without_plugin(Llvm::V22, "gfx1100", 0);
        clang.args(["-DSQTT_ENABLED=1", "-fsyntax-only"]).arg(source.path());
        if argument == "nullptr_t{}" {
            // A null name: the plugin gives it a fallback.
            silent(&mut clang);
        } else {
            assert!(failure(&mut clang).contains("no matching"), "{argument}");
        }
    }
}

fn silent(command: &mut std::process::Command) {
    let output = run(command);
    let said = text(&output.stderr);
    assert!(output.status.success() && said.is_empty(), "{command:?}:\n{said}");
}
