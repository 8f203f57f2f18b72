//! clang, and the plugin for it.

use crate::print::PrintOptions;
use anyhow::{Context as _, Result};
pub use commands::Llvm;
use commands::{command, root};
use sqtt_sim::Target;
use std::path::{Path, PathBuf};
use std::process::Stdio;

/// The half that runs.
const DEVICE: &[&str] = &["--cuda-device-only", "--no-gpu-bundle-output"];

/// For bitcode that is linked.
const RELOCATABLE: [&str; 2] = ["-fgpu-rdc", "-c"];

/// The half that a program for the host is made of.
const HOST: &[&str] = &["--cuda-host-only", "-c"];

/// One way to compile a kernel.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Build {
    /// Whose clang.
    pub llvm: Llvm,
    /// For which processor.
    pub target: Target,
    /// Lanes of a wave: 64 everywhere, 32 from gfx10 on.
    pub wave: u32,
    /// 0 to 3.
    pub opt: u8,
    /// `-g`
    pub debug: bool,
    /// `-DSQTT_ENABLED=1`
    pub markers: bool,
    /// The plugin and its settings.
    pub plugin: Option<Plugin>,
}

/// The plugin in a compile.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Plugin {
    /// The library.
    pub path: PathBuf,
    /// Environment variables.
    pub settings: Vec<(&'static str, String)>,
}

/// A compile that failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the compile fails:\n{output}")]
pub struct CompileError {
    /// The compiler's output.
    pub output: String,
}

impl Build {
    /// The form in which the source is printed.
    #[must_use]
    pub fn print_options(&self) -> PrintOptions {
        PrintOptions {
            no_lambdas: self.asks("SQTT_INSTRUMENT_FUNCTIONS") || self.asks("SQTT_INSTRUMENT_MEMORY"),
        }
    }

    /// True where the plugin is given a setting.
    pub(crate) fn asks(&self, name: &str) -> bool {
        self.plugin.iter().any(|plugin| plugin.settings.iter().any(|(set, _)| *set == name))
    }

    /// True where bitcode is linked, with the plugin, which numbers the markers there.
    fn is_linked(&self) -> bool {
        self.plugin.iter().any(|plugin| plugin.settings.contains(&("SQTT_ID_SPACE", "link".to_owned())))
    }

