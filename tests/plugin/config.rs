//! Environment variables: every one of the specification's table, what is accepted, and how the rest is refused.

use crate::compile::{Source, device, failure, hip, opt, run, stdout, text};
use commands::Llvm;

/// A variable of the table.
struct Variable {
    name: &'static str,
    /// Are accepted.
    accepted_values: &'static [&'static str],
    /// Are no values.
    wrong: &'static [&'static str],
    /// Text of an error about the accepted values.
    accepted: &'static str,
}

const TABLE: [Variable; 12] = [
    Variable {
        name: "SQTT_INSTRUMENT_BARRIERS",
        accepted_values: &["0", "off", "", "1", "on"],
        wrong: &["2", "maybe"],
        accepted: "0 or 1",
    },
    Variable {
        name: "SQTT_INSTRUMENT_FUNCTIONS",
        accepted_values: &["0", "off", "none", "10", "cost:50"],
        wrong: &["ten", "-5", "cost:", "cost:x", "010", "00", "cost:010"],
        accepted: "cost:N",
    },
    Variable {
        name: "SQTT_INSTRUMENT_MEMORY",
        accepted_values: &["off", "0", "none", "4:16", "1:0"],
        wrong: &["4", "4:", ":4", "0:4", "a:b", "4:16:2", "04:16", "4:016"],
        accepted: "N:M",
    },
    Variable {
        name: "SQTT_MEM_BARRIER",
        accepted_values: &["none", "0", "off", "asm", "1", "compiler", "clobber", "fence", "2", "on", "hw"],
        wrong: &["3", "fences"],
        accepted: "none, asm or fence",
    },
    Variable {
        name: "SQTT_SHADER_CLOCK_BITS",
        accepted_values: &["0", "off", "12", "28"],
        wrong: &["30", "many", "1.5", "012"],
        accepted: "0 to 29",
    },
    Variable {
        name: "SQTT_SHADER_CLOCK_SHIFT",
        accepted_values: &["0", "4", "31"],
        wrong: &["32", "-2", "four", "04"],
        accepted: "0 to 31",
    },
    Variable {
        name: "SQTT_SCOPE_WAVE",
        accepted_values: &["-1", "0xFFFFFFFF", "0xffffffff", "4294967295", "0x3", "1"],
        wrong: &["0x1FFFFFFFF", "wave", "-2", "01"],
        accepted: "-1 for all",
    },
    Variable {
        name: "SQTT_SCOPE_SIMD",
        accepted_values: &["-1", "0xF", "15", "0xFFFFFFFF", "0x1"],
        wrong: &["simd", "0x10", "07"],
        accepted: "-1 for all",
    },
    Variable {
        name: "SQTT_SCOPE_CU",
        accepted_values: &["-1", "0xFFFF", "0xFFFFFFFF", "0x3"],
        wrong: &["0xZZ", "0x10000", "017", "00"],
        accepted: "-1 for all",
    },
    Variable {
        name: "SQTT_SCOPE_WG",
        accepted_values: &["-1", "0xFFFFFFFF", "0x3"],
        wrong: &["all of them", "03"],
        accepted: "-1 for all",
    },
    Variable {
        name: "SQTT_SCOPE_FORM",
        accepted_values: &["cfg", "asm", "ASM"],
        wrong: &["diamond", "0"],
        accepted: "cfg or asm",
    },
    Variable {
        name: "SQTT_TRACE_ADDRESSES",
        accepted_values: &["off", "0", "none", "memory", "lds", "memory,lds", "lds,memory"],
        wrong: &["memory,", "registers"],
        accepted: "memory,lds",
    },
];

const KERNEL: &str = "target triple = \"amdgcn-amd-amdhsa\"\n\
    define amdgpu_kernel void @k() #0 { ret void }\n\
    attributes #0 = { \"target-cpu\"=\"gfx1100\" }\n";

#[test]
fn good_values_are_accepted() {
    let module = Source::file("k.ll", KERNEL);
    each(|llvm, variable| {
        for value in variable.accepted_values {
            let output =
                run(opt(llvm).args(["-passes=default<O2>"]).arg(module.path()).env(variable.name, value));
            let said = text(&output.stderr);
            assert!(output.status.success() && said.is_empty(), "{}={value}: {said}", variable.name);
            assert!(text(&output.stdout).contains(".sqtt_funcmap"), "{}={value}", variable.name);
        }
    });
}

