//! Commands that xtask, tests and benchmarks run: the tools of LLVM and the plugin; their output, or an error that shows
//! them; their time, and the instructions that they execute.

#![forbid(unsafe_code)]

pub mod code;
mod hipcc;
mod measure;
mod plugins;

pub use hipcc::{HIPCC_TARGET, hip_options, hipcc, hipcc_variables};
pub use measure::{Times, instructions, more_instructions};
pub use plugins::{Llvm, load_release_plugin, target_dir};

use anyhow::{Context as _, Result, bail};
use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, Stdio};

/// Runs a command quietly. Its output comes back, or with the error.
pub fn capture(command: &mut Command) -> Result<String> {
    let output = command.stdin(Stdio::null()).output().with_context(|| cannot_start(command))?;
    let stdout = String::from_utf8_lossy(&output.stdout);
    if !output.status.success() {
        let stderr = String::from_utf8_lossy(&output.stderr);
        bail!("this failed ({}):\n  {}\nIts output:\n{stdout}{stderr}", output.status, display(command));
    }
    Ok(stdout.into_owned())
}

/// Says that a program cannot even be started.
pub fn cannot_start(command: &Command) -> String {
    format!("this cannot be started:\n  {}\n", display(command))
}

/// The command as one would type it.
pub fn display(command: &Command) -> String {
    // A library would quote every option with a value.
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-_=+./:,@%".contains(letter);
    let quote = |word: &OsStr| match word.to_string_lossy() {
        word if !word.is_empty() && word.chars().all(is_plain) => word.into_owned(),
        word => format!("'{}'", word.replace('\'', r"'\''")),
    };
    let variables = command.get_envs().filter_map(|(name, value)| Some((name.to_string_lossy(), value?)));
    let variables = variables.map(|(name, value)| format!("{name}={}", quote(value)));
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    variables.chain(words.map(quote)).collect::<Vec<_>>().join(" ")
}

/// Takes the plugin's variables out of a command's environment: what the caller set is not meant for our runs.
pub fn without_settings(command: &mut Command) -> &mut Command {
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        if text.starts_with("SQTT_") && text != "SQTT_TEST_DATA" {
            command.env_remove(&name);
        }
    }
    command
}

/// A command without the variables that the plugin reads.
pub fn command(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(program);
    without_settings(&mut command);
    command
}

/// A tool of LLVM 22.
pub fn llvm(tool: &str) -> Command {
    command(Llvm::V22.bin_dir().join(tool))
}

/// The project's folder.
pub fn root() -> &'static Path {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    folder.ancestors().nth(2).unwrap_or(folder)
}

/// clang for the device half of a program in the project, without ROCm, run in the project's folder.
pub fn device_compile(source: &Path, target: &str, out: &Path) -> Command {
    let mut clang = llvm("clang");
    clang
        .current_dir(root())
        .args(["-x", "hip", "--cuda-device-only", "--no-gpu-bundle-output", "-nogpuinc", "-nogpulib", "-O2"])
        .arg("-DWITHOUT_HIP_RUNTIME")
        .args(["include", "examples"].map(|folder| format!("-I{}", root().join(folder).display())))
        .arg(format!("--offload-arch={target}"))
        .arg(source)
        .arg("-o")
        .arg(out);
    clang
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_names_the_command_as_typed_and_carries_its_output() {
        let mut command = Command::new("sh");
        command.args(["-c", "echo out; echo err >&2; exit 3"]).env("N", "1 2").env_remove("GONE");
        let text = format!("{:#}", capture(&mut command).expect_err("it fails"));
        for part in ["exit status: 3", "N='1 2' sh -c 'echo out; echo err >&2; exit 3'", "out\nerr\n"] {
            assert!(text.contains(part), "{part:?} is not in {text:?}");
        }
        let error = capture(&mut Command::new("/no/such/program")).expect_err("it is not there");
        assert!(error.to_string().contains("/no/such/program"), "{error}");
    }
}