    /// Options of LLVM's, for clang and the linker.
    fn llvm_options(&self) -> Vec<&'static str> {
        let mut options = Vec::new();
        if self.opt == 0 && self.llvm == Llvm::V22 {
            // A scalar that a loop carries and nothing sets before it, as the mask of lanes that left by `break`, is
            // spilled to a lane of a VGPR that SI Lower SGPR Spills of LLVM 22 defines at the loop's head, in each
            // iteration anew: it is not reloaded there, and lanes that left long ago change their way out
            // (llvm/llvm-project, pull request 186348). LLVM 19 defines it before all.
            options.extend(["-mllvm", "-amdgpu-spill-sgpr-to-vgpr=0"]);
        }
        if self.asks("SQTT_TRACE_ADDRESSES") {
            // What is private in the source is not traced, wherever the code generator puts it; here it stays apart.
            options.extend(["-mllvm", "-disable-promote-alloca-to-lds"]);
        }
        options
    }

    /// The arguments of the linker, as clang gives them.
    fn link_arguments(&self, bitcode: &Path, object: &Path) -> Vec<String> {
        let mut arguments: Vec<String> =
            ["-m", "elf64_amdgpu", "--no-undefined", "-shared", "-plugin-opt=-amdgpu-internalize-symbols"]
                .map(str::to_owned)
                .to_vec();
        arguments.push(format!("-plugin-opt=mcpu={}", self.target));
        // Its "Function register usage analysis" crashes at -O0, without the plugin too (kernel of seed 7200009).
        let least = u8::from(self.llvm == Llvm::V19);
        arguments.push(format!("--lto-O{}", self.opt.max(least)));
        arguments.extend(self.llvm_options().into_iter().map(str::to_owned));
        if let Some(plugin) = &self.plugin {
            arguments.push(format!("--load-pass-plugin={}", plugin.path.display()));
        }
        arguments.extend([bitcode.display().to_string(), "-o".to_owned(), object.display().to_string()]);
        arguments
    }

    /// The arguments of clang.
    fn arguments(&self, source: &Path, object: &Path) -> Vec<String> {
        let mut arguments: Vec<String> =
            ["-x", "hip", "-nogpuinc", "-nogpulib", "-w"].map(str::to_owned).to_vec();
        // Else there is a hash of the options in the object.
        arguments.push("-fuse-cuid=none".to_owned());
        arguments.push(format!("--offload-arch={}", self.target));
        arguments.push(format!("-O{}", self.opt));
        arguments.extend(self.llvm_options().into_iter().map(str::to_owned));
        arguments.push(format!("-I{}", root().join("include").display()));
        if self.target.generation() >= 10 && self.wave == 64 {
            arguments.push("-mwavefrontsize64".to_owned());
        }
        if self.debug {
            arguments.push("-g".to_owned());
        }
        if self.markers {
            arguments.push("-DSQTT_ENABLED=1".to_owned());
        }
        if let Some(plugin) = &self.plugin {
            arguments.push(format!("-fpass-plugin={}", plugin.path.display()));
        }
        arguments.extend([source.display().to_string(), "-o".to_owned(), object.display().to_string()]);
        arguments
    }

    /// The compile as a line for a shell.
    #[must_use]
    pub fn command_line(&self, source: &Path, object: &Path) -> String {
        let settings = self.plugin.iter().flat_map(|plugin| &plugin.settings);
        let mut words: Vec<String> = settings.map(|(name, value)| format!("{name}={value}")).collect();
        words.push(self.llvm.bin_dir().join("clang").display().to_string());
        words.extend(DEVICE.iter().map(|word| (*word).to_owned()));
        let bitcode = object.with_extension("bc");
        if self.is_linked() {
            words.extend(RELOCATABLE.map(str::to_owned));
        }
        words.extend(self.arguments(source, if self.is_linked() { &bitcode } else { object }));
        if self.is_linked() {
            words.extend(["&&".to_owned(), self.llvm.bin_dir().join("ld.lld").display().to_string()]);
            words.extend(self.link_arguments(&bitcode, object));
        }
        words.join(" ")
    }

    /// Compiles a source text in a folder; gives the code object.
    ///
    /// # Errors
    /// [`CompileError`] inside; outside, where clang is missing or the folder cannot be written.
    pub fn compile_text(&self, text: &str, folder: &Path) -> Result<Result<Vec<u8>, CompileError>> {
        self.compile(text, folder, DEVICE)
    }

    /// Compiles the host's half of a source text in a folder; gives the object.
    ///
    /// # Errors
    /// Those of [`Build::compile_text`].
    pub fn compile_host(&self, text: &str, folder: &Path) -> Result<Result<Vec<u8>, CompileError>> {
        self.compile(text, folder, HOST)
    }

    fn compile(&self, text: &str, folder: &Path, half: &[&str]) -> Result<Result<Vec<u8>, CompileError>> {
        let (source, object) = (folder.join("kernel.hip"), folder.join("kernel.o"));
        std::fs::write(&source, text).with_context(|| source.display().to_string())?;
        let bitcode = folder.join("kernel.bc");
        let is_linked = self.is_linked() && half == DEVICE;
        let mut clang = command(self.llvm.find("clang")?);
        if let Some(plugin) = &self.plugin {
            clang.envs(plugin.settings.iter().map(|(name, value)| (*name, value)));
        }
        clang.args(half).args(self.arguments(&source, if is_linked { &bitcode } else { &object }));
        let mut steps = vec![clang];
        if is_linked {
            steps[0].args(RELOCATABLE);
            let mut lld = command(self.llvm.find("ld.lld")?);
            lld.args(self.link_arguments(&bitcode, &object));
            steps.push(lld);
        }
        for mut step in steps {
            let output = step.stdin(Stdio::null()).output().with_context(|| commands::cannot_start(&step))?;
            if !output.status.success() {
                let output = String::from_utf8_lossy(&output.stderr).into_owned();
                return Ok(Err(CompileError { output: format!("{}\n{output}", telling_line(&output)) }));
            }
        }
        Ok(Ok(std::fs::read(&object).with_context(|| object.display().to_string())?))
    }
}

/// The line that says most.
fn telling_line(output: &str) -> &str {
    output
        .lines()
        .find(|line| line.contains("error") || line.contains("Assertion"))
        .unwrap_or("no error was printed")
}
