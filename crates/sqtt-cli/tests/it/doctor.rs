//! `sqtt doctor` on compilers and plugins that fit and that do not.

use crate::common;
use std::path::{Path, PathBuf};
use std::process::Command;

use commands::Llvm;
use serde_json::Value;

/// Runs the doctor in an environment of its own.
fn doctor(args: &[&str], variables: &[(&str, &str)]) -> (Value, i32) {
    let mut command = clean();
    command.arg("doctor").arg("--json").args(args).envs(variables.iter().copied());
    let output = command.output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let report =
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}{:?}", output.stderr));
    (report, output.status.code().unwrap())
}

fn clean() -> Command {
    let mut command = commands::command(env!("CARGO_BIN_EXE_sqtt"));
    for name in [
        "HIP_CLANG_PATH",
        "ROCM_PATH",
        "CCACHE_DISABLE",
        "CCACHE_EXTRAFILES",
        "CCACHE_NAMESPACE",
        "CC",
        "CXX",
    ] {
        command.env_remove(name);
    }
    command.env("PATH", "/usr/bin:/bin");
    command
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// Level, text and remedy of a check.
fn finding<'r>(report: &'r Value, check: &str) -> (&'r str, &'r str, &'r str) {
    let findings = report["findings"].as_array().unwrap();
    let found = findings.iter().find(|finding| finding["check"] == check);
    let found = found.unwrap_or_else(|| panic!("no finding {check} in {report:#}"));
    let part = |name: &str| found[name].as_str().unwrap_or_default();
    (part("level"), part("says"), part("remedy"))
}

#[test]
fn compilers_and_their_plugins() {
    for llvm in Llvm::ALL {
        let (clang, plugin) = (llvm.tool("clang"), llvm.plugin());
        let (report, code) = doctor(&["--clang", text(&clang), "--plugin", text(plugin)], &[]);
        assert_eq!((code, &report["ok"]), (0, &Value::Bool(true)), "{report:#}");
        assert_eq!(report["clang"]["major"], llvm.major());
        assert_eq!(report["clang"]["vendor"], "Debian");
        assert_eq!(report["clang"]["is_static"], false);
        let version = report["clang"]["version"].as_str().unwrap();
        assert!(version.starts_with(&format!("{}.", llvm.major())), "{version}");
        assert_eq!(report["plugin"]["llvm"], version);
        assert_eq!(report["plugin"]["version"], env!("CARGO_PKG_VERSION"));
        let api = if llvm == Llvm::V19 { 1 } else { 2 };
        assert_eq!(
            (&report["clang"]["plugin_api"], &report["plugin"]["plugin_api"]),
            (&api.into(), &api.into())
        );
        for side in ["clang", "plugin"] {
            assert_eq!(report[side]["cxx_library"], "libstdc++");
        }
        for check in ["clang", "plugin", "version", "api", "c++", "symbols", "load", "ccache"] {
            assert_eq!(finding(&report, check).0, "ok", "{report:#}");
        }
        assert!(finding(&report, "symbols").1.contains("symbols of LLVM that the plugin needs"));
    }
    // The same, for people.
    let mut command = clean();
    command.args(["doctor", "--clang", text(&Llvm::V22.tool("clang")), "--plugin", text(Llvm::V22.plugin())]);
    let output = String::from_utf8(command.output().unwrap().stdout).unwrap();
    let lines: Vec<&str> = output.lines().collect();
    assert!(lines[0].starts_with("clang      ok       /usr/lib/llvm-22/bin/clang: LLVM 22."), "{output}");
    assert!(lines.contains(&"load       ok       the compiler loads the plugin"), "{output}");
    assert!(lines.last().unwrap().starts_with("0 problems, "), "{output}");
}

