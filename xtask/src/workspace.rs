//! Where things are, and cargo as the commands call it.

use anyhow::{Context as _, Result};
use std::path::PathBuf;
use std::process::Command;

/// The root of the workspace. `cargo run` says where this package is.
pub(crate) fn root() -> Result<PathBuf> {
    let package = std::env::var_os("CARGO_MANIFEST_DIR").context("run this as `cargo xtask`")?;
    let package = PathBuf::from(package);
    Ok(package.parent().context("this package has no folder above it")?.to_owned())
}

/// Where cargo builds, absolute.
pub(crate) fn target_dir() -> Result<PathBuf> {
    Ok(match std::env::var_os("CARGO_TARGET_DIR") {
        Some(dir) if !dir.is_empty() => std::path::absolute(dir)?,
        _ => root()?.join("target"),
    })
}

/// A folder for what a command makes, below cargo's.
pub(crate) fn work_dir(name: &str) -> Result<PathBuf> {
    let dir = target_dir()?.join(name);
    std::fs::create_dir_all(&dir).with_context(|| format!("{}: cannot be made", dir.display()))?;
    Ok(dir)
}

/// Cargo in the workspace. An LLVM that the caller's environment points to is left out: both versions are built here.
pub(crate) fn cargo() -> Result<Command> {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(root()?).env("CARGO_TARGET_DIR", target_dir()?).env_remove("LLVM_CONFIG");
    without_settings(&mut cargo);
    Ok(cargo)
}

/// Takes the plugin's variables out of a command's environment: what the caller set is not meant for our runs.
pub(crate) fn without_settings(command: &mut Command) {
    for (name, _) in std::env::vars_os() {
        let name_text = name.to_string_lossy();
        if name_text.starts_with("SQTT_") && name_text != "SQTT_TEST_DATA" {
            command.env_remove(&name);
        }
    }
}
