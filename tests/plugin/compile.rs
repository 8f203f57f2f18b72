//! Device compiles without ROCm, and how their output is looked at.

use commands::{Llvm, command, root};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The targets of the specification's families, each with the LLVM versions that know it.
pub(crate) const TARGETS: [&str; 6] = ["gfx90a", "gfx942", "gfx1030", "gfx1100", "gfx1201", "gfx1250"];

/// True if this LLVM knows the target.
pub(crate) fn knows(llvm: Llvm, target: &str) -> bool {
    !(llvm == Llvm::V19 && target == "gfx1250")
}

/// Every pair of LLVM and target.
pub(crate) fn pairs() -> impl Iterator<Item = (Llvm, &'static str)> {
    Llvm::ALL
        .into_iter()
        .flat_map(|llvm| TARGETS.into_iter().map(move |target| (llvm, target)))
        .filter(|(llvm, target)| knows(*llvm, target))
}

/// A file to compile, in a folder that goes away with it.
pub(crate) struct Source {
    dir: tempfile::TempDir,
    path: PathBuf,
}

impl Source {
    /// A HIP source.
    pub(crate) fn hip(text: &str) -> Self {
        Self::file("source.hip", text)
    }

    /// A file of this name.
    pub(crate) fn file(name: &str, text: &str) -> Self {
        let dir = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a temporary folder");
        let path = dir.path().join(name);
        std::fs::write(&path, text).expect("a file in it");
        Self { dir, path }
    }

    /// The path.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// A path beside it.
    pub(crate) fn beside(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }
}

/// clang for device code of one target, markers on and the plugin loaded; source and output are the caller's to add.
pub(crate) fn device(llvm: Llvm, target: &str, level: u32) -> Command {
    let mut clang = device_without_plugin(llvm, target, level);
    clang.arg("-DSQTT_ENABLED=1").arg(llvm.load_plugin());
    clang
}

/// A device compile without plugin, and with markers off unless the caller turns them on.
pub(crate) fn device_without_plugin(llvm: Llvm, target: &str, level: u32) -> Command {
    let mut clang = hip(llvm);
    clang.arg("--cuda-device-only").arg(format!("--offload-arch={target}")).arg(format!("-O{level}"));
    clang
}

/// clang for HIP, with the few words of it that the tests need instead of a ROCm installation.
pub(crate) fn hip(llvm: Llvm) -> Command {
    let mut clang = command(llvm.tool("clang"));
    clang.args(["-x", "hip", "-nogpuinc", "-nogpulib", "-fuse-cuid=none"]);
    clang.arg("-I").arg(root().join("include"));
    clang.arg("-include").arg(root().join("lit/Inputs/hip.hpp"));
    clang
}

/// opt with the plugin; passes and files are the caller's to add.
pub(crate) fn opt(llvm: Llvm) -> Command {
    let mut opt = command(llvm.tool("opt"));
    opt.arg("-load-pass-plugin").arg(llvm.plugin()).args(["-verify-each", "-S"]);
    opt
}

/// Runs a command that has to succeed; what it wrote to stdout.
pub(crate) fn stdout(command: &mut Command) -> String {
    let output = run(command);
    assert!(output.status.success(), "{command:?} failed:\n{}", text(&output.stderr));
    text(&output.stdout)
}

/// Runs a command that has to fail with an exit code; what it wrote to stderr.
pub(crate) fn failure(command: &mut Command) -> String {
    let output = run(command);
    let code = output.status.code().unwrap_or_else(|| panic!("{command:?} was killed"));
    assert_ne!(code, 0, "{command:?} succeeded:\n{}", text(&output.stderr));
    text(&output.stderr)
}

/// Runs a command.
pub(crate) fn run(command: &mut Command) -> Output {
    command.output().unwrap_or_else(|error| panic!("{command:?} does not start: {error}"))
}

/// Output as text.
pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Runs a command that has to succeed and say nothing.
pub(crate) fn silent(command: &mut Command) {
    let output = run(command);
    let said = text(&output.stderr);
    assert!(output.status.success() && said.is_empty(), "{command:?}:\n{said}");
}
