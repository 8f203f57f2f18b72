//! Which Debian packages the commands need, and the file by which each is known to be there.
//!
//! A package counts as installed when its file exists: what somebody installed by other means to the same place is
//! as good.

use std::path::Path;

/// One package.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Package {
    /// Its name in Debian 12.
    pub(crate) name: &'static str,
    /// A file of it that the commands use.
    pub(crate) file: &'static str,
    /// What it is for.
    pub(crate) purpose: &'static str,
}

const fn package(name: &'static str, file: &'static str, purpose: &'static str) -> Package {
    Package { name, file, purpose }
}

const CXX: Package = package("g++", "/usr/bin/g++", "compiles the plugin's C++ shim");
const LLVM_22_DEV: Package = package(
    "llvm-22-dev",
    "/usr/lib/llvm-22/bin/llvm-config",
    "headers that the plugin for LLVM 22 is built against",
);
const LLVM_22: Package =
    package("llvm-22", "/usr/lib/llvm-22/bin/llvm-objdump", "shows the instructions of code objects");
const CLANG_22: Package = package("clang-22", "/usr/lib/llvm-22/bin/clang", "compiles HIP with the plugin");
const CLANG_TOOLS_22: Package =
    package("clang-tools-22", "/usr/lib/llvm-22/bin/clang-offload-bundler", "packs and unpacks code objects");
const LLD_22: Package = package("lld-22", "/usr/lib/llvm-22/bin/ld.lld", "links code objects");
pub(crate) const CHROMIUM: Package =
    package("chromium", "/usr/bin/chromium", "opens what is exported for browsers");
const HIPCC: Package = package("hipcc", "/usr/bin/hipcc", "AMD's compiler driver");

/// For `demo` (and `setup`).
pub(crate) const DEMO: &[Package] = &[
    CXX,
    LLVM_22_DEV,
    LLVM_22,
    CLANG_22,
    CLANG_TOOLS_22,
    LLD_22,
    package(
        "libclang-rt-22-dev",
        "/usr/lib/llvm-22/lib/clang/22/lib/linux/libclang_rt.builtins-x86_64.a",
        "what hipcc links host programs with",
    ),
    HIPCC,
    package("libamdhip64-dev", "/usr/include/hip/hip_runtime.h", "HIP's headers and runtime library"),
    package(
        "rocm-device-libs",
        "/usr/lib/x86_64-linux-gnu/amdgcn/bitcode/hip.bc",
        "HIP's library of device code",
    ),
];

/// For `test`, besides those of `demo`.
pub(crate) const TEST: &[Package] = &[
    package("llvm-22-tools", "/usr/lib/llvm-22/bin/FileCheck", "lit and FileCheck"),
    package(
        "llvm-19-dev",
        "/usr/lib/llvm-19/bin/llvm-config",
        "headers that the plugin for LLVM 19 is built against",
    ),
    package("llvm-19", "/usr/lib/llvm-19/bin/opt", "runs the plugin for LLVM 19"),
    package("llvm-19-tools", "/usr/lib/llvm-19/bin/FileCheck", "FileCheck for LLVM 19"),
    package("clang-19", "/usr/lib/llvm-19/bin/clang", "compiles HIP with the plugin for LLVM 19"),
    package("clang-tools-19", "/usr/lib/llvm-19/bin/clang-offload-bundler", "packs code objects of LLVM 19"),
    package("lld-19", "/usr/lib/llvm-19/bin/ld.lld", "links code objects of LLVM 19"),
    package("cmake", "/usr/bin/cmake", "builds the C and C++ users of librocpd"),
    package("make", "/usr/bin/make", "builds what cmake configures"),
    package("pkg-config", "/usr/bin/pkg-config", "finds librocpd"),
    package(
        "libc++-22-dev",
        "/usr/lib/llvm-22/include/c++/v1/string",
        "the other C++ library, which `sqtt doctor` has to tell apart",
    ),
    package("libc++abi-22-dev", "/usr/lib/llvm-22/lib/libc++abi.so", "what libc++ links with"),
    package("ccache", "/usr/bin/ccache", "a compiler cache, which `sqtt doctor` has to see"),
    CHROMIUM,
    package("chromium-driver", "/usr/bin/chromedriver", "drives chromium"),
    package("npm", "/usr/bin/npm", "installs speedscope, which opens what is exported for it"),
    package(
        "python3-pip",
        "/usr/bin/pip3",
        "installs Perfetto's viewer, which opens what is exported for it",
    ),
];

/// To compile device code with the plugin for LLVM 22, without ROCm, and to take it apart.
pub(crate) const DEVICE: &[Package] = &[CXX, LLVM_22_DEV, LLVM_22, CLANG_22, LLD_22];

/// For `bench`, besides those of `DEVICE`.
pub(crate) const BENCH: &[Package] =
    &[package("valgrind", "/usr/bin/valgrind", "counts the instructions that programs execute")];

/// For every command.
pub(crate) const ALL: &[&[Package]] = &[DEMO, TEST];

/// Those whose file is not there.
pub(crate) fn missing(groups: &[&[Package]]) -> Vec<Package> {
    groups
        .iter()
        .flat_map(|group| group.iter())
        .filter(|package| !Path::new(package.file).exists())
        .copied()
        .collect()
}
