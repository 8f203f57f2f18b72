//! Programs of all versions of HIP start, whatever they were linked with, and without a message of the loader.

use std::fs;
use std::path::Path;
use std::process::Command;

use sqtt_hip::Settings;

use crate::support::{Program, libraries, stub, succeed, texts, under};

/// Debian's HIP 5.2.
const DEBIAN: &str = "/usr/lib/x86_64-linux-gnu/libamdhip64.so.5";

/// A program of plain C that asks for memory before `main` and in it.
const PROGRAM: &str = r#"
#include <stdio.h>
int hipMalloc(void**, unsigned long);
int hipFree(void*);
int hipGetDeviceCount(int*);
static int early = 7;
__attribute__((constructor)) static void before(void) { early = hipGetDeviceCount(&(int){0}); }
int main(void) {
    void* memory = 0;
    int status = hipMalloc(&memory, 100);
    printf("%d %d %d %d\n", early, status, memory != 0, hipFree(memory));
    return 0;
}
"#;

fn build(folder: &Path, library: &Path, arguments: &[&str]) -> std::path::PathBuf {
    fs::write(folder.join("program.c"), PROGRAM).unwrap();
    let program = folder.join("program");
    let mut cc = Command::new("cc");
    cc.current_dir(folder).args(["-w", "program.c", "-o", "program"]).arg(library).args(arguments);
    succeed(&mut cc);
    program
}

fn starts(program: &Path) {
    for now in ["", "1"] {
        let output = under(program, &Settings::default()).env("LD_BIND_NOW", now).output().unwrap();
        let texts = texts(&output);
        assert_eq!((texts.0.as_str(), texts.1.as_str()), ("0 0 1 0\n", ""), "{} {now}", output.status);
    }
}

#[test]
fn programs_linked_with_debians_library_start() {
    let folder = tempfile::tempdir().unwrap();
    starts(&build(folder.path(), Path::new(DEBIAN), &["-Wl,--allow-shlib-undefined"]));
}

#[test]
fn programs_with_versions_and_paths_of_their_own_start() {
    for name in ["libamdhip64.so.5", "libamdhip64.so.6", "libamdhip64.so.7"] {
        for has_versions in [true, false] {
            for tags in ["--disable-new-dtags", "--enable-new-dtags"] {
                let folder = tempfile::tempdir().unwrap();
                let library = stub(folder.path(), name, has_versions);
                let path = format!("-Wl,{tags},-rpath,{}", folder.path().display());
                let program = build(folder.path(), &library, &[&path]);
                // By itself it has the library of its path, whose functions fail.
                let own = succeed(&mut Command::new(&program));
                assert_eq!(texts(&own).0, "999 999 0 999\n");
                starts(&program);
            }
        }
    }
}

#[test]
fn opened_by_name_the_functions_are_there() {
    let folder = tempfile::tempdir().unwrap();
    let source = r#"
#include <dlfcn.h>
#include <stdio.h>
int main(int count, char** names) {
    for (int i = 1; i < count; i += 2) {
        void* library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
        if (!library || !dlsym(library, names[i + 1])) return puts(dlerror()), 1;
    }
    return 0;
}
"#;
    fs::write(folder.path().join("open.c"), source).unwrap();
    let mut cc = Command::new("cc");
    succeed(cc.current_dir(folder.path()).args(["open.c", "-o", "open"]));
    let mut command = under(&folder.path().join("open"), &Settings::default());
    for name in ["libamdhip64.so.5", "libamdhip64.so.6", "libamdhip64.so.7", "libamdhip64.so"] {
        command.args([name, "hipMalloc"]);
    }
    for name in ["libhiprtc.so.6", "libhiprtc.so"] {
        command.args([name, "hiprtcVersion"]);
    }
    let output = command.output().unwrap();
    assert!(output.status.success(), "{:?}", texts(&output));
}

#[test]
fn the_library_exports_hips_functions_and_nothing_else() {
    let mut nm = Command::new("nm");
    nm.args(["-D", "--defined-only", "--format=posix"]).arg(libraries().join(sqtt_hip::LIBRARY));
    let output = succeed(&mut nm);
    let listed = texts(&output).0;
    let mut exported: Vec<&str> = listed.lines().filter_map(|line| line.split(' ').next()).collect();
    exported.sort_unstable();
    // C++ has two more names for functions of the table.
    exported.retain(|name| !name.starts_with("_Z24hip"));
    let table: Vec<&str> = sqtt_hip::functions().map(|function| function.name).collect();
    assert_eq!(exported, table);
}

#[test]
fn compressed_bundles_are_read_and_a_target_that_is_not_there_is_said_with_those_that_are() {
    let program =
        Program::build_with("profile.hip", "gfx90a", &["--offload-compress", "--offload-arch=gfx942"]);
    let bytes = std::fs::read(program.path()).unwrap();
    assert!(bytes.windows(4).any(|four| four == b"CCOB"), "the bundle is compressed");
    let run = |target: &str| {
        let mut settings = Settings::default();
        settings.target = target.parse().unwrap();
        let output = under(&program.path(), &settings).output().unwrap();
        (output.status.success(), texts(&output).1)
    };
    for target in ["gfx90a", "gfx942"] {
        assert_eq!(run(target), (true, String::new()));
    }
    let (has_run, said) = run("gfx1201");
    assert!(!has_run && said.contains("no code for gfx1201"), "{said}");
    assert!(
        said.contains("gfx90a") && said.contains("gfx942") && said.contains("--offload-arch=gfx1201"),
        "{said}"
    );
}
