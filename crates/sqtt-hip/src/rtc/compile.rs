//! Compiles a program to a code object.

use std::fs;
use std::path::Path;

use sqtt_sim::Target;

use super::{Compiled, Program, names, tools};

/// Why there is no code object.
pub(super) enum Failure {
    /// The compiler's messages are in the log.
    Compilation,
    /// Nothing could be compiled.
    Internal(String),
}

/// `gfx942` has the version 9402: the last two digits are minor version and stepping, in hexadecimal.
fn version(processor: &str) -> Option<u32> {
    let digits = processor.strip_prefix("gfx")?;
    let (major, rest) = digits.split_at_checked(digits.len().checked_sub(2)?)?;
    let digit = |at: usize| rest.get(at..=at).and_then(|text| u32::from_str_radix(text, 16).ok());
    Some(major.parse::<u32>().ok()? * 1000 + digit(0)? * 100 + digit(1)?)
}

/// Options of the program's, without those that choose the GPU; and that choice.
fn options(given: &[String]) -> (Vec<String>, Option<String>) {
    let (mut rest, mut target) = (Vec::new(), None);
    let mut all = given.iter().flat_map(|option| option.split_whitespace());
    while let Some(option) = all.next() {
        match option.split_once('=') {
            Some(("--offload-arch" | "--gpu-architecture" | "-arch" | "--cuda-gpu-arch", name)) => {
                target = Some(name.to_owned());
            }
            _ if matches!(option, "--offload-arch" | "--gpu-architecture" | "-arch") => {
                target = all.next().map(str::to_owned);
            }
            // Nothing is linked here, and the device's standard library is not there.
            _ if option == "-fgpu-rdc" => {}
            _ => rest.push(option.to_owned()),
        }
    }
    (rest, target)
}

impl Program {
    /// Compiles it for a target, unless an option says another one. The log has what the compiler said.
    pub(super) fn compile(&mut self, given: &[String], target: Target) -> Result<(), Failure> {
        let internal =
            |what: &str, error: std::io::Error| Failure::Internal(format!("hiprtc: {what}: {error}"));
        let compiler = tools::compiler().map_err(Failure::Internal)?;
        let folder = tempfile::tempdir().map_err(|error| internal("a temporary folder", error))?;
        self.write(folder.path()).map_err(|error| internal("a temporary file", error))?;
        let (rest, wanted) = options(given);
        let target_id = wanted.unwrap_or_else(|| target.name().to_owned());
        let processor = target_id.split(':').next().unwrap_or_default();
        let lanes = if processor.starts_with("gfx9") { 64 } else { 32 };
        let output = folder.path().join("out.co");
        let mut clang = tools::command(&compiler);
        clang.current_dir(folder.path());
        clang.args([
            "-x",
            "hip",
            "--cuda-device-only",
            "--no-gpu-bundle-output",
            "-O3",
            "-nogpuinc",
            "-nogpulib",
        ]);
        clang.args([
            "-mcode-object-version=5",
            "-D__HIP_PLATFORM_AMD__=1",
            "-D__HIPCC_RTC__=1",
            "-std=c++17",
        ]);
        clang.arg(format!("--offload-arch={target_id}"));
        for name in ["__AMDGCN_WAVEFRONT_SIZE", "__AMDGCN_WAVEFRONT_SIZE__"] {
            clang.arg(format!("-D{name}={lanes}"));
        }
        clang.args(["-include", "__clang_hip_runtime_wrapper.h", "-I", "."]);
        match tools::headers() {
            Some(headers) => {
                // After the compiler's own, which include those of the system.
                clang.arg("-idirafter").arg(headers).args(["-include", "hip/hip_runtime.h"]);
            }
            None => {
                clang.args(["-include", "sqtt_prelude.h"]);
            }
        }
        let library = tools::device_library(lanes);
        let own = if library.is_empty() { None } else { self::isa(&compiler, folder.path(), processor) };
        for file in library.into_iter().chain(own) {
            clang.args(["-Xclang", "-mlink-builtin-bitcode", "-Xclang"]).arg(file);
        }
        clang.args(rest).arg("sqtt_source.hip").arg("-o").arg(&output);
        let ran = clang.output().map_err(|error| internal(&compiler.display().to_string(), error))?;
        self.log = String::from_utf8_lossy(&ran.stderr).into_owned();
        if !ran.status.success() {
            return Err(Failure::Compilation);
        }
        let code = fs::read(&output).map_err(|error| internal("the code object", error))?;
        let names = (0..self.expressions.len()).map(|index| names::lowered(&code, index).unwrap_or_default());
        self.compiled = Some(Compiled { names: names.collect(), code });
        Ok(())
    }

    /// Writes source and headers into a folder.
    fn write(&self, folder: &Path) -> std::io::Result<()> {
        for (name, text) in &self.headers {
            let path = folder.join(name.trim_start_matches('/'));
            if path.components().any(|part| part == std::path::Component::ParentDir) {
                continue;
            }
            path.parent().map_or(Ok(()), fs::create_dir_all)?;
            fs::write(path, text)?;
        }
        fs::write(folder.join("sqtt_prelude.h"), include_str!("prelude.h"))?;
        let name = if self.name.is_empty() { "program" } else { &self.name };
        let text = format!("#line 1 {name:?}\n{}\n{}", self.source, names::source(&self.expressions));
        fs::write(folder.join("sqtt_source.hip"), text)
    }
}

/// The file of the device library that says the processor's version. Libraries may be older than the processor.
fn isa(compiler: &Path, folder: &Path, processor: &str) -> Option<std::path::PathBuf> {
    let number = version(processor)?;
    let (text, out) = (folder.join("isa.ll"), folder.join("isa.bc"));
    let line = format!(
        "target triple = \"amdgcn-amd-amdhsa\"\n@__oclc_ISA_version = linkonce_odr protected addrspace(4) constant i32 {number}\n"
    );
    fs::write(&text, line).ok()?;
    let mut clang = tools::command(compiler);
    clang.args(["-x", "ir", "--target=amdgcn-amd-amdhsa", "-nogpulib", "-w", "-emit-llvm", "-c"]);
    clang.arg(format!("-mcpu={processor}")).arg(&text).arg("-o").arg(&out);
    clang.output().ok().filter(|ran| ran.status.success()).map(|_| out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processors_have_their_versions() {
        let cases =
            [("gfx942", 9402), ("gfx90a", 9010), ("gfx1100", 11000), ("gfx1201", 12001), ("gfx1030", 10300)];
        for (name, number) in cases {
            assert_eq!(version(name), Some(number), "{name}");
        }
        assert_eq!((version("gfx"), version("sm_70")), (None, None));
    }

    #[test]
    fn the_choice_of_a_gpu_is_taken_from_the_options() {
        let given = ["-O2 -DX=1", "--gpu-architecture=gfx942:xnack-", "-fgpu-rdc"].map(str::to_owned);
        let (rest, target) = options(&given);
        assert_eq!(rest, ["-O2", "-DX=1"]);
        assert_eq!(target.as_deref(), Some("gfx942:xnack-"));
    }
}
