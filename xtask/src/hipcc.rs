//! A real hipcc on Debian 12: AMD's driver, headers and device library, with LLVM 22 as the compiler.
//!
//! Debian's hipcc (5.2.3) goes with clang 15. It runs LLVM 22 when it is shown a folder that looks like the LLVM it
//! knows. Its device library knows gfx9 up to gfx940 and gfx10.

use crate::workspace::{without_settings, work_dir};
use anyhow::{Context as _, Result};
use std::path::{Path, PathBuf};
use std::process::Command;

const LLVM: &str = "/usr/lib/llvm-22";
const BITCODE: &str = "/usr/lib/x86_64-linux-gnu/amdgcn/bitcode";

/// A target that Debian's device library knows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Target {
    pub(crate) name: &'static str,
    pub(crate) wave_size: u32,
}

/// The target of the demo.
pub(crate) const GFX1030: Target = Target { name: "gfx1030", wave_size: 32 };

/// hipcc with what it needs here, for `target`; the caller adds options and files.
pub(crate) fn command(target: Target) -> Result<Command> {
    let folder = llvm_folder()?;
    let mut hipcc = Command::new("hipcc");
    without_settings(&mut hipcc);
    hipcc
        .env("HIP_CLANG_PATH", folder.join("bin"))
        .env("HIP_PATH", "/usr")
        .env("ROCM_PATH", "/usr")
        .arg(format!("--offload-arch={}", target.name))
        .arg(format!("-D__AMDGCN_WAVEFRONT_SIZE={}", target.wave_size))
        .arg("-mcode-object-version=5")
        .arg(format!("--rocm-device-lib-path={BITCODE}"))
        .args(["-Xclang", "-mlink-builtin-bitcode", "-Xclang"])
        .arg(format!("{BITCODE}/hip.bc"))
        .arg(format!("-L{LLVM}/lib/clang/22/lib/linux"));
    Ok(hipcc)
}

/// The folder that hipcc takes for its own LLVM: links, nothing else.
fn llvm_folder() -> Result<PathBuf> {
    let folder = work_dir("hipcc-llvm-22")?;
    let bin = folder.join("bin");
    std::fs::create_dir_all(&bin)?;
    let programs = Path::new(LLVM).join("bin");
    let entries =
        std::fs::read_dir(&programs).with_context(|| format!("{}: cannot be read", programs.display()))?;
    for entry in entries {
        let entry = entry?;
        link(&entry.path(), &bin.join(entry.file_name()))?;
    }
    // The name that this hipcc asks for its version.
    link(&programs.join("clang"), &bin.join("clang-15"))?;
    link(&Path::new(LLVM).join("lib"), &folder.join("lib"))?;
    Ok(folder)
}

fn link(to: &Path, at: &Path) -> Result<()> {
    if std::fs::read_link(at).is_ok_and(|present| present == to) {
        return Ok(());
    }
    if at.symlink_metadata().is_ok() {
        std::fs::remove_file(at).with_context(|| format!("{}: cannot be replaced", at.display()))?;
    }
    std::os::unix::fs::symlink(to, at).with_context(|| format!("{}: cannot be linked", at.display()))
}
