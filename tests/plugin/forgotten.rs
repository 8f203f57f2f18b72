//! Markers where no plugin is: an error that says what is missing.

use crate::compile::{Source, device, device_without_plugin, failure, silent};
use commands::{Llvm, command};

/// A named marker without the plugin is an error at its line, which says what to do, at every level; with it, nothing.
#[test]
fn a_forgotten_plugin_is_an_error_at_the_line_of_the_call() {
    let source = Source::hip(
        "#include \"markers.hpp\"\n\
         struct Held { sqtt_scope guard; __device__ Held() : guard(\"held\") {} };\n\
         __global__ void k(int *p, float f, double d) {\n\
           sqtt_marker_enter(\"x\"); p[0] = 1;\n\
           sqtt_marker_exit(\"x\");\n\
           sqtt_marker_point(\"y\");\n\
           sqtt_marker_data(\"z\", 1);\n\
           sqtt_marker_data(\"z\", f);\n\
           sqtt_marker_data(\"z\", d);\n\
           sqtt_marker_data(\"z\", p);\n\
           sqtt_scope guard(\"guard\");\n\
           Held held;\n\
           p[1] = 2;\n\
         }\n",
    );
    for llvm in Llvm::ALL {
        for level in 0..4 {
            let object = source.beside(&format!("{}-{level}.co", llvm.major()));
            let mut clang = device_without_plugin(llvm, "gfx1100", level);
            clang
                .args(["-DSQTT_ENABLED=1", "-c", "--no-gpu-bundle-output"])
                .arg(source.path())
                .arg("-o")
                .arg(&object);
            let said = failure(&mut clang);
            for line in [2, 4, 5, 6, 7, 8, 9, 10, 11] {
                let place = format!("source.hip:{line}:");
                let error = said.lines().find(|text| text.contains(&place) && text.contains("error: "));
                let error = error.unwrap_or_else(|| panic!("-O{level}, line {line}: {said}"));
                assert!(error.contains("add -fpass-plugin=PATH/libsqttinstrumentpass.so"), "{error}");
            }
            assert!(said.contains("9 errors generated") && !object.exists(), "-O{level}: {said}");
            let mut clang = device(llvm, "gfx1100", level);
            clang.args(["-c", "--no-gpu-bundle-output"]).arg(source.path()).arg("-o").arg(&object);
            silent(&mut clang);
        }
    }
}

/// Device code that is linked as bitcode is whole at the link alone: it fails there without the plugin.
#[test]
fn a_forgotten_plugin_of_relocatable_code_is_a_link_error() {
    let source = Source::hip(
        "#include \"markers.hpp\"\n__global__ void k(int *p) { sqtt_scope guard(\"x\"); p[0] = 1; }\n",
    );
    for llvm in Llvm::ALL {
        let bitcode = source.beside("unit.bc");
        let mut clang = device_without_plugin(llvm, "gfx1100", 2);
        clang.args(["-DSQTT_ENABLED=1", "-fgpu-rdc", "-c", "-emit-llvm", "--no-gpu-bundle-output"]);
        silent(clang.arg(source.path()).arg("-o").arg(&bitcode));
        let mut lld = command(llvm.tool("ld.lld"));
        lld.args(["-shared", "-plugin-opt=mcpu=gfx1100"])
            .arg(&bitcode)
            .arg("-o")
            .arg(source.beside("linked.co"));
        let said = failure(&mut lld);
        assert!(said.contains("__sqtt_named_scope_enter"), "LLVM {}: {said}", llvm.major());
        lld.arg(format!("--load-pass-plugin={}", llvm.plugin().display()));
        silent(&mut lld);
    }
}

/// SPIR-V is compiled for a GPU where no plugin is: an error instead of markers that stay.
#[test]
fn no_markers_for_no_gpu() {
    let source = Source::hip(
        "#include \"markers.hpp\"\n__global__ void k(int *p) { sqtt_marker_enter(\"x\"); p[0] = 1; }\n",
    );
    for llvm in Llvm::ALL {
        let compile = |enabled: &str| {
            let mut clang = device_without_plugin(llvm, "amdgcnspirv", 2);
            clang.args([enabled, "-S", "-emit-llvm", "-o", "/dev/null"]).arg(source.path());
            clang
        };
        let said = failure(&mut compile("-DSQTT_ENABLED=1"));
        assert!(said.contains("amdgcnspirv is none: name GPUs (--offload-arch=gfx942)"), "{said}");
        silent(&mut compile("-DSQTT_ENABLED=0"));
    }
}
