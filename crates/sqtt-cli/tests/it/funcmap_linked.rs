//! `sqtt funcmap` on relocatable device code of two sources, linked: what it warns about, and that its remedy is one.

use std::path::Path;
use std::process::Command;

use commands::{Llvm, capture};

const SOURCES: [(&str, &str); 2] = [
    (
        "a",
        "__device__ __attribute__((noinline)) int work(int n);\n\
         __global__ void first(int *p) { sqtt_scope guard(\"outer\"); sqtt_marker_point(\"before\"); p[0] = work(p[1]); }\n\
         __device__ __attribute__((noinline)) int work(int n) { sqtt_marker_point(\"inside\"); return n * n; }\n",
    ),
    (
        "b",
        "__global__ void second(int *p) { sqtt_scope guard(\"outer\"); sqtt_marker_point(\"alone\"); p[0] = 1; }\n",
    ),
];

/// Both sources, compiled and linked; the plugin is loaded in the compiles, where there are ids for them, or at the link.
fn build(folder: &Path, llvm: Llvm, ids: Option<&str>) -> String {
    let root = commands::root();
    let mut link = commands::command(llvm.tool("ld.lld"));
    link.args(["--no-undefined", "-shared", "-plugin-opt=mcpu=gfx1100", "-plugin-opt=O2"])
        .current_dir(folder);
    if ids.is_none() {
        link.arg(format!("--load-pass-plugin={}", llvm.plugin().display()));
    }
    for (name, source) in SOURCES {
        let text = format!(
            "#define __global__ __attribute__((global))\n#define __device__ __attribute__((device))\n\
             #include \"markers.hpp\"\n{source}"
        );
        std::fs::write(folder.join(format!("{name}.hip")), text).unwrap();
        let mut clang = commands::command(llvm.tool("clang"));
        clang.args([
            "-x",
            "hip",
            "--cuda-device-only",
            "--no-gpu-bundle-output",
            "--offload-arch=gfx1100",
            "-O2",
        ]);
        clang.args(["-nogpuinc", "-nogpulib", "-fgpu-rdc", "-c", "-DSQTT_ENABLED=1"]).current_dir(folder);
        clang.arg("-I").arg(root.join("include")).args([&format!("{name}.hip"), "-o", &format!("{name}.bc")]);
        if let Some(ids) = ids {
            clang.arg(llvm.load_plugin()).env("SQTT_ID_SPACE", ids);
        }
        capture(&mut clang).unwrap();
        link.arg(format!("{name}.bc"));
    }
    capture(link.args(["-o", "linked.co"])).unwrap();
    folder.join("linked.co").display().to_string()
}

#[test]
fn ids_of_two_sources_collide_if_each_counts_from_1() {
    let folder = tempfile::tempdir().unwrap();
    for llvm in Llvm::ALL {
        let funcmap = |path: &str| {
            let output = Command::new(env!("CARGO_BIN_EXE_sqtt")).args(["funcmap", path]).output().unwrap();
            assert_eq!(output.status.code(), Some(0));
            (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
        };
        let (table, said) = funcmap(&build(folder.path(), llvm, Some("compact")));
        assert!(said.contains("the code object holds 2 maps, and "), "{said}");
        assert!(
            said.contains("Remedy: compile with SQTT_ID_SPACE=unit, the default with -fgpu-rdc, or"),
            "{said}"
        );
        let maps: Vec<&str> = table.split("map ").skip(1).collect();
        assert_eq!(maps.len(), 2, "{table}");
        assert!(maps[0].starts_with("1 of 2, of kernel _Z5firstPi:"), "{table}");
        assert!(
            maps[0].contains("  before\n")
                && maps[0].contains("  inside\n")
                && !maps[0].contains("  alone\n")
        );
        assert!(maps[1].starts_with("2 of 2, of kernel _Z6secondPi:"), "{table}");
        assert!(maps[1].contains("  alone\n") && !maps[1].contains("  before\n"), "{table}");
        let (table, said) = funcmap(&build(folder.path(), llvm, Some("auto")));
        assert_eq!(said, "", "LLVM {}", llvm.major());
        assert!(table.contains("map 2 of 2, of kernel _Z6secondPi:"), "{table}");
        let (table, said) = funcmap(&build(folder.path(), llvm, None));
        assert_eq!(said, "", "LLVM {}", llvm.major());
        for name in ["outer", "before", "inside", "alone"] {
            assert_eq!(table.matches(&format!("  {name}\n")).count(), 1, "{table}");
        }
        assert!(!table.contains("map 1 of"), "{table}");
    }
}
