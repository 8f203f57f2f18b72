//! Builds the plugin.

use crate::workspace::{cargo, target_dir};
use anyhow::Result;
use std::path::PathBuf;
use std::process::Command;

/// The plugin's file.
const FILE: &str = "libsqttinstrumentpass.so";

/// The release build of the plugin for LLVM 22, which is what README tells people to use.
pub(crate) fn release() -> Result<PathBuf> {
    Ok(target_dir()?.join("release").join(FILE))
}

/// The unoptimized build of the plugin for LLVM 22, and that for LLVM 19, which the tests take.
pub(crate) fn debug() -> Result<[(u32, PathBuf); 2]> {
    let target = target_dir()?;
    Ok([(22, target.join("debug").join(FILE)), (19, target.join("llvm19/debug").join(FILE))])
}

/// Turns a cargo command into one for the plugin of LLVM 19, apart from the default build.
pub(crate) fn for_llvm19(cargo: &mut Command) -> Result<&mut Command> {
    Ok(cargo
        .args(["--package", "sqttinstrumentpass", "--no-default-features", "--features", "llvm19"])
        .arg("--target-dir")
        .arg(target_dir()?.join("llvm19")))
}

/// Cargo's command for the release build of the plugin.
pub(crate) fn build_release() -> Result<Command> {
    let mut command = cargo()?;
    command.args(["build", "--release", "--package", "sqttinstrumentpass"]);
    Ok(command)
}
