//! `sqtt_markers.h`: the markers under RCCL's names, on and off, and their stream in the simulator.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::command::sqtt;
use commands::{Llvm, capture, command, device_compile, root};

fn source() -> PathBuf {
    root().join("crates/sqtt-cli/tests/it/marker_names.hip")
}

const STRICT: [&str; 4] = ["-std=c++17", "-Wall", "-Wextra", "-Werror"];

fn compile(target: &str, out: &Path) -> Command {
    let mut clang = device_compile(&source(), target, out);
    clang.args(STRICT).env("SQTT_SCOPE_CU", "-1");
    clang
}

#[test]
fn the_stream_has_every_marker() {
    let folder = tempfile::tempdir().unwrap();
    let expected = [
        "enter load",
        "exit",
        "point blocks",
        "data 0x7",
        "point some",
        "enter outer",
        "enter inner",
        "enter double",
        "exit",
        "exit",
        "exit",
    ];
    for target in ["gfx90a", "gfx1100"] {
        let object = folder.path().join(format!("{target}.co"));
        capture(compile(target, &object).args(["-DSQTT_ENABLED=1", &Llvm::V22.load_plugin()])).unwrap();
        let sim = ["sim", object.to_str().unwrap(), "--kernel", "kernel", "--grid", "1", "--block", "32"];
        let ran = sqtt(folder.path(), &[&sim[..], &["--arg", "buf:u32:iota:64"]].concat());
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{}", ran.out);
        let markers = ran.out.lines().filter_map(|line| line.split_once("  0x")?.1.split_once(' '));
        let markers: Vec<&str> = markers.map(|(_, marker)| marker.trim()).collect();
        assert_eq!(markers, expected, "{target}:\n{}", ran.out);
    }
}

#[test]
fn off_nothing_of_it_is_left() {
    let folder = tempfile::tempdir().unwrap();
    for target in ["gfx90a", "gfx1100"] {
        for off in [&["-DSQTT_ENABLED=0"][..], &[]] {
            let object = folder.path().join("off.co");
            capture(compile(target, &object).args(off)).unwrap();
            let code = commands::code::disassemble(&object).unwrap();
            assert!(code.contains("<kernel>:") && !code.contains("ttracedata"), "{code}");
        }
    }
}

/// The host's half has markers in it, and C includes the header.
#[test]
fn the_host_and_c_compile_without_a_warning() {
    let folder = tempfile::tempdir().unwrap();
    let text = "#include \"sqtt_markers.h\"\n\
                __attribute__((host, device)) constexpr int twice(int n) { SQTT_SCOPED_MARKER(\"twice\"); return n * 2; }\n\
                static_assert(twice(2) == 4, \"\");\n\
                __attribute__((host)) int on_host(int n) {\n\
                  SQTT_MARKER_ENTER(\"a\"); SQTT_MARKER_EXIT(\"a\"); SQTT_MARKER_POINT(\"b\"); SQTT_MARKER_DATA(\"c\", n);\n\
                  int calls = 0;\n\
                  SQTT_SCOPED_MARKER((++calls, \"d\")); SQTT_MARKER_POINT((++calls, \"e\"));\n\
                  return twice(n) + calls;\n\
                }\n";
    let file = folder.path().join("host.hip");
    std::fs::write(&file, text).unwrap();
    for enabled in ["-DSQTT_ENABLED=1", "-DSQTT_ENABLED=0"] {
        let mut clang = command(Llvm::V22.tool("clang"));
        clang.args(["-x", "hip", "--cuda-host-only", "-nogpuinc", "-nogpulib", "-S", "-o", "-", "-O1"]);
        clang.args(STRICT).arg(enabled).arg("-I").arg(root().join("include")).arg(&file);
        assert!(capture(&mut clang).unwrap().contains("on_host"), "{enabled}");
    }
    let file = folder.path().join("device.c");
    std::fs::write(
        &file,
        "#include \"sqtt_markers.h\"\nvoid f(int n) { SQTT_MARKER_ENTER(\"f\"); SQTT_MARKER_DATA(\"n\", n); SQTT_MARKER_EXIT(\"f\"); }\n",
    )
    .unwrap();
    let mut clang = command(Llvm::V22.tool("clang"));
    clang.args(["--target=amdgcn-amd-amdhsa", "-mcpu=gfx90a", "-nogpulib", "-O1", "-S", "-o", "-"]);
    clang.args(["-Wall", "-Wextra", "-Werror", "-DSQTT_ENABLED=1", &Llvm::V22.load_plugin()]);
    let code = capture(clang.arg("-I").arg(root().join("include")).arg(&file)).unwrap();
    assert_eq!(code.matches("s_ttracedata").count(), 4, "{code}");
}
