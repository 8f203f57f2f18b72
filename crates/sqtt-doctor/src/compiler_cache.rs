//! Compiler caches between the user and the compiler.

use std::path::Path;

use crate::clang::Clang;
use crate::plugin::Plugin;
use crate::programs::{is_cache, on_path};
use crate::{Finding, Level};

/// Caches hand out what another plugin or another setting made.
pub(crate) fn caches(clang: Option<&Clang>, plugin: Option<&Plugin>, findings: &mut Vec<Finding>) {
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
