//! Real code objects and host programs, made with LLVM 22 (Debian: clang-22, clang-tools-22, lld-22,
//! llvm-22). Also used by the tests of the `sqtt` command.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Programs of LLVM 22.
pub(crate) const LLVM: &str = "/usr/lib/llvm-22/bin";

/// Text that a `.hip` file needs to compile without ROCm's headers: for the device, and for the host.
const PRELUDE: &str = r#"
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
struct dim3 { unsigned x, y, z; };
typedef struct hipStream *hipStream_t;
extern "C" int hipLaunchKernel(const void *, dim3, dim3, void **, unsigned long, hipStream_t);
extern "C" int __hipPushCallConfiguration(dim3, dim3, unsigned long, hipStream_t);
"#;

/// Stands in for the HIP runtime, so that a host program links without it.
const RUNTIME: &str = r#"
int hipLaunchKernel(void) { return 0; }
int __hipPushCallConfiguration(void) { return 0; }
int __hipPopCallConfiguration(void) { return 0; }
void *__hipRegisterFatBinary(void *data) { return data; }
void __hipRegisterFunction(void) {}
void __hipRegisterVar(void) {}
void __hipUnregisterFatBinary(void *data) { (void)data; }
int main(void) { return 0; }
"#;

/// The map that most fixtures hold: a helper that stays, one that was inlined, a kernel, markers.
pub(crate) const MAP: &[u8] = b"F:1:_Z6helperPi@k.hip:9\nF:2:_Z7inlinedPi@k.hip:8\nK:_Z4workPi@k.hip:12\n\
                                U:3:load\nP:4:sum\nR:4:extra_payload_count=1\n\0";

/// Runs a program to its end and returns its stdout.
pub(crate) fn run(program: impl AsRef<Path>, args: &[&str], folder: &Path) -> Vec<u8> {
    let program = program.as_ref();
    let output = Command::new(program)
        .args(args)
        .current_dir(folder)
        .output()
        .unwrap_or_else(|error| panic!("{}: {error} (LLVM 22 must be installed)", program.display()));
    assert!(
        output.status.success(),
        "{} {args:?}: {}",
        program.display(),
        String::from_utf8_lossy(&output.stderr)
    );
    output.stdout
}

/// A tool of LLVM 22.
pub(crate) fn llvm(tool: &str, args: &[&str], folder: &Path) -> Vec<u8> {
    run(Path::new(LLVM).join(tool), args, folder)
}

/// A HIP program with a kernel `work` and a function `helper`, whose device half holds `map`.
pub(crate) fn hip_source(map: Option<&[u8]>) -> String {
    let section = map.map_or(String::new(), |map| {
        let bytes: Vec<String> = map.iter().map(|byte| (*byte as i8).to_string()).collect();
        format!(
            "#ifdef __HIP_DEVICE_COMPILE__\n__device__ __attribute__((section(\".sqtt_funcmap\"), used))\n\
             static const char sqtt_map[] = {{{}}};\n#endif\n",
            bytes.join(", "),
        )
    });
    format!(
        "{PRELUDE}{section}static __device__ __attribute__((noinline, used)) void helper_c(int *p) {{ *p = 1; }}\n\
         __device__ __attribute__((noinline, used)) void helper(int *p) {{ helper_c(p); }}\n\
         __global__ void work(int *p) {{ helper(p); }}\n"
    )
}

/// A linked code object of [`hip_source`] for one target id.
pub(crate) fn code_object(folder: &Path, name: &str, target: &str, map: Option<&[u8]>) -> PathBuf {
    let source = format!("{name}.hip");
    std::fs::write(folder.join(&source), hip_source(map)).unwrap();
    let arch = format!("--offload-arch={target}");
    let args = ["-x", "hip", "--cuda-device-only", "--no-gpu-bundle-output", &arch, "-nogpuinc", "-nogpulib"];
    llvm("clang-22", &[&args[..], &["-O1", &source, "-o", name]].concat(), folder);
    folder.join(name)
}

