//! Places of files, and the programs as the commands call them: cargo, the plugin, `sqtt`, LLVM.

use crate::shell;
use anyhow::{Context as _, Result};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The root of the workspace. `cargo run` says where this package is.
pub(crate) fn root() -> Result<PathBuf> {
    let package = std::env::var_os("CARGO_MANIFEST_DIR").context("run this as `cargo xtask`")?;
    let package = PathBuf::from(package);
    Ok(package.parent().context("this package has no folder above it")?.to_owned())
}

/// Target folder of cargo, absolute.
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

/// Removes a folder with all that is in it, if it is there.
pub(crate) fn remove(folder: &Path) -> Result<()> {
    match std::fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(error).with_context(|| format!("{}: cannot be removed", folder.display()))
        }
        _ => Ok(()),
    }
}

/// Writes a file.
pub(crate) fn write(path: &Path, contents: impl AsRef<[u8]>) -> Result<()> {
    std::fs::write(path, contents).with_context(|| format!("{}: cannot be written", path.display()))
}

/// Reads a file.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>> {
    std::fs::read(path).with_context(|| format!("{}: cannot be read", path.display()))
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

/// The plugin's file.
const PLUGIN: &str = "libsqttinstrumentpass.so";

/// clang's option that loads the release build of the plugin for LLVM 22, which is what README tells people to use.
pub(crate) fn load_plugin() -> Result<String> {
    Ok(format!("-fpass-plugin={}", target_dir()?.join("release").join(PLUGIN).display()))
}

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

/// A tool of LLVM 22.
pub(crate) fn llvm(tool: &str) -> Command {
    let mut command = Command::new(format!("/usr/lib/llvm-22/bin/{tool}"));
    without_settings(&mut command);
    command
}

/// clang for the device half of a program in the workspace, without ROCm.
pub(crate) fn device_compile(source: &Path, target: &str, out: &Path) -> Result<Command> {
    let mut clang = llvm("clang");
    clang
        .current_dir(root()?)
        .args(["-x", "hip", "--cuda-device-only", "--no-gpu-bundle-output", "-nogpuinc", "-nogpulib", "-O2"])
        .args(["-DWITHOUT_HIP_RUNTIME", "-I", "include", "-I", "examples"])
        .arg(format!("--offload-arch={target}"))
        .arg(source)
        .arg("-o")
        .arg(out);
    Ok(clang)
}
