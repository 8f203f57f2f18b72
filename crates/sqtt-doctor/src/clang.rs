//! Compilers that load plugins.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::programs::{is_cache, on_path, run};
use crate::rocm::Rocm;
use crate::symbols::{self, CxxLibrary};
use crate::{Finding, Level};

/// A compiler that loads plugins.
#[derive(Debug, Serialize)]
pub(crate) struct Clang {
    /// Its path as named or found.
    pub(crate) path: PathBuf,
    /// Way it was found.
    found_by: String,
    /// The program itself, behind links, scripts and compiler caches.
    pub(crate) program: PathBuf,
    /// LLVM's version, as it says: `22.1.8`, `19.0.0git`.
    pub(crate) version: String,
    pub(crate) major: u32,
    /// Who built it: what stands before "clang version", `LLVM` where nothing does.
    pub(crate) vendor: String,
    /// Version of the interface to plugins that it has, where that is known.
    pub(crate) plugin_api: Option<u32>,
    /// Its C++ library.
    pub(crate) cxx_library: CxxLibrary,
    /// LLVM is a part of it, not a library beside it.
    pub(crate) is_static: bool,
}

impl Clang {
    /// The compiler that was named, or the first that the environment leads to.
    pub(crate) fn find(named: Option<&Path>, rocm: &Rocm, findings: &mut Vec<Finding>) -> Option<Self> {
        let Some((path, found_by)) = locate(named, rocm) else {
            let says = "no compiler: neither HIP_CLANG_PATH, ROCM_PATH nor the path leads to one";
            findings.push(
                Finding::new("clang", Level::Problem, says).mended_by("sqtt doctor --clang /path/to/clang"),
            );
            return None;
        };
        // Old scripts of that name say HIP's version, and not what they call.
        let is_hipcc = path.file_stem().is_some_and(|name| name == "hipcc");
        let behind = || of_environment(rocm).filter(|_| is_hipcc);
        let asked = Self::ask(path.clone(), found_by).or_else(|error| match behind() {
            Some((behind, by)) => Self::ask(behind, format!("{by}, as {} does", path.display())),
            None => Err(error),
        });
        match asked {
            Ok(clang) => {
                let Self { path, program, version, vendor, .. } = &clang;
                let mut says = format!("{}: LLVM {version}, built by {vendor}", path.display());
                if program != path {
                    says.push_str(&format!(" (the program is {})", program.display()));
                }
                findings.push(Finding::new("clang", Level::Ok, says));
                Some(clang)
            }
            Err(says) => {
                let remedy = "sqtt doctor --clang /path/to/clang";
                findings.push(Finding::new("clang", Level::Problem, says).mended_by(remedy));
                None
            }
        }
    }

    fn ask(path: PathBuf, found_by: String) -> Result<Self, String> {
        let said = run(&path, &[OsStr::new("--version")])?;
        let line =
            said.out.lines().chain(said.err.lines()).find_map(|line| line.split_once("clang version "));
        let Some((vendor, rest)) = line.filter(|_| said.success) else {
            let first = said.out.lines().chain(said.err.lines()).next().unwrap_or("nothing");
            return Err(format!("{} does not tell a clang version: it says \"{first}\"", path.display()));
        };
        let version = rest.split_whitespace().next().unwrap_or_default().to_owned();
        let major = version.split('.').next().and_then(|major| major.parse().ok()).unwrap_or(0);
        let vendor = match vendor.trim() {
            "" => "LLVM".to_owned(),
            vendor => vendor.to_owned(),
        };
        let installed =
            said.out.lines().find_map(|line| line.strip_prefix("InstalledDir: ")).map(PathBuf::from);
        let program = program(&path, installed.as_deref(), major);
        let libraries = symbols::libraries(&program).unwrap_or_default();
        let plugin_api = installed.as_deref().and_then(api_of_headers).or(api_of_release(major));
        let is_llvm = |library: &PathBuf| library.to_string_lossy().contains("libLLVM");
        Ok(Self {
            cxx_library: symbols::cxx_library(&program, &libraries),
            is_static: !libraries.iter().any(is_llvm),
            path,
            found_by,
            program,
            version,
            major,
            vendor,
            plugin_api,
        })
    }

    /// The folder that the program is in.
    pub(crate) fn folder(&self) -> &Path {
        self.program.parent().unwrap_or(Path::new("."))
    }
}

fn locate(named: Option<&Path>, rocm: &Rocm) -> Option<(PathBuf, String)> {
    if let Some(path) = named {
        // A bare name is meant as the shell takes it.
        let bare = path.components().count() == 1 && !path.is_file();
        let found = if bare { path.to_str().and_then(on_path) } else { None };
        return Some((found.unwrap_or_else(|| path.to_owned()), "--clang".to_owned()));
    }
    of_environment(rocm)
        .or_else(|| ["hipcc", "clang"].into_iter().find_map(|name| Some((on_path(name)?, "PATH".to_owned()))))
}

/// The one that hipcc takes.
fn of_environment(rocm: &Rocm) -> Option<(PathBuf, String)> {
    let file = |folder: PathBuf| Some(folder.join("clang")).filter(|path| path.is_file());
    if let Some(path) = std::env::var_os("HIP_CLANG_PATH").and_then(|folder| file(folder.into())) {
        return Some((path, "HIP_CLANG_PATH".to_owned()));
    }
    let in_rocm =
        ["llvm/bin", "lib/llvm/bin"].iter().find_map(|folder| file(rocm.root.as_ref()?.join(folder)));
    in_rocm.map(|path| (path, "ROCm".to_owned()))
}

/// The ELF file that runs in the end. What is called clang may be a script or a compiler cache: then the folder where
/// the compiler says it is installed has it.
fn program(path: &Path, installed: Option<&Path>, major: u32) -> PathBuf {
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let own = real(path);
    if symbols::is_elf(&own) && !is_cache(&own) {
        return own;
    }
    let names = ["clang".to_owned(), format!("clang-{major}")];
    let installed = names.iter().filter_map(|name| Some(real(&installed?.join(name))));
    installed.into_iter().find(|program| symbols::is_elf(program)).unwrap_or(own)
}

/// `LLVM_PLUGIN_API_VERSION` in the headers beside the compiler.
fn api_of_headers(folder: &Path) -> Option<u32> {
    let headers = ["llvm/Plugins/PassPlugin.h", "llvm/Passes/PassPlugin.h"];
    headers.iter().find_map(|header| {
        let text = std::fs::read_to_string(folder.join("../include").join(header)).ok()?;
        let line = text.lines().find_map(|line| line.strip_prefix("#define LLVM_PLUGIN_API_VERSION "))?;
        line.trim().parse().ok()
    })
}

/// API version of the releases that were tried.
fn api_of_release(major: u32) -> Option<u32> {
    match major {
        19 => Some(1),
        22 => Some(2),
        _ => None,
    }
}