#[test]
fn a_plugin_for_another_llvm() {
    for (host, other) in [(Llvm::V19, Llvm::V22), (Llvm::V22, Llvm::V19)] {
        let (clang, plugin) = (host.tool("clang"), other.plugin());
        let args = ["--clang", text(&clang), "--plugin", text(plugin)];
        let (report, code) = doctor(&args, &[]);
        assert_eq!((code, &report["ok"]), (1, &Value::Bool(false)));
        let major = host.major();
        let command = format!(
            "LLVM_CONFIG=/usr/lib/llvm-{major}/bin/llvm-config cargo build --release -p sqttinstrumentpass \
             --no-default-features --features llvm{major} --target-dir target/llvm{major}"
        );
        let says = format!("the plugin is for LLVM {}, the compiler is LLVM {major}.", other.major());
        let version = finding(&report, "version");
        assert!(version.0 == "problem" && version.1.starts_with(&says), "{report:#}");
        for check in ["version", "api", "load"] {
            let (level, _, remedy) = finding(&report, check);
            assert_eq!((level, remedy), ("problem", command.as_str()), "{report:#}");
        }
        assert!(finding(&report, "load").1.contains("Wrong API version on plugin"), "{report:#}");
        let output = clean().arg("doctor").args(args).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert_eq!(text.matches(&command).count(), 1, "{text}");
        assert_eq!(output.status.code(), Some(1));
    }
}

/// A compiler of its own, linked with LLVM's static libraries: `more` are options for the linker.
fn static_host(folder: &Path, name: &str, more: &[&str]) -> PathBuf {
    const SOURCE: &str = r#"
#include "llvm/Config/llvm-config.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Plugins/PassPlugin.h"
#include "llvm/Support/raw_ostream.h"
int main(int argc, char **argv) {
  for (int index = 1; index < argc; ++index) {
    llvm::StringRef argument = argv[index];
    if (argument == "--version") {
      llvm::outs() << "clang version " LLVM_VERSION_STRING "\n";
      return 0;
    }
    if (!argument.consume_front("-fpass-plugin="))
      continue;
    auto plugin = llvm::PassPlugin::Load(argument.str());
    if (!plugin) {
      llvm::errs() << "error: unable to load plugin: " << llvm::toString(plugin.takeError()) << "\n";
      return 1;
    }
    llvm::PassBuilder builder;
    plugin->registerPassBuilderCallbacks(builder);
  }
}
"#;
    let object = folder.join("host.o");
    if !object.is_file() {
        std::fs::write(folder.join("host.cpp"), SOURCE).unwrap();
        let args =
            ["-std=c++17", "-fno-rtti", "-w", "-I/usr/lib/llvm-22/include", "-c", "host.cpp", "-o", "host.o"];
        common::llvm("clang++", &args, folder);
    }
    let libraries = common::llvm(
        "llvm-config",
        &["--link-static", "--libs", "passes", "plugins", "executionengine"],
        folder,
    );
    let libraries = String::from_utf8(libraries).unwrap();
    // Debian's LLVM uses zlib and zstd, and depends on the development package of neither.
    let system = ["-lrt", "-ldl", "-lm", "-l:libz.so.1", "-l:libzstd.so.1"];
    let mut args = vec!["-fuse-ld=lld", "-L/usr/lib/llvm-22/lib", "host.o", "-o", name];
    args.extend(more);
    args.extend(libraries.split_whitespace());
    args.extend(system);
    common::llvm("clang++", &args, folder);
    folder.join(name)
}

#[test]
fn a_host_that_links_llvm_statically() {
    let folder = tempfile::tempdir().unwrap();
    let plugin = text(Llvm::V22.plugin());
    // With nothing for plugins, and with what it happens to use itself.
    for (name, options) in
        [("bare", &["-Wl,--gc-sections"][..]), ("some", &["-Wl,--gc-sections,--export-dynamic"])]
    {
        let host = static_host(folder.path(), name, options);
        let (report, code) = doctor(&["--clang", text(&host), "--plugin", plugin], &[]);
        assert_eq!((code, &report["clang"]["is_static"]), (1, &Value::Bool(true)), "{report:#}");
        assert_eq!(finding(&report, "version").0, "ok", "{report:#}");
        let (level, says, remedy) = finding(&report, "symbols");
        assert_eq!(level, "problem");
        assert!(
            says.starts_with("the compiler lacks ") && says.contains("LLVMAddAttributeAtIndex, "),
            "{says}"
        );
        assert!(remedy.contains("use a clang that loads LLVM as a library"), "{remedy}");
        let lacks: usize = says.split(' ').nth(3).unwrap().parse().unwrap();
        assert!(if name == "bare" { lacks > 200 } else { (50..200).contains(&lacks) }, "{says}");
        let (level, says, again) = finding(&report, "load");
        assert_eq!((level, again), ("problem", remedy));
        assert!(says.contains("undefined symbol: LLVM"), "{says}");
    }
    // One with all of what plugins use: linked statically is not wrong in itself.
    let all = "-Wl,--export-dynamic,--whole-archive,-lLLVMCore,-lLLVMAnalysis,-lLLVMTransformUtils,-lLLVMScalarOpts,-lLLVMTarget,-lLLVMExecutionEngine,--no-whole-archive";
    let host = static_host(folder.path(), "whole", &[all]);
    let (report, code) = doctor(&["--clang", text(&host), "--plugin", plugin], &[]);
    assert_eq!(
        (code, finding(&report, "symbols").0, finding(&report, "load").0),
        (0, "ok", "ok"),
        "{report:#}"
    );
    assert_eq!(report["clang"]["is_static"], true);
}

