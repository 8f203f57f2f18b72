//! Places of files, and the programs as the commands call them: cargo, the plugin, `sqtt`, LLVM.

use crate::shell;
use anyhow::{Context as _, Result};
use commands::without_settings;
pub(crate) use commands::{root, target_dir};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A folder for what a command makes, below cargo's.
pub(crate) fn work_dir(name: &str) -> Result<PathBuf> {
    let dir = target_dir()?.join(name);
    std::fs::create_dir_all(&dir).with_context(|| format!("{}: cannot be made", dir.display()))?;
    Ok(dir)
}

/// Removes a folder with all that is in it, if it is there.
pub(crate) fn remove(folder: &Path) -> Result<()> {
    match std::fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(error).with_context(|| format!("{}: cannot be removed", folder.display()))
        }
        _ => Ok(()),
    }
}

/// Cargo in the workspace. An LLVM that the caller's environment points to is left out: both versions are built here.
pub(crate) fn cargo() -> Result<Command> {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(root()).env("CARGO_TARGET_DIR", target_dir()?).env_remove("LLVM_CONFIG");
    without_settings(&mut cargo);
    Ok(cargo)
}

/// The plugin's file.
pub(crate) const PLUGIN: &str = "libsqttinstrumentpass.so";

/// The unoptimized build of the plugin for LLVM 22, and that for LLVM 19, which the tests take.
pub(crate) fn debug_plugins() -> Result<[(u32, PathBuf); 2]> {
    let target = target_dir()?;
    Ok([(22, target.join("debug").join(PLUGIN)), (19, target.join("llvm19/debug").join(PLUGIN))])
}

/// Turns a cargo command into one for the plugin of LLVM 19, apart from the default build.
pub(crate) fn for_llvm19(cargo: &mut Command) -> Result<&mut Command> {
    cargo.args(["--package", "sqttinstrumentpass", "--no-default-features", "--features", "llvm19"]);
    Ok(cargo.arg("--target-dir").arg(target_dir()?.join("llvm19")))
}

/// Builds the plugin and `sqtt`, optimized.
pub(crate) fn build_release() -> Result<()> {
    shell::announce("building the plugin (LLVM 22), sqtt and the library for HIP programs");
    shell::run(cargo()?.args([
        "build",
        "--release",
        "--package",
        "sqttinstrumentpass",
        "--package",
        "sqtt-cli",
        "--package",
        "sqtt-hip",
    ]))
}

/// The `sqtt` that was built, optimized.
pub(crate) fn sqtt() -> Result<Command> {
    Ok(Command::new(target_dir()?.join("release/sqtt")))
}
