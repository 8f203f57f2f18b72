//! The compiler, the headers and the device library that this machine has.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The variable that names the compiler.
const VARIABLE: &str = "SQTT_CLANG";

/// Compilers, the newest first.
const COMPILERS: [&str; 10] = [
    "clang++-22",
    "/usr/lib/llvm-22/bin/clang++",
    "/opt/rocm/llvm/bin/clang++",
    "clang++-21",
    "clang++-20",
    "clang++-19",
    "clang++-18",
    "clang++-17",
    "clang++",
    "amdclang++",
];

/// Folders of device libraries.
const DEVICE_LIBRARIES: [&str; 3] =
    ["/opt/rocm/amdgcn/bitcode", "/usr/lib/x86_64-linux-gnu/amdgcn/bitcode", "/usr/amdgcn/bitcode"];

/// A command that does not load what this process loaded before all else.
pub(super) fn command(program: &Path) -> Command {
    let mut command = Command::new(program);
    command.env_remove("LD_PRELOAD").env_remove("LD_LIBRARY_PATH");
    command
}

/// The compiler, or the names of those that were tried.
pub(super) fn compiler() -> Result<PathBuf, String> {
    let named = env::var_os(VARIABLE).map(PathBuf::from);
    let all: Vec<PathBuf> = match named {
        Some(path) => vec![path],
        None => COMPILERS.iter().map(PathBuf::from).collect(),
    };
    let works =
        |path: &&PathBuf| command(path).arg("--version").output().is_ok_and(|out| out.status.success());
    all.iter().find(works).cloned().ok_or_else(|| {
        let tried: Vec<String> = all.iter().map(|path| path.display().to_string()).collect();
        format!("hiprtc needs clang, and none of {} runs; {VARIABLE} names another one", tried.join(", "))
    })
}

/// The folder with HIP's headers.
pub(super) fn headers() -> Option<PathBuf> {
    let named = ["HIP_PATH", "ROCM_PATH"].into_iter().filter_map(env::var_os).map(PathBuf::from);
    let places = named.chain(["/opt/rocm", "/usr", "/usr/local"].map(PathBuf::from));
    places.map(|place| place.join("include")).find(|include| include.join("hip/hip_runtime.h").is_file())
}

/// The device library's files for waves of that many lanes, without the one of the processor.
pub(super) fn device_library(lanes: u32) -> Vec<PathBuf> {
    let named = env::var_os("HIP_DEVICE_LIB_PATH").map(PathBuf::from);
    let places = named.into_iter().chain(DEVICE_LIBRARIES.map(PathBuf::from));
    let Some(folder) = places.into_iter().find(|folder| folder.join("ockl.bc").is_file()) else {
        return Vec::new();
    };
    let wave = format!("oclc_wavefrontsize64_{}", if lanes == 64 { "on" } else { "off" });
    let names = [
        "hip",
        "ocml",
        "ockl",
        "oclc_daz_opt_off",
        "oclc_unsafe_math_off",
        "oclc_finite_only_off",
        "oclc_correctly_rounded_sqrt_on",
        "oclc_abi_version_500",
        &wave,
    ];
    let files = names.iter().map(|name| folder.join(name).with_extension("bc"));
    // Older and newer libraries have a part of them.
    files.filter(|file| file.is_file()).collect()
}
