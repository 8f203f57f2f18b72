//! clang, and the plugin for it.

use crate::print::PrintOptions;
use sqtt_sim::Target;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// An LLVM that the plugin is tested with.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Llvm {
    V22,
    V19,
}

impl Llvm {
    /// Every one.
    pub const ALL: [Self; 2] = [Self::V22, Self::V19];

    /// The major version.
    #[must_use]
    pub fn major(self) -> u32 {
        match self {
            Self::V22 => 22,
            Self::V19 => 19,
        }
    }

    fn clang(self) -> PathBuf {
        PathBuf::from(format!("/usr/lib/llvm-{}/bin/clang", self.major()))
    }
}

/// Something that is missing to compile.
#[derive(Debug, thiserror::Error)]
pub enum ToolError {
    /// No clang.
    #[error("{0} is missing: apt-get install clang-{1} lld-{1}")]
    NoClang(PathBuf, u32),
    /// The variable does not name a file.
    #[error("{variable}={path}: no such file; it names a plugin that is built already")]
    NoPlugin {
        /// `MARKERS_PLUGIN_22` or its like.
        variable: String,
        /// The path that it holds.
        path: PathBuf,
    },
    /// The plugin does not build.
    #[error("the plugin for LLVM {llvm} does not build; `{command}` says:\n{output}")]
    Build {
        /// The major version.
        llvm: u32,
        /// The command.
        command: String,
        /// Its output.
        output: String,
    },
    /// No target folder above the running program.
    #[error("no target folder above {0}: name the plugin in MARKERS_PLUGIN_{1}")]
    NoTargetFolder(PathBuf, u32),
    /// A program does not start, or a file cannot be written.
    #[error("{what}: {error}")]
    Io {
        /// The step that was tried.
        what: String,
        /// The system's reason.
        error: std::io::Error,
    },
}

/// The plugin for an LLVM: the one that `MARKERS_PLUGIN_22` or `MARKERS_PLUGIN_19` names, or else the one that cargo
/// builds into the target folder of the running program, so that what is tested is never older than its source.
///
/// # Errors
/// When there is none and none can be built.
pub fn plugin(llvm: Llvm) -> Result<PathBuf, ToolError> {
    let major = llvm.major();
    let clang = llvm.clang();
    if !clang.is_file() {
        return Err(ToolError::NoClang(clang, major));
    }
    let variable = format!("MARKERS_PLUGIN_{major}");
    if let Some(path) = std::env::var_os(&variable).map(PathBuf::from) {
        return if path.is_file() { Ok(path) } else { Err(ToolError::NoPlugin { variable, path }) };
    }
    let program = std::env::current_exe()
        .map_err(|error| ToolError::Io { what: "this program's path".to_owned(), error })?;
    let target = program
        .ancestors()
        .find(|folder| folder.join("CACHEDIR.TAG").is_file())
        .ok_or_else(|| ToolError::NoTargetFolder(program.clone(), major))?;
    let target = if llvm == Llvm::V22 { target.to_owned() } else { target.join("llvm19") };
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args([
        "build",
        "--quiet",
        "--package",
        "sqttinstrumentpass",
        "--no-default-features",
        "--features",
    ]);
    cargo.arg(format!("llvm{major}")).arg("--target-dir").arg(&target).current_dir(root());
    let output = cargo.output().map_err(|error| ToolError::Io { what: format!("{cargo:?}"), error })?;
    if !output.status.success() {
        return Err(ToolError::Build {
            llvm: major,
            command: format!("{cargo:?}"),
            output: String::from_utf8_lossy(&output.stderr).into_owned(),
        });
    }
    Ok(target.join("debug/libsqttinstrumentpass.so"))
}

/// The project's folder.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The half that runs.
const DEVICE: &[&str] = &["--cuda-device-only", "--no-gpu-bundle-output"];

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

    /// The arguments of clang.
    fn arguments(&self, source: &Path, object: &Path) -> Vec<String> {
        let mut arguments: Vec<String> =
            ["-x", "hip", "-nogpuinc", "-nogpulib", "-w"].map(str::to_owned).to_vec();
        // Else there is a hash of the options in the object.
        arguments.push("-fuse-cuid=none".to_owned());
        arguments.push(format!("--offload-arch={}", self.target));
        arguments.push(format!("-O{}", self.opt));
        if self.opt == 0 && self.llvm == Llvm::V22 {
            // A scalar that a loop carries and nothing sets before it, as the mask of lanes that left by `break`, is
            // spilled to a lane of a VGPR that SI Lower SGPR Spills of LLVM 22 defines at the loop's head, in each
            // iteration anew: it is not reloaded there, and lanes that left long ago change their way out
            // (llvm/llvm-project, pull request 186348). LLVM 19 defines it before all.
            arguments.extend(["-mllvm", "-amdgpu-spill-sgpr-to-vgpr=0"].map(str::to_owned));
        }
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
        if self.asks("SQTT_TRACE_ADDRESSES") {
            // What is private in the source is not traced, wherever the code generator puts it; here it stays apart.
            arguments.extend(["-mllvm", "-disable-promote-alloca-to-lds"].map(str::to_owned));
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
        words.push(self.llvm.clang().display().to_string());
        words.extend(DEVICE.iter().map(|word| (*word).to_owned()));
        words.extend(self.arguments(source, object));
        words.join(" ")
    }

    /// Compiles a source text in a folder; gives the code object.
    ///
    /// # Errors
    /// [`CompileError`] inside, [`ToolError`] where clang does not start or the folder cannot be written.
    pub fn compile_text(
        &self,
        text: &str,
        folder: &Path,
    ) -> Result<Result<Vec<u8>, CompileError>, ToolError> {
        let (source, object) = (folder.join("kernel.hip"), folder.join("kernel.co"));
        std::fs::write(&source, text)
            .map_err(|error| ToolError::Io { what: source.display().to_string(), error })?;
        self.compile(&source, &object, DEVICE)
    }

    /// Compiles the host's half of a source text in a folder; gives the object.
    ///
    /// # Errors
    /// Compiles like [`Build::compile_text`].
    pub fn compile_host(
        &self,
        text: &str,
        folder: &Path,
    ) -> Result<Result<Vec<u8>, CompileError>, ToolError> {
        let (source, object) = (folder.join("kernel.hip"), folder.join("kernel.o"));
        std::fs::write(&source, text)
            .map_err(|error| ToolError::Io { what: source.display().to_string(), error })?;
        self.compile(&source, &object, HOST)
    }

    fn compile(
        &self,
        source: &Path,
        object: &Path,
        half: &[&str],
    ) -> Result<Result<Vec<u8>, CompileError>, ToolError> {
        let mut clang = Command::new(self.llvm.clang());
        for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("SQTT_")) {
            clang.env_remove(name);
        }
        if let Some(plugin) = &self.plugin {
            clang.envs(plugin.settings.iter().map(|(name, value)| (*name, value)));
        }
        clang.args(half).args(self.arguments(source, object)).stdin(Stdio::null());
        let io = |what: String| move |error| ToolError::Io { what, error };
        let output = clang.output().map_err(io(self.llvm.clang().display().to_string()))?;
        if !output.status.success() {
            let output = String::from_utf8_lossy(&output.stderr).into_owned();
            return Ok(Err(CompileError { output: format!("{}\n{output}", telling_line(&output)) }));
        }
        Ok(Ok(std::fs::read(object).map_err(io(object.display().to_string()))?))
    }
}

/// The line that says most.
fn telling_line(output: &str) -> &str {
    output
        .lines()
        .find(|line| line.contains("error") || line.contains("Assertion"))
        .unwrap_or("no error was printed")
}
