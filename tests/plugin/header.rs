//! `markers.hpp` by itself: warnings, overloads, and what is left of it when it is off and on the host.

use crate::compile::{Source, device, device_without_plugin, failure, hip, pairs, run, silent, stdout, text};
use commands::{Llvm, command, root};

const STANDARDS: [&str; 4] = ["c++11", "c++14", "c++17", "c++20"];
const WARNINGS: [&str; 3] = ["-Wall", "-Wextra", "-Werror"];

/// Everything the header offers.
const EVERYTHING: &str = r#"
#include "markers.hpp"
enum Plain { plain = 1 };
enum class Scoped : unsigned char { scoped = 2 };
struct Bits { unsigned id : 5; };
__device__ void empty() {}
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
  sqtt_marker_data("float", 1.5f); sqtt_marker_data("double", 1.5); sqtt_marker_data("half", (_Float16)1.5f);
  sqtt_marker_data("pointer", p); sqtt_marker_data("null", nullptr); sqtt_marker_data("function", empty);
  sqtt_marker_data("long", 1l); sqtt_marker_data("unsigned long long", 1ull); sqtt_marker_data("char", 'c');
  sqtt_marker_data("plain", plain); sqtt_marker_data("scoped", Scoped::scoped); sqtt_marker_data("bool", true);
  Bits bits = {3}; sqtt_marker_point(bits.id);
  const volatile int turning = n; sqtt_marker_point(turning);
  named("name");
  { sqtt_scope first("first"); sqtt_scope second("second"); sqtt_scope third(3); p[0] = n; }
  if (n) sqtt_marker_point("yes"); else sqtt_marker_point("no");
  for (int i = 1; i < n; ++i) sqtt_marker_point(i);
}
"#;

/// [`EVERYTHING`] in a file that has a host half.
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

/// Functions of constant expressions may have markers that are off: on the host, and without SQTT_ENABLED.
#[test]
fn constant_expressions_where_off() {
    let source = Source::hip(
        "#include \"markers.hpp\"\n\
         #define BOTH __attribute__((host, device)) constexpr\n\
         BOTH int f(int a) { sqtt_marker_point(\"x\"); sqtt_marker_enter(3); sqtt_marker_data(\"v\", a); sqtt_marker_exit(); return a; }\n\
         BOTH int g(int a) { sqtt_scope guard(\"g\"); sqtt_scope number(3); return a; }\n\
         static_assert(f(1) + g(2) == 3, \"\");\n",
    );
    for llvm in Llvm::ALL {
        for standard in ["c++14", "c++17", "c++20"] {
            let mut host = hip(llvm);
            host.args(["--cuda-host-only", "-DSQTT_ENABLED=1"]);
            for mut clang in [host, device_without_plugin(llvm, "gfx1100", 0)] {
                clang.args(WARNINGS).arg(format!("-std={standard}"));
                silent(clang.arg("-fsyntax-only").arg(source.path()));
            }
        }
    }
}

/// Macros of one letter, which programs have, do not reach into the header.
#[test]
fn macros_of_one_letter_do_no_harm() {
    let macros: String = ('A'..='Z').chain('a'..='z').map(|letter| format!("#define {letter} +\n")).collect();
    let source = Source::hip(&format!(
        "{macros}#include \"markers.hpp\"\n__device__ void all(int *to) {{ sqtt_scope guard(1); sqtt_marker_data(\"1\", *to); }}\n"
    ));
    for llvm in Llvm::ALL {
        for enabled in ["-DSQTT_ENABLED=1", "-DSQTT_ENABLED=0"] {
            let mut clang = device_without_plugin(llvm, "gfx1100", 0);
            silent(clang.args(WARNINGS).args([enabled, "-fsyntax-only"]).arg(source.path()));
        }
    }
}