/// A host object of [`hip_source`] with device code for several targets.
pub(crate) fn host_object(folder: &Path, name: &str, flags: &[&str], map: Option<&[u8]>) -> PathBuf {
    let source = format!("{name}.hip");
    // Other names per file, so that several files link.
    let text = hip_source(map).replace("work(", &format!("work_{}(", name.replace('.', "_")));
    std::fs::write(folder.join(&source), text).unwrap();
    let args = ["-x", "hip", "-nogpuinc", "-nogpulib", "-O1", "-fPIC", "-c", &source, "-o", name];
    llvm("clang-22", &[&args[..], flags].concat(), folder);
    folder.join(name)
}

/// A host program of such objects.
pub(crate) fn host_program(folder: &Path, name: &str, objects: &[&str]) -> PathBuf {
    std::fs::write(folder.join("runtime.c"), RUNTIME).unwrap();
    llvm("clang-22", &["-w", "-c", "runtime.c", "-o", "runtime.o"], folder);
    llvm("clang-22", &[&["runtime.o", "-o", name], objects].concat(), folder);
    folder.join(name)
}

/// A host library of such objects.
pub(crate) fn host_library(folder: &Path, name: &str, objects: &[&str]) -> PathBuf {
    llvm("clang-22", &[&["-shared", "-nostdlib", "-o", name], objects].concat(), folder);
    folder.join(name)
}

/// A code object of assembly files, one per text.
pub(crate) fn assembled(folder: &Path, name: &str, files: &[&str]) -> PathBuf {
    let mut objects = Vec::new();
    for (index, text) in files.iter().enumerate() {
        let (source, object) = (format!("{name}{index}.s"), format!("{name}{index}.o"));
        std::fs::write(folder.join(&source), text).unwrap();
        let args = ["-triple=amdgcn-amd-amdhsa", "-mcpu=gfx1030", "-filetype=obj", &source, "-o", &object];
        llvm("llvm-mc", &args, folder);
        objects.push(object);
    }
    let objects: Vec<&str> = objects.iter().map(String::as_str).collect();
    llvm("ld.lld", &[&["-shared", "-o", name], &objects[..]].concat(), folder);
    folder.join(name)
}

/// Debian's hipcc for gfx1030 with LLVM 22: the script looks for a clang 15, and is shown a folder that looks like one.
pub(crate) fn hipcc(folder: &Path, args: &[&str]) {
    const BITCODE: &str = "/usr/lib/x86_64-linux-gnu/amdgcn/bitcode";
    let bin = folder.join("llvm/bin");
    if !bin.is_dir() {
        std::fs::create_dir_all(&bin).unwrap();
        for tool in std::fs::read_dir(LLVM).unwrap() {
            let tool = tool.unwrap().path();
            std::os::unix::fs::symlink(&tool, bin.join(tool.file_name().unwrap())).unwrap();
        }
        std::os::unix::fs::symlink(Path::new(LLVM).join("clang"), bin.join("clang-15")).unwrap();
        std::os::unix::fs::symlink(Path::new(LLVM).parent().unwrap().join("lib"), folder.join("llvm/lib"))
            .unwrap();
    }
    let mut hipcc = Command::new("/usr/bin/hipcc");
    hipcc.env("HIP_CLANG_PATH", bin).env("HIP_PATH", "/usr").env("ROCM_PATH", "/usr").current_dir(folder);
    hipcc.args(["--offload-arch=gfx1030", "-D__AMDGCN_WAVEFRONT_SIZE=32", "-mcode-object-version=5"]);
    hipcc.arg(format!("--rocm-device-lib-path={BITCODE}"));
    hipcc.args(["-Xclang", "-mlink-builtin-bitcode", "-Xclang"]).arg(format!("{BITCODE}/hip.bc"));
    hipcc.arg("-L/usr/lib/llvm-22/lib/clang/22/lib/linux").args(args);
    let output = hipcc.output().unwrap_or_else(|error| panic!("hipcc: {error} (hipcc, libamdhip64-dev)"));
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