/// A tree as ROCm installs it, around Debian's clang.
fn rocm(root: &Path) {
    for folder in [".info", "bin", "llvm/bin", "llvm/include"] {
        std::fs::create_dir_all(root.join(folder)).unwrap();
    }
    std::fs::write(root.join(".info/version"), "7.2.0-43\n").unwrap();
    script(&root.join("bin/rocprofv3"), "#!/bin/sh\n");
    std::os::unix::fs::symlink("/usr/lib/llvm-22/bin/clang", root.join("llvm/bin/clang-22")).unwrap();
    let clang = format!(
        "#!/bin/sh\nif [ \"$1\" = --version ]; then\n\
         echo 'AMD clang version 22.0.0git (https://github.com/ROCm/llvm-project roc-7.2.0 25444)'\n\
         echo 'InstalledDir: {}'\nelse exec /usr/lib/llvm-22/bin/clang \"$@\"; fi\n",
        root.join("llvm/bin").display()
    );
    script(&root.join("llvm/bin/clang"), &clang);
}

fn script(path: &Path, text: &str) {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::write(path, text).unwrap();
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn a_tree_of_rocm() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("rocm");
    rocm(&root);
    let plugin = text(Llvm::V22.plugin());
    let (report, code) = doctor(&["--plugin", plugin], &[("ROCM_PATH", text(&root))]);
    assert_eq!(code, 0, "{report:#}");
    let clang = &report["clang"];
    assert_eq!((&clang["vendor"], &clang["version"]), (&"AMD".into(), &"22.0.0git".into()));
    assert_eq!(
        (&clang["path"], &clang["found_by"]),
        (&text(&root.join("llvm/bin/clang")).into(), &"ROCm".into())
    );
    assert_eq!(clang["program"], "/usr/lib/llvm-22/bin/clang");
    assert_eq!(
        (&report["rocm"]["version"], &report["rocm"]["root"]),
        (&"7.2.0-43".into(), &text(&root).into())
    );
    assert_eq!(report["rocm"]["rocprofv3"], text(&root.join("bin/rocprofv3")));
    let (level, says, _) = finding(&report, "rocprofv3");
    assert!(level == "ok" && says.contains("ROCm 7.2.0-43 in "), "{says}");
    // HIP_CLANG_PATH goes first, as it does for hipcc; without rocprofv3 there is a warning, and no problem.
    std::fs::remove_file(root.join("bin/rocprofv3")).unwrap();
    let variables = [("ROCM_PATH", text(&root)), ("HIP_CLANG_PATH", "/usr/lib/llvm-19/bin")];
    let (report, code) = doctor(&["--plugin", text(Llvm::V19.plugin())], &variables);
    assert_eq!((code, &report["clang"]["found_by"]), (0, &"HIP_CLANG_PATH".into()), "{report:#}");
    assert_eq!(finding(&report, "rocprofv3").0, "warning");
    // An LLVM that the plugin cannot be built for.
    script(&root.join("llvm/bin/clang"), "#!/bin/sh\necho 'AMD clang version 17.0.0 (roc-6.0.0)'\n");
    let (report, code) = doctor(&["--plugin", plugin], &[("ROCM_PATH", text(&root))]);
    assert_eq!(code, 1);
    assert_eq!(finding(&report, "version").2, "none: the plugin can be built for LLVM 19 to 23");
}

#[test]
fn hipcc_is_followed_to_its_clang() {
    let variables = [("HIP_CLANG_PATH", "/usr/lib/llvm-22/bin"), ("HIP_PATH", "/usr"), ("ROCM_PATH", "/usr")];
    let (report, code) = doctor(&["--clang", "hipcc", "--plugin", text(Llvm::V22.plugin())], &variables);
    assert_eq!((code, &report["clang"]["program"]), (0, &"/usr/lib/llvm-22/bin/clang".into()), "{report:#}");
    assert_eq!(report["clang"]["found_by"], "HIP_CLANG_PATH, as /usr/bin/hipcc does");
    assert_eq!(finding(&report, "load").0, "ok");
}

