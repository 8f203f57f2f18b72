//! Do compiler and plugin go together?

use std::ffi::OsStr;

use sqtt_decoder::names::demangle;

use crate::clang::Clang;
use crate::plugin::Plugin;
use crate::programs::run;
use crate::symbols::{self, CxxLibrary};
use crate::{Finding, Level};

/// Missing symbols that are named.
const SYMBOLS_SHOWN: usize = 8;
/// The LLVM versions that the plugin has a feature for.
const FEATURES: std::ops::RangeInclusive<u32> = 19..=23;

/// From the cheapest check to the one that settles it: loading.
pub(crate) fn compare(clang: &Clang, plugin: &Plugin, findings: &mut Vec<Finding>) {
    findings.extend(version(clang, plugin));
    findings.push(api(clang, plugin));
    findings.push(cxx(clang, plugin));
    findings.push(symbols(clang, plugin));
    findings.push(load(clang, plugin));
}

fn version(clang: &Clang, plugin: &Plugin) -> Option<Finding> {
    let (major, version) = (clang.major, &clang.version);
    let built = plugin.major()?;
    if built == major {
        return Some(Finding::new("version", Level::Ok, format!("both are LLVM {major}")));
    }
    let says = format!("the plugin is for LLVM {built}, the compiler is LLVM {version}");
    Some(Finding::new("version", Level::Problem, says).mended_by(build_command(clang)))
}

/// Command that builds the plugin for this compiler.
fn build_command(clang: &Clang) -> String {
    let major = clang.major;
    if !FEATURES.contains(&major) {
        return format!("none: the plugin can be built for LLVM {} to {}", FEATURES.start(), FEATURES.end());
    }
    let command = format!(
        "cargo build --release -p sqttinstrumentpass --no-default-features --features llvm{major} --target-dir target/llvm{major}"
    );
    let config = clang.folder().join("llvm-config");
    if config.is_file() {
        return format!("LLVM_CONFIG={} {command}", config.display());
    }
    format!(
        "{command}\n(with LLVM_CONFIG=/path/to/llvm-config of this LLVM before it; {} has none: its development package, on Debian llvm-{major}-dev, brings it)",
        clang.folder().display()
    )
}

/// Advice where the compiler cannot load the plugin: another build does not help, if it lacks symbols of its own LLVM.
fn remedy(clang: &Clang, plugin: &Plugin) -> String {
    if clang.is_static && plugin.major() == Some(clang.major) {
        return "use a clang that loads LLVM as a library (libLLVM.so): LLVM is linked into this one, without what it \
                does not use itself"
            .to_owned();
    }
    build_command(clang)
}

fn api(clang: &Clang, plugin: &Plugin) -> Finding {
    let level = match (clang.plugin_api, plugin.plugin_api) {
        (Some(has), Some(needs)) if has == needs => Level::Ok,
        (Some(_), Some(_)) => Level::Problem,
        _ => Level::Unknown,
    };
    let text = |api: Option<u32>| api.map_or("unknown".to_owned(), |api| api.to_string());
    let (has, needs) = (text(clang.plugin_api), text(plugin.plugin_api));
    let says = format!("interface to plugins: the compiler's version is {has}, the plugin's {needs}");
    let finding = Finding::new("api", level, says);
    if level == Level::Problem { finding.mended_by(build_command(clang)) } else { finding }
}

fn cxx(clang: &Clang, plugin: &Plugin) -> Finding {
    let (host, own) = (clang.cxx_library, plugin.cxx_library);
    let says = format!("C++ library: the compiler's is {}, the plugin's {}", host.name(), own.name());
    if host == CxxLibrary::Unknown || own == CxxLibrary::Unknown {
        return Finding::new("c++", Level::Unknown, says);
    }
    if host == own {
        return Finding::new("c++", Level::Ok, says);
    }
    let flag = if host == CxxLibrary::Libcxx {
        "CXX=clang++ CXXFLAGS=-stdlib=libc++ CXXSTDLIB=c++"
    } else {
        "CXXSTDLIB=stdc++"
    };
    Finding::new("c++", Level::Problem, says).mended_by(format!("{flag} {}", build_command(clang)))
}

/// True if a symbol is LLVM's, of its C or C++ interface.
fn is_of_llvm(symbol: &str) -> bool {
    symbol.starts_with("LLVM") || symbol.contains("4llvm")
}

fn symbols(clang: &Clang, plugin: &Plugin) -> Finding {
    let found = symbols::symbols(&plugin.path).and_then(|symbols| {
        let mut missing = symbols.needed.clone();
        symbols::strike(&mut missing, &clang.program)?;
        // Its own libraries, and what it gives itself.
        symbols::strike(&mut missing, &plugin.path)?;
        Ok((symbols.needed, missing))
    });
    let (needed, missing) = match found {
        Ok(found) => found,
        Err(error) => return Finding::new("symbols", Level::Unknown, format!("not compared: {error}")),
    };
    let count = needed.iter().filter(|symbol| is_of_llvm(symbol)).count();
    if missing.is_empty() {
        let says = format!("the compiler has all {count} symbols of LLVM that the plugin needs");
        return Finding::new("symbols", Level::Ok, says);
    }
    let shown: Vec<String> = missing
        .iter()
        .take(SYMBOLS_SHOWN)
        .map(|symbol| demangle(symbol.as_bytes()).unwrap_or_else(|| symbol.clone()))
        .collect();
    let more = missing.len().saturating_sub(SYMBOLS_SHOWN);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let says = format!(
        "the compiler lacks {} symbols that the plugin needs (of {count} of LLVM): {}{more}",
        missing.len(),
        shown.join(", ")
    );
    Finding::new("symbols", Level::Problem, says).mended_by(remedy(clang, plugin))
}

/// The compiler loads the plugin, for a host compile of nothing.
fn load(clang: &Clang, plugin: &Plugin) -> Finding {
    let path = plugin.path.canonicalize().unwrap_or_else(|_| plugin.path.clone());
    let mut option = std::ffi::OsString::from("-fpass-plugin=");
    option.push(path);
    let rest = ["-x", "c", "-O1", "-S", "-emit-llvm", "-o", "-", "/dev/null"].map(OsStr::new);
    let said = match run(&clang.program, &[&[option.as_os_str()], &rest[..]].concat()) {
        Ok(said) => said,
        Err(error) => return Finding::new("load", Level::Unknown, error),
    };
    if said.success {
        return Finding::new("load", Level::Ok, "the compiler loads the plugin");
    }
    // A compiler that crashes says much, and little of it in words.
    let is_error = |line: &&str| line.contains("error:") || line.contains("ERROR");
    let is_word = |line: &&str| !line.trim_start().starts_with('#') && !line.trim().is_empty();
    let lines = || said.err.lines();
    let line = lines().find(is_error).or_else(|| lines().find(is_word)).unwrap_or("nothing");
    let says = format!("the compiler does not load the plugin: {}", line.trim());
    Finding::new("load", Level::Problem, says).mended_by(remedy(clang, plugin))
}