/// Warning-free through the optimizer and with the plugin, too.
#[test]
fn warning_free_with_the_plugin() {
    let source = Source::hip(EVERYTHING);
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

/// Functions and lambdas for host and device record on the device, and are on the host what they are without markers.
#[test]
fn nothing_on_the_host() {
    let source = Source::hip(
        r#"
#ifdef MARKED
#include "markers.hpp"
#define MARK(...) __VA_ARGS__
#else
#define MARK(...)
#endif
#define __host__ __attribute__((host))
__host__ __device__ int both(int *p, int n) {
  MARK(sqtt_scope guard("both"); sqtt_scope number(3);)
  MARK(sqtt_marker_enter("named"); sqtt_marker_enter(4); sqtt_marker_data("value", p[0]); sqtt_marker_data("f", 1.5f);)
  MARK(sqtt_marker_point(n ? "a" : "b"); sqtt_marker_point(n); sqtt_marker_exit(); sqtt_marker_exit("named");)
  auto add = [=] __host__ __device__(int k) { MARK(sqtt_marker_data("k", k);) return k + n; };
  return p[n] = add(p[0]);
}
template <typename F> __host__ __device__ int apply(F f, int *p) { MARK(sqtt_scope guard("apply");) return f(p, 2); }
int host(int *p) {
  MARK(sqtt_scope guard("host"); sqtt_marker_point("host"); sqtt_marker_data("n", p[1]);)
  return both(p, 1) + apply(both, p) + apply([] __host__ __device__(int *q, int n) { return both(q, n); }, p);
}
#ifdef __HIP_DEVICE_COMPILE__
extern "C" __global__ void k(int *p) { p[5] = both(p, 1) + apply([] __host__ __device__(int *q, int n) { return both(q, n); }, p); }
#endif
"#,
    );
    for llvm in Llvm::ALL {
        for level in 0..4 {
            let host = |arguments: &[&str]| {
                let mut clang = hip(llvm);
                clang.args(["--cuda-host-only", "-Wall", "-Wextra", "-Werror"]).arg(format!("-O{level}"));
                clang.args(arguments).args(["-S", "-o", "-"]).arg(source.path());
                let text = stdout(&mut clang);
                text.lines().filter(|line| !line.contains(".ident")).collect::<Vec<_>>().join("\n")
            };
            let marked = ["-DMARKED", "-DSQTT_ENABLED=1"];
            let text = host(&marked);
            assert!(!text.contains("__sqtt_named") && !text.contains("ttracedata"), "{text}");
            if level > 0 {
                assert_eq!(text, host(&[]), "LLVM {} -O{level}", llvm.major());
            }
            let mut clang = device(llvm, "gfx1100", level);
            clang.args(["-DMARKED", "-Wall", "-Wextra", "-Werror", "-S", "-o", "-"]).arg(source.path());
            let text = stdout(&mut clang);
            assert!(text.contains(":apply") && text.contains("s_ttracedata"), "LLVM {}", llvm.major());
        }
    }
}

/// Code for the host in C and C++, which no GPU is in the way of.
#[test]
fn plain_c_and_cpp_on_the_host() {
    let body = "int f(int x) { sqtt_marker_enter(\"a\"); sqtt_marker_enter(3); sqtt_marker_data(\"b\", x); \
        sqtt_marker_data(\"c\", 1.0); sqtt_marker_point(x); sqtt_marker_exit(); sqtt_marker_exit(\"a\"); return x; }\n";
    let c = Source::file("plain.c", &format!("#include \"markers.h\"\n{body}"));
    let cpp = Source::file(
        "plain.cpp",
        &format!("#include \"markers.hpp\"\n{body}void g() {{ sqtt_scope s(\"s\"); }}\n"),
    );
    for llvm in Llvm::ALL {
        for (source, standards) in [(&c, ["c99", "c23"]), (&cpp, ["c++11", "c++20"])] {
            for standard in standards {
                for enabled in ["-DSQTT_ENABLED=1", "-DSQTT_ENABLED=0"] {
                    let mut clang = command(llvm.tool("clang"));
                    clang.args(WARNINGS).arg("-pedantic").arg(format!("-std={standard}")).arg(enabled);
                    clang
                        .arg("-I")
                        .arg(root().join("include"))
                        .args(["-O1", "-S", "-o", "-"])
                        .arg(source.path());
                    let output = run(&mut clang);
                    let (said, made) = (text(&output.stderr), text(&output.stdout));
                    assert!(output.status.success() && said.is_empty(), "{standard} {enabled}: {said}");
                    assert!(!made.contains("sqtt"), "{standard} {enabled}: {made}");
                }
            }
        }
    }
}

/// A warning of clang about an id that is a constant, at its line; with -Werror it is an error.
#[test]
fn constant_ids_are_looked_at() {
    for (call, says) in [
        ("sqtt_marker_enter(0)", "warning: id 0 is reserved"),
        ("sqtt_marker_point(0ull)", "warning: id 0 is reserved"),
        ("sqtt_marker_point(Zero::zero)", "warning: id 0 is reserved"),
        ("sqtt_scope guard(0)", "warning: id 0 is reserved"),
        ("sqtt_marker_enter(1 << 30)", "error: a marker's id has 30 bits: use one up to 1073741823"),
        ("sqtt_marker_point(-1)", "error: a marker's id has 30 bits"),
        ("sqtt_scope guard(0x100000001)", "error: a marker's id has 30 bits"),
    ] {
        let source = Source::hip(&format!(
            "#include \"markers.hpp\"\nenum class Zero {{ zero }};\n__device__ void f() {{\n  {call};\n}}\n"
        ));
        for llvm in Llvm::ALL {
            let mut clang = device_without_plugin(llvm, "gfx1100", 0);
            clang.args(["-DSQTT_ENABLED=1", "-fsyntax-only"]).arg(source.path());
            let said = text(&run(&mut clang).stderr);
            let line = said.lines().find(|line| line.contains("source.hip:4:"));
            assert!(line.is_some_and(|line| line.contains(says)), "{call}: {said}");
        }
    }
}

/// A value that is neither 32 nor 64 bits is refused, and nothing is cut off silently.
#[test]
fn what_is_no_value_is_refused() {
    for argument in ["Thing{}", "(__int128)1", "named"] {
        let source = Source::hip(&format!(
            "#include \"markers.hpp\"\nstruct Thing {{ int a, b; }}; typedef int Four __attribute__((ext_vector_type(4)));\n\
             __device__ void f(Four named) {{ (void)named; sqtt_marker_data(\"v\", {argument}); }}\n"
        ));
        for llvm in Llvm::ALL {
            let mut clang = device_without_plugin(llvm, "gfx1100", 0);
            clang.args(["-DSQTT_ENABLED=1", "-fsyntax-only"]).arg(source.path());
            let said = failure(&mut clang);
            assert!(said.contains("source.hip:3:"), "{argument}: {said}");
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

/// A compiler that no plugin is for reads the header, too: Debian's own hipcc runs this one.
#[test]
fn an_old_compiler_takes_numbers() {
    let source = Source::hip(
        "#include \"markers.hpp\"\n\
         enum class stage { load = 3 };\n\
         __global__ void k(int *p) { sqtt_scope guard(1); sqtt_marker_point(stage::load); p[0] = 1; }\n",
    );
    let old = "/usr/lib/llvm-15/bin/clang";
    assert!(std::fs::metadata(old).is_ok(), "{old} is missing, which the package hipcc brings");
    let mut clang = command(old);
    clang.args([
        "-x",
        "hip",
        "-nogpuinc",
        "-nogpulib",
        "--cuda-device-only",
        "--offload-arch=gfx1030",
        "-O2",
    ]);
    clang
        .args(["-DSQTT_ENABLED=1", "-Wall", "-Wextra", "-S", "-o", "-"])
        .arg("-I")
        .arg(root().join("include"));
    clang.arg("-include").arg(root().join("lit/Inputs/hip.hpp")).arg(source.path());
    let output = clang.output().expect("clang 15 runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.is_empty(), "{said}");
    let records = String::from_utf8_lossy(&output.stdout).matches("s_ttracedata").count();
    assert_eq!(records, 3);
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
