//! Finds the headers of the LLVM that the features name and compiles the shim against them.
//!
//! There is no link line: the plugin takes LLVM's symbols from the program that loads it.

use std::path::{Path, PathBuf};
use std::process::{Command, exit};

/// The features, one per LLVM version the plugin can be built for.
const VERSIONS: [u32; 5] = [19, 20, 21, 22, 23];

fn main() {
    println!("cargo::rerun-if-env-changed=LLVM_CONFIG");
    println!("cargo::rerun-if-env-changed=PATH");
    println!("cargo::rerun-if-changed=shim");
    let wanted = wanted_version();
    let config = LlvmConfig::find(wanted);
    let found = config.version();
    if found.0 != wanted {
        fail(&format!(
            "feature llvm{wanted} is on, but {} reports LLVM {}.\n\
             Build for that LLVM with `--no-default-features --features llvm{}`, or point LLVM_CONFIG at the \
             llvm-config of LLVM {wanted}.",
            config.path.display(),
            found.1,
            found.0
        ));
    }
    compile_shim(&config);
}

fn wanted_version() -> u32 {
    let on: Vec<u32> = VERSIONS
        .into_iter()
        .filter(|version| std::env::var_os(format!("CARGO_FEATURE_LLVM{version}")).is_some())
        .collect();
    match on[..] {
        [one] => one,
        [] => {
            let features = VERSIONS.map(|version| format!("llvm{version}")).join(", ");
            fail(&format!("no LLVM version chosen: turn on one of the features {features}"))
        }
        _ => fail(&format!(
            "features {on:?} are on together; a plugin fits one LLVM: add `--no-default-features` to `--features llvmN`"
        )),
    }
}

struct LlvmConfig {
    path: PathBuf,
}

impl LlvmConfig {
    /// `LLVM_CONFIG` if set, then `llvm-config-N` on the path, then ROCm's.
    fn find(version: u32) -> Self {
        if let Some(path) = std::env::var_os("LLVM_CONFIG") {
            let config = Self { path: path.into() };
            if config.ask("--version").is_none() {
                fail(&format!("LLVM_CONFIG={} does not run", config.path.display()));
            }
            return config;
        }
        let candidates = [
            format!("llvm-config-{version}"),
            format!("/usr/lib/llvm-{version}/bin/llvm-config"),
            "/opt/rocm/llvm/bin/llvm-config".to_owned(),
        ];
        for candidate in &candidates {
            let config = Self { path: candidate.into() };
            if config.ask("--version").is_some() {
                return config;
            }
        }
        fail(&format!(
            "no LLVM {version} headers: tried {}.\n\
             Install them (Debian: `apt-get install llvm-{version}-dev`), or set LLVM_CONFIG to an llvm-config, or \
             choose another version with `--no-default-features --features llvmN`.",
            candidates.join(", ")
        ))
    }

    fn ask(&self, what: &str) -> Option<String> {
        let output = Command::new(&self.path).arg(what).output().ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
    }

    fn version(&self) -> (u32, String) {
        let text = self.ask("--version").unwrap_or_default();
        let major = text.split('.').next().and_then(|major| major.parse().ok()).unwrap_or(0);
        (major, text)
    }

    fn include_dir(&self) -> PathBuf {
        let dir = PathBuf::from(self.ask("--includedir").unwrap_or_default());
        if !dir.join("llvm/IR/Module.h").is_file() {
            fail(&format!(
                "{} names {} as its include folder, which lacks llvm/IR/Module.h: install LLVM's development package",
                self.path.display(),
                dir.display()
            ));
        }
        dir
    }
}

fn compile_shim(config: &LlvmConfig) {
    let include = config.include_dir();
    let words = plugin_info_words(&include);
    println!("cargo::rustc-env=MARKERS_PLUGIN_INFO_WORDS={words}");
    println!("cargo::rustc-env=MARKERS_LLVM_VERSION={}", config.version().1);
    // Another LLVM has to get as far as asking for the version, or it complains of a symbol instead.
    println!("cargo::rustc-cdylib-link-arg=-Wl,-z,lazy");
    let mut build = cc::Build::new();
    build
        .cpp(true)
        .std("c++17")
        .flag("-fno-rtti")
        .flag("-fno-exceptions")
        .flag("-fvisibility=hidden")
        .flag("-fvisibility-inlines-hidden")
        .flag("-isystem")
        .flag(&include)
        .define("SQTT_PLUGIN_INFO_WORDS", words.to_string().as_str())
        .define("SQTT_PLUGIN_VERSION", format!("\"{}\"", env!("CARGO_PKG_VERSION")).as_str())
        .file("shim/registration.cpp")
        .file("shim/ir.cpp");
    for flag in config.ask("--cppflags").unwrap_or_default().split_whitespace() {
        if flag.starts_with("-D") {
            build.flag(flag);
        }
    }
    build.compile("sqtt_shim");
}

/// The plugin struct grew a fifth word together with its move to another header.
fn plugin_info_words(include: &Path) -> u32 {
    if include.join("llvm/Plugins/PassPlugin.h").is_file() { 5 } else { 4 }
}

fn fail(message: &str) -> ! {
    for line in message.lines() {
        println!("cargo::error={line}");
    }
    exit(1)
}