#[test]
fn wrong_values_are_refused() {
    let module = Source::file("k.ll", KERNEL);
    each(|llvm, variable| {
        for value in variable.wrong {
            let said =
                failure(opt(llvm).args(["-passes=default<O2>"]).arg(module.path()).env(variable.name, value));
            one_error(&said, variable.name, value);
            assert!(said.contains("accepted: ") && said.contains(variable.accepted), "{said}");
        }
    });
}

#[test]
fn verbose_takes_0_and_1() {
    let module = Source::file("k.ll", KERNEL);
    for llvm in Llvm::ALL {
        let compile = |value: &str| {
            run(opt(llvm).args(["-passes=default<O2>"]).arg(module.path()).env("SQTT_VERBOSE", value))
        };
        assert!(compile("0").status.success() && compile("0").stderr.is_empty());
        let said = text(&compile("1").stderr);
        assert!(said.contains("sqtt: early: ") && said.contains("sqtt: late: "), "{said}");
        one_error(&text(&compile("loud").stderr), "SQTT_VERBOSE", "loud");
    }
}

#[test]
fn unknown_variables_are_refused_with_a_suggestion() {
    let module = Source::file("k.ll", KERNEL);
    for llvm in Llvm::ALL {
        for (name, suggestion) in [
            ("SQTT_INSTRUMENT_BARRIER", "SQTT_INSTRUMENT_BARRIERS"),
            ("SQTT_MEMBARRIER", "SQTT_MEM_BARRIER"),
            ("SQTT_VERBOS", "SQTT_VERBOSE"),
            ("SQTT_SCOPE_CUS", "SQTT_SCOPE_CU"),
        ] {
            let said = failure(opt(llvm).args(["-passes=default<O2>"]).arg(module.path()).env(name, "0"));
            one_error(&said, name, "");
            assert!(said.contains(&format!("did you mean {suggestion}?")), "{said}");
        }
        let said =
            failure(opt(llvm).args(["-passes=default<O2>"]).arg(module.path()).env("SQTT_ENABLED", "1"));
        assert!(said.contains("-DSQTT_ENABLED=1"), "{said}");
    }
}

#[test]
fn variables_of_tests_and_of_simulated_runs_are_not_the_plugins() {
    let module = Source::file("k.ll", KERNEL);
    for llvm in Llvm::ALL {
        for name in ["SQTT_TEST_DATA", "SQTT_RUN_TARGET", "SQTT_HIP_LIBRARY", "SQTT_CLANG"] {
            stdout(opt(llvm).args(["-passes=default<O2>"]).arg(module.path()).env(name, "/anywhere"));
        }
    }
}

#[cfg(unix)]
#[test]
fn a_value_that_is_no_text_is_refused() {
    use std::os::unix::ffi::OsStrExt;
    let module = Source::file("k.ll", KERNEL);
    let value = std::ffi::OsStr::from_bytes(b"fen\xffce");
    for llvm in Llvm::ALL {
        let said =
            failure(opt(llvm).arg("-passes=default<O2>").arg(module.path()).env("SQTT_MEM_BARRIER", value));
        one_error(&said, "SQTT_MEM_BARRIER", "");
        assert!(said.contains("not text"), "{said}");
    }
}

/// Several wrong variables, and several phases: one error that names them all.
#[test]
fn several_problems_are_one_error() {
    let module = Source::file("k.ll", KERNEL);
    for llvm in Llvm::ALL {
        for passes in ["default<O0>", "default<O2>", "sqtt-early,sqtt-late", "sqtt-late,sqtt-late"] {
            let said = failure(
                opt(llvm)
                    .arg(format!("-passes={passes}"))
                    .arg(module.path())
                    .env("SQTT_MEM_BARRIER", "nonsense")
                    .env("SQTT_SCOPE_CU", "0x1FFFF"),
            );
            one_error(&said, "SQTT_MEM_BARRIER", "nonsense");
            one_error(&said, "SQTT_SCOPE_CU", "0x1FFFF");
        }
    }
}

const HIP: &str = "#include \"markers.hpp\"\n\
    __global__ void k(int *p) { sqtt_marker_point(\"x\"); p[0] = 1; }\n";

