//! The LLVM versions that the plugin is tested with, their tools, and the plugin built for each.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// An LLVM that the plugin is tested with.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Llvm {
    V19,
    V22,
}

impl Llvm {
    /// Every one.
    pub(crate) const ALL: [Self; 2] = [Self::V22, Self::V19];

    /// The major version.
    pub(crate) fn major(self) -> u32 {
        match self {
            Self::V19 => 19,
            Self::V22 => 22,
        }
    }

    /// The folder of the version's programs.
    pub(crate) fn bin_dir(self) -> PathBuf {
        PathBuf::from(format!("/usr/lib/llvm-{}/bin", self.major()))
    }

    /// A program of this LLVM. Panics with the package to install when it is not there.
    pub(crate) fn tool(self, name: &str) -> PathBuf {
        let path = self.bin_dir().join(name);
        let major = self.major();
        let package = match name {
            "clang" => format!("clang-{major}"),
            "clang-offload-bundler" => format!("clang-tools-{major}"),
            "ld.lld" => format!("lld-{major}"),
            "FileCheck" | "lit" | "not" => format!("llvm-{major}-tools"),
            _ => format!("llvm-{major}"),
        };
        assert!(path.is_file(), "{} is missing: apt-get install {package}", path.display());
        path
    }

    /// The plugin for this LLVM, built before the first use.
    ///
    /// `MARKERS_PLUGIN_22` and `MARKERS_PLUGIN_19` name one that is built already. Otherwise cargo is asked, every
    /// time: it takes no time when nothing changed, and what is tested is never older than its source.
    pub(crate) fn plugin(self) -> &'static Path {
        static BUILT: [OnceLock<PathBuf>; 2] = [OnceLock::new(), OnceLock::new()];
        BUILT[usize::from(self == Self::V19)].get_or_init(|| {
            let variable = format!("MARKERS_PLUGIN_{}", self.major());
            match std::env::var_os(&variable) {
                Some(path) => {
                    let path = PathBuf::from(path);
                    assert!(path.is_file(), "{variable}={} is no file", path.display());
                    path
                }
                None => self.build(),
            }
        })
    }

    /// Builds into this test's own target folder, LLVM 19 in a folder of its own there.
    fn build(self) -> PathBuf {
        let target_dir = match self {
            Self::V19 => target_dir().join("llvm19"),
            Self::V22 => target_dir(),
        };
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(["build", "--quiet", "--package", "sqttinstrumentpass", "--no-default-features"]);
        cargo.arg("--features").arg(format!("llvm{}", self.major()));
        cargo.arg("--target-dir").arg(&target_dir).current_dir(root());
        let output = cargo.output().expect("cargo runs");
        assert!(
            output.status.success(),
            "the plugin for LLVM {} does not build; {cargo:?} says:\n{}",
            self.major(),
            String::from_utf8_lossy(&output.stderr)
        );
        target_dir.join("debug/libsqttinstrumentpass.so")
    }
}

/// The project's folder.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The target folder that this test was built into: above `debug/deps`.
pub(crate) fn target_dir() -> PathBuf {
    let test = std::env::current_exe().expect("a test has a path");
    test.ancestors().nth(3).expect("a test lies in target/debug/deps").to_owned()
}

/// A command without the variables that the plugin reads.
pub(crate) fn command(program: impl AsRef<std::ffi::OsStr>) -> Command {
    let mut command = Command::new(program);
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("SQTT_") {
            command.env_remove(name);
        }
    }
    command
}
