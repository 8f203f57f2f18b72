//! A real hipcc on Debian 12: AMD's driver, headers and device library, with LLVM 22 as the compiler.
//!
//! Debian's hipcc (5.2.3) goes with clang 15. It runs LLVM 22 when it is shown a folder that looks like the LLVM it
//! knows. Its device library knows gfx9 up to gfx940 and gfx10.

use crate::workspace::{remove, work_dir};
use anyhow::{Context as _, Result};
use commands::without_settings;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

const LLVM: &str = "/usr/lib/llvm-22";
const BITCODE: &str = "/usr/lib/x86_64-linux-gnu/amdgcn/bitcode";

/// The target: one that Debian's device library knows.
pub(crate) const TARGET: &str = "gfx1030";

/// hipcc with what it needs here; the caller adds options and files.
pub(crate) fn command() -> Result<Command> {
    let folder = llvm_folder()?;
    let mut hipcc = Command::new("hipcc");
    without_settings(&mut hipcc);
    hipcc
        .env("HIP_CLANG_PATH", folder.join("bin"))
        .env("HIP_PATH", "/usr")
        .env("ROCM_PATH", "/usr")
        .arg(format!("--offload-arch={TARGET}"))
        .args(["-D__AMDGCN_WAVEFRONT_SIZE=32", "-mcode-object-version=5"])
        .arg(format!("--rocm-device-lib-path={BITCODE}"))
        .args(["-Xclang", "-mlink-builtin-bitcode", "-Xclang"])
        .arg(format!("{BITCODE}/hip.bc"))
        .arg(format!("-L{LLVM}/lib/clang/22/lib/linux"));
    Ok(hipcc)
}

/// The folder that hipcc takes for its own LLVM: links, nothing else.
fn llvm_folder() -> Result<PathBuf> {
    let folder = work_dir("hipcc-llvm-22")?;
    remove(&folder)?;
    let (bin, programs) = (folder.join("bin"), Path::new(LLVM).join("bin"));
    std::fs::create_dir_all(&bin)?;
    for entry in programs.read_dir().with_context(|| format!("{}: cannot be read", programs.display()))? {
        let entry = entry?;
        symlink(entry.path(), bin.join(entry.file_name()))?;
    }
    // The name that this hipcc asks for its version.
    symlink(programs.join("clang"), bin.join("clang-15"))?;
    symlink(Path::new(LLVM).join("lib"), folder.join("lib"))?;
    Ok(folder)
}
