//! A real hipcc on Debian 12: AMD's driver, headers and device library, with LLVM 22 as the compiler.
//!
//! Debian's hipcc (5.2.3) goes with clang 15. It runs LLVM 22 when it is shown a folder that looks like the LLVM it
//! knows. Its device library knows gfx9 up to gfx940 and gfx10.

use crate::{Llvm, without_settings};
use anyhow::{Context as _, Result};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A target that Debian's device library knows.
pub const HIPCC_TARGET: &str = "gfx1030";

const LLVM: &str = "/usr/lib/llvm-22";
const BITCODE: &str = "/usr/lib/x86_64-linux-gnu/amdgcn/bitcode";

/// hipcc with what it needs here; the caller adds options and files. The folder is made anew, of links.
pub fn hipcc(folder: &Path, target: &str) -> Result<Command> {
    let mut hipcc = Command::new("hipcc");
    without_settings(&mut hipcc);
    hipcc.envs(hipcc_variables(folder)?).arg(format!("--offload-arch={target}")).args(hip_options(target));
    hipcc.arg(format!("-L{LLVM}/lib/clang/22/lib/linux"));
    Ok(hipcc)
}

/// The environment in which hipcc takes LLVM 22, with the folder that it takes for its own LLVM: links, nothing else.
pub fn hipcc_variables(folder: &Path) -> Result<[(&'static str, PathBuf); 3]> {
    let (bin, programs) = (folder.join("bin"), Llvm::V22.bin_dir());
    if folder.is_dir() {
        std::fs::remove_dir_all(folder)
            .with_context(|| format!("{}: cannot be removed", folder.display()))?;
    }
    std::fs::create_dir_all(&bin)?;
    for entry in programs.read_dir().with_context(|| format!("{}: cannot be read", programs.display()))? {
        let entry = entry?;
        symlink(entry.path(), bin.join(entry.file_name()))?;
    }
    // The name that this hipcc asks for its version.
    symlink(programs.join("clang"), bin.join("clang-15"))?;
    symlink(Path::new(LLVM).join("lib"), folder.join("lib"))?;
    Ok([("HIP_CLANG_PATH", bin), ("HIP_PATH", "/usr".into()), ("ROCM_PATH", "/usr".into())])
}

/// Options with which clang 22 compiles with Debian's headers and device library.
pub fn hip_options(target: &str) -> Vec<String> {
    let wave = if target.starts_with("gfx9") { 64 } else { 32 };
    [
        format!("-D__AMDGCN_WAVEFRONT_SIZE={wave}"),
        "-mcode-object-version=5".to_owned(),
        format!("--rocm-device-lib-path={BITCODE}"),
        "-Xclang".to_owned(),
        "-mlink-builtin-bitcode".to_owned(),
        "-Xclang".to_owned(),
        format!("{BITCODE}/hip.bc"),
    ]
    .into()
}