/// In clang a device compile fails, with one diagnostic of the plugin's own kind, at every level.
#[test]
fn clang_device_compiles_fail_once() {
    let source = Source::hip(HIP);
    for llvm in Llvm::ALL {
        for level in 0..4 {
            let mut clang = device(llvm, "gfx1100", level);
            clang.args(["-c", "--no-gpu-bundle-output"]).arg(source.path());
            clang.arg("-o").arg(source.beside("out.o")).env("SQTT_MEM_BARRIER", "nonsense");
            one_error(&failure(&mut clang), "SQTT_MEM_BARRIER", "nonsense");
        }
    }
}

/// A whole compile: the device half fails once, the host half says nothing of it.
#[test]
fn a_whole_hip_compile_fails_once() {
    let source = Source::hip(
        "#include \"markers.hpp\"\n__device__ int f(int n) { sqtt_marker_point(\"x\"); return n; }\n",
    );
    for llvm in Llvm::ALL {
        let mut clang = hip(llvm);
        clang.args(["--offload-arch=gfx1100", "-O2", "-DSQTT_ENABLED=1", "-c"]);
        clang.arg(llvm.load_plugin()).arg(source.path()).arg("-o").arg(source.beside("out.o"));
        let said = failure(clang.env("SQTT_TRACE_ADDRESSES", "nonsense"));
        one_error(&said, "SQTT_TRACE_ADDRESSES", "nonsense");
        assert!(said.contains("when compiling for gfx1100"), "{said}");
    }
}

#[test]
fn verbose_prints_the_configuration_and_a_line_per_module() {
    let source = Source::hip(HIP);
    for llvm in Llvm::ALL {
        for (level, phases) in [(0, &["late"][..]), (2, &["early", "late"])] {
            let mut clang = device(llvm, "gfx1100", level);
            clang.args(["-S", "-o", "/dev/null"]).arg(source.path());
            let output = run(clang.env("SQTT_VERBOSE", "1"));
            let said = text(&output.stderr);
            assert!(output.status.success(), "{said}");
            let lines: Vec<&str> = said.lines().filter(|line| line.starts_with("sqtt: ")).collect();
            assert_eq!(lines.len(), phases.len(), "{said}");
            for (line, phase) in lines.iter().zip(phases) {
                assert!(line.starts_with(&format!("sqtt: {phase}: ")), "{line}");
                assert!(line.contains("source.hip") && line.contains(" markers"), "{line}");
                assert!(line.contains("SQTT_MEM_BARRIER=fence SQTT_SCOPE_CU=0x3"), "{line}");
            }
        }
    }
}

fn each(check: impl Fn(Llvm, &Variable) + Sync) {
    std::thread::scope(|scope| {
        for llvm in Llvm::ALL {
            let check = &check;
            llvm.plugin();
            scope.spawn(move || TABLE.iter().for_each(|variable| check(llvm, variable)));
        }
    });
}

/// One error diagnostic that names variable and value.
fn one_error(said: &str, name: &str, value: &str) {
    let named = if value.is_empty() { name.to_owned() } else { format!("{name}={value}") };
    assert_eq!(said.matches("error: ").count(), 1, "{said}");
    assert!(said.contains(&named), "{said}");
    if !value.is_empty() {
        assert_eq!(said.matches(&named).count(), 1, "{said}");
    }
    for crash in ["panicked", "PLEASE", "Stack dump"] {
        assert!(!said.contains(crash), "{said}");
    }
}

/// Settings that are good alone and not together.
#[test]
fn exclusive_settings_are_refused() {
    let module = Source::file("k.ll", KERNEL);
    let addresses = ("SQTT_TRACE_ADDRESSES", "lds");
    for (settings, says) in [
        ([addresses, ("SQTT_INSTRUMENT_MEMORY", "4:5")], "excludes SQTT_INSTRUMENT_MEMORY=4:5"),
        ([addresses, ("SQTT_SHADER_CLOCK_BITS", "12")], "excludes SQTT_SHADER_CLOCK_BITS=12"),
        (
            [("SQTT_SHADER_CLOCK_BITS", "29"), ("SQTT_SHADER_CLOCK_SHIFT", "")],
            "the window ends at bit 33 of the clock's 32",
        ),
    ] {
        for llvm in Llvm::ALL {
            let said = failure(opt(llvm).args(["-passes=default<O2>"]).arg(module.path()).envs(settings));
            let errors = said.lines().filter(|line| line.contains("sqtt: ")).count();
            assert!(
                errors == 1 && said.contains(says) && said.contains("accepted: "),
                "{settings:?}: {said}"
            );
        }
    }
}
