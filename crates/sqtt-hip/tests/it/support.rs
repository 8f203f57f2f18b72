//! Compiles HIP programs, and runs them under the library.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

use sqtt_hip::Settings;
use tempfile::TempDir;

const CLANG: &str = "/usr/lib/llvm-22/bin/clang++";
const BITCODE: &str = "/usr/lib/x86_64-linux-gnu/amdgcn/bitcode";

/// The folder with HIP's names, made once.
pub(crate) fn libraries() -> &'static Path {
    static FOLDER: OnceLock<TempDir> = OnceLock::new();
    let folder = FOLDER.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let library = sqtt_hip::find(&std::env::current_exe().unwrap(), None).unwrap();
        sqtt_hip::install(folder.path(), &library).unwrap();
        folder
    });
    folder.path()
}

/// A library with all of HIP's functions, none of which works, to be linked against: under a name and with versions as
/// ROCm's has them.
pub(crate) fn stub(folder: &Path, name: &str, has_versions: bool) -> PathBuf {
    let names: Vec<&str> = sqtt_hip::functions().map(|function| function.name).collect();
    let source: String = names.iter().map(|name| format!("int {name}(void) {{ return 999; }}\n")).collect();
    fs::write(folder.join("stub.c"), source).unwrap();
    let (new, old): (Vec<&str>, Vec<&str>) = names.iter().partition(|name| name.contains("R0600"));
    let script = format!(
        "hip_4.2 {{ global: {}; local: *; }}; hip_6.0 {{ global: {}; }} hip_4.2;",
        old.join("; "),
        new.join("; ")
    );
    fs::write(folder.join("stub.map"), script).unwrap();
    let library = folder.join(name);
    let mut cc = Command::new("cc");
    cc.current_dir(folder).args(["-w", "-shared", "-fPIC", "stub.c", "-o"]).arg(&library);
    cc.arg(format!("-Wl,-soname,{name}"));
    if has_versions {
        cc.arg("-Wl,--version-script,stub.map");
    }
    succeed(&mut cc);
    library
}

/// Runs a command that has to succeed.
pub(crate) fn succeed(command: &mut Command) -> Output {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(output.status.success(), "{command:?}:\n{}", String::from_utf8_lossy(&output.stderr));
    output
}

/// The command that compiles HIP for a target, with the headers of a folder or Debian's.
pub(crate) fn compiler(target: &str, headers: Option<&Path>, isa: Option<&Path>) -> Command {
    let is_wide = target.starts_with("gfx9");
    let lanes = if is_wide { 64 } else { 32 };
    let mut clang = Command::new(CLANG);
    clang.args(["-x", "hip", "-std=c++17", "-g", "-O1", "-w", "-mcode-object-version=5"]);
    clang.args(["-nogpuinc", "-nogpulib", "--no-offload-new-driver", "-D__HIP_PLATFORM_AMD__=1"]);
    clang.args(["-D__HIPCC__=1", "-include", "__clang_hip_runtime_wrapper.h"]);
    clang.arg(format!("--offload-arch={target}"));
    for name in ["__AMDGCN_WAVEFRONT_SIZE", "__AMDGCN_WAVEFRONT_SIZE__"] {
        clang.arg(format!("-D{name}={lanes}"));
    }
    if let Some(headers) = headers {
        clang.arg("-isystem").arg(headers);
    }
    let wave = format!("oclc_wavefrontsize64_{}", if is_wide { "on" } else { "off" });
    let own = format!("oclc_isa_version_{}", target.trim_start_matches("gfx"));
    let mut names =
        vec!["hip", "ocml", "ockl", "oclc_daz_opt_off", "oclc_unsafe_math_off", "oclc_finite_only_off"];
    names.extend(["oclc_correctly_rounded_sqrt_on", "oclc_abi_version_500", &wave]);
    let mut files: Vec<PathBuf> =
        names.iter().map(|name| Path::new(BITCODE).join(name).with_extension("bc")).collect();
    files.push(isa.map_or_else(|| Path::new(BITCODE).join(own).with_extension("bc"), Path::to_owned));
    for file in files {
        clang.args(["-Xclang", "-mlink-builtin-bitcode", "-Xclang"]).arg(file);
    }
    clang
}

/// Links what `compiler` compiles with a library of HIP.
pub(crate) fn link_with(clang: &mut Command, library: &Path) {
    clang.args(["-x", "none", "--hip-link", "-fuse-ld=lld"]).arg(library);
}

/// A program of `programs/`, compiled and linked with a library for HIP 5.
pub(crate) struct Program {
    folder: TempDir,
    target: &'static str,
}

impl Program {
    pub(crate) fn build(name: &str, target: &'static str) -> Program {
        Program::build_with(name, target, &[])
    }

    /// Builds with more of the compiler's options.
    pub(crate) fn build_with(name: &str, target: &'static str, options: &[&str]) -> Program {
        let folder = tempfile::tempdir().unwrap();
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/programs").join(name);
        let library = stub(folder.path(), "libamdhip64.so.5", true);
        let mut clang = compiler(target, None, None);
        clang.args(options).arg(source).arg("-o").arg(folder.path().join("program"));
        link_with(&mut clang, &library);
        succeed(&mut clang);
        Program { folder, target }
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.folder.path().join("program")
    }

    /// The command that runs it.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut settings = Settings::default();
        settings.target = self.target.parse().unwrap();
        let mut command = under(&self.path(), &settings);
        command.args(arguments).current_dir(self.folder.path());
        command
    }

    /// Runs it to its end, with the status 1 of a program that does not look at its kernels' faults. Gives stdout and
    /// stderr.
    pub(crate) fn run_to_fault(&self, arguments: &[&str]) -> (String, String) {
        let output = self.command(arguments).output().unwrap();
        let (out, err) = texts(&output);
        assert_eq!(output.status.code(), Some(1), "{out}\n{err}");
        assert!(err.contains("and a kernel faulted: exit status 1"), "{err}");
        (out, err)
    }

    /// Runs it to its end, which has to be a success. Gives stdout and stderr.
    pub(crate) fn run(&self, arguments: &[&str]) -> (String, String) {
        texts(&succeed_loudly(&mut self.command(arguments)))
    }
}

/// A command under the library.
pub(crate) fn under(program: &Path, settings: &Settings) -> Command {
    let mut command = Command::new(program);
    command.envs(settings.variables()).envs(sqtt_hip::loader_variables(libraries(), |_| None).unwrap());
    command
}

pub(crate) fn texts(output: &Output) -> (String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr))
}

fn succeed_loudly(command: &mut Command) -> Output {
    let output = command.output().unwrap();
    let (out, err) = texts(&output);
    assert!(output.status.success(), "{command:?}: {}\n{out}\n{err}", output.status);
    output
}
