//! What else is there: compiler caches and ROCm.

use std::path::{Path, PathBuf};

use serde::Serialize;

use super::clang::Clang;
use super::plugin::Plugin;
use super::run::on_path;
use super::{Finding, Level};

/// ROCm, as far as it is there.
#[derive(Debug, Serialize)]
pub(crate) struct Rocm {
    /// Its folder.
    pub(super) root: Option<PathBuf>,
    /// `7.0.2`.
    pub(crate) version: Option<String>,
    pub(crate) rocprofv3: Option<PathBuf>,
}

impl Rocm {
    /// Where `ROCM_PATH` says, else in its usual place.
    pub(super) fn find() -> Self {
        let named = std::env::var_os("ROCM_PATH").filter(|path| !path.is_empty()).map(PathBuf::from);
        let root = named.or_else(|| Some(PathBuf::from("/opt/rocm"))).filter(|root| root.is_dir());
        let version = root.as_ref().and_then(|root| {
            let text = std::fs::read_to_string(root.join(".info/version")).ok()?;
            Some(text.trim().to_owned()).filter(|version| !version.is_empty())
        });
        let own = root.as_ref().map(|root| root.join("bin/rocprofv3")).filter(|path| path.is_file());
        Self { version, rocprofv3: own.or_else(|| on_path("rocprofv3")), root }
    }

    pub(super) fn tell(&self, findings: &mut Vec<Finding>) {
        let of = match (&self.root, &self.version) {
            (Some(root), Some(version)) => format!("ROCm {version} in {}", root.display()),
            (Some(root), None) => format!("{} (which does not say its version)", root.display()),
            (None, _) => "no ROCm".to_owned(),
        };
        findings.push(match &self.rocprofv3 {
            Some(path) => Finding::new("rocprofv3", Level::Ok, format!("{}; {of}", path.display())),
            None => Finding::new("rocprofv3", Level::Warning, format!("not found, which takes traces; {of}"))
                .mended_by("install rocprofiler-sdk on the machine with the GPU, or set ROCM_PATH"),
        });
    }
}

/// Whether a program is a compiler cache: compilers in a cache's folder are links to it.
pub(super) fn is_cache(path: &Path) -> bool {
    let name = path.file_stem().map(|name| name.to_string_lossy().into_owned());
    matches!(name.as_deref(), Some("ccache" | "sccache" | "buildcache" | "distcc"))
}

/// Caches hand out what another plugin or another setting made.
pub(super) fn caches(clang: Option<&Clang>, plugin: Option<&Plugin>, findings: &mut Vec<Finding>) {
    let mut ways = Vec::new();
    if let Some(clang) = clang
        && let Ok(real) = clang.path.canonicalize()
        && is_cache(&real)
    {
        ways.push(format!("{} is {}", clang.path.display(), real.display()));
    }
    for name in ["CMAKE_C_COMPILER_LAUNCHER", "CMAKE_CXX_COMPILER_LAUNCHER", "CMAKE_HIP_COMPILER_LAUNCHER"] {
        if let Some(value) = std::env::var_os(name)
            && is_cache(Path::new(&value))
        {
            ways.push(format!("{name}={}", value.display()));
        }
    }
    for name in ["hipcc", "clang", "clang++"] {
        let Some(path) = on_path(name) else { continue };
        if clang.is_some_and(|clang| clang.path == path) {
            continue;
        }
        if let Some(real) = path.canonicalize().ok().filter(|real| is_cache(real)) {
            ways.push(format!("{} on the path is {}", path.display(), real.display()));
        }
    }
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    if set("CCACHE_DISABLE") {
        findings.push(Finding::new("ccache", Level::Ok, "switched off by CCACHE_DISABLE"));
        return;
    }
    if ways.is_empty() {
        findings.push(Finding::new("ccache", Level::Ok, "no compiler cache is in the way"));
        return;
    }
    let says = ways.join("; ");
    // It has to know the plugin's file, and what is in the environment.
    let knows_plugin = std::env::var_os("CCACHE_EXTRAFILES").is_some_and(|files| {
        plugin.is_none_or(|plugin| {
            std::env::split_paths(&files)
                .any(|file| file.canonicalize().ok() == plugin.path.canonicalize().ok())
        })
    });
    if knows_plugin && set("CCACHE_NAMESPACE") {
        let says = format!("{says}; CCACHE_EXTRAFILES has the plugin, and CCACHE_NAMESPACE is set");
        findings.push(Finding::new("ccache", Level::Ok, says));
        return;
    }
    let file = plugin.map_or_else(|| "/path/to/plugin.so".into(), |plugin| plugin.path.display().to_string());
    let remedy = format!(
        "export CCACHE_EXTRAFILES={file}${{SQTT_CONFIG:+:$SQTT_CONFIG}}\n\
         export CCACHE_NAMESPACE=\"$(env | grep ^SQTT_ | sort | tr '\\n' ' ')\"\n\
         or: export CCACHE_DISABLE=1"
    );
    let says = format!("{says}: it looks neither into the plugin nor at SQTT_ variables");
    findings.push(Finding::new("ccache", Level::Warning, says).mended_by(remedy));
}
