//! The LLVM versions that the plugin is tested with, their tools, and the plugin built for each.

use crate::{capture, root};
use anyhow::{Context as _, Result, ensure};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// An LLVM that the plugin is tested with.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Llvm {
    V22,
    V19,
}

impl Llvm {
    /// Every one.
    pub const ALL: [Self; 2] = [Self::V22, Self::V19];

    /// The major version.
    pub fn major(self) -> u32 {
        match self {
            Self::V22 => 22,
            Self::V19 => 19,
        }
    }

    /// The folder of the version's programs.
    pub fn bin_dir(self) -> PathBuf {
        PathBuf::from(format!("/usr/lib/llvm-{}/bin", self.major()))
    }

    /// A program of this LLVM. The error names the package to install.
    pub fn find(self, name: &str) -> Result<PathBuf> {
        let path = self.bin_dir().join(name);
        let major = self.major();
        let package = match name {
            "clang" => format!("clang-{major}"),
            "clang-offload-bundler" => format!("clang-tools-{major}"),
            "ld.lld" => format!("lld-{major}"),
            "FileCheck" | "lit" | "not" => format!("llvm-{major}-tools"),
            _ => format!("llvm-{major}"),
        };
        ensure!(path.is_file(), "{} is missing: apt-get install {package}", path.display());
        Ok(path)
    }

    /// A program of this LLVM, for tests: panics when it is not there.
    pub fn tool(self, name: &str) -> PathBuf {
        self.find(name).unwrap_or_else(|error| panic!("{error:#}"))
    }

    /// The plugin for tests with this LLVM, built before the first use. Panics when it does not build.
    pub fn plugin(self) -> &'static Path {
        static BUILT: [OnceLock<PathBuf>; 2] = [OnceLock::new(), OnceLock::new()];
        BUILT[usize::from(self == Self::V19)]
            .get_or_init(|| self.build_plugin().unwrap_or_else(|error| panic!("{error:#}")))
    }

    /// clang's option that loads the plugin for tests.
    pub fn load_plugin(self) -> String {
        load(self.plugin())
    }

    /// The plugin for this LLVM.
    ///
    /// `MARKERS_PLUGIN_22` and `MARKERS_PLUGIN_19` name one that is built already. Otherwise cargo is asked, every
    /// time: it takes no time when nothing changed, and what is tested is never older than its source. It builds into
    /// the target folder of the running program, LLVM 19 in a folder of its own there.
    pub fn build_plugin(self) -> Result<PathBuf> {
        let variable = format!("MARKERS_PLUGIN_{}", self.major());
        if let Some(path) = std::env::var_os(&variable).map(PathBuf::from) {
            ensure!(path.is_file(), "{variable}={}: no such file", path.display());
            return Ok(path);
        }
        let target = match self {
            Self::V19 => target_dir()?.join("llvm19"),
            Self::V22 => target_dir()?,
        };
        let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        cargo.args(["build", "--quiet", "--package", "sqttinstrumentpass", "--no-default-features"]);
        cargo.arg("--features").arg(format!("llvm{}", self.major()));
        capture(cargo.arg("--target-dir").arg(&target).current_dir(root()))?;
        Ok(target.join("debug/libsqttinstrumentpass.so"))
    }
}

fn load(plugin: &Path) -> String {
    format!("-fpass-plugin={}", plugin.display())
}

/// clang's option that loads the release build of the plugin for LLVM 22, which is what README tells people to use.
pub fn load_release_plugin() -> Result<String> {
    let plugin = target_dir()?.join("release/libsqttinstrumentpass.so");
    ensure!(plugin.is_file(), "{} is not there: cargo build --release builds it", plugin.display());
    Ok(load(&plugin))
}

/// The target folder that the running program was built into.
pub fn target_dir() -> Result<PathBuf> {
    let program = std::env::current_exe()?;
    let target = program.ancestors().find(|folder| folder.join("CACHEDIR.TAG").is_file());
    Ok(target.with_context(|| format!("no target folder above {}", program.display()))?.to_owned())
}