#[test]
fn a_compiler_cache_in_the_way() {
    let folder = tempfile::tempdir().unwrap();
    let (plugin, link) = (text(Llvm::V22.plugin()), folder.path().join("clang"));
    assert!(Path::new("/usr/bin/ccache").is_file(), "ccache must be installed");
    std::os::unix::fs::symlink("/usr/bin/ccache", &link).unwrap();
    let path = format!("{}:/usr/lib/llvm-22/bin:/usr/bin:/bin", folder.path().display());
    let cache = folder.path().join("cache");
    let base = [("PATH", path.as_str()), ("CCACHE_DIR", text(&cache))];
    let (report, code) = doctor(&["--clang", text(&link), "--plugin", plugin], &base);
    assert_eq!((code, &report["clang"]["program"]), (0, &"/usr/lib/llvm-22/bin/clang".into()), "{report:#}");
    let (level, says, remedy) = finding(&report, "ccache");
    assert!(level == "warning" && says.contains(&format!("{} is /usr/bin/ccache", link.display())), "{says}");
    assert!(remedy.contains(&format!("export CCACHE_EXTRAFILES={plugin}")), "{remedy}");
    assert!(remedy.contains("export CCACHE_NAMESPACE="), "{remedy}");
    // It is on the path, while another compiler is used.
    let (report, _) = doctor(&["--clang", "/usr/bin/clang-22", "--plugin", plugin], &base);
    assert!(finding(&report, "ccache").1.contains("on the path is /usr/bin/ccache"), "{report:#}");
    // It knows what it has to know, or is off.
    for variables in
        [&[("CCACHE_EXTRAFILES", plugin), ("CCACHE_NAMESPACE", "x")][..], &[("CCACHE_DISABLE", "1")]]
    {
        let (report, _) = doctor(&["--clang", text(&link), "--plugin", plugin], &[&base, variables].concat());
        assert_eq!(finding(&report, "ccache").0, "ok", "{report:#}");
    }
    let launcher = [("CMAKE_CXX_COMPILER_LAUNCHER", "/usr/bin/ccache")];
    let (report, _) = doctor(&["--clang", "clang-22", "--plugin", plugin], &launcher);
    assert!(
        finding(&report, "ccache").1.contains("CMAKE_CXX_COMPILER_LAUNCHER=/usr/bin/ccache"),
        "{report:#}"
    );
}

#[test]
fn plugins_of_others() {
    let folder = tempfile::tempdir().unwrap();
    let library = |name: &str, source: &str| {
        std::fs::write(folder.path().join("p.c"), source).unwrap();
        common::llvm("clang", &["-shared", "-fPIC", "p.c", "-o", name], folder.path());
        folder.path().join(name)
    };
    // One that was built with libc++, for what it needs.
    const LIBCXX: &str = r#"
#include <string>
#include <vector>
extern "C" void *llvmGetPassPluginInfo() {
  static std::vector<std::string> names;
  names.push_back("x" + std::to_string(names.size()));
  return names.data();
}
"#;
    std::fs::write(folder.path().join("p.cpp"), LIBCXX).unwrap();
    let args = ["-stdlib=libc++", "-shared", "-fPIC", "p.cpp", "-o", "libcxx.so"];
    common::llvm("clang++", &args, folder.path());
    let libcxx = folder.path().join("libcxx.so");
    let (report, code) = doctor(&["--clang", "clang-22", "--plugin", text(&libcxx)], &[]);
    assert_eq!(code, 1);
    assert_eq!(report["plugin"]["cxx_library"], "libc++");
    let (level, says, remedy) = finding(&report, "c++");
    assert_eq!((level, says), ("problem", "C++ library: the compiler's is libstdc++, the plugin's libc++"));
    assert!(remedy.starts_with("CXXSTDLIB=stdc++ LLVM_CONFIG=/usr/lib/llvm-22/bin/llvm-config cargo build"));
    // One that needs what no compiler has.
    let lacking = library(
        "lacking.so",
        "void LLVMNoSuchThing(void);\nvoid *llvmGetPassPluginInfo(void) { LLVMNoSuchThing(); return 0; }\n",
    );
    let (report, code) = doctor(&["--clang", "clang-22", "--plugin", text(&lacking)], &[]);
    let (level, says, _) = finding(&report, "symbols");
    assert_eq!((code, level), (1, "problem"));
    let expected = "the compiler lacks 1 symbols that the plugin needs (of 1 of LLVM): LLVMNoSuchThing";
    assert_eq!(says, expected);
    // One that says nothing of itself: what it needs is compared all the same.
    assert_eq!(finding(&report, "api").0, "unknown");
    assert!(finding(&report, "plugin").1.contains("does not say what it was built for"));
    // No plugin at all.
    let other = library("other.so", "int other;\n");
    std::fs::write(folder.path().join("notes"), "text").unwrap();
    for (path, says) in [
        (text(&other), "is no pass plugin: it does not export llvmGetPassPluginInfo"),
        (text(&folder.path().join("notes")), "Could not read file magic"),
        ("/no/such/plugin.so", "/no/such/plugin.so: No such file or directory"),
    ] {
        let (report, code) = doctor(&["--clang", "clang-22", "--plugin", path], &[]);
        let (level, found, _) = finding(&report, "plugin");
        assert!(code == 1 && level == "problem" && found.contains(says), "{found}");
    }
    for (path, says) in [
        ("/bin/true", "/bin/true does not tell a clang version: it says \"true (GNU coreutils)"),
        ("/no/such/clang", "/no/such/clang cannot be run: No such file or directory"),
    ] {
        let (report, code) = doctor(&["--clang", path], &[]);
        let (level, found, _) = finding(&report, "clang");
        assert!(code == 1 && level == "problem" && found.starts_with(says), "{found}");
    }
    // Nothing is named, and nothing found.
    let (report, code) = doctor(&[], &[("PATH", "/nowhere"), ("ROCM_PATH", "/nowhere")]);
    assert_eq!((code, finding(&report, "clang").0), (1, "problem"));
}

#[test]
fn markers_in_objects() {
    let folder = tempfile::tempdir().unwrap();
    let compile = |name: &str, plugin: bool, variables: &[(&str, &str)]| {
        let out = folder.path().join(name);
        let mut command = commands::device_compile("examples/tiles.hip".as_ref(), "gfx1100", &out);
        if plugin {
            command.args([&Llvm::V22.load_plugin(), "-DSQTT_ENABLED=1"]);
        }
        commands::capture(command.envs(variables.iter().copied())).unwrap();
        text(&out).to_owned()
    };
    let all = ("SQTT_SCOPE_CU", "-1");
    let cases = [
        (
            compile("usual.co", true, &[]),
            "warning",
            "only these waves record: CU (from gfx10 on: WGP) 0,1 (SQTT_SCOPE_CU=0x3)",
        ),
        (compile("all.co", true, &[all]), "ok", "no filter, every wave records"),
        (
            compile("two.co", true, &[all, ("SQTT_SCOPE_SIMD", "0x2"), ("SQTT_SCOPE_WAVE", "0")]),
            "warning",
            "SIMD 1 (SQTT_SCOPE_SIMD=0x2), and none at all (SQTT_SCOPE_WAVE=0x0)",
        ),
        (
            compile("plain.co", false, &[]),
            "warning",
            "neither named markers nor a record of what it was compiled with",
        ),
    ];
    for (index, (file, level, says)) in cases.iter().enumerate() {
        let (report, code) = doctor(&["--clang", "clang-22", file], &[]);
        let found = finding(&report, "markers");
        assert_eq!((code, found.0), (0, *level), "{report:#}");
        assert!(found.1.starts_with(&format!("{file}: ")) && found.1.ends_with(says), "{}", found.1);
        let object = &report["objects"][0];
        let filtered = [Value::Bool(true), Value::Bool(false), Value::Bool(true), Value::Null];
        assert_eq!((&object["filtered"], &object["target"]), (&filtered[index], &"gfx1100".into()));
    }
    let (report, _) = doctor(&["--clang", "clang-22", &cases[0].0], &[]);
    assert_eq!(report["objects"][0]["filters"][0]["slots"], serde_json::json!([0, 1]));
    assert_eq!(finding(&report, "markers").2, "compile with SQTT_SCOPE_CU=-1 for records of every wave");
    let missing = text(&folder.path().join("missing")).to_owned();
    let (report, code) = doctor(&["--clang", "clang-22", &missing], &[]);
    assert_eq!((code, finding(&report, "markers").0), (1, "problem"));
}
